package state

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// Op is one outcome in an event: what changed or, for the notes, why. Folding an event applies its outcomes in order,
// without consulting the rules. The table Outcomes says which of the fields each outcome has.
type Op struct {
	Code   OpCode
	Seat   domain.Seat // whose outcome it is; nearly all have one
	Card   table.Card
	Stack  int8  // from 0; OtherHand
	To     uint8 // where a razed card goes: ToDiscard, the number of a stack (from 1), or ToOpen
	Site   table.Site
	Site2  table.Site
	Place  table.Place
	Place2 table.Place
	Land   table.Land
	Column int8
	At     int8 // in a stack, from the bottom
	Seen   Seen // who knows a card, as Slot.Seen
	Res    table.Res
	Face   table.Face
	Phase  Phase
	Token  Token
	Ask    AskKind
	N, M   int16 // numbers, which the table names
}

// Where a razed card goes if not under a stack.
const (
	ToDiscard uint8 = 0
	ToOpen    uint8 = 100 // the face-up stack
)

// OtherHand stands for the other's hand where an outcome names the stack a card came from.
const OtherHand int8 = -1

// Token is the token of a hero or of trade.
type Token uint8

// The tokens.
const (
	HeroToken Token = iota
	TradeToken
)

// OpCode is the kind of an outcome.
type OpCode uint8

// The outcomes. Outcomes has a row for each: what it does to the state and how it is written.
const (
	_ OpCode = iota
	// These change the state.
	OpHidden  // the outcomes of a secret part happen here
	OpTurn    // a turn begins
	OpPhase   // the turn comes to another phase
	OpDice    // the dice show this
	OpGain    // goods are stored at a place
	OpPay     // goods leave a place
	OpDraw    // the top of a stack goes into the hand
	OpUnder   // a hand card goes under a stack
	OpUse     // a hand card goes to the discard pile
	OpBuild   // a hand card goes on a site
	OpOpen    // the open card goes on a site
	OpRaze    // a card leaves its site
	OpCache   // a hand card, the Gold Cache, is laid beside a region
	OpRoad    // a road is built right of a column
	OpSettle  // a settlement is built
	OpCity    // a city is built
	OpLand    // a region card is laid
	OpLandAt  // a region card lies at this position in the stack
	OpSwapReg // two regions change places
	OpSwapCrd // two cards in play change places
	OpSteal   // a card is taken from the other hand
	OpFetch   // a card is taken from the discard pile
	OpTake    // a card is taken from a stack
	OpSeeDeck // a stack is looked through
	OpSeeHand // the other hand is looked at
	OpDrawEvt // an event card is turned up
	OpEvtDone // the event card goes under its stack
	OpEventAt // an event card lies at this position in its stack
	OpEventN  // the event stack has this many cards (before a rebuild writes them)
	OpMint    // a Mint has been used
	OpRemoval // a card was removed by its owner
	OpShow    // a hand card is shown, and stays there
	OpAsk     // this is awaited of a seat
	OpOver    // the game ends; the seat has won, or nobody
	// Notes: nothing changes.
	OpDrew     // the card that was drawn
	OpSaw      // a card that was seen, in a stack or the other hand
	OpLaid     // a card was laid under a stack
	OpRoll     // a roll for protection, and whether it held
	OpLose     // this many goods were too many for the brigands
	OpWant     // this much of a resource is demanded
	OpSawLand  // a region card that was seen in the stack
	OpShowLand // a region card turned up
	OpTook     // a card was taken from a stack or the other hand
	OpGone     // a card that left the hand
	OpWard     // the card that spares a seat
	OpToken    // a token goes to a seat, or to nobody
	OpScore    // the victory points that a seat now has
	OpLost     // this many goods were chosen that find no room
	OpMintGone // a Mint that had been used is gone; the next one serves
	OpCodes
)

// Outcome is a row of the table of outcomes: the word and the fields by which it is written, in order; what it does
// to the state and its seat's realm (nothing, for a note); and the cards that it lets its seat see.
type Outcome struct {
	word   string
	fields []*field
	apply  func(*State, *Realm, *Op)
	Shows  func(*State, *Op) []Slot
	heads  [3]codec.Word // how it begins in JSON, by owner: nobody, the first seat, the other
	rest   []*field      // what follows
}

// acts is the row of an outcome that changes the state.
func acts(word string, fields []*field, apply func(*State, *Realm, *Op)) Outcome {
	return Outcome{word: word, fields: fields, apply: apply}
}

