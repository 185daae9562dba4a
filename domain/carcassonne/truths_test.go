package carcassonne

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/rulebooktest"
)

// refusedTurn is what a refusal is compared with: the position as a view and as the slow board, and the turn.
type refusedTurn struct {
	*rulebooktest.Refused
	v    *state.View
	b    *slowBoard
	m    state.Move
	at   slowAt
	tile slowTile
}

func so(is func(r refusedTurn) bool) func(*rulebooktest.Refused) bool {
	return func(r *rulebooktest.Refused) bool {
		v, m := r.State.(*state.State).View(), r.Move.(state.Move)
		return is(refusedTurn{r, v, slowFrom(v), m, slowAt{int(m.X), int(m.Y)},
			slowTile{v.Tile.Tile(), int(m.Quarter)}})
	}
}

// here reports whether the tile may lie like this with some other second step.
func (r refusedTurn) here(is func(c table.Choice) bool) bool {
	return slices.ContainsFunc(r.Legal(), func(l domain.Move) bool {
		m := l.(state.Move)
		return m.X == r.m.X && m.Y == r.m.Y && m.Quarter == r.m.Quarter && is(m.Follower)
	})
}

func anything(table.Choice) bool  { return true }
func nobody(c table.Choice) bool  { return c == table.Nobody }
func anAbbot(c table.Choice) bool { _, abbot, ok := c.Place(); return ok && abbot }

func (r refusedTurn) part() (p table.Place) { p, _, _ = r.m.Follower.Place(); return p }

// others counts the figures in the feature that a part of the tile would belong to.
func (r refusedTurn) others(part int) int {
	r.b.tiles[r.at] = r.tile
	defer delete(r.b.tiles, r.at)
	feature, _ := r.b.flood(slowPart{r.at, part})
	return len(r.b.within(feature))
}

// meets returns what lies beside an edge of the place, if a tile does.
func (r refusedTurn) meets(e int) (table.Kind, bool) {
	there, ok := r.b.tiles[beside(r.at, e)]
	if !ok {
		return table.NoKind, false
	}
	return there.edge((e + 2) % 4), true
}

// edges reports whether some edge beside a tile does what is asked.
func (r refusedTurn) edges(is func(own, other table.Kind) bool) bool {
	for e := range 4 {
		if other, ok := r.meets(e); ok && is(r.tile.edge(e), other) {
			return true
		}
	}
	return false
}

func (r refusedTurn) out() (slowFigure, bool) {
	i := slices.IndexFunc(r.b.figures, func(f slowFigure) bool { return f.abbot && f.seat == r.v.ToMove })
	if i < 0 {
		return slowFigure{}, false
	}
	return r.b.figures[i], true
}

// truths says of each refusal when it is true, from the slow board.
var truths = rulebooktest.Truths{
	"move-unreadable": rulebooktest.Never, "edge-missing": rulebooktest.Never, "turn-unreadable": rulebooktest.Never,
	"abbot-where": rulebooktest.Never,
	"given":       rulebooktest.Never, "not-your-turn": rulebooktest.Never,

	"place-taken": so(func(r refusedTurn) bool { _, there := r.b.tiles[r.at]; return there }),
	"place-alone": so(func(r refusedTurn) bool { return !r.edges(func(_, _ table.Kind) bool { return true }) }),
	"edge-differs": so(func(r refusedTurn) bool {
		return r.edges(func(own, other table.Kind) bool {
			return own != other && r.Args["have_word"] == "kind."+own.String() &&
				r.Args["want_word"] == "kind."+other.String()
		})
	}),
	"river-apart": so(func(r refusedTurn) bool {
		return r.tile.tile.Set != table.Base &&
			!r.edges(func(own, other table.Kind) bool { return own == table.River && other == table.River })
	}),
	"river-turns-back": so(func(r refusedTurn) bool {
		return r.edges(func(own, other table.Kind) bool { return own == table.River && other == table.River }) &&
			slices.ContainsFunc(r.Legal(), func(l domain.Move) bool {
				m := l.(state.Move)
				return m.X == r.m.X && m.Y == r.m.Y
			})
	}),
	"follower-due":    so(func(r refusedTurn) bool { return r.b.choices.Solo && r.here(anything) && !r.here(nobody) }),
	"river-unclaimed": so(func(r refusedTurn) bool { return r.part().Kind == table.River }),
	"no-such-part": so(func(r refusedTurn) bool {
		p := r.part()
		return p.Kind.Shrine() && r.tile.tile.Shrine != p.Kind || !p.Kind.Shrine() &&
			r.tile.partAt(p.Kind, int(p.At)) < 0
	}),
	"solo-no-farmer": so(func(r refusedTurn) bool { return r.b.choices.Solo && r.part().Kind == table.Field }),
	"farmers-off":    so(func(r refusedTurn) bool { return !r.b.choices.Farmers && r.part().Kind == table.Field }),
	"no-follower":    so(func(r refusedTurn) bool { return r.v.Followers[r.v.ToMove] == 0 && r.here(nobody) }),
	"no-follower-abbot": so(func(r refusedTurn) bool {
		return r.v.Followers[r.v.ToMove] == 0 && r.here(anAbbot) && !r.here(nobody)
	}),
	"feature-claimed": so(func(r refusedTurn) bool {
		p := r.part()
		return r.others(r.tile.partAt(p.Kind, int(p.At))) > 0 && r.here(anything)
	}),
	"abbot-off":  so(func(r refusedTurn) bool { return !r.b.choices.Abbot }),
	"abbot-away": so(func(r refusedTurn) bool { _, out := r.out(); return out && r.v.Abbots[r.v.ToMove] == 0 }),
	"abbot-home": so(func(r refusedTurn) bool { _, out := r.out(); return !out && r.v.Abbots[r.v.ToMove] > 0 }),
	"garden-abbot-only": so(func(r refusedTurn) bool {
		return r.part().Kind == table.Garden && !anAbbot(r.m.Follower)
	}),
	"recall-complete": so(func(r refusedTurn) bool {
		r.b.tiles[r.at] = r.tile
		f, out := r.out()
		return out && r.b.neighbours(f.at) == 8
	}),
	"order-twice": so(func(r refusedTurn) bool {
		return len(codes(r.m.Order)) > len(compact(codes(r.m.Order))) || named(r.m.Order)
	}),
	"order-not-scored": so(func(r refusedTurn) bool { return r.m.Order != 0 }),
	"order-needed": so(func(r refusedTurn) bool {
		return r.b.choices.Solo && r.here(func(c table.Choice) bool { return c == r.m.Follower })
	}),
}

func codes(o state.Order) (list []uint8) {
	for _, c := range o.All() {
		list = append(list, c)
	}
	return list
}

func compact(list []uint8) []uint8 {
	slices.Sort(list)
	return slices.Compact(list)
}

// named reports whether an order names several edges of one kind, which may belong to one feature.
func named(o state.Order) bool {
	seen := map[table.Kind]bool{}
	for _, c := range codes(o) {
		k, _, _, _ := state.OrderNamed(c)
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}
