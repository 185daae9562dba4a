package picture

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"posthorn/domain"
)

// line is a flattened outline in pixels.
type line struct {
	pts    []domain.Point
	closed bool
}

// flatten turns a path into lines in pixels that differ from the true curve by less than a tenth of a pixel.
func flatten(p domain.Path, f frame) []line {
	var out []line
	var cur line
	flush := func() {
		if len(cur.pts) > 0 {
			out = append(out, cur)
		}
		cur = line{}
	}
	var at domain.Point
	for _, s := range p {
		to := f.apply(s.To)
		switch s.Op {
		case 'M':
			flush()
			cur.pts = append(cur.pts, to)
		case 'L':
			cur.pts = appendPoint(cur.pts, to)
		case 'Q':
			a := f.apply(s.A)
			// A quadratic is a cubic whose control points lie two thirds of the way to its own.
			cur.pts = appendCubic(cur.pts, at, mix(at, a, 2.0/3), mix(to, a, 2.0/3), to)
		case 'C':
			cur.pts = appendCubic(cur.pts, at, f.apply(s.A), f.apply(s.B), to)
		case 'Z':
			if to = at; len(cur.pts) > 0 {
				to, cur.closed = cur.pts[0], true
				if len(cur.pts) > 1 && near(cur.pts[len(cur.pts)-1], to) {
					cur.pts = cur.pts[:len(cur.pts)-1]
				}
			}
			flush()
			cur.pts = append(cur.pts, to) // without a new start, what follows begins where the outline closed
		}
		at = to
	}
	if len(cur.pts) > 1 || len(out) == 0 || !out[len(out)-1].closed {
		flush()
	}
	return out
}

func appendCubic(pts []domain.Point, p0, a, b, p1 domain.Point) []domain.Point {
	// The second differences limit how far the curve leaves its chords.
	d := math.Max(math.Hypot(p0.X-2*a.X+b.X, p0.Y-2*a.Y+b.Y), math.Hypot(a.X-2*b.X+p1.X, a.Y-2*b.Y+p1.Y))
	n := min(max(int(math.Ceil(math.Sqrt(d*0.75/0.1))), 1), 64)
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		u := 1 - t
		c0, c1, c2, c3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		pts = appendPoint(pts, domain.Pt(c0*p0.X+c1*a.X+c2*b.X+c3*p1.X, c0*p0.Y+c1*a.Y+c2*b.Y+c3*p1.Y))
	}
	return pts
}

func appendPoint(pts []domain.Point, p domain.Point) []domain.Point {
	if len(pts) > 0 && near(pts[len(pts)-1], p) {
		return pts
	}
	return append(pts, p)
}

func near(p, q domain.Point) bool {
	return math.Abs(p.X-q.X) < 1e-6 && math.Abs(p.Y-q.Y) < 1e-6
}

func mix(p, q domain.Point, t float64) domain.Point {
	return domain.Pt(p.X+(q.X-p.X)*t, p.Y+(q.Y-p.Y)*t)
}

// dash cuts lines into dashes and gaps of equal length.
func dash(lines []line, length float64) []line {
	if length <= 0.2 {
		return lines
	}
	var out []line
	for _, l := range lines {
		pts := l.pts
		if l.closed {
			pts = append(slices.Clone(pts), pts[0])
		}
		cur, on, left := []domain.Point{pts[0]}, true, length
		for i := 1; i < len(pts); i++ {
			p, q := pts[i-1], pts[i]
			for seg := math.Hypot(q.X-p.X, q.Y-p.Y); seg > left; seg = math.Hypot(q.X-p.X, q.Y-p.Y) {
				p = mix(p, q, left/seg)
				if on {
					out = append(out, line{pts: appendPoint(cur, p)})
				}
				cur, on, left = []domain.Point{p}, !on, length
			}
			left -= math.Hypot(q.X-p.X, q.Y-p.Y)
			cur = appendPoint(cur, q)
		}
		if on && len(cur) > 1 {
			out = append(out, line{pts: cur})
		}
	}
	return out
}

// stroke returns the outline of a line drawn with a round pen. Inner corners go through the line itself, so that the
// pieces wind one way and fill without holes.
func stroke(l line, width float64) []line {
	r := width / 2
	pts := l.pts
	if len(pts) == 1 {
		return []line{{pts: arc(nil, pts[0], r, 0, 2*math.Pi), closed: true}}
	}
	back := slices.Clone(pts)
	slices.Reverse(back)
	if l.closed && len(pts) > 2 {
		return []line{
			{pts: side(nil, pts, r, true), closed: true},
			{pts: side(nil, back, r, true), closed: true},
		}
	}
	out := side(nil, pts, r, false)
	out = side(out, back, r, false)
	return []line{{pts: out, closed: true}}
}