// notes is the row of a note.
func notes(word string, fields ...*field) Outcome { return Outcome{word: word, fields: fields} }

// Apply does what an outcome says.
func (s *State) Apply(o *Op) {
	if f := applied[o.Code]; f != nil {
		f(s, &s.Realms[o.Seat&1], o)
	}
}

// applied holds what the outcomes do, apart from the table, so that it stays in the processor's cache.
var applied = func() (all [OpCodes]func(*State, *Realm, *Op)) {
	for code := range Outcomes {
		all[code] = Outcomes[code].apply
	}
	return all
}()

// Outcomes is the table. A released word, and the order of its fields, never changes.
var Outcomes = [OpCodes]Outcome{
	OpHidden: notes("hidden", num("part")),
	OpTurn: acts("turn", []*field{fSeat, num("turn")}, func(s *State, _ *Realm, o *Op) {
		s.reckon(o.N)
		s.Active, s.Turn, s.Phase = o.Seat, o.N, Rolling
		s.Die, s.Face, s.Mints, s.Removals = 0, table.NoFace, 0, 0
	}),
	OpPhase: acts("phase", []*field{fSeat, fPhase}, func(s *State, _ *Realm, o *Op) {
		s.Phase = o.Phase
	}),
	OpDice: acts("dice", []*field{fSeat, num("die"), fFace}, func(s *State, _ *Realm, o *Op) {
		s.Die, s.Face = uint8(o.N), o.Face
	}),
	OpGain: acts("gain", []*field{fSeat, fPlace, num("n"), fRes}, func(_ *State, r *Realm, o *Op) {
		r.SetStore(o.Place, int(r.Store(o.Place))+int(o.N))
	}),
	OpPay: acts("pay", []*field{fSeat, fPlace, num("n"), fRes}, func(_ *State, r *Realm, o *Op) {
		r.SetStore(o.Place, int(r.Store(o.Place))-int(o.N))
	}),
	OpDraw: {word: "draw", fields: []*field{fSeat, fStack}, apply: func(s *State, r *Realm, o *Op) {
		c := s.Decks[o.Stack].TakeAt(int(s.Decks[o.Stack].N) - 1)
		c.Seen |= Bit(o.Seat & 1)
		r.HandAdd(c)
	}, Shows: func(s *State, o *Op) []Slot {
		d := &s.Decks[o.Stack]
		return d.Slots[d.N-1 : d.N]
	}},
	OpUnder: acts("under", []*field{fSeat, fCard, fStack, fSeen}, func(s *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.forget(o.Seat)
		s.Decks[o.Stack].under(Slot{o.Card, o.Seen})
	}),
	OpUse: acts("use", []*field{fSeat, fCard}, func(s *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		s.LayDown(o.Card)
	}),
	OpBuild: acts("build", []*field{fSeat, fCard, fSite}, func(_ *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.set(o.Site, o.Card)
	}),
	OpOpen: acts("open", []*field{fSeat, fCard, fSite}, func(s *State, r *Realm, o *Op) {
		s.OpenN--
		r.set(o.Site, s.Open)
	}),
	OpRaze: acts("raze", []*field{fSeat, fCard, fSite, fTo}, (*State).raze),
	OpCache: acts("cache", []*field{fSeat, fCard, fPlace}, func(_ *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.Cache, r.CacheGold = o.Place, 0
		r.survey()
	}),
	OpRoad: acts("road", []*field{fSeat, fGap}, func(s *State, r *Realm, o *Op) {
		s.Roads--
		r.Roads |= 1 << o.Column
		s.Since = s.Turn + 1
	}),
	OpSettle: acts("settle", []*field{fSeat, fColumn}, func(s *State, r *Realm, o *Op) {
		s.Settlements--
		r.Left, r.Right = min(r.Left, o.Column), max(r.Right, o.Column)
		s.raise(r, o, SettlementTown)
	}),
	OpCity: acts("city", []*field{fSeat, fColumn}, func(s *State, r *Realm, o *Op) {
		s.Cities--
		s.raise(r, o, CityTown)
	}),
	OpLand: acts("land", []*field{fSeat, fLand, fRegion}, func(s *State, r *Realm, o *Op) {
		if i := slices.Index(s.Lands[:s.LandsN], o.Land); i >= 0 {
			cut(s.Lands[:], &s.LandsN, i)
		}
		r.Regions[o.Place] = Region{Terrain: o.Land.Terrain(), Number: o.Land.Number()}
		r.survey()
	}),
	OpLandAt: acts("land-at", []*field{fSeat, fLand, fLandAt}, func(s *State, _ *Realm, o *Op) {
		s.Lands[o.At] = o.Land
	}),
	OpSwapReg: acts("swap-regions", []*field{fSeat, fRegion, fRegion2}, func(_ *State, r *Realm, o *Op) {
		r.Regions[o.Place], r.Regions[o.Place2] = r.Regions[o.Place2], r.Regions[o.Place]
		r.survey()
	}),
	OpSwapCrd: acts("swap-cards", []*field{fSeat, fSite, fSite2}, func(_ *State, r *Realm, o *Op) {
		a, b := r.At(o.Site), r.At(o.Site2)
		r.set(o.Site, b)
		r.set(o.Site2, a)
	}),
	OpSteal: acts("steal", []*field{fSeat, fCard}, (*State).steal),
	OpFetch: acts("fetch", []*field{fSeat, fCard}, func(s *State, r *Realm, o *Op) {
		if i := table.LastIndex(s.Discard[:s.DiscardN], func(c table.Card) bool { return c == o.Card }); i >= 0 {
			cut(s.Discard[:], &s.DiscardN, i)
		}
		r.HandAdd(Slot{o.Card, everybody})
	}),
	OpTake: {word: "take", fields: []*field{fSeat, fCard, fStack}, apply: func(s *State, r *Realm, o *Op) {
		d := &s.Decks[o.Stack]
		at := table.LastIndex(d.All(), func(slot Slot) bool { return slot.Card == o.Card })
		r.HandAdd(Slot{d.TakeAt(at).Card, Bit(o.Seat & 1)})
		// Only the taker knows where in the stack it lay, so nobody else still knows the order.
		keepSeen(d.All(), Bit(o.Seat&1))
	}},
	OpSeeDeck: {word: "look", fields: []*field{fSeat, fStack}, apply: func(s *State, _ *Realm, o *Op) {
		see(s.lookedThrough(o), Bit(o.Seat&1))
	}, Shows: (*State).lookedThrough},
	OpSeeHand: {word: "look-hand", fields: []*field{fSeat}, apply: func(s *State, _ *Realm, o *Op) {
		see(s.otherHand(o), Bit(o.Seat&1))
	}, Shows: (*State).handLookedAt},
	OpDrawEvt: {word: "event", fields: []*field{fSeat, fCard}, apply: func(s *State, _ *Realm, _ *Op) {
		s.Event = s.Events.TakeAt(int(s.Events.N) - 1).Card
	}, Shows: func(s *State, _ *Op) []Slot {
		return []Slot{{Seen: s.Events.Slots[s.Events.N-1].Seen & Public}}
	}},
	OpEvtDone: {word: "event-done", apply: func(s *State, _ *Realm, _ *Op) {
		s.Events.under(Slot{s.Event, everybody})
		s.Event = table.NoCard
	}},
	OpEventAt: acts("event-at", []*field{fSeat, fCard, fEventAt}, func(s *State, _ *Realm, o *Op) {
		s.Events.Slots[o.At] = Slot{Card: o.Card}
		if o.Card == table.Yule {
			s.Events.Slots[o.At].Seen = everybody
		}
	}),
	OpEventN: acts("events", []*field{fSeat, num("n").within(0, table.MaxDeck)}, func(s *State, _ *Realm, o *Op) {
		s.Events.N, s.Event = uint8(o.N), table.NoCard
	}),
	OpMint:    acts("mint", []*field{fSeat}, func(s *State, _ *Realm, _ *Op) { s.Mints++ }),
	OpRemoval: acts("removal", []*field{fSeat}, func(s *State, _ *Realm, _ *Op) { s.Removals++ }),
	OpShow: acts("show", []*field{fSeat, fCard}, func(_ *State, r *Realm, o *Op) {
		if i := r.ShownFirst(o.Card); i >= 0 {
			r.Hand[i].Seen |= everybody
		}
	}),
	OpAsk: acts("ask", []*field{fSeat, fAsk, num("task"), num2("serial")}, func(s *State, _ *Realm, o *Op) {
		s.Asks[o.Seat&1] = Ask{Kind: o.Ask, Task: uint16(o.N), Serial: uint16(o.M)}
	}),
	OpOver: acts("over", []*field{fAnybody}, func(s *State, _ *Realm, o *Op) {
		s.Phase, s.Winner = Over, o.Seat
	}),
	OpDrew:    notes("drew", fSeat, fCard),
	OpSaw:     notes("saw", fSeat, fCard, fStackOrHand),
	OpLaid:    notes("laid", fSeat, fStackOrHand),
	OpRoll:    notes("guard", fSeat, num("die"), num2("held")),
	OpLose:    notes("brigands", fSeat, num("n")),
	OpWant:    notes("want", fSeat, fRes, num("n")),
	OpSawLand: notes("saw-land", fSeat, fLand),
	OpShowLand: {word: "show-land", fields: []*field{fSeat, fLand}, Shows: func(*State, *Op) []Slot {
		return make([]Slot, 1)
	}},
	OpTook:     notes("took", fSeat, fStackOrHand),
	OpGone:     notes("gone", fSeat, fCard),
	OpWard:     notes("ward", fSeat, fCard),
	OpToken:    notes("token", fAnybody, fToken, num("points"), num2("against")),
	OpScore:    notes("score", fSeat, num("points"), num2("more")),
	OpLost:     notes("lost", fSeat, num("n")),
	OpMintGone: acts("mint-gone", []*field{fSeat}, func(s *State, _ *Realm, _ *Op) { s.Mints-- }),
}

