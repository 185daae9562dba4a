package catan

import (
	"encoding/json"
	"fmt"

	"posthorn/domain"
)

// Position is how a view is written: what is public, and of the hidden things what is the
// viewer's own. Seats are letters; the neutrals of Catan for two are N and M. The Referee's, or
// any part of it, is what a position set up by hand is made of.
type Position struct {
	Viewer     string           `json:"viewer,omitempty"`
	Target     int              `json:"target,omitempty"`   // points that win
	Friendly   bool             `json:"friendly,omitempty"` // the robber spares those with two points or fewer
	Board      *Board           `json:"board,omitempty"`
	Robber     *int             `json:"robber,omitempty"`
	Phase      string           `json:"phase,omitempty"`
	Back       string           `json:"back,omitempty"` // the phase after "neutral" or "give"
	First      string           `json:"first,omitempty"`
	Active     string           `json:"active,omitempty"`
	Turn       int              `json:"turn,omitempty"`
	Stint      int              `json:"stint,omitempty"`
	Founded    int              `json:"founded,omitempty"` // placements made
	Rolls      int              `json:"rolls,omitempty"`   // made this turn
	Dice       [][2]int8        `json:"dice,omitempty"`    // of this turn
	CardPlayed bool             `json:"card_played,omitempty"`
	TokenUsed  bool             `json:"token_used,omitempty"`
	Refilled   bool             `json:"refilled,omitempty"`
	Built      bool             `json:"built,omitempty"` // something, this turn
	Due        *DueView         `json:"due,omitempty"`
	Bank       *Named[Resource] `json:"bank,omitempty"`
	Deck       *int             `json:"deck,omitempty"`       // cards left
	DeckCards  *Named[Card]     `json:"deck_cards,omitempty"` // which: the referee's
	Players    []PlayerView     `json:"players,omitempty"`
	Neutrals   []NeutralView    `json:"neutrals,omitempty"`
	Longest    *string          `json:"longest,omitempty"` // who holds it; "" is nobody
	Army       *string          `json:"army,omitempty"`
	Offers     []OfferView      `json:"offers,omitempty"`
	OfferCount int              `json:"offer_count,omitempty"` // made so far
	Supply     *int             `json:"supply,omitempty"`      // trade tokens left
	Still      int              `json:"still,omitempty"`       // turns in a row that ended in a standstill
	Winner     string           `json:"winner,omitempty"`
}

// PlayerView is one seat. Hand, Cards and Fresh are there for those who may know them.
type PlayerView struct {
	Seat        string           `json:"seat,omitempty"`
	Roads       []int            `json:"roads,omitempty"`
	Settlements []int            `json:"settlements,omitempty"`
	Cities      []int            `json:"cities,omitempty"`
	Hand        *Named[Resource] `json:"hand,omitempty"`
	HandSize    int              `json:"hand_size"`
	Cards       *Named[Card]     `json:"cards,omitempty"`
	CardCount   int              `json:"card_count"`
	Fresh       *Named[Card]     `json:"fresh,omitempty"` // of the cards, those bought this turn
	FreshCount  int              `json:"fresh_count,omitempty"`
	Knights     int              `json:"knights,omitempty"` // face up
	Spent       *Named[Card]     `json:"spent,omitempty"`   // played or discarded, and gone
	RoadLength  int              `json:"road_length,omitempty"`
	Tokens      *int             `json:"tokens,omitempty"`
	Owes        int              `json:"owes,omitempty"` // cards to discard
	Points      int              `json:"points"`         // as far as the viewer may count them
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
	Give   *Named[Resource] `json:"give"`
	Want   *Named[Resource] `json:"want"`
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
	b, err := json.Marshal(s.position())
	if err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	return b, nil
}

// position is the view as it is written.
func (s *View) position() *Position {
	board, robber, deck := s.board, int(s.robber), s.deckSize
	out := &Position{
		Viewer: viewerWord(s.viewer), Target: int(s.rules.target), Friendly: s.rules.friendly, Board: &board, Robber: &robber,
		Phase: s.phase.String(), First: letter(s.first), Active: letter(s.active), Turn: int(s.turn), Stint: int(s.stint),
		Founded: int(s.founded), Rolls: int(s.rolls), CardPlayed: s.cardPlayed, TokenUsed: s.tokenUsed,
		Refilled: s.refilled, Built: s.built, Bank: byName(s.bank), Deck: &deck,
		Longest: s.holderWord(s.longest), Army: s.holderWord(s.army), OfferCount: int(s.offerNumber),
		Still: int(s.still),
	}
	if s.phase == PhaseNeutral || s.phase == PhaseGive {
		out.Back = s.back.String()
	}
	if s.dueRoads+s.dueHomes > 0 {
		out.Due = &DueView{Roads: int(s.dueRoads), Settlements: int(s.dueHomes)}
	}
	for _, d := range s.dice {
		if d[0] != 0 { // a position given after the roll need not say what it was
			out.Dice = append(out.Dice, d)
		}
	}
	if s.winner != noColour {
		out.Winner = letter(s.winner)
	}
	if s.viewer == domain.Referee {
		out.DeckCards = byName(s.deck)
	}
	for c := range s.seats {
		out.Players = append(out.Players, s.player(c))
		if o := &s.offers[c]; o.Open {
			out.Offers = append(out.Offers, OfferView{
				By: letter(c), Number: int(o.Number), Give: byName(o.Give), Want: byName(o.Want),
				To: letters(o.To), Yes: letters(o.Yes), No: letters(o.No), Ask: o.Ask,
			})
		}
	}
	if s.two() {
		supply := int(s.tokensLeft())
		out.Supply = &supply
		for i, name := range neutralLetters {
			c := i + 2
			out.Neutrals = append(out.Neutrals, NeutralView{
				Name: name, Roads: s.roads[c].list(), Settlements: cornerList(s.settlements[c]), RoadLength: int(s.length[c]),
			})
		}
	}
	return out
}

