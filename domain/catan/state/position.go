package state

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Position is how a view is written: what is public, and of the hidden things what is the
// viewer's own. Seats are letters; the neutrals of Catan for two are N and M. The Referee's, or
// any part of it, is what a position set up by hand is made of.
type Position struct {
	Viewer     string            `json:"viewer,omitempty"`
	Target     int               `json:"target,omitempty"`   // points that win
	Friendly   bool              `json:"friendly,omitempty"` // the robber spares those with two points or fewer
	Board      *table.Board      `json:"board,omitempty"`
	Robber     *int              `json:"robber,omitempty"`
	Phase      string            `json:"phase,omitempty"`
	Back       string            `json:"back,omitempty"` // the phase after "neutral" or "give"
	First      string            `json:"first,omitempty"`
	Active     string            `json:"active,omitempty"`
	Turn       int               `json:"turn,omitempty"`
	Stint      int               `json:"stint,omitempty"`
	Founded    int               `json:"founded,omitempty"` // placements made
	Rolls      int               `json:"rolls,omitempty"`   // made this turn
	Dice       [][2]int8         `json:"dice,omitempty"`    // of this turn
	CardPlayed bool              `json:"card_played,omitempty"`
	TokenUsed  bool              `json:"token_used,omitempty"`
	Refilled   bool              `json:"refilled,omitempty"`
	Built      bool              `json:"built,omitempty"` // something, this turn
	Due        *DueView          `json:"due,omitempty"`
	Bank       *table.NamedHand  `json:"bank,omitempty"`
	Deck       *int              `json:"deck,omitempty"`       // cards left
	DeckCards  *table.NamedCards `json:"deck_cards,omitempty"` // which: the referee's
	Players    []PlayerView      `json:"players,omitempty"`
	Neutrals   []NeutralView     `json:"neutrals,omitempty"`
	Longest    *string           `json:"longest,omitempty"` // who holds it; "" is nobody
	Army       *string           `json:"army,omitempty"`
	Offers     []OfferView       `json:"offers,omitempty"`
	OfferCount int               `json:"offer_count,omitempty"` // made so far
	Supply     *int              `json:"supply,omitempty"`      // trade tokens left
	Still      int               `json:"still,omitempty"`       // turns in a row that ended in a standstill
	Winner     string            `json:"winner,omitempty"`
}

// PlayerView is one seat. Hand, Cards and Fresh are there for those who may know them.
type PlayerView struct {
	Seat        string            `json:"seat,omitempty"`
	Roads       []int             `json:"roads,omitempty"`
	Settlements []int             `json:"settlements,omitempty"`
	Cities      []int             `json:"cities,omitempty"`
	Hand        *table.NamedHand  `json:"hand,omitempty"`
	HandSize    int               `json:"hand_size"`
	Cards       *table.NamedCards `json:"cards,omitempty"`
	CardCount   int               `json:"card_count"`
	Fresh       *table.NamedCards `json:"fresh,omitempty"` // of the cards, those bought this turn
	FreshCount  int               `json:"fresh_count,omitempty"`
	Knights     int               `json:"knights,omitempty"` // face up
	Spent       *table.NamedCards `json:"spent,omitempty"`   // played or discarded, and gone
	RoadLength  int               `json:"road_length,omitempty"`
	Tokens      *int              `json:"tokens,omitempty"`
	Owes        int               `json:"owes,omitempty"` // cards to discard
	Points      int               `json:"points"`         // as far as the viewer may count them
}

// NeutralView is one neutral of Catan for two.
type NeutralView struct {
	Name        string `json:"name,omitempty"`
	Roads       []int  `json:"roads,omitempty"`
	Settlements []int  `json:"settlements,omitempty"`
	RoadLength  int    `json:"road_length,omitempty"`
}

// OfferView is an open offer.
type OfferView struct {
	By     string           `json:"by"`
	Number int              `json:"number,omitempty"`
	Give   *table.NamedHand `json:"give"`
	Want   *table.NamedHand `json:"want"`
	To     []string         `json:"to"`
	Yes    []string         `json:"yes,omitempty"`
	No     []string         `json:"no,omitempty"`
	Ask    bool             `json:"ask,omitempty"`
}

// DueView is the neutral pieces still to be built.
type DueView struct {
	Roads       int `json:"roads,omitempty"`
	Settlements int `json:"settlements,omitempty"`
}

// MarshalJSON writes a view as a [Position].
func (s *View) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(s.Position())
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	return b, nil
}

