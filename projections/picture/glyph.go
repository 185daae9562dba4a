package picture

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"posthorn/domain"
)

// capMiddle is how far below a text's centre its baseline lies, in font sizes: half the
// height of a capital. SVG uses the same.
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

// textPath is a text as an outline, centred on the origin.
func textPath(text string, size float64, bold bool) (domain.Path, error) {
	both, err := faces()
	if err != nil {
		return nil, err
	}
	f := both[0]
	if bold {
		f = both[1]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	width := 0.0
	for _, r := range text {
		g, err := f.glyph(r)
		if err != nil {
			return nil, err
		}
		width += g.advance
	}
	var out domain.Path
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

func place(p domain.Point, x, size float64) domain.Point {
	return domain.Point{X: (p.X + x) * size, Y: (p.Y + capMiddle) * size}
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
		return domain.Point{X: float64(p.X) / unit, Y: float64(p.Y) / unit}
	}
	var out domain.Path
	for _, s := range segs {
		if s.Op == sfnt.SegmentOpMoveTo && len(out) > 0 {
			out = out.Z()
		}
		end := [...]int{sfnt.SegmentOpMoveTo: 0, sfnt.SegmentOpLineTo: 0, sfnt.SegmentOpQuadTo: 1, sfnt.SegmentOpCubeTo: 2}[s.Op]
		out = append(out, domain.Segment{Op: "MLQC"[s.Op], A: pt(s.Args[0]), B: pt(s.Args[1]), To: pt(s.Args[end])})
	}
	if len(out) > 0 {
		out = out.Z()
	}
	return out
}
