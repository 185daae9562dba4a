// Package show is what is seen and said of the Rivals: panels, steps, descriptions, stories and
// cards.
package show

import (
	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Units of the pictures: a card is 96 square on a grid of 104.
const (
	gridStep = 104.0
	cardSize = 96.0
	margin   = 8.0
	leastW   = 5*gridStep + 2*margin // two towns and the regions beside them
)

// Colours, in the order of what they are for; kindColors are the borders of cards.
var (
	paper  = domain.RGB(0xFAF6EC)
	ink    = domain.RGB(0x2B2A28)
	faint  = domain.RGB(0x8B8270)
	accent = domain.RGB(0x0B6E6E)
	felt   = domain.RGB(0xEFE6D2)

	resColors  = [table.Resources]domain.Color{domain.RGB(0xC67B4E), domain.RGB(0xE3C565), domain.RGB(0x5F8A5A), domain.RGB(0xA8C686), domain.RGB(0x9AA0A6), domain.RGB(0xD9B23B)}
	kindColors = [...]domain.Color{table.ActionCard: domain.RGB(0xD9B23B), table.SettlementCard: domain.RGB(0x4E7F4A), table.CityCard: domain.RGB(0xA8442F), table.RegionCard: domain.RGB(0x8C6239), table.EventCard: domain.RGB(0x5C6B7A)}
	backColors = [table.Sets]domain.Color{domain.RGB(0x6B6459), domain.RGB(0xB68A1E), domain.RGB(0x8A3B2F), domain.RGB(0x2F5E8A)}
)

// Draw shows the viewer's principality and hand, what both draw from, and the other principality.
// Whoever holds no seat sees that of A first.
func (r Room) Draw(v *state.View, sketch domain.Sketch) []domain.Panel {
	own := v.Viewer.Seat()
	if own == domain.Nobody {
		return []domain.Panel{realmPanel(v, "a", 0, sketch), middlePanel(v, sketch), realmPanel(v, "b", 1, sketch)}
	}
	return []domain.Panel{realmPanel(v, "own", own, sketch), handPanel(v, own, r.why(v)), middlePanel(v, sketch), realmPanel(v, "other", state.Other(own), sketch)}
}

// picture is a scene being drawn, and where its spots lie.
type picture struct {
	scene domain.Scene
	spots map[string]spot
}

// spot is where something lies that may be chosen.
type spot struct {
	domain.Point
	w, h float64
}

func newPicture(w, h float64) *picture {
	return &picture{domain.Scene{W: w, H: h, Ground: felt, Symbols: symbols}, map[string]spot{}}
}

func (p *picture) add(s ...domain.Shape) { p.scene.Shapes = append(p.scene.Shapes, s...) }

// put adds a group of shapes about a point.
func (p *picture) put(at domain.Point, scale float64, title domain.Say, group ...domain.Shape) {
	p.add(domain.Shape{Group: group, At: at, Scale: scale, Title: title})
}

// card notes where a card's size of something lies.
func (p *picture) spot(key string, at domain.Point) {
	p.spots[key] = spot{at, cardSize, cardSize}
}

// open marks the choices that lie on this picture, each with what it is called.
func (p *picture) open(sketch domain.Sketch) {
	for _, o := range sketch.Open {
		s, ok := p.spots[o.Spot]
		if !ok {
			continue
		}
		frame := kit.Edged(rounded(s.X-s.w/2, s.Y-s.h/2, s.w, s.h, 8, accent.Alpha(28)), accent, 4)
		frame.Spot, frame.Class = o.Spot, "open"
		w := 22 + 11*float64(len(o.Name))
		x, y := min(max(s.X-s.w/2+w/2-4, w/2), p.scene.W-w/2), max(s.Y-s.h/2+13, 15)
		p.add(frame, kit.Edged(rounded(x-w/2, y-15, w, 30, 15, accent), paper, 1.5), label(x, y, 20, o.Name, paper))
	}
}

// rounded is a rectangle with round corners.
func rounded(x, y, w, h, r float64, fill domain.Color) domain.Shape {
	return kit.Filled(domain.Path{}.M(x+r, y).L(x+w-r, y).Q(x+w, y, x+w, y+r).L(x+w, y+h-r).Q(x+w, y+h, x+w-r, y+h).
		L(x+r, y+h).Q(x, y+h, x, y+h-r).L(x, y+r).Q(x, y, x+r, y).Z(), fill)
}

func disc(x, y, r float64, fill, stroke domain.Color) domain.Shape {
	return kit.Edged(kit.Disc(x, y, r, fill), stroke, 1.2)
}

func label(x, y, size float64, text string, fill domain.Color) domain.Shape {
	s := kit.Text(x, y, size, text, fill)
	s.Bold, s.Serif = true, true
	return s
}

// why says what keeps each card of the viewer's hand from being used now.
func (r Room) why(v *state.View) []*domain.Say { return r.WhyNot(&v.State, v.Viewer.Seat()) }

// Room asks the rules what keeps cards of a hand from being used.
type Room struct {
	WhyNot  func(*state.State, domain.Seat) []*domain.Say
	Hinders func(*state.State, domain.Seat, table.Card) []domain.Say
}
