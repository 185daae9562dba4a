package catan

import "posthorn/domain"

// View is what one viewer may know of a game: the game with what is hidden from them taken out,
// and what everybody may count of that. It is written as a [Position].
type View struct {
	State
	viewer domain.Viewer
	known  seatSet // whose hands and cards are in it
	// How many development cards there are, hidden ones too, and the points as the viewer may count them.
	cardCount, freshCount, counted [maxColours]int
	deckSize                       int
}

// View is what a viewer may know.
func (stateRoom) View(s *State, viewer domain.Viewer) *View { return s.view(viewer) }

// view is the one function that shows a state to anybody. Once the game is over nothing
// is hidden of the cards that count; hands stay with their owners.
func (s *State) view(viewer domain.Viewer) *View {
	v := &View{State: *s, viewer: viewer, deckSize: s.deck.Len()}
	for c := range s.seats {
		v.cardCount[c], v.freshCount[c] = s.cards[c].Len(), s.fresh[c].Len()
		v.counted[c] = s.pointsFor(c, viewer)
		if viewer == domain.Referee || viewer.Seat() == domain.Seat(c) {
			v.known = v.known.with(c)
		} else {
			v.hand[c], v.cards[c], v.fresh[c] = Hand{}, Cards{}, Cards{}
		}
	}
	if viewer != domain.Referee {
		v.deck = Cards{}
	}
	if s.phase != PhaseNeutral && s.phase != PhaseGive {
		v.back = PhaseMain // what it was before says nothing any more
	}
	return v
}

// pointsFor is a seat's points as a viewer may count them.
func (s *State) pointsFor(c int8, v domain.Viewer) int {
	if v == domain.Referee || v.Seat() == domain.Seat(c) || s.phase == PhaseOver {
		return s.points(c)
	}
	return s.publicPoints(c)
}
