package rules

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// OrderForms are the standing orders that a seat puts together on its page.
func (*Room) OrderForms(view *state.View) []domain.Form {
	if view.Phase == state.PhaseOver || view.Seats == 0 {
		return nil
	}
	me := view.Viewer.Seat()
	if me < 0 || int8(me) >= view.Seats {
		return nil
	}
	forms := []domain.Form{
		{Key: "order-roll", Label: domain.S("order.form.roll"), Pattern: "order roll"},
		{Key: "order-discard", Label: domain.S("order.form.discard"), Pattern: "order discard {first} {second} {third}", Fields: []domain.Field{
			resourceField("first", domain.S("order.form.first"), false),
			resourceField("second", domain.S("order.form.second"), true),
			resourceField("third", domain.S("order.form.third"), true),
		}},
		giveForm(),
		{Key: "order-decline", Label: domain.S("order.form.decline"), Pattern: "order decline"},
		{Key: "order-rob", Label: domain.S("order.form.rob"), Pattern: "order rob {hex}", Fields: []domain.Field{hexField(view)}},
		{Key: "order-knight", Label: domain.S("order.form.knight"), Pattern: "order knight {hex}", Fields: []domain.Field{hexField(view)}},
	}
	if others := others(&view.State, me); len(others) > 1 {
		for i := range forms {
			nameSeats(&forms[i], others)
		}
	}
	return forms
}

// nameSeats lets a form say with whom, where there is more than one.
func nameSeats(f *domain.Form, others []domain.Seat) {
	seats := domain.Field{Name: "seats", Label: domain.S("order.form.with"), Kind: domain.FieldSeats, Seats: others}
	switch f.Key {
	case "order-give":
		f.Pattern += " to {seats}"
		f.Fields = append(f.Fields, seats)
	case "order-decline":
		seats.Label = domain.S("order.form.whom")
		f.Pattern += " from {seats}"
		f.Fields = append(f.Fields, seats)
	case "order-rob", "order-knight":
		whom := choice("whom", domain.S("order.form.whom"))
		whom.offer("", domain.S("order.form.whoever"))
		for _, seat := range others {
			whom.offer(seat.Letter(), domain.S("seat", "who", seat))
		}
		f.Pattern += " {whom}"
		f.Fields = append(f.Fields, whom.Field)
	}
}

// giveForm is the order that takes offers, and asks for more where they give too little.
func giveForm() domain.Form {
	times := choice("times", domain.S("order.form.times"))
	times.offer("", domain.S("order.form.any"))
	for n := 1; n <= 5; n++ {
		times.offer("up to "+strconv.Itoa(n), domain.S("order.form.up-to", "n", n))
	}
	counter := choice("counter", domain.S("order.form.too-little"))
	counter.offer("", domain.S("order.form.wait"))
	counter.offer("counter", domain.S("order.form.counter"))
	return domain.Form{
		Key: "order-give", Label: domain.S("order.form.give"), Pattern: "order give {give} for {want} {times} {counter}",
		Fields: append(tradeFields(), times.Field, counter.Field),
	}
}

// chooser is a field with its words, one chosen of several.
type chooser struct{ domain.Field }

func choice(name string, label domain.Say) chooser {
	return chooser{domain.Field{Name: name, Label: label, Kind: domain.FieldChoice}}
}

func (c *chooser) offer(word string, label domain.Say) {
	c.Words, c.Labels = append(c.Words, word), append(c.Labels, label)
}

func resourceField(name string, label domain.Say, none bool) domain.Field {
	f := choice(name, label)
	if none {
		f.offer("", domain.S("order.form.most"))
	}
	for _, w := range table.ResourceWords {
		f.offer(w, domain.S("resource."+w))
	}
	return f.Field
}

func hexField(v *state.View) domain.Field {
	f := choice("hex", domain.S("order.form.hex"))
	for h := range int8(table.HexCount) {
		f.offer(strconv.Itoa(int(h)), domain.S("step.hex", "at", int(h), "what", v.Board.HexSay(h)))
	}
	return f.Field
}

func others(s *state.State, me domain.Seat) (list []domain.Seat) {
	for c := range s.Seats {
		if seat := domain.Seat(c); seat != me {
			list = append(list, seat)
		}
	}
	return list
}
