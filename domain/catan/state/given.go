package state

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Position is the written form of a view: what is public, and of the hidden things what is the viewer's own. Seats are
// letters; the neutrals of Catan for two are N and M. A position set up by hand is the Referee's view, or any part of
// it.
type Position struct {
	Viewer     string            `json:"viewer,omitempty"`
	Target     int               `json:"target,omitempty"`   // points that win
	Friendly   bool              `json:"friendly,omitempty"` // the robber spares seats with two points or fewer
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
	Built      bool              `json:"built,omitempty"` // something was built this turn
	Due        *DueView          `json:"due,omitempty"`
	Bank       *table.NamedHand  `json:"bank,omitempty"`
	Deck       *int              `json:"deck,omitempty"`       // cards left
	DeckCards  *table.NamedCards `json:"deck_cards,omitempty"` // which cards: for the referee only
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

// PlayerView is one seat. Hand, Cards and Fresh are present for viewers who may know them.
type PlayerView struct {
	Seat        string            `json:"seat,omitempty"`
	Roads       []int             `json:"roads,omitempty"`
	Settlements []int             `json:"settlements,omitempty"`
	Cities      []int             `json:"cities,omitempty"`
	Hand        *table.NamedHand  `json:"hand,omitempty"`
	HandSize    int               `json:"hand_size"`
	Cards       *table.NamedCards `json:"cards,omitempty"`
	CardCount   int               `json:"card_count"`
	Fresh       *table.NamedCards `json:"fresh,omitempty"` // those of the cards bought this turn
	FreshCount  int               `json:"fresh_count,omitempty"`
	Knights     int               `json:"knights,omitempty"` // face up
	Spent       *table.NamedCards `json:"spent,omitempty"`   // played or discarded, and gone
	RoadLength  int               `json:"road_length,omitempty"`
	Tokens      *int              `json:"tokens,omitempty"`
	Owes        int               `json:"owes,omitempty"` // cards to discard
	Points      int               `json:"points"`         // as the viewer may count them
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

// DueView is the neutral pieces still to build.
type DueView struct {
	Roads       int `json:"roads,omitempty"`
	Settlements int `json:"settlements,omitempty"`
}

// Stand puts a colour's pieces on the board, up to the first without room: for that one it returns the list, the index
// in it and the place.
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

// Onto sets a state up as a position says, except for the pieces. The position's players and neutrals must be in the
// order of their colours. Onto runs no rules, and keeps what the position does not mention.
func (v *Position) Onto(s *State) {
	for i := range v.Players {
		p, c := &v.Players[i], int8(i)
		s.Knights[c], s.Length[c], s.Owes[c] = clip(p.Knights), clip(p.RoadLength), clip(p.Owes)
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
			s.Tokens[c&1] = clip(*p.Tokens)
		}
	}
	for i, n := range v.Neutrals {
		s.Length[i+2] = clip(n.RoadLength)
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
	for to, word := range map[*int8]*string{&s.First: &v.First, &s.Active: &v.Active, &s.Winner: &v.Winner,
		&s.Longest: v.Longest, &s.Army: v.Army} {
		if word != nil && *word != "" {
			*to = s.ColourNamed(*word)
		}
	}
	s.Phase, s.Back = phaseNamed(v.Phase), phaseNamed(cmp.Or(v.Back, PhaseMain.String()))
	s.Turn, s.Stint, s.Founded, s.Rolls, s.Still = int16(v.Turn), int32(v.Stint), int8(v.Founded), int8(v.Rolls),
		int8(v.Still)
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

// clip keeps a count small enough for what follows; anything out of bounds is refused later.
func clip(n int) int8 { return int8(max(0, min(n, 100))) }

// ReadGiven reads a position set up by hand, after checking its form; nil if there is none.
func ReadGiven(raw json.RawMessage, seats int) (*Position, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if m := givenSchemas[min(max(seats, 2), MaxColours)].Fits(raw); m != nil {
		return nil, m.Refusal("given")
	}
	var v Position
	if err := json.Unmarshal(raw, &v); err != nil { // what the schema does not check: how many hexes
		return nil, kit.BadGiven("board", "…", "board")
	}
	return &v, nil
}

// givenSchemas are the schemas of positions, by number of seats.
var givenSchemas = func() (all [MaxColours + 1]*domain.Schema) {
	for n := 2; n <= MaxColours; n++ {
		all[n] = givenSchema(n)
	}
	return all
}()

func givenSchema(seats int) *domain.Schema {
	var who []string
	for c := range int8(seats) {
		who = append(who, Letter(c))
	}
	holders := append([]string{""}, who...)
	if seats == 2 {
		holders = append(holders, table.NeutralLetters[:]...)
	}
	seat := domain.TextOf(func(w string) (domain.Say, bool) {
		return domain.S("given.seat", "allowed", strings.Join(who, ", ")), w == "" ||
			slices.Contains(who, strings.ToUpper(w))
	})
	paths, corners := domain.ListOf(domain.NumberOf(0, table.PathCount-1), table.PathCount),
		domain.ListOf(domain.NumberOf(0, table.CornerCount-1), table.CornerCount)
	cards := domain.CountsOf(table.CardsOfKind, func(word string) (domain.Say, bool) {
		_, ok := table.ResourceNamed(word)
		return domain.S("given.resource"), ok
	})
	developments := domain.CountsOf(25, func(word string) (domain.Say, bool) {
		_, ok := table.CardNamed(word)
		return domain.S("given.development"), ok
	})
	small, many := domain.NumberOf(0, 100), domain.NumberOf(0, 1<<30)
	board := func(good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given.board"), good(w) })
	}
	return domain.ObjectOf(map[string]*domain.Schema{
		"viewer": domain.TextOf(nil), "target": small, "friendly": domain.SwitchOf(),
		"board": domain.ObjectOf(map[string]*domain.Schema{
			"hexes": domain.ListOf(board(func(w string) bool { _, _, ok := table.ParseHex(w); return ok }),
				table.HexCount),
			"harbours": domain.ListOf(board(func(w string) bool { _, ok := table.ParseHarbour(w); return ok }),
				table.HarbourCount),
		}),
		"robber": domain.NumberOf(0, table.HexCount-1), "phase": domain.WordOf(PhaseWords[:]...),
		"back":  domain.WordOf(PhaseMain.String(), PhaseRoll.String()),
		"first": seat, "active": seat, "turn": domain.NumberOf(0, 1<<14), "stint": many,
		"founded": domain.NumberOf(0, 2*MaxColours),
		"rolls":   domain.NumberOf(0, 2), "dice": domain.ListOf(domain.ListOf(domain.NumberOf(1, 6), 2), 2),
		"card_played": domain.SwitchOf(), "token_used": domain.SwitchOf(), "refilled": domain.SwitchOf(),
		"built": domain.SwitchOf(),
		"due": domain.ObjectOf(map[string]*domain.Schema{"roads": domain.NumberOf(0, 2),
			"settlements": domain.NumberOf(0, 1)}),
		"bank": cards, "deck": domain.NumberOf(0, 25), "deck_cards": developments,
		"players": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": seat, "roads": paths, "settlements": corners, "cities": corners, "hand": cards, "hand_size": small,
			"cards": developments, "card_count": small, "fresh": developments, "fresh_count": small,
			"knights": domain.NumberOf(0, 25), "spent": developments,
			"road_length": small, "tokens": domain.NumberOf(0, 20), "owes": domain.NumberOf(0, 95), "points": small,
		}), seats),
		"neutrals": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"name": domain.WordOf(table.NeutralLetters[:]...), "roads": paths, "settlements": corners,
			"road_length": small,
		}), 2),
		"longest": domain.WordOf(holders...), "army": domain.WordOf(holders...),
		"offers": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"by": seat, "number": domain.NumberOf(-(1 << 30), 1<<30), "give": cards, "want": cards,
			"to": domain.ListOf(seat, seats), "yes": domain.ListOf(seat, seats),
			"no": domain.ListOf(seat, seats), "ask": domain.SwitchOf(),
		}), seats),
		"offer_count": domain.NumberOf(-(1 << 30), 1<<30), "supply": domain.NumberOf(0, 20), "still": small,
		"winner": seat,
	})
}
