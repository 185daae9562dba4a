package state

import (
	"encoding/json"
	"errors"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/codec"
	"posthorn/domain/kit"
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	played := kit.SecretType[Played, Unseen](TypePlayed)
	played.Body = func() any { return Nothing() }
	return domain.Codec{Types: []domain.EventType{
		kit.SecretType[SetUp, Held](TypeSetup).Counted("setup.v2"), played.Counted("played.v2"),
		kit.SecretType[Dealt, Held](TypeDealt).Counted("dealt.v2"),
	}}
}

func in(n, least, most int8) bool { return n >= least && n <= most }

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	fits := e.Seat >= 0 && e.Seat < MaxColours && in(int8(p.Robber), table.NoHex, table.HexCount-1) &&
		in(int8(p.Card), int8(table.NoCard), table.CardKinds-1) &&
		p.Did != noKind && p.Phase != noPhase
	colours := []int8{int8(p.Next), int8(p.From), int8(p.Partner), p.Won[0]}
	if p.Cards != nil {
		colours = append(colours, p.Cards[:]...)
	}
	for _, c := range colours {
		fits = fits && in(c, NoColour, MaxColours-1)
	}
	fits = fits && (p.Did != KindGive || p.Partner != None)
	for _, x := range p.Pieces {
		most := int8(table.CornerCount - 1)
		if x.Sort == RoadPiece {
			most = table.PathCount - 1
		}
		fits = fits && x.Sort <= CityPiece && in(x.Colour, 0, MaxColours-1) && (x.Sort == NoPiece || in(x.At, 0, most))
	}
	return odd(!fits)
}

// Check implements domain.Checker.
func (u *Unseen) Check(*domain.Event) error { return odd(!in(u.Card, 0, table.CardKinds)) }

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	return odd(b.Seats < 2 || b.Seats > MaxColours || b.First < 0 || int(b.First) >= b.Seats || b.Given != nil &&
		!b.Given.fits(b.Seats))
}

// odd refuses an event that no move or set-up makes.
func odd(is bool) error {
	if is {
		return errors.New("it names a colour, a place or a card that there is not")
	}
	return nil
}

// fits reports whether a position has the right form for that many seats, it is a seat's turn, and no offer is empty.
func (v *Position) fits(seats int) bool {
	text, err := json.Marshal(v)
	return err == nil && givenSchemas[seats].Fits(text) == nil && v.First != "" && v.Active != "" &&
		(len(v.Neutrals) == 0 || seats == 2) &&
		!slices.ContainsFunc(v.Offers, func(o OfferView) bool { return o.Give == nil || o.Want == nil })
}

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
	First   domain.Seat    `json:"first"` // who begins
	Board   table.Board    `json:"board"`
	// Given is the public part of a position set up by hand, or nil. Its hidden part follows as secret parts, as in a
	// deal.
	Given *Position `json:"given,omitempty"`
}

// Played is the public body of a move: what followed from it, each field an outcome that Evolve applies as it is.
// Outcomes that did not happen are left out.
type Played struct {
	Did   Kind  `json:"did"`           // what kind of move it was
	Phase Phase `json:"phase"`         // where the game stands afterwards
	Two   bool  `json:"two,omitempty"` // Catan for two: colours 2 and 3 are the neutrals
	// Next is whose turn begins, and Stint says that somebody was handed the turn anew.
	Next  OrNone `json:"next,omitzero"`
	Stint bool   `json:"stint,omitempty"`

	Dice  [2]int8   `json:"dice,omitzero"`   // [d, d]
	Again [][2]int8 `json:"again,omitempty"` // throws of the same total as the first, thrown again (Catan for two, 4)
	Short uint8     `json:"short,omitempty"` // kinds the bank could not pay, as bits
	Owes  debts     `json:"owes,omitzero"`   // how many cards they discard: [[seat, n], …]

	// Hands is what every seat openly gained from, or paid to, the bank and the others: [[seat, five numbers], …]. The
	// bank has what remains.
	Hands gains `json:"hands,omitzero"`

	Pieces Pieces `json:"pieces,omitzero"` // built, in order: [[colour, sort, place], …]
	Robber OrNone `json:"robber,omitzero"` // the hex it moved to
	From   OrNone `json:"from,omitzero"`   // the seat whose card the mover took unseen
	Taken  int8   `json:"taken,omitempty"` // how many

	Lengths [MaxColours]int8 `json:"lengths,omitzero"` // of everybody's longest road, if any changed
	// holders of the longest road and the largest army, if they changed: [road, army]
	Cards      *[2]int8       `json:"cards,omitempty"`
	Due        [2]int8        `json:"due,omitzero"` // neutral roads and settlements now due
	Bought     bool           `json:"bought,omitempty"`
	Card       table.Card     `json:"card,omitzero"`        // the word of the development card played, or NoCard
	Named      table.Resource `json:"named,omitzero"`       // the resource that a monopoly names, or NoResource
	Discharged bool           `json:"discharged,omitempty"` // a knight discarded for tokens
	TokenSpent bool           `json:"spent,omitempty"`
	Tokens     [2]int8        `json:"tokens,omitzero"`    // gained or paid
	Opened     *Offer         `json:"opened,omitempty"`   // the mover's new offer
	Answered   int8           `json:"answered,omitempty"` // 1: the mover would take the open offer; -1: will not
	Closed     SeatSet        `json:"closed,omitempty"`   // whose offers closed
	Partner    OrNone         `json:"partner,omitzero"`   // the trading partner
	Won        [2]int8        `json:"won,omitzero"`       // who won, and with how many points
	// turns in a row, up to this one, that ended in a standstill
	Still int8 `json:"still,omitempty"`
	// Shown is the victory point cards that every seat reveals once the game is over, so that the final points follow
	// from what everybody has read.
	Shown [MaxColours]int8 `json:"shown,omitzero"`
}

