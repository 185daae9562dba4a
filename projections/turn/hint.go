package turn

import (
	"encoding/binary"
	"slices"
	"sync"

	"posthorn/domain"
	"posthorn/domain/standin"
)

// hinted finds the keys of a sound move: the one the steady stand-in would make, which knows no more than the seat. The
// same situation gives the same hint.
func (mod *Model) hinted(state domain.State) func() []string {
	rb, seat, seed := mod.rulebook, mod.Seat, binary.BigEndian.Uint64(mod.Head.Hash[:8])
	return func() []string {
		m, ok := standin.Steady{}.Choose(standin.Look(rb, state, seat, seed))
		if !ok {
			return nil
		}
		keys, _ := mod.KeysOf(m)
		return keys
	}
}

// ranking lists the moves, the best first, by the estimate of the steady stand-in, which knows no more than the seat,
// and says how many points a move brings.
func (mod *Model) ranking(state domain.State) (func() []standin.Rated, func(domain.Move) (int, bool)) {
	rb, seat, seed := mod.rulebook, mod.Seat, mod.Version // what the reader may not know does not change it
	look := sync.OnceValue(func() *standin.Sight { return standin.Look(rb, state, seat, seed) })
	return func() []standin.Rated { return standin.Steady{}.Ranked(look()) },
		func(m domain.Move) (int, bool) { return look().Brings(m) }
}

// quiet returns a function that reports whether a seat's move answers no offer and ends none that others are asked
// about; every answer that the seat may give to an offer, first what a yes may mean; and how many of these a yes may.
func quiet(line *domain.Line, seat domain.Seat) (is func(domain.Move) bool, all []domain.Move, offered int) {
	if answers := line.Rulebook.Extras().Answers; answers != nil {
		all = answers(line.State, seat, true)
		offered = len(all)
		all = slices.Concat(all, answers(line.State, seat, false))
	}
	return func(m domain.Move) bool { return !slices.Contains(all, m) && !line.Unasks(seat, m, 0) }, all, offered
}

// Quiet reports whether a move answers no offer and ends none that others are asked about.
func (mod *Model) Quiet(m domain.Move) bool { return mod.quiet == nil || mod.quiet(m) }

// Offered reports whether a yes takes up the one offer that the seat is asked about.
func (mod *Model) Offered() bool { return mod.offered == 1 }

// Brings returns by how many points a move raises the seat's score at once; ok is false if that cannot be known.
func (mod *Model) Brings(m domain.Move) (points int, ok bool) {
	if mod.brings == nil {
		return 0, false
	}
	return mod.brings(m)
}

// distinct returns Groups without moves that look like an earlier one, and how many moves remain.
func (mod *Model) distinct() (groups []Group, of int) {
	groups = mod.Groups()
	for i := range groups {
		groups[i].Moves = slices.DeleteFunc(groups[i].Moves, func(m Named) bool {
			return slices.ContainsFunc(m.Path, func(o Option) bool { return o.Like != "" })
		})
		for _, m := range groups[i].Moves {
			mod.tree.unname(m.Path)
		}
		of += len(groups[i].Moves)
	}
	return groups, of
}

// Out returns the move that ends the turn or passes, if there is one alone and it answers no offer.
func (mod *Model) Out() (out Named, ok bool) {
	groups, _ := mod.distinct()
	for _, g := range groups {
		for _, n := range g.Moves {
			if len(n.Path) == 1 && n.Path[0].Out && mod.Quiet(n.Move) {
				if ok {
					return Named{}, false
				}
				out, ok = n, true
			}
		}
	}
	return out, ok
}

// Top returns the moves to show first, at most that many, and how many there are: the answers to what the seat is
// offered, then those that the stand-in's estimate ranks best. Where all of these begin alike, the best other one takes
// the place of the last, if it is worth nearly as much.
func (mod *Model) Top(most int) (top []Named, of int) {
	groups, of := mod.distinct()
	left, worth := map[domain.Move]Named{}, map[domain.Move]float64{}
	order := slices.Clone(mod.answers)
	for _, g := range groups {
		for _, m := range g.Moves {
			left[m.Move] = m
		}
	}
	if mod.ranked != nil && of > 1 {
		for _, r := range mod.ranked() {
			order, worth[r.Move] = append(order, r.Move), r.Value
		}
	}
	for _, g := range groups {
		order = append(order, each(g.Moves, func(m Named) domain.Move { return m.Move })...)
	}
	for _, m := range order {
		if n, ok := left[m]; ok && len(top) < most {
			top = append(top, n)
			delete(left, m)
		}
	}
	last := len(top) - 1
	if last < 1 || slices.ContainsFunc(top, func(n Named) bool { return n.Path[0].Key != top[0].Path[0].Key }) {
		return top, of
	}
	for _, m := range order {
		if n, ok := left[m]; ok && n.Path[0].Key != top[0].Path[0].Key && !n.Path[0].Out {
			if least, ok := worth[top[last].Move]; ok && least-worth[m] <= nearlyAsMuch {
				top[last] = n
			}
			break
		}
	}
	return top, of
}

// nearlyAsMuch is by how many points a move of another kind may fall short that is shown beside the best.
const nearlyAsMuch = 0.5

// unname removes the letters that a path does not need.
func (n *node) unname(path []Option) {
	for i, o := range path {
		at := slices.IndexFunc(n.next, func(c *node) bool { return c.Key == o.Key })
		if n = n.next[at]; n.spare {
			path[i].Name = ""
		}
	}
}

// unopposed reports whether only computers, if anybody, play against the asker's seat.
func (mod *Model) unopposed(t *domain.Table) bool {
	return !slices.ContainsFunc(slices.Concat(t.Places[:mod.Seat:mod.Seat], t.Places[mod.Seat+1:]),
		func(p domain.TablePlace) bool { return p.Kind != domain.SeatStandIn })
}

// MayHint reports whether the asker may see a sound move: only if nobody but computers plays against them.
func (mod *Model) MayHint() bool { return mod.hint != nil }

// Hint returns the keys of a sound move, for Choose; nil if there is none or the asker may not see it.
func (mod *Model) Hint() []string {
	if mod.hint == nil {
		return nil
	}
	return mod.hint()
}
