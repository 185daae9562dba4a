package rivals

import "posthorn/domain"

// Op is one outcome in an event: what changed, or, for the notes, why. Folding an event is
// applying its outcomes in their order; no rule is asked. The table outcomes says which of the
// fields each outcome has.
type Op struct {
	Code   opCode
	Seat   domain.Seat // whose outcome it is; nearly all have one
	Card   Card
	Stack  int8  // from 0; otherHand
	To     uint8 // where a razed card goes: toDiscard, the number of a stack (from 1), or toOpen
	Site   Site
	Site2  Site
	Place  Place
	Place2 Place
	Land   Land
	Column int8
	At     int8 // in a stack, from the bottom
	Seen   Seen // who knows a card, as Slot.Seen
	Res    Res
	Face   Face
	Phase  Phase
	Token  token
	Ask    askKind
	N, M   int16 // numbers, which the table names
}

// Where a razed card goes that goes under no stack.
const (
	toDiscard uint8 = 0
	toOpen    uint8 = 100 // the face-up stack
)

// otherHand stands for the other's hand where an outcome says which stack a card came from.
const otherHand int8 = -1

type token uint8

const (
	heroToken token = iota
	tradeToken
)

type opCode uint8

// The outcomes. What each does to the state, and how it is written, is its row in outcomes.
const (
	_ opCode = iota
	// What changes the state.
	opHidden  // the outcomes of a secret part happen here
	opTurn    // a turn begins
	opPhase   // the turn comes to another phase
	opDice    // the dice show this
	opGain    // goods are stored at a place
	opPay     // goods leave a place
	opDraw    // the top of a stack comes into the hand
	opUnder   // a hand card goes under a stack
	opUse     // a hand card goes to the discard pile
	opBuild   // a hand card goes on a site
	opOpen    // the open card goes on a site
	opRaze    // a card leaves its site
	opCache   // a hand card, the Gold Cache, is laid beside a region
	opRoad    // a road is built right of a column
	opSettle  // a settlement is built
	opCity    // a city is built
	opLand    // a region card is laid
	opLandAt  // a region card lies there in the stack
	opSwapReg // two regions change places
	opSwapCrd // two cards in play change places
	opSteal   // a card of the other hand is taken
	opFetch   // a card of the discard pile is taken
	opTake    // a card is taken out of a stack
	opSeeDeck // a stack is looked through
	opSeeHand // the other hand is looked at
	opDrawEvt // an event card is turned up
	opEvtDone // the event card goes under its stack
	opEventAt // an event card lies there in its stack
	opEventN  // the event stack has so many cards (before a rebuild writes them)
	opMint    // a Mint has been used
	opRemoval // a card was removed by its owner
	opShow    // a hand card is shown, and stays there
	opAsk     // this is awaited of a seat
	opOver    // the game ends; the seat has won, or nobody
	// Notes: nothing changes.
	opDrew     // the card that was drawn
	opSaw      // a card that was seen, in a stack or the other hand
	opLaid     // a card was laid under a stack
	opRoll     // a roll for protection, and whether it held
	opLose     // so many goods were too many for the brigands
	opWant     // so much of a resource is demanded
	opSawLand  // a region card that was seen in the stack
	opShowLand // a region card that is turned up
	opTook     // a card was taken from a stack or the other hand
	opGone     // a card that left the hand
	opWard     // the card by which a seat is spared
	opToken    // a token goes to a seat, or to nobody
	opScore    // the victory points that a seat has now
	opCodes
)

// outcome is a row of the table of outcomes: the word and the fields by which it is written, in
// their order; what it does to the state and its seat's realm (nothing, if it is a note); and
// the cards that it lets its seat see.
type outcome struct {
	word   string
	fields []*field
	apply  func(*State, *Realm, *Op)
	shows  func(*State, *Op) []Slot
	head   string // how it begins in JSON
}

// apply does what an outcome says.
func (s *State) apply(o *Op) {
	if f := outcomes[o.Code].apply; f != nil {
		f(s, &s.Realms[o.Seat&1], o)
	}
}

