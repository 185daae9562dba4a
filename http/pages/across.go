package pages

import (
	"math"

	"posthorn/domain"
	"posthorn/projections/turn"
)

const finger = 100 // a square large enough to press, in the drawing's units

// across returns how wide a board must be on a phone, in finger widths, so that a finger can press what lies on it; 0
// if that is no wider or higher than the phone shows anyway. A sketch's box is lower than a game's.
func across(s domain.Scene, sketch bool) int {
	// how many fingers fit on a phone of 390 by 844 pixels: 44 pixels each of its width, and of 47 or 35 hundredths of
	// its height
	const wide, high, low, most = 8.8, 8.8, 6.6, 40
	if s.W <= wide*finger && (s.H <= low*finger || !sketch && s.H <= high*finger) {
		return 0
	}
	return min(int(math.Ceil(s.W/finger)), most)
}

// vast reports whether a board is so large that a square of it would be less than 24 pixels wide on a phone if shown
// whole, which it otherwise is without scripts.
func vast(s domain.Scene, sketch bool) bool {
	const wide, high, low = 16.2, 16.5, 12.2
	return s.W > wide*finger || s.H > high*finger || sketch && s.H > low*finger
}

// crowded returns how wide a board must be on a phone, in finger widths, so that the places to choose from (including
// those pressed before saying what for) lie a finger's width apart; 0 if they do on a board shown whole.
func crowded(s domain.Scene, c turn.Choice, ahead []turn.Other) int {
	const phone, most = 8.8, 15 // more than this would show too little of it at once
	const between = 1.08        // a place with neighbours on several sides is narrower than its distance to them
	asked := map[string]bool{}
	for _, o := range c.Options {
		asked[o.Spot] = o.Spot != ""
	}
	for _, o := range ahead {
		asked[o.Spot] = o.Spot != ""
	}
	var at []domain.Point
	for _, sh := range s.Shapes {
		if asked[sh.Spot] && sh.Hidden && len(sh.Path) > 0 {
			at = append(at, middle(sh.Path))
		}
	}
	least := math.Inf(1)
	for i, a := range at {
		for _, b := range at[:i] {
			least = min(least, math.Hypot(a.X-b.X, a.Y-b.Y))
		}
	}
	if s.W/least <= phone {
		return 0
	}
	return int(min(math.Ceil(between*s.W/least), most))
}

// middle returns the centre of an outline.
func middle(p domain.Path) domain.Point {
	x0, y0, x1, y1 := p[0].To.X, p[0].To.Y, p[0].To.X, p[0].To.Y
	for _, seg := range p {
		if seg.Op == 'Z' {
			continue
		}
		x0, y0, x1, y1 = min(x0, seg.To.X), min(y0, seg.To.Y), max(x1, seg.To.X), max(y1, seg.To.Y)
	}
	return domain.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}
}