func (s *State) steal(r *Realm, o *Op) {
	victim := &s.Realms[Other(o.Seat&1)]
	victim.takeOut(o.Card)
	victim.forget(Other(o.Seat & 1))
	see(victim.Held(), Bit(o.Seat&1)) // the thief has seen every card
	r.HandAdd(Slot{o.Card, Bit(0) | Bit(1)})
}

func (s *State) lookedThrough(o *Op) []Slot { return s.Decks[o.Stack].All() }

func (s *State) otherHand(o *Op) []Slot { return s.Realms[Other(o.Seat&1)].Held() }

// handLookedAt returns the other's hand with what everybody knows of it alone: only the two know which of its cards a
// seat has seen before.
func (s *State) handLookedAt(o *Op) []Slot {
	hand := slices.Clone(s.otherHand(o))
	for i := range hand {
		hand[i].Seen &= Public
	}
	return hand
}

func see(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen |= who
	}
}

// raze takes a card from its site; where a Town Hall stood, a Parish Hall remains.
func (s *State) raze(r *Realm, o *Op) {
	left := table.NoCard
	if o.Card == table.TownHall {
		left = table.ParishHall
	}
	r.set(o.Site, left)
	switch o.To {
	case ToDiscard:
		s.LayDown(o.Card)
	case ToOpen:
		s.OpenN++
	default:
		s.Decks[o.To-1].under(Slot{o.Card, everybody})
	}
}

