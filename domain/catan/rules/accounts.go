package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// waysOf returns how many of the 36 throws give a total.
func waysOf(total int) int { return 6 - max(total-7, 7-total) }

// Chances returns the sevens, and the cards that the dice brought each seat. In Catan for two the second roll's total
// differs from the first's (4).
func (*Room) Chances(s *state.State, e *domain.Event) []domain.Chance {
	b, ok := e.Body.(*state.Played)
	if !ok || b.Dice == [2]int8{} {
		return nil
	}
	not := 0
	if s.Rolls == 1 {
		not = int(s.Dice[0][0] + s.Dice[0][1])
	}
	all := 36.0
	if not > 0 {
		all -= float64(waysOf(not))
	}
	sevens := domain.Chance{Name: "sevens", Entry: -1}
	income := make([]domain.Chance, s.Seats)
	for c := range income {
		income[c] = domain.Chance{Name: "income", Entry: c}
	}
	thrown := int(b.Dice[0] + b.Dice[1])
	for total := 2; total <= 12; total++ {
		if total == not {
			continue
		}
		share := float64(waysOf(total)) / all
		if total == 7 {
			sevens.Expected = share
			if thrown == 7 {
				sevens.Got = 1
			}
			continue
		}
		gain, _ := production(s, int8(total))
		for c := range income {
			n := float64(gain[c].Len())
			income[c].Expected += n * share
			if total == thrown {
				income[c].Got = n
			}
		}
	}
	return append(income, sevens)
}

// Goods returns the cards of all hands: by kind if all are known, otherwise only how many.
func (*Room) Goods(v *state.View) (g domain.Goods) {
	known := true
	for c := range v.Seats {
		known = known && v.Known.Has(c)
	}
	if !known {
		g.Kinds = []domain.Say{domain.S("goods.cards")}
		for c := range v.Seats {
			g.Each = append(g.Each, []int{int(v.Size[c])})
		}
		return g
	}
	for _, w := range table.ResourceWords {
		g.Kinds = append(g.Kinds, domain.S("resource."+w))
	}
	for c := range v.Seats {
		var list []int
		for _, n := range v.Hand[c] {
			list = append(list, int(n))
		}
		g.Each = append(g.Each, list)
	}
	return g
}

// sources are what points come from.
var sources = []string{"settlements", "cities", "points", "longest", "army"}

// counted returns how many of each of the sources a seat has, and what they are worth.
func counted(s *state.State, c int8) (count, points []int) {
	settlements, cities, cards := table.BitCount(s.Settlements[c]), table.BitCount(s.Cities[c]),
		int(s.Cards[c][table.Point])
	return []int{settlements, cities, cards, int(s.Length[c]), int(s.Knights[c])},
		[]int{settlements, 2 * cities, cards, 2 * is(s.Longest == c), 2 * is(s.Army == c)}
}

// Sources says where everybody's points are.
func (*Room) Sources(s *state.State, _ *domain.Event, _ domain.Sources) domain.Sources {
	so := domain.Sources{Kinds: sources}
	for c := range s.Seats {
		_, points := counted(s, c)
		so.Each = append(so.Each, points)
	}
	return so
}
