package pages

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// fullCard is a card in full: its face, its text, and what keeps it from being used.
type fullCard struct {
	turn.Card
	HTML   template.HTML // the face
	Choose string        // the address that chooses it, if it may be chosen now
	Do     string        // what choosing it does
	Back   string        // the id of its panel
}

// cards sorts the cards that the reader sees: they read those with a face by pressing them on the board, and the others
// in lists.
func (g *gamePage) cards() {
	for _, group := range g.M.Cards() {
		listed := group
		listed.Cards = nil
		for _, c := range group.Cards {
			if c.Face.W > 0 {
				g.Full = append(g.Full, fullCard{Card: c})
			} else {
				listed.Cards = append(listed.Cards, c)
			}
		}
		switch {
		case len(listed.Cards) == 0:
		case group.Hand:
			g.Held = append(g.Held, listed)
		default:
			g.Laid = append(g.Laid, listed)
		}
	}
}

// faces draws the cards in full. It reuses symbols that the panels have already drawn.
func (g *gamePage) faces(drawn map[string]bool, c turn.Choice) error {
	for i := range g.Full {
		f := &g.Full[i]
		var b strings.Builder
		if err := picture.SVG(&b, f.Face, picture.SVGOptions{Prefix: "b-", Label: f.Label, Drawn: drawn}); err != nil {
			return err
		}
		f.HTML = template.HTML(b.String()) // #nosec: written by picture.SVG, which escapes all text
		f.Choose, f.Do = g.chosenBy(c, f.Spot)
	}
	return nil
}

// doing returns the text of the card that has been chosen, if there is one.
func (g *gamePage) doing() string {
	if g.Ready == nil || len(g.chosen) == 0 || g.chosen[0].Spot == "" {
		return ""
	}
	for _, f := range g.Full {
		if n := len(f.Lines); f.Spot == g.chosen[0].Spot && n > 0 {
			return f.Lines[n-1]
		}
	}
	return ""
}

// pressed returns where pressing something on a panel leads, and what that does: to the choice that lies there, to
// another possible choice, or to the card in full.
func (g *gamePage) pressed(c turn.Choice, spot string) (href, title string) {
	read, only := strings.CutPrefix(spot, domain.ReadSpot)
	if href, title = g.chosenBy(c, spot); href != "" {
		return href, title
	}
	for _, o := range g.Ahead {
		if o.Spot == spot {
			return o.Href, o.Title()
		}
	}
	for _, o := range slices.Backward(g.instead) {
		if o.Spot == spot {
			return g.with(o.Keys), o.Title()
		}
	}
	if i := slices.IndexFunc(g.Full, func(f fullCard) bool { return f.Spot == read && read != "" }); i >= 0 {
		title = g.Full[i].Label
		if only {
			title = g.M.Text("page.cards.read", "card", title)
		}
		return "#card-" + g.Full[i].Key, title
	}
	return "", ""
}

// chosenBy returns the address of the choice that lies at a spot, and what it does; "" if there is none.
func (g *gamePage) chosenBy(c turn.Choice, spot string) (href, title string) {
	for _, o := range slices.Backward(c.Options) {
		if o.Spot == spot && spot != "" {
			return g.with(append(c.Keys[:len(c.Keys):len(c.Keys)], o.Key)), o.Title()
		}
	}
	return "", ""
}

// largestUnit is the maximum size of a unit, in pixels, in a picture with a size of its own.
const largestUnit = 1.2

// sized gives a picture a size of its own: as wide as its room, at least a number of pixels (with scrolling), and no
// wider than it should be. Two empty canvases side by side express this without a style: the narrowest their line can
// be is the width of the first, the widest that of both. Parts of a picture need none: each is as large as the style
// says.
func sized(p turn.Panel, svg string) string {
	if p.Least <= 0 {
		return svg
	}
	if p.Each > 0 {
		return `<div class="sized apart">` + svg + `</div>`
	}
	room := func(width float64) string {
		return `<canvas class="room" aria-hidden="true" width="` + strconv.Itoa(int(width)) + `" height="1"></canvas>`
	}
	most := max(p.Scene.W*largestUnit, p.Least)
	return `<div class="sized"><div class="rooms">` + room(p.Least) + room(min(most-p.Least, p.Least)) + `</div>` +
		svg + `</div>`
}

// Sized reports whether the panels have their readable size, so that readers press what they see on them.
func (g *gamePage) Sized() bool { return len(g.Panels) > 0 && g.Panels[0].Least > 0 }

// columnWide is the width of the board's column on a desktop, in pixels.
const columnWide = 780

// Wide reports whether a board is wider than its column on a desktop and needs the whole page.
func (g *gamePage) Wide() bool {
	return slices.ContainsFunc(g.Panels, func(p shownPanel) bool { return !p.Beside() && p.Least > columnWide })
}

// seen notes the spots of a panel that is in sight together with the question: the main one and those beside it.
func (g *gamePage) seen(p turn.Panel, i int) {
	if g.near == nil {
		g.near = map[string]bool{}
	}
	var all func(list []domain.Shape)
	all = func(list []domain.Shape) {
		for _, s := range list {
			g.near[s.Spot] = true
			all(s.Group)
		}
	}
	if i == 0 || p.Weight == domain.PanelBeside {
		all(p.Scene.Shapes)
	}
}

// Lying returns the options that are pressed where they lie.
func (g *gamePage) Lying() []pickOption { return g.options(true) }

// Listed returns the options that are in sight nowhere else.
func (g *gamePage) Listed() []pickOption { return g.options(false) }

func (g *gamePage) options(near bool) []pickOption {
	p := g.Open()
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Options), func(o pickOption) bool {
		return (o.Spot != "" && g.near[o.Spot] || g.swapped(o)) != near
	})
}

// Unseen returns what can be chosen in place of something at a level, apart from what lies on a picture in sight;
// nothing if that is all.
func (g *gamePage) Unseen(p pick) []pickOption {
	seen := func(o pickOption) bool { return o.Spot != "" && g.near[o.Spot] }
	list := slices.DeleteFunc(slices.Clone(p.Options), seen)
	if !slices.ContainsFunc(list, func(o pickOption) bool { return !o.Selected }) {
		return nil
	}
	return list
}
