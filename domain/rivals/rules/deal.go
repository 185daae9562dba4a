package rules

import (
	"cmp"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Blind deals afresh what the viewer does not know: cards change places only with others of
// the same back, known ones stay where they were seen, and Yule stays where it lies.
func (*Room) Blind(truth *state.State, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	s := *truth
	if viewer != domain.Referee {
		known := func(slot state.Slot) bool { return slot.Known(viewer) }
		mixSets(&s, known, luck)
		for i := range s.Realms {
			deal(&s.Realms[i], domain.Seat(i), viewer)
		}
		mixEvents(&s, known, luck)
		mixLands(&s, s.ShownLands(viewer), luck)
	}
	return s.Deal()
}

// Reshuffle shuffles what neither seat knows, as Blind does: the cards of stacks among those of the
// same back, the event cards, the region cards. Hands stay, and so does what a seat has seen in a
// stack, put under one, or sees of the regions now. There are no notes of that: whether a seat has one
// would tell that it still knows a card of the other's hand, which nobody else may know.
func (*Room) Reshuffle(truth *state.State, luck *domain.Luck) domain.Event {
	s := *truth
	known := func(slot state.Slot) bool { return slot.Seen != 0 }
	mixSets(&s, known, luck)
	mixEvents(&s, known, luck)
	mixLands(&s, max(s.ShownLands(0), s.ShownLands(1)), luck)
	return s.LaidOut()
}

// mixSets deals the cards that are not known, each back among its own.
func mixSets(s *state.State, known func(state.Slot) bool, luck *domain.Luck) {
	for set := range table.Sets {
		mix(Unseen(s, known, set), luck)
	}
}

// mixLands shuffles the region cards below those that are shown.
func mixLands(s *state.State, shown int, luck *domain.Luck) {
	n := int(s.LandsN) - shown
	slices.Sort(s.Lands[:n]) // as in mix
	copy(s.Lands[:n], kit.Shuffled(luck, "blind", s.Lands[:n]))
}

// deal lays a hand anew, and lets the other forget which of its cards they have seen, where
// the viewer does not know which: those are others now.
func deal(r *state.Realm, owner domain.Seat, viewer domain.Viewer) {
	for i := range int(r.HandN) {
		if !r.Hand[i].Known(viewer) {
			r.Hand[i].Seen = state.Bit(owner)
		}
	}
	// Of two cards that are alike, who knows which must not tell where they lay either.
	slices.SortFunc(r.Held(), func(a, b state.Slot) int {
		return cmp.Or(cmp.Compare(a.Card.Set(), b.Card.Set()), cmp.Compare(a.Card, b.Card), cmp.Compare(a.Seen, b.Seen))
	})
}

// Unseen are the places of cards with a back that are not known.
func Unseen(s *state.State, known func(state.Slot) bool, set table.Set) (list []*table.Card) {
	var piles [][]state.Slot
	for i := range s.Decks {
		piles = append(piles, s.Decks[i].All())
	}
	for _, pile := range append(piles, s.Realms[0].Held(), s.Realms[1].Held()) {
		for j := range pile {
			if slot := &pile[j]; slot.Card.Set() == set && !known(*slot) {
				list = append(list, &slot.Card)
			}
		}
	}
	return list
}

// mixEvents shuffles the unknown event cards, with those that a duel left out.
func mixEvents(s *state.State, known func(state.Slot) bool, luck *domain.Luck) {
	var list []*table.Card
	for j := range int(s.Events.N) {
		if !known(s.Events.Slots[j]) {
			list = append(list, &s.Events.Slots[j].Card)
		}
	}
	for j := range int(s.SpareN) {
		list = append(list, &s.Spare[j])
	}
	if s.SpareN > 0 {
		mixDuel(s, list, luck)
		return
	}
	mix(list, luck)
}

// mixDuel keeps in the stack the events that every duel has: only half-moon events can have
// been left out.
func mixDuel(s *state.State, list []*table.Card, luck *domain.Luck) {
	mix(list, luck)
	stack := len(list) - int(s.SpareN)
	for i := stack; i < len(list); i++ {
		c := *list[i]
		p := table.Printings[c]
		if eventCount(s, c) >= p.N-p.Moon {
			continue
		}
		for j := range stack { // change it for a half-moon copy of the stack
			d := *list[j]
			q := table.Printings[d]
			if d != c && eventCount(s, d) > q.N-q.Moon {
				*list[i], *list[j] = d, c
				break
			}
		}
	}
}

// eventCount is how many copies of an event card are in play.
func eventCount(s *state.State, c table.Card) (n int) {
	for _, slot := range s.Events.All() {
		n += table.BoolInt(slot.Card == c)
	}
	return n + table.BoolInt(s.Event == c)
}

// mix deals cards afresh among their places, out of a pack that lies in the order of the
// cards: the luck of a branch opens with its end, and whoever undoes the shuffle must not
// find how the cards truly lay.
func mix(list []*table.Card, luck *domain.Luck) {
	cards := make([]table.Card, len(list))
	for i, c := range list {
		cards[i] = *c
	}
	slices.Sort(cards)
	for i, c := range kit.Shuffled(luck, "blind", cards) {
		*list[i] = c
	}
}
