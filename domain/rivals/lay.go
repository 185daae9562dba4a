package rivals

import (
	"fmt"
	"strings"

	"posthorn/domain"
)

// layer lays out a game: the position given, if any, and everything else by chance.
type layer struct {
	luck   *domain.Luck
	given  *Board
	s      *State
	pool   []int // how many of each printing are not placed yet
	events []int // the same of event cards
	err    *domain.Refusal
}

func (l *layer) lay(game domain.Game) (*State, error) {
	s := &State{Ready: true, Winner: domain.Nobody, First: game.First, Active: game.First}
	l.s = s
	s.Play = Play(index(playNames[:], game.Choices["play"]))
	s.Rules = rulesFrom(game.Choices)
	s.Goal = goals[s.Play]
	l.fillPool()
	l.clock()
	l.realms()
	l.lands()
	l.decks()
	l.layEvents()
	if l.err != nil {
		return nil, l.err
	}
	l.begin()
	if l.err != nil {
		return nil, l.err
	}
	b := l.given
	if b == nil {
		b = &Board{}
	}
	s.readStill(b)
	if s.Phase == Over && b.Winner == "" {
		s.Winner = s.ahead()
	}
	l.checkEnd(b)
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
			if set := setNamed(c.Set); set == Basic || play == Duel || Play(set) == play {
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

// claim takes a named card out of the pool: that printing, or another of the same card.
func (l *layer) claim(pool []int, name, path string) Card {
	c, ok := cardWords[fold(name)]
	if !ok {
		l.misfit(path, name, "card")
		return NoCard
	}
	if pool[c] == 0 {
		for i := range printings {
			if i > 0 && pool[i] > 0 && Card(i).same(c) {
				c = Card(i)
				break
			}
		}
	}
	if pool[c] == 0 {
		l.misfit(path, name, "no-more")
		return NoCard
	}
	pool[c]--
	return c
}

func (l *layer) clock() {
	b, s := l.given, l.s
	s.Phase, s.Turn = Rolling, 1
	if b == nil {
		if s.Play != Intro {
			s.Phase, s.Turn = Begin, 0
		}
		return
	}
	if b.Goal != 0 {
		s.Goal = int8(b.Goal)
	}
	if b.First != "" {
		s.First = seatOf(b.First)
		s.Active = s.First
	}
	if b.Active != "" {
		s.Active = seatOf(b.Active)
	}
	if b.Phase != "" {
		s.Phase = Phase(index(phaseNames[:], b.Phase))
	}
	if b.Turn != 0 || s.Phase == Begin {
		s.Turn = int16(b.Turn)
	}
	s.Die, s.Face, s.Mints, s.Removals = uint8(b.Die), Face(index(faceNames[:], b.Face)), uint8(b.Mints), uint8(b.Removed)
	s.Serial, s.NextID = uint16(b.Serial), uint16(b.NextID)
	if s.Phase == Over {
		s.Winner = seatOf(b.Winner)
	}
	if b.Event != "" {
		s.Event = l.claim(l.events, b.Event, "event")
	}
}

// realms lays the two principalities: as given, or as they start.
func (l *layer) realms() {
	for i := range 2 {
		side := startSide(i)
		if l.given != nil && i < len(l.given.Seats) {
			g := l.given.Seats[i]
			if g.Towns != nil {
				side.Towns = g.Towns
			}
			if g.Roads != nil {
				side.Roads = g.Roads
			} else if g.Towns != nil {
				side.Roads = roadsBetween(g.Towns)
			}
			if g.Regions != nil {
				side.Regions = g.Regions
			} else {
				side.keepBeside()
			}
			side.Cache, side.Stores = g.Cache, g.Stores
			if at := side.store(); at != "" {
				l.misfit(fmt.Sprintf("seats[%d].stores.%s", i, at), side.Stores[at], "no-region")
			}
		}
		l.checkSide(i, &side)
		if l.err != nil {
			return
		}
		l.s.Realms[i].read(&side)
		l.s.Realms[i].fix(l.placed(i, &side))
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
func startSide(seat int) Side {
	b := Side{Towns: []TownView{{At: 0, Kind: "settlement"}, {At: 1, Kind: "settlement"}}, Roads: []int{0}}
	for _, r := range table.Regions {
		n, stored := r.Red, 1
		if seat == 1 {
			n = r.Blue
		}
		if r.Terrain == "gold_field" {
			stored = 0
		}
		b.Regions = append(b.Regions, RegionView{At: r.Place, Terrain: r.Terrain, Number: n, Stored: stored})
	}
	return b
}

func roadsBetween(towns []TownView) (roads []int) {
	for _, t := range towns {
		for _, u := range towns {
			if u.At == t.At+1 {
				roads = append(roads, t.At)
			}
		}
	}
	return roads
}

// placed claims the cards of a principality, town by town, in the order read lays them.
func (l *layer) placed(seat int, b *Side) map[Site]Card {
	m := map[Site]Card{}
	var stands rowSet
	for i, t := range b.Towns {
		for side, list := range [2][]string{t.Above, t.Below} {
			for slot, name := range list {
				if name == "-" {
					continue
				}
				path := fmt.Sprintf("seats[%d].towns[%d].%s[%d]", seat, i, [2]string{"above", "below"}[side], slot)
				c := l.claim(l.pool, name, path)
				if c == NoCard {
					continue
				}
				switch row := c.Row(); {
				case row.Kind != SettlementCard && row.Kind != CityCard, row.Kind == CityCard && t.Kind != "city":
					l.misfit(path, name, "stands")
				case row.One && stands.has(row), row == parishHall.Row() && stands.has(townHall.Row()), row == townHall.Row() && stands.has(parishHall.Row()):
					l.misfit(path, name, "one")
				}
				stands.put(c.Row())
				if c.same(townHall) {
					l.claim(l.pool, parishHall.Name(), path)
				}
				m[siteAt(t.At+origin, side, slot)] = c
			}
		}
	}
	if b.Cache != nil {
		l.claim(l.pool, goldCache.Name(), fmt.Sprintf("seats[%d].cache", seat))
	}
	return m
}

// fix sets the printings that were claimed.
func (r *Realm) fix(m map[Site]Card) {
	for t := range r.Towns {
		r.Towns[t].Sites = [2][2]Card{}
	}
	for at, c := range m {
		r.Towns[at.town()].Sites[at.side()][at.slot()] = c
	}
	r.recount()
}

// lands lays the region stack: what is in neither principality, the given ones on top.
func (l *layer) lands() {
	left := map[Land]bool{}
	for _, r := range table.Regions {
		t, _ := terrainNamed(r.Terrain)
		for _, n := range append([]int{r.Red, r.Blue}, r.Drawn...) {
			left[landOf(t, uint8(n))] = true
		}
	}
	for i := range l.s.Realms {
		for _, q := range l.s.Realms[i].Regions {
			if q.Number == 0 {
				continue
			}
			land := landOf(q.Terrain, q.Number)
			if !left[land] {
				l.misfit(fmt.Sprintf("seats[%d].regions", i), land.Name(), "region")
			}
			delete(left, land)
		}
	}
	var top, rest []Land
	o, words := l.wordsOf("regions")
	dictated := len(words)
	if l.given != nil {
		words = append(words, l.given.Centre.Regions...)
	}
	for i, name := range words {
		land, ok := landNamed(fold(name))
		if name == "?" {
			continue
		}
		if !ok || !left[land] {
			if i < dictated {
				l.luck.Reject("regions", o, "no region "+name+" is left")
				return
			}
			l.misfit(fmt.Sprintf("centre.regions[%d]", i-dictated), name, "region")
			return
		}
		delete(left, land)
		top = append(top, land)
	}
	for _, r := range table.Regions { // starting regions that are in no principality stay away
		t, _ := terrainNamed(r.Terrain)
		for _, n := range r.Drawn {
			if left[landOf(t, uint8(n))] {
				rest = append(rest, landOf(t, uint8(n)))
			}
		}
	}
	for _, j := range l.luck.Shuffle("regions", len(rest)) {
		l.s.Lands[l.s.LandsN] = rest[j]
		l.s.LandsN++
	}
	for i := len(top) - 1; i >= 0 && int(l.s.LandsN) < len(l.s.Lands); i-- {
		l.s.Lands[l.s.LandsN] = top[i]
		l.s.LandsN++
	}
}

// wordsOf takes the outcome dictated for a kind of chance.
func (l *layer) wordsOf(kind string) (domain.Outcome, []string) {
	o, ok := l.luck.Dictated(kind)
	if !ok {
		return o, nil
	}
	return o, strings.Fields(o.Words)
}
