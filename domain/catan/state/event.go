package state

import (
	"encoding/json"
	"fmt"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// The event types. Their bodies are the rulebook's promise to every log ever written.
const (
	TypeSetup  = "setup.v1"
	TypePlayed = "played.v1"
	TypeDealt  = "dealt.v1"
)

// SetUp is the public body of a line's first event.
type SetUp struct {
	Choices domain.Choices `json:"choices"`
	Seats   int            `json:"seats"`
	First   domain.Seat    `json:"first"`
	Board   table.Board    `json:"board"`
	// Given is the public part of a position set up by hand, or nil. What is hidden in it
	// follows as secret parts, as in a deal.
	Given *Position `json:"given,omitempty"`
}

// Played is the public body of a move: what followed from it, each field an outcome that
// Evolve applies as it stands. Zero fields are outcomes that did not happen.
type Played struct {
	Did   Kind  // what kind of move it was
	Two   bool  // Catan for two: colours 2 and 3 are the neutrals
	Phase Phase // where the game stands afterwards
	// Next is whose turn begins, and Stint that somebody was handed the turn anew.
	Next  int8 // NoColour: nobody's
	Stint bool

	Rolled bool
	Dice   [2]int8
	Again  [][2]int8 // throws of the same total as the first, thrown again (Catan for two, 4)
	Short  uint8     // kinds the bank could not pay, as bits
	Owes   [MaxColours]int8

	// Hands is what every seat gained from, or paid to, the bank and each other in the
	// open; the bank has what remains.
	Hands [MaxColours]table.Hand

	Pieces [2]Piece // built, in their order
	Robber int8     // where it moved to, or NoHex
	From   int8     // whose card was taken unseen, or NoColour; by the mover
	Taken  int8     // how many

	Roads      bool // Lengths stands
	Lengths    [MaxColours]int8
	Cards      bool // Longest and Army stand
	Longest    int8
	Army       int8
	Bought     bool
	Named      table.Resource // by a monopoly, or NoResource
	Card       table.Card     // the development card played, or noCard
	Discharged bool           // a knight discarded for tokens
	TokenSpent bool
	Tokens     [2]int8 // gained or paid
	Due        [2]int8 // neutral roads and settlements now due
	Opened     Offer   // the mover's new offer
	Answered   int8    // 1: the mover would take the open offer; -1: will not
	Closed     SeatSet // whose offers are closed
	Partner    int8    // with whom cards were traded, or NoColour
	Won        int8    // or NoColour
	WonPoints  int8
	Still      int8 // turns in a row, this one the last, that ended in a standstill
	// Shown is the victory point cards that every seat lays open once the game is over, so that
	// the final points follow from what all have read.
	Shown [MaxColours]int8
}

const noCard table.Card = -1

// Piece is a building or road just built.
type Piece struct {
	Colour int8
	Sort   Sort
	At     int8
}

// Sort is a sort of piece.
type Sort int8

// The sorts of piece; the zero value is none.
const (
	NoPiece Sort = iota
	RoadPiece
	SettlementPiece
	CityPiece
)

// Unseen is the secret body of a move: what was taken or drawn without being shown.
type Unseen struct {
	Took table.Hand `json:"took"`           // by a theft or a forced trade
	Card table.Card `json:"card,omitempty"` // bought: the kind of card plus one; 0 is none
}

// Held is a secret part of a deal: what one seat holds, or, with Seat -1, the deck.
type Held struct {
	Seat  domain.Seat `json:"seat"`
	Hand  table.Hand  `json:"hand"`
	Cards table.Cards `json:"cards"`
	Fresh table.Cards `json:"fresh"`
}

// Played is an empty outcome of a move in this state.
func (s *State) Played(k Kind) *Played {
	return &Played{
		Did: k, Two: s.Two(), Phase: s.Phase, Next: NoColour, Robber: table.NoHex, From: NoColour,
		Card: noCard, Named: table.NoResource, Partner: NoColour, Won: NoColour, Due: [2]int8{s.DueRoads, s.DueHomes},
	}
}

// Dealt is the public body of a deal: there is nothing public in it.
type Dealt struct{}

// playedJSON is how Played is written: short, and without what did not happen. A hand is
// [seat, brick, lumber, wool, grain, ore].
type playedJSON struct {
	Did     string    `json:"did"`
	Two     bool      `json:"two"`
	Phase   string    `json:"phase"`
	Next    *int8     `json:"next"`
	Stint   bool      `json:"stint"`
	Dice    *[2]int8  `json:"dice"`
	Again   [][2]int8 `json:"again"`
	Short   uint8     `json:"short"`
	Owes    [][2]int8 `json:"owes"`
	Hands   [][6]int8 `json:"hands"`
	Pieces  [][3]int8 `json:"pieces"`
	Robber  *int8     `json:"robber"`
	From    *int8     `json:"from"`
	Taken   int8      `json:"taken"`
	Lengths *[4]int8  `json:"lengths"`
	Cards   *[2]int8  `json:"cards"`
	Bought  bool      `json:"bought"`
	Card    *string   `json:"card"`
	Named   *string   `json:"named"`
	Off     bool      `json:"discharged"`
	Spent   bool      `json:"spent"`
	Tokens  [2]int8   `json:"tokens"`
	Due     [2]int8   `json:"due"`
	Opened  *struct {
		Number int32      `json:"n"`
		Give   table.Hand `json:"give"`
		Want   table.Hand `json:"want"`
		To     SeatSet    `json:"to"`
		Ask    bool       `json:"ask"`
	} `json:"opened"`
	Answered int8     `json:"answered"`
	Closed   SeatSet  `json:"closed"`
	Partner  *int8    `json:"partner"`
	Won      *[2]int8 `json:"won"`
	Still    int8     `json:"still"`
	Shown    [4]int8  `json:"shown"`
}

// UnmarshalJSON reads what AppendJSON wrote.
func (p *Played) UnmarshalJSON(b []byte) error {
	if p.Quick(b) {
		return nil
	}
	var j playedJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("played: %w", err)
	}
	*p = Played{
		Did: KindNamed(j.Did), Two: j.Two, Phase: PhaseNamed(j.Phase), Next: orNone(j.Next), Stint: j.Stint,
		Again: j.Again, Short: j.Short, Robber: orNone(j.Robber), From: orNone(j.From), Taken: j.Taken,
		Bought: j.Bought, Card: noCard, Named: table.NoResource, Discharged: j.Off, TokenSpent: j.Spent, Tokens: j.Tokens, Due: j.Due,
		Answered: j.Answered, Closed: j.Closed, Partner: orNone(j.Partner), Won: NoColour, Still: j.Still, Shown: j.Shown,
	}
	if p.Did == noKind || p.Phase < 0 {
		return fmt.Errorf("played: did %q, phase %q", j.Did, j.Phase)
	}
	if j.Dice != nil {
		p.Rolled, p.Dice = true, *j.Dice
	}
	if j.Lengths != nil {
		p.Roads, p.Lengths = true, *j.Lengths
	}
	if j.Cards != nil {
		p.Cards, p.Longest, p.Army = true, j.Cards[0], j.Cards[1]
	}
	if j.Won != nil {
		p.Won, p.WonPoints = j.Won[0], j.Won[1]
	}
	if o := j.Opened; o != nil {
		p.Opened = Offer{Open: true, Number: o.Number, Give: o.Give, Want: o.Want, To: o.To, Ask: o.Ask}
	}
	if j.Card != nil {
		card, ok := table.CardNamed(*j.Card)
		if !ok {
			return fmt.Errorf("played: card %q", *j.Card)
		}
		p.Card = card
	}
	if j.Named != nil {
		r, ok := table.ResourceNamed(*j.Named)
		if !ok {
			return fmt.Errorf("played: resource %q", *j.Named)
		}
		p.Named = r
	}
	return p.readLists(&j)
}

func (p *Played) readLists(j *playedJSON) error {
	for _, o := range j.Owes {
		if !isColour(o[0]) {
			return fmt.Errorf("played: seat %d owes", o[0])
		}
		p.Owes[o[0]] = o[1]
	}
	for _, h := range j.Hands {
		if !isColour(h[0]) {
			return fmt.Errorf("played: hand of seat %d", h[0])
		}
		p.Hands[h[0]] = table.Hand(h[1:])
	}
	if len(j.Pieces) > len(p.Pieces) {
		return fmt.Errorf("played: %d pieces", len(j.Pieces))
	}
	for i, x := range j.Pieces {
		if !isColour(x[0]) {
			return fmt.Errorf("played: a piece of %d", x[0])
		}
		p.Pieces[i] = Piece{Colour: x[0], Sort: Sort(x[1]), At: x[2]}
	}
	return nil
}

func isColour(c int8) bool { return c >= 0 && c < MaxColours }

func orNone(p *int8) int8 {
	if p == nil {
		return -1
	}
	return *p
}

// PhaseNamed finds a phase by its word; -1 if there is none.
func PhaseNamed(word string) Phase {
	for p, w := range PhaseWords {
		if w == word {
			return Phase(p)
		}
	}
	return -1
}
