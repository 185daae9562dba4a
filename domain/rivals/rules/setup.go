// Package rules says which moves the Rivals allow and what follows from them.
package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// layer lays out a game: what a given position says, if there is one, and everything else at random.
type layer struct {
	luck  *domain.Luck
	given bool
	w     *state.Written
	s     *state.State
	pool  []int // how many of each printing are not placed yet
	err   *domain.Refusal
}

// Setup makes a line's first event. Seat A is red, seat B blue.
func (*Room) Setup(game domain.Game, luck *domain.Luck) (domain.Event, error) {
	w, err := state.ReadGiven(game.Given)
	if err != nil {
		return domain.Event{}, err
	}
	play := table.Play(table.Index(table.PlayNames[:], game.Choices["play"]))
	l := &layer{luck: luck, given: len(game.Given) > 0, w: w}
	l.s = &state.State{Ready: true, Winner: domain.Nobody, First: game.First, Active: game.First, Play: play,
		Rules: table.RulesFrom(game.Choices), Goal: table.Goals[play]}
	if !l.given && play != table.Intro {
		w.Phase = state.Begin
	}
	l.pool = make([]int, len(table.Printings))
	for i, p := range table.Printings {
		l.pool[i] = table.CopiesIn(p, play)
	}
	for _, step := range [...]func(*layer){(*layer).clock, (*layer).realms, (*layer).lands, (*layer).decks,
		(*layer).layEvents, (*layer).begin, (*layer).checkHand, (*layer).checkEnd} {
		if step(l); l.err != nil {
			return domain.Event{}, l.err
		}
	}
	return l.s.Deal(), nil
}

// claim takes a card out of the pool, of the events or of the others: this printing, or another of the same card.
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

// claimAll takes the named cards of a list out of the pool, with who knows them. wrong returns why one cannot be
// there, or "".
func (l *layer) claimAll(cards []table.Card, known []state.Seen, event bool, path string,
	wrong func(table.Card) string) (list []state.Slot) {
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
	w, s := l.w, l.s
	s.Phase, s.Turn, s.Goal = w.Phase, w.Turn, cmp.Or(w.Goal, s.Goal)
	if s.Phase != state.Begin {
		s.Turn = cmp.Or(w.Turn, 1)
	}
	if w.First != 0 {
		s.First, s.Active = state.SeatOf(w.First), state.SeatOf(w.First)
	}
	if w.Active != 0 {
		s.Active = state.SeatOf(w.Active)
	}
	s.Die, s.Face, s.Mints, s.Removals, s.Serial, s.NextID = w.Die, w.Face, w.Mints, w.Removals, w.Serial, w.NextID
	if s.Phase == state.Over {
		s.Winner = state.SeatOf(w.Winner)
	}
	if w.Event != table.NoCard {
		s.Event = l.claim(w.Event, true, "event")
	}
}

