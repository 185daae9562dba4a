// Package show is what people see and read of the Rivals: panels, steps, descriptions, stories and cards.
package show

import (
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Draw shows the viewer's principality and hand, the cards they choose from, what both draw from, and the other
// principality. Viewers without a seat see A's principality first.
func (r Room) Draw(v *state.View, sketch domain.Sketch) []domain.Panel {
	own := v.Viewer.Seat()
	if own == domain.Nobody {
		return []domain.Panel{realmPanel(v, "a", 0, sketch), middlePanel(v, sketch), realmPanel(v, "b", 1, sketch)}
	}
	panels := []domain.Panel{realmPanel(v, "own", own, sketch)}
	if cards := found(&v.State, own); len(cards) > 0 {
		panels = append(panels, foundPanel(cards, sketch))
	}
	if len(v.Realms[own].Held()) > 0 || newPicture(sketch).offers(v) { // an empty hand has nothing to show
		panels = append(panels, r.handPanel(v, own, sketch))
	}
	return append(panels, middlePanel(v, sketch), realmPanel(v, "other", state.Other(own), sketch))
}

// Room asks the rules what prevents the use of hand cards.
type Room struct {
	WhyNot  func(*state.State, domain.Seat) []*domain.Say
	Hinders func(*state.State, domain.Seat, table.Card) []domain.Say
}

// why says what prevents the use of each card of the viewer's hand now.
func (r Room) why(v *state.View) []*domain.Say { return r.WhyNot(&v.State, v.Viewer.Seat()) }

// tried returns the card chosen so far, its verb and its site; NoCard and "" if there is none.
func tried(sketch domain.Sketch) (c table.Card, verb, site string) {
	for i, key := range sketch.Chosen {
		verb, name, _ := strings.Cut(key, "-")
		if card, ok := table.CardNamed[name]; ok {
			if i+1 < len(sketch.Chosen) {
				site = sketch.Chosen[i+1]
			}
			return card, verb, site
		}
	}
	return table.NoCard, "", ""
}

// handSpot returns the spot of a card of the hand, or of one of the open stack.
func handSpot(s *state.State, seat domain.Seat, c table.Card) string {
	switch {
	case s.Realms[seat].InHand(c) >= 0 && s.Realms[seat].Hand[s.Realms[seat].InHand(c)].Card == c:
		return "h-" + c.Name()
	case s.OpenN > 0 && s.Open == c:
		return openSpot(c)
	}
	return ""
}
