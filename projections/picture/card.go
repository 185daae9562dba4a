package picture

import (
	"strings"
	"unicode"

	"posthorn/domain"
)

// CardWidth and CardHeight are the size of a [Card] in pixels: what programs show beside an address that was sent.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card is how a finished game stood, as a picture that goes with its address.
type Card struct {
	Board domain.Scene
	House string
	Game  string
	Title string // who won
	Rows  []CardRow
	Kinds []string // what the points come from; none if that is not known
	Foot  []string // how long it took, and when
}

// CardRow is what one entry of the standing has.
type CardRow struct {
	Seat   domain.Seat // Nobody for an entry that is no seat
	Name   string
	Points int
	From   []int // how many points are of each kind
}

// What a card's parts measure, in pixels.
const (
	cardBoard = 580 // the left part's width: the board's
	cardLeft  = 620
	cardRight = 1150
	cardAir   = 14 // around the board
	rowRoom   = 86
)

var (
	cardPaper, cardFelt  = domain.RGB(0xFAF6EC), domain.RGB(0xF3ECDB)
	cardInk, cardQuiet   = domain.RGB(0x2B2A28), domain.RGB(0x6B6459)
	cardAccent, cardLine = domain.RGB(0x0B6E6E), domain.RGB(0xE4DAC2)
	// a seat's colour where white letters are read on it
	// the parts of the bars, by kind; the first is light
	cardKinds = [...]uint32{0xC9B68B, 0xA85F30, 0x865486, 0x2F7A72, 0x4F7A2C, 0x5A6478, 0x7D6118}
	cardChips = [...]uint32{0x0072B2, 0xB84F00, 0x007A59, 0xA34E7D, 0x8C6100, 0x2A769F, 0x7D6118, 0x7A4FA3}
)

// Scene lays the card out.
func (c Card) Scene() (domain.Scene, error) {
	board := trimmed(c.Board)
	out := domain.Scene{W: CardWidth, H: CardHeight, Ground: cardPaper, Symbols: board.Symbols}
	unit := min((cardBoard-2*cardAir)/board.W, (CardHeight-2*cardAir)/board.H, largestUnit*2)
	if unit > 0.1 {
		unit = float64(int(unit*100)) / 100 // see fit
	}
	w, h := board.W*unit, board.H*unit
	at := domain.Pt(float64(int((cardBoard-w)/2-board.X*unit)), float64(int((CardHeight-h)/2-board.Y*unit)))
	out.Shapes = append(out.Shapes,
		domain.Rect(0, 0, cardBoard, CardHeight).Filled(cardFelt),
		domain.Shape{Group: board.Shapes, At: at, Scale: unit},
		domain.Rect(cardBoard, 0, CardWidth-cardBoard, CardHeight).Filled(cardPaper)) // whatever stood over
	t := &typesetter{}
	out.Shapes = append(out.Shapes, horn(cardLeft, 40, 48)...)
	end := t.left(cardLeft+64, 64, 27, cardInk, true, c.House)
	t.left(end+14, 64, 27, cardQuiet, false, c.Game)
	y := 134.0
	size, lines := t.broken(c.Title, cardRight-cardLeft, 50, 2, true)
	for _, line := range lines {
		t.left(cardLeft, y, size, cardAccent, true, line)
		y += size * 1.15
	}
	foot := CardHeight - 36 - 30*float64(len(c.Foot)-1)
	if len(c.Kinds) > 0 {
		foot -= 44
	}
	out.Shapes = append(out.Shapes, c.rows(t, y, foot-30)...)
	if len(c.Kinds) > 0 {
		out.Shapes = append(out.Shapes, c.legend(t, foot)...)
		foot += 44
	}
	for i, line := range c.Foot {
		size, lines := t.broken(line, cardRight-cardLeft, 22, 1, false)
		t.left(cardLeft, foot+30*float64(i), size, cardQuiet, false, lines[0])
	}
	out.Shapes = append(out.Shapes, t.shapes...)
	return out, t.err
}

// trimmed returns a board without the empty room around what lies on it.
func trimmed(s domain.Scene) domain.Scene {
	lies := extent{emptyBox(), symbolsByID(&s)}
	if lies.things(s.Shapes, newFrame(1, 0, 0, 0), 0); lies.empty() {
		return s
	}
	x0, y0 := max(s.X, lies.x0), max(s.Y, lies.y0)
	s.W, s.H = max(min(s.X+s.W, lies.x1)-x0, 1), max(min(s.Y+s.H, lies.y1)-y0, 1)
	s.X, s.Y = x0, y0
	return s
}

// rows lays out who has how many points, between two heights: the bars are as long as the points are many.
func (c Card) rows(t *typesetter, from, to float64) (out []domain.Shape) {
	most := 1
	for _, r := range c.Rows {
		most = max(most, r.Points)
	}
	room := min((to-from)/float64(max(len(c.Rows), 1)), rowRoom)
	for i, r := range c.Rows {
		y, size := from+room*float64(i), min(room*0.34, 28)
		left := float64(cardLeft)
		fill := cardQuiet
		if r.Seat != domain.Nobody {
			fill = domain.RGB(cardChips[int(r.Seat)%len(cardChips)])
			out = append(out, pill(left, y, size*2, size*1.24).Filled(fill),
				domain.Letters(r.Seat.Letter(), domain.Pt(left+size, y+size*0.62), size*0.86, domain.RGB(0xFFFFFF)))
			left += size*2 + 14
		}
		points := domain.Number(r.Points)
		end := cardRight - t.wide(points, size*1.3, true)
		t.left(end, y+size*0.6, size*1.3, cardInk, true, points)
		t.left(left, y+size*0.62, size, cardInk, true, t.cut(r.Name, end-left-16, size, true))
		y, h := y+size*1.5, min(room*0.3, 26)
		long := func(n int) float64 { return (cardRight - cardLeft) * float64(max(n, 0)) / float64(most) }
		out = append(out, domain.Rect(cardLeft, y, cardRight-cardLeft, h).Filled(cardLine))
		if len(c.Kinds) == 0 {
			out = append(out, domain.Rect(cardLeft, y, long(r.Points), h).Filled(fill))
		}
		x := float64(cardLeft)
		for k, n := range r.From {
			out = append(out, domain.Rect(x, y, long(n), h).Filled(kindColor(k)))
			letters := domain.RGB(0xFFFFFF)
			if k == 0 {
				letters = cardInk
			}
			if text := domain.Number(n); n > 0 && long(n) > 1.4*t.wide(text, h*0.62, true) {
				out = append(out, domain.Letters(text, domain.Pt(x+long(n)/2, y+h/2), h*0.62, letters))
			}
			x += long(n)
		}
	}
	return out
}