func (s *View) player(c int8) PlayerView {
	p := PlayerView{
		Seat: letter(c), Roads: s.roads[c].list(), Settlements: cornerList(s.settlements[c]), Cities: cornerList(s.cities[c]),
		HandSize: int(s.size[c]), CardCount: s.cardCount[c], FreshCount: s.freshCount[c],
		Knights: int(s.knights[c]), RoadLength: int(s.length[c]), Owes: int(s.owes[c]), Points: s.counted[c],
	}
	if s.spent[c] != (Cards{}) {
		p.Spent = byName(s.spent[c])
	}
	if s.two() {
		n := int(s.tokens[c])
		p.Tokens = &n
	}
	if s.known.has(c) {
		p.Hand, p.Cards = byName(s.hand[c]), byName(s.cards[c])
		if s.fresh[c] != (Cards{}) {
			p.Fresh = byName(s.fresh[c])
		}
	}
	return p
}

// letter is the letter of a seat.
func letter(c int8) string { return domain.Seat(c).Letter() }

func letters(set seatSet) []string {
	list := []string{}
	for _, seat := range set.list() {
		list = append(list, seat.Letter())
	}
	return list
}

// colourWord is a colour's letter: the neutrals' of Catan for two are N and M.
func (s *State) colourWord(c int8) string {
	if c >= s.seats && c < maxColours {
		return neutralLetters[c-2]
	}
	return letter(c)
}

// holderWord is the word of who holds a card; "" is nobody.
func (s *State) holderWord(c int8) *string {
	w := ""
	if c != noColour {
		w = s.colourWord(c)
	}
	return &w
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

// onto applies the public part of a position that was judged before: what the set-up event
// carries. It runs no rules.
func (v *Position) onto(s *State) {
	for i := range v.Players {
		p, c := &v.Players[i], int8(i)
		s.stand(c, p.Roads, p.Settlements, p.Cities)
		s.knights[c], s.length[c], s.owes[c] = clip(p.Knights), clip(p.RoadLength), clip(p.Owes)
		if p.Spent != nil {
			s.spent[c] = Cards(*p.Spent)
		}
		if p.Tokens != nil {
			s.tokens[c&1] = clip(*p.Tokens)
		}
	}
	for i, n := range v.Neutrals {
		s.stand(int8(i)+2, n.Roads, n.Settlements, nil)
		s.length[i+2] = clip(n.RoadLength)
	}
	if v.Bank != nil {
		s.bank = Hand(*v.Bank)
	}
	if v.Robber != nil {
		s.robber = int8(*v.Robber)
	}
	s.ontoTurn(v)
}

func (s *State) stand(c int8, roads, settlements, cities []int) {
	for _, at := range settlements {
		s.addSettlement(c, int8(at))
	}
	for _, at := range cities {
		s.addCity(c, int8(at))
	}
	for _, p := range roads {
		s.addRoad(c, int8(p))
	}
}

func (s *State) ontoTurn(v *Position) {
	named := func(word *string) int8 {
		if word != nil && *word != "" {
			if c, ok := s.colourNamed(*word); ok {
				return c
			}
		}
		return noColour
	}
	s.phase, s.back = phaseNamed(v.Phase), PhaseMain
	if v.Back != "" {
		s.back = phaseNamed(v.Back)
	}
	s.first, s.active, s.winner = named(&v.First), named(&v.Active), named(&v.Winner)
	s.longest, s.army = named(v.Longest), named(v.Army)
	s.turn, s.stint, s.founded, s.rolls = int16(v.Turn), int32(v.Stint), int8(v.Founded), int8(v.Rolls)
	copy(s.dice[:], v.Dice)
	s.cardPlayed, s.tokenUsed, s.refilled, s.built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if v.Due != nil {
		s.dueRoads, s.dueHomes = int8(v.Due.Roads), int8(v.Due.Settlements)
	}
	s.offerNumber, s.still = int32(v.OfferCount), int8(v.Still)
	set := func(words []string) (all seatSet) {
		for _, w := range words {
			if c := named(&w); c >= 0 {
				all = all.with(c)
			}
		}
		return all
	}
	for _, x := range v.Offers {
		if by := named(&x.By); by >= 0 {
			s.offers[by] = Offer{
				Open: true, Number: int32(x.Number), Give: Hand(*x.Give), Want: Hand(*x.Want),
				To: set(x.To), Yes: set(x.Yes), No: set(x.No), Ask: x.Ask,
			}
		}
	}
}
