package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Chances returns the regions whose number was rolled. A die set by a card is not luck.
func (*Room) Chances(s *state.State, e *domain.Event) (out []domain.Chance) {
	b, ok := e.Body.(*state.Played)
	if !ok || !slices.ContainsFunc(e.Draws, func(d domain.Draw) bool { return d.Purpose == "dice" && d.Size == 36 }) {
		return nil
	}
	for i := range b.Ops {
		if b.Ops[i].Code != state.OpDice {
			continue
		}
		for seat := range s.Realms {
			c := domain.Chance{Name: "regions", Entry: seat}
			for _, r := range s.Realms[seat].Regions {
				if r.Number == 0 {
					continue
				}
				c.Expected += 1.0 / 6
				if int16(r.Number) == b.Ops[i].N {
					c.Got++
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// Goods returns what lies on the regions and in the Gold Cache, all of it public.
func (*Room) Goods(v *state.View) (g domain.Goods) {
	for _, name := range table.ResNames {
		g.Kinds = append(g.Kinds, domain.S("res."+name))
	}
	for seat := range v.Realms {
		var list []int
		for _, n := range v.Realms[seat].Stock() {
			list = append(list, int(n))
		}
		g.Each = append(g.Each, list)
	}
	return g
}

// sources are what victory points come from.
var sources = []string{"settlements", "cities", "cards", "tokens"}

// Sources says where everybody's victory points are.
func (*Room) Sources(s *state.State, _ *domain.Event, _ domain.Sources) domain.Sources {
	so := domain.Sources{Kinds: sources}
	for seat := range domain.Seat(2) {
		row := make([]int, len(sources))
		for _, town := range s.Realms[seat].EachTown() {
			row[min(int(town.Level), 2)-1] += int(town.Level)
		}
		if s.Strongest() == seat {
			row[3]++
		}
		if s.Busiest() == seat {
			row[3]++
		}
		row[2] = s.Victory(seat) - row[0] - row[1] - row[3]
		so.Each = append(so.Each, row)
	}
	return so
}