// legend says what the colours of the bars mean, in one line.
func (c Card) legend(t *typesetter, y float64) (out []domain.Shape) {
	const box, gap = 18, 20
	wide := func(size float64) (w float64) {
		for _, k := range c.Kinds {
			w += box + 7 + t.wide(k, size, false) + gap
		}
		return w - gap
	}
	size := 20.0
	for wide(size) > cardRight-cardLeft && size > 11 {
		size--
	}
	x := float64(cardLeft)
	for i, k := range c.Kinds {
		out = append(out, domain.Rect(x, y-box/2, box, box).Filled(kindColor(i)))
		x = t.left(x+box+7, y, size, cardQuiet, false, k) + gap
	}
	return out
}

func kindColor(kind int) domain.Color { return domain.RGB(cardKinds[kind%len(cardKinds)]) }

// pill is an outline with round ends.
func pill(x, y, w, h float64) domain.Path {
	const c = 0.5522847498 // see [domain.Ellipse]
	r := h / 2
	return domain.Path{}.M(x+r, y).L(x+w-r, y).
		C(x+w-r+c*r, y, x+w, y+r-c*r, x+w, y+r).C(x+w, y+r+c*r, x+w-r+c*r, y+h, x+w-r, y+h).
		L(x+r, y+h).
		C(x+r-c*r, y+h, x, y+r+c*r, x, y+r).C(x, y+r-c*r, x+r-c*r, y, x+r, y).Z()
}

// horn is the house's sign.
func horn(x, y, size float64) []domain.Shape {
	paper := domain.RGB(0xFAF6EC)
	return []domain.Shape{{At: domain.Pt(x, y), Scale: size / 64, Group: []domain.Shape{
		domain.Rect(0, 0, 64, 64).Drawn(cardAccent, cardAccent, 10),
		domain.Ellipse(29, 35, 14, 14).Stroked(paper, 5),
		domain.Path{}.M(10, 21).L(24, 21).Stroked(paper, 5),
		domain.Path{}.M(10, 16).L(10, 26).Stroked(paper, 5),
		domain.Path{}.M(43, 35).L(43, 22).C(43, 19, 45, 17, 48, 16).L(55, 12).L(55, 36).L(48, 33).Stroked(paper, 5),
	}}}
}

// typesetter sets lines of text in the built-in font. It keeps the first error.
type typesetter struct {
	shapes []domain.Shape
	err    error
}

// wide returns how wide a text is.
func (t *typesetter) wide(text string, size float64, bold bool) float64 {
	f, err := faceOf(bold)
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		var w float64
		if w, err = f.width(text); err == nil {
			return w * size
		}
	}
	t.err = err
	return 0
}

// left sets a text from x to the right, its capitals about y, and returns where it ends.
func (t *typesetter) left(x, y, size float64, fill domain.Color, bold bool, text string) float64 {
	w := t.wide(text, size, bold)
	t.shapes = append(t.shapes, domain.Shape{Text: text, At: domain.Pt(x+w/2, y), Size: size, Bold: bold, Fill: fill})
	return x + w
}

// broken breaks a text into at most so many lines of a width, in a size up to the given one. What does not fit even
// small is cut.
func (t *typesetter) broken(text string, width, size float64, most int, bold bool) (float64, []string) {
	least := size * 0.6
	for {
		lines := []string{""}
		for _, word := range strings.Fields(text) {
			last := &lines[len(lines)-1]
			if more := strings.TrimSpace(*last + " " + word); *last == "" || t.wide(more, size, bold) <= width {
				*last = more
			} else {
				lines = append(lines, word)
			}
		}
		fits := len(lines) <= most
		for _, line := range lines {
			fits = fits && t.wide(line, size, bold) <= width
		}
		if fits {
			return size, lines
		}
		if size *= 0.94; size < least {
			last := min(len(lines), most) - 1
			lines = append(lines[:last:last], strings.Join(lines[last:], " "))
			for i, line := range lines {
				lines[i] = t.cut(line, width, size, bold)
			}
			return size, lines
		}
	}
}

// cut returns as much of a text as fits.
func (t *typesetter) cut(text string, width, size float64, bold bool) string {
	if t.wide(text, size, bold) <= width {
		return text
	}
	all := []rune(text)
	for len(all) > 0 && t.wide(string(all)+"…", size, bold) > width {
		all = all[:len(all)-1]
	}
	return strings.TrimSpace(string(all)) + "…"
}

// Letters returns what of a text pictures have letters for: "" of a name in another script.
func Letters(text string) string {
	f, err := faceOf(true)
	if err != nil {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if i, err := f.font.GlyphIndex(&f.buf, r); err != nil || i == 0 {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
