package rivals

import "posthorn/domain"

// recount counts a principality's points anew: settlements 1, cities 2, the symbols on the
// cards, and what cards add to each other (Rivals, "Additional rules"; Harbor, Trading Base,
// Salt Silo). The tokens are not in it.
func (r *Realm) recount() {
	var p Points
	var ships, heroes int8
	raise := [2]int8{} // by Trading Base, by Salt Silo
	based := int8(0)   // cards a Trading Base raises
	scores := int8(0)  // Harbors
	r.Marks, r.InPlay = 0, rowSet{}
	for t := r.Left; t <= r.Right; t++ {
		town := &r.Towns[t]
		p.Victory += int8(town.Level)
		for side := range 2 {
			for slot := range town.slots() {
				c := town.Sites[side][slot]
				if c == NoCard {
					continue
				}
				row := c.Row()
				p.add(row.Points)
				r.Marks |= row.marks
				r.InPlay.put(row)
				if c == townHall { // it covers a Parish Hall
					r.InPlay.put(parishHall.Row())
				}
				if row.ship {
					ships++
				}
				if row.hero {
					heroes++
				}
				if row.link != 0 {
					raise[0] += row.raises[0]
					raise[1] += row.raises[1]
					based += row.based
					scores += row.scores
				}
			}
		}
	}
	p.Commerce += raise[0]*based + raise[1]*ships
	if ships >= 3 {
		p.Victory += scores
	}
	r.Points, r.Ships, r.Heroes = p, ships, heroes
}

// leader is who has at least three points and more than the other, or Nobody: a tie holds
// no advantage.
func leader(a, b int8) domain.Seat {
	switch {
	case a >= 3 && a > b:
		return 0
	case b >= 3 && b > a:
		return 1
	}
	return domain.Nobody
}

// strongest holds the strength advantage and with it the hero token.
func (s *State) strongest() domain.Seat {
	return leader(s.Realms[0].Points.Strength, s.Realms[1].Points.Strength)
}

// busiest holds the trade advantage and with it the trade token.
func (s *State) busiest() domain.Seat {
	return leader(s.Realms[0].Points.Commerce, s.Realms[1].Points.Commerce)
}

// victory is a seat's victory points, tokens included.
func (s *State) victory(seat domain.Seat) int {
	v := int(s.Realms[seat].Points.Victory)
	if s.strongest() == seat {
		v++
	}
	if s.busiest() == seat {
		v++
	}
	return v
}

// handLimit is how many cards a hand may hold at the end of the own turn.
func (s *State) handLimit(seat domain.Seat) int { return 3 + int(s.Realms[seat].Points.Progress) }
