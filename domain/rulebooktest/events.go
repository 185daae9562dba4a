package rulebooktest

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// followed is one of several states that a viewer cannot tell apart, after a move: what the viewer then sees, and what
// they read of the event.
type followed struct {
	state  domain.State
	event  domain.Event
	shown  outputs
	screen string // what the viewer sees, in one piece
	read   string
}

// lockstep plays on in states that a viewer cannot tell apart. What the viewer reads of a move must follow from what
// they see before and after it: the view justifies whatever comes to light, and an event reveals nothing more.
// Conversely, what they see must follow from what they have read.
func (g *game) lockstep(states []domain.State, v domain.Viewer) {
	states = slices.Clone(states)
	for i := range states {
		states[i] = g.rb.Clone(states[i])
	}
	for range 6 {
		open := g.rb.Awaited(states[0])
		if len(open) == 0 {
			return
		}
		seat := open[g.dice.below(len(open))].Seat
		moves := legal(g.rb, states[0], seat)
		if len(moves) == 0 {
			return
		}
		m := moves[g.dice.below(len(moves))]
		states = g.together(states, seat, m, v)
	}
}

// together makes a move in all states, and returns those that the viewer then cannot tell from the first.
func (g *game) together(states []domain.State, seat domain.Seat, m domain.Move, v domain.Viewer) []domain.State {
	first, err := g.followed(states[0], seat, m, v)
	require.NoError(g.t, err, "%s: a legal move is refused on a fresh deal", g.where)
	if v.Seat() != seat && v != domain.Referee {
		g.chosenUnseen(first, states[0], seat, m, v)
	}
	all, next := []followed{first}, []domain.State{first.state}
	other := false
	for _, s := range states[1:] {
		f, err := g.followed(s, seat, m, v)
		if err != nil {
			require.NotEqual(g.t, v.Seat(), seat,
				"%s: the same move of the viewer is legal in one deal and not in another: %v", g.where, err)
			if !other { // one is enough: each costs judging every move
				g.likewise(first, s, seat, m, v)
			}
			other = true
			continue
		}
		all = append(all, f)
		if f.screen == first.screen && f.read == first.read {
			next = append(next, f.state)
		}
	}
	for i := range all {
		for j := range all[:i] {
			g.consistent(&all[j], &all[i], m, v)
		}
	}
	return next
}

// manyOthers is how many other moves to compare with one.
const manyOthers = 6

// chosenUnseen checks that if a seat's choice stays hidden, so that a viewer sees the same whatever it was and only the
// truth differs, the event does not reveal it.
func (g *game) chosenUnseen(first followed, s domain.State, seat domain.Seat, m domain.Move, v domain.Viewer) {
	truth, others := g.truth(first.state), g.sample(legal(g.rb, s, seat))
	for _, n := range others[:min(len(others), manyOthers)] {
		f, err := g.followed(s, seat, n, v)
		if err != nil || f.screen != first.screen || g.truth(f.state) == truth {
			continue
		}
		if sameInPublic(f.event.Move, first.event.Move) {
			g.alike(first.read, f.read, "the event differs",
				"the event of %s tells viewer %d a choice of what they are not shown", g.rb.FormatMove(m, nil), v)
		}
	}
}

// sameInPublic reports whether two moves differ at most in what must stay hidden. Where neither has a "?" that may be
// anything; in a move told with a "?", the rest says what is public.
func sameInPublic(a, b string) bool {
	if !strings.Contains(a+b, "?") {
		return true
	}
	as, bs := strings.Fields(a), strings.Fields(b)
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if as[i] != bs[i] && as[i] != "?" && bs[i] != "?" {
			return false
		}
	}
	return true
}

// consistent checks, for two states after the same move, that the viewer was told of a difference if and only if they
// see one.
func (g *game) consistent(a, b *followed, m domain.Move, v domain.Viewer) {
	if a.screen == b.screen {
		g.alike(a.read, b.read, "the event differs", "the event of %s tells viewer %d what they are not shown",
			g.rb.FormatMove(m, nil), v)
	}
	if a.read == b.read {
		g.same(a.shown, b.shown, "after %s viewer %d can tell two states apart that gave the same events",
			g.rb.FormatMove(m, nil), v)
	}
}

// likewise checks a move that another seat has in one deal but not in another, because of what only that seat knows: if
// some moves of the other deal leave the viewer with the same view, then one of those reads the same to them. What the
// move names stays hidden in the event, too.
func (g *game) likewise(want followed, s domain.State, seat domain.Seat, m domain.Move, v domain.Viewer) {
	all := legal(g.rb, s, seat)
	for _, n := range all {
		if e, err := g.decide(s, seat, n); err == nil && e.Move == want.event.Move &&
			g.read(&e, v) == g.read(&want.event, v) {
			return
		}
	}
	for _, n := range g.sample(all) {
		if f, err := g.followed(s, seat, n, v); err == nil && f.screen == want.screen {
			g.alike(want.read, f.read, "the event differs", "the event of %s tells viewer %d what they are not shown",
				g.rb.FormatMove(m, nil), v)
		}
	}
}

func (g *game) followed(s domain.State, seat domain.Seat, m domain.Move, v domain.Viewer) (followed, error) {
	e, err := g.decide(s, seat, m)
	if err != nil {
		return followed{}, err
	}
	f := followed{state: g.rb.Clone(s), event: e, read: g.read(&e, v)}
	if uncovered := g.rb.Extras().Uncovered; uncovered != nil { // a proposal to go back tells everybody
		f.read += asJSON(g.t, uncovered(s, &e))
	}
	f.read += asJSON(g.t, g.counted(s, &e)) // the log tells everybody
	g.rb.Evolve(f.state, &e)
	f.shown = g.outputs(f.state, v)
	f.screen = asJSON(g.t, f.shown.texts)
	return f, nil
}
