package catan

import "posthorn/domain"

// Catan for two: what the owner's rulebook changes. Colours 2 and 3 are the neutrals.

// homeTokens pays tokens for a settlement by the desert, on the coast or both (11), from
// what the supply has left.
func (d *decision) homeTokens(at int8) {
	s := d.s
	if !s.two() {
		return
	}
	n := int8(0)
	if s.lay.desert >= 0 && isle.hexCorners[s.lay.desert]>>at&1 != 0 {
		n += 2
	}
	if isle.coast>>at&1 != 0 {
		n++
	}
	d.out.Tokens[d.by] += min(n, s.tokensLeft())
}

// duty makes the mover owe the neutrals like pieces (8), where any can be built.
func (d *decision) duty(roads, homes int8) {
	if !d.s.two() {
		return
	}
	after := *d.s
	for _, x := range d.out.Pieces {
		after.place(x)
	}
	after.dueRoads, after.dueHomes = roads, homes
	d.settleDuty(&after)
}

// settleDuty notes what is still due after some pieces were built: a duty that nothing
// legal can meet lapses.
func (d *decision) settleDuty(after *State) {
	d.out.Due = [2]int8{after.dueRoads, after.dueHomes}
	if !after.neutralsCan() {
		d.out.Due = [2]int8{}
	}
	if d.out.Due != ([2]int8{}) {
		d.out.Phase = PhaseNeutral
	} else if d.s.phase == PhaseNeutral {
		d.out.Phase = d.s.back
	}
}

// neutralPlaces is where a neutral may build to meet the next duty: a settlement if one is
// due and any is legal, else a road.
func (s *State) neutralPlaces(c int8) (Sort, []int) {
	if s.dueHomes > 0 && s.settlementsLeft(c) > 0 {
		if open := s.openHomes(c); open != 0 {
			return SettlementPiece, cornerList(open)
		}
	}
	return s.neutralRoads(c)
}

func (s *State) neutralRoads(c int8) (Sort, []int) {
	if s.roadsLeft(c) > 0 {
		if open := s.openPaths(c); !open.empty() {
			return RoadPiece, open.list()
		}
	}
	return NoPiece, nil
}

type neutralPair [2]NeutralPiece

// neutralChoices are the ways to meet the next duty. With neutral-building each, both neutrals
// build, in the order that the builder likes: one may take the only place that is left for a
// settlement. With one, either of them builds, and a settlement while any of the two can (A1, A3).
func (s *State) neutralChoices() []neutralPair {
	if s.dueRoads == 0 && s.dueHomes == 0 {
		return nil
	}
	if !s.rules.neutralEach {
		return s.choicesOfOne()
	}
	if !s.orderMatters() {
		return s.bothNeutrals(0, nil, nil, nil)
	}
	var known pairsFrom
	return s.bothNeutrals(1, s.bothNeutrals(0, nil, nil, &known), &known, nil)
}

// orderMatters tells whether it can matter which of the neutrals builds first. Of two roads it
// does only where one of them has a single place, which the other might take.
func (s *State) orderMatters() bool {
	if s.dueHomes > 0 {
		return true
	}
	for c := int8(2); c < maxColours; c++ {
		if open := s.openPaths(c); open.len() == 1 {
			return true
		}
	}
	return false
}

// pairsFrom are the pairs that begin with a place of the neutral N: what M may build after it,
// and where.
type pairsFrom [pathCount]struct {
	sort Sort
	at   [2]uint64
}

// bothNeutrals adds the ways in which the first neutral (0 or 1) builds and then the other, but
// for those that are known already, and keeps them if it is asked to.
func (s *State) bothNeutrals(first int, list []neutralPair, known, keep *pairsFrom) []neutralPair {
	sort, places := s.neutralPlaces(int8(first) + 2)
	if sort == NoPiece {
		if known != nil {
			return list // N alone can build, which is known
		}
		second, more := s.neutralPlaces(int8(3 - first))
		for _, at := range more {
			var p neutralPair
			p[1-first] = NeutralPiece{second, int8(at)}
			list = append(list, p)
		}
		return list
	}
	before := sort
	if known != nil {
		before, _ = s.neutralPlaces(2)
	}
	for _, at := range places {
		after := *s
		after.place(Piece{int8(first) + 2, sort, int8(at)})
		second, more := after.neutralPlaces(int8(3 - first))
		if second == NoPiece {
			more = []int{noPlaceAtAll}
		}
		for _, b := range more {
			var p neutralPair
			p[first] = NeutralPiece{sort, int8(at)}
			if b != noPlaceAtAll {
				p[1-first] = NeutralPiece{second, int8(b)}
			}
			if known != nil && before == p[0].Sort && known.has(p) {
				continue
			}
			list = append(list, p)
		}
		if keep != nil {
			keep[at].sort = second
			for _, b := range more {
				if b != noPlaceAtAll {
					keep[at].at[b/64] |= 1 << (b % 64)
				}
			}
		}
	}
	return list
}

