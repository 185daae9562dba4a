package rivals

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// census counts every draw and event card wherever it is; the counts must never change.
func census(s *state.State) (n [256]int) {
	add := func(c table.Card) {
		if c != table.NoCard {
			n[c]++
		}
	}
	for i := range s.Realms {
		r := &s.Realms[i]
		for j := range int(r.HandN) {
			add(r.Hand[j].Card)
		}
		for _, c := range r.Cards() {
			add(c)
			if c == table.TownHall {
				add(table.ParishHall)
			}
		}
		if r.Cache != table.NoPlace {
			add(table.GoldCache)
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

func centreCount(s *state.State) int {
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

// requireGoodsKept checks that the goods a principality keeps a count of are those at its places, one by one.
func requireGoodsKept(t testing.TB, r *state.Realm, after string) {
	var stock, rooms table.Goods
	var filled, free [table.Resources]uint64
	for p := range table.Place(table.Places) {
		if res := r.Yields(p); res != table.NoRes {
			stock[res] += r.Store(p)
			rooms[res] += r.Space(p)
			filled[res] |= uint64(table.BoolInt(r.Store(p) > 0)) << p
			free[res] |= uint64(table.BoolInt(r.Space(p) > 0)) << p
		}
	}
	require.True(t, stock == r.Stock() && rooms == r.Spaces(), "%s: %v %v, kept %v %v", after, stock, rooms, r.Stock(),
		r.Spaces())
	for res := range table.Res(table.Resources) {
		require.True(t, filled[res] == r.Filled(table.Only(res)) && free[res] == r.Free(table.Only(res)) &&
			stock[res] == r.Lies(res), "%s: %s", after, res)
	}
}
