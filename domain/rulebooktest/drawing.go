package rulebooktest

import (
	"cmp"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// plainText matches text that may be drawn: numbers, coordinates, letters and short codes, the same in every language.
// Words and names go beside the picture.
var plainText = regexp.MustCompile(`^[A-Za-z0-9 +−/,.:?×-]{1,12}$`)

// pictured draws and describes a position for a viewer.
func (g *game) pictured(v domain.Viewer) {
	view := g.rb.View(g.line.State, v)
	g.drawn(view, domain.Sketch{})
	g.drawn(view, domain.Sketch{})
	g.drawn(view, domain.Sketch{Narrow: true})
	g.drawn(view, domain.Sketch{Chosen: []string{"no-such-key"}})
	require.Equal(g.t, g.rb.Draw(view, domain.Sketch{}), g.rb.Draw(view, domain.Sketch{}),
		"%s: a view is drawn in one way", g.where)
	if g.last != nil {
		last := g.last.Redact(v)
		g.drawn(view, domain.Sketch{Last: []*domain.Event{&last}})
	}
	g.told(view)
	d := g.rb.Describe(view)
	g.words.holds(d.Alt, g.where)
	g.words.hold(d.Lines, g.where)
	g.glanced(view, v)
	if count := g.rb.Extras().Goods; count != nil {
		goods := count(view)
		require.Len(g.t, goods.Each, len(g.rb.Standing(g.line.State, v).Scores),
			"%s: everybody who has points has an account", g.where)
		for _, list := range goods.Each {
			require.Len(g.t, list, len(goods.Kinds), "%s: a number a kind", g.where)
		}
		g.words.hold(goods.Kinds, g.where)
	}
}

// glanced checks the counts and the deeds with a price for a viewer: they have words, and are drawn without symbols.
func (g *game) glanced(view domain.View, v domain.Viewer) {
	glance := g.rb.Extras()
	if glance.Tally == nil {
		return
	}
	alone := func(s domain.Scene) {
		require.Empty(g.t, s.Symbols, "%s: it is drawn often, and alone", g.where)
		g.scene(&s, seen{map[string]bool{}, map[string]bool{}})
	}
	t := glance.Tally(view)
	require.Len(g.t, t.Each, len(g.rb.Standing(g.line.State, v).Scores), "%s: everybody who has points is counted",
		g.where)
	for _, list := range append(t.Each, t.All) {
		for _, c := range list {
			require.True(g.t, c.Most == 0 || c.Most > c.N, "%s: %s", g.where, c.Name)
			g.words.holds(c.Words, g.where)
			alone(c.Scene)
		}
	}
	for _, d := range glance.Deeds(view) {
		g.words.hold(append([]domain.Say{d.Label, d.Price}, d.Not...), g.where)
		for _, s := range append(d.Cost, d.Scene) {
			alone(s)
		}
	}
}

// seen is what appears on panels: spots and texts.
type seen struct{ spots, texts map[string]bool }

// drawn checks the panels of a position and returns what appears on them.
func (g *game) drawn(view domain.View, sketch domain.Sketch) seen {
	panels := g.rb.Draw(view, sketch)
	require.NotEmpty(g.t, panels, "%s: a position has a picture", g.where)
	require.Equal(g.t, domain.PanelMain, panels[0].Weight, "%s: the first panel is a main one", g.where)
	names, on := map[string]bool{}, seen{map[string]bool{}, map[string]bool{}}
	for i := range panels {
		p := &panels[i]
		require.Contains(g.t, []domain.Weight{domain.PanelMain, domain.PanelBeside, domain.PanelStrip}, p.Weight,
			"%s: panel %s", g.where, p.Name)
		require.False(g.t, names[p.Name], "%s: two panels %s", g.where, p.Name)
		names[p.Name] = true
		g.words.holds(p.Heading(), g.where)
		g.words.hold(p.Lines, g.where)
		g.scene(&p.Scene, on)
		g.fits(p)
	}
	return on
}

// scene checks one picture, and adds what appears on it.
func (g *game) scene(scene *domain.Scene, on seen) {
	require.True(g.t, scene.W > 0 && scene.H > 0, "%s: a drawing has a size", g.where)
	symbols := map[string]bool{}
	for _, s := range scene.Symbols {
		require.False(g.t, symbols[s.ID], "%s: two symbols %s", g.where, s.ID)
		symbols[s.ID] = true
	}
	for _, s := range scene.Symbols {
		g.shapes(s.Shapes, symbols, seen{map[string]bool{}, map[string]bool{}})
	}
	g.shapes(scene.Shapes, symbols, on)
}

func (g *game) shapes(list []domain.Shape, symbols map[string]bool, on seen) {
	for i := range list {
		s := &list[i]
		kinds := 0
		for _, is := range []bool{len(s.Path) > 0, s.Text != "", s.Words.Key != "", s.Use != "", len(s.Group) > 0} {
			if is {
				kinds++
			}
		}
		require.Equal(g.t, 1, kinds, "%s: a shape is one of path, text, words, use, group: %+v", g.where, *s)
		if s.Text != "" {
			require.Regexp(g.t, plainText, s.Text, "%s: letters, digits and signs are drawn alone", g.where)
			on.texts[s.Text] = true
		}
		if s.Words.Key != "" {
			g.words.holds(s.Words, g.where)
		}
		if s.Use != "" {
			require.True(g.t, symbols[s.Use], "%s: no symbol %s", g.where, s.Use)
		}
		if s.Spot != "" {
			on.spots[s.Spot] = true
		}
		if s.Title.Key != "" {
			g.words.holds(s.Title, g.where)
		}
		g.finite(s)
		g.shapes(s.Group, symbols, on)
	}
}

func (g *game) finite(s *domain.Shape) {
	numbers := []float64{s.Width, s.Dash, s.At.X, s.At.Y, s.Turn, s.Scale, s.Size, s.Wide}
	for _, p := range s.Path {
		numbers = append(numbers, p.A.X, p.A.Y, p.B.X, p.B.Y, p.To.X, p.To.Y)
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			require.Fail(g.t, "a shape lies nowhere", "%s: %+v", g.where, *s)
		}
	}
}

