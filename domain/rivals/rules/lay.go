package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// layer lays out a game: the position given, if any, and everything else by chance.
type layer struct {
	luck  *domain.Luck
	given *state.Written
	s     *state.State
	pool  []int // how many of each printing are not placed yet
	err   *domain.Refusal
}

func (l *layer) lay(game domain.Game) (*state.State, error) {
	s := &state.State{Ready: true, Winner: domain.Nobody, First: game.First, Active: game.First}
	l.s = s
	for play, name := range table.PlayNames {
		if name == game.Choices["play"] {
			s.Play = table.Play(play)
		}
	}
	s.Rules = table.RulesFrom(game.Choices)
	s.Goal = table.Goals[s.Play]
	w := l.given
	if w == nil {
		w = &state.Written{}
	}
	l.fillPool()
	l.clock()
	l.realms()
	l.lands(w)
	l.decks(w)
	l.layEvents(w)
	if l.err != nil {
		return nil, l.err
	}
	l.begin()
	if l.err != nil {
		return nil, l.err
	}
	s.ReadStill(w)
	if s.Phase == state.Over && w.Winner == 0 {
		s.Winner = s.Ahead()
	}
	l.checkEnd(w)
	if l.err != nil {
		return nil, l.err
	}
	return s, nil
}

func (l *layer) fillPool() {
	for _, p := range table.Printings {
		l.pool = append(l.pool, table.CopiesIn(p, l.s.Play))
	}
}

// claim takes a card out of the pool, of the events or the others: that printing, or another of the
// same card.
func (l *layer) claim(c table.Card, event bool, path string) table.Card {
	if c.Hidden() {
		l.misfit(path, c, "card")
		return table.NoCard
	}
	for i, n := range l.pool {
		if l.pool[c] == 0 && n > 0 && table.Card(i).Same(c) {
			c = table.Card(i)
		}
	}
	if l.pool[c] == 0 || event != (c.Row().Kind == table.EventCard) {
		l.misfit(path, c, "no-more")
		return table.NoCard
	}
	l.pool[c]--
	return c
}

