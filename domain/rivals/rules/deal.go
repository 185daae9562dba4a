package rules

import (
	"cmp"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Blind redeals what the viewer does not know: cards change places only with others of the same back, known ones stay
// where they were seen, and Yule stays where it lies.
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

// Reshuffle shuffles what neither seat knows, as Blind does: the cards of stacks among those of the same back, the
// event cards, the region cards. Hands stay, and so does what a seat has seen in a stack, put under one, or can see
// of the regions now. It makes no notes: whether a seat has one would reveal that it still knows a card of the
// other's hand, which nobody else may know.
func (*Room) Reshuffle(truth *state.State, luck *domain.Luck) domain.Event {
	s := *truth
	known := func(slot state.Slot) bool { return slot.Seen != 0 }
	mixSets(&s, known, luck)
	mixEvents(&s, known, luck)
	mixLands(&s, max(s.ShownLands(0), s.ShownLands(1)), luck)
	return s.LaidOut()
}

// mixSets redeals the unknown cards, each back separately.
func mixSets(s *state.State, known func(state.Slot) bool, luck *domain.Luck) {
	for set := range table.Sets {
		kit.Mix(luck, Unseen(s, known, set))
	}
}

// mixLands shuffles the region cards below those shown.
func mixLands(s *state.State, shown int, luck *domain.Luck) {
	kit.Mix(luck, kit.Places(s.Lands[:int(s.LandsN)-shown]))
}

// deal puts a redealt hand in order, and makes the other forget which of its cards they have seen if the viewer does
// not know which: those are different cards now.
func deal(r *state.Realm, owner domain.Seat, viewer domain.Viewer) {
	for i := range int(r.HandN) {
		if !r.Hand[i].Known(viewer) {
			r.Hand[i].Seen = state.Bit(owner)
		}
	}
	// For two equal cards, who knows which must not reveal where they lay either.
	slices.SortFunc(r.Held(), func(a, b state.Slot) int {
		return cmp.Or(cmp.Compare(a.Card.Set(), b.Card.Set()), cmp.Compare(a.Card, b.Card), cmp.Compare(a.Seen, b.Seen))
	})
}

// Unseen returns the places of the cards with this back that are not known.
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

// mixEvents shuffles the unknown event cards together with those that a duel left out.
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
	kit.Mix(luck, list)
}

// mixDuel keeps in the stack the events that every duel has: a duel leaves out half-moon events only.
func mixDuel(s *state.State, list []*table.Card, luck *domain.Luck) {
	kit.Mix(luck, list)
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

// eventCount returns how many copies of an event card are in play.
func eventCount(s *state.State, c table.Card) (n int) {
	for _, slot := range s.Events.All() {
		n += table.BoolInt(slot.Card == c)
	}
	return n + table.BoolInt(s.Event == c)
}
