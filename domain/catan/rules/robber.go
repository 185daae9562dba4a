package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// robberMay tells whether the robber may go to a hex (Catan base game, 28): another one
// than now and, with the friendly robber, not beside anybody with two points or fewer if
// there is another place.
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

// Victims is who may be robbed at a hex by a seat: those with a building there and a card.
func Victims(s *state.State, by, hex int8) state.SeatSet {
	var set state.SeatSet
	if table.Isle.HexCorners[hex]&s.Built64 == 0 {
		return 0
	}
	for c := range s.Seats {
		if c != by && s.Size[c] > 0 && table.Isle.HexCorners[hex]&s.Buildings(c) != 0 {
			set = set.With(c)
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

// steal takes one card unseen; the thief and the victim see which.
func (d *decision) steal(victim int8) {
	card := pickCard(d.luck, "steal", "resource", d.s.Hand[victim], table.ResourceNamed)
	d.out.From, d.out.Taken = state.OrNone(victim), 1
	d.out.Closed |= allOffers(d.s)
	d.conceal(domain.To(domain.Seat(d.by), domain.Seat(victim)), &state.Unseen{Took: table.One(card)})
}
