package pages

import (
	"html/template"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// glimpse is what of a game is seen at a glance.
type glimpse struct {
	Supply []shownCount // what everybody may count of the whole game
	Deeds  []shownDeed  // what the reader may do for a price
	Trade  *trade       // what is being put together from cards
}

// shownCount is a number with its picture.
type shownCount struct {
	turn.Count
	HTML template.HTML
}

// shownDeed is something done for a price: a link where it can be done now.
type shownDeed struct {
	turn.Deed
	Href  string // "" where it cannot be done now
	HTML  template.HTML
	Costs []template.HTML
}

// small draws a scene that stands beside words which say the same.
func small(s domain.Scene) (template.HTML, error) {
	var b strings.Builder
	err := picture.SVG(&b, s, picture.SVGOptions{Class: "small"})
	return template.HTML(strings.Replace(b.String(), ` role="img" aria-label=""`, ` aria-hidden="true"`, 1)), err // #nosec: written by picture.SVG, which escapes all text
}

// glance fills in what everybody may count, and what the reader may do for a price. What is shown so is not listed
// among the other choices.
func (g *gamePage) glance() error {
	each, all := g.M.Tally()
	var err error
	for i := range g.Scores {
		if i < len(each) && err == nil {
			g.Scores[i].Counts, err = shownCounts(each[i])
		}
	}
	if err == nil {
		g.Supply, err = shownCounts(all)
	}
	if err != nil || !g.Member {
		return err
	}
	deeds := g.M.Deeds()
	for _, d := range deeds {
		s := shownDeed{Deed: d}
		if s.HTML, err = small(d.Scene); err != nil {
			return err
		}
		for _, c := range d.Cost {
			html, err := small(c)
			if err != nil {
				return err
			}
			s.Costs = append(s.Costs, html)
		}
		g.Deeds = append(g.Deeds, s)
	}
	if g.M.Decision == nil {
		return nil
	}
	if len(g.Picks) > 0 && g.Picks[0].Open {
		first := &g.Picks[0]
		first.Options = slices.DeleteFunc(first.Options, func(o pickOption) bool {
			i := slices.IndexFunc(g.Deeds, func(d shownDeed) bool { return d.Key == o.Key })
			if i >= 0 {
				g.Deeds[i].Href, g.Deeds[i].Not = o.Href, ""
			}
			return i >= 0
		})
	}
	if len(g.Out) == 0 { // what is missing matters to whoever has the turn, and is asked nothing else first
		g.Deeds = slices.DeleteFunc(g.Deeds, func(d shownDeed) bool { return d.Href == "" })
	}
	return nil
}

func shownCounts(list []turn.Count) (out []shownCount, err error) {
	for _, c := range list {
		s := shownCount{Count: c}
		if s.HTML, err = small(c.Scene); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Asked are the panels that stand with the choices.
func (g *gamePage) Asked() (list []shownPanel) {
	for _, p := range g.Beside() {
		if p.Asked && g.asking() {
			list = append(list, p)
		}
	}
	return list
}

// By are the panels beside the main one that do not.
func (g *gamePage) By() []shownPanel {
	return slices.DeleteFunc(g.Beside(), func(p shownPanel) bool { return p.Asked && g.asking() })
}

func (g *gamePage) asking() bool { return g.M.Decision != nil && g.Trade == nil && g.Bare() }
