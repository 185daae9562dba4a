package rules

import (
	"fmt"
	"strings"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

func arrangeTurn(s *state.State, v *state.Position) error {
	if v.Target != 0 && v.Target != int(s.Rules.Target) {
		return kit.BadGiven("target", v.Target, "option", "option", "points")
	}
	if v.Friendly && !s.Rules.Friendly {
		return kit.BadGiven("friendly", true, "option", "option", "friendly-robber")
	}
	if v.Robber != nil {
		s.Robber = int8(*v.Robber)
	}
	if v.First != "" {
		s.First, _ = seatNamed(s, v.First)
	}
	if v.Active != "" {
		s.Active, _ = seatNamed(s, v.Active)
	}
	return arrangePhase(s, v)
}

func arrangePhase(s *state.State, v *state.Position) error {
	s.Phase = usualPhase(s)
	if v.Phase != "" {
		s.Phase = state.PhaseNamed(v.Phase)
	}
	s.Stint = int32(max(1, min(v.Stint, 1<<30)))
	s.Rolls = state.Clip(v.Rolls)
	s.Still = state.Clip(v.Still)
	if v.Rolls == 0 && s.Phase > state.PhaseRoll && s.Phase != state.PhaseOver && v.Back != state.PhaseRoll.String() {
		s.Rolls = allRolls(s)
	}
	if s.Rolls > allRolls(s) || s.Phase == state.PhaseRoll && s.Rolls >= allRolls(s) {
		return kit.BadGiven("rolls", v.Rolls, "rolls")
	}
	if len(v.Dice) > int(allRolls(s)) {
		return kit.BadGiven(fmt.Sprintf("dice[%d]", allRolls(s)), v.Dice[allRolls(s)], "long", "most", int(allRolls(s)))
	}
	for i, d := range v.Dice {
		if d[0] == 0 || d[1] == 0 {
			return kit.BadGiven(fmt.Sprintf("dice[%d]", i), d, "number", "least", 1, "most", 6)
		}
		s.Dice[i] = d
	}
	s.Turn = int16(max(0, min(v.Turn, 1<<14)))
	s.CardPlayed, s.TokenUsed, s.Refilled, s.Built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if s.Phase == state.PhaseFound {
		return arrangeFounding(s, v)
	}
	s.Founded = 2 * s.Seats
	s.Turn = max(s.Turn, 1)
	return arrangeDuties(s, v)
}

func allRolls(s *state.State) int8 {
	if s.Two() {
		return 2
	}
	return 1
}

// usualPhase is the phase of a position that does not say: the founding while none of the
// seats has a piece, else before the roll, or the discards if any are owed.
func usualPhase(s *state.State) state.Phase {
	phase := state.PhaseFound
	for c := range s.Seats {
		if s.Owes[c] > 0 {
			return state.PhaseDiscard
		}
		if s.Buildings(c) != 0 || !s.Roads[c].Empty() || s.Hand[c] != (table.Hand{}) || s.Cards[c] != (table.Cards{}) {
			phase = state.PhaseRoll
		}
	}
	return phase
}

func arrangeFounding(s *state.State, v *state.Position) error {
	placed := 0
	for c := range s.Seats {
		placed += table.BitCount(s.Settlements[c])
	}
	if placed >= 2*int(s.Seats) || v.Founded != 0 && v.Founded != placed {
		return kit.BadGiven("founded", v.Founded, "founded", "n", 2*int(s.Seats))
	}
	s.Founded, s.Turn, s.Rolls = int8(placed), 0, 0
	s.Active = s.Founder(s.Founded)
	if v.Active != "" && !strings.EqualFold(v.Active, state.Letter(s.Active)) {
		return kit.BadGiven("active", v.Active, "founder", "letter", state.Letter(s.Active))
	}
	if ^s.Shut&(1<<table.CornerCount-1) == 0 {
		return kit.BadGiven("phase", s.Phase.String(), "full")
	}
	return nil
}

func arrangeDuties(s *state.State, v *state.Position) error {
	if s.Phase == state.PhaseDiscard && s.Owes == ([state.MaxColours]int8{}) {
		for c := range s.Seats {
			s.Owes[c] = owed(s.Size[c])
		}
	}
	owing := false
	for c := range s.Seats {
		owing = owing || s.Owes[c] > 0
	}
	if owing != (s.Phase == state.PhaseDiscard) {
		return kit.BadGiven("phase", s.Phase.String(), "owes")
	}
	if v.Due != nil {
		s.DueRoads, s.DueHomes = state.Clip(v.Due.Roads), state.Clip(v.Due.Settlements)
	}
	s.Back = state.PhaseMain
	if v.Back != "" {
		s.Back = state.PhaseNamed(v.Back)
	}
	due := s.DueRoads+s.DueHomes > 0
	switch {
	case due != (s.Phase == state.PhaseNeutral) || due && (!s.Two() || s.DueRoads > 2 || s.DueHomes > 1):
		return kit.BadGiven("due", v.Due, "due")
	case due && len(NeutralChoices(s)) == 0:
		return kit.BadGiven("due", v.Due, "due")
	case s.Phase == state.PhaseGive && (!s.Two() || s.Size[s.Active] < 2):
		return kit.BadGiven("phase", v.Phase, "give")
	case s.Phase == state.PhaseOver && (v.Winner != "" || s.Still < s.Seats):
		c, ok := seatNamed(s, v.Winner)
		if !ok {
			return kit.BadGiven("winner", v.Winner, "winner")
		}
		s.Winner = c
	}
	return nil
}

func arrangeOffers(s *state.State, v *state.Position) error {
	s.OfferNumber = int32(max(0, min(v.OfferCount, 1<<30)))
	for i, x := range v.Offers {
		at := fmt.Sprintf("offers[%d]", i)
		by, ok := seatNamed(s, x.By)
		if !ok || x.Give == nil || x.Want == nil || s.Offers[by].Open || s.Phase != state.PhaseMain && s.Phase != state.PhaseNeutral {
			return kit.BadGiven(at, x.By, "offer")
		}
		o := state.Offer{Open: true, Give: table.Hand(*x.Give), Want: table.Hand(*x.Want), Ask: x.Ask, Number: int32(max(0, min(x.Number, 1<<30)))}
		if o.Number == 0 {
			o.Number = s.OfferNumber + 1
		}
		s.OfferNumber = max(s.OfferNumber, o.Number)
		for _, set := range []struct {
			words []string
			to    *state.SeatSet
		}{{x.To, &o.To}, {x.Yes, &o.Yes}, {x.No, &o.No}} {
			for _, w := range set.words {
				c, ok := seatNamed(s, w)
				if !ok || c == by {
					return kit.BadGiven(at, x.By, "offer")
				}
				*set.to = set.to.With(c)
			}
		}
		if !OfferStands(s, by, &o) {
			return kit.BadGiven(at, x.By, "offer")
		}
		s.Offers[by] = o
	}
	return nil
}

// OfferStands tells whether an open offer could have come about: its maker holds what it
// gives, those who would take it hold what it wants, and it is open to somebody.
func OfferStands(s *state.State, by int8, o *state.Offer) bool {
	if !s.Hand[by].Covers(o.Give) || o.Give == (table.Hand{}) || o.Want == (table.Hand{}) || o.To == 0 || (o.Yes|o.No)&^o.To != 0 || o.Yes&o.No != 0 {
		return false
	}
	for r := range o.Give {
		if o.Give[r] > 0 && o.Want[r] > 0 {
			return false
		}
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
