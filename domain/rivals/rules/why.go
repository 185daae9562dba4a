package rules

import (
	"cmp"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// WhyNot says, for each card of a seat's hand, why it cannot be used now; nil for one that can. It is empty unless
// the seat is in the action phase and no other question comes first.
func WhyNot(s *state.State, seat domain.Seat) []*domain.Say {
	if seat == domain.Nobody || s.Active != seat || s.Phase != state.Acting || s.TasksN > 0 {
		return nil
	}
	r := &s.Realms[seat]
	list := make([]*domain.Say, r.HandN)
	for i := range int(r.HandN) {
		c := r.Hand[i].Card
		wrong := mayPlay(s, seat, c)
		if c.Row().Kind != table.ActionCard {
			wrong = cmp.Or(mayBuild(s, seat, c, r.Stock()), nowhere(s, seat, c))
		}
		if wrong != "" {
			say := wrong.ofCard(s, seat, c).Say()
			list[i] = &say
		}
	}
	return list
}

// nowhere returns why a card to be built finds no site; "" if it finds one.
func nowhere(s *state.State, seat domain.Seat, c table.Card) check {
	if c.Same(table.GoldCache) {
		return ""
	}
	wrong := check("no-place")
	r := &s.Realms[seat]
	for t := int(r.Left); t <= int(r.Right); t++ {
		for side := range 2 {
			_, w := freeSite(s, seat, c, t, side)
			if w == "" {
				return ""
			}
			if w != "site-taken" {
				wrong = w
			}
		}
	}
	return wrong
}

// Hindrances returns everything that prevents a seat from using a card of its hand or of the face-up stack now, no
// matter whose turn it is.
func Hindrances(s *state.State, seat domain.Seat, c table.Card) (list []domain.Say) {
	row, r := c.Row(), &s.Realms[seat]
	switch reacts := row.On("react"); {
	case row.Kind == table.ActionCard && reacts:
		if kind := s.Asked(seat); kind != state.TaskReact && kind != state.TaskRiot {
			list = append(list, domain.S("not.reaction"))
		}
		return list
	case row.Kind == table.ActionCard && row.Fixes:
		if s.Active != seat || s.Phase != state.Rolling || s.TasksN > 0 {
			list = append(list, domain.S("not.before-roll"))
		}
		return list
	case s.Active != seat || s.Phase != state.Acting:
		list = append(list, domain.S("not.action-phase"))
	case s.TasksN > 0:
		list = append(list, domain.S("not.answer-first"))
	}
	for _, group := range row.Needs {
		if !meetsGroup(s, seat, group) {
			list = append(list, domain.S("not.needs", "what", table.GroupSay(group)))
		}
	}
	if row.Kind == table.ActionCard {
		return append(list, idle(s, seat, c)...)
	}
	if row.One && r.Has(c) {
		list = append(list, domain.S("refuse.one-only", "card", c.Word()))
	}
	if have, less := r.Stock(), discount(s, seat, row); !affords(have, row.Cost, less) {
		list = append(list, missing(have, row.Cost, less))
	}
	if wrong := nowhere(s, seat, c); wrong != "" {
		list = append(list, wrong.refusal("card", c.Word()).Say())
	}
	return list
}

// idle returns what prevents an action card from doing anything, apart from its conditions.
func idle(s *state.State, seat domain.Seat, c table.Card) []domain.Say {
	row := c.Row()
	if row.On("settle") {
		return []domain.Say{domain.S("not.settling")}
	}
	for i := range row.Play {
		if wrong := mayEffect(s, seat, &row.Play[i]); wrong != "" {
			return []domain.Say{wrong.ofCard(s, seat, c).Say()}
		}
	}
	return nil
}

// meets reports whether a seat meets a card's conditions: one of every group.
func meets(s *state.State, seat domain.Seat, row *table.Row) bool {
	for _, group := range row.Needs {
		if !meetsGroup(s, seat, group) {
			return false
		}
	}
	return true
}

// meetsGroup reports whether a seat meets one of a group of alternative conditions.
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

// needSay lists what a card requires, alternatives with "or" between.
func needSay(r *table.Row) (list []domain.Say) {
	for _, group := range r.Needs {
		list = append(list, table.GroupSay(group))
	}
	return list
}