// noPlaceAtAll stands for the place of a neutral that cannot build.
const noPlaceAtAll = -1

func (k *pairsFrom) has(p neutralPair) bool {
	if p[0].Sort == NoPiece {
		return true // N could not build, whoever came first
	}
	from := &k[p[0].At]
	return from.sort == p[1].Sort && (p[1].Sort == NoPiece || from.at[p[1].At/64]>>(p[1].At%64)&1 != 0)
}

// neutralsCan tells whether there is any way to meet the next duty.
func (s *State) neutralsCan() bool {
	if s.dueRoads == 0 && s.dueHomes == 0 {
		return false
	}
	for c := int8(2); c < maxColours; c++ {
		if s.dueHomes > 0 && s.settlementsLeft(c) > 0 && s.openHomes(c) != 0 {
			return true
		}
		if s.roadsLeft(c) > 0 && !s.openPaths(c).empty() {
			return true
		}
	}
	return false
}

func (s *State) choicesOfOne() []neutralPair {
	var homes, roads []neutralPair
	for i := range 2 {
		c := int8(i) + 2
		if s.dueHomes > 0 && s.settlementsLeft(c) > 0 {
			for _, at := range cornerList(s.openHomes(c)) {
				var p neutralPair
				p[i] = NeutralPiece{SettlementPiece, int8(at)}
				homes = append(homes, p)
			}
		}
		if _, places := s.neutralRoads(c); len(places) > 0 {
			for _, at := range places {
				var p neutralPair
				p[i] = NeutralPiece{RoadPiece, int8(at)}
				roads = append(roads, p)
			}
		}
	}
	if len(homes) > 0 {
		return homes
	}
	return roads
}

func (d *decision) forTwo() error {
	if !d.s.two() {
		return domain.Refuse("only-for-two")
	}
	switch d.m.Kind {
	case KindNeutral:
		return d.neutral()
	case KindTokenTrade:
		return d.forcedTrade()
	case KindTokenDesert:
		return d.toDesert()
	case KindGive:
		return d.give()
	case KindRefill:
		return d.refill()
	}
	return domain.Refuse("unreadable")
}

func (d *decision) neutral() error {
	s := d.s
	want := neutralPair(d.m.Neutral)
	swapped := neutralPair{want[1], want[0]}
	var found []neutralPair
	for _, p := range s.neutralChoices() {
		if p == want || d.m.Loose && p == swapped {
			found = append(found, p)
		}
	}
	switch {
	case len(found) == 0:
		return domain.Refuse("neutral-cannot")
	case len(found) > 1:
		return domain.Refuse("neutral-which")
	}
	after := *s
	n := 0
	for i, x := range found[0] {
		if x.Sort != NoPiece {
			d.out.Pieces[n] = Piece{int8(i) + 2, x.Sort, x.At}
			after.place(d.out.Pieces[n])
			n++
		}
	}
	d.recount(after.lengthsAfter(d.out.Pieces))
	if after.dueRoads > 0 {
		after.dueRoads--
	} else {
		after.dueHomes--
	}
	d.settleDuty(&after)
	return nil
}

// lengthsAfter are the lengths once these pieces stand, as they do in this state: of those
// who built a road, and of those whose road a settlement may have cut.
func (s *State) lengthsAfter(pieces [2]Piece) [maxColours]int8 {
	var anew seatSet
	for _, x := range pieces {
		switch x.Sort {
		case RoadPiece:
			anew = anew.with(x.Colour)
		case SettlementPiece:
			for c := range s.colours {
				if c != x.Colour && s.roads[c].and(isle.pathsAt[x.At]).len() >= 2 {
					anew = anew.with(c)
				}
			}
		}
	}
	length := s.length
	for c := range s.colours {
		if anew.has(c) {
			length[c] = longestTrail(s.roads[c], s.others(c))
		}
	}
	return length
}

