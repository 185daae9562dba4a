// Package state holds the state, moves and events of Catan, how events change a state, and how it is seen and written.
// It judges nothing.
package state

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Room is the state room, as kit.New takes it.
type Room struct{}

// Phase is what the seat whose turn it is may do.
type Phase = table.Word[phases]

// The phases of a game.
const (
	PhaseFound   Phase = iota // a settlement and its road, in snake order
	PhaseRoll                 // before the roll, or between the two rolls of Catan for two
	PhaseDiscard              // a seven: seats with more than seven cards discard
	PhaseRobber               // a seven: the robber moves
	PhaseMain                 // trade and build
	PhaseNeutral              // Catan for two: neutral pieces are due
	PhaseGive                 // Catan for two: the second step of the forced trade
	PhaseOver
	phaseCount
)

// PhaseWords are the words of the phases.
var PhaseWords = [phaseCount]string{"found", "roll", "discard", "robber", "main", "neutral", "give", "over"}

const noPhase Phase = -1

// phaseNamed finds a phase by its word; -1 if there is none.
func phaseNamed(word string) Phase { return Phase(slices.Index(PhaseWords[:], word)) }

type phases struct{}

func (phases) Words() []string       { return PhaseWords[:] }
func (phases) Named(word string) int { return slices.Index(PhaseWords[:], word) }

// The colours: seats and, in Catan for two, the neutrals.
const (
	MaxColours  = 4
	NoColour    = -1
	tokenSupply = 20 // Catan for two: the total number of trade tokens
	tokenStart  = 5
)

// State is a game of Catan. Colours are the seats and, in Catan for two, the neutrals (2 and 3). It has arrays only, so
// a copy is one assignment.
type State struct {
	Board   table.Board
	Lay     *Layout // derived from board; shared, never changed
	Rules   table.Rules
	Seats   int8
	Colours int8
	First   int8 // who begins

	Phase   Phase
	Back    Phase // the phase after PhaseNeutral or PhaseGive
	Active  int8
	Turn    int16 // counted from 1; 0 during the founding
	Stint   int32 // counts the times somebody was handed the turn
	Founded int8  // placements made
	Rolls   int8  // this turn
	Dice    [2][2]int8
	Winner  int8
	Still   int8 // turns in a row that ended in a standstill

	CardPlayed, TokenUsed, Refilled, Built bool

	Owes     [MaxColours]int8 // discards owed
	DueRoads int8             // neutral roads due, each one a duty
	DueHomes int8             // neutral settlements due

	Settlements, Cities [MaxColours]uint64
	Roads               [MaxColours]table.PathSet
	Reach               [MaxColours]uint64 // intersections that the colour's roads touch
	Built64             uint64             // intersections with any building
	Shut                uint64             // built, or beside a building
	Laid                table.PathSet      // paths with any road
	Length              [MaxColours]int8   // of the longest road
	Longest, Army       int8               // the cards' holders, or NoColour
	Knights             [MaxColours]int8   // face up

	Hand   [MaxColours]table.Hand
	Size   [MaxColours]int8
	Bank   table.Hand
	Cards  [MaxColours]table.Cards // held, including fresh ones
	Fresh  [MaxColours]table.Cards // bought this turn
	Spent  [MaxColours]table.Cards // played, and knights discarded in Catan for two
	Deck   table.Cards
	Tokens [2]int8
	Robber int8

	Offers      [MaxColours]Offer
	OfferNumber int32
}

// Offer is an open trade: what its maker gives and wants, and the answers.
type Offer struct {
	Open   bool       `json:"-"`
	Number int32      `json:"n"` // its number
	Give   table.Hand `json:"give"`
	Want   table.Hand `json:"want"`
	To     SeatSet    `json:"to"` // who may take it
	Yes    SeatSet    `json:"-"`  // who would take it (an offer with Ask)
	No     SeatSet    `json:"-"`  // who declined, or made a counter-offer
	Ask    bool       `json:"ask,omitempty"`
}

// Unanswered returns who may still answer.
func (o *Offer) Unanswered() SeatSet {
	if !o.Open {
		return 0
	}
	return o.To &^ o.Yes &^ o.No
}

// SeatSet is a set of seats.
type SeatSet uint8

// Has reports whether a seat is in the set.
func (s SeatSet) Has(c int8) bool { return s>>c&1 != 0 }

// With returns the set plus a seat.
func (s SeatSet) With(c int8) SeatSet { return s | 1<<c }

// List returns the seats in order.
func (s SeatSet) List() []domain.Seat {
	var list []domain.Seat
	for c := range int8(8) {
		if s.Has(c) {
			list = append(list, domain.Seat(c))
		}
	}
	return list
}

// Layout is what follows from a board: lookups for production and harbours.
type Layout struct {
	Desert  int8
	ByToken [13][]int8                       // hexes by the number they yield on
	Ports   [table.Kinds + 1]uint64          // intersections by the harbour they have
	Pips    [table.CornerCount]table.Hand    // by intersection: ways in 36 to earn each kind
	serves  [table.CornerCount]table.Harbour // by intersection: its harbour, or -1
}

