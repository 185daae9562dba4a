package state

import (
	"encoding/json"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// View is what one viewer may know of a game: the game without what is hidden from them, but with what everybody may
// count of that. It is written as a [Position].
type View struct {
	State
	Viewer domain.Viewer
	Known  SeatSet // whose hands and cards are in it
	// How many development cards there are, including hidden ones, and the points as the viewer may count them.
	CardCount, freshCount, Counted [MaxColours]int
	DeckSize                       int
}

// View returns what a viewer may know.
func (Room) View(s *State, viewer domain.Viewer) *View { return s.View(viewer) }

// View is the only function that shows a state to anybody. Once the game is over, cards that count are no longer
// hidden; hands stay private.
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
		v.Back = PhaseMain // the phase before no longer matters
	}
	return v
}

// Stopped returns a view without the offers that nobody will answer any more.
func (Room) Stopped(v *View) *View {
	out := *v
	out.Offers = [MaxColours]Offer{}
	return &out
}

// PointsFor returns a seat's points as a viewer may count them.
func (s *State) PointsFor(c int8, v domain.Viewer) int {
	if v == domain.Referee || v.Seat() == domain.Seat(c) || s.Phase == PhaseOver {
		return s.Points(c)
	}
	return s.PublicPoints(c)
}

// MarshalJSON writes a view as a [Position].
func (s *View) MarshalJSON() ([]byte, error) { return json.Marshal(s.Position()) }

// Position returns the view as it is written.
func (s *View) Position() *Position {
	board := s.Board
	out := &Position{
		Viewer: viewerWord(s.Viewer), Target: int(s.Rules.Target), Friendly: s.Rules.Friendly, Board: &board,
		Robber: new(int(s.Robber)),
		Phase:  s.Phase.String(), First: Letter(s.First), Active: Letter(s.Active), Turn: int(s.Turn),
		Stint:   int(s.Stint),
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
				Name: name, Roads: s.Roads[c].List(), Settlements: table.CornerList(s.Settlements[c]),
				RoadLength: int(s.Length[c]),
			})
		}
	}
	return out
}

func (s *View) player(c int8) PlayerView {
	p := PlayerView{
		Seat: Letter(c), Roads: s.Roads[c].List(), Settlements: table.CornerList(s.Settlements[c]),
		Cities:   table.CornerList(s.Cities[c]),
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

// Letter returns the letter of a seat.
func Letter(c int8) string { return domain.Seat(c).Letter() }

func letters(set SeatSet) []string {
	list := []string{}
	for _, seat := range set.List() {
		list = append(list, seat.Letter())
	}
	return list
}

// ColourWord returns a colour's letter: N and M for the neutrals of Catan for two.
func (s *State) ColourWord(c int8) string {
	if c >= s.Seats && c < MaxColours {
		return table.NeutralLetters[c-2]
	}
	return Letter(c)
}

// HolderWord returns the word for a card's holder; "" for nobody.
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
