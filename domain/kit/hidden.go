package kit

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Hidden is embedded in a state for what not everybody sees: what each seat holds, a card (0 is none) or a hand of a
// type of its own, and a stack that nobody knows. What is hidden is not in the state's JSON. It travels in the secret
// parts of events, each a [Held].
type Hidden[H any] struct {
	Known []domain.Audience `json:"known,omitempty"` // by seat: who knows what it holds; nil if each knows their own
	Hands []H               `json:"-"`               // by seat
	Stack []int             `json:"-"`               // the next card first
}

// Held is a secret part: what a seat holds or, for Nobody, the stack. Only the codec writes it: nothing shown to people
// ever contains one.
type Held[H any] struct {
	Seat  domain.Seat `json:"seat"`
	Hand  H           `json:"card,omitzero"`
	Stack []int       `json:"stack,omitempty"`
}

// Hold returns what a seat holds as a secret part of an event.
func Hold[H any](seat domain.Seat, hand H, to domain.Audience) domain.Secret {
	return domain.Secret{To: to, Body: &Held[H]{Seat: seat, Hand: hand}}
}

func (h *Hidden[H]) known(i int) domain.Audience {
	if h.Known == nil {
		return domain.To(domain.Seat(i))
	}
	return h.Known[i]
}

// Unload takes everything hidden out of a state and returns it as the parts of an event, each for those who know it.
func (h *Hidden[H]) Unload() []domain.Secret {
	parts := []domain.Secret{{Body: &Held[H]{Seat: domain.Nobody, Stack: h.Stack}}}
	for i, hand := range h.Hands {
		parts = append(parts, Hold(domain.Seat(i), hand, h.known(i)))
	}
	h.Hands, h.Stack = nil, nil
	return parts
}

// Load puts what an event carries into a state: what all seats hold, as Unload lists it, if the state has nothing yet;
// otherwise what is present. It panics on a seat that does not exist; the house reports that as a table it cannot read.
func (h *Hidden[H]) Load(e *domain.Event) {
	dealt := len(h.Hands) == 0
	for _, part := range e.Secrets {
		held := part.Body.(*Held[H])
		if held.Seat == domain.Nobody {
			h.Stack = slices.Clone(held.Stack)
			continue
		}
		if dealt && int(held.Seat) == len(h.Hands) {
			h.Hands = append(h.Hands, held.Hand)
		}
		h.Hands[held.Seat] = apart(held.Hand)
	}
}

// Seen returns what the seats hold as a viewer may see it: where they must not, what cover makes of it.
func (h *Hidden[H]) Seen(viewer domain.Viewer, cover func(H) H) []H {
	seen := slices.Clone(h.Hands)
	for i, hand := range seen {
		if !h.known(i).Admits(viewer) {
			seen[i] = cover(hand)
		}
	}
	return seen
}

// Unknown yields the seats whose hand a viewer does not know, with where it is, to be dealt afresh: see [Mix].
func (h *Hidden[H]) Unknown(viewer domain.Viewer) iter.Seq2[domain.Seat, *H] {
	return func(yield func(domain.Seat, *H) bool) {
		for i := range h.Hands {
			if seat := domain.Seat(i); !h.known(i).Admits(viewer) && !yield(seat, &h.Hands[i]) {
				return
			}
		}
	}
}

// Places returns the places in a list of cards.
func Places[C any](list []C) []*C {
	places := make([]*C, len(list))
	for i := range list {
		places[i] = &list[i]
	}
	return places
}

// Mix deals cards afresh among the places where they lie, for [domain.Rulebook]'s Blind and Reshuffle: the result shows
// nothing of how they lay, even to whoever undoes the shuffle.
func Mix[C cmp.Ordered](luck *domain.Luck, places []*C) {
	cards := make([]C, len(places))
	for i, place := range places {
		cards[i] = *place
	}
	slices.Sort(cards)
	for i, card := range Shuffled(luck, "blind", cards) {
		*places[i] = card
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
