package catan

import "posthorn/domain"

// Setup makes a line's first event: the board, and whatever stands on it at the start.
func (rulesRoom) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	var given *Position
	if len(g.Given) > 0 {
		v, err := readGiven(g.Given, g.Seats)
		if err != nil {
			return domain.Event{}, err
		}
		given = v
	}
	body := &SetUp{Choices: g.Choices, Seats: g.Seats, First: g.First}
	if given != nil && given.Board != nil {
		body.Board = *given.Board
	} else {
		body.Board = makeBoard(g.Choices, luck)
	}
	s := newGame(body.Board, g.Choices, g.Seats, g.First)
	e := domain.Event{Type: typeSetup, Seat: domain.Nobody, Body: body}
	switch {
	case given != nil:
		if err := s.arrange(given); err != nil {
			return domain.Event{}, err
		}
		body.Given, e.Secrets = s.view(domain.Spectator).position(), s.held()
	case g.Choices["founding"] == "beginner" && !s.two():
		s.foundBeginner()
		body.Given, e.Secrets = s.view(domain.Spectator).position(), s.held()
	case s.two():
		s.placeNeutrals()
		body.Given = s.view(domain.Spectator).position()
	}
	return e, nil
}

// placeNeutrals puts one settlement of each neutral on its intersection (Catan for two, 2 and 3).
func (s *State) placeNeutrals() {
	for i, at := range isle.neutral {
		s.addSettlement(int8(i)+2, at)
	}
}

// foundBeginner founds as the printed starting positions say (11); with three players the
// last position is left out. The second settlement pays.
func (s *State) foundBeginner() {
	for c := range s.seats {
		for i, x := range isle.founding[c] {
			s.addSettlement(c, x[0])
			s.addRoad(c, x[1])
			if i == 0 {
				continue
			}
			for _, h := range isle.hexesAt[x[0]] {
				if t := s.board.Terrain[h]; t != Desert {
					s.hand[c][t]++
					s.bank[t]--
				}
			}
		}
		s.size[c] = int8(s.hand[c].Len())
	}
	s.length = s.allLengths()
	s.founded, s.phase, s.turn = 2*s.seats, PhaseRoll, 1
}

// held is everything hidden, as the secret parts of a deal.
func (s *State) held() []domain.Secret {
	list := make([]domain.Secret, 0, s.seats+1)
	for c := range s.seats {
		seat := domain.Seat(c)
		list = append(list, domain.Secret{
			To: domain.To(seat), Body: &Held{Seat: seat, Hand: s.hand[c], Cards: s.cards[c], Fresh: s.fresh[c]},
		})
	}
	return append(list, domain.Secret{Body: &Held{Seat: domain.Nobody, Cards: s.deck}})
}
