package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// Cards are the cards that a viewer sees the face of, in words: the own hand, the face-up
// stack, the event being resolved, both principalities, and the top of the discard pile.
func (r showRoom) Cards(v *View) []domain.CardText {
	t := &texts{v: v, hinders: r.hinders}
	own := v.Viewer.Seat()
	if own != domain.Nobody {
		for i, slot := range v.Realms[own].hand() {
			t.add(slot.Card, domain.CardText{Key: "hand-" + strconv.Itoa(i), Place: domain.S("cards.hand"), Hand: true}, own)
		}
	}
	if v.OpenN > 0 {
		t.add(v.Open, domain.CardText{Key: "open", Place: domain.S("cards.open", "n", int(v.OpenN))}, own)
	}
	t.add(v.Event, domain.CardText{Key: "event", Place: domain.S("cards.event")}, domain.Nobody)
	for _, seat := range [2]domain.Seat{max(own, 0), other(max(own, 0))} {
		t.side(seat)
	}
	if own != domain.Nobody {
		for i, slot := range v.Realms[other(own)].hand() {
			t.add(slot.Card, domain.CardText{Key: "other-" + strconv.Itoa(i), Place: domain.S("cards.other-hand", "seat", other(own))}, domain.Nobody)
		}
	}
	t.add(v.discardTop(), domain.CardText{Key: "discard", Place: domain.S("cards.discard")}, domain.Nobody)
	return t.list
}

type texts struct {
	v       *View
	hinders func(*State, domain.Seat, Card) []domain.Say
	list    []domain.CardText
}

// add lists a card if its face is seen. User is the seat that might use it, or Nobody.
func (t *texts) add(c Card, text domain.CardText, user domain.Seat) {
	if c.hidden() {
		return
	}
	text.Label, text.Lines = c.word(), c.lines()
	if user != domain.Nobody && t.v.Phase != Over {
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
	for at, c := range r.cards() {
		key := at.key()
		t.add(c, domain.CardText{Key: low + "-" + key + strconv.Itoa(at.slot()), Place: place, Spot: at.spot(seat)}, domain.Nobody)
	}
	if r.Cache != noPlace {
		t.add(goldCache, domain.CardText{Key: low + "-cache", Place: place, Spot: "r-" + letter + "-cache"}, domain.Nobody)
	}
}

// lines say what a card is: its kind and cost, its points, what it asks for, its effect.
func (c Card) lines() []domain.Say {
	row := c.Row()
	lines := []domain.Say{domain.S("cards.kind", "kind_word", "kind."+row.Kind.String())}
	switch {
	case row.Cost.total() > 0:
		lines[0] = domain.S("cards.kind-cost", "kind_word", "kind."+row.Kind.String(), "goods", goodsSay(row.Cost))
	case row.Kind != EventCard && row.Kind != ActionCard:
		lines[0] = domain.S("cards.kind-free", "kind_word", "kind."+row.Kind.String())
	}
	if points := row.pointsSay(); len(points) > 0 {
		lines = append(lines, domain.S("cards.points", "points", points))
	}
	for _, group := range row.needs {
		lines = append(lines, domain.S("cards.needs", "what", groupSay(group)))
	}
	if row.One {
		lines = append(lines, domain.S("cards.one"))
	}
	return append(lines, domain.S("cards.text", "text", c.text()))
}

// on tells whether a row has an effect at that moment.
func (r *Row) on(when string) bool {
	for i := range r.Effects {
		if r.Effects[i].On == when {
			return true
		}
	}
	return false
}
