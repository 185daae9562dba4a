package state

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

type (
	phaseWords struct{}
	levelWords struct{}
	askWords   struct{}
	taskWords  struct{}
)

func (phaseWords) Words() []string { return PhaseNames[:] }
func (levelWords) Words() []string { return levelNames[:] }
func (askWords) Words() []string   { return AskNames[:] }
func (taskWords) Words() []string  { return TaskNames[:] }

// SiteCard is what stands on a site: "-" is nothing.
type SiteCard struct{ table.Card }

// MarshalText writes the card's name.
func (c SiteCard) MarshalText() ([]byte, error) {
	if c.Card == table.NoCard {
		return []byte{'-'}, nil
	}
	return c.Card.MarshalText()
}

// Seen is who knows a card: a bit per seat, and public for everybody.
type Seen uint8

// MarshalText writes the seats' letters, "*" for everybody.
func (s Seen) MarshalText() ([]byte, error) {
	if s&Public != 0 {
		return []byte{'*'}, nil
	}
	return []byte([...]string{"", "A", "B", "AB"}[s&3]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Seen) UnmarshalText(text []byte) error {
	seen, ok := map[string]Seen{"": 0, "A": 1, "B": 2, "AB": 3, "*": Public | 3}[string(text)]
	*s = seen
	return table.Found(ok, text)
}

// SeatWord is a seat as it is written: one more than the seat, so that nobody is nothing.
type SeatWord uint8

func wordSeat(s domain.Seat) SeatWord { return SeatWord(s + 1) }

// Seat is the seat, or Nobody.
func (w SeatWord) Seat() domain.Seat { return domain.Seat(w) - 1 }

// MarshalText writes the seat's letter.
func (w SeatWord) MarshalText() ([]byte, error) {
	if w == 0 {
		return nil, nil
	}
	return []byte(w.Seat().Letter()), nil
}

// UnmarshalText reads the seat's letter.
func (w *SeatWord) UnmarshalText(text []byte) error {
	seat, ok := map[string]SeatWord{"": 0, "A": 1, "B": 2}[string(text)]
	*w = seat
	return table.Found(ok, text)
}
