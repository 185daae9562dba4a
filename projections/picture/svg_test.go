package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/picture"
)

func svg(t *testing.T, s domain.Scene, opt picture.SVGOptions) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, picture.SVG(&b, s, opt))
	return b.String()
}

// element is one start tag of a parsed file, with the text directly inside it.
type element struct {
	name string
	attr map[string]string
	text string
}

// parse reads the file as a browser's XML parser would and fails on anything malformed.
func parse(t *testing.T, file string) []element {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(file))
	dec.Strict = true
	var out []element
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attr: map[string]string{}}
			for _, a := range tok.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			out = append(out, e)
		case xml.CharData:
			if len(out) > 0 {
				out[len(out)-1].text += string(tok)
			}
		}
	}
}

func named(list []element, name string) (out []element) {
	for _, e := range list {
		if e.name == name {
			out = append(out, e)
		}
	}
	return out
}

func TestSVGIsAWellFormedImageThatSaysWhatItShows(t *testing.T) {
	// given a scene, when it is written for a page without links
	all := parse(t, svg(t, board(), picture.SVGOptions{Label: "Six tiles", Class: "board"}))

	// then its root is a labelled image of the scene's extent
	root := all[0]
	require.Equal(t, "svg", root.name)
	require.Equal(t, "img", root.attr["role"])
	require.Equal(t, "Six tiles", root.attr["aria-label"])
	require.Equal(t, "board", root.attr["class"])
	require.Equal(t, "-60 -60 420 320", root.attr["viewBox"])
	// and every symbol is defined once and used wherever the scene uses it
	require.Len(t, named(all, "symbol"), 2)
	require.Len(t, named(all, "use"), 8)
	// and nothing can be pressed
	require.Empty(t, named(all, "a"))
}

func TestSVGHasNoOutsideReferenceNoScriptAndNoStyle(t *testing.T) {
	file := svg(t, board(), picture.SVGOptions{Prefix: "b1-"})
	for _, e := range parse(t, file) {
		require.NotContains(t, []string{"script", "style", "image", "foreignObject", "iframe"}, e.name)
		for k, v := range e.attr {
			require.NotEqual(t, "style", k)
			require.False(t, strings.HasPrefix(k, "on"), k)
			if k == "href" {
				require.True(t, strings.HasPrefix(v, "#b1-"), v)
			}
		}
	}
}

func TestSVGPrefixesItsIdsForTwoPicturesOnOnePage(t *testing.T) {
	one := parse(t, svg(t, board(), picture.SVGOptions{Prefix: "one-"}))
	two := parse(t, svg(t, board(), picture.SVGOptions{Prefix: "two-"}))
	ids := map[string]bool{}
	for _, e := range append(one, two...) {
		if id := e.attr["id"]; id != "" {
			require.False(t, ids[id], id)
			ids[id] = true
		}
	}
	require.Len(t, ids, 4)
}

func TestSVGSpotsAreLinksWithTitlesAndRoomForAFinger(t *testing.T) {
	// given addresses and words
	opt := picture.SVGOptions{
		Link: func(spot string) (string, string) {
			if spot == "road N" {
				return "", ""
			}
			return "/t/x?at=" + spot + "&v=3", "Place at 2"
		},
	}
	// when the scene is written
	all := parse(t, svg(t, board(), opt))

	// then the spot with an address is a link that says what it does
	require.Equal(t, "group", all[0].attr["role"])
	links := named(all, "a")
	require.Len(t, links, 1)
	require.Equal(t, "/t/x?at=2,1&v=3", links[0].attr["href"])
	require.Equal(t, "2,1", links[0].attr["data-spot"])
	require.Equal(t, "spot open", links[0].attr["class"])
	require.Equal(t, "Place at 2", links[0].attr["aria-label"])
	require.Equal(t, "Place at 2", named(all, "title")[0].text)
	// and it catches presses on its whole square
	var areas []element
	for _, e := range all {
		if e.attr["class"] == "area" {
			areas = append(areas, e)
		}
	}
	require.Len(t, areas, 1)
	require.Equal(t, "100", areas[0].attr["width"])
	require.Equal(t, "all", areas[0].attr["pointer-events"])
	// and a spot without an address is not a link, but can still be found
	require.Contains(t, svg(t, board(), opt), `<g class="spot" data-spot="road N">`)
}

func TestSVGGrowsSmallSpotsToAFinger(t *testing.T) {
	s := domain.Scene{W: 100, H: 100,
		Shapes: []domain.Shape{{Path: domain.Ellipse(50, 50, 3, 3), Spot: "x", Fill: domain.RGB(0)}}}
	file := svg(t, s, picture.SVGOptions{Link: func(string) (string, string) { return "/x", "" }})
	require.Contains(t, file, `<rect class="area" x="30" y="30" width="40" height="40"`)
}