// claimAll takes the cards of a list out of the pool that are named, with who knows them. Wrong says
// why one cannot be there, or "".
func (l *layer) claimAll(cards []table.Card, known []state.Seen, event bool, path string, wrong func(table.Card) string) (list []state.Slot) {
	for i, c := range cards {
		if c.Hidden() {
			continue
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		slot := state.Slot{Card: l.claim(c, event, at)}
		if wrong != nil && wrong(slot.Card) != "" {
			l.misfit(at, c, wrong(slot.Card))
		}
		if i < len(known) {
			slot.Seen = known[i]
		}
		list = append(list, slot)
	}
	return list
}

func (l *layer) clock() {
	w, s := l.given, l.s
	s.Phase, s.Turn = state.Rolling, 1
	if w == nil {
		if s.Play != table.Intro {
			s.Phase, s.Turn = state.Begin, 0
		}
		return
	}
	if w.Goal != 0 {
		s.Goal = w.Goal
	}
	if w.First != 0 {
		s.First, s.Active = w.First.Seat(), w.First.Seat()
	}
	if w.Active != 0 {
		s.Active = w.Active.Seat()
	}
	s.Phase = w.Phase
	if w.Turn != 0 || s.Phase == state.Begin {
		s.Turn = w.Turn
	}
	s.Die, s.Face, s.Mints, s.Removals, s.Serial, s.NextID = w.Die, w.Face, w.Mints, w.Removals, w.Serial, w.NextID
	if s.Phase == state.Over {
		s.Winner = w.Winner.Seat()
	}
	if w.Event != table.NoCard {
		s.Event = l.claim(w.Event, true, "event")
	}
}

// realms lays the two principalities: as given, or as they start.
func (l *layer) realms() {
	for i := range 2 {
		side := startSide(i)
		if l.given != nil && i < len(l.given.Seats) {
			replace(&side, &l.given.Seats[i])
			l.store(i, &side)
		}
		l.checkSide(i, &side)
		if l.err != nil {
			return
		}
		l.place(i, &side)
		l.s.Realms[i].Read(&side)
	}
	l.s.CountCentre()
	for _, x := range [...]struct {
		left int8
		word string
	}{{l.s.Roads, "road"}, {l.s.Settlements, "settlement"}, {l.s.Cities, "city"}} {
		if all := table.Table.Centre[x.word].N; x.left < 0 {
			l.misfit("seats", x.word, "centre", "n", all)
		}
	}
}

// startSide is a principality at the beginning: seat 0 red, seat 1 blue.
func startSide(seat int) state.WrittenSide {
	w := state.WrittenSide{Towns: []state.WrittenTown{{At: 0, Level: state.SettlementTown}, {At: 1, Level: state.SettlementTown}}, Roads: []int8{0}}
	for _, r := range table.Table.Regions {
		q := state.WrittenRegion{At: r.Place, Terrain: r.Terrain, Number: r.Red, Stored: 1}
		if seat == 1 {
			q.Number = r.Blue
		}
		if table.Res(r.Terrain) == table.GoldRes {
			q.Stored = 0
		}
		w.Regions = append(w.Regions, q)
	}
	return w
}

// replace takes over what a position says of a principality. Roads that it leaves out lie between its
// towns; regions that it leaves out are those of the beginning beside them.
func replace(w *state.WrittenSide, given *state.WrittenSide) {
	w.Cache, w.Stores = given.Cache, given.Stores
	if given.Towns != nil {
		w.Towns, w.Roads = given.Towns, nil
		for _, t := range w.Towns {
			if slices.ContainsFunc(w.Towns, func(u state.WrittenTown) bool { return u.At == t.At+1 }) {
				w.Roads = append(w.Roads, t.At)
			}
		}
	}
	if given.Roads != nil {
		w.Roads = given.Roads
	}
	if given.Regions != nil {
		w.Regions = given.Regions
	} else {
		w.Regions = slices.DeleteFunc(w.Regions, func(q state.WrittenRegion) bool { return !beside(w, q.At) })
	}
}

// place claims the cards of a principality, town by town, and sets the printings that there are.
func (l *layer) place(seat int, w *state.WrittenSide) {
	var stands table.RowSet
	for i, t := range w.Towns {
		for side, list := range [2][]state.SiteCard{t.Above, t.Below} {
			for slot, at := range list {
				if at.Card == table.NoCard {
					continue
				}
				path := fmt.Sprintf("seats[%d].towns[%d].%s[%d]", seat, i, [2]string{"above", "below"}[side], slot)
				c := l.claim(at.Card, false, path)
				list[slot].Card = c
				switch row := c.Row(); {
				case row.Kind != table.SettlementCard && row.Kind != table.CityCard, row.Kind == table.CityCard && t.Level != state.CityTown:
					l.misfit(path, at, "stands")
				case row.One && stands.Has(row), row == table.ParishHall.Row() && stands.Has(table.TownHall.Row()), row == table.TownHall.Row() && stands.Has(table.ParishHall.Row()):
					l.misfit(path, at, "one")
				}
				stands.Put(c.Row())
				if c.Same(table.TownHall) {
					l.claim(table.ParishHall, false, path)
				}
			}
		}
	}
	if w.Cache != nil {
		l.claim(table.GoldCache, false, fmt.Sprintf("seats[%d].cache", seat))
	}
}

// lands lays the region stack: what is in neither principality, the given ones on top.
func (l *layer) lands(w *state.Written) {
	var left [1 << 6]bool
	for _, r := range table.Table.Regions {
		for _, n := range append([]int{int(r.Red), int(r.Blue)}, r.Drawn...) {
			left[table.LandOf(table.Res(r.Terrain), uint8(n))] = true
		}
	}
	for i := range l.s.Realms {
		for _, q := range l.s.Realms[i].Regions {
			land := table.LandOf(q.Terrain, q.Number)
			if q.Number != 0 && !left[land] {
				l.misfit(fmt.Sprintf("seats[%d].regions", i), land, "region")
			}
			left[land] = false
		}
	}
	var top, rest []table.Land
	o, _ := l.luck.Dictated("regions")
	for _, name := range strings.Fields(o.Words) {
		var land table.Land
		if err := land.UnmarshalText([]byte(name)); err != nil || land != 0 && !left[land] {
			l.luck.Reject("regions", o, "no region "+name+" is left")
			return
		} else if land != 0 {
			left[land], top = false, append(top, land)
		}
	}
	for i, land := range w.Centre.Regions {
		if land == 0 {
			continue
		}
		if !left[land] {
			l.misfit(fmt.Sprintf("centre.regions[%d]", i), land, "region")
			return
		}
		left[land], top = false, append(top, land)
	}
	for _, r := range table.Table.Regions { // starting regions that are in no principality stay away
		for _, n := range r.Drawn {
			if land := table.LandOf(table.Res(r.Terrain), uint8(n)); left[land] {
				rest = append(rest, land)
			}
		}
	}
	for _, j := range l.luck.Shuffle("regions", len(rest)) {
		l.s.Lands[l.s.LandsN] = rest[j]
		l.s.LandsN++
	}
	l.s.LandsN += uint8(copy(l.s.Lands[l.s.LandsN:], state.Backward(top)))
}
