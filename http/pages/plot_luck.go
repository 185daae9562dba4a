package pages

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// luckPlot is one kind of luck: how far the results exceeded what was expected, move by move, and the same as a table.
type luckPlot struct {
	Name, Help string
	Plot       template.HTML
	Rows       []luckRow
}

// luckRow is what one entry got in total.
type luckRow struct {
	Who                   string // "" for the game as a whole
	Seat                  int    // -1 if the entry is not a seat
	Got, Expected, Beyond string
}

// ledgerRow is what one entry gained and spent of each kind.
type ledgerRow struct {
	Who   string
	Seat  int
	Cells []ledgerCell
}

type ledgerCell struct{ Gained, Spent int }

// luckOf makes the plots of a course's luck, one for each kind.
func (v pastPages) luckOf(c turn.Course, entries []score) (out []luckPlot) {
	last := uint64(1)
	if n := len(c.Points); n > 0 {
		last = max(last, c.Points[n-1].Version)
	}
	for i := 0; i < len(c.Luck); i++ {
		name := c.Luck[i].Name
		if slices.ContainsFunc(out, func(p luckPlot) bool { return p.Name == name }) {
			continue
		}
		var kind []turn.Luck
		for _, l := range c.Luck {
			if l.Name == name {
				kind = append(kind, l)
			}
		}
		slices.SortStableFunc(kind, func(a, b turn.Luck) int { return a.Entry - b.Entry })
		p := luckPlot{Name: name, Help: c.Luck[i].Help}
		for _, l := range kind {
			sum := l.Sums[len(l.Sums)-1]
			row := luckRow{Seat: -1, Got: v.decimal(sum.Got, -1, false), Expected: v.decimal(sum.Expected, 1, false),
				Beyond: v.decimal(sum.Got-sum.Expected, 1, true)}
			if l.Entry >= 0 && l.Entry < len(entries) {
				row.Who, row.Seat = entries[l.Entry].Label, entries[l.Entry].Seat
			}
			p.Rows = append(p.Rows, row)
		}
		p.Plot = plotLuck(kind, last, v.T("page.story.luck.plot", "what", name))
		out = append(out, p)
	}
	return out
}

// ledgerOf returns what everybody gained and spent.
func ledgerOf(c turn.Course, entries []score) (out []ledgerRow) {
	for i, e := range entries {
		row := ledgerRow{Who: e.Label, Seat: e.Seat}
		for _, g := range c.Goods {
			if i < len(g.Gained) {
				row.Cells = append(row.Cells, ledgerCell{g.Gained[i], g.Spent[i]})
			}
		}
		out = append(out, row)
	}
	return out
}

// decimal formats a number, rounded to a tenth, in the reader's language, with places decimals; -1 means as many as
// needed.
func (v pastPages) decimal(n float64, places int, signed bool) string {
	n = math.Round(n*10) / 10
	text := strings.Replace(strconv.FormatFloat(math.Abs(n), 'f', places, 64), ".", v.T("decimal"), 1)
	switch {
	case n < 0:
		return "−" + text
	case signed && n > 0:
		return "+" + text
	}
	return text
}

// signed returns a number with its sign; zero has none.
func signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return domain.Number(n)
}

// plotLuck draws how far each entry was beyond what was expected, around a zero line.
func plotLuck(kind []turn.Luck, last uint64, label string) template.HTML {
	most := 1.0
	for _, l := range kind {
		for _, s := range l.Sums {
			most = max(most, math.Abs(s.Got-s.Expected))
		}
	}
	step := tick(int(math.Ceil(most)), 2)
	top := step * int(math.Ceil(most/float64(step)))
	middle, half := (plotTop+plotLow)/2, (plotLow-plotTop)/2
	x := func(version uint64) float64 { return plotLeft + (plotRight-plotLeft)*float64(version)/float64(last) }
	y := func(n float64) float64 { return middle - half*n/float64(top) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %g %g" role="img" aria-label="%s"><g class="grid">`, plotWide,
		plotHigh, template.HTMLEscapeString(label))
	for n := -top; n <= top; n += step {
		text := signed(n)
		class := ""
		if n == 0 {
			class = ` class="nought"`
		}
		fmt.Fprintf(&b, `<path%s d="M%g %.1fH%g"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`, class, plotLeft,
			y(float64(n)), plotRight, plotLeft-4, y(float64(n))+4, text)
	}
	for n, step := 0, tick(int(last), 6); n <= int(last); n += step {
		fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`, x(uint64(n)), plotLow+15, n)
	}
	b.WriteString(`</g>`)
	ends := luckEnds(kind, y)
	for i, l := range kind {
		class := "whole"
		if l.Entry >= 0 {
			class = "l" + strconv.Itoa(l.Entry%8)
		}
		line := []spot{{x(0), y(0)}}
		for _, s := range l.Sums {
			line = append(line, spot{x(s.Version), y(s.Got - s.Expected)})
		}
		for j, s := range seen(line) {
			if j == 0 {
				fmt.Fprintf(&b, `<path class="%s" d="M%.1f %.1f`, class, s.x, s.y)
				continue
			}
			fmt.Fprintf(&b, "L%.1f %.1f", s.x, s.y)
		}
		b.WriteString(`"/>`)
		if l.Entry >= 0 && l.Entry < 8 {
			fmt.Fprintf(&b, `<text class="l%d" x="%g" y="%.1f">%s</text>`, l.Entry, plotRight+4, ends[i]+4,
				seatMark(l.Entry))
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // #nosec: made of numbers and one escaped label
}

// luckEnds returns where the letters at the ends of the lines stand.
func luckEnds(kind []turn.Luck, y func(float64) float64) []float64 {
	ends := make([]float64, len(kind))
	for i, l := range kind {
		s := l.Sums[len(l.Sums)-1]
		ends[i] = y(s.Got - s.Expected)
	}
	return apart(ends)
}
