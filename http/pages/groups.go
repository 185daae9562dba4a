package pages

import (
	"cmp"
	"slices"
	"strings"

	"posthorn/projections/turn"
)

// grouped is a group of chains, moves made one after the other, that have something in common.
type grouped struct {
	Chains []shownChain
	// the address of the choice that leads to their first moves and to others that nothing else in sight leads to
	Wider string
}

// shownChain is a chain with the address that chooses it.
type shownChain struct {
	turn.Chain
	Href string
}

// Grouped returns the chains of several moves, grouped by what they have in common.
func (g *gamePage) Grouped() (list []grouped) {
	for _, chains := range g.inGroups(false) {
		list = append(list, grouped{chains, g.wider(chains)})
	}
	return list
}

// Swaps returns the single moves, grouped by what they have in common.
func (g *gamePage) Swaps() [][]shownChain { return g.inGroups(true) }

// wider returns the address for Wider; "" if all of a group is in sight.
func (g *gamePage) wider(chains []shownChain) string {
	first := chains[0].Moves[0]
	for _, o := range g.Lying() {
		leads := func(n turn.Named) bool { return n.Notation == first }
		if !chains[0].Whole && o.Plays == "" && !(o.Spot != "" && g.near[o.Spot]) &&
			slices.ContainsFunc(g.M.From(o.Key), leads) {
			return o.Href
		}
	}
	return ""
}

func (g *gamePage) inGroups(single bool) (groups [][]shownChain) {
	for _, c := range g.Ends {
		switch n := len(groups); {
		case c.Group == "" || len(c.Moves) == 1 != single:
		case n > 0 && groups[n-1][0].Group == c.Group:
			groups[n-1] = append(groups[n-1], shownChain{c, g.at(nil, "play", c.Plays())})
		default:
			groups = append(groups, []shownChain{{c, g.at(nil, "play", c.Plays())}})
		}
	}
	return groups
}

// spared reports whether a way out of the turn need not stand alone: a chain is a shorter name for it, or each chain
// begins with it.
func (g *gamePage) spared(o pickOption) bool {
	begins := func(c turn.Chain) bool { return c.Moves[0] == o.Plays }
	return slices.ContainsFunc(g.Ends, begins)
}

// swapped reports whether the page offers an option's kind of move as a whole, so that its steps need not be listed
// too.
func (g *gamePage) swapped(o pickOption) bool {
	if !g.Bare() || len(g.Ends) == 0 {
		return false
	}
	verb := verbOf(cmp.Or(o.Plays, g.M.Leads(o.Key)))
	return slices.ContainsFunc(g.Ends, func(c turn.Chain) bool {
		return c.Group != "" && (len(c.Moves) == 1 || o.Plays == "" || c.Whole && c.Moves[0] == o.Plays) &&
			verbOf(c.Moves[0]) == verb
	})
}

func verbOf(move string) string {
	verb, _, _ := strings.Cut(move, " ")
	return verb
}
