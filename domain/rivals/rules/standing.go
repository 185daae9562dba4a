package rules

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Standing returns the victory points; nothing is added at the end.
func (*Room) Standing(s *state.State, _ domain.Viewer) domain.Standing {
	a, b := s.Victory(0), s.Victory(1)
	d := domain.Standing{Scores: []int{a, b}, Final: []int{a, b}}
	if s.Phase != state.Over {
		return d
	}
	d.Ended, d.Ranks = true, []int{2, 2}
	if s.Winner == domain.Nobody {
		d.Ranks, d.Result = []int{1, 1}, []domain.Say{domain.S("result.draw", "n", a)}
	} else {
		d.Ranks[s.Winner] = 1
		n, m := s.Victory(s.Winner), s.Victory(state.Other(s.Winner))
		d.Result = []domain.Say{domain.S("result.won", "seat", s.Winner, "n", n)}
		if n < int(s.Goal) {
			d.Result = []domain.Say{domain.S("result.closed", "seat", s.Winner, "n", n, "m", m)}
		}
	}
	for seat := range domain.Seat(2) {
		d.Causes = append(d.Causes, causes(s, seat))
	}
	return d
}

// causes says in a sentence where a seat's victory points come from; they add up to them.
func causes(s *state.State, seat domain.Seat) []domain.Say {
	var list []domain.Say
	add := func(points int, what domain.Say) {
		if points != 0 {
			list = append(list, domain.S("cause", "what", what, "points", "+"+strconv.Itoa(points)))
		}
	}
	r := &s.Realms[seat]
	var towns [3]int // by level
	for _, town := range r.EachTown() {
		towns[town.Level]++
	}
	add(towns[1], domain.S("cause.settlements", "n", towns[1]))
	add(2*towns[2], domain.S("cause.cities", "n", towns[2]))
	for _, c := range r.Cards() {
		points := int(c.Row().Points.Victory)
		if r.Ships >= 3 {
			points += int(c.Row().Scores)
		}
		add(points, c.Word())
	}
	if s.Strongest() == seat {
		add(1, domain.S("cause.hero"))
	}
	if s.Busiest() == seat {
		add(1, domain.S("cause.trade"))
	}
	return []domain.Say{domain.S("causes", "list", list)}
}