// raise makes a settlement or a city in a column.
func (s *State) raise(r *Realm, o *Op, level Level) {
	r.Towns[o.Column].Level = level
	r.recount()
	s.Since = s.Turn + 1
}

// set lays a card on a site.
func (r *Realm) set(at table.Site, c table.Card) {
	r.Towns[at.Town()].Sites[at.Side()][at.Slot()] = c
	r.recount()
}

// LayDown lays a card on the discard pile.
func (s *State) LayDown(c table.Card) {
	if int(s.DiscardN) < len(s.Discard) {
		s.Discard[s.DiscardN] = c
		s.DiscardN++
	}
}

// takeOut removes a card from the hand: the copy that most people know. A player who knew of one must not learn, when
// it leaves, that there is another.
func (r *Realm) takeOut(c table.Card) {
	if at := r.ShownFirst(c); at >= 0 {
		r.HandTake(at)
	}
}

// ShownFirst finds the copy of a hand card that most people know, or -1.
func (r *Realm) ShownFirst(c table.Card) int {
	at := -1
	for i, slot := range r.Held() {
		if slot.Card == c && (at < 0 || slot.Seen > r.Hand[at].Seen) {
			at = i
		}
	}
	return at
}

// forget: a card left this hand face down, so only its owner still knows which cards are in it.
func (r *Realm) forget(owner domain.Seat) { keepSeen(r.Held(), Bit(owner)) }

// keepSeen makes everybody else forget which cards these are.
func keepSeen(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen &= who
	}
}
