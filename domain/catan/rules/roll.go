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

// roll throws the dice and pays out, or lets the robber loose (Catan base game, 21 to 27). In Catan for two there are
// two rolls with different totals (4): a second throw with the first one's total is repeated.
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

// afterRolls returns the phase that follows after that many rolls, made and resolved.
func afterRolls(s *state.State, rolls int8) state.Phase {
	if s.Two() && rolls < 2 {
		return state.PhaseRoll
	}
	return state.PhaseMain
}

// seven makes seats with more than seven cards owe half of them, rounded down; if there are none, the robber moves at
// once.
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

// owed returns how many of size cards a seven costs.
func owed(size int8) int8 {
	if size > 7 {
		return size / 2
	}
	return 0
}

// production returns what every seat earns on a total, and the kinds the bank is short of (Catan base game, 23 and 24):
// a kind it cannot pay in full goes to nobody, unless only one seat is entitled to it, which then gets what is left.
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
		return domain.Refuse("discard-held", "cards", table.HandSay(h))
	}
	d.out.Hands[d.by] = h.Times(-1)
	if left[d.by] = 0; left == [state.MaxColours]int8{} {
		d.out.Phase, d.out.Stint = state.PhaseRobber, true
	}
	return nil
}

// robberMay returns the hexes to which the robber may go (Catan base game, 28): not where it is now and, with the
// friendly robber, not beside anybody with two points or fewer if there is another place.
func robberMay(s *state.State) uint32 {
	all := uint32(1<<table.HexCount-1) &^ (1 << s.Robber)
	if !s.Rules.Friendly {
		return all
	}
	var poor uint64
	for c := range s.Seats {
		if s.PublicPoints(c) <= 2 {
			poor |= s.Buildings(c)
		}
	}
	kind := all
	for h, at := range table.Isle.HexCorners {
		if at&poor != 0 {
			kind &^= 1 << h
		}
	}
	if kind == 0 {
		return all
	}
	return kind
}

// Victims returns the seats that a seat may rob at a hex: those with a building there and a card.
func Victims(s *state.State, by, hex int8) state.SeatSet {
	rich := robbable(s, by)
	return rich.at(hex)
}

// victims holds the buildings of the seats that a seat may rob.
type victims [state.MaxColours]uint64

func robbable(s *state.State, by int8) (p victims) {
	for c := range s.Seats {
		if c != by && s.Size[c] > 0 {
			p[c] = s.Buildings(c)
		}
	}
	return p
}

// at returns which of them have one at a hex.
func (p *victims) at(hex int8) (set state.SeatSet) {
	for c, at := range p {
		if table.Isle.HexCorners[hex]&at != 0 {
			set = set.With(int8(c))
		}
	}
	return set
}

// rob moves the robber after a seven.
func (d *decision) rob() error {
	d.out.Phase = afterRolls(d.s, d.s.Rolls)
	return d.moveRobber()
}

// knight plays a knight: the robber moves, nobody discards (Catan base game, 30 and 50).
func (d *decision) knight() error {
	if err := d.playCard(table.Knight); err != nil {
		return err
	}
	s := d.s
	knights := s.Knights
	knights[d.by]++
	d.hand(s.Longest, leader(knights, s.Army, leastArmy))
	return d.moveRobber()
}

func (d *decision) moveRobber() error {
	s, hex := d.s, d.m.A
	switch {
	case !table.IsHex(hex):
		return domain.Refuse("no-such-hex", "hex", int(hex))
	case hex == s.Robber:
		return domain.Refuse("robber-stays")
	case robberMay(s)>>hex&1 == 0:
		return domain.Refuse("robber-friendly", "hex", int(hex))
	}
	d.out.Robber = state.OrNone(hex)
	victims := Victims(s, d.by, hex)
	victim := int8(d.m.Seat)
	switch {
	case victim == d.by:
		return domain.Refuse("rob-self")
	case victim >= 0 && !victims.Has(victim):
		return domain.Refuse("rob-nothing", "seat", d.m.Seat, "hex", int(hex))
	case victim < 0 && victims&(victims-1) != 0:
		return domain.Refuse("rob-whom", "hex", int(hex))
	case victims == 0:
		return nil
	case victim < 0:
		victim = int8(victims.List()[0])
	}
	d.steal(victim)
	return nil
}

// steal takes one card unseen; only the thief and the victim see which.
func (d *decision) steal(victim int8) {
	card := pickCard(d.luck, "steal", "resource", d.s.Hand[victim], table.ResourceNamed)
	d.out.From, d.out.Taken = state.OrNone(victim), 1
	d.out.Closed |= allOffers(d.s)
	d.conceal(domain.To(domain.Seat(d.by), domain.Seat(victim)), &state.Unseen{Took: table.One(card)})
}
