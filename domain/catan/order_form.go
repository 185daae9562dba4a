package catan

import (
	"strconv"

	"posthorn/domain"
)

// OrderForms are the standing orders that a seat puts together on its page.
func (Rulebook) OrderForms(v domain.View) []domain.Form {
	view, ok := v.(*View)
	if !ok || view.Phase == PhaseOver.String() || view.Board == nil {
		return nil
	}
	me := seatOf(view.Viewer)
	if me < 0 || int(me) >= len(view.Players) {
		return nil
	}
	hex, whom := view.hexField(), view.seatField("whom", me)
	return []domain.Form{
		{Key: "order-roll", Label: domain.S("order.form.roll"), Pattern: "order roll"},
		{Key: "order-discard", Label: domain.S("order.form.discard"), Pattern: "order discard {first} {second} {third}", Fields: []domain.Field{
			resourceField("first", domain.S("order.form.first"), false),
			resourceField("second", domain.S("order.form.second"), true),
			resourceField("third", domain.S("order.form.third"), true),
		}},
		view.giveForm(me),
		{Key: "order-decline", Label: domain.S("order.form.decline"), Pattern: "order decline from {seats}", Fields: []domain.Field{view.seatsField(me)}},
		{Key: "order-rob", Label: domain.S("order.form.rob"), Pattern: "order rob {hex} {whom}", Fields: []domain.Field{hex, whom}},
		{Key: "order-knight", Label: domain.S("order.form.knight"), Pattern: "order knight {hex} {whom}", Fields: []domain.Field{hex, whom}},
	}
}

// giveForm is the order that takes offers, and asks for more where they give too little.
func (v *View) giveForm(me domain.Seat) domain.Form {
	times := domain.Field{Name: "times", Label: domain.S("order.form.times"), Kind: domain.FieldChoice}
	add := func(f *domain.Field, word string, label domain.Say) {
		f.Words, f.Labels = append(f.Words, word), append(f.Labels, label)
	}
	add(&times, "", domain.S("order.form.any"))
	for n := 1; n <= 5; n++ {
		add(&times, "up to "+strconv.Itoa(n), domain.S("order.form.up-to", "n", n))
	}
	whom := domain.Field{Name: "whom", Label: domain.S("order.form.with"), Kind: domain.FieldChoice}
	add(&whom, "to", domain.S("order.form.these"))
	add(&whom, "not", domain.S("order.form.others"))
	counter := domain.Field{Name: "counter", Label: domain.S("order.form.too-little"), Kind: domain.FieldChoice}
	add(&counter, "", domain.S("order.form.wait"))
	add(&counter, "counter", domain.S("order.form.counter"))
	return domain.Form{
		Key: "order-give", Label: domain.S("order.form.give"), Pattern: "order give {give} for {want} {times} {whom} {seats} {counter}",
		Fields: append(tradeFields(), times, whom, v.seatsField(me), counter),
	}
}

func resourceField(name string, label domain.Say, none bool) domain.Field {
	f := domain.Field{Name: name, Label: label, Kind: domain.FieldChoice}
	if none {
		f.Words, f.Labels = append(f.Words, ""), append(f.Labels, domain.S("order.form.most"))
	}
	for _, w := range resourceWords {
		f.Words, f.Labels = append(f.Words, w), append(f.Labels, domain.S("resource."+w))
	}
	return f
}

func (v *View) hexField() domain.Field {
	f := domain.Field{Name: "hex", Label: domain.S("order.form.hex"), Kind: domain.FieldChoice}
	for h := range int8(hexCount) {
		f.Words = append(f.Words, strconv.Itoa(int(h)))
		f.Labels = append(f.Labels, domain.S("step.hex", "at", int(h), "what", hexSay(v.Board, h)))
	}
	return f
}

func (v *View) others(me domain.Seat) (list []domain.Seat) {
	for c := range v.Players {
		if seat := domain.Seat(c); seat != me {
			list = append(list, seat)
		}
	}
	return list
}

// seatField chooses one of the others, or whoever is there.
func (v *View) seatField(name string, me domain.Seat) domain.Field {
	f := domain.Field{Name: name, Label: domain.S("order.form.whom"), Kind: domain.FieldChoice, Words: []string{""}, Labels: []domain.Say{domain.S("order.form.whoever")}}
	for _, seat := range v.others(me) {
		f.Words, f.Labels = append(f.Words, seat.Letter()), append(f.Labels, domain.S("seat", "who", seat))
	}
	return f
}

// seatsField chooses some of the others; none is all of them.
func (v *View) seatsField(me domain.Seat) domain.Field {
	return domain.Field{Name: "seats", Label: domain.S("form.seats"), Kind: domain.FieldSeats, Seats: v.others(me)}
}
