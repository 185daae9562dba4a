package show

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/table"
)

// The vocabulary for drawing the cards, as data: see the first lines of each.
var (
	//go:embed drawn/colours.txt
	coloursText string
	//go:embed drawn/parts.txt
	partsText string
	//go:embed drawn/grounds.txt
	groundsText string
	//go:embed drawn/signs.txt
	signsText string
)

// art is all drawings: what the table's rows make of the parts.
type art struct {
	colours map[string]domain.Color
	nights  []domain.Night // what some of them become on a dark page
	parts   map[string][]stroke
	symbols map[string]domain.Symbol // "g-" grounds, "i-" signs, "c-" cards and anything else that has a row
	faces   map[string]face          // of the cards
}

// face is what a card's row has besides its picture.
type face struct {
	kind        string // how it is framed
	medal, sign string // "2:1", "ore"
}

// stroke is a shape of a part, before its colours are chosen.
type stroke struct {
	fill, line string
	width      float64
	path       domain.Path
}

// kinds are the ways of framing a card, and what else a row may be: a region, or something along the middle.
var kinds = map[string]bool{"settlement": true, "city": true, "ship": true, "hero": true, "action": true, "event": true,
	"region": true, "centre": true, "land": true, "scene": true}

// drawings are the game's drawings, read when the first picture is drawn: a server where nobody plays it does not
// need them.
var drawings = sync.OnceValue(func() *art {
	return table.Must(readArt(coloursText, partsText, groundsText, signsText, table.Pictures))
})

// Nights are the drawings' colours on a dark page.
func Nights() []domain.Night {
	a := art{colours: map[string]domain.Color{}}
	table.Must(&a, a.readColours(coloursText))
	return a.nights
}

// readArt reads the vocabulary and the rows. An unknown word is an error that names the row and the word.
func readArt(colours, parts, grounds, signs, rows string) (*art, error) {
	a := &art{colours: map[string]domain.Color{}, parts: map[string][]stroke{}, symbols: map[string]domain.Symbol{},
		faces: map[string]face{}}
	if err := a.readColours(colours); err != nil {
		return nil, fmt.Errorf("colours: %w", err)
	}
	for _, list := range [...]struct {
		prefix, text string
		box          domain.Symbol
	}{{"g-", grounds, domain.Symbol{W: 110, H: 80}}, {"i-", signs, domain.Symbol{X: -14, Y: -14, W: 28, H: 28}}} {
		drawn, err := a.readStrokes(list.text)
		if err != nil {
			return nil, err
		}
		for name, strokes := range drawn {
			box := list.box
			box.ID = list.prefix + name
			if _, land := table.TerrainNamed(name); land && list.prefix == "g-" {
				box.W, box.H = landW, landH
			}
			box.Shapes = make([]domain.Shape, len(strokes))
			for i, s := range strokes {
				if box.Shapes[i], err = a.shape(s, "", "", 1, domain.Point{}); err != nil {
					return nil, fmt.Errorf("drawing %q: %w", name, err)
				}
			}
			a.symbols[box.ID] = box
		}
	}
	var err error
	if a.parts, err = a.readStrokes(parts); err != nil {
		return nil, err
	}
	for line := range lines(rows) {
		if err := a.readRow(line); err != nil {
			return nil, fmt.Errorf("pictures.txt: card %q: %w", strings.SplitN(line, "|", 2)[0], err)
		}
	}
	return a, a.complete()
}

// complete finds a card, town or region that has no picture.
func (a *art) complete() error {
	var want []string
	for _, r := range table.Table.Cards {
		want = append(want, r.ID)
	}
	for name := range table.Table.Centre {
		want = append(want, name)
	}
	for _, r := range table.Table.Regions {
		want = append(want, r.Terrain.String())
	}
	for _, id := range want {
		if _, ok := a.faces[id]; !ok {
			return fmt.Errorf("pictures.txt: card %q: it has no line", id)
		}
	}
	return nil
}

// lines yields the lines that are not comments.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

func (a *art) readColours(text string) error {
	taken := map[domain.Color]string{}
	for line := range lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 && len(f) != 3 {
			return fmt.Errorf("%q: a name and one or two numbers are expected", line)
		}
		day, err := strconv.ParseUint(f[1], 16, 24)
		if err != nil {
			return fmt.Errorf("%q: %w", f[0], err)
		}
		c := domain.RGB(uint32(day))
		if other, is := taken[c]; is {
			return fmt.Errorf("%q is the same as %q", f[0], other)
		}
		a.colours[f[0]], taken[c] = c, f[0]
		if len(f) == 3 {
			dark, err := strconv.ParseUint(f[2], 16, 24)
			if err != nil {
				return fmt.Errorf("%q: %w", f[0], err)
			}
			a.nights = append(a.nights, domain.Night{Day: c, Night: domain.RGB(uint32(dark)), Ground: f[0] == "felt"})
		}
	}
	return nil
}

// colour reads a name, c or d, a number with its opacity, or - for none.
func (a *art) colour(word, c, d string) (domain.Color, error) {
	switch word {
	case "-":
		return 0, nil
	case "c", "d":
		if word = map[string]string{"c": c, "d": d}[word]; word == "" {
			word = "plaster"
		}
	}
	if col, ok := a.colours[word]; ok {
		return col, nil
	}
	if n, err := strconv.ParseUint(word, 16, 32); err == nil && len(word) == 6 {
		return domain.RGB(uint32(n)), nil
	} else if err == nil && len(word) == 8 {
		return domain.Color(n), nil
	}
	return 0, fmt.Errorf("there is no colour %q", word)
}

