package catan

import "posthorn/domain"

// Kind is what a move does.
type Kind int8

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
	kindCount
	noKind Kind = -1
)

var kindWords = [kindCount]string{
	"found", "roll", "road", "settle", "city", "buy", "knight", "roads", "plenty", "monopoly", "rob", "discard", "bank",
	"offer", "accept", "decline", "confirm", "counter", "withdraw", "token-trade", "token-desert", "give", "refill",
	"neutral", "end",
}

// String is the kind's word in events.
func (k Kind) String() string {
	if k < 0 || k >= kindCount {
		return "none"
	}
	return kindWords[k]
}

func kindNamed(word string) Kind {
	for k, w := range kindWords {
		if w == word {
			return Kind(k)
		}
	}
	return noKind
}

// Move is one move. Fields that its kind does not use are zero, or -1 for places and seats.
type Move struct {
	Kind Kind
	// A and B are places: founding (intersection, path), road, settlement, city, roads (two
	// paths, the smaller first; B is -1 for a single one), robber and knight (hex), bank,
	// plenty and monopoly (kinds of resource).
	A, B int8
	// Seat is who is robbed, or whose offer is answered or confirmed; -1 is nobody named.
	Seat domain.Seat
	Give Hand // offered, countered, discarded or given
	Want Hand
	To   seatSet // seats an offer goes to; none is all others
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

func move(k Kind) Move              { return Move{Kind: k, A: noPlace, B: noPlace, Seat: domain.Nobody} }
func moveAt(k Kind, a, b int8) Move { return Move{Kind: k, A: a, B: b, Seat: domain.Nobody} }
func moveOn(k Kind, a, seat int8) Move {
	return Move{Kind: k, A: a, B: noPlace, Seat: domain.Seat(seat)}
}

// The moves that come up at every turn lie ready as interface values: to make a list of
// them then costs nothing.
var ready = makeReady()

type readyMoves struct {
	plain                 [kindCount]domain.Move
	found                 [pathCount][2]domain.Move // by path and which end is settled
	road                  [pathCount]domain.Move
	settle, city          [cornerCount]domain.Move
	rob, knight           [hexCount][maxColours + 1]domain.Move // by hex and seat + 1
	bank, plenty          [kinds][kinds]domain.Move
	monopoly              [kinds]domain.Move
	accept, decline, conf [maxColours]domain.Move
}

func makeReady() *readyMoves {
	m := new(readyMoves)
	for k := range kindCount {
		m.plain[k] = move(k)
	}
	for p := range int8(pathCount) {
		m.road[p] = moveAt(KindRoad, p, noPlace)
		for i, c := range isle.ends[p] {
			m.found[p][i] = moveAt(KindFound, c, p)
		}
	}
	for c := range int8(cornerCount) {
		m.settle[c] = moveAt(KindSettle, c, noPlace)
		m.city[c] = moveAt(KindCity, c, noPlace)
	}
	for h := range int8(hexCount) {
		for seat := range int8(maxColours + 1) {
			m.rob[h][seat] = moveOn(KindRob, h, seat-1)
			m.knight[h][seat] = moveOn(KindKnight, h, seat-1)
		}
	}
	for a := range int8(kinds) {
		m.monopoly[a] = moveAt(KindMonopoly, a, noPlace)
		for b := range int8(kinds) {
			m.bank[a][b] = moveAt(KindBank, a, b)
			m.plenty[a][b] = moveAt(KindPlenty, a, b)
		}
	}
	for seat := range int8(maxColours) {
		m.accept[seat] = moveOn(KindAccept, noPlace, seat)
		m.decline[seat] = moveOn(KindDecline, noPlace, seat)
		m.conf[seat] = moveOn(KindConfirm, noPlace, seat)
	}
	return m
}
