// Package state is how a game of the Rivals stands: the state, the outcomes that change it,
// what each viewer may know of it, and how it is written.
package state

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Phase is how far a turn has come.
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

// PhaseNames are the phases' words.
var PhaseNames = [phases]string{"begin", "roll", "act", "draw", "exchange", "over"}

// Ask is what is awaited of a seat.
type Ask struct {
	Kind   AskKind
	Task   uint16
	Serial uint16
}

// State is a whole game. It holds no pointer, so that a copy is a copy.
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
	Die      uint8 // of this turn's roll; 0 before it
	Face     table.Face
	Event    table.Card // the event card being resolved
	Mints    uint8
	Removals uint8 // this turn
	Since    int16 // the turn from which on nothing moves any more, see Still
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

// Other is the other seat.
func Other(s domain.Seat) domain.Seat { return 1 - s }

// Room is the state, for kit.New.
type Room struct{}

// New is an empty state.
func (Room) New() *State { return &State{Winner: domain.Nobody} }

// Clone copies a state.
func (Room) Clone(s *State) *State {
	c := *s
	return &c
}

// MaxTasks is the most there can be in the queue.
const MaxTasks = 16

// Task is something that stands before the turn can go on: a choice somebody has to make,
// or the next step of an effect. Tasks form a queue; the first is worked on.
type Task struct {
	Mask uint64 // of sites or places: which may be chosen (0: no limit)
	Arg  int16
	ID   uint16
	Kind TaskKind
	Seat domain.Seat
	N    uint8         // how many
	Res  table.ResMask // which resources
	Need table.Goods   // what is to be paid or stored, by resource
	Card table.Card    // the card it comes from
	Site table.Site    // where it will stand
}

// A task's Arg may say how goods are paid or stored.
const (
	FromOne = 1 // a payment comes from one place alone
	OneKind = 1 // a gain's first resource fixes the kind of the others (Tithe Barn)
)

// TaskKind is what a task asks for.
type TaskKind uint8

// The kinds of task. What each is in the rules is its row in kinds.
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
	TaskMove    // let two regions or two cards change places
	TaskStack   // choose a stack to take the first hand from
	TaskHand    // take three cards from stack Arg
	TaskArrange // arrange the regions
	// Steps that nobody chooses.
	TaskRoad   // build a road right of column Arg
	TaskSettle // build a settlement in column Arg
	TaskCity   // build a city in column Arg
	TaskPlace  // the card that has been paid for goes on its site
	TaskFace   // the event die's face
	TaskEvent  // the event card that has been turned up
	TaskEvtEnd // the event card goes under its stack
	TaskAct    // the action phase begins
	TaskHit    // an attack that was not warded off
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
var AskNames = [askKinds]string{"", "turn", "begin", "pay", "gain", "buy", "react", "lose", "sink", "riot", "bury", "name"}

// TaskNames are the words of tasks in events, positions and catalogues. A released word stays.
var TaskNames = [TaskKinds]string{
	TaskPay: "pay", TaskSave: "save", TaskGain: "gain", TaskTake: "take", TaskBuy: "buy", TaskReact: "react", TaskBury: "bury",
	TaskName: "name", TaskLose: "lose", TaskSink: "sink", TaskRiot: "riot", TaskReturn: "return", TaskBurn: "burn",
	TaskSteal: "steal", TaskSearch: "search", TaskPick: "pick", TaskFetch: "fetch", TaskCorners: "corners", TaskMove: "move",
	TaskStack: "stack", TaskHand: "hand", TaskArrange: "arrange", TaskRoad: "road", TaskSettle: "settle", TaskCity: "city",
	TaskPlace: "place", TaskFace: "face", TaskEvent: "event", TaskEvtEnd: "event-end", TaskAct: "act", TaskHit: "hit",
	TaskStart: "start", TaskLook: "look",
}
