package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Catan for two: what the owner's rulebook changes. Colours 2 and 3 are the neutrals.

// homeTokens pays tokens for a settlement by the desert, on the coast or both (11), from
// what the supply has left.
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

// build notes what follows from the pieces that were built: road lengths and who holds the card
// then and, in Catan for two, that the mover owes the neutrals like pieces (8), where any can be built.
func (d *decision) build(roads, homes int8) {
	after := d.recount()
	if d.s.Two() {
		after.DueRoads, after.DueHomes = roads, homes
		d.settleDuty(&after)
	}
}

// after is the state once what was built stands.
func (d *decision) after() state.State {
	after := *d.s
	for _, x := range d.out.Pieces {
		after.Place(x)
	}
	return after
}

// settleDuty notes what is still due after some pieces were built: a duty that nothing
// legal can meet lapses.
func (d *decision) settleDuty(after *state.State) {
	d.out.Due = [2]int8{}
	if NeutralsCan(after) {
		d.out.Due, d.out.Phase = [2]int8{after.DueRoads, after.DueHomes}, state.PhaseNeutral
	} else if d.s.Phase == state.PhaseNeutral {
		d.out.Phase = d.s.Back
	}
}

// placesFor is where a neutral may build a piece of a sort to meet the next duty.
func placesFor(s *state.State, c int8, sort state.Sort) table.PathSet {
	switch {
	case sort == state.SettlementPiece && s.DueHomes > 0 && s.SettlementsLeft(c) > 0:
		return table.PathSet{s.OpenHomes(c)}
	case sort == state.RoadPiece && s.RoadsLeft(c) > 0:
		return s.OpenPaths(c)
	}
	return table.PathSet{}
}

// NeutralPlaces is where a neutral may build to meet the next duty: a settlement if one is
// due and any is legal, else a road.
func NeutralPlaces(s *state.State, c int8) (state.Sort, table.PathSet) {
	for _, sort := range []state.Sort{state.SettlementPiece, state.RoadPiece} {
		if open := placesFor(s, c, sort); !open.Empty() {
			return sort, open
		}
	}
	return state.NoPiece, table.PathSet{}
}

// NeutralPair is what each of the neutrals builds.
type NeutralPair [2]state.NeutralPiece

// NeutralChoices are the ways to meet the next duty. With neutral-building each, both neutrals
// build, in the order that the builder likes: one may take the only place that is left for a
// settlement. With one, either of them builds, and a settlement while any of the two can (A1, A3).
func NeutralChoices(s *state.State) []NeutralPair {
	if s.DueRoads == 0 && s.DueHomes == 0 {
		return nil
	}
	if !s.Rules.NeutralEach {
		return choicesOfOne(s)
	}
	list := pairs(s, 0, nil)
	if orderMatters(s) {
		list = pairs(s, 1, list)
	}
	return list
}

// orderMatters tells whether it can matter which of the neutrals builds first. Of two roads it
// does only where one of them has a single place, which the other might take.
func orderMatters(s *state.State) bool {
	return s.DueHomes > 0 || s.OpenPaths(2).Len() == 1 || s.OpenPaths(3).Len() == 1
}

// pairs adds what both build if one of the neutrals (0 or 1) is the first to, but for what is listed.
func pairs(s *state.State, first int, listed []NeutralPair) []NeutralPair {
	sort, places := NeutralPlaces(s, int8(first)+2)
	list := listed
	for more := true; more; more = !places.Empty() {
		one := state.NeutralPiece{Sort: sort, At: places.NextOrZero()}
		after := *s
		after.Place(state.Piece{Colour: int8(first) + 2, Sort: sort, At: one.At})
		then, rest := NeutralPlaces(&after, 3-int8(first))
		for more := true; more; more = !rest.Empty() {
			var p NeutralPair
			p[first], p[1-first] = one, state.NeutralPiece{Sort: then, At: rest.NextOrZero()}
			if p != (NeutralPair{}) && !slices.Contains(listed, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// NeutralsCan tells whether there is any way to meet the next duty.
func NeutralsCan(s *state.State) bool {
	n, _ := NeutralPlaces(s, 2)
	m, _ := NeutralPlaces(s, 3)
	return s.DueRoads+s.DueHomes > 0 && n|m != state.NoPiece
}

func choicesOfOne(s *state.State) (list []NeutralPair) {
	for sort := state.SettlementPiece; sort >= state.RoadPiece && list == nil; sort-- {
		for i := range 2 {
			for open := placesFor(s, int8(i)+2, sort); !open.Empty(); {
				var p NeutralPair
				p[i] = state.NeutralPiece{Sort: sort, At: open.Next()}
				list = append(list, p)
			}
		}
	}
	return list
}

func (d *decision) neutral() error {
	want := NeutralPair(d.m.Neutral)
	found := slices.DeleteFunc(NeutralChoices(d.s), func(p NeutralPair) bool {
		return p != want && !(d.m.Loose && p == NeutralPair{want[1], want[0]})
	})
	switch {
	case len(found) == 0:
		return whyNeutralsCannot(d.s, want, d.m.Loose)
	case len(found) > 1:
		return domain.Refuse("neutral-which")
	}
	built := d.out.Pieces[:0]
	for i, x := range found[0] {
		if x.Sort != state.NoPiece {
			built = append(built, state.Piece{Colour: int8(i) + 2, Sort: x.Sort, At: x.At})
		}
	}
	after := d.recount()
	if after.DueRoads > 0 {
		after.DueRoads--
	} else {
		after.DueHomes--
	}
	d.settleDuty(&after)
	return nil
}

// tokenPrice is what a token action costs (10, A6): public points are compared.
func tokenPrice(s *state.State, c int8) int8 {
	if s.PublicPoints(c) <= s.PublicPoints(1-c) {
		return 1
	}
	return 2
}

// tokenSpent tells whether there is no more token action this turn (A4).
func tokenSpent(s *state.State) bool { return s.TokenUsed && !s.Rules.TokensAny }

// tokenReady tells whether a token action can be paid for at this moment.
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

// mayForce tells whether a forced trade is possible (A8): the opponent has a card, and
// afterwards there are two to give.
func mayForce(s *state.State, c int8) bool {
	n := s.Size[1-c]
	return n >= 1 && s.Size[c]+min(n, 2) >= 2
}

// forcedTrade takes two random cards, or the only one; the giving is a second move (A7).
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
		return domain.Refuse("not-in-hand", "cards", table.HandSay(h))
	}
	d.out.Hands[d.by] = h.Times(-1)
	d.out.Hands[1-d.by] = h
	d.out.Partner = state.OrNone(1 - d.by)
	d.out.Phase = s.Back
	return nil
}

// refill discards a knight that lies face up for two tokens, once a turn; the largest army
// may be lost by it (11, 12, A10 to A13).
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
