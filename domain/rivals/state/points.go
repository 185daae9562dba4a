package state

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// recount counts a principality's points anew: settlements 1, cities 2, the symbols on the
// cards, and what cards add to each other (Rivals, "Additional rules"; Harbor, Trading Base,
// Salt Silo). The tokens are not in it.
func (r *Realm) recount() {
	var raise [2]int8       // by Trading Base, by Salt Silo
	var based, harbors int8 // cards a Trading Base raises, points of Harbors
	p := table.Points{}
	r.Marks, r.InPlay, r.Ships, r.Heroes = 0, table.RowSet{}, 0, 0
	for _, town := range r.EachTown() {
		p.Victory += int8(town.Level)
	}
	for _, c := range r.Cards() {
		row := c.Row()
		p.Add(row.Points)
		r.Marks |= row.Marks
		r.InPlay.Put(row)
		if c == table.TownHall { // it covers a Parish Hall
			r.InPlay.Put(table.ParishHall.Row())
		}
		r.Ships += int8(table.BoolInt(row.Ship))
		r.Heroes += int8(table.BoolInt(row.Hero))
		raise[0] += row.Raises[0]
		raise[1] += row.Raises[1]
		based += row.Based
		harbors += row.Scores
	}
	p.Commerce += raise[0]*based + raise[1]*r.Ships
	if r.Ships >= 3 {
		p.Victory += harbors
	}
	r.Points = p
}

// leader is who has at least so many points and more than the other, or Nobody: a tie holds
// no advantage.
func leader(a, b, least int8) domain.Seat {
	switch {
	case a >= least && a > b:
		return 0
	case b >= least && b > a:
		return 1
	}
	return domain.Nobody
}

// Strongest holds the strength advantage and with it the hero token.
func (s *State) Strongest() domain.Seat {
	return leader(s.Realms[0].Points.Strength, s.Realms[1].Points.Strength, 3)
}

// Busiest holds the trade advantage and with it the trade token.
func (s *State) Busiest() domain.Seat {
	return leader(s.Realms[0].Points.Commerce, s.Realms[1].Points.Commerce, 3)
}

// Victory is a seat's victory points, tokens included.
func (s *State) Victory(seat domain.Seat) int {
	return int(s.Realms[seat].Points.Victory) + table.BoolInt(s.Strongest() == seat) + table.BoolInt(s.Busiest() == seat)
}

// HandLimit is how many cards a hand may hold at the end of the own turn.
func (s *State) HandLimit(seat domain.Seat) int { return 3 + int(s.Realms[seat].Points.Progress) }

// HasRow tells whether a card of that row is in play; a Parish Hall under a Town Hall is.
func (r *Realm) HasRow(row *table.Row) bool { return r.InPlay.Has(row) }

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

// StillTurns is how many turns these rounds are.
const StillTurns = 2 * stillRounds

// reckon closes the books on a turn, before the next one begins.
func (s *State) reckon(next int16) {
	if s.Turn == 0 || s.rose() {
		s.Since = next
	}
	for seat := range domain.Seat(2) {
		s.High[seat] = max(s.High[seat], int8(s.Victory(seat)))
	}
}

// rose tells whether somebody has more points than at the end of any turn before.
func (s *State) rose() bool {
	return s.Victory(0) > int(s.High[0]) || s.Victory(1) > int(s.High[1])
}

// Still is how many turns have ended since something moved the game.
func (s *State) Still() int {
	if s.rose() {
		return 0
	}
	return max(0, int(s.Turn)-int(s.Since))
}

// Ahead is who has more victory points, or Nobody.
func (s *State) Ahead() domain.Seat {
	return leader(int8(s.Victory(0)), int8(s.Victory(1)), 0)
}

// PointsOf are a seat's points, with those for tokens.
func (s *State) PointsOf(seat domain.Seat) table.Points {
	p := s.Realms[seat].Points
	p.Victory = int8(s.Victory(seat))
	return p
}
