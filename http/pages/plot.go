package pages

import (
	"fmt"
	"html/template"
	"strings"

	"posthorn/projections/turn"
)

// The plot of points over time, in units of about a pixel on a phone: letters in it stay legible there.
const (
	plotWide, plotHigh = 360.0, 230.0
	plotLeft, plotTop  = 26.0, 10.0
	plotRight, plotLow = 330.0, 204.0
)

// plot draws how points went: a line an entry, with its letter at its end. Its colours stand in front.css.
func plot(points []turn.Point, names []string, label string) template.HTML {
	if len(points) == 0 {
		return ""
	}
	last, most := points[len(points)-1], 1
	for _, p := range points {
		for _, n := range p.Scores {
			most = max(most, n)
		}
	}
	x := func(version uint64) float64 {
		return plotLeft + (plotRight-plotLeft)*float64(version)/float64(max(last.Version, 1))
	}
	y := func(score int) float64 { return plotLow - (plotLow-plotTop)*float64(max(score, 0))/float64(most) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %g %g" role="img" aria-label="%s"><g class="grid">`, plotWide, plotHigh, template.HTMLEscapeString(label))
	for n, step := 0, tick(most, 5); n <= most; n += step {
		fmt.Fprintf(&b, `<path d="M%g %.1fH%g"/><text x="%g" y="%.1f" text-anchor="end">%d</text>`, plotLeft, y(n), plotRight, plotLeft-4, y(n)+4, n)
	}
	for n, step := 0, tick(int(last.Version), 6); n <= int(last.Version); n += step {
		fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`, x(uint64(n)), plotLow+15, n)
	}
	b.WriteString(`</g>`)
	ends := endsOf(last.Scores, y)
	for i, n := range last.Scores {
		fmt.Fprintf(&b, `<path class="l%d" d="`, i%8)
		for j, p := range points {
			if i >= len(p.Scores) {
				continue
			}
			if j == 0 {
				fmt.Fprintf(&b, "M%.1f %.1f", x(p.Version), y(p.Scores[i]))
				continue
			}
			fmt.Fprintf(&b, "H%.1fV%.1f", x(p.Version), y(p.Scores[i]))
		}
		fmt.Fprintf(&b, `"><title>%s: %d</title></path><text class="l%d" x="%g" y="%.1f">%s</text>`, template.HTMLEscapeString(names[i]), n, i%8, plotRight+4, ends[i]+4, template.HTMLEscapeString(short(names, i)))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // #nosec: made of numbers and escaped names
}

// tick is a round distance between at most so many marks up to a number.
func tick(upTo, marks int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range [...]int{1, 2, 5} {
			if upTo <= n*unit*marks {
				return n * unit
			}
		}
	}
}

// endsOf is where the letters at the ends of the lines stand: apart from each other.
func endsOf(scores []int, y func(int) float64) []float64 {
	const apart = 12.0
	out := make([]float64, len(scores))
	order := byScore(scores)
	at := plotLow + apart
	for k := len(order) - 1; k >= 0; k-- { // the lowest first, from below
		at = min(at-apart, y(scores[order[k]]))
		out[order[k]] = at
	}
	return out
}

// short is an entry's letter with its mark, as on the board, where entries are seats.
func short(names []string, i int) string {
	if len(names) > 8 {
		return ""
	}
	return seatMark(i)
}
