package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

func arrangePhase(s *state.State, v *state.Position) error {
	if v.Phase == "" {
		s.Phase = usualPhase(s)
	}
	all := int8(1)
	if s.Two() {
		all = 2
	}
	if v.Rolls == 0 && s.Phase > state.PhaseRoll && s.Phase != state.PhaseOver && v.Back != state.PhaseRoll.String() {
		s.Rolls = all
	}
	switch {
	case v.Target != 0 && v.Target != int(s.Rules.Target):
		return kit.BadGiven("target", v.Target, "option", "option", "points")
	case v.Friendly && !s.Rules.Friendly:
		return kit.BadGiven("friendly", true, "option", "option", "friendly-robber")
	case s.Rolls > all || s.Phase == state.PhaseRoll && s.Rolls >= all:
		return kit.BadGiven("rolls", v.Rolls, "rolls")
	case len(v.Dice) > int(all):
		return kit.BadGiven(fmt.Sprintf("dice[%d]", all), v.Dice[all], "long", "most", int(all))
	}
	for i, d := range v.Dice {
		if d[0] == 0 || d[1] == 0 {
			return kit.BadGiven(fmt.Sprintf("dice[%d]", i), d, "number", "least", 1, "most", 6)
		}
	}
	s.Stint = max(s.Stint, 1)
	if s.Phase == state.PhaseFound {
		return arrangeFounding(s, v)
	}
	s.Founded, s.Turn = 2*s.Seats, max(s.Turn, 1)
	return arrangeDuties(s, v)
}

// usualPhase is the phase of a position that does not say: the founding while none of the
// seats has a piece, else before the roll, or the discards if any are owed.
func usualPhase(s *state.State) state.Phase {
	if owing(s) {
		return state.PhaseDiscard
	}
	for c := range s.Seats {
		if s.Buildings(c) != 0 || !s.Roads[c].Empty() || s.Hand[c] != (table.Hand{}) || s.Cards[c] != (table.Cards{}) {
			return state.PhaseRoll
		}
	}
	return state.PhaseFound
}

func owing(s *state.State) bool { return s.Owes != [state.MaxColours]int8{} }

func arrangeFounding(s *state.State, v *state.Position) error {
	placed := 0
	for c := range s.Seats {
		placed += table.BitCount(s.Settlements[c])
	}
	s.Founded, s.Turn, s.Rolls = int8(placed), 0, 0
	s.Active = s.Founder(s.Founded)
	switch {
	case placed >= 2*int(s.Seats) || v.Founded != 0 && v.Founded != placed:
		return kit.BadGiven("founded", v.Founded, "founded", "n", 2*int(s.Seats))
	case v.Active != "" && !strings.EqualFold(v.Active, state.Letter(s.Active)):
		return kit.BadGiven("active", v.Active, "founder", "letter", state.Letter(s.Active))
	case ^s.Shut&(1<<table.CornerCount-1) == 0:
		return kit.BadGiven("phase", s.Phase.String(), "full")
	}
	return nil
}

func arrangeDuties(s *state.State, v *state.Position) error {
	if s.Phase == state.PhaseDiscard && !owing(s) {
		for c := range s.Seats {
			s.Owes[c] = owed(s.Size[c])
		}
	}
	due := s.DueRoads+s.DueHomes > 0
	switch {
	case owing(s) != (s.Phase == state.PhaseDiscard):
		return kit.BadGiven("phase", s.Phase.String(), "owes")
	case due != (s.Phase == state.PhaseNeutral) || due && (!s.Two() || s.DueRoads > 2 || s.DueHomes > 1 || len(NeutralChoices(s)) == 0):
		return kit.BadGiven("due", v.Due, "due")
	case s.Phase == state.PhaseGive && (!s.Two() || s.Size[s.Active] < 2):
		return kit.BadGiven("phase", v.Phase, "give")
	case s.Phase == state.PhaseOver && s.Winner == state.NoColour && s.Still < s.Seats:
		return kit.BadGiven("winner", v.Winner, "winner")
	}
	return nil
}

func arrangeOffers(s *state.State, v *state.Position) error {
	var seen state.SeatSet
	for i, x := range v.Offers {
		by := s.ColourNamed(x.By)
		if by < 0 || x.Give == nil || x.Want == nil || seen.Has(by) || s.Phase != state.PhaseMain && s.Phase != state.PhaseNeutral || slices.Contains(slices.Concat(x.To, x.Yes, x.No), "") {
			return kit.BadGiven(fmt.Sprintf("offers[%d]", i), x.By, "offer")
		}
		seen = seen.With(by)
		o := &s.Offers[by]
		if o.Number == 0 {
			o.Number = s.OfferNumber + 1
		}
		s.OfferNumber = max(s.OfferNumber, o.Number)
		if !OfferStands(s, by, o) {
			return kit.BadGiven(fmt.Sprintf("offers[%d]", i), x.By, "offer")
		}
	}
	return nil
}

// OfferStands tells whether an open offer could have come about: its maker holds what it
// gives, those who would take it hold what it wants, and it is open to somebody.
func OfferStands(s *state.State, by int8, o *state.Offer) bool {
	if !s.Hand[by].Covers(o.Give) || o.Give == (table.Hand{}) || o.Want == (table.Hand{}) || o.To == 0 || o.To.Has(by) ||
		(o.Yes|o.No)&^o.To != 0 || o.Yes&o.No != 0 || o.Give.Meets(o.Want) {
		return false
	}
	if by != s.Active {
		return o.To == state.SeatSet(0).With(s.Active) && o.Yes == 0 && o.No == 0 && !o.Ask
	}
	for c := range s.Seats {
		if o.Yes.Has(c) && !s.Hand[c].Covers(o.Want) {
			return false
		}
	}
	return o.To != o.No && (o.Ask || o.Yes == 0)
}