// What is drawn as large as a finger already may lie close to others: it brings what is pressed.
func TestSVGLeavesAGroupItsOwnArea(t *testing.T) {
	s := domain.Scene{W: 100, H: 100, Shapes: []domain.Shape{{Spot: "x", At: domain.Pt(50, 50), Group: []domain.Shape{
		{Path: domain.Ellipse(0, 0, 13, 13), Hidden: true}, domain.Ellipse(0, 0, 15, 15).Filled(domain.RGB(0))}}}}
	file := svg(t, s, picture.SVGOptions{Link: func(string) (string, string) { return "/x", "" }})
	require.Contains(t, file, `<rect class="area" x="37" y="37" width="26" height="26"`)
}

// The box of a hex overlaps the neighbouring hexes: a press near its corner would belong to them.
func TestSVGCatchesPressesOnAHexWithinItsOutline(t *testing.T) {
	hex := domain.Path{}.M(50, 0).L(93, 25).L(93, 75).L(50, 100).L(7, 75).L(7, 25).Z()
	s := domain.Scene{W: 100, H: 100, Shapes: []domain.Shape{{Path: hex, Spot: "h9", Hidden: true}}}
	file := svg(t, s, picture.SVGOptions{Link: func(string) (string, string) { return "/x", "" }})
	require.Contains(t, file, `<path d="M50 0L93 25L93 75L50 100L7 75L7 25Z" pointer-events="all" class="area"/>`)
	require.NotContains(t, file, "<rect class=\"area\"")
}

func TestSVGEscapesWhateverText(t *testing.T) {
	for _, evil := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onload='alert(1)`, `]]><b>`, `<!-- -->`,
		`&lt;b&gt;`, `</title></svg><script>`, "a\x00b\x1fc\uFFFE", `javascript:alert(1)`, "Łukasz & João \"Zé\"",
		`<![CDATA[`,
		`"/><a href="http://evil/">`, "\u2028\u202e", "{{7*7}}${x}",
	} {
		s := board()
		s.Shapes = append(s.Shapes, domain.Shape{Group: []domain.Shape{{Text: evil, Size: 10}}, Spot: evil,
			Title: domain.S("t"), Class: evil})
		clean := parse(t, svg(t, board(), picture.SVGOptions{}))
		all := parse(t, svg(t, s, picture.SVGOptions{Label: evil, Prefix: "p-", Class: evil,
			Words: func(domain.Say) string { return evil }}))
		// the text adds a spot, a group, a title and a text; nothing else
		require.Len(t, all, len(clean)+4, evil)
		require.Equal(t, strings.Map(func(r rune) rune {
			if r < 0x20 || r == 0xFFFE {
				return -1
			}
			return r
		}, evil), all[0].attr["aria-label"])
	}
}

func TestSVGRefusesASymbolItLacks(t *testing.T) {
	s := domain.Scene{W: 1, H: 1, Shapes: []domain.Shape{{Use: "nowhere"}}}
	require.ErrorContains(t, picture.SVG(io.Discard, s, picture.SVGOptions{}), "nowhere")
}

func TestSVGPassesOnWhatTheWriterFailsOn(t *testing.T) {
	require.ErrorIs(t, picture.SVG(brokenWriter{}, board(), picture.SVGOptions{}), errBroken)
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestAWindowStaysWithinTheBoardAndShowsWhatIsTried(t *testing.T) {
	scene := func(w, h, x, y float64) domain.Scene {
		return domain.Scene{X: -100, Y: -100, W: w, H: h, Shapes: []domain.Shape{
			{Path: domain.Rect(0, 0, 50, 50)},
			{Group: []domain.Shape{{Path: domain.Rect(x, y, 100, 100)}}, Class: "ghost"}}}
	}
	_, ok := picture.Closer(scene(700, 700, 0, 0))
	require.False(t, ok, "a small board is shown whole")
	_, ok = picture.Closer(domain.Scene{W: 2000, H: 2000})
	require.False(t, ok, "nothing is being tried")
	for _, at := range []float64{-100, 300, 1800} {
		s, ok := picture.Closer(scene(2000, 1500, at, min(at, 1200)))
		require.True(t, ok)
		require.Less(t, s.W, 500.0)
		require.GreaterOrEqual(t, s.X, -100.0)
		require.LessOrEqual(t, s.X+s.W, 1900.0)
		require.LessOrEqual(t, s.X, at)
		require.GreaterOrEqual(t, s.X+s.W, at+100)
	}
}

func BenchmarkSVG(b *testing.B) {
	s := large()
	for b.Loop() {
		if err := picture.SVG(io.Discard, s, picture.SVGOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
