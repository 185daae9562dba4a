package rules

import (
	"math/bits"
	"sync"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Decide judges a move. It does not change the state: what follows is in the event.
func (r *Room) Decide(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) (e domain.Event, err error) {
	err = r.DecideOver(&e, s, seat, m, luck)
	return e, err
}

// DecideOver is Decide in the memory of an event that nobody needs any more.
func (*Room) DecideOver(e *domain.Event, s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) error {
	if seat < 0 || int8(seat) >= s.Seats {
		return domain.Refuse("not-awaited", "seat", seat)
	}
	out, ok := e.Body.(*state.Played)
	if !ok {
		out = new(state.Played)
	}
	s.Play(out, m.Kind)
	d := decisions.Get().(*decision)
	defer d.done()
	d.s, d.by, d.m, d.luck, d.out, d.secrets, d.drawn = s, int8(seat), m, luck, out, e.Secrets[:0], 0
	if err := d.judge(); err != nil {
		return err
	}
	d.finish()
	*e = domain.Event{Type: state.TypePlayed, Body: out, Secrets: d.secrets}
	return nil
}

func (d *decision) done() {
	d.s, d.luck, d.out, d.secrets = nil, nil, nil, nil
	decisions.Put(d)
}

// decisions is a pool: a simulation would otherwise allocate a decision for every move.
var decisions = sync.Pool{New: func() any { return new(decision) }}

// decision is one move being judged, and what follows from it so far.
type decision struct {
	s       *state.State
	by      int8
	m       state.Move
	luck    *domain.Luck
	out     *state.Played
	secrets []domain.Secret
	drawn   int8 // victory point cards
}

// judge refuses what this seat must not do in this phase, and then applies the rules of the kind of move.
func (d *decision) judge() error {
	s, k := d.s, d.m.Kind
	discards := k == state.KindDiscard
	// judged with the offer
	answers := d.by != s.Active && (k == state.KindAccept || k == state.KindDecline || k == state.KindCounter)
	switch {
	case s.Phase == state.PhaseOver:
		return domain.Refuse("table-ended")
	case discards && (s.Phase != state.PhaseDiscard || s.Owes[d.by] == 0):
		return domain.Refuse("no-discard")
	case discards, answers:
	case d.by != s.Active && k == state.KindWithdraw && s.Offers[d.by].Open:
		return domain.Refuse("counter-stands")
	case d.by != s.Active && s.Phase != state.PhaseDiscard:
		return domain.Refuse("not-your-turn")
	case s.Phase == state.PhaseFound && (k == state.KindSettle || k == state.KindRoad):
		return d.half()
	case k < 0 || k >= state.KindCount || moves[k].in>>s.Phase&1 == 0:
		return domain.Refuse("not-now-"+s.Phase.String(), "move_word", "move."+k.String())
	case moves[k].two && !s.Two():
		return domain.Refuse("only-for-two")
	}
	return moves[k].judge(d)
}

// The phases in which moves are made.
const (
	atMain  = 1 << state.PhaseMain
	onTurn  = 1<<state.PhaseRoll | atMain
	forTwo  = true
	forEach = false
)

// moves says for each kind in which phases the active seat may make it, whether only in Catan for two, and what judges
// it.
var moves = [state.KindCount]struct {
	in    uint16
	two   bool
	judge func(*decision) error
}{
	state.KindFound:       {1 << state.PhaseFound, forEach, (*decision).found},
	state.KindRoll:        {1 << state.PhaseRoll, forEach, (*decision).roll},
	state.KindRoad:        {atMain, forEach, (*decision).road},
	state.KindSettle:      {atMain, forEach, (*decision).settle},
	state.KindCity:        {atMain, forEach, (*decision).city},
	state.KindBuy:         {atMain, forEach, (*decision).buy},
	state.KindKnight:      {onTurn, forEach, (*decision).knight},
	state.KindRoads:       {onTurn, forEach, (*decision).roads},
	state.KindPlenty:      {onTurn, forEach, (*decision).plenty},
	state.KindMonopoly:    {onTurn, forEach, (*decision).monopoly},
	state.KindRob:         {1 << state.PhaseRobber, forEach, (*decision).rob},
	state.KindDiscard:     {0, forEach, (*decision).discard},
	state.KindBank:        {atMain, forEach, (*decision).bank},
	state.KindOffer:       {atMain, forEach, (*decision).offer},
	state.KindAccept:      {atMain, forEach, (*decision).answer},
	state.KindDecline:     {atMain, forEach, (*decision).answer},
	state.KindConfirm:     {atMain, forEach, (*decision).confirm},
	state.KindCounter:     {atMain, forEach, (*decision).answer},
	state.KindWithdraw:    {atMain, forEach, (*decision).withdraw},
	state.KindTokenTrade:  {onTurn, forTwo, (*decision).forcedTrade},
	state.KindTokenDesert: {onTurn, forTwo, (*decision).toDesert},
	state.KindGive:        {1 << state.PhaseGive, forTwo, (*decision).give},
	state.KindRefill:      {onTurn, forTwo, (*decision).refill},
	state.KindNeutral:     {1 << state.PhaseNeutral, forTwo, (*decision).neutral},
	state.KindEnd:         {atMain, forEach, (*decision).end},
}

// half refuses a settlement without its road, or a road without its settlement, during founding, and says what the
// other may be.
func (d *decision) half() error {
	s, at, path := d.s, d.m.A, d.m.A
	switch d.m.Kind {
	case state.KindSettle:
		switch {
		case !table.IsCorner(at):
			return domain.Refuse("no-such-corner", "at", int(at))
		case s.Shut>>at&1 != 0:
			return domain.Refuse("too-close", "at", int(at))
		}
		for path = range int8(table.PathCount) {
			if table.Isle.PathsAt[at].Has(path) && !s.Laid.Has(path) {
				break
			}
		}
	default:
		switch {
		case !table.IsPath(path):
			return domain.Refuse("no-such-path", "path", int(path))
		case s.Laid.Has(path):
			return domain.Refuse("path-taken", "path", int(path))
		}
		ends := table.EndsOf(path) &^ s.Shut
		if ends == 0 {
			return domain.Refuse("not-now-found", "move_word", "move."+d.m.Kind.String())
		}
		at = int8(bits.TrailingZeros64(ends))
	}
	return domain.Refuse("found-both", "at", int(at), "path", int(path))
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
	case s.Shut>>at&1 != 0:
		return domain.Refuse("too-close", "at", int(at))
	case s.Laid.Has(path):
		return domain.Refuse("path-taken", "path", int(path))
	}
	d.out.Pieces = [2]state.Piece{{Colour: d.by, Sort: state.SettlementPiece, At: at},
		{Colour: d.by, Sort: state.RoadPiece, At: path}}
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

// pays takes a cost from the mover, or refuses what they lack. An offer ends if its maker parts with cards that it
// promises: that depends only on open payments, so it reveals nothing about the hand.
func (d *decision) pays(cost table.Hand, code string) error {
	if have := d.s.Hand[d.by]; !have.Covers(cost) {
		return domain.Refuse(code, "cost", table.HandSay(cost), "missing", table.HandSay(have.Lacks(cost)))
	}
	d.out.Hands[d.by].Sub(cost)
	if o := &d.s.Offers[d.by]; o.Open && o.Give.Meets(cost) {
		d.out.Closed = d.out.Closed.With(d.by)
	}
	return nil
}

// allOffers returns the set of all open offers.
func allOffers(s *state.State) (all state.SeatSet) {
	for c := range s.Offers {
		if s.Offers[c].Open {
			all = all.With(int8(c))
		}
	}
	return all
}

// raise pays for a piece and builds it.
func (d *decision) raise(cost table.Hand, sort state.Sort) error {
	if err := d.pays(cost, "cannot-pay"); err != nil {
		return err
	}
	d.out.Pieces[0] = state.Piece{Colour: d.by, Sort: sort, At: d.m.A}
	return nil
}

func (d *decision) road() error {
	if err := roadFits(d.s, d.by, d.m.A); err != nil {
		return err
	}
	if err := d.raise(table.RoadCost, state.RoadPiece); err != nil {
		return err
	}
	d.build(1, 0)
	return nil
}

// roadFits refuses a road that a colour must not build (Catan base game, 14 and 34).
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
	if err := d.raise(table.SettlementCost, state.SettlementPiece); err != nil {
		return err
	}
	d.homeTokens(at)
	d.build(0, 1)
	return nil
}

