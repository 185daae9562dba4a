// Package picture turns a [domain.Scene] into what people look at: SVG for pages, PNG for mails. Both show the same
// drawing; neither knows any game.
//
// SVG scales and carries links. PNG is a palette of at most 64 opaque colours, because mail programs show no SVG and a
// mail must stay small.
package picture

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"posthorn/domain"
)

// touch is the least width and height of a pressable area, in units, unless a group brings its own.
const touch = 40

// SVGOptions say how a scene appears on a page.
type SVGOptions struct {
	// Prefix goes before every id, so that a page can hold several pictures.
	Prefix string
	// Label describes the whole picture to people who do not see it.
	Label string
	// Class is the root's class, "" for none.
	Class string
	// Link returns the URL that pressing a spot leads to, and what it does in words; "" or a nil Link means none.
	Link func(spot string) (href, title string)
	// Drawn holds the symbols that other pictures on the page have already defined, with the same prefix; nil if this
	// picture stands alone. SVG adds its own symbols to it.
	Drawn map[string]bool
	// Words renders the title of a group; nil leaves titles out.
	Words func(domain.Say) string
}

// SVG writes a scene as one <svg> element, for embedding in a page or storing as a file: no style, no script, nothing
// fetched from elsewhere. A shape with a Spot becomes a link if Link has a URL for it, named after what it does, and
// carries data-spot; its class hooks are "spot" and the shape's Class. With links the root is a group, since a keyboard
// cannot reach an image's parts. SVG returns an error if the scene uses a symbol it lacks, or if w fails.
func SVG(w io.Writer, scene domain.Scene, opt SVGOptions) error {
	kept := writers.Get().(*[]byte)
	s := &svgWriter{b: (*kept)[:0], opt: opt, symbols: symbolsByID(&scene)}
	defer func() { *kept = s.b; writers.Put(kept) }()
	s.open(&scene)
	s.defs(&scene)
	if scene.Ground != 0 {
		s.raw(`<rect`).num("x", scene.X).num("y", scene.Y).num("width", scene.W).num("height", scene.H)
		s.color("fill", scene.Ground)
		s.raw("/>\n")
	}
	s.shapes(scene.Shapes, 0)
	s.raw("</svg>\n")
	if s.err != nil {
		return fmt.Errorf("write svg: %w", s.err)
	}
	if _, err := w.Write(s.b); err != nil {
		return fmt.Errorf("write svg: %w", err)
	}
	return nil
}

// writers pools the memory for building files.
var writers = sync.Pool{New: func() any { return new([]byte) }}

type svgWriter struct {
	b       []byte
	opt     SVGOptions
	symbols map[string]*domain.Symbol
	inSpot  bool
	caught  bool // within a spot that has its own area
	err     error
}

// escape is the only way text from outside gets into the file: it makes text safe for element content and for quoted
// attributes. It drops characters that XML forbids.
func escape(text string) string {
	clean := func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD, r >= 0x10000:
			return r
		}
		return -1
	}
	if !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune("&<>\"'", r)
	}) {
		return text
	}
	return escaper.Replace(strings.Map(clean, text))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\n", "&#10;",
	"\r", "&#13;", "\t", "&#9;")

func (s *svgWriter) raw(markup string) *svgWriter {
	s.b = append(s.b, markup...)
	return s
}

func (s *svgWriter) attr(name, value string) *svgWriter {
	return s.raw(" ").raw(name).raw(`="`).raw(escape(value)).raw(`"`)
}

func (s *svgWriter) num(name string, x float64) *svgWriter {
	return s.raw(" ").raw(name).raw(`="`).number(x).raw(`"`)
}

// number writes a coordinate with at most two decimals.
func (s *svgWriter) number(x float64) *svgWriter { return s.decimal(x, 100) }

func (s *svgWriter) decimal(x float64, unit int64) *svgWriter {
	scaled := math.Round(x * float64(unit))
	if math.IsNaN(scaled) || math.Abs(scaled) > 1<<52 {
		return s.raw("0") // nothing drawn lies there
	}
	n := int64(scaled)
	if n < 0 {
		s.b, n = append(s.b, '-'), -n
	}
	s.b = strconv.AppendInt(s.b, n/unit, 10)
	if n %= unit; n == 0 {
		return s
	}
	s.b = append(s.b, '.')
	for n > 0 {
		unit /= 10
		s.b = append(s.b, '0'+byte(n/unit))
		n %= unit
	}
	return s
}

