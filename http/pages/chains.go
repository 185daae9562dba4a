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

// grouped are moves made one after the other that have something in common.
type grouped struct {
	Chains []turn.Chain
	Wider  string // the address of the choice that leads to their first moves and to others, which nothing else in sight does
}

// Grouped are moves made one after the other that have something in common, by that.
func (g *gamePage) Grouped() (list []grouped) {
	for _, chains := range g.inGroups(false) {
		list = append(list, grouped{chains, g.wider(chains)})
	}
	return list
}

// Swaps are single moves that have something in common, by that.
func (g *gamePage) Swaps() [][]turn.Chain { return g.inGroups(true) }

// wider is the address of that choice; "" where all of a group is in sight.
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

// Along reports whether what has something in common is one way out among others: it stands in a row with what can be done before
// then, and takes no room of its own.
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

// spared reports whether a way out of the turn need not stand alone: a chain is a shorter name for it, or each begins with it.
func (g *gamePage) spared(o pickOption) bool {
	begins := func(c turn.Chain) bool { return c.Moves[0] == o.Plays }
	return slices.ContainsFunc(g.Ends, begins)
}

// swapped reports whether an option is of a kind of move that the page offers as a whole, so that its steps need not stand there too.
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

// playAll plays what a form says, with a word to the table if there is one, one move after the other. What follows the first is made while the same decision goes
// on, once standing orders have answered what stands between; a form that is sent again plays nothing more. One that is refused ends it, and the
// page asks what is open: where that is something else, as where it is paid from, the rest is played once that is answered.
func (v *visit) playAll(at door.At, in door.Move) error {
	moves, first := strings.Split(in.Text, "; "), at
	in.Text = moves[0]
	ans, err := v.Play(at, in)
	if err != nil {
		return err
	}
	defer func() { _ = v.Desk.Settle(v.Ctx(), first.Table) }() // what follows by itself is seen at once; the runner does it otherwise
	if err = v.Word(first, v.FormValue("word")); err != nil || ans.Again {
		return err
	}
	left, err := v.goOn(at, in, moves[1:min(len(moves), maxChain)])
	if err != nil {
		return err
	}
	return v.thenPlay(first, in.Decision.Seat, in.Line, left)
}

// goOn makes moves one after the other, as answers to one decision; left are those that could not be made.
func (v *visit) goOn(at door.At, in door.Move, moves []string) (left []string, err error) {
	for i, next := range moves {
		in.Text, at.ID = next, events.Derive("chain", at.ID[:], []byte{byte(i)})
		ans, err := v.Play(at, in)
		if _, refused := domain.AsRefusal(err); refused {
			_ = v.Desk.Settle(v.Ctx(), at.Table) // what fails is the runner's to try again
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

// maxChain is how many moves one form may make.
const maxChain = 16
