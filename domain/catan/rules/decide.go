package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Decide judges a move. The state is not changed: what follows is in the event.
func (*Room) Decide(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) (domain.Event, error) {
	d := decision{s: s, by: int8(seat), m: m, luck: luck, out: s.Played(m.Kind)}
	if d.by < 0 || d.by >= s.Seats {
		return domain.Event{}, domain.Refuse("not-awaited", "seat", seat)
	}
	if err := d.judge(); err != nil {
		return domain.Event{}, err
	}
	d.finish()
	return domain.Event{Type: state.TypePlayed, Body: d.out, Secrets: d.secrets}, nil
}

// decision is one move being judged, and what follows from it so far.
type decision struct {
	s       *state.State
	by      int8
	m       state.Move
	luck    *domain.Luck
	out     *state.Played
	secrets []domain.Secret
}

func (d *decision) judge() error {
	if err := d.timely(); err != nil {
		return err
	}
	switch d.m.Kind {
	case state.KindFound:
		return d.found()
	case state.KindRoll:
		return d.roll()
	case state.KindRoad:
		return d.road()
	case state.KindSettle:
		return d.settle()
	case state.KindCity:
		return d.city()
	case state.KindBuy:
		return d.buy()
	case state.KindKnight:
		return d.knight()
	case state.KindRoads:
		return d.roads()
	case state.KindPlenty:
		return d.plenty()
	case state.KindMonopoly:
		return d.monopoly()
	case state.KindRob:
		return d.rob()
	case state.KindDiscard:
		return d.discard()
	case state.KindBank:
		return d.bank()
	case state.KindEnd:
		return d.end()
	case state.KindOffer:
		return d.offer()
	case state.KindWithdraw:
		return d.withdraw()
	case state.KindConfirm:
		return d.confirm()
	case state.KindAccept, state.KindDecline, state.KindCounter:
		return d.answer()
	}
	if !d.s.Two() {
		return domain.Refuse("only-for-two")
	}
	switch d.m.Kind {
	case state.KindNeutral:
		return d.neutral()
	case state.KindTokenTrade:
		return d.forcedTrade()
	case state.KindTokenDesert:
		return d.toDesert()
	case state.KindGive:
		return d.give()
	case state.KindRefill:
		return d.refill()
	}
	return domain.Refuse("unreadable")
}

// timely tells whether a move of this kind may be made by this seat in this phase.
func (d *decision) timely() error {
	s, k := d.s, d.m.Kind
	if s.Phase == state.PhaseOver {
		return domain.Refuse("game-over")
	}
	switch k {
	case state.KindDiscard:
		if s.Phase != state.PhaseDiscard || s.Owes[d.by] == 0 {
			return domain.Refuse("no-discard")
		}
		return nil
	case state.KindAccept, state.KindDecline, state.KindCounter:
		if d.by != s.Active {
			return nil // judged with the offer
		}
	}
	if d.by != s.Active {
		return domain.Refuse("not-your-turn")
	}
	if k < 0 || k >= state.KindCount || timing[k]>>s.Phase&1 == 0 {
		return domain.Refuse("not-now-"+s.Phase.String(), "move_word", "move."+k.String())
	}
	return nil
}

// timing is in which phases the active seat may make a move of a kind.
var timing = [state.KindCount]uint16{
	state.KindFound: 1 << state.PhaseFound, state.KindRoll: 1 << state.PhaseRoll, state.KindRob: 1 << state.PhaseRobber,
	state.KindRoad: 1 << state.PhaseMain, state.KindSettle: 1 << state.PhaseMain, state.KindCity: 1 << state.PhaseMain, state.KindBuy: 1 << state.PhaseMain,
	state.KindBank: 1 << state.PhaseMain, state.KindEnd: 1 << state.PhaseMain,
	state.KindOffer: 1 << state.PhaseMain, state.KindAccept: 1 << state.PhaseMain, state.KindDecline: 1 << state.PhaseMain,
	state.KindConfirm: 1 << state.PhaseMain, state.KindWithdraw: 1 << state.PhaseMain, state.KindCounter: 1 << state.PhaseMain,
	state.KindKnight: 1<<state.PhaseRoll | 1<<state.PhaseMain, state.KindRoads: 1<<state.PhaseRoll | 1<<state.PhaseMain,
	state.KindPlenty: 1<<state.PhaseRoll | 1<<state.PhaseMain, state.KindMonopoly: 1<<state.PhaseRoll | 1<<state.PhaseMain,
	state.KindTokenTrade: 1<<state.PhaseRoll | 1<<state.PhaseMain, state.KindTokenDesert: 1<<state.PhaseRoll | 1<<state.PhaseMain,
	state.KindRefill: 1<<state.PhaseRoll | 1<<state.PhaseMain,
	state.KindGive:   1 << state.PhaseGive, state.KindNeutral: 1 << state.PhaseNeutral,
}