func (d *decision) city() error {
	s, at := d.s, d.m.A
	switch {
	case !table.IsCorner(at):
		return domain.Refuse("no-such-corner", "at", int(at))
	case s.Cities[d.by]>>at&1 != 0:
		return domain.Refuse("city-there", "at", int(at))
	case s.Settlements[d.by]>>at&1 == 0:
		return domain.Refuse("no-settlement-there", "at", int(at))
	case s.CitiesLeft(d.by) == 0:
		return domain.Refuse("no-cities-left")
	}
	return d.raise(table.CityCost, state.CityPiece)
}

// recount notes new road lengths, and who then holds the card. It returns the state with what was built.
func (d *decision) recount() state.State {
	after := d.after()
	if length := lengthsAfter(&after, d.out.Pieces); length != d.s.Length {
		d.out.Lengths = length
		d.hand(leader(length, d.s.Longest, leastRoad), d.s.Army)
	}
	return after
}

// hand notes who holds the two special cards, if that changed.
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
	} else if StandsStill(d.s) {
		if d.out.Still = d.s.Still + 1; d.out.Still >= d.s.Seats {
			d.over()
		}
	}
	return nil
}

// finish checks whether the seat whose turn it is has won (Catan base game, 52 and 53).
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
	n := pointsAfter(s, d.out, s.Active) + int(d.drawn)
	if n >= int(s.Rules.Target) {
		d.win(s.Active, n)
	}
}

func (d *decision) win(c int8, points int) {
	d.out.Won = [2]int8{c, int8(points)}
	d.over()
}

// over ends the game. It counts hidden points in the open (Catan base game, 39): if only the state had them, readers of
// the final points would learn something that no event told.
func (d *decision) over() {
	for o := range d.s.Seats {
		d.out.Shown[o] = d.s.Cards[o][table.Point]
	}
	d.out.Shown[d.by] += d.drawn
	d.out.Phase, d.out.Closed, d.out.Due = state.PhaseOver, allOffers(d.s), [2]int8{}
}

// pointsAfter returns a seat's points once the outcome is applied.
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

// is returns 1 for true and 0 for false.
func is(b bool) int {
	if b {
		return 1
	}
	return 0
}