// nothing is an outcome in which nothing happened.
var nothing = Played{
	Did: noKind, Phase: noPhase, Next: None, Robber: None, From: None, Card: table.NoCard, Named: table.NoResource,
	Partner: None,
}

// Nothing returns an outcome in which nothing happened.
func Nothing() *Played {
	p := nothing
	return &p
}

// Rolled reports whether the dice were thrown.
func (p *Played) Rolled() bool { return p.Dice[0] != 0 }

// OrNone is a colour or a hex, or None.
type OrNone int8

// None is no colour and no hex.
const None OrNone = -1

// IsZero makes the codec leave None out.
func (o OrNone) IsZero() bool { return o == None }

// ByColour is an amount of each colour, written as rows of those that have any.
type ByColour[N table.Hand | int8] [MaxColours]N

// gains are what each colour gains, or pays: written as [colour, brick, lumber, wool, grain, ore].
type gains = ByColour[table.Hand]

// debts are how many cards each colour must discard: written as [colour, cards].
type debts = ByColour[int8]

// Rows leaves out the colours that have none.
func (*ByColour[N]) Rows() {}

// MarshalJSON writes rows.
func (c ByColour[N]) MarshalJSON() ([]byte, error) { return codec.Marshal(&c) }

// UnmarshalJSON reads rows.
func (c *ByColour[N]) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, c) }

// Pieces are the pieces just built, in order.
type Pieces [2]Piece

// Short leaves out what was not built.
func (*Pieces) Short() {}

// MarshalJSON writes a list.
func (p Pieces) MarshalJSON() ([]byte, error) { return codec.Marshal(&p) }

// UnmarshalJSON reads a list.
func (p *Pieces) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, p) }

// Piece is a building or road just built: written as [colour, sort, place].
type Piece struct {
	Colour int8
	Sort   Sort
	At     int8
}

// Tuple makes the codec write a piece as an array.
func (*Piece) Tuple() {}

// MarshalJSON writes a tuple.
func (x Piece) MarshalJSON() ([]byte, error) { return codec.Marshal(&x) }

// UnmarshalJSON reads a tuple.
func (x *Piece) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, x) }

// Sort is a sort of piece.
type Sort int8

// The sorts of piece; the zero value is none.
const (
	NoPiece Sort = iota
	RoadPiece
	SettlementPiece
	CityPiece
)

// Unseen is the secret body of a move: what it took or drew unseen. There is one at most, for the mover and, where
// there is From, for that seat.
type Unseen struct {
	Took table.Hand `json:"took"`           // five numbers: by a theft or a forced trade
	Card int8       `json:"card,omitempty"` // bought: the kind of card plus one; 0 is none
}

// Held is a secret part of a deal, one for each seat: what that seat holds. The last one, with Seat -1, is for nobody:
// its Cards are the deck. A set-up has them where something is hidden at the start.
type Held struct {
	Seat  domain.Seat `json:"seat"`
	Hand  table.Hand  `json:"hand"`  // five numbers
	Cards table.Cards `json:"cards"` // five numbers
	Fresh table.Cards `json:"fresh"` // those of them that were bought this turn
}

// Play resets an outcome to the empty one of a move in this state.
func (s *State) Play(p *Played, k Kind) {
	*p = nothing
	p.Did, p.Two, p.Phase, p.Due = k, s.Two(), s.Phase, [2]int8{s.DueRoads, s.DueHomes}
}

// Dealt is the public body of a deal: nothing in a deal is public.
type Dealt struct{}
