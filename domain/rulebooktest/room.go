package rulebooktest

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// columns is the room of a text mail.
const columns = 72

// fits holds that a panel fits where it is shown: its letters are large enough to be read in a mail at
// the beginning of a game, and its lines are not broken.
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
		require.LessOrEqual(g.t, utf8.RuneCountInString(line), columns, "%s: a line of panel %s is too long for a mail: %q", g.where, p.Name, line)
	}
}

func (g *game) legible(list []domain.Shape, unit float64, panel string) {
	for i := range list {
		s := &list[i]
		scale := unit * cmp.Or(s.Scale, 1)
		if s.Text != "" {
			require.GreaterOrEqual(g.t, s.Size*scale, domain.SmallestText, "%s: %q on panel %s is too small to be read in a mail", g.where, s.Text, panel)
		}
		g.legible(s.Group, scale, panel)
	}
}

// told holds that a text mail, which shows neither the picture nor what it says to those who do not
// see it, says something of the position.
func (g *game) told(view domain.View) {
	said := len(g.rb.Describe(view).Lines) > 0
	for _, p := range g.rb.Draw(view, domain.Sketch{}) {
		said = said || p.Text != ""
	}
	require.True(g.t, said, "%s: a text mail says nothing of the position: Describe has no Lines and no panel has Text", g.where)
}

// few holds that what is to be listed is not too long to be: what lies on no panel is a button each.
func (g *game) few(path string, open map[string]domain.Step) {
	flat := 0
	for _, s := range open {
		if s.Spot == "" {
			flat++
		}
	}
	require.LessOrEqual(g.t, flat, domain.MostFlat, "%s: after %q so many choices that lie on no panel cannot be listed: split them by Steps", g.where, path)
}
