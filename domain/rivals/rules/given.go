package rules

import (
	"fmt"
	"maps"
	"slices"

	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// What must fit together in a position set up by hand, its form apart.

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
func (l *layer) checkEnd() {
	w, s := l.w, l.s
	s.ReadStill(w)
	if s.Phase == state.Over && w.Winner == 0 {
		s.Winner = s.Ahead()
	}
	if w.Winner != 0 && (s.Phase != state.Over || s.Winner != w.Winner.Seat() || s.Victory(s.Winner) < int(s.Goal) && s.Winner != s.Ahead()) {
		l.misfit("winner", w.Winner, "winner")
	}
	if most := s.Turn + 1; w.Since > most {
		l.misfit("since", w.Since, "number", "least", 0, "most", int(most))
	}
}