// side appends a line's left offset, with round joins, and a round cap at its end unless the line is closed.
func side(out, pts []domain.Point, r float64, closed bool) []domain.Point {
	n := len(pts)
	segs := n - 1
	if closed {
		segs = n
	}
	angle := func(i int) float64 {
		p, q := pts[i%n], pts[(i+1)%n]
		return math.Atan2(q.Y-p.Y, q.X-p.X) - math.Pi/2
	}
	for i := range segs {
		a := angle(i)
		p, q := pts[i], pts[(i+1)%n]
		out = append(out, polar(p, r, a), polar(q, r, a))
		switch {
		case i+1 < segs || closed:
			b := angle(i + 1)
			turn := math.Remainder(b-a, 2*math.Pi)
			if turn > 0 {
				out = arc(out, q, r, a, a+turn)
			} else if turn < -1e-9 {
				out = append(out, q)
			}
		default:
			out = arc(out, q, r, a, a+math.Pi)
		}
	}
	return out
}

func arc(out []domain.Point, c domain.Point, r, from, to float64) []domain.Point {
	n := max(int(math.Ceil(math.Abs(to-from)*math.Sqrt(max(r, 0.5))/0.8)), 1)
	for i := 1; i < n; i++ {
		out = append(out, polar(c, r, from+(to-from)*float64(i)/float64(n)))
	}
	if n == 1 && to-from > 6 {
		return out
	}
	return append(out, polar(c, r, to))
}

func polar(c domain.Point, r, a float64) domain.Point {
	s, k := math.Sincos(a)
	return domain.Pt(c.X+r*k, c.Y+r*s)
}

// capMiddle is how far below a text's centre its baseline lies, in font sizes: half the height of a capital. SVG uses
// the same value.
const capMiddle = 0.36

// face holds a font's glyphs as outlines at size 1. The Go fonts have Latin, Greek and
// Cyrillic letters, digits and arrows; a scene's texts are letters and digits.
type face struct {
	mu     sync.Mutex
	font   *sfnt.Font
	buf    sfnt.Buffer
	glyphs map[rune]glyph
}

type glyph struct {
	path    domain.Path
	advance float64
}

var faces = sync.OnceValues(func() ([2]*face, error) {
	var out [2]*face
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			return out, fmt.Errorf("parse the built-in font: %w", err)
		}
		out[i] = &face{font: f, glyphs: map[rune]glyph{}}
	}
	return out, nil
})

// textPath appends a text as an outline, centred on the origin.
func textPath(out domain.Path, text string, size float64, bold bool) (domain.Path, error) {
	f, err := faceOf(bold)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	width, err := f.width(text)
	if err != nil {
		return nil, err
	}
	x := -width / 2
	for _, r := range text {
		g := f.glyphs[r]
		for _, s := range g.path {
			s.To = place(s.To, x, size)
			s.A = place(s.A, x, size)
			s.B = place(s.B, x, size)
			out = append(out, s)
		}
		x += g.advance
	}
	return out, nil
}

// faceOf returns the built-in font.
func faceOf(bold bool) (*face, error) {
	both, err := faces()
	if bold {
		return both[1], err
	}
	return both[0], err
}

// width returns how wide a text is at size 1. The caller holds the lock.
func (f *face) width(text string) (w float64, err error) {
	for _, r := range text {
		g, err := f.glyph(r)
		if err != nil {
			return 0, err
		}
		w += g.advance
	}
	return w, nil
}

func place(p domain.Point, x, size float64) domain.Point {
	return domain.Pt((p.X+x)*size, (p.Y+capMiddle)*size)
}

func (f *face) glyph(r rune) (glyph, error) {
	if g, ok := f.glyphs[r]; ok {
		return g, nil
	}
	const em = 1024
	ppem := fixed.I(em)
	i, err := f.font.GlyphIndex(&f.buf, r)
	if err != nil {
		return glyph{}, fmt.Errorf("find glyph %q: %w", r, err)
	}
	segs, err := f.font.LoadGlyph(&f.buf, i, ppem, nil)
	if err != nil {
		return glyph{}, fmt.Errorf("load glyph %q: %w", r, err)
	}
	g := glyph{path: outlineOf(segs, em*64)}
	adv, err := f.font.GlyphAdvance(&f.buf, i, ppem, font.HintingNone)
	if err != nil {
		return glyph{}, fmt.Errorf("measure glyph %q: %w", r, err)
	}
	g.advance = float64(adv) / (em * 64)
	f.glyphs[r] = g
	return g, nil
}

func outlineOf(segs sfnt.Segments, unit float64) domain.Path {
	pt := func(p fixed.Point26_6) domain.Point {
		return domain.Pt(float64(p.X)/unit, float64(p.Y)/unit)
	}
	var out domain.Path
	for _, s := range segs {
		if s.Op == sfnt.SegmentOpMoveTo && len(out) > 0 {
			out = out.Z()
		}
		end := [...]int{sfnt.SegmentOpMoveTo: 0, sfnt.SegmentOpLineTo: 0, sfnt.SegmentOpQuadTo: 1,
			sfnt.SegmentOpCubeTo: 2}[s.Op]
		out = append(out, domain.Segment{Op: "MLQC"[s.Op], A: pt(s.Args[0]), B: pt(s.Args[1]), To: pt(s.Args[end])})
	}
	if len(out) > 0 {
		out = out.Z()
	}
	return out
}
