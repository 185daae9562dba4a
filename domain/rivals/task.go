package rivals

import "posthorn/domain"

const maxTasks = 16

// Task is something that stands before the turn can go on: a choice somebody has to make,
// or the next step of an effect. Tasks form a queue; the first is worked on.
type Task struct {
	Mask uint64 // of sites or places: which may be chosen (0: no limit)
	Arg  int16
	ID   uint16
	Kind taskKind
	Seat domain.Seat
	N    uint8   // how many
	Res  resMask // which resources
	Need Goods   // what is to be paid or stored, by resource
	Card Card    // the card it comes from
	Site Site    // where it will stand
}

// A task's Arg may say how goods are paid or stored.
const (
	fromOne = 1 // a payment comes from one place alone
	oneKind = 1 // a gain's first resource fixes the kind of the others (Tithe Barn)
)

type taskKind uint8

// The kinds of task. What each is in the rules is its row in kinds.
const (
	noTask taskKind = iota
	// Choices.
	taskPay     // pay Need, or N of any, from places in Mask
	taskSave    // leave N resources of Need out: a discount
	taskGain    // store Need, or N of Res, at places in Mask
	taskTake    // name N resources to take from the other (the Trade face)
	taskBuy     // buy up to N resources for one gold each
	taskReact   // answer an event or an attack, or let it come
	taskBury    // put N of the other's hand cards under stacks
	taskName    // name N more buildings for a Feud
	taskLose    // give up one of the cards in Mask, under a stack
	taskSink    // give up a trade ship
	taskRiot    // pay N gold, or give up a unit
	taskReturn  // give one resource back
	taskBurn    // name a building of the other to be removed
	taskSteal   // take a card of the other's hand
	taskSearch  // choose a stack to look through
	taskPick    // take a card from stack Arg, which has been looked through
	taskFetch   // take a card from the discard pile
	taskCorners // lay two regions beside the new settlement in column Arg
	taskMove    // let two regions or two cards change places
	taskStack   // choose a stack to take the first hand from
	taskHand    // take three cards from stack Arg
	taskArrange // arrange the regions
	// Steps that nobody chooses.
	taskRoad   // build a road right of column Arg
	taskSettle // build a settlement in column Arg
	taskCity   // build a city in column Arg
	taskPlace  // the card that has been paid for goes on its site
	taskFace   // the event die's face
	taskEvent  // the event card that has been turned up
	taskEvtEnd // the event card goes under its stack
	taskAct    // the action phase begins
	taskHit    // an attack that was not warded off
	taskStart  // the first turn begins
	taskLook   // look through stack Arg
	taskKinds
)

// askKind is the kind of a decision.
type askKind = Word[askWords]

const (
	askNothing askKind = iota
	askTurn
	askBegin
	askPay
	askGain
	askBuy
	askReact
	askLose
	askSink
	askRiot
	askBury
	askName
	askKinds
)

var askNames = [askKinds]string{"", "turn", "begin", "pay", "gain", "buy", "react", "lose", "sink", "riot", "bury", "name"}

// taskNames are the words of tasks in events, positions and catalogues. A released word stays.
var taskNames = [taskKinds]string{
	taskPay: "pay", taskSave: "save", taskGain: "gain", taskTake: "take", taskBuy: "buy", taskReact: "react", taskBury: "bury",
	taskName: "name", taskLose: "lose", taskSink: "sink", taskRiot: "riot", taskReturn: "return", taskBurn: "burn",
	taskSteal: "steal", taskSearch: "search", taskPick: "pick", taskFetch: "fetch", taskCorners: "corners", taskMove: "move",
	taskStack: "stack", taskHand: "hand", taskArrange: "arrange", taskRoad: "road", taskSettle: "settle", taskCity: "city",
	taskPlace: "place", taskFace: "face", taskEvent: "event", taskEvtEnd: "event-end", taskAct: "act", taskHit: "hit",
	taskStart: "start", taskLook: "look",
}

// ofStack tells whether a task's Arg is a stack.
func (k taskKind) ofStack() bool { return k == taskPick || k == taskHand || k == taskLook }

// openTask is the index of the task that awaits a seat, or -1.
func (s *State) openTask(seat domain.Seat) int {
	if s.TasksN > 0 && s.Tasks[0].Seat == seat {
		return 0
	}
	return -1
}

// awaits tells whether a seat is to act now.
func (s *State) awaits(seat domain.Seat) bool { return s.Asks[seat].Kind != askNothing }
