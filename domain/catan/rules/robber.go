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
	d.hand(s.Longest, armyHolder(knights, s.Army))
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
	if victim < 0 {
		if victims&(victims-1) != 0 {
			return domain.Refuse("rob-whom", "hex", int(hex))
		}
		if victims == 0 {
			return nil
		}
		victim = int8(victims.List()[0])
	} else if !victims.Has(victim) {
		return domain.Refuse("rob-nothing", "seat", d.m.Seat, "hex", int(hex))
	}
	d.steal(victim)
	return nil
}

// steal takes one card unseen; the thief and the victim see which.
func (d *decision) steal(victim int8) {
	hand := d.s.Hand[victim]
	i := d.luck.Pick("steal", hand.Len(), func(words string) (int, error) {
		r, err := dictatedResource(words)
		if err != nil {
			return 0, err
		}
		return hand.First(r)
	})
	d.out.From, d.out.Taken = state.OrNone(victim), 1
	d.out.Closed |= allOffers(d.s)
	d.secrets = append(d.secrets, domain.Secret{
		To:   domain.To(domain.Seat(d.by), domain.Seat(victim)),
		Body: &state.Unseen{Took: table.One(hand.At(i))},
	})
}