// Position is the view as it is written.
func (s *View) Position() *Position {
	board := s.Board
	out := &Position{
		Viewer: viewerWord(s.Viewer), Target: int(s.Rules.Target), Friendly: s.Rules.Friendly, Board: &board, Robber: new(int(s.Robber)),
		Phase: s.Phase.String(), First: Letter(s.First), Active: Letter(s.Active), Turn: int(s.Turn), Stint: int(s.Stint),
		Founded: int(s.Founded), Rolls: int(s.Rolls), CardPlayed: s.CardPlayed, TokenUsed: s.TokenUsed,
		Refilled: s.Refilled, Built: s.Built, Bank: table.ByName(s.Bank), Deck: new(s.DeckSize),
		Longest: s.HolderWord(s.Longest), Army: s.HolderWord(s.Army), OfferCount: int(s.OfferNumber),
		Still: int(s.Still),
	}
	if s.Phase == PhaseNeutral || s.Phase == PhaseGive {
		out.Back = s.Back.String()
	}
	if s.DueRoads+s.DueHomes > 0 {
		out.Due = &DueView{Roads: int(s.DueRoads), Settlements: int(s.DueHomes)}
	}
	for _, d := range s.Dice {
		if d[0] != 0 { // a position given after the roll need not say what it was
			out.Dice = append(out.Dice, d)
		}
	}
	if s.Winner != NoColour {
		out.Winner = Letter(s.Winner)
	}
	if s.Viewer == domain.Referee {
		out.DeckCards = table.ByName(s.Deck)
	}
	for c := range s.Seats {
		out.Players = append(out.Players, s.player(c))
		if o := &s.Offers[c]; o.Open {
			out.Offers = append(out.Offers, OfferView{
				By: Letter(c), Number: int(o.Number), Give: table.ByName(o.Give), Want: table.ByName(o.Want),
				To: letters(o.To), Yes: letters(o.Yes), No: letters(o.No), Ask: o.Ask,
			})
		}
	}
	if s.Two() {
		out.Supply = new(int(s.TokensLeft()))
		for i, name := range table.NeutralLetters {
			c := i + 2
			out.Neutrals = append(out.Neutrals, NeutralView{
				Name: name, Roads: s.Roads[c].List(), Settlements: table.CornerList(s.Settlements[c]), RoadLength: int(s.Length[c]),
			})
		}
	}
	return out
}

func (s *View) player(c int8) PlayerView {
	p := PlayerView{
		Seat: Letter(c), Roads: s.Roads[c].List(), Settlements: table.CornerList(s.Settlements[c]), Cities: table.CornerList(s.Cities[c]),
		HandSize: int(s.Size[c]), CardCount: s.CardCount[c], FreshCount: s.freshCount[c],
		Knights: int(s.Knights[c]), RoadLength: int(s.Length[c]), Owes: int(s.Owes[c]), Points: s.Counted[c],
	}
	if s.Spent[c] != (table.Cards{}) {
		p.Spent = table.ByName(s.Spent[c])
	}
	if s.Two() {
		p.Tokens = new(int(s.Tokens[c]))
	}
	if s.Known.Has(c) {
		p.Hand, p.Cards = table.ByName(s.Hand[c]), table.ByName(s.Cards[c])
		if s.Fresh[c] != (table.Cards{}) {
			p.Fresh = table.ByName(s.Fresh[c])
		}
	}
	return p
}

// Letter is the letter of a seat.
func Letter(c int8) string { return domain.Seat(c).Letter() }

func letters(set SeatSet) []string {
	list := []string{}
	for _, seat := range set.List() {
		list = append(list, seat.Letter())
	}
	return list
}

// ColourWord is a colour's letter: the neutrals' of Catan for two are N and M.
func (s *State) ColourWord(c int8) string {
	if c >= s.Seats && c < MaxColours {
		return table.NeutralLetters[c-2]
	}
	return Letter(c)
}

// HolderWord is the word of who holds a card; "" is nobody.
func (s *State) HolderWord(c int8) *string {
	if c == NoColour {
		return new("")
	}
	return new(s.ColourWord(c))
}

func viewerWord(v domain.Viewer) string {
	switch v {
	case domain.Referee:
		return "referee"
	case domain.Spectator:
		return "spectator"
	}
	return v.Seat().Letter()
}

// Stand puts a colour's pieces on the board, up to the first for which there is no room: of that it
// tells the list, the number in it and the place.
func (s *State) Stand(c int8, roads, settlements, cities []int) (list string, k, at int) {
	for _, x := range []struct {
		sort   Sort
		list   string
		places []int
	}{{SettlementPiece, "settlements", settlements}, {CityPiece, "cities", cities}, {RoadPiece, "roads", roads}} {
		for k, at := range x.places {
			if x.sort == RoadPiece && s.Laid.Has(int8(at)) || x.sort != RoadPiece && s.Shut>>at&1 != 0 {
				return x.list, k, at
			}
			s.Place(Piece{Colour: c, Sort: x.sort, At: int8(at)})
		}
	}
	return "", 0, 0
}

