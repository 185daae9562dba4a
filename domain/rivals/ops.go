package rivals

import "posthorn/domain"

// Op is one outcome in an event: what changed, or, for the notes, why. Folding an event is
// applying its outcomes in their order; no rule is asked.
type Op struct {
	Code opCode
	A    int8 // nearly always a seat
	B    int16
	C    int16
	D    int16
}

type opCode uint8

const (
	_ opCode = iota
	// What changes the state.
	opHidden  // the outcomes of secret part A happen here
	opTurn    // A begins turn B
	opPhase   // the phase is B
	opDice    // die B (0: none yet), face C
	opGain    // A stores C of D at place B
	opPay     // A loses C of D from place B
	opDraw    // A draws the top of stack B
	opUnder   // A's hand card B goes under stack C; D: who knows it
	opUse     // A's hand card B goes to the discard pile
	opBuild   // A's hand card B goes on site C
	opOpen    // A takes the open card to site C
	opRaze    // A's card B leaves site C to D: 0 discard, 1… under that stack, open
	opCache   // A's Gold Cache (hand card B) is laid beside place C
	opRoad    // A builds a road right of column B
	opSettle  // A builds a settlement in column B
	opCity    // A builds a city in column B
	opLand    // A lays region card B on place C
	opLandAt  // region card B lies at C in the stack
	opSwapReg // A's regions B and C change places
	opSwapCrd // A's cards at sites B and C change places
	opSteal   // A takes card B of the other hand
	opFetch   // A takes card B from the discard pile
	opTake    // A takes card B out of stack C
	opSeeDeck // A looks through stack B
	opSeeHand // A looks at the other hand
	opDrawEvt // the event card B is turned up
	opEvtDone // the event card goes under its stack
	opEventAt // event card B lies at C in its stack
	opEventN  // the event stack has B cards (before a rebuild writes them)
	opMint    // a Mint has been used
	opRemoval // a card was removed by its owner
	opShow    // A shows the hand card B, which stays there
	opAsk     // of A is awaited B, task C, serial D
	opOver    // the game ends; A has won, or nobody (-1)
	// Notes: nothing changes.
	opDrew     // A's card B
	opSaw      // A saw card B (of stack C)
	opLaid     // A laid a card under stack B
	opRoll     // A rolls B for protection: C tells whether it held
	opLose     // A lost goods to brigands
	opWant     // A demands C of resource B
	opSawLand  // A saw region card B in the stack
	opShowLand // A turns up region card B
	opTook     // A took a card from stack B (-1: of the other hand)
	opGone     // A's hand lost card B
	opWard     // A is spared by card B
	opToken    // token B (0 hero, 1 trade) goes to A (-1: to nobody), who has C points to D
	opScore    // A now has B victory points, C more than before
	opCodes
)

// razeOpen is opRaze's destination for the face-up stack.
const razeOpen = 100

func (s *State) apply(op Op) {
	seat := op.A & 1
	r := &s.Realms[seat]
	switch op.Code {
	case opTurn:
		s.reckon(op.B)
		s.Active, s.Turn, s.Phase = domain.Seat(op.A), op.B, Rolling
		s.Die, s.Face, s.Mints, s.Removals = 0, NoFace, 0, 0
	case opPhase:
		s.Phase = Phase(op.B)
	case opDice:
		s.Die, s.Face = uint8(op.B), Face(op.C)
	case opGain:
		r.setStore(Place(op.B), int(r.store(Place(op.B)))+int(op.C))
	case opPay:
		r.setStore(Place(op.B), int(r.store(Place(op.B)))-int(op.C))
	case opRoad, opSettle, opCity, opLand, opLandAt, opSwapReg:
		s.applyLand(r, op)
		if op.Code == opRoad || op.Code == opSettle || op.Code == opCity {
			s.Since = s.Turn + 1
		}
	case opBuild, opOpen, opRaze, opCache, opSwapCrd:
		s.applySite(r, op)
	case opDrawEvt, opEvtDone, opEventAt, opEventN:
		s.applyEvent(op)
	case opMint:
		s.Mints++
	case opRemoval:
		s.Removals++
	case opAsk:
		s.Asks[seat] = Ask{Kind: askKind(op.B), Task: uint16(op.C), Serial: uint16(op.D)}
	case opOver:
		s.Phase, s.Winner = Over, domain.Seat(op.A)
	case opDraw, opUnder, opUse, opSteal, opFetch, opTake, opSeeDeck, opSeeHand, opShow:
		s.applyHand(r, op)
	}
}

func (s *State) applyHand(r *Realm, op Op) {
	seat := domain.Seat(op.A & 1)
	switch op.Code {
	case opDraw:
		d := &s.Decks[op.B]
		c := d.takeAt(int(d.N) - 1)
		c.Seen |= bit(seat)
		r.handAdd(c)
	case opUnder:
		r.takeOut(Card(op.B))
		r.forget(seat)
		s.Decks[op.C].under(Slot{Card(op.B), uint8(op.D)})
	case opUse:
		r.takeOut(Card(op.B))
		s.discard(Card(op.B))
	case opSteal:
		o := &s.Realms[other(seat)]
		o.takeOut(Card(op.B))
		o.forget(other(seat))
		for i := range int(o.HandN) { // the thief has seen every card
			o.Hand[i].Seen |= bit(seat)
		}
		r.handAdd(Slot{Card(op.B), bit(0) | bit(1)})
	case opFetch:
		for i := int(s.DiscardN) - 1; i >= 0; i-- {
			if s.Discard[i] == Card(op.B) {
				copy(s.Discard[i:s.DiscardN-1], s.Discard[i+1:s.DiscardN])
				s.DiscardN--
				s.Discard[s.DiscardN] = NoCard
				break
			}
		}
		r.handAdd(Slot{Card(op.B), public | bit(0) | bit(1)})
	case opTake:
		s.takeFromDeck(seat, Card(op.B), int(op.C))
	case opSeeDeck:
		d := &s.Decks[op.B]
		for i := range int(d.N) {
			d.Slots[i].Seen |= bit(seat)
		}
	case opShow:
		if i := r.shownFirst(Card(op.B)); i >= 0 {
			r.Hand[i].Seen |= public | bit(0) | bit(1)
		}
	case opSeeHand:
		o := &s.Realms[other(seat)]
		for i := range int(o.HandN) {
			o.Hand[i].Seen |= bit(seat)
		}
	}
}

