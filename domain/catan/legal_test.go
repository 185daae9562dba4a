package catan

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// conceivable is every move one could think of in a position, but for offers, which are
// composed, and for other ways of writing the same move.
func conceivable(s *State, c int8) []Move {
	list := []Move{
		move(KindRoll), move(KindBuy), move(KindWithdraw), move(KindTokenTrade), move(KindTokenDesert), move(KindRefill), move(KindEnd),
	}
	if c != s.active {
		list = append(list, move(KindAccept), move(KindDecline))
	} else {
		for seat := range int8(maxColours) {
			list = append(list, moveOn(KindAccept, noPlace, seat), moveOn(KindDecline, noPlace, seat), moveOn(KindConfirm, noPlace, seat))
		}
	}
	for p := range int8(pathCount) {
		list = append(list, moveAt(KindRoad, p, noPlace), moveAt(KindRoads, p, noPlace))
		for at := range int8(cornerCount) {
			list = append(list, moveAt(KindFound, at, p))
		}
		for q := p + 1; q < pathCount; q++ {
			list = append(list, moveAt(KindRoads, p, q))
		}
	}
	for at := range int8(cornerCount) {
		list = append(list, moveAt(KindSettle, at, noPlace), moveAt(KindCity, at, noPlace))
	}
	for h := range int8(hexCount) {
		for seat := int8(-1); seat < maxColours; seat++ {
			if seat < 0 && bitCount(uint64(s.victims(c, h))) == 1 {
				continue // another way of writing the same
			}
			list = append(list, moveOn(KindRob, h, seat), moveOn(KindKnight, h, seat))
		}
	}
	for a := range int8(kinds) {
		list = append(list, moveAt(KindMonopoly, a, noPlace), moveAt(KindPlenty, a, noPlace))
		for b := range int8(kinds) {
			list = append(list, moveAt(KindBank, a, b))
			if b >= a {
				list = append(list, moveAt(KindPlenty, a, b))
			}
		}
	}
	return append(append(list, handfuls(s, c)...), neutralPairs(s)...)
}

// handfuls are discards and gifts of cards, up to one more than there are.
func handfuls(s *State, c int8) []Move {
	if s.phase != PhaseDiscard && s.phase != PhaseGive {
		return nil
	}
	var list []Move
	var pick func(h Hand, r int)
	pick = func(h Hand, r int) {
		if r == kinds {
			for _, k := range []Kind{KindDiscard, KindGive} {
				m := move(k)
				m.Give = h
				list = append(list, m)
			}
			return
		}
		for n := int8(0); n <= min(s.hand[c][r]+1, max(s.owes[c], 2)+1); n++ {
			h[r] = n
			pick(h, r+1)
		}
	}
	pick(Hand{}, 0)
	return list
}

func neutralPairs(s *State) []Move {
	if s.phase != PhaseNeutral {
		return nil
	}
	pieces := []NeutralPiece{{}}
	for p := range int8(pathCount) {
		pieces = append(pieces, NeutralPiece{RoadPiece, p})
	}
	for at := range int8(cornerCount) {
		pieces = append(pieces, NeutralPiece{SettlementPiece, at})
	}
	var list []Move
	for _, a := range pieces {
		for _, b := range pieces {
			m := move(KindNeutral)
			m.Neutral = [2]NeutralPiece{a, b}
			list = append(list, m)
		}
	}
	return list
}

// What is listed is accepted, and what is accepted is listed, in positions of random games.
func TestLegalIsWhatDecideAccepts(t *testing.T) {
	games := 2
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 20
	}
	phases := map[Phase]int{}
	for seats := 2; seats <= 4; seats++ {
		for i := range games {
			rng := rand.New(rand.NewPCG(uint64(seats), uint64(i)))
			var options []string
			if i%2 == 1 {
				options = []string{"neutral-building", "one", "token-actions", "any", "friendly-robber", "on", "trade-first", "on"}
			}
			playOut(t, seats, uint64(100+i), rng, func(s *State) {
				if rng.IntN(60) == 0 || s.phase != PhaseMain && phases[s.phase] < 4 {
					phases[s.phase]++
					agree(t, s)
				}
			}, options...)
		}
	}
	for p := PhaseFound; p < PhaseOver; p++ {
		require.NotZero(t, phases[p], "no position in phase %s was looked at", p)
	}
}

func agree(t *testing.T, s *State) {
	for _, d := range Rulebook.Awaited(s) {
		listed := map[Move]bool{}
		for m := range Rulebook.Legal(s, d.Seat) {
			require.False(t, listed[m.(Move)], "listed twice")
			listed[m.(Move)] = true
		}
		for _, m := range conceivable(s, int8(d.Seat)) {
			_, err := Rulebook.Decide(s, d.Seat, m, domain.NewThrowaway(1).Begin())
			if _, refused := domain.AsRefusal(err); err != nil && !refused {
				require.NoError(t, err)
			}
			if (err == nil) != listed[m] {
				require.Fail(t, "listed and accepted differ", "phase %s, seat %d: %s: %v", s.phase, d.Seat, Rulebook.FormatMove(m, nil), err)
			}
			delete(listed, m)
		}
		require.Empty(t, listed, "listed, but nobody would think of it")
	}
}
