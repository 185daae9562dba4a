package catan

import "posthorn/domain"

// Decide judges a move. The state is not changed: what follows is in the event.
func (rulesRoom) Decide(s *State, seat domain.Seat, m Move, luck *domain.Luck) (domain.Event, error) {
	d := decision{s: s, by: int8(seat), m: m, luck: luck, out: s.played(m.Kind)}
	if d.by < 0 || d.by >= s.seats {
		return domain.Event{}, domain.Refuse("not-awaited", "seat", seat)
	}
	if err := d.judge(); err != nil {
		return domain.Event{}, err
	}
	d.finish()
	return domain.Event{Type: typePlayed, Body: d.out, Secrets: d.secrets}, nil
}

// decision is one move being judged, and what follows from it so far.
type decision struct {
	s       *State
	by      int8
	m       Move
	luck    *domain.Luck
	out     *Played
	secrets []domain.Secret
}

func (d *decision) judge() error {
	if err := d.timely(); err != nil {
		return err
	}
	switch d.m.Kind {
	case KindFound:
		return d.found()
	case KindRoll:
		return d.roll()
	case KindRoad:
		return d.road()
	case KindSettle:
		return d.settle()
	case KindCity:
		return d.city()
	case KindBuy:
		return d.buy()
	case KindKnight:
		return d.knight()
	case KindRoads:
		return d.roads()
	case KindPlenty:
		return d.plenty()
	case KindMonopoly:
		return d.monopoly()
	case KindRob:
		return d.rob()
	case KindDiscard:
		return d.discard()
	case KindBank:
		return d.bank()
	case KindEnd:
		return d.end()
	case KindOffer, KindAccept, KindDecline, KindConfirm, KindCounter, KindWithdraw:
		return d.trade()
	default:
		return d.forTwo()
	}
}

// timely tells whether a move of this kind may be made by this seat in this phase.
func (d *decision) timely() error {
	s, k := d.s, d.m.Kind
	if s.phase == PhaseOver {
		return domain.Refuse("game-over")
	}
	switch k {
	case KindDiscard:
		if s.phase != PhaseDiscard || s.owes[d.by] == 0 {
			return domain.Refuse("no-discard")
		}
		return nil
	case KindAccept, KindDecline, KindCounter:
		if d.by != s.active {
			return nil // judged with the offer
		}
	}
	if d.by != s.active {
		return domain.Refuse("not-your-turn")
	}
	if k < 0 || k >= kindCount || timing[k]>>s.phase&1 == 0 {
		return domain.Refuse("not-now-"+s.phase.String(), "move_word", "move."+k.String())
	}
	return nil
}

// timing is in which phases the active seat may make a move of a kind.
var timing = [kindCount]uint16{
	KindFound: 1 << PhaseFound, KindRoll: 1 << PhaseRoll, KindRob: 1 << PhaseRobber,
	KindRoad: 1 << PhaseMain, KindSettle: 1 << PhaseMain, KindCity: 1 << PhaseMain, KindBuy: 1 << PhaseMain,
	KindBank: 1 << PhaseMain, KindEnd: 1 << PhaseMain,
	KindOffer: 1 << PhaseMain, KindAccept: 1 << PhaseMain, KindDecline: 1 << PhaseMain,
	KindConfirm: 1 << PhaseMain, KindWithdraw: 1 << PhaseMain, KindCounter: 1 << PhaseMain,
	KindKnight: 1<<PhaseRoll | 1<<PhaseMain, KindRoads: 1<<PhaseRoll | 1<<PhaseMain,
	KindPlenty: 1<<PhaseRoll | 1<<PhaseMain, KindMonopoly: 1<<PhaseRoll | 1<<PhaseMain,
	KindTokenTrade: 1<<PhaseRoll | 1<<PhaseMain, KindTokenDesert: 1<<PhaseRoll | 1<<PhaseMain,
	KindRefill: 1<<PhaseRoll | 1<<PhaseMain,
	KindGive:   1 << PhaseGive, KindNeutral: 1 << PhaseNeutral,
}