// found places a settlement and a road that touches it (Catan base game, 17 to 20).
func (d *decision) found() error {
	s, at, path := d.s, d.m.A, d.m.B
	switch {
	case !table.IsCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case !table.IsPath(path):
		return domain.Refuse("no-such-path", "path", int(path))
	case !table.Isle.PathsAt[at].Has(path):
		return domain.Refuse("found-apart", "at", int(at), "path", int(path))
	}
	if s.Shut>>at&1 != 0 {
		return domain.Refuse("too-close", "at", int(at))
	}
	if s.Laid.Has(path) {
		return domain.Refuse("path-taken", "path", int(path))
	}
	d.out.Pieces = [2]state.Piece{{Colour: d.by, Sort: state.SettlementPiece, At: at}, {Colour: d.by, Sort: state.RoadPiece, At: path}}
	d.homeTokens(at)
	after := d.after()
	d.out.Lengths = lengthsAfter(&after, d.out.Pieces)
	if s.Founded >= s.Seats {
		for _, h := range table.Isle.HexesAt[at] {
			t := s.Board.Terrain[h]
			if t != table.Desert && s.Bank[t] > d.out.Hands[d.by][t] {
				d.out.Hands[d.by][t]++
			}
		}
	}
	if next := s.Founded + 1; next < 2*s.Seats {
		d.out.Next, d.out.Stint = state.OrNone(s.Founder(next)), true
	} else {
		d.out.Next, d.out.Stint, d.out.Phase = state.OrNone(s.First), true, state.PhaseRoll
	}
	return nil
}

// pay takes a cost from the mover, or refuses.
func (d *decision) pay(cost table.Hand) error {
	if !d.s.Hand[d.by].Covers(cost) {
		return domain.Refuse("cannot-pay", "cost", table.HandSay(cost))
	}
	d.out.Hands[d.by].Sub(cost)
	d.out.Closed |= spoiled(d.s, d.by, cost)
	return nil
}

// spoiled is the offers that end because their maker parts with cards they promise. That
// depends on what was paid in the open alone, so it tells nothing of the hand.
func spoiled(s *state.State, c int8, paid table.Hand) state.SeatSet {
	if o := &s.Offers[c]; o.Open {
		for r, n := range paid {
			if n > 0 && o.Give[r] > 0 {
				return state.SeatSet(0).With(c)
			}
		}
	}
	return 0
}

// allOffers is every open offer.
func allOffers(s *state.State) state.SeatSet {
	var all state.SeatSet
	for c := range s.Offers {
		if s.Offers[c].Open {
			all = all.With(int8(c))
		}
	}
	return all
}

func (d *decision) road() error {
	path := d.m.A
	if err := roadFits(d.s, d.by, path); err != nil {
		return err
	}
	if err := d.pay(table.RoadCost); err != nil {
		return err
	}
	d.out.Pieces[0] = state.Piece{Colour: d.by, Sort: state.RoadPiece, At: path}
	d.build(1, 0)
	return nil
}

// roadFits refuses a road that a colour may not build (Catan base game, 14 and 34).
func roadFits(s *state.State, c, path int8) error {
	switch {
	case !table.IsPath(path):
		return domain.Refuse("no-such-path", "path", int(path))
	case s.RoadsLeft(c) == 0:
		return domain.Refuse("no-roads-left")
	case s.Laid.Has(path):
		return domain.Refuse("path-taken", "path", int(path))
	case !s.OpenPaths(c).Has(path):
		return domain.Refuse("not-connected", "path", int(path))
	}
	return nil
}