func (s *svgWriter) color(name string, c domain.Color) {
	if c&0xFF == 0 {
		return
	}
	s.raw(" ").raw(name).raw(`="#`)
	for shift := 28; shift >= 8; shift -= 4 {
		s.b = append(s.b, "0123456789abcdef"[uint32(c)>>shift&0xF])
	}
	s.raw(`"`)
	if a := c & 0xFF; a != 0xFF {
		s.num(name+"-opacity", float64(a)/255)
	}
}

func (s *svgWriter) open(scene *domain.Scene) {
	role := "img"
	if s.opt.Link != nil {
		role = "group"
	}
	s.raw(`<svg xmlns="http://www.w3.org/2000/svg"`)
	s.viewBox(scene.X, scene.Y, scene.W, scene.H)
	s.num("width", scene.W).num("height", scene.H)
	s.attr("role", role).attr("aria-label", s.opt.Label)
	if s.opt.Class != "" {
		s.attr("class", s.opt.Class)
	}
	s.raw(` fill="none" stroke-linecap="round" stroke-linejoin="round" text-anchor="middle" font-family="Go, ui-sans-serif, system-ui, 'Helvetica Neue', Arial, sans-serif">` + "\n")
}

func (s *svgWriter) viewBox(x, y, w, h float64) {
	s.raw(` viewBox="`).number(x).raw(" ").number(y).raw(" ").number(w).raw(" ").number(h).raw(`"`)
}

func (s *svgWriter) defs(scene *domain.Scene) {
	if !slices.ContainsFunc(scene.Symbols, func(sym domain.Symbol) bool { return !s.opt.Drawn[sym.ID] }) {
		return
	}
	d := digesters.Get().(*digester)
	defer digesters.Put(d)
	s.raw("<defs>\n")
	for i := range scene.Symbols {
		sym := &scene.Symbols[i]
		if s.opt.Drawn[sym.ID] {
			continue
		}
		if s.opt.Drawn != nil {
			s.opt.Drawn[sym.ID] = true
		}
		s.raw("<symbol").attr("id", s.opt.Prefix+sym.ID)
		s.viewBox(sym.X, sym.Y, sym.W, sym.H)
		s.raw(">")
		if svg, ok := drawnOf(sym, d).markup(); ok {
			s.b = append(s.b, svg...)
		} else {
			s.shapes(sym.Shapes, 1)
		}
		s.raw("</symbol>\n")
	}
	s.raw("</defs>\n")
}

func (s *svgWriter) shapes(list []domain.Shape, depth int) {
	if depth > maxNesting {
		s.err = fmt.Errorf("shapes nest deeper than %d", maxNesting)
		return
	}
	for i := range list {
		sh := &list[i]
		if sh.Spot != "" && !s.inSpot {
			s.spot(sh, depth)
			continue
		}
		s.shape(sh, depth)
	}
}

// spot wraps a pressable shape: a title, an invisible area large enough for a finger, and the shape itself.
func (s *svgWriter) spot(sh *domain.Shape, depth int) {
	href, title, tag := "", "", "g"
	if s.opt.Link != nil {
		href, title = s.opt.Link(sh.Spot)
	}
	if href != "" {
		tag = "a"
	}
	s.raw("<" + tag)
	if href != "" {
		s.attr("href", href)
	}
	if title != "" {
		s.attr("aria-label", title)
	}
	s.attr("class", strings.TrimSpace("spot "+sh.Class)).attr("data-spot", sh.Spot).raw(">")
	if !written(sh) { // a tooltip next to text would be read as part of it
		s.title(title)
	}
	if href != "" {
		s.area(sh)
	}
	s.inSpot, s.caught = true, href != ""
	bare := *sh
	bare.Class = ""
	s.shape(&bare, depth)
	s.inSpot, s.caught = false, false
	s.raw("</" + tag + ">\n")
}

// written reports whether a shape contains text.
func written(sh *domain.Shape) bool {
	return sh.Text != "" || slices.ContainsFunc(sh.Group, func(in domain.Shape) bool { return written(&in) })
}

// area writes the invisible part of a spot that catches presses.
func (s *svgWriter) area(sh *domain.Shape) {
	b, least := extent{emptyBox(), s.symbols}, float64(touch)
	own := *sh
	if len(sh.Group) > 0 && sh.Group[0].Hidden {
		own.Group, least = sh.Group[:1], 0
	}
	b.shape(&own, newFrame(1, 0, 0, 0), 0)
	if b.empty() {
		return
	}
	if outlined(sh.Path) && b.x1-b.x0 >= touch && b.y1-b.y0 >= touch {
		s.path(&domain.Shape{Path: sh.Path, Hidden: true, Class: "area"})
		return
	}
	if w := b.x1 - b.x0; w < least {
		b.x0, b.x1 = b.x0-(least-w)/2, b.x1+(least-w)/2
	}
	if h := b.y1 - b.y0; h < least {
		b.y0, b.y1 = b.y0-(least-h)/2, b.y1+(least-h)/2
	}
	s.raw(`<rect class="area"`).num("x", b.x0).num("y", b.y0).num("width", b.x1-b.x0).num("height", b.y1-b.y0)
	s.raw(` rx="6" pointer-events="all"/>`)
}

