package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// meets tells whether a seat fulfils a card's conditions: one of every group.
func meets(s *state.State, seat domain.Seat, row *table.Row) bool {
	for _, group := range row.Needs {
		if !meetsGroup(s, seat, group) {
			return false
		}
	}
	return true
}

// meetsGroup tells whether a seat fulfils one of the conditions side by side.
func meetsGroup(s *state.State, seat domain.Seat, group []table.Need) bool {
	for i := range group {
		if meetsOne(s, seat, &group[i]) {
			return true
		}
	}
	return false
}

func meetsOne(s *state.State, seat domain.Seat, n *table.Need) bool {
	r := &s.Realms[seat]
	if n.Row != nil {
		return r.HasRow(n.Row)
	}
	switch n.Kind {
	case table.NeedCity:
		return r.HasCity()
	case table.NeedCommerce:
		return r.Points.Commerce >= n.N
	case table.NeedProgress:
		return r.Points.Progress >= n.N
	case table.NeedStrength:
		return s.Strongest() == seat
	case table.NeedStrongHero:
		return r.CountCards(func(c *table.Row) bool { return c.Hero && c.Points.Strength > 0 }) > 0
	case table.NeedBehind:
		return s.Victory(seat) < s.Victory(state.Other(seat))
	}
	return false
}

// needSay lists what a card asks for, alternatives with "or" between.
func needSay(r *table.Row) (list []domain.Say) {
	for _, group := range r.Needs {
		list = append(list, table.GroupSay(group))
	}
	return list
}