func (d *decision) settle() error {
	s, at := d.s, d.m.A
	switch {
	case !table.IsCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case s.SettlementsLeft(d.by) == 0:
		return domain.Refuse("no-settlements-left")
	case s.Shut>>at&1 != 0:
		return domain.Refuse("too-close", "at", int(at))
	case s.Reach[d.by]>>at&1 == 0:
		return domain.Refuse("no-road-there", "at", int(at))
	}
	if err := d.pay(table.SettlementCost); err != nil {
		return err
	}
	d.out.Pieces[0] = state.Piece{Colour: d.by, Sort: state.SettlementPiece, At: at}
	d.homeTokens(at)
	d.build(0, 1)
	return nil
}

func (d *decision) city() error {
	s, at := d.s, d.m.A
	switch {
	case !table.IsCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case s.Settlements[d.by]>>at&1 == 0:
		return domain.Refuse("no-settlement-there", "at", int(at))
	case s.CitiesLeft(d.by) == 0:
		return domain.Refuse("no-cities-left")
	}
	if err := d.pay(table.CityCost); err != nil {
		return err
	}
	d.out.Pieces[0] = state.Piece{Colour: d.by, Sort: state.CityPiece, At: at}
	return nil
}

// recount notes new road lengths, and who holds the card then.
func (d *decision) recount(after *state.State) {
	length := lengthsAfter(after, d.out.Pieces)
	if length == d.s.Length {
		return
	}
	d.out.Lengths = length
	d.hand(longestHolder(length, d.s.Longest), d.s.Army)
}

// hand notes who holds the two special cards, if that changes.
func (d *decision) hand(longest, army int8) {
	if longest != d.s.Longest || army != d.s.Army {
		d.out.Cards = &[2]int8{longest, army}
	}
}

func (d *decision) end() error {
	next := d.s.Next(d.by)
	d.out.Next, d.out.Stint, d.out.Phase = state.OrNone(next), true, state.PhaseRoll
	d.out.Closed = allOffers(d.s)
	if n := d.s.Points(next); n >= int(d.s.Rules.Target) {
		d.win(next, n)
		return nil
	}
	if StandsStill(d.s) {
		d.out.Still = d.s.Still + 1
	}
	if d.out.Still >= d.s.Seats {
		d.over()
	}
	return nil
}

// finish sees whether the seat whose turn it is has won (Catan base game, 52 and 53).
func (d *decision) finish() {
	s := d.s
	switch d.out.Did {
	case state.KindRoad, state.KindSettle, state.KindCity, state.KindBuy:
		if s.Rules.Apart {
			d.out.Closed |= allOffers(s)
		}
	}
	if d.out.Next != state.None || s.Phase == state.PhaseFound {
		return
	}
	n := pointsAfter(s, d.out, s.Active) + int(d.boughtPoint())
	if n >= int(s.Rules.Target) {
		d.win(s.Active, n)
	}
}

// boughtPoint is 1 if the card just bought is a victory point.
func (d *decision) boughtPoint() int8 {
	if d.out.Bought {
		if u, ok := d.secrets[0].Body.(*state.Unseen); ok && table.Card(u.Card-1) == table.Point {
			return 1
		}
	}
	return 0
}

func (d *decision) win(c int8, points int) {
	d.out.Won = [2]int8{c, int8(points)}
	d.over()
}

// over ends the game. The points that were hidden are counted in the open (Catan base game, 39):
// were they left to the state alone, whoever reads the final points would learn of them what no
// event told.
func (d *decision) over() {
	for o := range d.s.Seats {
		d.out.Shown[o] = d.s.Cards[o][table.Point]
	}
	d.out.Shown[d.by] += d.boughtPoint()
	d.out.Phase, d.out.Closed, d.out.Due = state.PhaseOver, allOffers(d.s), [2]int8{}
}

// pointsAfter is a seat's points once the outcome is applied.
func pointsAfter(s *state.State, p *state.Played, c int8) int {
	n := s.Points(c)
	for _, x := range p.Pieces {
		if x.Colour == c && (x.Sort == state.SettlementPiece || x.Sort == state.CityPiece) {
			n++ // a city is worth one more than the settlement it replaces
		}
	}
	if p.Cards != nil {
		n += 2 * (is(p.Cards[0] == c) + is(p.Cards[1] == c) - is(s.Longest == c) - is(s.Army == c))
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