// found places a settlement and a road that touches it (Catan base game, 17 to 20).
func (d *decision) found() error {
	s, at, path := d.s, d.m.A, d.m.B
	switch {
	case !isCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case !isPath(path):
		return domain.Refuse("no-such-path", "path", int(path))
	case !isle.pathsAt[at].has(path):
		return domain.Refuse("found-apart", "at", int(at), "path", int(path))
	}
	if s.shut>>at&1 != 0 {
		return domain.Refuse("too-close", "at", int(at))
	}
	if s.laid.has(path) {
		return domain.Refuse("path-taken", "path", int(path))
	}
	d.out.Pieces = [2]Piece{{d.by, SettlementPiece, at}, {d.by, RoadPiece, path}}
	d.homeTokens(at)
	d.out.Roads, d.out.Lengths = true, s.lengthsAfterRoad(d.by, s.roads[d.by].or(onePath(path)))
	if s.founded >= s.seats {
		for _, h := range isle.hexesAt[at] {
			t := s.board.Terrain[h]
			if t != Desert && s.bank[t] > d.out.Hands[d.by][t] {
				d.out.Hands[d.by][t]++
			}
		}
	}
	if next := s.founded + 1; next < 2*s.seats {
		d.out.Next, d.out.Stint = s.founder(next), true
	} else {
		d.out.Next, d.out.Stint, d.out.Phase = s.first, true, PhaseRoll
	}
	return nil
}

func onePath(p int8) pathSet {
	var s pathSet
	s.add(p)
	return s
}

// isCorner tells whether there is such an intersection.
func isCorner(c int8) bool { return c >= 0 && c < cornerCount }

// isPath tells whether there is such a path.
func isPath(p int8) bool { return p >= 0 && p < pathCount }

// isHex tells whether there is such a hex.
func isHex(h int8) bool { return h >= 0 && h < hexCount }

// pay takes a cost from the mover, or refuses.
func (d *decision) pay(cost Hand) error {
	if !d.s.hand[d.by].Covers(cost) {
		return domain.Refuse("cannot-pay", "cost", handSay(cost))
	}
	d.out.Hands[d.by].sub(cost)
	d.out.Closed |= d.s.spoiled(d.by, cost)
	return nil
}

// spoiled is the offers that end because their maker parts with cards they promise. That
// depends on what was paid in the open alone, so it tells nothing of the hand.
func (s *State) spoiled(c int8, paid Hand) seatSet {
	if o := &s.offers[c]; o.Open {
		for r, n := range paid {
			if n > 0 && o.Give[r] > 0 {
				return seatSet(0).with(c)
			}
		}
	}
	return 0
}

// allOffers is every open offer.
func (s *State) allOffers() seatSet {
	var all seatSet
	for c := range s.offers {
		if s.offers[c].Open {
			all = all.with(int8(c))
		}
	}
	return all
}

func (d *decision) road() error {
	s, path := d.s, d.m.A
	if err := s.roadFits(d.by, path); err != nil {
		return err
	}
	if err := d.pay(roadCost); err != nil {
		return err
	}
	d.out.Pieces[0] = Piece{d.by, RoadPiece, path}
	d.recount(s.lengthsAfterRoad(d.by, s.roads[d.by].or(onePath(path))))
	d.duty(1, 0)
	return nil
}

// roadFits refuses a road that a colour may not build (Catan base game, 14 and 34).
func (s *State) roadFits(c, path int8) error {
	switch {
	case !isPath(path):
		return domain.Refuse("no-such-path", "path", int(path))
	case s.roadsLeft(c) == 0:
		return domain.Refuse("no-roads-left")
	case s.laid.has(path):
		return domain.Refuse("path-taken", "path", int(path))
	case !s.openPaths(c).has(path):
		return domain.Refuse("not-connected", "path", int(path))
	}
	return nil
}

