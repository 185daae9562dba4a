package rules

import (
	"math"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Standing returns the points; hidden ones count for their owner and the referee, and for everybody once the game is
// over (Catan base game, 39 and 51).
func (*Room) Standing(s *state.State, v domain.Viewer) domain.Standing {
	st := domain.Standing{Ended: s.Phase == state.PhaseOver}
	for c := range s.Seats {
		n := s.PointsFor(c, v)
		st.Scores = append(st.Scores, n)
		st.Final = append(st.Final, n)
	}
	if !st.Ended {
		return st
	}
	order := slices.Clone(st.Final) // the winner first, then by points
	if s.Winner != state.NoColour {
		order[s.Winner] = math.MaxInt
	}
	st.Ranks = kit.Ranks(order)
	if s.Winner == state.NoColour {
		st.Result = append(st.Result, domain.S("result.standstill"))
	} else {
		st.Result = append(st.Result, domain.S("result.won", "who", domain.Seat(s.Winner), "n", s.Points(s.Winner)))
	}
	for c := range s.Seats {
		st.Causes = append(st.Causes, causes(s, c))
	}
	return st
}

// causes tells where a seat's points come from; they add up to the points. Nothing if there are none.
func causes(s *state.State, c int8) []domain.Say {
	var list []domain.Say
	count, points := counted(s, c)
	for i, n := range points {
		if n > 0 {
			list = append(list, domain.S("cause", "what", domain.S("cause."+sources[i], "n", count[i]), "points",
				"+"+strconv.Itoa(n)))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []domain.Say{domain.S("causes", "list", list)}
}

// StandsStill reports whether no seat can ever win: the deck is empty, no knight is in any hand, discarding a knight
// (which only Catan for two allows) cannot give the army to somebody else, no seat has a place for a road or a
// settlement, and the settlements that could still become cities bring nobody to the winning points and nobody past
// another. It depends on public knowledge alone: a hidden card counts as the point it may be.
//
// A standstill is permanent. Two seats hemmed in by the neutrals can reach it, or more seats playing for fifteen
// points; neither the base game nor Catan for two says what happens then, and the game could go on forever if a seat
// that is behind chose to build no city. Once each seat has had a turn in the standstill, and so the chance to win with
// what it hides, the game ends without a winner.
func StandsStill(s *state.State) bool {
	if s.Deck != (table.Cards{}) {
		return false
	}
	knights := int8(0)
	for c := range s.Seats {
		knights += s.Knights[c] + s.Spent[c][table.Knight]
		if s.Two() && c != s.Army && s.Knights[c] >= 3 {
			return false
		}
	}
	if knights < table.FullDeck[table.Knight] {
		return false
	}
	for c := range s.Seats {
		if canSpread(s, c) {
			return false
		}
	}
	return settled(s)
}

// upgrades returns how many settlements of a seat may still become cities.
func upgrades(s *state.State, c int8) int {
	return min(table.BitCount(s.Settlements[c]), int(s.CitiesLeft(c)))
}

// canSpread reports whether a seat has a piece and a place for a road or a settlement, or may get them by building a
// city, whatever it holds.
func canSpread(s *state.State, c int8) bool {
	if (s.SettlementsLeft(c) > 0 || upgrades(s, c) > 0) && s.OpenHomes(c) != 0 {
		return true
	}
	if s.RoadsLeft(c) == 0 {
		return false
	}
	open := s.OpenPaths(c)
	return !open.Empty()
}

// settled reports whether cities, the only thing left to build, can neither change the order of the seats nor make
// anybody win.
func settled(s *state.State) bool {
	for a := range s.Seats {
		for b := range s.Seats {
			up := upgrades(s, a) + upgrades(s, b)
			if a != b && up > 0 && (Most(s, a) >= int(s.Rules.Target) || Least(s, a) <= Most(s, b) &&
				Least(s, b) <= Most(s, a)) {
				return false
			}
		}
	}
	return true
}

// Most returns the points a seat may reach with cities and hidden cards.
func Most(s *state.State, c int8) int {
	return s.PublicPoints(c) + upgrades(s, c) + min(s.Cards[c].Len(), int(table.FullDeck[table.Point]))
}

// Least returns the points a seat has for sure.
func Least(s *state.State, c int8) int {
	if s.Two() && s.Army == c {
		return s.PublicPoints(c) - 2 // its knights may be discarded
	}
	return s.PublicPoints(c)
}
