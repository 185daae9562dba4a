package catan

import (
	"math/bits"

	"posthorn/domain"
)

// Phase is what the seat whose turn it is may do.
type Phase int8

// The phases of a game.
const (
	PhaseFound   Phase = iota // a settlement and its road, in snake order
	PhaseRoll                 // before the roll, or between the two rolls of Catan for two
	PhaseDiscard              // a seven: those with more than seven cards discard
	PhaseRobber               // a seven: the robber moves
	PhaseMain                 // trade and build
	PhaseNeutral              // Catan for two: neutral pieces are due
	PhaseGive                 // Catan for two: the second step of the forced trade
	PhaseOver
	phaseCount
)

// phaseWords are the words of the phases.
var phaseWords = [phaseCount]string{"found", "roll", "discard", "robber", "main", "neutral", "give", "over"}

// String is the phase's word in states and scripts.
func (p Phase) String() string {
	if p < 0 || p >= phaseCount {
		return "none"
	}
	return phaseWords[p]
}

// The colours: seats and, in Catan for two, the neutrals.
const (
	maxColours  = 4
	noColour    = -1
	tokenSupply = 20 // Catan for two: all the trade tokens there are
	tokenStart  = 5
)

// State is a game of Catan. Seats and, in Catan for two, the neutrals (colours 2 and 3)
// are colours. Arrays only: a copy is one assignment.
type State struct {
	board   Board
	lay     *layout // derived from board; shared, never changed
	rules   rules
	seats   int8
	colours int8
	first   int8 // who begins

	phase   Phase
	back    Phase // where the game goes on after PhaseNeutral or PhaseGive
	active  int8
	turn    int16 // counted from 1; 0 during the founding
	stint   int32 // counts the times somebody was handed the turn
	founded int8  // placements made
	rolls   int8  // this turn
	dice    [2][2]int8
	winner  int8
	still   int8 // turns in a row that ended in a standstill

	cardPlayed, tokenUsed, refilled, built bool

	owes     [maxColours]int8 // discards owed
	dueRoads int8             // neutral roads due, each a duty
	dueHomes int8             // neutral settlements due

	settlements, cities [maxColours]uint64
	roads               [maxColours]pathSet
	reach               [maxColours]uint64 // intersections that own roads touch
	built64             uint64             // intersections with any building
	shut                uint64             // built, or beside a building
	laid                pathSet            // paths with any road
	length              [maxColours]int8   // of the longest road
	longest, army       int8               // who holds the cards, or noColour
	knights             [maxColours]int8   // face up

	hand   [maxColours]Hand
	size   [maxColours]int8
	bank   Hand
	cards  [maxColours]Cards // held, the fresh ones among them
	fresh  [maxColours]Cards // bought this turn
	spent  [maxColours]Cards // played, and knights discarded in Catan for two
	deck   Cards
	tokens [2]int8
	robber int8

	offers      [maxColours]Offer
	offerNumber int32
}

// Offer is an open trade: what its maker gives and wants, and how it was answered.
type Offer struct {
	Open       bool
	Number     int32
	Give, Want Hand
	To         seatSet // who may take it
	Yes, No    seatSet // who would (an offer with Ask), who will not or made a counter-offer
	Ask        bool
}

// unanswered is who still may answer.
func (o *Offer) unanswered() seatSet {
	if !o.Open {
		return 0
	}
	return o.To &^ o.Yes &^ o.No
}

// seatSet is a set of seats.
type seatSet uint8

// has tells whether a seat is in the set.
func (s seatSet) has(c int8) bool { return s>>c&1 != 0 }

// with is the set with a seat.
func (s seatSet) with(c int8) seatSet { return s | 1<<c }

// list is the seats, in their order.
func (s seatSet) list() []domain.Seat {
	var list []domain.Seat
	for c := range int8(8) {
		if s.has(c) {
			list = append(list, domain.Seat(c))
		}
	}
	return list
}

// layout is what follows from a board: lookups for production and harbours.
type layout struct {
	desert  int8
	byToken [13][]int8           // hexes by the number they yield on
	ports   [kinds + 1]uint64    // intersections by the harbour they have
	pips    [cornerCount]Hand    // by intersection: ways in 36 to earn each kind
	serves  [cornerCount]Harbour // an intersection's harbour, or -1
}

func layOut(b *Board) *layout {
	l := &layout{desert: noHex}
	for h, t := range b.Terrain {
		if t == Desert {
			l.desert = int8(h)
			continue
		}
		n := b.Tokens[h]
		l.byToken[n] = append(l.byToken[n], int8(h))
		for _, c := range isle.corners[h] {
			l.pips[c][t] += pipsOf(n)
		}
	}
	for c := range l.serves {
		l.serves[c] = -1
	}
	for i, p := range isle.harbourPath {
		for _, c := range isle.ends[p] {
			l.ports[b.Harbours[i]] |= 1 << c
			l.serves[c] = b.Harbours[i]
		}
	}
	return l
}

