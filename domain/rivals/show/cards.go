package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Cards returns, in words, the cards whose face a viewer sees: those to choose from, the viewer's own hand, the
// face-up stack, the event being resolved, both principalities, and the top of the discard pile.
func (r Room) Cards(v *state.View) []domain.CardText {
	t := &texts{v: v, hinders: r.Hinders}
	own := v.Viewer.Seat()
	if own != domain.Nobody {
		for i, c := range found(&v.State, own) {
			t.add(c, domain.CardText{Key: "found-" + strconv.Itoa(i), Place: domain.S("cards.found"),
				Spot: foundSpot(c)}, domain.Nobody)
		}
		for i, slot := range v.Realms[own].Held() {
			t.add(slot.Card, domain.CardText{Key: "hand-" + strconv.Itoa(i), Place: domain.S("cards.hand"), Hand: true,
				Spot: "h-" + slot.Card.Name()}, own)
		}
	}
	if v.OpenN > 0 {
		t.add(v.Open, domain.CardText{Key: "open", Place: domain.S("cards.open", "n", int(v.OpenN)),
			Spot: openSpot(v.Open)}, own)
	}
	t.add(v.Event, domain.CardText{Key: "event", Place: domain.S("cards.event"), Spot: "e-event"}, domain.Nobody)
	for _, seat := range [2]domain.Seat{max(own, 0), state.Other(max(own, 0))} {
		t.side(seat)
	}
	if own != domain.Nobody {
		for i, slot := range v.Realms[state.Other(own)].Held() {
			t.add(slot.Card, domain.CardText{Key: "other-" + strconv.Itoa(i),
				Place: domain.S("cards.other-hand", "seat", state.Other(own))}, domain.Nobody)
		}
	}
	t.add(v.DiscardTop(), domain.CardText{Key: "discard", Place: domain.S("cards.discard"), Spot: "d-discard"},
		domain.Nobody)
	return t.list
}

type texts struct {
	v       *state.View
	hinders func(*state.State, domain.Seat, table.Card) []domain.Say
	list    []domain.CardText
}

// add lists a card if its face is visible. User is the seat that might use it, or Nobody.
func (t *texts) add(c table.Card, text domain.CardText, user domain.Seat) {
	if c.Hidden() {
		return
	}
	text.Label, text.Lines = c.Word(), Lines(c)
	p := newPicture(domain.Sketch{})
	p.large(c)
	text.Face = p.scene
	if user != domain.Nobody && t.v.Phase != state.Over {
		text.Not = t.hinders(&t.v.State, user, c)
	}
	t.list = append(t.list, text)
}

// side lists the cards of a principality.
func (t *texts) side(seat domain.Seat) {
	r := &t.v.Realms[seat]
	place := domain.S("cards.side", "seat", seat)
	letter := seat.Letter()
	low := strings.ToLower(letter)
	for at, c := range r.Cards() {
		key := at.Key()
		t.add(c, domain.CardText{Key: low + "-" + key + strconv.Itoa(at.Slot()), Place: place, Spot: at.Spot(seat)},
			domain.Nobody)
	}
	if r.Cache != table.NoPlace {
		t.add(table.GoldCache, domain.CardText{Key: low + "-cache", Place: place, Spot: "r-" + letter + "-cache"},
			domain.Nobody)
	}
}

// Lines describe a card: its kind and cost, its points, its requirements, its effect.
func Lines(c table.Card) []domain.Say {
	row := c.Row()
	lines := []domain.Say{domain.S("cards.kind", "kind_word", "kind."+row.Kind.String())}
	switch {
	case row.Cost.Total() > 0:
		lines[0] = domain.S("cards.kind-cost", "kind_word", "kind."+row.Kind.String(), "goods",
			table.GoodsSay(row.Cost))
	case row.Kind != table.EventCard && row.Kind != table.ActionCard:
		lines[0] = domain.S("cards.kind-free", "kind_word", "kind."+row.Kind.String())
	}
	if points := pointsSay(row); len(points) > 0 {
		lines = append(lines, domain.S("cards.points", "points", points))
	}
	for _, group := range row.Needs {
		lines = append(lines, domain.S("cards.needs", "what", table.GroupSay(group)))
	}
	if row.One {
		lines = append(lines, domain.S("cards.one"))
	}
	return append(lines, domain.S("cards.text", "text", c.Text()))
}
