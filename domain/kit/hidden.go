package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Hidden is embedded in a state for what not everybody sees: a card a seat, by number, 0 for none, and a
// stack of which nobody knows anything. What is hidden is no part of the state's JSON. It travels in the
// secret parts of events, each a [Held].
type Hidden struct {
	Known []domain.Audience `json:"known,omitempty"` // by seat: who knows its card; nil if each knows their own
	Cards []int             `json:"-"`               // by seat
	Stack []int             `json:"-"`               // the next card first
}

// Held is a secret part: a seat's card or, of Nobody, the stack. It is written by the codec alone: nothing
// that is shown to people ever holds one.
type Held struct {
	Seat  domain.Seat `json:"seat"`
	Card  int         `json:"card,omitempty"`
	Stack []int       `json:"stack,omitempty"`
}

// Hold is a seat's card as a part of an event.
func Hold(seat domain.Seat, card int, to domain.Audience) domain.Secret {
	return domain.Secret{To: to, Body: &Held{Seat: seat, Card: card}}
}

// HeldBy is the card of a seat that an event carries; false if it carries none that one may read.
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

// Unload takes all that is hidden out of a state: the parts of an event, each for those who know it.
func (h *Hidden) Unload() []domain.Secret {
	parts := []domain.Secret{{Body: &Held{Seat: domain.Nobody, Stack: h.Stack}}}
	for i, card := range h.Cards {
		parts = append(parts, Hold(domain.Seat(i), card, h.known(i)))
	}
	h.Cards, h.Stack = nil, nil
	return parts
}

// Load puts what an event carries into a state: into one without cards those of all seats, as Unload lists them,
// later those that are there. A seat that there is not panics, which the house tells as a table it cannot read.
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

// Seen are the cards as a viewer may see them, with a number in place of each that they may not. A card of 0 is
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

// Deal deals afresh what a viewer does not know, where seats' cards and the stack came from one pile: all
// that lies there is shuffled, and a card of 0 stays none. With could each seat's card is one of those that it may be, instead.
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
	slices.Sort(unknown) // where they truly lie must not show
	h.Stack = Shuffled(luck, "blind", unknown)
	for i, card := range h.Cards {
		if could == nil && card != 0 && !h.known(i).Admits(viewer) {
			h.Cards[i], h.Stack = h.Stack[0], h.Stack[1:]
		}
	}
}

// Shuffled is a list in an order that luck draws and nobody sees now. Where the order of the list itself
// is hidden it must be sorted before, or it would show.
func Shuffled[T any](luck *domain.Luck, purpose string, list []T) []T {
	out := make([]T, len(list))
	for i, j := range luck.Shuffle(purpose, len(list)) {
		out[i] = list[j]
	}
	return out
}

// Stack is a shuffled stack of cards, the next one first. A script's outcome of its kind says which
// cards lie on top: "17 3".
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

// OneOf draws one of some numbers, which all see, or takes the one that a script dictates.
func OneOf(luck *domain.Luck, kind string, numbers []int) int {
	return numbers[luck.Pick(kind, len(numbers), func(words string) (int, error) {
		n, err := strconv.Atoi(words)
		if i := slices.Index(numbers, n); err == nil && i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("one of these numbers belongs there: %v", numbers)
	})]
}
