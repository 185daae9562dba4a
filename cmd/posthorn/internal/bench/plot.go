package bench

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// The plot in its own units: the area for the lines, and margins for the scales and the legend.
const (
	plotW, plotH          = 420.0, 300.0
	plotLeft, plotTop     = 70.0, 20.0
	plotRight, plotBottom = 210.0, 50.0
)

var plotColours = []string{"#1b6ca8", "#c0392b", "#2e7d32", "#8e5a00"}

// scale is a logarithmic scale between powers of ten.
type scale struct{ from, to float64 }

// scaleOf returns a scale that covers all values.
func scaleOf(values []float64) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, v := range values {
		s.from, s.to = min(s.from, math.Floor(math.Log10(v))), max(s.to, math.Ceil(math.Log10(v)))
	}
	s.to = max(s.to, s.from+1)
	return s
}

// at returns the place of a value on the scale, from 0 to 1.
func (s scale) at(v float64) float64 { return (math.Log10(v) - s.from) / (s.to - s.from) }

// plotGrowth draws processor time by size as SVG, both on logarithmic scales.
func plotGrowth(of string, all []grown) []byte {
	var sizes, times []float64
	for _, g := range all {
		sizes = append(sizes, float64(g.Size))
		for _, r := range g.Rows {
			times = append(times, float64(max(r.took(), 1)))
		}
	}
	across, up := scaleOf(sizes), scaleOf(times)
	x := func(size float64) float64 { return plotLeft + plotW*across.at(size) }
	y := func(took float64) float64 { return plotTop + plotH*(1-up.at(took)) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", plotLeft+plotW+plotRight, plotTop+plotH+plotBottom)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	for p := across.from; p <= across.to; p++ {
		at := x(math.Pow(10, p))
		fmt.Fprintf(&b, `<path d="M%.1f %g V%g" stroke="#ddd"/><text x="%.1f" y="%g" text-anchor="middle">%.0f</text>`+
			"\n", at, plotTop, plotTop+plotH, at, plotTop+plotH+16, math.Pow(10, p))
	}
	for p := up.from; p <= up.to; p++ {
		at := y(math.Pow(10, p))
		fmt.Fprintf(&b, `<path d="M%g %.1f H%g" stroke="#ddd"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`+"\n",
			plotLeft, at, plotLeft+plotW, plotLeft-6, at+4, time.Duration(math.Round(math.Pow(10, p))))
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">%s (processor time, each)</text>`+"\n", plotLeft+plotW/2,
		plotTop+plotH+38, of)
	for i, r := range all[0].Rows {
		colour, points := plotColours[i%len(plotColours)], ""
		for _, g := range all {
			at := fmt.Sprintf("%.1f,%.1f", x(float64(g.Size)), y(float64(max(g.Rows[i].took(), 1))))
			points += at + " "
			cx, cy, _ := strings.Cut(at, ",")
			fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="3.5" fill="%s"/>`+"\n", cx, cy, colour)
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n",
			strings.TrimSpace(points), colour)
		line := plotTop + 14 + 20*float64(i)
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="12" height="12" fill="%s"/><text x="%g" y="%g">%s</text>`+"\n",
			plotLeft+plotW+16, line-10, colour, plotLeft+plotW+34, line, r.Name)
	}
	return []byte(b.String() + "</svg>\n")
}
