package catan

import (
	"fmt"
	"strings"

	"posthorn/domain/kit"
)

func (s *State) arrangeTurn(v *Position) error {
	if v.Target != 0 && v.Target != int(s.rules.target) {
		return kit.BadGiven("target", v.Target, "option", "option", "points")
	}
	if v.Friendly && !s.rules.friendly {
		return kit.BadGiven("friendly", true, "option", "option", "friendly-robber")
	}
	if v.Robber != nil {
		s.robber = int8(*v.Robber)
	}
	if v.First != "" {
		s.first, _ = s.seatNamed(v.First)
	}
	if v.Active != "" {
		s.active, _ = s.seatNamed(v.Active)
	}
	return s.arrangePhase(v)
}

func (s *State) arrangePhase(v *Position) error {
	s.phase = s.usualPhase()
	if v.Phase != "" {
		s.phase = phaseNamed(v.Phase)
	}
	s.stint = int32(max(1, min(v.Stint, 1<<30)))
	s.rolls = clip(v.Rolls)
	s.still = clip(v.Still)
	if v.Rolls == 0 && s.phase > PhaseRoll && s.phase != PhaseOver && v.Back != PhaseRoll.String() {
		s.rolls = s.allRolls()
	}
	if s.rolls > s.allRolls() || s.phase == PhaseRoll && s.rolls >= s.allRolls() {
		return kit.BadGiven("rolls", v.Rolls, "rolls")
	}
	if len(v.Dice) > int(s.allRolls()) {
		return kit.BadGiven(fmt.Sprintf("dice[%d]", s.allRolls()), v.Dice[s.allRolls()], "long", "most", int(s.allRolls()))
	}
	for i, d := range v.Dice {
		if d[0] == 0 || d[1] == 0 {
			return kit.BadGiven(fmt.Sprintf("dice[%d]", i), d, "number", "least", 1, "most", 6)
		}
		s.dice[i] = d
	}
	s.turn = int16(max(0, min(v.Turn, 1<<14)))
	s.cardPlayed, s.tokenUsed, s.refilled, s.built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if s.phase == PhaseFound {
		return s.arrangeFounding(v)
	}
	s.founded = 2 * s.seats
	s.turn = max(s.turn, 1)
	return s.arrangeDuties(v)
}

func (s *State) allRolls() int8 {
	if s.two() {
		return 2
	}
	return 1
}

// usualPhase is the phase of a position that does not say: the founding while none of the
// seats has a piece, else before the roll, or the discards if any are owed.
func (s *State) usualPhase() Phase {
	phase := PhaseFound
	for c := range s.seats {
		if s.owes[c] > 0 {
			return PhaseDiscard
		}
		if s.buildings(c) != 0 || !s.roads[c].empty() || s.hand[c] != (Hand{}) || s.cards[c] != (Cards{}) {
			phase = PhaseRoll
		}
	}
	return phase
}

func (s *State) arrangeFounding(v *Position) error {
	placed := 0
	for c := range s.seats {
		placed += bitCount(s.settlements[c])
	}
	if placed >= 2*int(s.seats) || v.Founded != 0 && v.Founded != placed {
		return kit.BadGiven("founded", v.Founded, "founded", "n", 2*int(s.seats))
	}
	s.founded, s.turn, s.rolls = int8(placed), 0, 0
	s.active = s.founder(s.founded)
	if v.Active != "" && !strings.EqualFold(v.Active, letter(s.active)) {
		return kit.BadGiven("active", v.Active, "founder", "letter", letter(s.active))
	}
	if ^s.shut&(1<<cornerCount-1) == 0 {
		return kit.BadGiven("phase", s.phase.String(), "full")
	}
	return nil
}

func (s *State) arrangeDuties(v *Position) error {
	if s.phase == PhaseDiscard && s.owes == ([maxColours]int8{}) {
		for c := range s.seats {
			s.owes[c] = owed(s.size[c])
		}
	}
	owing := false
	for c := range s.seats {
		owing = owing || s.owes[c] > 0
	}
	if owing != (s.phase == PhaseDiscard) {
		return kit.BadGiven("phase", s.phase.String(), "owes")
	}
	if v.Due != nil {
		s.dueRoads, s.dueHomes = clip(v.Due.Roads), clip(v.Due.Settlements)
	}
	s.back = PhaseMain
	if v.Back != "" {
		s.back = phaseNamed(v.Back)
	}
	due := s.dueRoads+s.dueHomes > 0
	switch {
	case due != (s.phase == PhaseNeutral) || due && (!s.two() || s.dueRoads > 2 || s.dueHomes > 1):
		return kit.BadGiven("due", v.Due, "due")
	case due && len(s.neutralChoices()) == 0:
		return kit.BadGiven("due", v.Due, "due")
	case s.phase == PhaseGive && (!s.two() || s.size[s.active] < 2):
		return kit.BadGiven("phase", v.Phase, "give")
	case s.phase == PhaseOver && (v.Winner != "" || s.still < s.seats):
		c, ok := s.seatNamed(v.Winner)
		if !ok {
			return kit.BadGiven("winner", v.Winner, "winner")
		}
		s.winner = c
	}
	return nil
}

func (s *State) arrangeOffers(v *Position) error {
	s.offerNumber = int32(max(0, min(v.OfferCount, 1<<30)))
	for i, x := range v.Offers {
		at := fmt.Sprintf("offers[%d]", i)
		by, ok := s.seatNamed(x.By)
		if !ok || x.Give == nil || x.Want == nil || s.offers[by].Open || s.phase != PhaseMain && s.phase != PhaseNeutral {
			return kit.BadGiven(at, x.By, "offer")
		}
		o := Offer{Open: true, Give: Hand(*x.Give), Want: Hand(*x.Want), Ask: x.Ask, Number: int32(max(0, min(x.Number, 1<<30)))}
		if o.Number == 0 {
			o.Number = s.offerNumber + 1
		}
		s.offerNumber = max(s.offerNumber, o.Number)
		for _, set := range []struct {
			words []string
			to    *seatSet
		}{{x.To, &o.To}, {x.Yes, &o.Yes}, {x.No, &o.No}} {
			for _, w := range set.words {
				c, ok := s.seatNamed(w)
				if !ok || c == by {
					return kit.BadGiven(at, x.By, "offer")
				}
				*set.to = set.to.with(c)
			}
		}
		if !s.offerStands(by, &o) {
			return kit.BadGiven(at, x.By, "offer")
		}
		s.offers[by] = o
	}
	return nil
}

// offerStands tells whether an open offer could have come about: its maker holds what it
// gives, those who would take it hold what it wants, and it is open to somebody.
func (s *State) offerStands(by int8, o *Offer) bool {
	if !s.hand[by].Covers(o.Give) || o.Give == (Hand{}) || o.Want == (Hand{}) || o.To == 0 || (o.Yes|o.No)&^o.To != 0 || o.Yes&o.No != 0 {
		return false
	}
	for r := range o.Give {
		if o.Give[r] > 0 && o.Want[r] > 0 {
			return false
		}
	}
	if by != s.active {
		return o.To == seatSet(0).with(s.active) && o.Yes == 0 && o.No == 0 && !o.Ask
	}
	for c := range s.seats {
		if o.Yes.has(c) && !s.hand[c].Covers(o.Want) {
			return false
		}
	}
	return o.To != o.No && (o.Ask || o.Yes == 0)
}
