// Package state is the state of a game of the Rivals, the outcomes that change it, what each viewer may know of it,
// and how it is written.
package state

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Phase is the phase of a turn.
type Phase = table.Word[phaseWords]

// The phases.
const (
	Begin Phase = iota // choosing hands and arranging regions
	Rolling
	Acting
	Drawing    // filling the hand, or laying off
	Exchanging // the optional exchange
	Over
	phases
)

// phaseNames are the phases' words.
var phaseNames = [phases]string{"begin", "roll", "act", "draw", "exchange", "over"}

// Ask is what is awaited of a seat.
type Ask struct {
	Kind   AskKind
	Task   uint16
	Serial uint16
}

// State is a whole game. It holds no pointers, so that assigning it copies it.
type State struct {
	Ready    bool
	Play     table.Play
	Rules    table.Rules
	Phase    Phase
	Active   domain.Seat
	First    domain.Seat
	Winner   domain.Seat
	Turn     int16
	Goal     int8
	Die      uint8 // of this turn's roll; 0 before the roll
	Face     table.Face
	Event    table.Card // the event card being resolved
	Mints    uint8
	Removals uint8 // this turn
	Since    int16 // the first turn since which nothing moves any more, see Still
	High     [2]int8

	Roads, Settlements, Cities int8 // left in the centre

	Realms   [2]Realm
	DecksN   uint8
	Decks    [table.DecksN]Deck
	Events   Deck
	SpareN   uint8
	Spare    [table.MaxSpare]table.Card // events left out of a duel
	Open     table.Card
	OpenN    uint8
	DiscardN uint8
	Discard  [table.MaxDeck * 2]table.Card // the last is the top
	LandsN   uint8
	Lands    [12]table.Land // the last is the top

	Serial uint16
	NextID uint16
	Asks   [2]Ask
	TasksN uint8
	Tasks  [MaxTasks]Task
}

// Other returns the other seat.
func Other(s domain.Seat) domain.Seat { return 1 - s }

// Room is the state, for kit.New.
type Room struct{}

// New returns an empty state.
func (Room) New() *State { return &State{Winner: domain.Nobody} }

// Clone returns a copy of a state.
func (Room) Clone(s *State) *State {
	c := *s
	return &c
}

// CopyOver copies a state over another.
func (Room) CopyOver(to, from *State) { *to = *from }

// MaxTasks is the most tasks there can be in the queue.
const MaxTasks = 16

// Task is something to do before the turn can go on: a choice somebody has to make, or the next step of an effect.
// Tasks form a queue; the first is worked on.
type Task struct {
	Mask uint64 // of sites or places: which ones can be chosen (0: no limit)
	Arg  int16
	ID   uint16
	Kind TaskKind
	Seat domain.Seat
	N    uint8         // how many
	Res  table.ResMask // which resources
	Need table.Goods   // what to pay or store, by resource
	Card table.Card    // the card it comes from
	Site table.Site    // where it will stand
}

// A task's Arg can say how goods are paid or stored.
const (
	FromOne = 1 // a payment comes from one place alone
	OneKind = 1 // a gain's first resource fixes the kind of the others (Tithe Barn)
)

// TaskKind is what a task asks for.
type TaskKind uint8

