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

// Standing is the points; the hidden ones count for their owner, the referee, and for
// everybody once the game is over (Catan base game, 39 and 51).
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

// causes is where a seat's points come from, in a sentence; they add up to them. Nothing where there are none.
func causes(s *state.State, c int8) []domain.Say {
	var list []domain.Say
	add := func(key string, n, points int) {
		if points > 0 {
			list = append(list, domain.S("cause", "what", domain.S(key, "n", n), "points", "+"+strconv.Itoa(points)))
		}
	}
	settlements, cities, cards := table.BitCount(s.Settlements[c]), table.BitCount(s.Cities[c]), int(s.Cards[c][table.Point])
	add("cause.settlements", settlements, settlements)
	add("cause.cities", cities, 2*cities)
	add("cause.points", cards, cards)
	add("cause.longest", int(s.Length[c]), 2*is(s.Longest == c))
	add("cause.army", int(s.Knights[c]), 2*is(s.Army == c))
	if len(list) == 0 {
		return nil
	}
	return []domain.Say{domain.S("causes", "list", list)}
}

// StandsStill reports whether no seat can ever win: the deck is empty, no knight is in any hand, none
// can be discarded that would bring the army to somebody else (which only Catan for two allows), no
// seat has a place for a road or a settlement, and the settlements that could still become cities
// bring nobody to the points that win and nobody past another. It goes by public knowledge alone:
// a hidden card counts as the point it may be.
//
// Once it is so it stays so. Two who are hemmed in by the neutrals come there, or more seats where
// fifteen points win; neither the base game nor Catan for two says what then, and the game would
// go on for ever, at the pleasure of whoever is behind and builds no city. When each seat has
// had a turn of it, and so the chance to win with what it hides, the game ends without a winner.
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

// upgrades is how many settlements of a seat may still become cities.
func upgrades(s *state.State, c int8) int {
	return min(table.BitCount(s.Settlements[c]), int(s.CitiesLeft(c)))
}

// canSpread reports whether a seat has, or may get by building a city, a piece and a place for a road
// or a settlement, whatever it holds.
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

// settled reports whether cities, the only thing left to build, can change neither who comes before
// whom nor that nobody wins.
func settled(s *state.State) bool {
	for a := range s.Seats {
		for b := range s.Seats {
			up := upgrades(s, a) + upgrades(s, b)
			if a != b && up > 0 && (Most(s, a) >= int(s.Rules.Target) || Least(s, a) <= Most(s, b) && Least(s, b) <= Most(s, a)) {
				return false
			}
		}
	}
	return true
}

// Most is the points a seat may come to by cities and hidden cards, and least those it has for sure.
func Most(s *state.State, c int8) int {
	return s.PublicPoints(c) + upgrades(s, c) + min(s.Cards[c].Len(), int(table.FullDeck[table.Point]))
}

// Least is the points a seat has for sure.
func Least(s *state.State, c int8) int {
	if s.Two() && s.Army == c {
		return s.PublicPoints(c) - 2 // whose knights may be discarded
	}
	return s.PublicPoints(c)
}