// readStrokes reads named lists of shapes.
func (a *art) readStrokes(text string) (map[string][]stroke, error) {
	m, name := map[string][]stroke{}, ""
	for line := range lines(text) {
		if rest, is := strings.CutPrefix(line, "= "); is {
			if name = rest; m[name] != nil {
				return nil, fmt.Errorf("part %q: there are two", name)
			}
			m[name] = []stroke{}
			continue
		}
		f := strings.SplitN(line, " ", 4)
		if len(f) < 4 || name == "" {
			return nil, fmt.Errorf("part %q: %q: fill, stroke, width and outline are expected", name, line)
		}
		s := stroke{fill: f[0], line: f[1]}
		var err error
		if s.width, err = strconv.ParseFloat(f[2], 64); err == nil {
			s.path, err = outline(f[3])
		}
		for _, word := range f[:2] {
			if err == nil {
				_, err = a.colour(word, "", "")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("part %q: %q: %w", name, line, err)
		}
		m[name] = append(m[name], s)
	}
	return m, nil
}

// outline reads a rectangle, an ellipse or a path.
func outline(text string) (p domain.Path, err error) {
	if kind := text[0]; kind == 'R' || kind == 'E' {
		var n []float64
		for _, word := range strings.Fields(text[1:]) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("outline: %w", err)
			}
			n = append(n, x)
		}
		switch {
		case kind == 'E' && len(n) == 4:
			return domain.Ellipse(n[0], n[1], n[2], n[3]), nil
		case kind == 'R' && len(n) == 4:
			return domain.Rect(n[0], n[1], n[2], n[3]), nil
		case kind == 'R' && len(n) == 5:
			return rounded(n[0], n[1], n[2], n[3], n[4], 0).Path, nil
		}
		return nil, fmt.Errorf("outline %q: it has %d numbers", text, len(n))
	}
	defer func() {
		if bad := recover(); bad != nil {
			err = fmt.Errorf("outline: %v", bad)
		}
	}()
	return kit.Path(text), nil
}

// shape returns a shape of a part in its colours, scaled and moved.
func (a *art) shape(s stroke, c, d string, scale float64, at domain.Point) (domain.Shape, error) {
	fill, err := a.colour(s.fill, c, d)
	if err != nil {
		return domain.Shape{}, err
	}
	line, err := a.colour(s.line, c, d)
	if err != nil {
		return domain.Shape{}, err
	}
	to := func(p domain.Point) domain.Point { return domain.Pt(p.X*scale+at.X, p.Y*scale+at.Y) }
	out := domain.Shape{Path: kit.Mapped(s.path, to), Fill: fill, Stroke: line}
	if line != 0 {
		out.Width = s.width * scale
	}
	return out, nil
}

// readRow reads how a card is drawn.
func (a *art) readRow(line string) error {
	f := strings.Split(line, "|")
	if len(f) != 4 && len(f) != 5 {
		return fmt.Errorf("it has %d fields: id, face, ground, parts and perhaps a medal are expected", len(f))
	}
	id, kind, ground := f[0], f[1], f[2]
	sym := domain.Symbol{ID: "c-" + id, W: 110, H: 80}
	switch {
	case !kinds[kind]:
		return fmt.Errorf("there is no face %q", kind)
	case a.symbols[sym.ID].ID != "":
		return fmt.Errorf("there are two")
	case kind == "land":
		sym.W, sym.H = landW, landH
	case kind == "scene":
		sym.W, sym.H = cityW, rowH
	}
	if ground != "-" {
		if a.symbols["g-"+ground].ID == "" {
			return fmt.Errorf("there is no ground %q", ground)
		}
		sym.Shapes = append(sym.Shapes, domain.Shape{Use: "g-" + ground})
	}
	for _, text := range strings.Split(f[3], ";") {
		shapes, err := a.placed(text)
		if err != nil {
			return fmt.Errorf("part %q: %w", text, err)
		}
		sym.Shapes = append(sym.Shapes, shapes...)
	}
	of := face{kind: kind}
	if len(f) == 5 {
		if of.medal, of.sign, _ = strings.Cut(f[4], " "); a.symbols["i-"+of.sign].ID == "" {
			return fmt.Errorf("medal %q: there is no sign %q", f[4], of.sign)
		}
	}
	a.symbols[sym.ID], a.faces[id] = sym, of
	return nil
}

// placed reads a part as a row writes it: its name, where it stands, its scale, its colours.
func (a *art) placed(text string) ([]domain.Shape, error) {
	f := strings.Fields(text)
	if len(f) < 2 {
		return nil, fmt.Errorf("a name and a place are expected")
	}
	strokes, known := a.parts[f[0]]
	if !known {
		return nil, fmt.Errorf("there is no part %q", f[0])
	}
	at, scale, colours := domain.Point{Y: 70}, 1.0, map[string]string{}
	x, y, both := strings.Cut(f[1], ",")
	var err error
	if at.X, err = strconv.ParseFloat(x, 64); err == nil && both {
		at.Y, err = strconv.ParseFloat(y, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("place: %w", err)
	}
	for _, word := range f[2:] {
		if key, colour, is := strings.Cut(word, "="); is && (key == "c" || key == "d") {
			if a.colours[colour] == 0 {
				return nil, fmt.Errorf("there is no colour %q", colour)
			}
			colours[key] = colour
		} else if scale, err = strconv.ParseFloat(strings.TrimPrefix(word, "x"), 64); err != nil || word[0] != 'x' ||
			scale <= 0 {
			return nil, fmt.Errorf("%q is neither a scale such as x1.2 nor a colour such as c=red", word)
		}
	}
	out := make([]domain.Shape, len(strokes))
	for i, s := range strokes {
		if out[i], err = a.shape(s, colours["c"], colours["d"], scale, at); err != nil {
			return nil, err
		}
	}
	return out, nil
}
