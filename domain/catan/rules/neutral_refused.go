package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// whyNeutralsCannot says what is wrong with what a player would build for the neutrals: the first impossible piece, or
// else how many are due.
func whyNeutralsCannot(s *state.State, want NeutralPair, loose bool) error {
	choices := NeutralChoices(s)
	if len(choices) == 0 {
		return domain.Refuse("neutral-nothing-due")
	}
	for i, x := range want {
		err := whyNeutralCannot(s, int8(i), x)
		if err != nil && loose && whyNeutralCannot(s, 1-int8(i), x) == nil {
			err = nil // nobody said which of the neutrals builds it
		}
		if err != nil {
			return err
		}
	}
	if n := choices[0].pieces(); n != want.pieces() {
		return domain.Refuse("neutral-count", "n", n)
	}
	return domain.Refuse("neutral-cannot") // each is possible, but not both
}

// whyNeutralCannot is the same for one piece of one of the neutrals, 0 or 1; nil if the piece is possible.
func whyNeutralCannot(s *state.State, which int8, x state.NeutralPiece) error {
	c, letter := which+2, table.NeutralLetters[which&1]
	due, open := NeutralPlaces(s, c)
	switch {
	case x.Sort == state.NoPiece || due == x.Sort && open.Has(x.At):
		return nil
	case x.Sort == state.SettlementPiece && s.DueHomes == 0:
		return domain.Refuse("neutral-road-due")
	case x.Sort == state.RoadPiece && due == state.SettlementPiece:
		return domain.Refuse("neutral-settlement-due", "letter", letter)
	case x.Sort == state.SettlementPiece && s.SettlementsLeft(c) == 0:
		return domain.Refuse("neutral-no-settlements-left", "letter", letter)
	case x.Sort == state.RoadPiece && s.RoadsLeft(c) == 0:
		return domain.Refuse("neutral-no-roads-left", "letter", letter)
	case x.Sort == state.RoadPiece && otherSettles(s, c):
		return domain.Refuse("neutral-no-road-yet", "letter", table.NeutralLetters[(1-which)&1])
	case due == state.NoPiece:
		return domain.Refuse("neutral-hemmed-in", "letter", letter)
	case x.Sort == state.SettlementPiece && !table.IsCorner(x.At):
		return domain.Refuse("no-such-corner", "at", int(x.At))
	case x.Sort == state.SettlementPiece && s.Shut>>x.At&1 != 0:
		return domain.Refuse("too-close", "at", int(x.At))
	case x.Sort == state.SettlementPiece:
		return domain.Refuse("neutral-no-road-there", "letter", letter, "at", int(x.At))
	case !table.IsPath(x.At):
		return domain.Refuse("no-such-path", "path", int(x.At))
	case s.Laid.Has(x.At):
		return domain.Refuse("path-taken", "path", int(x.At))
	}
	return domain.Refuse("neutral-not-connected", "letter", letter, "path", int(x.At))
}

// pieces counts what both build.
func (p NeutralPair) pieces() (n int) {
	for _, x := range p {
		if x.Sort != state.NoPiece {
			n++
		}
	}
	return n
}
