package catan

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
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
	for s.rolls == 1 && dice[0]+dice[1] == s.dice[0][0]+s.dice[0][1] {
		d.out.Again = append(d.out.Again, dice)
		if d.luck.Err() != nil {
			break
		}
		dice = throwDice(d.luck)
	}
	d.out.Rolled, d.out.Dice = true, dice
	d.out.Phase = s.afterRolls(s.rolls + 1)
	if dice[0]+dice[1] == 7 {
		d.seven()
		return nil
	}
	d.out.Hands, d.out.Short = s.production(dice[0] + dice[1])
	return nil
}

// afterRolls is the phase that follows once so many rolls were made and resolved.
func (s *State) afterRolls(rolls int8) Phase {
	if s.two() && rolls < 2 {
		return PhaseRoll
	}
	return PhaseMain
}

// seven makes those with more than seven cards owe half of them, rounded down; without
// any the robber moves at once.
func (d *decision) seven() {
	s := d.s
	d.out.Phase = PhaseRobber
	for c := range s.seats {
		if n := owed(s.size[c]); n > 0 {
			d.out.Owes[c] = n
			d.out.Phase = PhaseDiscard
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
func (s *State) production(total int8) (gain [maxColours]Hand, short uint8) {
	var sum Hand
	for _, h := range s.lay.byToken[total] {
		if h == s.robber {
			continue
		}
		t, at := s.board.Terrain[h], isle.hexCorners[h]
		if at&s.built64 == 0 {
			continue
		}
		for c := range s.seats {
			n := int8(bitCount(at&s.settlements[c]) + 2*bitCount(at&s.cities[c]))
			gain[c][t] += n
			sum[t] += n
		}
	}
	if s.bank.Covers(sum) {
		return gain, 0
	}
	for r, n := range sum {
		if n <= s.bank[r] {
			continue
		}
		short |= 1 << r
		alone, claims := int8(noColour), 0
		for c := range s.seats {
			if gain[c][r] > 0 {
				alone = c
				claims++
				gain[c][r] = 0
			}
		}
		if claims == 1 {
			gain[alone][r] = s.bank[r]
		}
	}
	return gain, short
}

func (d *decision) discard() error {
	s, h := d.s, d.m.Give
	if n := int(s.owes[d.by]); h.Len() != n {
		return domain.Refuse("discard-count", "n", n)
	}
	if !s.hand[d.by].Covers(h) {
		return domain.Refuse("not-in-hand", "cards", handSay(h))
	}
	d.out.Hands[d.by] = h.times(-1)
	for c, n := range s.owes {
		if n > 0 && int8(c) != d.by {
			return nil
		}
	}
	d.out.Phase, d.out.Stint = PhaseRobber, true
	return nil
}
