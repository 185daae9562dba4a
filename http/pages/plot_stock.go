package pages

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"

	"posthorn/projections/turn"
)

// stockPlot is what everybody had over time, of one kind or all kinds together, and the same as a table.
type stockPlot struct {
	Name string
	Plot template.HTML
	Rows []stockRow
}

// stockRow is what one entry had: at the beginning, at its maximum, and at the end.
type stockRow struct {
	Who               string
	Seat              int
	First, Most, Last int
	MostAt            uint64 // the first move after which it had the most
}

// stocksOf makes the plots of what everybody had: of all kinds together and, if kinds are known, of each.
func (v pastPages) stocksOf(c turn.Course, entries []score) (out []stockPlot) {
	if len(c.Goods) == 0 || len(c.Goods[0].Held) != len(entries) {
		return nil
	}
	last := c.Points[len(c.Points)-1].Version
	if len(c.Goods) > 1 {
		out = append(out, v.stockOf(v.T("page.story.stock.all"), c.Goods, last, entries))
	}
	for i, g := range c.Goods {
		out = append(out, v.stockOf(g.Name, c.Goods[i:i+1], last, entries))
	}
	return out
}

// stockOf makes one such plot.
func (v pastPages) stockOf(name string, goods []turn.Good, last uint64, entries []score) stockPlot {
	points := stocks(goods, last)
	p, names, label := stockPlot{Name: name}, []string(nil), v.T("page.story.stock.plot", "what", name)
	for i, e := range entries {
		row := stockRow{Who: e.Label, Seat: e.Seat, First: points[0].Scores[i], Last: points[len(points)-1].Scores[i]}
		for _, at := range points {
			if n := at.Scores[i]; n > row.Most || row.MostAt == 0 {
				row.Most, row.MostAt = n, at.Version
			}
		}
		p.Rows, names = append(p.Rows, row), append(names, e.Label)
		label += " " + e.Label + ": " + strconv.Itoa(row.Last) + "."
	}
	p.Plot = plot(points, names, label)
	return p
}

// stocks adds up what everybody had of some kinds: after the first event, after each that changed it, and after the
// last.
func stocks(goods []turn.Good, last uint64) (out []turn.Point) {
	type change struct {
		version uint64
		entry   int
		by      int
	}
	var all []change
	for _, g := range goods {
		for entry, held := range g.Held {
			had := 0
			for _, l := range held {
				all, had = append(all, change{l.Version, entry, l.N - had}), l.N
			}
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(a.version, b.version) })
	now := make([]int, len(goods[0].Held))
	for i, c := range all {
		now[c.entry] += c.by
		if i+1 == len(all) || all[i+1].version != c.version {
			out = append(out, turn.Point{Version: c.version, Scores: slices.Clone(now)})
		}
	}
	if n := len(out); n == 0 || out[n-1].Version < last {
		out = append(out, turn.Point{Version: last, Scores: now})
	}
	return out
}
