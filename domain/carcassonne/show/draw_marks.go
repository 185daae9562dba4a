package show

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// earned marks who earned what with the events of sketch.Last: where the returned figures stood, with each owner's
// points beside one of theirs.
func (d *boardDrawing) earned() {
	for _, e := range d.sketch.Last {
		if e == nil {
			continue
		}
		p, ok := e.Body.(*state.Played)
		if !ok {
			continue
		}
		for _, s := range slices.Concat(p.Scores, p.Final) {
			d.score(&s)
		}
	}
}

func (d *boardDrawing) score(s *state.Score) {
	for _, f := range s.Figures {
		stood := state.Stands{Seat: f.Seat, Abbot: f.Abbot, On: f.On}
		if t := d.tileAt(f.X, f.Y); t != nil && d.seen(f.X, f.Y) && !slices.Contains(t.Figures, stood) {
			d.ring(stood, t)
		}
	}
	for _, a := range s.Points {
		if a.Points == 0 {
			continue
		}
		at := state.Posted{X: s.X, Y: s.Y, On: s.On}
		if i := slices.IndexFunc(s.Figures, func(f state.Posted) bool { return f.Seat == a.Seat }); i >= 0 {
			at = s.Figures[i]
		}
		if t := d.tileAt(at.X, at.Y); t != nil && d.seen(at.X, at.Y) {
			d.add(badge(plus(standsOn(t, at.On), Point{Y: -25}), a.Seat, a.Points))
		}
	}
}

// ring marks where a figure stood that is back in its owner's hand, or would be.
func (d *boardDrawing) ring(f state.Stands, t *state.ViewTile) {
	d.add(domain.Shape{At: standsOn(t, f.On), Class: "earned", Group: []domain.Shape{
		domain.Ellipse(0, 0, 12, 12).Drawn(paperColor.Alpha(0xB0), paperColor, 5),
		{Path: domain.Ellipse(0, 0, 12, 12), Stroke: domain.SeatColor(f.Seat.Seat()), Width: 2.6, Dash: 5},
		{Text: f.Seat.Seat().Letter(), Size: 14, Bold: true, Fill: inkColor},
	}})
}

func (d *boardDrawing) tileAt(x, y int) *state.ViewTile {
	if i := slices.IndexFunc(d.view.Tiles, func(t state.ViewTile) bool { return t.X == x && t.Y == y }); i >= 0 {
		return &d.view.Tiles[i]
	}
	return nil
}

// chosen returns the key chosen for a step, or "".
func (d *boardDrawing) chosen(step int) string {
	if step < len(d.sketch.Chosen) {
		return d.sketch.Chosen[step]
	}
	return ""
}

// triedTurn returns the chosen turn, or else the first possible one.
func (d *boardDrawing) triedTurn() int {
	keys := []string{d.chosen(1)}
	if len(d.sketch.Chosen) < 2 {
		for _, o := range d.sketch.Open {
			keys = append(keys, o.Key)
		}
	}
	for _, key := range keys {
		if n, err := strconv.Atoi(strings.TrimSpace(key)); err == nil {
			return quartersOf(n)
		}
	}
	return 0
}

// tried returns the current tile where it is being tried, with the figure once one is chosen; nil if it is not.
func (d *boardDrawing) tried() *state.ViewTile {
	x, y, ok := cellOf(d.chosen(0))
	if !ok || d.view.Tile == table.NoTile {
		return nil
	}
	t := &state.ViewTile{Tile: d.view.Tile, X: x, Y: y, Turn: 90 * d.triedTurn()}
	if on, abbot, ok := figureOf(d.chosen(2)); ok {
		t.Figures = []state.Stands{{Seat: d.view.ToMove, Abbot: abbot, On: on}}
	}
	return t
}

// figureOf reads a figure's key: "road.N", or "abbot.garden".
func figureOf(key string) (on table.Place, abbot, ok bool) {
	key = strings.ReplaceAll(strings.TrimSpace(key), ".", " ")
	rest, abbot := strings.CutPrefix(key, "abbot ")
	return on, abbot, on.UnmarshalText([]byte(rest)) == nil
}

// letterColor returns white or ink, whichever reads better on a colour.
func letterColor(on domain.Color) domain.Color {
	r, g, b := float64(on>>24), float64(on>>16&0xFF), float64(on>>8&0xFF)
	if 0.3*r+0.59*g+0.11*b > 150 {
		return inkColor
	}
	return domain.RGB(0xFFFFFF)
}

// pennantSymbol draws a city's shield.
func pennantSymbol() domain.Symbol {
	shield := domain.Path{}.M(-6.5, -8).L(6.5, -8).L(6.5, 0).C(6.5, 5, 3, 7.5, 0, 9).C(-3, 7.5, -6.5, 5, -6.5, 0).Z()
	return domain.Symbol{ID: "pennant", X: -9, Y: -11, W: 18, H: 22, Shapes: []domain.Shape{
		shield.Drawn(pennantColor, paperColor, 2.4),
		domain.Path{}.M(-6, -4.5).L(6, 3.5).Stroked(domain.RGB(0xE8C84F), 2.2),
		shield.Stroked(inkColor, 1),
	}}
}

// badge shows what was earned: a disc in the owner's colour with the points.
func badge(at Point, o state.Owner, points int) domain.Shape {
	text := "+" + strconv.Itoa(points)
	fill := domain.SeatColor(o.Seat())
	w := 9 + 3.6*float64(len(text))
	pill := domain.Path{}.M(-w+9, -9).L(w-9, -9).C(w+3, -9, w+3, 9, w-9, 9).L(-w+9, 9).C(-w-3, 9, -w-3, -9, -w+9, -9).
		Z()
	return domain.Shape{At: at, Class: "earned", Group: []domain.Shape{
		pill.Drawn(fill, paperColor, 5),
		pill.Drawn(fill, inkColor, 1.2),
		{Text: text, Size: 13.5, Bold: true, Fill: letterColor(fill)},
	}}
}

// standsOn returns where a figure stands on a tile of the map.
func standsOn(t *state.ViewTile, on table.Place) Point {
	return plus(middle(t.X, t.Y), StandsAt(t.Tile, quartersOf(t.Turn), on))
}

// StandsAt returns where a figure stands on a tile turned by quarters, relative to the tile's middle. It stands
// slightly beside a church or a bed, so that both are visible.
func StandsAt(id table.TileID, quarters int, on table.Place) (p Point) {
	sh := &table.Shapes[id]
	if part := sh.Part(&sh.Turned[quarters&3], on); part >= 0 {
		p = PlanOf(id).spots[part]
	}
	p = QuarterTurned(p, quarters)
	if on.Kind.Shrine() {
		return domain.Pt(min(p.X+8, 33), min(p.Y+5, 33))
	}
	return p
}