// The kinds of task. The rules have a row for each in kinds.
const (
	NoTask TaskKind = iota
	// Choices.
	TaskPay     // pay Need, or N of any, from places in Mask
	TaskSave    // leave N resources of Need out: a discount
	TaskGain    // store Need, or N of Res, at places in Mask
	TaskTake    // name N resources to take from the other (the Trade face)
	TaskBuy     // buy up to N resources for one gold each
	TaskReact   // answer an event or an attack, or let it come
	TaskBury    // put N of the other's hand cards under stacks
	TaskName    // name N more buildings for a Feud
	TaskLose    // give up one of the cards in Mask, under a stack
	TaskSink    // give up a trade ship
	TaskRiot    // pay N gold, or give up a unit
	TaskReturn  // give one resource back
	TaskBurn    // name a building of the other to be removed
	TaskSteal   // take a card of the other's hand
	TaskSearch  // choose a stack to look through
	TaskPick    // take a card from stack Arg, which has been looked through
	TaskFetch   // take a card from the discard pile
	TaskCorners // lay two regions beside the new settlement in column Arg
	TaskMove    // swap two regions or two cards
	TaskStack   // choose a stack to take the first hand from
	TaskHand    // take three cards from stack Arg
	TaskArrange // arrange the regions
	// Steps that nobody chooses.
	TaskRoad   // build a road right of column Arg
	TaskSettle // build a settlement in column Arg
	TaskCity   // build a city in column Arg
	TaskPlace  // put the paid card on its site
	TaskFace   // the event die's face
	TaskEvent  // the event card turned up
	TaskEvtEnd // the event card goes under its stack
	TaskAct    // the action phase begins
	TaskHit    // an attack that nobody warded off
	TaskStart  // the first turn begins
	TaskLook   // look through stack Arg
	TaskKinds
)

// AskKind is the kind of a decision.
type AskKind = table.Word[askWords]

// The kinds of decision.
const (
	AskNothing AskKind = iota
	AskTurn
	AskBegin
	AskPay
	AskGain
	AskBuy
	AskReact
	AskLose
	AskSink
	AskRiot
	AskBury
	AskName
	askKinds
)

// AskNames are the words of decisions.
var AskNames = [askKinds]string{"", "turn", "begin", "pay", "gain", "buy", "react", "lose", "sink", "riot", "bury",
	"name"}

// TaskNames are the words of tasks in events, positions and catalogues. A released word never changes.
var TaskNames = [TaskKinds]string{
	TaskPay: "pay", TaskSave: "save", TaskGain: "gain", TaskTake: "take", TaskBuy: "buy", TaskReact: "react",
	TaskBury: "bury",
	TaskName: "name", TaskLose: "lose", TaskSink: "sink", TaskRiot: "riot", TaskReturn: "return", TaskBurn: "burn",
	TaskSteal: "steal", TaskSearch: "search", TaskPick: "pick", TaskFetch: "fetch", TaskCorners: "corners",
	TaskMove:  "move",
	TaskStack: "stack", TaskHand: "hand", TaskArrange: "arrange", TaskRoad: "road", TaskSettle: "settle",
	TaskCity:  "city",
	TaskPlace: "place", TaskFace: "face", TaskEvent: "event", TaskEvtEnd: "event-end", TaskAct: "act", TaskHit: "hit",
	TaskStart: "start", TaskLook: "look",
}

// recount recounts a principality's points: settlements 1, cities 2, the symbols on the cards, and what cards add to
// each other (Rivals, "Additional rules"; Harbor, Trading Base, Salt Silo). Tokens do not count here.
func (r *Realm) recount() {
	var raise [2]int8       // by Trading Base, by Salt Silo
	var based, harbors int8 // cards that a Trading Base raises, points of Harbors
	p := table.Points{}
	r.Marks, r.InPlay, r.Ships, r.Heroes, r.Mints, r.Rates, r.Near = 0, table.RowSet{}, 0, 0, 0, 0, 0
	r.Vacant, r.InCities = 0, 0
	for t, town := range r.EachTown() {
		p.Victory += int8(town.Level)
		if town.Level == CityTown {
			r.InCities |= 0b1111 << table.SiteAt(t, 0, 0)
		}
		r.Vacant |= 0b0101 << table.SiteAt(t, 0, 0)
	}
	r.Vacant |= r.InCities
	for at, c := range r.Cards() {
		row := c.Row()
		r.Vacant &^= 1 << at
		p.Add(row.Points)
		switch e := row.Bank; {
		case e == nil:
		case e.What == "near":
			r.Near |= 1 << at
		case e.Times > 0:
			r.Mints += uint8(e.Times)
		default:
			r.Rates |= table.Only(row.Rate)
		}
		r.Marks |= row.Marks
		r.InPlay.Put(row)
		if c == table.TownHall { // it covers a Parish Hall
			r.InPlay.Put(table.ParishHall.Row())
		}
		r.Ships += int8(table.BoolInt(row.Ship))
		r.Heroes += int8(table.BoolInt(row.Hero))
		raise[0] += row.Raises[0]
		raise[1] += row.Raises[1]
		based += row.Based
		harbors += row.Scores
	}
	p.Commerce += raise[0]*based + raise[1]*r.Ships
	if r.Ships >= 3 {
		p.Victory += harbors
	}
	r.Points = p
}