// pipsOf is in how many of 36 throws a number comes.
func pipsOf(token int8) int8 {
	if token == 0 {
		return 0
	}
	if token < 7 {
		return token - 1
	}
	return 13 - token
}

// two tells whether it is Catan for two.
func (s *State) two() bool { return s.seats == 2 }

// newGame is the state before anybody has placed anything.
func newGame(b Board, c domain.Choices, seats int, first domain.Seat) State {
	s := State{
		board: b, lay: layOut(&b), rules: rulesOf(c),
		seats: int8(seats), colours: int8(seats), first: int8(first), active: int8(first),
		stint: 1, winner: noColour, longest: noColour, army: noColour,
		deck: fullDeck,
	}
	s.robber = max(s.lay.desert, 0)
	for i := range s.bank {
		s.bank[i] = cardsOfKind
	}
	if s.two() {
		s.colours = maxColours
		s.tokens = [2]int8{tokenStart, tokenStart}
	}
	return s
}

// addSettlement puts a building on an intersection and keeps the sets that follow.
func (s *State) addSettlement(c, at int8) {
	bit := uint64(1) << at
	s.settlements[c] |= bit
	s.built64 |= bit
	s.shut |= bit | isle.beside[at]
}

// addCity makes a city of the settlement on an intersection.
func (s *State) addCity(c, at int8) {
	bit := uint64(1) << at
	s.settlements[c] &^= bit
	s.cities[c] |= bit
	s.built64 |= bit
	s.shut |= bit | isle.beside[at]
}

// addRoad puts a road on a path and keeps the sets that follow.
func (s *State) addRoad(c, path int8) {
	s.roads[c].add(path)
	s.laid.add(path)
	s.reach[c] |= endsOf(path)
}

// endsOf is the two intersections of a path.
func endsOf(path int8) uint64 {
	e := isle.ends[path]
	return 1<<e[0] | 1<<e[1]
}

// buildings are the intersections where a colour has a settlement or a city.
func (s *State) buildings(c int8) uint64 { return s.settlements[c] | s.cities[c] }

// others is where anybody else's buildings stand: a road does not pass there.
func (s *State) others(c int8) uint64 { return s.built64 &^ s.buildings(c) }

// openPaths is where a colour may build a road now (Catan base game, 34).
func (s *State) openPaths(c int8) pathSet {
	from := (s.reach[c] | s.buildings(c)) &^ s.others(c)
	var open pathSet
	for from != 0 {
		open = open.or(isle.pathsAt[nextCorner(&from)])
	}
	return open.andNot(s.laid)
}

// openHomes is where a colour may build a settlement now, once founding is over.
func (s *State) openHomes(c int8) uint64 { return s.reach[c] &^ s.shut }

// settlementsLeft is how many settlements a colour may still build.
func (s *State) settlementsLeft(c int8) int {
	return settlementCount - bits.OnesCount64(s.settlements[c])
}

// citiesLeft is how many cities a colour may still build.
func (s *State) citiesLeft(c int8) int { return cityCount - bits.OnesCount64(s.cities[c]) }

// roadsLeft is how many roads a colour may still build.
func (s *State) roadsLeft(c int8) int { return roadPieces - s.roads[c].len() }

// publicPoints are the points everybody sees.
func (s *State) publicPoints(c int8) int {
	n := bits.OnesCount64(s.settlements[c]) + 2*bits.OnesCount64(s.cities[c])
	if s.longest == c {
		n += 2
	}
	if s.army == c {
		n += 2
	}
	return n
}

// points are all of a seat's points, the hidden ones too.
func (s *State) points(c int8) int { return s.publicPoints(c) + int(s.cards[c][Point]) }

// rate is how many cards of a kind the bank takes for one of another (Catan base game, 32).
func (s *State) rate(c int8, r Resource) int8 {
	at := s.buildings(c)
	switch {
	case at&s.lay.ports[r] != 0:
		return 2
	case at&s.lay.ports[Anything] != 0:
		return 3
	default:
		return 4
	}
}

// tokensLeft is how many trade tokens nobody has.
func (s *State) tokensLeft() int8 { return tokenSupply - s.tokens[0] - s.tokens[1] }

// next is the seat after another.
func (s *State) next(c int8) int8 { return (c + 1) % s.seats }

// founder is whose the placement number i is: round the table and back.
func (s *State) founder(i int8) int8 {
	if i >= s.seats {
		i = 2*s.seats - 1 - i
	}
	return (s.first + i) % s.seats
}
