package state

import (
	"posthorn/domain"
	"posthorn/domain/catan/table"
)

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
