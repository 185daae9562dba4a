package state

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Kind is what a move does.
type Kind = table.Word[kinds]

// The kinds of move.
const (
	KindFound       Kind = iota // settle 13 road 21
	KindRoll                    // roll
	KindRoad                    // road 22
	KindSettle                  // settle 13
	KindCity                    // city 13
	KindBuy                     // buy
	KindKnight                  // knight 9 B
	KindRoads                   // roads 22 23
	KindPlenty                  // plenty ore grain
	KindMonopoly                // monopoly ore
	KindRob                     // rob 9 B
	KindDiscard                 // discard 2 wool 1 ore
	KindBank                    // bank wool ore
	KindOffer                   // offer 1 wool for 1 ore to B C [ask]
	KindAccept                  // accept [B]
	KindDecline                 // decline [B]
	KindConfirm                 // confirm B
	KindCounter                 // counter 1 ore for 1 wool
	KindWithdraw                // withdraw
	KindTokenTrade              // token trade
	KindTokenDesert             // token desert
	KindGive                    // give 1 wool 1 ore
	KindRefill                  // refill
	KindNeutral                 // neutral road 30 settle 41
	KindEnd                     // end
	KindCount
	noKind Kind = -1
)

// KindWords are the words of the kinds.
var KindWords = [KindCount]string{
	"found", "roll", "road", "settle", "city", "buy", "knight", "roads", "plenty", "monopoly", "rob", "discard", "bank",
	"offer", "accept", "decline", "confirm", "counter", "withdraw", "token-trade", "token-desert", "give", "refill",
	"neutral", "end",
}

type kinds struct{}

func (kinds) Words() []string       { return KindWords[:] }
func (kinds) Named(word string) int { return slices.Index(KindWords[:], word) }

// KindNamed finds a kind of move by its word.
func KindNamed(word string) Kind { return Kind(slices.Index(KindWords[:], word)) }

// Part is one thing that a move says after its word.
type Part int8

// The parts of moves.
const (
	PartCorner Part = iota // A, an intersection
	PartPath               // A
	PartHex                // A
	PartRoad               // B, the path of a settlement's road
	PartSecond             // B, a second path, or none
	PartGive               // A, a kind of resource
	PartGet                // B, another kind, or none
	PartSeat               // Seat, or nobody
	PartCards              // Give
	PartSwap               // Give and Want
	PartTo                 // To and Ask
)

// PartsOf holds the parts of each kind of move. Parts cannot express the neutrals' pieces.
var PartsOf = [KindCount][]Part{
	KindFound: {PartCorner, PartRoad}, KindRoad: {PartPath}, KindSettle: {PartCorner}, KindCity: {PartCorner},
	KindRoads: {PartPath, PartSecond}, KindKnight: {PartHex, PartSeat}, KindRob: {PartHex, PartSeat},
	KindBank: {PartGive, PartGet}, KindPlenty: {PartGive, PartGet}, KindMonopoly: {PartGive},
	KindDiscard: {PartCards}, KindGive: {PartCards},
	KindOffer: {PartSwap, PartTo}, KindCounter: {PartSwap},
	KindAccept: {PartSeat}, KindDecline: {PartSeat}, KindConfirm: {PartSeat},
}

// Move is one move. Fields that its kind does not use are zero, or -1 for places and seats.
type Move struct {
	Kind Kind
	// A and B are places: founding (intersection, path), road, settlement, city, roads (two
	// paths, the smaller first; B is -1 for a single one), robber and knight (hex), bank,
	// plenty and monopoly (kinds of resource).
	A, B int8
	// Seat is who is robbed, or whose offer is answered or confirmed; -1 if nobody is named.
	Seat domain.Seat
	Give table.Hand // offered, countered, discarded or given
	Want table.Hand
	To   SeatSet // seats an offer goes to; none means all others
	Ask  bool
	// Neutral pieces, the first neutral's first; a zero Sort is none. Loose marks one piece
	// written without saying whose it is.
	Neutral [2]NeutralPiece
	Loose   bool
}

// NeutralPiece is what a neutral builds: a road or a settlement.
type NeutralPiece struct {
	Sort Sort
	At   int8
}

// NewMove returns a move that says nothing but its kind.
func NewMove(k Kind) Move {
	return Move{Kind: k, A: table.NoPlace, B: table.NoPlace, Seat: domain.Nobody}
}

// MoveAt returns a move that names places, or kinds of resource.
func MoveAt(k Kind, a, b int8) Move { return Move{Kind: k, A: a, B: b, Seat: domain.Nobody} }

// MoveOn returns a move that names a place and a seat.
func MoveOn(k Kind, a, seat int8) Move {
	return Move{Kind: k, A: a, B: table.NoPlace, Seat: domain.Seat(seat)}
}

// PlaceMove is a move of places and a seat only, as the commonest are.
type PlaceMove struct {
	Kind Kind
	A, B int8
	Seat domain.Seat
}

// Move returns the whole move.
func (p PlaceMove) Move() Move { return Move{Kind: p.Kind, A: p.A, B: p.B, Seat: p.Seat} }

// ready holds the moves with at most one place as interface values, by kind and the place plus 1: making one costs as
// much as listing it.
var ready = func() (all [KindCount][table.PathCount + 1]domain.Move) {
	for k := range KindCount {
		for at := range all[k] {
			all[k][at] = MoveAt(k, int8(at)-1, table.NoPlace)
		}
	}
	return all
}()

// exchanges are the trades with the bank as interface values, by the kinds given and wanted.
var exchanges = func() (all [table.Kinds][table.Kinds]domain.Move) {
	for give := range all {
		for get := range all[give] {
			all[give][get] = MoveAt(KindBank, int8(give), int8(get))
		}
	}
	return all
}()

// Boxed returns the move as an interface value.
func (p PlaceMove) Boxed() domain.Move {
	switch {
	case p.Seat != domain.Nobody:
	case p.B == table.NoPlace:
		return ready[p.Kind][p.A+1]
	case p.Kind == KindBank:
		return exchanges[p.A][p.B]
	}
	return p.Move()
}