// Onto sets a state up as a position says whose players and neutrals are in the order of their colours,
// but for the pieces. It runs no rules, and what is not said stays.
func (v *Position) Onto(s *State) {
	for i := range v.Players {
		p, c := &v.Players[i], int8(i)
		s.Knights[c], s.Length[c], s.Owes[c] = Clip(p.Knights), Clip(p.RoadLength), Clip(p.Owes)
		for _, x := range []struct {
			said *table.NamedCards
			to   *table.Cards
		}{{p.Cards, &s.Cards[c]}, {p.Fresh, &s.Fresh[c]}, {p.Spent, &s.Spent[c]}} {
			if x.said != nil {
				*x.to = table.Cards(*x.said)
			}
		}
		if p.Hand != nil {
			s.Hand[c] = table.Hand(*p.Hand)
			s.Size[c] = int8(s.Hand[c].Len())
		}
		if p.Tokens != nil {
			s.Tokens[c&1] = Clip(*p.Tokens)
		}
	}
	for i, n := range v.Neutrals {
		s.Length[i+2] = Clip(n.RoadLength)
	}
	if v.Bank != nil {
		s.Bank = table.Hand(*v.Bank)
	}
	if v.Robber != nil {
		s.Robber = int8(*v.Robber)
	}
	s.ontoTurn(v)
}

func (s *State) ontoTurn(v *Position) {
	for _, x := range []struct {
		word string
		to   *int8
	}{{v.First, &s.First}, {v.Active, &s.Active}, {v.Winner, &s.Winner}, {deref(v.Longest), &s.Longest}, {deref(v.Army), &s.Army}} {
		if x.word != "" {
			*x.to = s.ColourNamed(x.word)
		}
	}
	s.Phase, s.Back = PhaseNamed(v.Phase), PhaseNamed(cmp.Or(v.Back, PhaseMain.String()))
	s.Turn, s.Stint, s.Founded, s.Rolls, s.Still = int16(v.Turn), int32(v.Stint), int8(v.Founded), int8(v.Rolls), int8(v.Still)
	copy(s.Dice[:], v.Dice)
	s.CardPlayed, s.TokenUsed, s.Refilled, s.Built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if v.Due != nil {
		s.DueRoads, s.DueHomes = int8(v.Due.Roads), int8(v.Due.Settlements)
	}
	s.OfferNumber = int32(max(0, v.OfferCount))
	for _, x := range v.Offers {
		if by := s.ColourNamed(x.By); by >= 0 && x.Give != nil && x.Want != nil {
			s.Offers[by] = Offer{
				Open: true, Number: int32(max(0, x.Number)), Give: table.Hand(*x.Give), Want: table.Hand(*x.Want),
				To: s.seatsNamed(x.To), Yes: s.seatsNamed(x.Yes), No: s.seatsNamed(x.No), Ask: x.Ask,
			}
		}
	}
}

func deref(word *string) string {
	if word == nil {
		return ""
	}
	return *word
}

func (s *State) seatsNamed(words []string) (all SeatSet) {
	for _, w := range words {
		if c := s.ColourNamed(w); c >= 0 {
			all = all.With(c)
		}
	}
	return all
}

// ColourNamed finds a seat by its letter, or a neutral; NoColour if there is none.
func (s *State) ColourNamed(word string) int8 {
	for c := range s.Colours {
		if strings.EqualFold(s.ColourWord(c), word) {
			return c
		}
	}
	return NoColour
}

// Clip keeps a count small enough for what follows; anything out of bounds is refused there.
func Clip(n int) int8 { return int8(max(0, min(n, 100))) }

// View is what one viewer may know of a game: the game with what is hidden from them taken out,
// and what everybody may count of that. It is written as a [Position].
type View struct {
	State
	Viewer domain.Viewer
	Known  SeatSet // whose hands and cards are in it
	// How many development cards there are, hidden ones too, and the points as the viewer may count them.
	CardCount, freshCount, Counted [MaxColours]int
	DeckSize                       int
}

// View is what a viewer may know.
func (Room) View(s *State, viewer domain.Viewer) *View { return s.View(viewer) }

// View is the one function that shows a state to anybody. Once the game is over nothing
// is hidden of the cards that count; hands stay with their owners.
func (s *State) View(viewer domain.Viewer) *View {
	v := &View{State: *s, Viewer: viewer, DeckSize: s.Deck.Len()}
	for c := range s.Seats {
		v.CardCount[c], v.freshCount[c] = s.Cards[c].Len(), s.Fresh[c].Len()
		v.Counted[c] = s.PointsFor(c, viewer)
		if viewer == domain.Referee || viewer.Seat() == domain.Seat(c) {
			v.Known = v.Known.With(c)
		} else {
			v.Hand[c], v.Cards[c], v.Fresh[c] = table.Hand{}, table.Cards{}, table.Cards{}
		}
	}
	if viewer != domain.Referee {
		v.Deck = table.Cards{}
	}
	if s.Phase != PhaseNeutral && s.Phase != PhaseGive {
		v.Back = PhaseMain // what it was before says nothing any more
	}
	return v
}

// PointsFor is a seat's points as a viewer may count them.
func (s *State) PointsFor(c int8, v domain.Viewer) int {
	if v == domain.Referee || v.Seat() == domain.Seat(c) || s.Phase == PhaseOver {
		return s.Points(c)
	}
	return s.PublicPoints(c)
}
