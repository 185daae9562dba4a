package catan

import (
	"posthorn/domain"
)

// robberMay tells whether the robber may go to a hex (Catan base game, 28): another one
// than now and, with the friendly robber, not beside anybody with two points or fewer if
// there is another place.
func (s *State) robberMay() uint32 {
	all := uint32(1<<hexCount-1) &^ (1 << s.robber)
	if !s.rules.friendly {
		return all
	}
	var poor uint64
	for c := range s.seats {
		if s.publicPoints(c) <= 2 {
			poor |= s.buildings(c)
		}
	}
	kind := all
	for h, at := range isle.hexCorners {
		if at&poor != 0 {
			kind &^= 1 << h
		}
	}
	if kind == 0 {
		return all
	}
	return kind
}

// victims is who may be robbed at a hex by a seat: those with a building there and a card.
func (s *State) victims(by, hex int8) seatSet {
	var set seatSet
	if isle.hexCorners[hex]&s.built64 == 0 {
		return 0
	}
	for c := range s.seats {
		if c != by && s.size[c] > 0 && isle.hexCorners[hex]&s.buildings(c) != 0 {
			set = set.with(c)
		}
	}
	return set
}

// rob moves the robber after a seven.
func (d *decision) rob() error {
	d.out.Phase = d.s.afterRolls(d.s.rolls)
	return d.moveRobber()
}

// knight plays a knight: the robber moves, nobody discards (Catan base game, 30 and 50).
func (d *decision) knight() error {
	if err := d.playCard(Knight); err != nil {
		return err
	}
	s := d.s
	knights := s.knights
	knights[d.by]++
	d.hand(s.longest, armyHolder(knights, s.army))
	return d.moveRobber()
}

func (d *decision) moveRobber() error {
	s, hex := d.s, d.m.A
	switch {
	case !isHex(hex):
		return domain.Refuse("no-such-hex", "hex", int(hex))
	case hex == s.robber:
		return domain.Refuse("robber-stays")
	case s.robberMay()>>hex&1 == 0:
		return domain.Refuse("robber-friendly", "hex", int(hex))
	}
	d.out.Robber = hex
	victims := s.victims(d.by, hex)
	victim := int8(d.m.Seat)
	if victim < 0 {
		if victims&(victims-1) != 0 {
			return domain.Refuse("rob-whom", "hex", int(hex))
		}
		if victims == 0 {
			return nil
		}
		victim = int8(victims.list()[0])
	} else if !victims.has(victim) {
		return domain.Refuse("rob-nothing", "seat", d.m.Seat, "hex", int(hex))
	}
	d.steal(victim)
	return nil
}

// steal takes one card unseen; the thief and the victim see which.
func (d *decision) steal(victim int8) {
	hand := d.s.hand[victim]
	i := d.luck.Pick("steal", hand.Len(), func(words string) (int, error) {
		r, err := dictatedResource(words)
		if err != nil {
			return 0, err
		}
		return hand.first(r)
	})
	d.out.From, d.out.Taken = victim, 1
	d.out.Closed |= d.s.allOffers()
	d.secrets = append(d.secrets, domain.Secret{
		To:   domain.To(domain.Seat(d.by), domain.Seat(victim)),
		Body: &Unseen{Took: one(hand.at(i))},
	})
}
