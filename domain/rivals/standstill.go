package rivals

import "posthorn/domain"

// A game of the Rivals can come to stand still: all sites taken, nothing left in the middle, no
// lead that could change hands. The rulebook does not say what then, and whether anybody could
// still gain a point depends on hands that nobody may see. So the rule is our own and goes by
// what everybody sees: a turn moves the game if a road, a settlement or a city was built in it,
// or if at its end somebody has more victory points than at the end of any turn before. After
// stillRounds full rounds of turns that did not, whoever is in turn may close the game, and the
// points decide.
//
// What moves a game is used up: the middle has so many cards, and points have a goal. Whatever
// the other does, everybody can bring a game to its end.
const stillRounds = 20

// stillTurns is how many turns these rounds are.
const stillTurns = 2 * stillRounds

// reckon closes the books on a turn, before the next one begins.
func (s *State) reckon(next int16) {
	if s.Turn == 0 || s.rose() {
		s.Since = next
	}
	for seat := range domain.Seat(2) {
		s.High[seat] = max(s.High[seat], int8(s.victory(seat)))
	}
}

// rose tells whether somebody has more points than at the end of any turn before.
func (s *State) rose() bool {
	return s.victory(0) > int(s.High[0]) || s.victory(1) > int(s.High[1])
}

// still is how many turns have ended since something moved the game.
func (s *State) still() int {
	if s.rose() {
		return 0
	}
	return max(0, int(s.Turn)-int(s.Since))
}

// mayClose tells what keeps a game from being closed by whoever is in turn.
func (s *State) mayClose() check {
	if s.still() < stillTurns {
		return "not-still"
	}
	return ""
}

// close ends a game that stands still.
func (g *deciding) close() *domain.Refusal {
	if wrong := g.s.mayClose(); wrong != "" {
		return wrong.refusal("n", stillTurns-g.s.still())
	}
	g.do(Op{Code: opOver, Seat: g.s.ahead()})
	return nil
}

// ahead is who has more victory points, or Nobody.
func (s *State) ahead() domain.Seat {
	switch a, b := s.victory(0), s.victory(1); {
	case a > b:
		return 0
	case b > a:
		return 1
	}
	return domain.Nobody
}

// result is the ranks of a game that is over, and what is said of it.
func (s *State) result() (ranks []int, say []domain.Say) {
	if s.Winner == domain.Nobody {
		return []int{1, 1}, []domain.Say{domain.S("result.draw", "n", s.victory(0))}
	}
	ranks = []int{2, 2}
	ranks[s.Winner] = 1
	n, m := s.victory(s.Winner), s.victory(other(s.Winner))
	if n < int(s.Goal) {
		return ranks, []domain.Say{domain.S("result.closed", "seat", s.Winner, "n", n, "m", m)}
	}
	return ranks, []domain.Say{domain.S("result.won", "seat", s.Winner, "n", n, "goal", int(s.Goal))}
}
