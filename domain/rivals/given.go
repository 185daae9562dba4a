package rivals

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Positions set up by hand: their form, and what must fit together in a principality.

// givenSchema is the form of a position.
var givenSchema = func() *domain.Schema {
	said := func(key string, good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given." + key), good(w) })
	}
	seat := domain.WordOf("", "A", "B")
	card := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || w == "" })
	lying := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || strings.HasPrefix(w, "?") })
	site := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || w == "-" })
	place := said("place", func(w string) bool { _, ok := placeNamed(w); return ok })
	cards := func(of *domain.Schema) *domain.Schema { return domain.ListOf(of, maxDeck) }
	known := domain.ListOf(domain.WordOf("", "A", "B", "AB", "*"), maxDeck)
	amount, count, number := domain.NumberOf(0, capacity), domain.NumberOf(0, 1000), domain.NumberOf(0, 1<<15-1)
	town := domain.ObjectOf(map[string]*domain.Schema{
		"at": domain.NumberOf(-origin, columns-origin-1), "kind": domain.WordOf("settlement", "city"), "above": domain.ListOf(site, 2), "below": domain.ListOf(site, 2),
	}).OrText(said("town", func(w string) bool { return new(writtenTown).short(w) == nil }))
	region := domain.ObjectOf(map[string]*domain.Schema{
		"at": place, "terrain": said("land", func(w string) bool { _, ok := terrainNamed(w); return ok }), "number": domain.NumberOf(1, 6), "stored": amount,
	}).OrText(said("region-short", func(w string) bool { return new(writtenRegion).short(w) == nil }))
	tasks := slices.DeleteFunc(append([]string(nil), taskNames[:]...), func(w string) bool { return w == "" })
	options := []string{}
	for _, o := range optionRules {
		options = append(options, o.key+" "+o.value)
	}
	points := domain.ObjectOf(map[string]*domain.Schema{"victory": count, "commerce": count, "strength": count, "skill": count, "progress": count})
	return domain.ObjectOf(map[string]*domain.Schema{
		"play": domain.WordOf(playNames[:]...), "goal": domain.NumberOf(0, 100), "turn": number, "first": seat, "active": seat,
		"phase": domain.WordOf(phaseNames[:]...), "die": domain.NumberOf(0, 6), "face": domain.WordOf(faceNames[:]...), "event": card,
		"mints": domain.NumberOf(0, 100), "removed": domain.NumberOf(0, 100), "since": number, "high": domain.ListOf(domain.NumberOf(0, 100), 2),
		"seats": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"towns": domain.ListOf(town, columns), "roads": domain.ListOf(domain.NumberOf(-origin, columns-origin-2), columns),
			"regions": domain.ListOf(region, regionsN), "cache": domain.ObjectOf(map[string]*domain.Schema{"at": place, "gold": amount}),
			"stores": domain.CountsOf(capacity, func(w string) (domain.Say, bool) { _, ok := placeNamed(w); return domain.S("given.place"), ok }),
			"hand":   domain.ListOf(card, maxHand/2), "known": known, "points": points, "hero": domain.SwitchOf(), "trade": domain.SwitchOf(), "limit": count,
		}), 2),
		"centre": domain.ObjectOf(map[string]*domain.Schema{"roads": count, "settlements": count, "cities": count,
			"regions": domain.ListOf(said("land", func(w string) bool { _, ok := landNamed(fold(w)); return ok || w == "?" }), 12)}),
		"stacks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"back": domain.WordOf(append([]string{""}, setNames[:]...)...), "cards": cards(lying), "known": known}), decksN),
		"open":   cards(lying), "discard": domain.ListOf(lying, 2*maxDeck), "events": cards(lying), "passed": known, "spare": domain.ListOf(lying, len(State{}.Spare)),
		"tasks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"kind": domain.WordOf(tasks...), "seat": seat, "n": domain.NumberOf(0, 60), "goods": domain.ListOf(domain.WordOf(resNames[:]...), len(resNames)),
			"need": domain.ListOf(domain.NumberOf(0, 60), len(Goods{})), "card": card, "site": domain.NumberOf(0, 255), "arg": domain.NumberOf(-1, 255),
			"mask": domain.NumberOf(0, 1<<63-1), "id": domain.NumberOf(0, 1<<16-1),
		}), maxTasks),
		"asks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": domain.WordOf("A", "B"), "kind": domain.WordOf(askNames[1:]...), "task": domain.NumberOf(0, 1<<16-1), "serial": domain.NumberOf(0, 1<<16-1),
		}), 2),
		"serial": domain.NumberOf(0, 1<<16-1), "next": domain.NumberOf(0, 1<<16-1), "winner": seat,
		"options": domain.ListOf(domain.WordOf(options...), len(options)), "viewer": seat,
	})
}()

