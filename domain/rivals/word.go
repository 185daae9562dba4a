package rivals

import (
	"fmt"
	"slices"

	"posthorn/domain"
)

// Word is a number that is written as a word of its table: a phase, a set.
type Word[T wordTable] uint8

// wordTable lists words in the order of their numbers.
type wordTable interface{ words() []string }

// String is the word; "" of a number that has none.
func (w Word[T]) String() string {
	if words := (*new(T)).words(); int(w) < len(words) {
		return words[w]
	}
	return ""
}

// MarshalText writes the word.
func (w Word[T]) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word.
func (w *Word[T]) UnmarshalText(text []byte) error {
	i := slices.Index((*new(T)).words(), string(text))
	if i < 0 {
		return fmt.Errorf("there is no %q", text)
	}
	*w = Word[T](i)
	return nil
}

type (
	playWords    struct{}
	phaseWords   struct{}
	faceWords    struct{}
	setWords     struct{}
	kindWords    struct{}
	levelWords   struct{}
	terrainWords struct{}
	askWords     struct{}
	taskWords    struct{}
)

func (playWords) words() []string    { return playNames[:] }
func (phaseWords) words() []string   { return phaseNames[:] }
func (faceWords) words() []string    { return faceNames[:] }
func (setWords) words() []string     { return setNames[:] }
func (kindWords) words() []string    { return kindNames[:] }
func (levelWords) words() []string   { return levelNames[:] }
func (terrainWords) words() []string { return terrainNames[:] }
func (askWords) words() []string     { return askNames[:] }
func (taskWords) words() []string    { return taskNames[:] }

// terrain is a resource, written as the land that yields it.
type terrain = Word[terrainWords]

// MarshalText writes the resource's word.
func (r Res) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the resource's word.
func (r *Res) UnmarshalText(text []byte) error {
	res, ok := resNamed(string(text))
	*r = res
	return found(ok, text)
}

func found(ok bool, text []byte) error {
	if !ok {
		return fmt.Errorf("there is no %q", text)
	}
	return nil
}

// MarshalText writes the place's name.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.Name()), nil }

// UnmarshalText reads the place's name.
func (p *Place) UnmarshalText(text []byte) error {
	place, ok := placeNamed(string(text))
	*p = place
	return found(ok, text)
}

// MarshalText writes the region card's name.
func (l Land) MarshalText() ([]byte, error) { return []byte(l.Name()), nil }

// UnmarshalText reads the region card's name; "?" is an unknown one.
func (l *Land) UnmarshalText(text []byte) error {
	land, ok := landNamed(fold(string(text)))
	*l = land
	return found(ok || string(text) == "?", text)
}

// backs are the cards of which the back alone is known, one of each set; faces are what a card can
// show, the printings and the backs.
var (
	backs = Card(len(printings))
	faces = func() []Printing {
		list := slices.Clip(printings)
		for set := range sets {
			list = append(list, Printing{Row: printings[NoCard].Row, Set: set, Name: "?" + set.String()})
		}
		return list
	}()
	backNamed = map[string]Card{"": NoCard, "-": NoCard, "?": NoCard, "?basic": backOf(Basic), "?gold": backOf(Gold), "?turmoil": backOf(Turmoil), "?progress": backOf(Progress)}
)

func backOf(s Set) Card { return backs + Card(s) }

// hidden tells whether the face of a card is not known.
func (c Card) hidden() bool { return c == NoCard || c >= backs }

// MarshalText writes the card's name.
func (c Card) MarshalText() ([]byte, error) { return []byte(c.Name()), nil }

// UnmarshalText reads the card's name, as people type it too.
func (c *Card) UnmarshalText(text []byte) error {
	card, ok := cardNamed[string(text)]
	if !ok {
		card, ok = backNamed[string(text)]
	}
	if !ok {
		card, ok = cardWords[fold(string(text))]
	}
	*c = card
	return found(ok, text)
}

// site is what stands on a site: "-" is nothing.
type site struct{ Card }

// MarshalText writes the card's name.
func (c site) MarshalText() ([]byte, error) {
	if c.Card == NoCard {
		return []byte{'-'}, nil
	}
	return c.Card.MarshalText()
}

// Seen is who knows a card: a bit per seat, and public for everybody.
type Seen uint8

// MarshalText writes the seats' letters, "*" for everybody.
func (s Seen) MarshalText() ([]byte, error) {
	if s&public != 0 {
		return []byte{'*'}, nil
	}
	return []byte([...]string{"", "A", "B", "AB"}[s&3]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Seen) UnmarshalText(text []byte) error {
	seen, ok := map[string]Seen{"": 0, "A": 1, "B": 2, "AB": 3, "*": public | 3}[string(text)]
	*s = seen
	return found(ok, text)
}

// seatWord is a seat as it is written: one more than the seat, so that nobody is nothing.
type seatWord uint8

func wordSeat(s domain.Seat) seatWord { return seatWord(s + 1) }

func (w seatWord) seat() domain.Seat { return domain.Seat(w) - 1 }

// MarshalText writes the seat's letter.
func (w seatWord) MarshalText() ([]byte, error) {
	if w == 0 {
		return nil, nil
	}
	return []byte(w.seat().Letter()), nil
}

// UnmarshalText reads the seat's letter.
func (w *seatWord) UnmarshalText(text []byte) error {
	seat, ok := map[string]seatWord{"": 0, "A": 1, "B": 2}[string(text)]
	*w = seat
	return found(ok, text)
}