// leader returns the seat with at least this many points and more than the other, or Nobody: nobody holds an
// advantage in a tie.
func leader(a, b, least int8) domain.Seat {
	switch {
	case a >= least && a > b:
		return 0
	case b >= least && b > a:
		return 1
	}
	return domain.Nobody
}

// Strongest returns the seat with the strength advantage, and so the hero token.
func (s *State) Strongest() domain.Seat {
	return leader(s.Realms[0].Points.Strength, s.Realms[1].Points.Strength, 3)
}

// Busiest returns the seat with the trade advantage, and so the trade token.
func (s *State) Busiest() domain.Seat {
	return leader(s.Realms[0].Points.Commerce, s.Realms[1].Points.Commerce, 3)
}

// Victory returns a seat's victory points, tokens included.
func (s *State) Victory(seat domain.Seat) int {
	return int(s.Realms[seat].Points.Victory) + table.BoolInt(s.Strongest() == seat) +
		table.BoolInt(s.Busiest() == seat)
}

// HandLimit returns how many cards a hand may hold at the end of its owner's turn.
func (s *State) HandLimit(seat domain.Seat) int { return 3 + int(s.Realms[seat].Points.Progress) }

// HasRow reports whether a card of that row is in play; a Parish Hall under a Town Hall counts.
func (r *Realm) HasRow(row *table.Row) bool { return r.InPlay.Has(row) }

// A game of the Rivals can stand still: all sites taken, nothing left in the middle, no lead that could change hands.
// The rulebook does not say what happens then, and whether anybody could still gain a point depends on hands that
// nobody may see. So we have our own rule, which uses only what everybody sees: a turn moves the game if somebody
// built a road, a settlement or a city in it, or if at its end somebody has more victory points than at the end of
// any earlier turn. After twenty full rounds of turns that did not, the player whose turn it is may close the game,
// and the points decide.
//
// What moves a game runs out: the middle has a limited number of cards, and points have a goal. Whatever the other
// does, each player can bring a game to its end.

// StillTurns is the number of turns in those rounds.
const StillTurns = 2 * 20

// reckon settles a turn's progress before the next one begins.
func (s *State) reckon(next int16) {
	now := [2]int8{int8(s.Victory(0)), int8(s.Victory(1))}
	if s.Turn == 0 || now[0] > s.High[0] || now[1] > s.High[1] {
		s.Since = next
	}
	for seat := range now {
		s.High[seat] = max(s.High[seat], now[seat])
	}
}

// rose reports whether somebody has more points than at the end of any earlier turn.
func (s *State) rose() bool {
	return s.Victory(0) > int(s.High[0]) || s.Victory(1) > int(s.High[1])
}

// Still returns how many turns have ended since something moved the game.
func (s *State) Still() int {
	turns := int(s.Turn) - int(s.Since)
	if turns <= 0 || s.rose() {
		return 0
	}
	return turns
}

// StandsStill reports whether a player may close the game.
func (s *State) StandsStill() bool {
	return int(s.Turn)-int(s.Since) >= StillTurns && s.Still() >= StillTurns
}

// Ahead returns the seat with more victory points, or Nobody.
func (s *State) Ahead() domain.Seat {
	return leader(int8(s.Victory(0)), int8(s.Victory(1)), 0)
}

// PointsOf returns a seat's points, including those for tokens.
func (s *State) PointsOf(seat domain.Seat) table.Points {
	p := s.Realms[seat].Points
	p.Victory = int8(s.Victory(seat))
	return p
}