func layOut(b *table.Board) *Layout {
	l := &Layout{Desert: table.NoHex}
	for h, t := range b.Terrain {
		if t == table.Desert {
			l.Desert = int8(h)
			continue
		}
		n := b.Tokens[h]
		l.ByToken[n] = append(l.ByToken[n], int8(h))
		for _, c := range table.Isle.Corners[h] {
			l.Pips[c][t] += table.PipsOf(n)
		}
	}
	for c := range l.serves {
		l.serves[c] = -1
	}
	for i, p := range table.Isle.HarbourPath {
		for _, c := range table.Isle.Ends[p] {
			l.Ports[b.Harbours[i]] |= 1 << c
			l.serves[c] = b.Harbours[i]
		}
	}
	return l
}

// Two reports whether the game is Catan for two.
func (s *State) Two() bool { return s.Seats == 2 }

// NewGame returns the state before anybody has placed anything.
func NewGame(b table.Board, c domain.Choices, seats int, first domain.Seat) State {
	s := State{
		Board: b, Lay: layOut(&b), Rules: table.RulesOf(c),
		Seats: int8(seats), Colours: int8(seats), First: int8(first), Active: int8(first),
		Stint: 1, Winner: NoColour, Longest: NoColour, Army: NoColour,
		Deck: table.FullDeck,
	}
	s.Robber = max(s.Lay.Desert, 0)
	for i := range s.Bank {
		s.Bank[i] = table.CardsOfKind
	}
	if s.Two() {
		s.Colours = MaxColours
		s.Tokens = [2]int8{tokenStart, tokenStart}
	}
	return s
}

// Place puts a piece on the board and updates the derived sets. A city replaces a settlement.
func (s *State) Place(x Piece) {
	switch bit := uint64(1) << x.At; x.Sort {
	case RoadPiece:
		s.Roads[x.Colour].Add(x.At)
		s.Laid.Add(x.At)
		s.Reach[x.Colour] |= table.EndsOf(x.At)
	case SettlementPiece, CityPiece:
		own, other := &s.Settlements[x.Colour], &s.Cities[x.Colour]
		if x.Sort == CityPiece {
			own, other = other, own
		}
		*own |= bit
		*other &^= bit
		s.Built64 |= bit
		s.Shut |= bit | table.Isle.Beside[x.At]
	}
}

// Buildings returns the intersections where a colour has a settlement or a city.
func (s *State) Buildings(c int8) uint64 { return s.Settlements[c] | s.Cities[c] }

// Others returns the intersections with anybody else's buildings: a road cannot pass there.
func (s *State) Others(c int8) uint64 { return s.Built64 &^ s.Buildings(c) }

// OpenPaths returns where a colour may build a road now (Catan base game, 34).
func (s *State) OpenPaths(c int8) table.PathSet {
	from := (s.Reach[c] | s.Buildings(c)) &^ s.Others(c)
	var open table.PathSet
	for from != 0 {
		open = open.Or(table.Isle.PathsAt[table.NextCorner(&from)])
	}
	return open.AndNot(s.Laid)
}

// OpenHomes returns where a colour may build a settlement now, once founding is over.
func (s *State) OpenHomes(c int8) uint64 { return s.Reach[c] &^ s.Shut }

// SettlementsLeft returns how many settlements a colour may still build.
func (s *State) SettlementsLeft(c int8) int {
	return table.SettlementCount - bits.OnesCount64(s.Settlements[c])
}

// CitiesLeft returns how many cities a colour may still build.
func (s *State) CitiesLeft(c int8) int { return table.CityCount - bits.OnesCount64(s.Cities[c]) }

// RoadsLeft returns how many roads a colour may still build.
func (s *State) RoadsLeft(c int8) int { return table.RoadPieces - s.Roads[c].Len() }

// PublicPoints returns the points that everybody sees.
func (s *State) PublicPoints(c int8) int {
	n := bits.OnesCount64(s.Settlements[c]) + 2*bits.OnesCount64(s.Cities[c])
	if s.Longest == c {
		n += 2
	}
	if s.Army == c {
		n += 2
	}
	return n
}

// Points returns all of a seat's points, including hidden ones.
func (s *State) Points(c int8) int { return s.PublicPoints(c) + int(s.Cards[c][table.Point]) }

// Rate returns how many cards of a kind the bank takes for one of another (Catan base game, 32).
func (s *State) Rate(c int8, r table.Resource) int8 {
	at := s.Buildings(c)
	switch {
	case at&s.Lay.Ports[r] != 0:
		return 2
	case at&s.Lay.Ports[table.Anything] != 0:
		return 3
	default:
		return 4
	}
}

// TokensLeft returns how many trade tokens nobody has.
func (s *State) TokensLeft() int8 { return tokenSupply - s.Tokens[0] - s.Tokens[1] }

// Next returns the seat after another.
func (s *State) Next(c int8) int8 { return (c + 1) % s.Seats }

// Founder returns who makes placement number i: round the table and back.
func (s *State) Founder(i int8) int8 {
	if i >= s.Seats {
		i = 2*s.Seats - 1 - i
	}
	return (s.First + i) % s.Seats
}

// New returns an empty state.
func (Room) New() *State { return &State{Winner: NoColour, Longest: NoColour, Army: NoColour} }

// Clone copies a state, which is arrays and a board that never changes.
func (Room) Clone(s *State) *State {
	c := *s
	return &c
}

// CopyOver copies a state over another.
func (Room) CopyOver(to, from *State) { *to = *from }
