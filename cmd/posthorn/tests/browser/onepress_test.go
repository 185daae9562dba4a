package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/standin"
)

// thought returns the move of a player who lets a stand-in think. Cards are exchanged only if the new one can be
// chosen: an estimate of unseen cards would gamble on them in every turn.
func thought(s *standin.Sight, gambles bool) (domain.Move, bool) {
	s.Moves = slices.DeleteFunc(s.Moves, func(m domain.Move) bool {
		mv, ok := m.(state.Move)
		return ok && mv.Verb == state.Swap && !gambles
	})
	return standin.Steady{}.Choose(s)
}

// onePress is a player who checks whether one press offers what they would do anyway. They think it through on a deal
// of what they do not know, with their standing orders in force.
type onePress struct {
	t       *testing.T
	rb      domain.Rulebook
	seat    domain.Seat
	orders  []string
	gambles bool
	luck    uint64
}

// instead returns the offer that a player takes in place of a move, or nil if they make the move.
func (p onePress) instead(s domain.State, move string, offered [][]string) (best []string) {
	p.t.Helper()
	for _, list := range offered {
		if len(list) > max(1, len(best)) && list[0] == move && p.goesOn(s, list) {
			best = list
		}
	}
	if best != nil {
		return best
	}
	verb, rest, _ := strings.Cut(move, " ")
	switch verb {
	case "neutral": // they do not care where the neutrals build, as long as they stand as well after it
		for _, list := range offered {
			if len(list) > len(best) && strings.HasPrefix(list[0], "neutral ") &&
				p.worth(s, list[0]) >= p.worth(s, move) && p.goesOn(s, list) {
				best = list
			}
		}
		return best
	case "bank": // they do not care where it is stored, but what it is
		want, ok := p.next(s, move, "into").(state.Move)
		if !ok {
			return nil
		}
		whole := move + " " + s.(*state.State).Realms[p.seat].Yields(want.Into[0].Place()).String()
		return firstOf(offered, func(list []string) bool {
			return list[0] == whole || strings.HasPrefix(list[0], whole+" ")
		})
	case "search": // they do not care under which stack the card goes, but from which the new one comes
		if stack, ok := p.next(s, move, "stack").(state.Move); ok {
			card := "search " + strings.Fields(rest)[0] + " "
			return firstOf(offered, func(list []string) bool {
				return strings.HasPrefix(list[0], card) && list[len(list)-1] == p.rb.FormatMove(stack, nil)
			})
		}
	}
	return nil
}

// worth returns how well a player stands after a move.
func (p onePress) worth(s domain.State, move string) float64 {
	p.t.Helper()
	dealt := p.deal(s)
	p.make(dealt, move)
	return p.rb.Value(dealt, p.seat)
}

func firstOf(offered [][]string, fits func([]string) bool) []string {
	if i := slices.IndexFunc(offered, fits); i >= 0 {
		return offered[i]
	}
	return nil
}

// goesOn reports whether a player would make the moves one after the other.
func (p onePress) goesOn(s domain.State, moves []string) bool {
	p.t.Helper()
	dealt := p.deal(s)
	for i, text := range moves {
		if i > 0 {
			p.obeyed(dealt)
			if m, ok := p.think(dealt, i); !ok || !alike(p.rb.FormatMove(m, nil), text) {
				return false
			}
		}
		p.make(dealt, text)
	}
	return true
}

// alike reports whether two moves are the same to a player: equal, or a card exchanged for the same chosen card,
// wherever it goes.
func alike(a, b string) bool {
	given := func(text string) string {
		if words := strings.Fields(text); len(words) == 3 && words[0] == "search" {
			return words[1]
		}
		return ""
	}
	return a == b || given(a) != "" && given(a) == given(b)
}

// next returns what a player does after a move once it is paid for, if that is of the given kind. The payment may
// already say where a resource is stored.
func (p onePress) next(s domain.State, move, kind string) domain.Move {
	p.t.Helper()
	dealt := p.deal(s)
	p.make(dealt, move)
	p.obeyed(dealt)
	m, ok := p.think(dealt, 1)
	if kind == "stack" && m.(state.Move).Verb == state.PayFrom { // that is asked first, and the stack again after it
		p.make(dealt, p.rb.FormatMove(m, nil))
		m, ok = p.think(dealt, 2)
	}
	if text := p.rb.FormatMove(m, nil); ok &&
		(strings.HasPrefix(text, kind+" ") || strings.Contains(text, " "+kind+" ")) {
		return m
	}
	return nil
}

func (p onePress) deal(s domain.State) domain.State {
	return standin.Look(p.rb, s, p.seat, p.luck).Deal()
}

func (p onePress) think(s domain.State, n int) (domain.Move, bool) {
	if m, ok := thought(standin.Look(p.rb, s, p.seat, p.luck+uint64(n)), p.gambles); ok {
		return m, true
	}
	return state.Move{}, false
}

// obeyed lets the player's standing orders answer everything they can in a state.
func (p onePress) obeyed(s domain.State) {
	p.t.Helper()
	for range 100 {
		does, ok := p.rb.Extras().Orders.Obey(p.orders, domain.Decision{Seat: p.seat},
			p.rb.View(s, domain.ViewOf(p.seat)))
		if !ok {
			return
		}
		p.make(s, p.rb.FormatMove(does.Move, nil))
	}
}

func (p onePress) make(s domain.State, text string) {
	p.t.Helper()
	move, err := p.rb.ParseMove(text, nil)
	require.NoError(p.t, err)
	thrown := domain.NewThrowaway(p.luck).Begin()
	e, err := p.rb.Decide(s, p.seat, move, thrown)
	require.NoError(p.t, err, text)
	e.Seat, e.Draws, e.Move = p.seat, thrown.Used(), text
	p.rb.Evolve(s, &e)
}

// press returns what a player does next: a move, what the same press plays after it, and the number of presses.
func (p onePress) press(s domain.State,
	presses func(domain.Rulebook, domain.State, domain.Seat, domain.Move, string) int) (domain.Move, []string, int) {
	p.t.Helper()
	move, ok := p.think(s, 0)
	require.True(p.t, ok)
	text := p.rb.FormatMove(move, nil)
	var offered [][]string
	for _, c := range p.rb.Extras().Chains(s, p.seat) {
		offered = append(offered, written(p.rb, c))
	}
	all := p.instead(s, text, offered)
	if all == nil {
		all = []string{text}
	}
	begun, err := p.rb.ParseMove(all[0], nil)
	require.NoError(p.t, err)
	return begun, all[1:], presses(p.rb, s, p.seat, begun, strings.Join(all, "; "))
}

// chained returns how many presses play these moves at once: one in the bar, two where they are chosen first; 0 if none
// do.
func chained(rb domain.Rulebook, s domain.State, seat domain.Seat, played string) int {
	groups := map[string]int{}
	for _, c := range rb.Extras().Chains(s, seat) {
		if len(c.Moves) > 1 {
			groups[c.Group.Key]++
		}
		switch {
		case strings.Join(written(rb, c), "; ") != played:
		case c.Group.Key == "", c.Group.Key == "chain.draw" && groups[c.Group.Key] == 1: // what the bar has
			return 1
		case len(c.Moves) == 1: // its list is opened first
			return 3
		default:
			return 2
		}
	}
	return 0
}

func written(rb domain.Rulebook, c domain.Chain) []string {
	list := make([]string, len(c.Moves))
	for i, m := range c.Moves {
		list[i] = rb.FormatMove(m, nil)
	}
	return list
}
