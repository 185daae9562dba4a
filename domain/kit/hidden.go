package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Hidden is embedded in a state for what not everybody sees: one card per seat, by number, 0 for none, and a stack that
// nobody knows. What is hidden is not in the state's JSON. It travels in the secret parts of events, each a [Held].
type Hidden struct {
	Known []domain.Audience `json:"known,omitempty"` // by seat: who knows its card; nil if each knows their own
	Cards []int             `json:"-"`               // by seat
	Stack []int             `json:"-"`               // the next card first
}

// Held is a secret part: a seat's card or, for Nobody, the stack. Only the codec writes it: nothing shown to people
// ever contains one.
type Held struct {
	Seat  domain.Seat `json:"seat"`
	Card  int         `json:"card,omitempty"`
	Stack []int       `json:"stack,omitempty"`
}

// Hold returns a seat's card as a secret part of an event.
func Hold(seat domain.Seat, card int, to domain.Audience) domain.Secret {
	return domain.Secret{To: to, Body: &Held{Seat: seat, Card: card}}
}

// HeldBy returns a seat's card that an event carries; false if it carries none, or only a redacted one.
func HeldBy(e *domain.Event, seat domain.Seat) (card int, ok bool) {
	for _, part := range e.Secrets {
		if held, is := part.Body.(*Held); is && held.Seat == seat {
			return held.Card, true
		}
	}
	return 0, false
}

func (h *Hidden) known(i int) domain.Audience {
	if h.Known == nil {
		return domain.To(domain.Seat(i))
	}
	return h.Known[i]
}

// Unload takes everything hidden out of a state and returns it as the parts of an event, each for those who know it.
func (h *Hidden) Unload() []domain.Secret {
	parts := []domain.Secret{{Body: &Held{Seat: domain.Nobody, Stack: h.Stack}}}
	for i, card := range h.Cards {
		parts = append(parts, Hold(domain.Seat(i), card, h.known(i)))
	}
	h.Cards, h.Stack = nil, nil
	return parts
}

// Load puts what an event carries into a state: all seats' cards, as Unload lists them, if the state has none yet;
// otherwise those present. It panics on a seat that does not exist; the house reports that as a table it cannot read.
func (h *Hidden) Load(e *domain.Event) {
	dealt := len(h.Cards) == 0
	for _, part := range e.Secrets {
		held := part.Body.(*Held)
		if held.Seat == domain.Nobody {
			h.Stack = slices.Clone(held.Stack)
			continue
		}
		if dealt && int(held.Seat) == len(h.Cards) {
			h.Cards = append(h.Cards, 0)
		}
		h.Cards[held.Seat] = held.Card
	}
}

// Seen returns the cards as a viewer may see them, with unseen in place of each that they must not. A card of 0 is
// none, and everybody sees that.
func (h *Hidden) Seen(viewer domain.Viewer, unseen int) []int {
	seen := slices.Clone(h.Cards)
	for i, card := range seen {
		if card != 0 && !h.known(i).Admits(viewer) {
			seen[i] = unseen
		}
	}
	return seen
}

// Deal deals afresh what a viewer does not know, if the seats' cards and the stack came from one pile: it shuffles all
// of those together, and a card of 0 stays none. If could is given, Deal instead draws each seat's card from the list
// that could returns for it.
func (h *Hidden) Deal(viewer domain.Viewer, luck *domain.Luck, could func(domain.Seat) []int) {
	if viewer == domain.Referee {
		return
	}
	unknown := slices.Clone(h.Stack)
	for i, card := range h.Cards {
		switch hides := card != 0 && !h.known(i).Admits(viewer); {
		case hides && could != nil:
			list := could(domain.Seat(i))
			h.Cards[i] = list[luck.DrawUnseen("blind", len(list))]
		case hides:
			unknown = append(unknown, card)
		}
	}
	slices.Sort(unknown) // their true places must not show
	h.Stack = Shuffled(luck, "blind", unknown)
	for i, card := range h.Cards {
		if could == nil && card != 0 && !h.known(i).Admits(viewer) {
			h.Cards[i], h.Stack = h.Stack[0], h.Stack[1:]
		}
	}
}

// Shuffled returns a list in an order that luck draws and nobody sees now. If the order of the list itself is hidden,
// sort it first, or the result would reveal it.
func Shuffled[T any](luck *domain.Luck, purpose string, list []T) []T {
	out := make([]T, len(list))
	for i, j := range luck.Shuffle(purpose, len(list)) {
		out[i] = list[j]
	}
	return out
}

// Stack returns a shuffled stack of cards, the next one first. A script's outcome of its kind says which cards lie on
// top: "17 3".
func Stack(luck *domain.Luck, kind string, cards []int) []int {
	stack := Shuffled(luck, kind, cards)
	o, _ := luck.Dictated(kind)
	var top []int
	for _, word := range strings.Fields(o.Words) {
		card, err := strconv.Atoi(word)
		if err != nil || !slices.Contains(cards, card) || slices.Contains(top, card) {
			luck.Reject(kind, o, "card "+word+" is not there")
			return stack
		}
		top = append(top, card)
	}
	return append(top, slices.DeleteFunc(stack, func(c int) bool { return slices.Contains(top, c) })...)
}

// OneOf draws one of some numbers, which everybody sees, or takes the one that a script dictates.
func OneOf(luck *domain.Luck, kind string, numbers []int) int {
	return numbers[luck.Pick(kind, len(numbers), func(words string) (int, error) {
		n, err := strconv.Atoi(words)
		if i := slices.Index(numbers, n); err == nil && i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("one of these numbers belongs there: %v", numbers)
	})]
}
