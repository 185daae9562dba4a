package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// The plot of points over time, in units of about a pixel on a phone, so that its letters stay legible there.
const (
	plotWide, plotHigh = 360.0, 230.0
	plotLeft, plotTop  = 34.0, 10.0
	plotRight, plotLow = 330.0, 204.0
)

// plot draws how the points developed: a line for each entry, with its letter at the end. The colours are in front.css.
func plot(points []turn.Point, names []string, label string) template.HTML {
	if len(points) == 0 {
		return ""
	}
	last, most, least := points[len(points)-1], 1, 0
	for _, p := range points {
		for _, n := range p.Scores {
			most, least = max(most, n), min(least, n)
		}
	}
	x := func(version uint64) float64 {
		return plotLeft + (plotRight-plotLeft)*float64(version)/float64(max(last.Version, 1))
	}
	y := func(score int) float64 { return plotLow - (plotLow-plotTop)*float64(score-least)/float64(most-least) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %g %g" role="img" aria-label="%s"><g class="grid">`, plotWide,
		plotHigh, template.HTMLEscapeString(label))
	step := tick(most-least, 5)
	for n := least / step * step; n <= most; n += step {
		class := ""
		if n == 0 && least < 0 {
			class = ` class="nought"`
		}
		fmt.Fprintf(&b, `<path%s d="M%g %.1fH%g"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`, class, plotLeft,
			y(n), plotRight, plotLeft-4, y(n)+4, domain.Number(n))
	}
	for n, step := 0, tick(int(last.Version), 6); n <= int(last.Version); n += step {
		fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`, x(uint64(n)), plotLow+15, n)
	}
	b.WriteString(`</g>`)
	ends := endsOf(last.Scores, y)
	for i, n := range last.Scores {
		fmt.Fprintf(&b, `<path class="l%d" d="`, i%8)
		line := make([]spot, 0, len(points))
		for _, p := range points {
			if i < len(p.Scores) {
				line = append(line, spot{x(p.Version), y(p.Scores[i])})
			}
		}
		for j, s := range seen(line) {
			if j == 0 {
				fmt.Fprintf(&b, "M%.1f %.1f", s.x, s.y)
				continue
			}
			fmt.Fprintf(&b, "H%.1fV%.1f", s.x, s.y)
		}
		fmt.Fprintf(&b, `"><title>%s: %s</title></path><text class="l%d" x="%g" y="%.1f">%s</text>`,
			template.HTMLEscapeString(names[i]), domain.Number(n), i%8, plotRight+4, ends[i]+4,
			template.HTMLEscapeString(short(names, i)))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // #nosec: made of numbers and escaped names
}

// spot is a point on a line of a plot.
type spot struct{ x, y float64 }

// seen keeps what is visible of a line: of all points within one unit across, the first, lowest, highest and last. So a
// plot of 10,000 moves is no larger than one of 1,000.
func seen(line []spot) (out []spot) {
	if len(line) < 2*int(plotRight-plotLeft) {
		return line
	}
	for from := 0; from < len(line); {
		to, low, high := from, from, from
		for ; to < len(line) && int(line[to].x) == int(line[from].x); to++ {
			if line[to].y > line[low].y {
				low = to
			}
			if line[to].y < line[high].y {
				high = to
			}
		}
		kept := []int{from, low, high, to - 1}
		slices.Sort(kept)
		for _, i := range slices.Compact(kept) {
			out = append(out, line[i])
		}
		from = to
	}
	return out
}

// tick returns a round step that gives at most a number of marks up to a maximum.
func tick(upTo, marks int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range [...]int{1, 2, 5} {
			if upTo <= n*unit*marks {
				return n * unit
			}
		}
	}
}

// endsOf returns where the letters at the ends of the lines stand.
func endsOf(scores []int, y func(int) float64) []float64 {
	ends := make([]float64, len(scores))
	for i, n := range scores {
		ends[i] = y(n)
	}
	return apart(ends)
}

// apart moves letters that would overlap: up from the lowest, and back down where the highest would be cut off.
func apart(ends []float64) []float64 {
	const least, top = 12.0, plotTop + 2
	order := make([]int, len(ends))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[b], ends[a]) })
	out, at := make([]float64, len(ends)), plotLow+least
	for _, i := range order {
		at = min(at-least, ends[i])
		out[i] = at
	}
	at = top - least
	for _, i := range slices.Backward(order) {
		at = max(at+least, out[i])
		out[i] = at
	}
	return out
}

// short returns an entry's letter with its mark, as on the board, if entries are seats.
func short(names []string, i int) string {
	if len(names) > 8 {
		return ""
	}
	return seatMark(i)
}
