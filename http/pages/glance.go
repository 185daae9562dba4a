package pages

import (
	"html/template"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// glimpse is what can be seen of a game at a glance.
type glimpse struct {
	Supply []shownCount // what everybody may count in the whole game
	Deeds  []shownDeed  // what the reader may pay for
	Trade  *trade       // what is being put together from cards
}

// shownCount is a number with its picture.
type shownCount struct {
	turn.Count
	HTML template.HTML
}

// shownDeed is something done for a price: a link if it can be done now.
type shownDeed struct {
	turn.Deed
	Href  string // "" if it cannot be done now
	Rest  string // what is taken with it, as there is no choice
	Swaps []shownSwap
	Both  bool // the swap takes both its cards and gives none
	HTML  template.HTML
	Costs []template.HTML
}

// shownSwap is one kind of card to give, and the kinds it can be swapped for.
type shownSwap struct {
	Label string
	For   []shownFor
}

// alike reports whether a card can be paired with its own kind: nobody gives a card for another of its kind.
func (s shownSwap) alike() bool {
	return slices.ContainsFunc(s.For, func(f shownFor) bool { return f.Path[2].Label == s.Label })
}

// shownFor is a kind of card to take, with the move that takes it.
type shownFor struct {
	turn.Named
	Href  string
	Words string
	HTML  template.HTML
}

// small draws a scene next to words that say the same.
func small(s domain.Scene) (template.HTML, error) {
	var b strings.Builder
	err := picture.SVG(&b, s, picture.SVGOptions{Class: "small"})
	return template.HTML(strings.Replace(b.String(), ` role="img" aria-label=""`, ` aria-hidden="true"`, 1)),
		err // #nosec: written by picture.SVG, which escapes all text
}

// glance fills in what everybody may count and what the reader may pay for. What it shows is not listed again among the
// other choices.
func (g *gamePage) glance() error {
	each, all := g.M.Tally()
	var err error
	for i := range g.Scores {
		if at := g.Scores[i].Entry; at < len(each) && err == nil {
			g.Scores[i].Counts, err = shownCounts(each[at])
		}
	}
	if err == nil {
		g.Supply, err = shownCounts(all)
	}
	if err != nil || !g.Member && g.M.Decision == nil { // somebody solving a puzzle plays, too
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
				g.Deeds[i].Href, g.Deeds[i].Rest, g.Deeds[i].Not = o.Href, o.Rest, ""
			}
			return i >= 0
		})
	}
	for i := range g.Deeds {
		if d := &g.Deeds[i]; d.Href != "" && err == nil {
			d.Swaps, err = g.swaps(d.Key)
			d.Both = slices.ContainsFunc(d.Swaps, shownSwap.alike)
		}
	}
	if err != nil {
		return err
	}
	if g.Deeds = slices.DeleteFunc(g.Deeds, func(d shownDeed) bool { // what is traded with the bank stands there
		return d.Href == "" && len(d.Costs) == 0 && len(g.Trades()) > 0
	}); len(g.Out) == 0 {
		// what is missing matters to the player whose turn it is, unless they are asked something else first
		g.Deeds = slices.DeleteFunc(g.Deeds, func(d shownDeed) bool { return d.Href == "" })
	}
	return nil
}

// Exchanges returns what swaps cards and is not behind what begins a trade.
func (g *gamePage) Exchanges() []shownDeed {
	trades := len(g.Trades()) > 0
	return slices.DeleteFunc(slices.Clone(g.Deeds), func(d shownDeed) bool { return trades && !d.Both })
}

// swaps returns the moves that begin with a choice, if each of them swaps one kind of card for another; otherwise nil.
func (g *gamePage) swaps(key string) (list []shownSwap, err error) {
	for _, m := range g.M.From(key) {
		if len(m.Path) != 3 || m.Path[2].Plays == "" || g.M.Pictured(m.Path[1].Key).W == 0 ||
			g.M.Pictured(m.Path[2].Key).W == 0 {
			return nil, nil
		}
		if n := len(list); n == 0 || list[n-1].Label != m.Path[1].Label {
			list = append(list, shownSwap{Label: m.Path[1].Label})
		}
		f := shownFor{Named: m, Href: g.with(m.Keys()), Words: m.Label()}
		if f.HTML, err = small(g.M.Pictured(m.Path[2].Key)); err != nil {
			return nil, err
		}
		s := &list[len(list)-1]
		s.For = append(s.For, f)
	}
	return list, nil
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

// Asked returns the panels that stand with the choices.
func (g *gamePage) Asked() (list []shownPanel) {
	for _, p := range g.Beside() {
		if p.Asked && g.asking() {
			list = append(list, p)
		}
	}
	return list
}

// By returns the panels beside the main one that do not stand with the choices.
func (g *gamePage) By() []shownPanel {
	return slices.DeleteFunc(g.Beside(), func(p shownPanel) bool { return p.Asked && g.asking() })
}

func (g *gamePage) asking() bool { return g.M.Decision != nil && g.Trade == nil && g.Bare() }