// takeOut removes a card from the hand, the copy that most people know: who knew of one
// must not learn from its leaving that there is another.
func (r *Realm) takeOut(c Card) {
	if at := r.shownFirst(c); at >= 0 {
		r.handTake(at)
	}
}

// shownFirst finds the copy of a hand card that most people know, or -1.
func (r *Realm) shownFirst(c Card) int {
	at := -1
	for i := range int(r.HandN) {
		if r.Hand[i].Card == c && (at < 0 || r.Hand[i].Seen > r.Hand[at].Seen) {
			at = i
		}
	}
	return at
}

// forget: a card left this hand face down, so nobody but its owner still knows which cards
// are in it.
func (r *Realm) forget(owner domain.Seat) {
	for i := range int(r.HandN) {
		r.Hand[i].Seen &= bit(owner)
	}
}

// takeFromDeck takes the topmost copy of a card out of a stack. Where in the stack it lay is
// known to the taker alone, so whoever else knew the stack's order no longer does.
func (s *State) takeFromDeck(seat domain.Seat, c Card, deck int) {
	d := &s.Decks[deck]
	for i := int(d.N) - 1; i >= 0; i-- {
		if d.Slots[i].Card == c {
			slot := d.takeAt(i)
			s.Realms[seat].handAdd(Slot{slot.Card, bit(seat)})
			break
		}
	}
	for i := range int(d.N) {
		d.Slots[i].Seen &= bit(seat)
	}
}

func (s *State) discard(c Card) {
	if int(s.DiscardN) == len(s.Discard) {
		return
	}
	s.Discard[s.DiscardN] = c
	s.DiscardN++
}

func (s *State) applySite(r *Realm, op Op) {
	at := Site(op.C)
	switch op.Code {
	case opBuild:
		r.takeOut(Card(op.B))
		r.Towns[at.town()].Sites[at.side()][at.slot()] = Card(op.B)
	case opOpen:
		s.OpenN--
		r.Towns[at.town()].Sites[at.side()][at.slot()] = s.Open
	case opCache:
		r.takeOut(Card(op.B))
		r.Cache, r.CacheGold = Place(op.C), 0
	case opSwapCrd:
		a, b := Site(op.B), at
		x, y := &r.Towns[a.town()].Sites[a.side()][a.slot()], &r.Towns[b.town()].Sites[b.side()][b.slot()]
		*x, *y = *y, *x
	case opRaze:
		left := NoCard
		if Card(op.B) == townHall {
			left = parishHall
		}
		r.Towns[at.town()].Sites[at.side()][at.slot()] = left
		switch op.D {
		case 0:
			s.discard(Card(op.B))
		case razeOpen:
			s.OpenN++
		default:
			s.Decks[op.D-1].under(Slot{Card(op.B), public | bit(0) | bit(1)})
		}
	}
	r.recount()
}

func (s *State) applyLand(r *Realm, op Op) {
	switch op.Code {
	case opRoad:
		s.Roads--
		r.Roads |= 1 << op.B
	case opSettle:
		s.Settlements--
		r.Towns[op.B].Level = settlement
		r.Left, r.Right = min(r.Left, int8(op.B)), max(r.Right, int8(op.B))
		r.recount()
	case opCity:
		s.Cities--
		r.Towns[op.B].Level = city
		r.recount()
	case opLand:
		l := Land(op.B)
		for i := range int(s.LandsN) {
			if s.Lands[i] == l {
				copy(s.Lands[i:s.LandsN-1], s.Lands[i+1:s.LandsN])
				s.LandsN--
				s.Lands[s.LandsN] = 0
				break
			}
		}
		r.Regions[op.C] = Region{Terrain: l.terrain(), Number: l.number()}
	case opLandAt:
		s.Lands[op.C] = Land(op.B)
	case opSwapReg:
		r.Regions[op.B], r.Regions[op.C] = r.Regions[op.C], r.Regions[op.B]
	}
}

func (s *State) applyEvent(op Op) {
	switch op.Code {
	case opDrawEvt:
		s.Event = s.Events.takeAt(int(s.Events.N) - 1).Card
	case opEvtDone:
		s.Events.under(Slot{s.Event, public | bit(0) | bit(1)})
		s.Event = NoCard
	case opEventN:
		s.Events.N = uint8(op.B)
		s.Event = NoCard
	case opEventAt:
		s.Events.Slots[op.C] = Slot{Card: Card(op.B)}
		if Card(op.B) == yule {
			s.Events.Slots[op.C].Seen = public | bit(0) | bit(1)
		}
	}
}
