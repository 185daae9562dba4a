package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Catan for two: what the owner's rulebook changes. Colours 2 and 3 are the neutrals.

// homeTokens gives tokens for a settlement by the desert, on the coast or both (11), from what is left in the supply.
func (d *decision) homeTokens(at int8) {
	s := d.s
	if !s.Two() {
		return
	}
	n := int8(0)
	if s.Lay.Desert >= 0 && table.Isle.HexCorners[s.Lay.Desert]>>at&1 != 0 {
		n += 2
	}
	if table.Isle.Coast>>at&1 != 0 {
		n++
	}
	d.out.Tokens[d.by] += min(n, s.TokensLeft())
}

// build notes what follows from the pieces built: road lengths and who then holds the card and, in Catan for two, that
// the mover owes the neutrals pieces of the same sort (8), if any can be built.
func (d *decision) build(roads, homes int8) {
	after := d.recount()
	if d.s.Two() {
		after.DueRoads, after.DueHomes = roads, homes
		d.settleDuty(&after)
	}
}

// after returns the state with what was built.
func (d *decision) after() state.State {
	after := *d.s
	for _, x := range d.out.Pieces {
		after.Place(x)
	}
	return after
}

// tokenPrice returns what a token action costs (10, A6), by comparing public points.
func tokenPrice(s *state.State, c int8) int8 {
	if s.PublicPoints(c) <= s.PublicPoints(1-c) {
		return 1
	}
	return 2
}

// tokenSpent reports whether no more token action is allowed this turn (A4).
func tokenSpent(s *state.State) bool { return s.TokenUsed && !s.Rules.TokensAny }

// tokenReady reports whether a seat can pay for a token action now.
func tokenReady(s *state.State, c int8) bool {
	return !tokenSpent(s) && s.Tokens[c] >= tokenPrice(s, c)
}

// spendTokens pays for an action, or refuses one that cannot be paid, or a second one in a turn.
func (d *decision) spendTokens() error {
	n := tokenPrice(d.s, d.by)
	switch {
	case tokenSpent(d.s):
		return domain.Refuse("token-used")
	case !tokenReady(d.s, d.by):
		return domain.Refuse("token-price", "n", int(n))
	}
	d.out.TokenSpent = true
	d.out.Tokens[d.by] = -n
	return nil
}

// mayForce reports whether a forced trade is possible (A8): the opponent has a card, and
// afterwards there are two to give.
func mayForce(s *state.State, c int8) bool {
	n := s.Size[1-c]
	return n >= 1 && s.Size[c]+min(n, 2) >= 2
}

// forcedTrade takes two random cards, or the only one; giving is a second move (A7).
func (d *decision) forcedTrade() error {
	s, victim := d.s, 1-d.by
	if err := d.spendTokens(); err != nil {
		return err
	}
	if !mayForce(s, d.by) {
		return domain.Refuse("force-nothing")
	}
	took := d.takeUnseen(s.Hand[victim], min(int(s.Size[victim]), 2))
	d.out.From, d.out.Taken = state.OrNone(victim), int8(took.Len())
	d.out.Closed = allOffers(s)
	d.conceal(domain.To(domain.Seat(d.by), domain.Seat(victim)), &state.Unseen{Took: took})
	d.out.Phase = state.PhaseGive
	return nil
}

// toDesert moves the robber to the desert and robs nobody (10, A9).
func (d *decision) toDesert() error {
	s := d.s
	if err := d.spendTokens(); err != nil {
		return err
	}
	switch s.Lay.Desert {
	case table.NoHex:
		return domain.Refuse("no-desert")
	case s.Robber:
		return domain.Refuse("robber-in-desert")
	}
	d.out.Robber = state.OrNone(s.Lay.Desert)
	return nil
}

// give hands two cards back: the second step of the forced trade.
func (d *decision) give() error {
	s, h := d.s, d.m.Give
	switch {
	case h.Len() != 2:
		return domain.Refuse("give-two")
	case !s.Hand[d.by].Covers(h):
		return domain.Refuse("give-held", "cards", table.HandSay(h))
	}
	d.out.Hands[d.by] = h.Times(-1)
	d.out.Hands[1-d.by] = h
	d.out.Partner = state.OrNone(1 - d.by)
	d.out.Phase = s.Back
	return nil
}

// refill discards a face-up knight for two tokens, once per turn; the seat may lose the largest army by it (11, 12, A10
// to A13).
func (d *decision) refill() error {
	s := d.s
	switch {
	case s.Refilled:
		return domain.Refuse("refill-once")
	case s.Knights[d.by] == 0:
		return domain.Refuse("no-knight-lies")
	}
	d.out.Discharged = true
	d.out.Tokens[d.by] = min(2, s.TokensLeft())
	knights := s.Knights
	knights[d.by]--
	d.hand(s.Longest, leader(knights, s.Army, leastArmy))
	return nil
}

// takeUnseen draws cards from a hand; a script dictates them as `chance take wool ore`.
func (d *decision) takeUnseen(hand table.Hand, n int) table.Hand {
	var took table.Hand
	if o, ok := d.luck.Dictated("take"); ok {
		took, why := notation.ParseTaken(o.Words, hand, n)
		if why != "" {
			d.luck.Reject("take", o, why)
		}
		return took
	}
	for range n {
		r := hand.At(d.luck.Draw("take", hand.Len()))
		hand[r]--
		took[r]++
	}
	return took
}