// columns is the width of a text mail.
const columns = 72

// fits checks that a panel fits where it is shown: its letters are legible in a mail at the start of a game, and its
// lines are not too long.
func (g *game) fits(p *domain.Panel) {
	width := domain.PanelWidth
	if p.Weight == domain.PanelBeside {
		width = domain.PanelBesideWidth
	}
	unit := min(domain.PanelUnit, width/p.Scene.W)
	if g.moves == 0 { // a map may grow
		g.legible(p.Scene.Shapes, unit, p.Name)
	}
	for _, line := range strings.Split(p.Text, "\n") {
		require.LessOrEqual(g.t, utf8.RuneCountInString(line), columns,
			"%s: a line of panel %s is too long for a mail: %q", g.where, p.Name, line)
	}
	for _, c := range p.Cells {
		require.Less(g.t, c.Row, 1+strings.Count(p.Text, "\n"), "%s: a cell of panel %s lies below its characters: %v",
			g.where, p.Name, c)
		require.LessOrEqual(g.t, c.Col+c.Width, columns,
			"%s: a cell of panel %s is too far to the right for a mail: %v", g.where, p.Name, c)
		require.Positive(g.t, c.Width, "%s: a cell of panel %s has no room: %v", g.where, p.Name, c)
	}
}

func (g *game) legible(list []domain.Shape, unit float64, panel string) {
	for i := range list {
		s := &list[i]
		scale := unit * cmp.Or(s.Scale, 1)
		if s.Text != "" || s.Words.Key != "" {
			require.GreaterOrEqual(g.t, s.Size*scale, domain.SmallestText,
				"%s: %q on panel %s is too small to be read in a mail", g.where, s.Text, panel)
		}
		g.legible(s.Group, scale, panel)
	}
}

// told checks that a text mail, which shows neither the picture nor its alternative text, says something about the
// position.
func (g *game) told(view domain.View) {
	said := len(g.rb.Describe(view).Lines) > 0
	for _, p := range g.rb.Draw(view, domain.Sketch{}) {
		said = said || p.Text != "" || len(p.Items) > 0
	}
	require.True(g.t, said, "%s: a text mail says nothing of the position: Describe has no Lines and no panel has Text",
		g.where)
}

// few checks that a list of choices is not too long: each choice that lies on no panel becomes a button.
func (g *game) few(path string, open map[string]domain.Step) {
	flat := 0
	for _, s := range open {
		if s.Spot == "" {
			flat++
		}
	}
	require.LessOrEqual(g.t, flat, domain.MostFlat,
		"%s: after %q so many choices that lie on no panel cannot be listed: split them by Steps", g.where, path)
}