func (d *decision) settle() error {
	s, at := d.s, d.m.A
	switch {
	case !isCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case s.settlementsLeft(d.by) == 0:
		return domain.Refuse("no-settlements-left")
	case s.shut>>at&1 != 0:
		return domain.Refuse("too-close", "at", int(at))
	case s.reach[d.by]>>at&1 == 0:
		return domain.Refuse("no-road-there", "at", int(at))
	}
	if err := d.pay(settlementCost); err != nil {
		return err
	}
	d.out.Pieces[0] = Piece{d.by, SettlementPiece, at}
	d.homeTokens(at)
	d.recount(s.lengthsAfterHome(d.by, at))
	d.duty(0, 1)
	return nil
}

func (d *decision) city() error {
	s, at := d.s, d.m.A
	switch {
	case !isCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case s.settlements[d.by]>>at&1 == 0:
		return domain.Refuse("no-settlement-there", "at", int(at))
	case s.citiesLeft(d.by) == 0:
		return domain.Refuse("no-cities-left")
	}
	if err := d.pay(cityCost); err != nil {
		return err
	}
	d.out.Pieces[0] = Piece{d.by, CityPiece, at}
	return nil
}

// recount notes new road lengths, and who holds the card then.
func (d *decision) recount(length [maxColours]int8) {
	if length == d.s.length {
		return
	}
	d.out.Roads, d.out.Lengths = true, length
	d.hand(longestHolder(length, d.s.longest), d.s.army)
}

// hand notes who holds the two special cards, if that changes.
func (d *decision) hand(longest, army int8) {
	if longest != d.s.longest || army != d.s.army {
		d.out.Cards, d.out.Longest, d.out.Army = true, longest, army
	}
}

func (d *decision) end() error {
	next := d.s.next(d.by)
	d.out.Next, d.out.Stint, d.out.Phase = next, true, PhaseRoll
	d.out.Closed = d.s.allOffers()
	if n := d.s.points(next); n >= int(d.s.rules.target) {
		d.win(next, n)
		return nil
	}
	if d.s.standsStill() {
		d.out.Still = d.s.still + 1
	}
	if d.out.Still >= d.s.seats {
		d.over()
	}
	return nil
}

// finish sees whether the seat whose turn it is has won (Catan base game, 52 and 53).
func (d *decision) finish() {
	s := d.s
	switch d.out.Did {
	case KindRoad, KindSettle, KindCity, KindBuy:
		if s.rules.apart {
			d.out.Closed |= s.allOffers()
		}
	}
	if d.out.Next != noColour || s.phase == PhaseFound {
		return
	}
	n := s.pointsAfter(d.out, s.active) + int(d.boughtPoint())
	if n >= int(s.rules.target) {
		d.win(s.active, n)
	}
}

// boughtPoint is 1 if the card just bought is a victory point.
func (d *decision) boughtPoint() int8 {
	if d.out.Bought {
		if u, ok := d.secrets[0].Body.(*Unseen); ok && u.Card-1 == Point {
			return 1
		}
	}
	return 0
}

func (d *decision) win(c int8, points int) {
	d.out.Won, d.out.WonPoints = c, int8(points)
	d.over()
}

// over ends the game. The points that were hidden are counted in the open (Catan base game, 39):
// were they left to the state alone, whoever reads the final points would learn of them what no
// event told.
func (d *decision) over() {
	for o := range d.s.seats {
		d.out.Shown[o] = d.s.cards[o][Point]
	}
	d.out.Shown[d.by] += d.boughtPoint()
	d.out.Phase, d.out.Closed, d.out.Due = PhaseOver, d.s.allOffers(), [2]int8{}
}

// pointsAfter is a seat's points once the outcome is applied.
func (s *State) pointsAfter(p *Played, c int8) int {
	n := s.points(c)
	for _, x := range p.Pieces {
		if x.Colour == c && (x.Sort == SettlementPiece || x.Sort == CityPiece) {
			n++ // a city is worth one more than the settlement it replaces
		}
	}
	if p.Cards {
		n += 2 * (is(p.Longest == c) + is(p.Army == c) - is(s.longest == c) - is(s.army == c))
	}
	return n
}

// is is 1 for what is so.
func is(b bool) int {
	if b {
		return 1
	}
	return 0
}