// outlined reports whether a path is a polygon with more than four corners (a hex), whose box would overlap its
// neighbours.
func outlined(p domain.Path) bool {
	return len(p) > 5 && !slices.ContainsFunc(p, func(g domain.Segment) bool { return g.Op == 'Q' || g.Op == 'C' })
}

func (s *svgWriter) shape(sh *domain.Shape, depth int) {
	switch {
	case sh.Hidden && s.caught: // the area already catches presses
	case sh.Path != nil:
		s.path(sh)
	case sh.Hidden:
	case sh.Text != "":
		s.text(sh)
	case sh.Use != "":
		sym := s.symbols[sh.Use]
		if sym == nil {
			s.err = fmt.Errorf("no symbol %q", sh.Use)
			return
		}
		// With a view box and a size, a symbol is clipped to its box, as its raster is in PNG.
		s.raw("<use").attr("href", "#"+s.opt.Prefix+sh.Use)
		s.num("x", sym.X).num("y", sym.Y).num("width", sym.W).num("height", sym.H)
		s.placed(sh)
		s.class(sh)
		s.raw("/>\n")
	case sh.Group != nil:
		s.raw("<g")
		s.placed(sh)
		s.class(sh)
		s.raw(">")
		if s.opt.Words != nil && sh.Title.Key != "" {
			s.title(s.opt.Words(sh.Title))
		}
		s.shapes(sh.Group, depth+1)
		s.raw("</g>\n")
	}
}

func (s *svgWriter) title(text string) {
	if text != "" {
		s.raw("<title>" + escape(text) + "</title>")
	}
}

func (s *svgWriter) class(sh *domain.Shape) {
	if sh.Class != "" {
		s.attr("class", sh.Class)
	}
}

func (s *svgWriter) placed(sh *domain.Shape) {
	if sh.At == (domain.Point{}) && sh.Turn == 0 && scaleOf(sh) == 1 {
		return
	}
	s.raw(` transform="translate(`).number(sh.At.X).raw(" ").number(sh.At.Y).raw(")")
	if sh.Turn != 0 {
		s.raw(" rotate(").number(sh.Turn).raw(")")
	}
	if scaleOf(sh) != 1 {
		s.raw(" scale(").decimal(scaleOf(sh), 1e5).raw(")")
	}
	s.raw(`"`)
}

func (s *svgWriter) path(sh *domain.Shape) {
	s.raw(`<path d="`)
	for _, g := range sh.Path {
		s.segment(g)
	}
	s.raw(`"`)
	if sh.Hidden {
		s.raw(` pointer-events="all"`)
	} else {
		s.color("fill", sh.Fill)
		s.stroke(sh, 1)
	}
	s.class(sh)
	s.raw("/>")
}

// segment writes its points with one decimal: a tenth of a unit is finer than a pixel, and halves the file.
func (s *svgWriter) segment(g domain.Segment) {
	pts, ok := pointsOf(g)
	if !ok {
		s.err = fmt.Errorf("no path operation %q", g.Op)
	}
	s.b = append(s.b, g.Op)
	for i, p := range pts {
		if i > 0 {
			s.raw(" ")
		}
		s.decimal(p.X, 10).raw(" ").decimal(p.Y, 10)
	}
}

func (s *svgWriter) stroke(sh *domain.Shape, scale float64) {
	if sh.Stroke&0xFF == 0 {
		return
	}
	s.color("stroke", sh.Stroke)
	if w := strokeWidth(sh) * scale; w != 1 {
		s.num("stroke-width", w)
	}
	if sh.Dash > 0 {
		s.num("stroke-dasharray", sh.Dash*scale)
	}
}

func (s *svgWriter) text(sh *domain.Shape) {
	s.raw("<text")
	s.placed(sh)
	s.num("y", capMiddle*sh.Size).num("font-size", sh.Size)
	if sh.Bold {
		s.raw(` font-weight="700"`)
	}
	if sh.Serif {
		s.raw(` font-family="ui-serif, 'Iowan Old Style', Palatino, Georgia, serif"`)
	}
	s.color("fill", sh.Fill)
	if sh.Stroke&0xFF != 0 {
		s.raw(` paint-order="stroke"`)
		s.stroke(sh, 1)
	}
	s.class(sh)
	s.raw(">" + escape(sh.Text) + "</text>\n")
}