// allLengths computes everybody's longest road afresh.
func (s *State) allLengths() [maxColours]int8 {
	var length [maxColours]int8
	for c := range s.colours {
		length[c] = longestTrail(s.roads[c], s.others(c))
	}
	return length
}

// tokenPrice is what a token action costs (10, A6): public points are compared.
func (s *State) tokenPrice(c int8) int8 {
	if s.publicPoints(c) <= s.publicPoints(1-c) {
		return 1
	}
	return 2
}

// tokenSpent tells whether there is no more token action this turn (A4).
func (s *State) tokenSpent() bool { return s.tokenUsed && !s.rules.tokensAny }

// tokenReady tells whether a token action can be paid for at this moment.
func (s *State) tokenReady(c int8) bool { return !s.tokenSpent() && s.tokens[c] >= s.tokenPrice(c) }

// spendTokens pays for an action, or refuses one that cannot be paid, or a second one in a turn.
func (d *decision) spendTokens() error {
	n := d.s.tokenPrice(d.by)
	switch {
	case d.s.tokenSpent():
		return domain.Refuse("token-used")
	case !d.s.tokenReady(d.by):
		return domain.Refuse("token-price", "n", int(n))
	}
	d.out.TokenSpent = true
	d.out.Tokens[d.by] = -n
	return nil
}

// mayForce tells whether a forced trade is possible (A8): the opponent has a card, and
// afterwards there are two to give.
func (s *State) mayForce(c int8) bool {
	n := s.size[1-c]
	return n >= 1 && s.size[c]+min(n, 2) >= 2
}

// forcedTrade takes two random cards, or the only one; the giving is a second move (A7).
func (d *decision) forcedTrade() error {
	s, victim := d.s, 1-d.by
	if err := d.spendTokens(); err != nil {
		return err
	}
	if !s.mayForce(d.by) {
		return domain.Refuse("force-nothing")
	}
	took := d.takeUnseen(s.hand[victim], min(int(s.size[victim]), 2))
	d.out.From, d.out.Taken = victim, int8(took.Len())
	d.out.Closed = s.allOffers()
	d.secrets = append(d.secrets, domain.Secret{
		To: domain.To(domain.Seat(d.by), domain.Seat(victim)), Body: &Unseen{Took: took},
	})
	d.out.Phase = PhaseGive
	return nil
}

// toDesert moves the robber to the desert and robs nobody (10, A9).
func (d *decision) toDesert() error {
	s := d.s
	if err := d.spendTokens(); err != nil {
		return err
	}
	if s.lay.desert < 0 {
		return domain.Refuse("no-desert")
	}
	if s.robber == s.lay.desert {
		return domain.Refuse("robber-in-desert")
	}
	d.out.Robber = s.lay.desert
	return nil
}

// give hands two cards back: the second step of the forced trade.
func (d *decision) give() error {
	s, h := d.s, d.m.Give
	if h.Len() != 2 {
		return domain.Refuse("give-two")
	}
	if !s.hand[d.by].Covers(h) {
		return domain.Refuse("not-in-hand", "cards", handSay(h))
	}
	d.out.Hands[d.by] = h.negative()
	d.out.Hands[1-d.by] = h
	d.out.Partner = 1 - d.by
	d.out.Phase = s.back
	return nil
}

// refill discards a knight that lies face up for two tokens, once a turn; the largest army
// may be lost by it (11, 12, A10 to A13).
func (d *decision) refill() error {
	s := d.s
	if s.refilled {
		return domain.Refuse("refill-once")
	}
	if s.knights[d.by] == 0 {
		return domain.Refuse("no-knight-lies")
	}
	d.out.Discharged = true
	d.out.Tokens[d.by] = min(2, s.tokensLeft())
	knights := s.knights
	knights[d.by]--
	d.hand(s.longest, armyHolder(knights, s.army))
	return nil
}

// takeUnseen draws cards from a hand; a script dictates them as `chance take wool ore`.
func (d *decision) takeUnseen(hand Hand, n int) Hand {
	var took Hand
	if o, ok := d.luck.Dictated("take"); ok {
		took, why := parseTaken(o.Words, hand, n)
		if why != "" {
			d.luck.Reject("take", o, why)
		}
		return took
	}
	for range n {
		r := hand.at(d.luck.Draw("take", hand.Len()))
		hand[r]--
		took[r]++
	}
	return took
}