// realms lays the two principalities: as given, or as at the start.
func (l *layer) realms() {
	for i := range 2 {
		side := startSide(i)
		if i < len(l.w.Seats) {
			replace(&side, &l.w.Seats[i])
			l.store(i, &side)
			if l.checkSide(i, &side); l.err != nil {
				return
			}
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

// startSide returns a principality at the beginning: seat 0 red, seat 1 blue.
func startSide(seat int) state.WrittenSide {
	w := state.WrittenSide{Towns: []state.WrittenTown{{At: 0, Level: state.SettlementTown},
		{At: 1, Level: state.SettlementTown}}, Roads: []int8{0}}
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

// replace takes over what a position says about a principality. Roads that it leaves out lie between its towns;
// regions that it leaves out are those of the beginning beside the towns.
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

// place claims the cards of a principality, town by town, and sets the printings available.
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
				case row.Kind != table.SettlementCard && row.Kind != table.CityCard, row.Kind == table.CityCard &&
					t.Level != state.CityTown:
					l.misfit(path, at, "stands")
				case row.One && stands.Has(row), row == table.ParishHall.Row() && stands.Has(table.TownHall.Row()),
					row == table.TownHall.Row() && stands.Has(table.ParishHall.Row()):
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

// lands lays the region stack: what is in neither principality, with the given ones on top.
func (l *layer) lands() {
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
	for i, land := range l.w.Centre.Regions {
		if land == 0 {
			continue
		}
		if !left[land] {
			l.misfit(fmt.Sprintf("centre.regions[%d]", i), land, "region")
			return
		}
		left[land], top = false, append(top, land)
	}
	for _, r := range table.Table.Regions { // starting regions in neither principality stay out of the game
		for _, n := range r.Drawn {
			if land := table.LandOf(table.Res(r.Terrain), uint8(n)); left[land] {
				rest = append(rest, land)
			}
		}
	}
	l.s.LandsN = uint8(copy(l.s.Lands[:], append(kit.Shuffled(l.luck, "regions", rest), state.Backward(top)...)))
}

// Room is the rules, for kit.New.
type Room struct{}

// What must be consistent in a position set up by hand, beyond its form.

// misfit notes the first thing that is impossible.
func (l *layer) misfit(path string, value any, why string, pairs ...any) {
	if l.err == nil {
		l.err = kit.BadGiven(path, value, why, pairs...)
	}
}

// checkSide refuses an impossible principality: towns must stand in a row with roads between them and regions beside
// them, each place once.
func (l *layer) checkSide(seat int, w *state.WrittenSide) {
	path := fmt.Sprintf("seats[%d].", seat)
	if len(w.Towns) == 0 {
		l.misfit(path+"towns", w.Towns, "no-town")
		return
	}
	var towns []int8
	for i, t := range w.Towns {
		where := fmt.Sprintf("%stowns[%d]", path, i)
		if slices.Contains(towns, t.At) {
			l.misfit(where, t.At, "apart")
		}
		if most := int(t.Level); len(t.Above) > most || len(t.Below) > most {
			l.misfit(where, append(slices.Clone(t.Above), t.Below...), "room")
		}
		towns = append(towns, t.At)
	}
	slices.SortStableFunc(w.Towns, func(t, u state.WrittenTown) int { return int(t.At) - int(u.At) })
	left, right := slices.Min(towns), slices.Max(towns)
	var roads uint16
	for i, r := range w.Roads {
		road := uint16(1) << (r + table.Origin)
		if r < left-1 || r > right || roads&road != 0 || r == left-1 && left == -table.Origin || r == right &&
			right == table.Columns-table.Origin-1 {
			l.misfit(fmt.Sprintf("%sroads[%d]", path, i), r, "road")
		}
		roads |= road
	}
	for t := left; t < right; t++ {
		if !slices.Contains(towns, t) || roads&(1<<(t+table.Origin)) == 0 {
			slices.Sort(towns)
			l.misfit(path+"towns", towns, "apart")
		}
	}
	l.checkRegions(path, w)
}

// beside reports whether a place lies beside one of the towns.
func beside(w *state.WrittenSide, p table.Place) bool {
	gap := int8(p.Gap() - table.Origin)
	return slices.ContainsFunc(w.Towns, func(t state.WrittenTown) bool { return gap == t.At || gap == t.At+1 })
}

func (l *layer) checkRegions(path string, w *state.WrittenSide) {
	lies := map[table.Place]bool{}
	for i, q := range w.Regions {
		where := fmt.Sprintf("%sregions[%d]", path, i)
		switch {
		case q.At == table.CachePlace:
			l.misfit(where+".at", q.At, "place")
		case q.Number == 0:
			l.misfit(where, q.Terrain, "land")
		case lies[q.At]:
			l.misfit(where+".at", q.At, "place-twice")
		case !beside(w, q.At):
			l.misfit(where+".at", q.At, "beside")
		}
		lies[q.At] = true
	}
	if w.Cache != nil && !lies[w.Cache.At] {
		l.misfit(path+"cache.at", w.Cache.At, "no-region")
	}
}

// store sets the amounts of "stores": {"0a":3}.
func (l *layer) store(seat int, w *state.WrittenSide) {
	w.Regions = slices.Clone(w.Regions)
	for _, at := range slices.Sorted(maps.Keys(w.Stores)) {
		i := slices.IndexFunc(w.Regions, func(q state.WrittenRegion) bool { return q.At == at })
		switch n := w.Stores[at]; {
		case i >= 0:
			w.Regions[i].Stored = n
		case at == table.CachePlace && w.Cache != nil:
			w.Cache = &state.WrittenCache{At: w.Cache.At, Gold: n}
		default:
			l.misfit(fmt.Sprintf("seats[%d].stores.%s", seat, at.Name()), n, "no-region")
		}
	}
}

// checkHand refuses to fill a hand that is already at its limit, or cannot grow.
func (l *layer) checkHand() {
	have, limit := int(l.s.Realms[l.s.Active].HandN), l.s.HandLimit(l.s.Active)
	if l.s.Phase == state.Drawing && (have == limit || have < limit && !anyStack(l.s)) {
		l.misfit("phase", l.w.Phase, "task")
	}
}

// checkEnd refuses a winner where nobody can have won, and a standstill that begins after the next turn.
func (l *layer) checkEnd() {
	w, s := l.w, l.s
	s.ReadStill(w)
	if s.Phase == state.Over && w.Winner == 0 {
		s.Winner = s.Ahead()
	}
	if w.Winner != 0 && (s.Phase != state.Over || s.Winner != state.SeatOf(w.Winner) ||
		s.Victory(s.Winner) < int(s.Goal) && s.Winner != s.Ahead()) {
		l.misfit("winner", w.Winner, "winner")
	}
	if most := s.Turn + 1; w.Since > most {
		l.misfit("since", w.Since, "number", "least", 0, "most", int(most))
	}
}
