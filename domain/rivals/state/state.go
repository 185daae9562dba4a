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
	Since    int16 // the turn from which on nothing moves any more, see standstill.go
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
