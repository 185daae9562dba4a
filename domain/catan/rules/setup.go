// Package rules judges in Catan: which moves are allowed, what follows from them, who is awaited and how it scores.
package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Room is the rules room, as kit.New takes it.
type Room struct{}

// Setup makes a line's first event: the board, and the pieces on it at the start.
func (*Room) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	body := &state.SetUp{Choices: g.Choices, Seats: g.Seats, First: g.First}
	given, err := state.ReadGiven(g.Given, g.Seats)
	switch {
	case err != nil:
		return domain.Event{}, err
	case given != nil && given.Board != nil:
		body.Board = *given.Board
	default:
		body.Board = table.MakeBoard(g.Choices, luck)
	}
	s := state.NewGame(body.Board, g.Choices, g.Seats, g.First)
	e := domain.Event{Type: state.TypeSetup, Seat: domain.Nobody, Body: body}
	hidden := true
	switch {
	case given != nil:
		if err := arrange(&s, given); err != nil {
			return domain.Event{}, err
		}
	case g.Choices["founding"] == "beginner" && !s.Two():
		foundBeginner(&s)
	case s.Two():
		hidden = false
		if err := arrangeNeutrals(&s, &state.Position{}); err != nil {
			// where they always start: Catan for two, 2 and 3
			return domain.Event{}, err
		}
	default:
		return e, nil
	}
	body.Given = s.View(domain.Spectator).Position()
	if hidden {
		e.Secrets = held(&s)
	}
	return e, nil
}

// foundBeginner founds as the printed starting positions say (11), leaving out the last one with three players. The
// second settlement pays.
func foundBeginner(s *state.State) {
	for c := range s.Seats {
		for i, x := range table.Isle.Founding[c] {
			s.Place(state.Piece{Colour: c, Sort: state.SettlementPiece, At: x[0]})
			s.Place(state.Piece{Colour: c, Sort: state.RoadPiece, At: x[1]})
			if i == 0 {
				continue
			}
			for _, h := range table.Isle.HexesAt[x[0]] {
				if t := s.Board.Terrain[h]; t != table.Desert {
					s.Hand[c][t]++
					s.Bank[t]--
				}
			}
		}
		s.Size[c] = int8(s.Hand[c].Len())
	}
	s.Length = AllLengths(s)
	s.Founded, s.Phase, s.Turn = 2*s.Seats, state.PhaseRoll, 1
}

// held returns everything hidden, as the secret parts of a deal.
func held(s *state.State) []domain.Secret {
	list := make([]domain.Secret, 0, s.Seats+1)
	for c := range s.Seats {
		seat := domain.Seat(c)
		list = append(list, domain.Secret{
			To: domain.To(seat), Body: &state.Held{Seat: seat, Hand: s.Hand[c], Cards: s.Cards[c], Fresh: s.Fresh[c]},
		})
	}
	return append(list, domain.Secret{Body: &state.Held{Seat: domain.Nobody, Cards: s.Deck}})
}
