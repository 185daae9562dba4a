package catan

import "posthorn/domain"

// Standing is the points; the hidden ones count for their owner, the referee, and for
// everybody once the game is over (Catan base game, 39 and 51).
func (rulesRoom) Standing(s *State, v domain.Viewer) domain.Standing {
	st := domain.Standing{Ended: s.phase == PhaseOver}
	for c := range s.seats {
		n := s.pointsFor(c, v)
		st.Scores = append(st.Scores, n)
		st.Final = append(st.Final, n)
	}
	if !st.Ended {
		return st
	}
	for c := range s.seats {
		rank := 1
		for o := range s.seats {
			if o != c && s.before(o, c) {
				rank++
			}
		}
		st.Ranks = append(st.Ranks, rank)
	}
	if s.winner == noColour {
		st.Result = append(st.Result, domain.S("result.standstill"))
	} else {
		st.Result = append(st.Result, domain.S("result.won", "who", domain.Seat(s.winner), "n", s.points(s.winner)))
	}
	for c := range s.seats {
		st.Result = append(st.Result, domain.S("result.points", "who", domain.Seat(c), "n", s.points(c), "causes", s.causes(c)))
	}
	return st
}

// before tells whether one seat ranks before another: the winner, if there is one, first; then by points.
func (s *State) before(a, b int8) bool {
	if s.winner != noColour && (a == s.winner || b == s.winner) {
		return a == s.winner
	}
	return s.points(a) > s.points(b)
}

// causes is where a seat's points come from.
func (s *State) causes(c int8) []domain.Say {
	var list []domain.Say
	add := func(key string, n int) {
		if n > 0 {
			list = append(list, domain.S(key, "n", n))
		}
	}
	add("cause.settlements", bitCount(s.settlements[c]))
	add("cause.cities", bitCount(s.cities[c]))
	add("cause.points", int(s.cards[c][Point]))
	if s.longest == c {
		list = append(list, domain.S("cause.longest", "n", int(s.length[c])))
	}
	if s.army == c {
		list = append(list, domain.S("cause.army", "n", int(s.knights[c])))
	}
	return list
}

// Forms are the open-ended moves a seat may compose now: an offer in its own turn, a
// counter-offer when it is asked.
func (rulesRoom) Forms(s *State, seat domain.Seat) []domain.Form {
	c := int8(seat)
	if c < 0 || c >= s.seats || s.phase == PhaseOver || s.mayTrade() != nil {
		return nil
	}
	if c != s.active {
		if !s.offers[s.active].unanswered().has(c) {
			return nil
		}
		return []domain.Form{{
			Key: "counter", Label: domain.S("form.counter"), Pattern: "counter {give} for {want}", Fields: tradeFields(),
		}}
	}
	if s.phase != PhaseMain {
		return nil
	}
	var others []domain.Seat
	for o := range s.seats {
		if o != c {
			others = append(others, domain.Seat(o))
		}
	}
	fields := append(tradeFields(), domain.Field{Name: "seats", Label: domain.S("form.seats"), Kind: domain.FieldSeats, Seats: others})
	return []domain.Form{
		{Key: "offer", Label: domain.S("form.offer"), Pattern: "offer {give} for {want} to {seats}", Fields: fields},
		{Key: "offer-ask", Label: domain.S("form.offer-ask"), Pattern: "offer {give} for {want} ask to {seats}", Fields: fields},
	}
}

func tradeFields() []domain.Field {
	amounts := func(name string) domain.Field {
		f := domain.Field{Name: name, Label: domain.S("form." + name), Kind: domain.FieldAmounts, Max: cardsOfKind}
		for _, w := range resourceWords {
			f.Words = append(f.Words, w)
			f.Labels = append(f.Labels, domain.S("resource."+w))
		}
		return f
	}
	return []domain.Field{amounts("give"), amounts("want")}
}
