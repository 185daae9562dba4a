// Package show is what is seen and said of the Rivals: panels, steps, descriptions, stories and
// cards.
package show

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

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

// draw puts a card on a picture: its face, or its back.
func draw(c table.Card, p *picture, at domain.Point, scale float64, cost bool) {
	if c.Hidden() {
		p.put(at, scale, domain.Say{}, kit.Edged(rounded(-34, -46, 68, 92, 7, backColors[c.Set()]), paper, 3), label(0, 0, 34, "?", paper))
		return
	}
	p.put(at, scale, domain.S("title.card", "facts", facts(c)), face(c, cost)...)
}

// face is a card's border by kind, its sign, its code, its points down the side and, in a hand, what
// it costs along the foot.
func face(c table.Card, cost bool) []domain.Shape {
	row := c.Row()
	group := []domain.Shape{kit.Edged(rounded(-cardSize/2+2, -cardSize/2+2, cardSize-4, cardSize-4, 7, paper), kindColors[row.Kind], 5), label(-36+7*float64(len(code(c))), -29, 24, code(c), ink)}
	group = append(group, sign(row)...)
	y := -28.0
	for _, p := range marks(row.Points) {
		if p.n > 0 {
			group = append(group, domain.Shape{Use: p.symbol, At: domain.Point{X: 32, Y: y}, Scale: 0.95})
			if p.n > 1 {
				group = append(group, label(18, y, 20, strconv.Itoa(p.n), ink))
			}
			y += 22
		}
	}
	if cost {
		group = append(group, price(row.Cost)...)
	}
	return group
}

// price is what a card costs: each resource, with how many where it is more than one.
func price(g table.Goods) (group []domain.Shape) {
	x := -36.0
	for res, n := range g {
		if n == 0 {
			continue
		}
		group = append(group, disc(x, 35, 11, paper, faint), domain.Shape{Use: "res-" + table.Res(res).String(), At: domain.Point{X: x, Y: 35}, Scale: 0.72})
		if n > 1 {
			x += 15
			group = append(group, label(x, 36, 19, strconv.Itoa(int(n)), ink))
			x -= 2
		}
		x += 20
	}
	return group
}

// mark is a kind of points: its symbol and its word.
type mark struct {
	symbol, word string
	n            int
}

func marks(p table.Points) [5]mark {
	return [...]mark{{"star", "victory", int(p.Victory)}, {"scales", "commerce", int(p.Commerce)}, {"axe", "strength", int(p.Strength)}, {"harp", "skill", int(p.Skill)}, {"book", "progress", int(p.Progress)}}
}

// code is a card's letters: the first of its words, or the first three of its only one.
func code(c table.Card) string {
	words := strings.Split(c.Row().ID, "_")
	if len(words) == 1 {
		return strings.ToUpper(words[0][:1]) + words[0][1:min(3, len(words[0]))]
	}
	out := ""
	for _, w := range words[:min(3, len(words))] {
		out += strings.ToUpper(w[:1])
	}
	return out
}

// sign is the picture of what a card is: a resource that is doubled or shipped, a hero, a
// building, a scroll, a bolt.
func sign(row *table.Row) []domain.Shape {
	at := domain.Point{X: -6, Y: 8}
	use := func(symbol string) domain.Shape { return domain.Shape{Use: symbol, At: at} }
	scaled := func(symbol string, scale float64) domain.Shape {
		return domain.Shape{Use: symbol, At: domain.Point{X: at.X, Y: at.Y - 6}, Scale: scale}
	}
	switch {
	case row.Doubles != table.NoRes:
		return []domain.Shape{{Use: "res-" + row.Doubles.String(), At: at, Scale: 1.3}, label(22, 22, 19, "+1", ink)}
	case row.Ship && row.Rate != table.NoRes:
		return []domain.Shape{use("ship"), scaled("res-"+row.Rate.String(), 0.7), label(25, 26, 17, "2:1", ink)}
	case row.Ship:
		return []domain.Shape{use("ship"), label(25, 26, 17, "2:1", ink)}
	case row.Hero:
		return []domain.Shape{use("hero")}
	case len(row.Build) > 0 && row.Build[0].Do == "sink":
		return []domain.Shape{use("ship"), scaled("swords", 0.6)}
	case row.Unit:
		return []domain.Shape{use("unit")}
	case row.Kind == table.RegionCard:
		return []domain.Shape{{Use: "res-gold", At: at, Scale: 1.4}}
	case row.Kind == table.CityCard:
		return []domain.Shape{use("tower")}
	case row.Building:
		return []domain.Shape{use("house")}
	case row.Kind == table.EventCard:
		return []domain.Shape{use("bolt")}
	case row.Attack:
		return []domain.Shape{use("swords")}
	}
	return []domain.Shape{use("scroll")}
}

//go:embed symbols.txt
var symbolTable string

// symbols are the drawings' vocabulary: points, resources, what cards are, and the patterns of lands,
// so that no eye depends on colour. In the table "=" begins one, with half its width; a line each
// follows for its shapes: fill, stroke, the stroke's width, outline.
var symbols = func() (list []domain.Symbol) {
	for line := range strings.Lines(symbolTable) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if f[0] == "=" {
			size := symbolNumber(f[2])
			list = append(list, domain.Symbol{ID: f[1], X: -size, Y: -size, W: 2 * size, H: 2 * size})
			continue
		}
		s := &list[len(list)-1]
		s.Shapes = append(s.Shapes, kit.Edged(kit.Filled(kit.Path(f[3]), symbolColor(f[0])), symbolColor(f[1]), symbolNumber(f[2])))
	}
	return list
}()

func symbolNumber(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("rivals: symbols: %v", err))
	}
	return n
}

func symbolColor(text string) domain.Color {
	if text == "-" {
		return 0
	}
	n, err := strconv.ParseUint(text, 16, 24)
	if err != nil {
		panic(fmt.Sprintf("rivals: symbols: %v", err))
	}
	return domain.RGB(uint32(n))
}
