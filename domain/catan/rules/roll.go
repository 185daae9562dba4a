package rules

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

const diceOutcomes = 36

// parseDice reads dictated dice: "3 4".
func parseDice(words string) (int, error) {
	f := strings.Fields(words)
	if len(f) != 2 {
		return 0, fmt.Errorf("two dice are wanted, such as 3 4")
	}
	var d [2]int
	for i := range d {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 1 || n > 6 {
			return 0, fmt.Errorf("a die shows 1 to 6, not %s", f[i])
		}
		d[i] = n - 1
	}
	return d[0]*6 + d[1], nil
}

func throwDice(luck *domain.Luck) [2]int8 {
	n := luck.Pick("dice", diceOutcomes, parseDice)
	return [2]int8{int8(n/6) + 1, int8(n%6) + 1}
}

// roll throws the dice and pays out, or lets the robber loose (Catan base game, 21 to 27).
// In Catan for two there are two rolls with different totals (4): a throw of the first
// one's total is thrown again.
func (d *decision) roll() error {
	s := d.s
	dice := throwDice(d.luck)
	for s.Rolls == 1 && dice[0]+dice[1] == s.Dice[0][0]+s.Dice[0][1] {
		d.out.Again = append(d.out.Again, dice)
		if d.luck.Err() != nil {
			break
		}
		dice = throwDice(d.luck)
	}
	d.out.Dice = dice
	d.out.Phase = afterRolls(s, s.Rolls+1)
	if dice[0]+dice[1] == 7 {
		d.seven()
		return nil
	}
	d.out.Hands, d.out.Short = production(s, dice[0]+dice[1])
	return nil
}

// afterRolls is the phase that follows once so many rolls were made and resolved.
func afterRolls(s *state.State, rolls int8) state.Phase {
	if s.Two() && rolls < 2 {
		return state.PhaseRoll
	}
	return state.PhaseMain
}

// seven makes those with more than seven cards owe half of them, rounded down; without
// any the robber moves at once.
func (d *decision) seven() {
	s := d.s
	d.out.Phase = state.PhaseRobber
	for c := range s.Seats {
		if n := owed(s.Size[c]); n > 0 {
			d.out.Owes[c] = n
			d.out.Phase = state.PhaseDiscard
		}
	}
}

// owed is how many of so many cards a seven costs.
func owed(size int8) int8 {
	if size > 7 {
		return size / 2
	}
	return 0
}

// production is what every seat earns on a total, and the kinds the bank is short of
// (Catan base game, 23 and 24): a kind it cannot pay in full goes to nobody, unless one
// seat alone is entitled to it, which then gets what is left.
func production(s *state.State, total int8) (gain [state.MaxColours]table.Hand, short uint8) {
	var sum table.Hand
	for _, h := range s.Lay.ByToken[total] {
		if h == s.Robber {
			continue
		}
		t, at := s.Board.Terrain[h], table.Isle.HexCorners[h]
		if at&s.Built64 == 0 {
			continue
		}
		for c := range s.Seats {
			n := int8(table.BitCount(at&s.Settlements[c]) + 2*table.BitCount(at&s.Cities[c]))
			gain[c][t] += n
			sum[t] += n
		}
	}
	if s.Bank.Covers(sum) {
		return gain, 0
	}
	for r, n := range sum {
		if n <= s.Bank[r] {
			continue
		}
		short |= 1 << r
		alone, claims := int8(state.NoColour), 0
		for c := range s.Seats {
			if gain[c][r] > 0 {
				alone, claims, gain[c][r] = c, claims+1, 0
			}
		}
		if claims == 1 {
			gain[alone][r] = s.Bank[r]
		}
	}
	return gain, short
}

func (d *decision) discard() error {
	s, h, left := d.s, d.m.Give, d.s.Owes
	switch {
	case h.Len() != int(left[d.by]):
		return domain.Refuse("discard-count", "n", int(left[d.by]))
	case !s.Hand[d.by].Covers(h):
		return domain.Refuse("not-in-hand", "cards", table.HandSay(h))
	}
	d.out.Hands[d.by] = h.Times(-1)
	if left[d.by] = 0; left == [state.MaxColours]int8{} {
		d.out.Phase, d.out.Stint = state.PhaseRobber, true
	}
	return nil
}