// readGiven reads a position set up by hand; nil if there is none.
func readGiven(text json.RawMessage) (*written, error) {
	if len(text) == 0 {
		return nil, nil
	}
	w := &written{Phase: Rolling}
	return w, kit.Given(text, givenSchema, w)
}

// misfit notes the first thing that cannot be.
func (l *layer) misfit(path string, value any, why string, pairs ...any) {
	if l.err == nil {
		l.err = kit.BadGiven(path, value, why, pairs...)
	}
}

// checkSide refuses a principality that cannot be: towns side by side with a road between, regions
// beside them and each place once.
func (l *layer) checkSide(seat int, w *writtenSide) {
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
	slices.SortStableFunc(w.Towns, func(t, u writtenTown) int { return int(t.At) - int(u.At) })
	left, right := slices.Min(towns), slices.Max(towns)
	var roads uint16
	for i, r := range w.Roads {
		road := uint16(1) << (r + origin)
		if r < left-1 || r > right || roads&road != 0 || r == left-1 && left == -origin || r == right && right == columns-origin-1 {
			l.misfit(fmt.Sprintf("%sroads[%d]", path, i), r, "road")
		}
		roads |= road
	}
	for t := left; t < right; t++ {
		if !slices.Contains(towns, t) || roads&(1<<(t+origin)) == 0 {
			slices.Sort(towns)
			l.misfit(path+"towns", towns, "apart")
		}
	}
	l.checkRegions(path, w)
}

// beside tells whether a place lies beside one of the towns.
func (w *writtenSide) beside(p Place) bool {
	gap := int8(p.gap() - origin)
	return slices.ContainsFunc(w.Towns, func(t writtenTown) bool { return gap == t.At || gap == t.At+1 })
}

func (l *layer) checkRegions(path string, w *writtenSide) {
	lies := map[Place]bool{}
	for i, q := range w.Regions {
		where := fmt.Sprintf("%sregions[%d]", path, i)
		switch {
		case q.At == cachePlace:
			l.misfit(where+".at", q.At, "place")
		case q.Number == 0:
			l.misfit(where, q.Terrain, "land")
		case lies[q.At]:
			l.misfit(where+".at", q.At, "place-twice")
		case !w.beside(q.At):
			l.misfit(where+".at", q.At, "beside")
		}
		lies[q.At] = true
	}
	if w.Cache != nil && !lies[w.Cache.At] {
		l.misfit(path+"cache.at", w.Cache.At, "no-region")
	}
}

// store sets the amounts of "stores": {"0a":3}.
func (l *layer) store(seat int, w *writtenSide) {
	w.Regions = slices.Clone(w.Regions)
	for _, at := range slices.Sorted(maps.Keys(w.Stores)) {
		i := slices.IndexFunc(w.Regions, func(q writtenRegion) bool { return q.At == at })
		switch n := w.Stores[at]; {
		case i >= 0:
			w.Regions[i].Stored = n
		case at == cachePlace && w.Cache != nil:
			w.Cache = &writtenCache{w.Cache.At, n}
		default:
			l.misfit(fmt.Sprintf("seats[%d].stores.%s", seat, at.Name()), n, "no-region")
		}
	}
}

// checkEnd refuses a winner where nobody can have won, and a standstill that begins after the next turn.
func (l *layer) checkEnd(w *written) {
	s := l.s
	if w.Winner != 0 && (s.Phase != Over || s.Winner != w.Winner.seat() || s.victory(s.Winner) < int(s.Goal) && s.Winner != s.ahead()) {
		l.misfit("winner", w.Winner, "winner")
	}
	if most := s.Turn + 1; w.Since > most {
		l.misfit("since", w.Since, "number", "least", 0, "most", int(most))
	}
}
