package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Positions set up by hand: their form, and what must fit together in a principality.

// givenSchema is the form of a position.
var givenSchema = func() *domain.Schema {
	said := func(key string, good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given." + key), good(w) })
	}
	seat := domain.WordOf("", "A", "B")
	card := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "" })
	lying := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || strings.HasPrefix(w, "?") })
	site := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "-" })
	place := said("place", func(w string) bool { _, ok := table.PlaceNamed(w); return ok })
	cards := func(of *domain.Schema) *domain.Schema { return domain.ListOf(of, table.MaxDeck) }
	known := domain.ListOf(domain.WordOf("", "A", "B", "AB", "*"), table.MaxDeck)
	amount, count, number := domain.NumberOf(0, table.Capacity), domain.NumberOf(0, 1000), domain.NumberOf(0, 1<<15-1)
	town := domain.ObjectOf(map[string]*domain.Schema{
		"at": domain.NumberOf(-table.Origin, table.Columns-table.Origin-1), "kind": domain.WordOf("settlement", "city"), "above": domain.ListOf(site, 2), "below": domain.ListOf(site, 2),
	}).OrText(said("town", func(w string) bool { return new(state.WrittenTown).Short(w) == nil }))
	region := domain.ObjectOf(map[string]*domain.Schema{
		"at": place, "terrain": said("land", func(w string) bool { _, ok := table.TerrainNamed(w); return ok }), "number": domain.NumberOf(1, 6), "stored": amount,
	}).OrText(said("region-short", func(w string) bool { return new(state.WrittenRegion).Short(w) == nil }))
	tasks := slices.DeleteFunc(append([]string(nil), state.TaskNames[:]...), func(w string) bool { return w == "" })
	options := []string{}
	for _, o := range table.OptionRules {
		options = append(options, o.Key+" "+o.Value)
	}
	points := domain.ObjectOf(map[string]*domain.Schema{"victory": count, "commerce": count, "strength": count, "skill": count, "progress": count})
	return domain.ObjectOf(map[string]*domain.Schema{
		"play": domain.WordOf(table.PlayNames[:]...), "goal": domain.NumberOf(0, 100), "turn": number, "first": seat, "active": seat,
		"phase": domain.WordOf(state.PhaseNames[:]...), "die": domain.NumberOf(0, 6), "face": domain.WordOf(table.FaceNames[:]...), "event": card,
		"mints": domain.NumberOf(0, 100), "removed": domain.NumberOf(0, 100), "since": number, "high": domain.ListOf(domain.NumberOf(0, 100), 2),
		"seats": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"towns": domain.ListOf(town, table.Columns), "roads": domain.ListOf(domain.NumberOf(-table.Origin, table.Columns-table.Origin-2), table.Columns),
			"regions": domain.ListOf(region, table.RegionsN), "cache": domain.ObjectOf(map[string]*domain.Schema{"at": place, "gold": amount}),
			"stores": domain.CountsOf(table.Capacity, func(w string) (domain.Say, bool) { _, ok := table.PlaceNamed(w); return domain.S("given.place"), ok }),
			"hand":   domain.ListOf(card, table.MaxHand/2), "known": known, "points": points, "hero": domain.SwitchOf(), "trade": domain.SwitchOf(), "limit": count,
		}), 2),
		"centre": domain.ObjectOf(map[string]*domain.Schema{"roads": count, "settlements": count, "cities": count,
			"regions": domain.ListOf(said("land", func(w string) bool { _, ok := table.LandNamed(table.Fold(w)); return ok || w == "?" }), 12)}),
		"stacks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"back": domain.WordOf(append([]string{""}, table.SetNames[:]...)...), "cards": cards(lying), "known": known}), table.DecksN),
		"open":   cards(lying), "discard": domain.ListOf(lying, 2*table.MaxDeck), "events": cards(lying), "passed": known, "spare": domain.ListOf(lying, len(state.State{}.Spare)),
		"tasks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"kind": domain.WordOf(tasks...), "seat": seat, "n": domain.NumberOf(0, 60), "goods": domain.ListOf(domain.WordOf(table.ResNames[:]...), len(table.ResNames)),
			"need": domain.ListOf(domain.NumberOf(0, 60), len(table.Goods{})), "card": card, "site": domain.NumberOf(0, 255), "arg": domain.NumberOf(-1, 255),
			"mask": domain.NumberOf(0, 1<<63-1), "id": domain.NumberOf(0, 1<<16-1),
		}), state.MaxTasks),
		"asks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": domain.WordOf("A", "B"), "kind": domain.WordOf(state.AskNames[1:]...), "task": domain.NumberOf(0, 1<<16-1), "serial": domain.NumberOf(0, 1<<16-1),
		}), 2),
		"serial": domain.NumberOf(0, 1<<16-1), "next": domain.NumberOf(0, 1<<16-1), "winner": seat,
		"options": domain.ListOf(domain.WordOf(options...), len(options)), "viewer": seat,
	})
}()

// readGiven reads a position set up by hand; nil if there is none.
func readGiven(text json.RawMessage) (*state.Written, error) {
	if len(text) == 0 {
		return nil, nil
	}
	w := &state.Written{Phase: state.Rolling}
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
		if r < left-1 || r > right || roads&road != 0 || r == left-1 && left == -table.Origin || r == right && right == table.Columns-table.Origin-1 {
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

// beside tells whether a place lies beside one of the towns.
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

// checkEnd refuses a winner where nobody can have won, and a standstill that begins after the next turn.
func (l *layer) checkEnd(w *state.Written) {
	s := l.s
	if w.Winner != 0 && (s.Phase != state.Over || s.Winner != w.Winner.Seat() || s.Victory(s.Winner) < int(s.Goal) && s.Winner != s.Ahead()) {
		l.misfit("winner", w.Winner, "winner")
	}
	if most := s.Turn + 1; w.Since > most {
		l.misfit("since", w.Since, "number", "least", 0, "most", int(most))
	}
}
