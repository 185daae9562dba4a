package pages

import (
	"cmp"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// grouped is a group of chains, moves made one after the other, that have something in common.
type grouped struct {
	Chains []turn.Chain
	Wider  string // the address of the choice that leads to their first moves and to others that nothing else in sight leads to
}

// Grouped returns the chains of several moves, grouped by what they have in common.
func (g *gamePage) Grouped() (list []grouped) {
	for _, chains := range g.inGroups(false) {
		list = append(list, grouped{chains, g.wider(chains)})
	}
	return list
}

// Swaps returns the single moves, grouped by what they have in common.
func (g *gamePage) Swaps() [][]turn.Chain { return g.inGroups(true) }

// wider returns the address for Wider; "" if all of a group is in sight.
func (g *gamePage) wider(chains []turn.Chain) string {
	first := chains[0].Moves[0]
	for _, o := range g.Lying() {
		leads := func(n turn.Named) bool { return n.Notation == first }
		if !chains[0].Whole && o.Plays == "" && !(o.Spot != "" && g.near[o.Spot]) && slices.ContainsFunc(g.M.From(o.Key), leads) {
			return o.Href
		}
	}
	return ""
}

// Along reports whether the groups are only one way out among others. They then stand in a row with what else can be
// done before the turn ends, and take no room of their own.
func (g *gamePage) Along() bool {
	return slices.ContainsFunc(g.Ends, func(c turn.Chain) bool { return c.Group == "" })
}

func (g *gamePage) inGroups(single bool) (groups [][]turn.Chain) {
	for _, c := range g.Ends {
		switch n := len(groups); {
		case c.Group == "" || len(c.Moves) == 1 != single:
		case n > 0 && groups[n-1][0].Group == c.Group:
			groups[n-1] = append(groups[n-1], c)
		default:
			groups = append(groups, []turn.Chain{c})
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
		return c.Group != "" && (len(c.Moves) == 1 || o.Plays == "" || c.Whole && c.Moves[0] == o.Plays) && verbOf(c.Moves[0]) == verb
	})
}

func verbOf(move string) string {
	verb, _, _ := strings.Cut(move, " ")
	return verb
}

// playAll plays the moves in a form one after the other, with a word to the table if there is one. It makes the moves
// after the first as long as the same decision goes on, once standing orders have answered what comes in between; a
// form sent again plays nothing more. It stops at the first move that is refused, and the page asks what is open. If
// that is something else, such as where to pay from, the rest is played once that is answered.
func (v *visit) playAll(at door.At, in door.Move) error {
	moves, first := strings.Split(in.Text, "; "), at
	in.Text = moves[0]
	ans, err := v.Play(at, in)
	if err != nil {
		return err
	}
	defer func() { _ = v.Desk.Settle(v.Ctx(), first.Table) }() // show at once what follows from the moves; otherwise the runner does it
	if err = v.Word(first, v.FormValue("word")); err != nil || ans.Again {
		return err
	}
	left, err := v.goOn(at, in, moves[1:min(len(moves), maxChain)])
	if err != nil {
		return err
	}
	return v.thenPlay(first, in.Decision.Seat, in.Line, left)
}

// goOn makes moves one after the other, as answers to one decision; left holds those that could not be made.
func (v *visit) goOn(at door.At, in door.Move, moves []string) (left []string, err error) {
	for i, next := range moves {
		in.Text, at.ID = next, events.Derive("chain", at.ID[:], []byte{byte(i)})
		ans, err := v.Play(at, in)
		if _, refused := domain.AsRefusal(err); refused {
			_ = v.Desk.Settle(v.Ctx(), at.Table) // the runner retries what fails
			ans, err = v.Play(at, in)
		}
		if _, refused := domain.AsRefusal(err); refused {
			return moves[i:], nil
		}
		if err != nil || ans.Again {
			return nil, err
		}
	}
	return nil, nil
}

// maxChain is the maximum number of moves in one form.
const maxChain = 16
