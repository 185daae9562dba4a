package rivals

import "math/bits"

// census counts every draw and event card wherever it is; it must never change.
func census(s *State) (n [256]int) {
	add := func(c Card) {
		if c != NoCard {
			n[c]++
		}
	}
	for i := range s.Realms {
		r := &s.Realms[i]
		for j := range int(r.HandN) {
			add(r.Hand[j].Card)
		}
		for _, c := range r.cards() {
			add(c)
			if c == townHall {
				add(parishHall)
			}
		}
		if r.Cache != noPlace {
			add(goldCache)
		}
	}
	for i := range int(s.DecksN) {
		for j := range int(s.Decks[i].N) {
			add(s.Decks[i].Slots[j].Card)
		}
	}
	for j := range int(s.Events.N) {
		add(s.Events.Slots[j].Card)
	}
	add(s.Event)
	for j := range int(s.SpareN) {
		add(s.Spare[j])
	}
	for range s.OpenN {
		add(s.Open)
	}
	for j := range int(s.DiscardN) {
		add(s.Discard[j])
	}
	return n
}

func centreCount(s *State) int {
	n := int(s.Roads) + int(s.Settlements) + int(s.Cities) + int(s.LandsN)
	for i := range s.Realms {
		r := &s.Realms[i]
		n += bits.OnesCount16(r.Roads)
		for _, t := range r.Towns {
			n += int(t.Level)
		}
		for _, q := range r.Regions {
			if q.Number != 0 {
				n++
			}
		}
	}
	return n
}
