package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Answers implements domain.Offers: whose turn it is answers counter-offers and those who would take its own offer;
// everybody else answers its offer.
func (*Room) Answers(s *state.State, seat domain.Seat, yes bool) (out []state.Move) {
	by, kind := int8(seat), map[bool]state.Kind{true: state.KindAccept, false: state.KindDecline}[yes]
	if s.Phase != state.PhaseMain || by < 0 || by >= s.Seats {
		return nil
	}
	if by != s.Active {
		if s.Offers[s.Active].Unanswered().Has(by) {
			out = append(out, state.NewMove(kind))
		}
		return out
	}
	counters, takers := (allOffers(s) &^ (1 << by)).List(), s.Offers[by].Yes.List()
	for _, from := range counters {
		out = append(out, state.MoveOn(kind, table.NoPlace, int8(from))) // #nosec G115: a seat
	}
	switch {
	case yes:
		for _, with := range takers {
			out = append(out, state.MoveOn(state.KindConfirm, table.NoPlace, int8(with))) // #nosec G115: a seat
		}
	case len(counters) > 0 && len(takers) > 0:
		out = append(out, state.NewMove(state.KindWithdraw))
	}
	return out
}
