package rivals

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// layer lays out a game: the position given, if any, and everything else by chance.
type layer struct {
	luck   *domain.Luck
	given  *written
	s      *State
	pool   []int // how many of each printing are not placed yet
	events []int // the same of event cards
	err    *domain.Refusal
}

func (l *layer) lay(game domain.Game) (*State, error) {
	s := &State{Ready: true, Winner: domain.Nobody, First: game.First, Active: game.First}
	l.s = s
	for play, name := range playNames {
		if name == game.Choices["play"] {
			s.Play = Play(play)
		}
	}
	s.Rules = rulesFrom(game.Choices)
	s.Goal = goals[s.Play]
	w := l.given
	if w == nil {
		w = &written{}
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
	s.readStill(w)
	if s.Phase == Over && w.Winner == 0 {
		s.Winner = s.ahead()
	}
	l.checkEnd(w)
	if l.err != nil {
		return nil, l.err
	}
	return s, nil
}

// copiesIn is how many copies of a printing are in a play: the duel leaves the half-moons out.
func copiesIn(p Printing, play Play) int {
	switch {
	case p.Row.Kind == EventCard:
		n := 0
		for _, c := range p.Row.Copies {
			if c.Set == Basic || play == Duel || Play(c.Set) == play {
				n += c.N
			}
		}
		return n
	case p.Set == Basic:
		return p.N
	case play == Duel:
		return p.N - p.Moon
	case Play(p.Set) == play:
		return p.N
	}
	return 0
}

func (l *layer) fillPool() {
	l.pool, l.events = make([]int, len(printings)), make([]int, len(printings))
	for i, p := range printings {
		if i == 0 {
			continue
		}
		if p.Row.Kind == EventCard {
			l.events[i] = copiesIn(p, l.s.Play)
		} else {
			l.pool[i] = copiesIn(p, l.s.Play)
		}
	}
}

// claim takes a card out of the pool: that printing, or another of the same card.
func (l *layer) claim(pool []int, c Card, path string) Card {
	if c.hidden() {
		l.misfit(path, c, "card")
		return NoCard
	}
	if pool[c] == 0 {
		for i, n := range pool {
			if n > 0 && Card(i).same(c) {
				c = Card(i)
				break
			}
		}
	}
	if pool[c] == 0 {
		l.misfit(path, c, "no-more")
		return NoCard
	}
	pool[c]--
	return c
}

func (l *layer) clock() {
	w, s := l.given, l.s
	s.Phase, s.Turn = Rolling, 1
	if w == nil {
		if s.Play != Intro {
			s.Phase, s.Turn = Begin, 0
		}
		return
	}
	if w.Goal != 0 {
		s.Goal = w.Goal
	}
	if w.First != 0 {
		s.First, s.Active = w.First.seat(), w.First.seat()
	}
	if w.Active != 0 {
		s.Active = w.Active.seat()
	}
	s.Phase = w.Phase
	if w.Turn != 0 || s.Phase == Begin {
		s.Turn = w.Turn
	}
	s.Die, s.Face, s.Mints, s.Removals, s.Serial, s.NextID = w.Die, w.Face, w.Mints, w.Removals, w.Serial, w.NextID
	if s.Phase == Over {
		s.Winner = w.Winner.seat()
	}
	if w.Event != NoCard {
		s.Event = l.claim(l.events, w.Event, "event")
	}
}

// realms lays the two principalities: as given, or as they start.
func (l *layer) realms() {
	for i := range 2 {
		side := startSide(i)
		if l.given != nil && i < len(l.given.Seats) {
			side.replace(&l.given.Seats[i])
			l.store(i, &side)
		}
		l.checkSide(i, &side)
		if l.err != nil {
			return
		}
		l.place(i, &side)
		l.s.Realms[i].read(&side)
	}
	l.s.countCentre()
	for _, x := range [...]struct {
		left int8
		word string
	}{{l.s.Roads, "road"}, {l.s.Settlements, "settlement"}, {l.s.Cities, "city"}} {
		if all := table.Centre[x.word].N; x.left < 0 {
			l.misfit("seats", x.word, "centre", "n", all)
		}
	}
}

// startSide is a principality at the beginning: seat 0 red, seat 1 blue.
func startSide(seat int) writtenSide {
	w := writtenSide{Towns: []writtenTown{{At: 0, Level: settlement}, {At: 1, Level: settlement}}, Roads: []int8{0}}
	for _, r := range table.Regions {
		q := writtenRegion{r.Place, r.Terrain, r.Red, 1}
		if seat == 1 {
			q.Number = r.Blue
		}
		if Res(r.Terrain) == GoldRes {
			q.Stored = 0
		}
		w.Regions = append(w.Regions, q)
	}
	return w
}

// replace takes over what a position says of a principality. Roads that it leaves out lie between its
// towns; regions that it leaves out are those of the beginning beside them.
func (w *writtenSide) replace(given *writtenSide) {
	w.Cache, w.Stores = given.Cache, given.Stores
	if given.Towns != nil {
		w.Towns, w.Roads = given.Towns, nil
		for _, t := range w.Towns {
			if slices.ContainsFunc(w.Towns, func(u writtenTown) bool { return u.At == t.At+1 }) {
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
		w.Regions = slices.DeleteFunc(w.Regions, func(q writtenRegion) bool { return !w.beside(q.At) })
	}
}

// place claims the cards of a principality, town by town, and sets the printings that there are.
func (l *layer) place(seat int, w *writtenSide) {
	var stands rowSet
	for i, t := range w.Towns {
		for side, list := range [2][]site{t.Above, t.Below} {
			for slot, at := range list {
				if at.Card == NoCard {
					continue
				}
				path := fmt.Sprintf("seats[%d].towns[%d].%s[%d]", seat, i, [2]string{"above", "below"}[side], slot)
				c := l.claim(l.pool, at.Card, path)
				list[slot].Card = c
				if c == NoCard {
					continue
				}
				switch row := c.Row(); {
				case row.Kind != SettlementCard && row.Kind != CityCard, row.Kind == CityCard && t.Level != city:
					l.misfit(path, at, "stands")
				case row.One && stands.has(row), row == parishHall.Row() && stands.has(townHall.Row()), row == townHall.Row() && stands.has(parishHall.Row()):
					l.misfit(path, at, "one")
				}
				stands.put(c.Row())
				if c.same(townHall) {
					l.claim(l.pool, parishHall, path)
				}
			}
		}
	}
	if w.Cache != nil {
		l.claim(l.pool, goldCache, fmt.Sprintf("seats[%d].cache", seat))
	}
}

// lands lays the region stack: what is in neither principality, the given ones on top.
func (l *layer) lands(w *written) {
	var left [1 << 6]bool
	for _, r := range table.Regions {
		for _, n := range append([]int{int(r.Red), int(r.Blue)}, r.Drawn...) {
			left[landOf(Res(r.Terrain), uint8(n))] = true
		}
	}
	for i := range l.s.Realms {
		for _, q := range l.s.Realms[i].Regions {
			land := landOf(q.Terrain, q.Number)
			if q.Number != 0 && !left[land] {
				l.misfit(fmt.Sprintf("seats[%d].regions", i), land, "region")
			}
			left[land] = false
		}
	}
	var top, rest []Land
	o, _ := l.luck.Dictated("regions")
	for _, name := range strings.Fields(o.Words) {
		var land Land
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
	for _, r := range table.Regions { // starting regions that are in no principality stay away
		for _, n := range r.Drawn {
			if land := landOf(Res(r.Terrain), uint8(n)); left[land] {
				rest = append(rest, land)
			}
		}
	}
	for _, j := range l.luck.Shuffle("regions", len(rest)) {
		l.s.Lands[l.s.LandsN] = rest[j]
		l.s.LandsN++
	}
	l.s.LandsN += uint8(copy(l.s.Lands[l.s.LandsN:], backward(top)))
}
