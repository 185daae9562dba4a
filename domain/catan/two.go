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

// placesFor is where a neutral may build a piece of a sort to meet the next duty.
func (s *State) placesFor(c int8, sort Sort) pathSet {
	switch {
	case sort == SettlementPiece && s.dueHomes > 0 && s.settlementsLeft(c) > 0:
		return pathSet{s.openHomes(c)}
	case sort == RoadPiece && s.roadsLeft(c) > 0:
		return s.openPaths(c)
	}
	return pathSet{}
}

// neutralPlaces is where a neutral may build to meet the next duty: a settlement if one is
// due and any is legal, else a road.
func (s *State) neutralPlaces(c int8) (Sort, pathSet) {
	for _, sort := range []Sort{SettlementPiece, RoadPiece} {
		if open := s.placesFor(c, sort); !open.empty() {
			return sort, open
		}
	}
	return NoPiece, pathSet{}
}

// neutralPair is what each of the neutrals builds.
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
	var n, m building
	n.see(s, 0)
	list := n.pairs(nil, nil)
	if s.orderMatters() {
		m.see(s, 1)
		list = m.pairs(list, &n)
	}
	return list
}

// orderMatters tells whether it can matter which of the neutrals builds first. Of two roads it
// does only where one of them has a single place, which the other might take.
func (s *State) orderMatters() bool {
	return s.dueHomes > 0 || s.openPaths(2).len() == 1 || s.openPaths(3).len() == 1
}

// building is what one of the neutrals (0 or 1) may build first, and by its place what the other
// may build then. If the first cannot build, the other's are those of place 0.
type building struct {
	first  int
	sort   Sort
	places pathSet
	then   [pathCount]struct {
		sort   Sort
		places pathSet
	}
}

func (b *building) see(s *State, first int) {
	b.first = first
	b.sort, b.places = s.neutralPlaces(int8(first) + 2)
	for left, more := b.places, true; more; more = !left.empty() {
		at := left.nextOrZero()
		after := *s
		after.place(Piece{int8(first) + 2, b.sort, at})
		b.then[at].sort, b.then[at].places = after.neutralPlaces(3 - int8(first))
	}
}

// pairs adds what both build, but for what is known from the other order.
func (b *building) pairs(list []neutralPair, known *building) []neutralPair {
	if known != nil && b.sort == NoPiece {
		return list
	}
	for left, more := b.places, true; more; more = !left.empty() {
		at := left.nextOrZero()
		then := &b.then[at]
		for rest, more := then.places, true; more; more = !rest.empty() {
			next := rest.nextOrZero()
			if known != nil && known.sort == then.sort &&
				(then.sort == NoPiece || known.then[next].sort == b.sort && known.then[next].places.has(at)) {
				continue
			}
			var p neutralPair
			p[b.first], p[1-b.first] = NeutralPiece{b.sort, at}, NeutralPiece{then.sort, next}
			if p != (neutralPair{}) {
				list = append(list, p)
			}
		}
	}
	return list
}

// neutralsCan tells whether there is any way to meet the next duty.
func (s *State) neutralsCan() bool {
	n, _ := s.neutralPlaces(2)
	m, _ := s.neutralPlaces(3)
	return s.dueRoads+s.dueHomes > 0 && (n != NoPiece || m != NoPiece)
}

func (s *State) choicesOfOne() (list []neutralPair) {
	for _, sort := range []Sort{SettlementPiece, RoadPiece} {
		for i := range 2 {
			for open := s.placesFor(int8(i)+2, sort); !open.empty(); {
				var p neutralPair
				p[i] = NeutralPiece{sort, open.next()}
				list = append(list, p)
			}
		}
		if list != nil {
			break
		}
	}
	return list
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
	d.out.Hands[d.by] = h.times(-1)
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