// outcomes is the table. A released word, and the order of its fields, stays.
var outcomes = [opCodes]outcome{
	opHidden: {word: "hidden", fields: []*field{num("part")}},
	opTurn: {word: "turn", fields: []*field{fSeat, num("turn")}, apply: func(s *State, _ *Realm, o *Op) {
		s.reckon(o.N)
		s.Active, s.Turn, s.Phase = o.Seat, o.N, Rolling
		s.Die, s.Face, s.Mints, s.Removals = 0, NoFace, 0, 0
	}},
	opPhase: {word: "phase", fields: []*field{fSeat, fPhase}, apply: func(s *State, _ *Realm, o *Op) { s.Phase = o.Phase }},
	opDice: {word: "dice", fields: []*field{fSeat, num("die"), fFace}, apply: func(s *State, _ *Realm, o *Op) {
		s.Die, s.Face = uint8(o.N), o.Face
	}},
	opGain: {word: "gain", fields: []*field{fSeat, fPlace, num("n"), fRes}, apply: func(_ *State, r *Realm, o *Op) {
		r.setStore(o.Place, int(r.store(o.Place))+int(o.N))
	}},
	opPay: {word: "pay", fields: []*field{fSeat, fPlace, num("n"), fRes}, apply: func(_ *State, r *Realm, o *Op) {
		r.setStore(o.Place, int(r.store(o.Place))-int(o.N))
	}},
	opDraw: {word: "draw", fields: []*field{fSeat, fStack}, apply: (*State).drawTop, shows: func(s *State, o *Op) []Slot {
		d := &s.Decks[o.Stack]
		return d.Slots[d.N-1 : d.N]
	}},
	opUnder: {word: "under", fields: []*field{fSeat, fCard, fStack, fSeen}, apply: func(s *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.forget(o.Seat)
		s.Decks[o.Stack].under(Slot{o.Card, o.Seen})
	}},
	opUse: {word: "use", fields: []*field{fSeat, fCard}, apply: func(s *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		s.discard(o.Card)
	}},
	opBuild: {word: "build", fields: []*field{fSeat, fCard, fSite}, apply: func(_ *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.set(o.Site, o.Card)
	}},
	opOpen: {word: "open", fields: []*field{fSeat, fCard, fSite}, apply: func(s *State, r *Realm, o *Op) {
		s.OpenN--
		r.set(o.Site, s.Open)
	}},
	opRaze: {word: "raze", fields: []*field{fSeat, fCard, fSite, fTo}, apply: (*State).raze},
	opCache: {word: "cache", fields: []*field{fSeat, fCard, fPlace}, apply: func(_ *State, r *Realm, o *Op) {
		r.takeOut(o.Card)
		r.Cache, r.CacheGold = o.Place, 0
	}},
	opRoad: {word: "road", fields: []*field{fSeat, fGap}, apply: func(s *State, r *Realm, o *Op) {
		s.Roads--
		r.Roads |= 1 << o.Column
		s.Since = s.Turn + 1
	}},
	opSettle: {word: "settle", fields: []*field{fSeat, fColumn}, apply: func(s *State, r *Realm, o *Op) {
		s.Settlements--
		r.Left, r.Right = min(r.Left, o.Column), max(r.Right, o.Column)
		s.raise(r, o, settlement)
	}},
	opCity: {word: "city", fields: []*field{fSeat, fColumn}, apply: func(s *State, r *Realm, o *Op) {
		s.Cities--
		s.raise(r, o, city)
	}},
	opLand:   {word: "land", fields: []*field{fSeat, fLand, fRegion}, apply: (*State).layLand},
	opLandAt: {word: "land-at", fields: []*field{fSeat, fLand, fLandAt}, apply: func(s *State, _ *Realm, o *Op) { s.Lands[o.At] = o.Land }},
	opSwapReg: {word: "swap-regions", fields: []*field{fSeat, fRegion, fRegion2}, apply: func(_ *State, r *Realm, o *Op) {
		r.Regions[o.Place], r.Regions[o.Place2] = r.Regions[o.Place2], r.Regions[o.Place]
	}},
	opSwapCrd: {word: "swap-cards", fields: []*field{fSeat, fSite, fSite2}, apply: func(_ *State, r *Realm, o *Op) {
		a, b := r.at(o.Site), r.at(o.Site2)
		r.set(o.Site, b)
		r.set(o.Site2, a)
	}},
	opSteal:   {word: "steal", fields: []*field{fSeat, fCard}, apply: (*State).steal},
	opFetch:   {word: "fetch", fields: []*field{fSeat, fCard}, apply: (*State).fetch},
	opTake:    {word: "take", fields: []*field{fSeat, fCard, fStack}, apply: (*State).takeFromDeck},
	opSeeDeck: {word: "look", fields: []*field{fSeat, fStack}, apply: func(s *State, _ *Realm, o *Op) { see(s.lookedThrough(o), bit(o.Seat&1)) }, shows: (*State).lookedThrough},
	opSeeHand: {word: "look-hand", fields: []*field{fSeat}, apply: func(s *State, _ *Realm, o *Op) { see(s.otherHand(o), bit(o.Seat&1)) }, shows: (*State).otherHand},
	opDrawEvt: {word: "event", fields: []*field{fSeat, fCard}, apply: func(s *State, _ *Realm, _ *Op) {
		s.Event = s.Events.takeAt(int(s.Events.N) - 1).Card
	}, shows: func(s *State, _ *Op) []Slot {
		return []Slot{{Seen: s.Events.Slots[s.Events.N-1].Seen & public}}
	}},
	opEvtDone: {word: "event-done", apply: func(s *State, _ *Realm, _ *Op) {
		s.Events.under(Slot{s.Event, everybody})
		s.Event = NoCard
	}},
	opEventAt: {word: "event-at", fields: []*field{fSeat, fCard, fEventAt}, apply: func(s *State, _ *Realm, o *Op) {
		s.Events.Slots[o.At] = Slot{Card: o.Card}
		if o.Card == yule {
			s.Events.Slots[o.At].Seen = everybody
		}
	}},
	opEventN:  {word: "events", fields: []*field{fSeat, num("n").within(0, maxDeck)}, apply: func(s *State, _ *Realm, o *Op) { s.Events.N, s.Event = uint8(o.N), NoCard }},
	opMint:    {word: "mint", fields: []*field{fSeat}, apply: func(s *State, _ *Realm, _ *Op) { s.Mints++ }},
	opRemoval: {word: "removal", fields: []*field{fSeat}, apply: func(s *State, _ *Realm, _ *Op) { s.Removals++ }},
	opShow:    {word: "show", fields: []*field{fSeat, fCard}, apply: (*State).showCard},
	opAsk: {word: "ask", fields: []*field{fSeat, fAsk, num("task"), num2("serial")}, apply: func(s *State, _ *Realm, o *Op) {
		s.Asks[o.Seat&1] = Ask{Kind: o.Ask, Task: uint16(o.N), Serial: uint16(o.M)}
	}},
	opOver:     {word: "over", fields: []*field{fAnybody}, apply: func(s *State, _ *Realm, o *Op) { s.Phase, s.Winner = Over, o.Seat }},
	opDrew:     {word: "drew", fields: []*field{fSeat, fCard}},
	opSaw:      {word: "saw", fields: []*field{fSeat, fCard, fStackOrHand}},
	opLaid:     {word: "laid", fields: []*field{fSeat, fStackOrHand}},
	opRoll:     {word: "guard", fields: []*field{fSeat, num("die"), num2("held")}},
	opLose:     {word: "brigands", fields: []*field{fSeat, num("n")}},
	opWant:     {word: "want", fields: []*field{fSeat, fRes, num("n")}},
	opSawLand:  {word: "saw-land", fields: []*field{fSeat, fLand}},
	opShowLand: {word: "show-land", fields: []*field{fSeat, fLand}, shows: func(*State, *Op) []Slot { return make([]Slot, 1) }},
	opTook:     {word: "took", fields: []*field{fSeat, fStackOrHand}},
	opGone:     {word: "gone", fields: []*field{fSeat, fCard}},
	opWard:     {word: "ward", fields: []*field{fSeat, fCard}},
	opToken:    {word: "token", fields: []*field{fAnybody, fToken, num("points"), num2("against")}},
	opScore:    {word: "score", fields: []*field{fSeat, num("points"), num2("more")}},
}
