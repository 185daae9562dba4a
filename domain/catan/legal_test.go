package catan

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// conceivable returns every move somebody could think of in a position, except offers, which are composed, and other
// ways of writing the same move.
func conceivable(s *state.State, c int8) []state.Move {
	list := []state.Move{
		state.NewMove(state.KindRoll), state.NewMove(state.KindBuy), state.NewMove(state.KindWithdraw),
		state.NewMove(state.KindTokenTrade), state.NewMove(state.KindTokenDesert), state.NewMove(state.KindRefill),
		state.NewMove(state.KindEnd),
	}
	if c != s.Active {
		list = append(list, state.NewMove(state.KindAccept), state.NewMove(state.KindDecline))
	} else {
		for seat := range int8(state.MaxColours) {
			list = append(list, state.MoveOn(state.KindAccept, table.NoPlace, seat),
				state.MoveOn(state.KindDecline, table.NoPlace, seat),
				state.MoveOn(state.KindConfirm, table.NoPlace, seat))
		}
	}
	for p := range int8(table.PathCount) {
		list = append(list, state.MoveAt(state.KindRoad, p, table.NoPlace),
			state.MoveAt(state.KindRoads, p, table.NoPlace))
		for at := range int8(table.CornerCount) {
			list = append(list, state.MoveAt(state.KindFound, at, p))
		}
		for q := p + 1; q < table.PathCount; q++ {
			list = append(list, state.MoveAt(state.KindRoads, p, q))
		}
	}
	for at := range int8(table.CornerCount) {
		list = append(list, state.MoveAt(state.KindSettle, at, table.NoPlace),
			state.MoveAt(state.KindCity, at, table.NoPlace))
	}
	for h := range int8(table.HexCount) {
		for seat := int8(-1); seat < state.MaxColours; seat++ {
			if seat < 0 && table.BitCount(uint64(rules.Victims(s, c, h))) == 1 {
				continue // another way of writing the same move
			}
			list = append(list, state.MoveOn(state.KindRob, h, seat), state.MoveOn(state.KindKnight, h, seat))
		}
	}
	for a := range int8(table.Kinds) {
		list = append(list, state.MoveAt(state.KindMonopoly, a, table.NoPlace),
			state.MoveAt(state.KindPlenty, a, table.NoPlace))
		for b := range int8(table.Kinds) {
			list = append(list, state.MoveAt(state.KindBank, a, b))
			if b >= a {
				list = append(list, state.MoveAt(state.KindPlenty, a, b))
			}
		}
	}
	return append(append(list, handfuls(s, c)...), neutralPairs(s)...)
}

// handfuls returns discards and gifts of cards, up to one more than there are.
func handfuls(s *state.State, c int8) []state.Move {
	if s.Phase != state.PhaseDiscard && s.Phase != state.PhaseGive {
		return nil
	}
	var list []state.Move
	var pick func(h table.Hand, r int)
	pick = func(h table.Hand, r int) {
		if r == table.Kinds {
			for _, k := range []state.Kind{state.KindDiscard, state.KindGive} {
				m := state.NewMove(k)
				m.Give = h
				list = append(list, m)
			}
			return
		}
		for n := int8(0); n <= min(s.Hand[c][r]+1, max(s.Owes[c], 2)+1); n++ {
			h[r] = n
			pick(h, r+1)
		}
	}
	pick(table.Hand{}, 0)
	return list
}

func neutralPairs(s *state.State) []state.Move {
	if s.Phase != state.PhaseNeutral {
		return nil
	}
	pieces := []state.NeutralPiece{{}}
	for p := range int8(table.PathCount) {
		pieces = append(pieces, state.NeutralPiece{Sort: state.RoadPiece, At: p})
	}
	for at := range int8(table.CornerCount) {
		pieces = append(pieces, state.NeutralPiece{Sort: state.SettlementPiece, At: at})
	}
	var list []state.Move
	for _, a := range pieces {
		for _, b := range pieces {
			m := state.NewMove(state.KindNeutral)
			m.Neutral = [2]state.NeutralPiece{a, b}
			list = append(list, m)
		}
	}
	return list
}

// In positions of random games, listed moves are accepted and accepted moves are listed.
func TestLegalIsWhatDecideAccepts(t *testing.T) {
	games := 2
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 20
	}
	phases := map[state.Phase]int{}
	for seats := 2; seats <= 4; seats++ {
		for i := range games {
			rng := rand.New(rand.NewPCG(uint64(seats), uint64(i)))
			var options []string
			if i%2 == 1 {
				options = []string{"neutral-building", "one", "token-actions", "any", "friendly-robber", "on",
					"trade-first", "on"}
			}
			playOut(t, seats, uint64(100+i), rng, func(s *state.State) {
				if rng.IntN(60) == 0 || s.Phase != state.PhaseMain && phases[s.Phase] < 4 {
					phases[s.Phase]++
					agree(t, s)
				}
			}, options...)
		}
	}
	for p := state.PhaseFound; p < state.PhaseOver; p++ {
		require.NotZero(t, phases[p], "no position in phase %s was looked at", p)
	}
}

func agree(t *testing.T, s *state.State) {
	for _, d := range Rulebook.Awaited(s) {
		listed := map[state.Move]bool{}
		for m := range Rulebook.Legal(s, d.Seat) {
			require.False(t, listed[m.(state.Move)], "listed twice")
			listed[m.(state.Move)] = true
		}
		for _, m := range conceivable(s, int8(d.Seat)) {
			_, err := Rulebook.Decide(s, d.Seat, m, domain.NewThrowaway(1).Begin())
			if _, refused := domain.AsRefusal(err); err != nil && !refused {
				require.NoError(t, err)
			}
			if (err == nil) != listed[m] {
				require.Fail(t, "listed and accepted differ", "phase %s, seat %d: %s: %v", s.Phase, d.Seat,
					Rulebook.FormatMove(m, nil), err)
			}
			delete(listed, m)
		}
		require.Empty(t, listed, "listed, but nobody would think of it")
	}
}
