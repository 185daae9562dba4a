package rules

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// OrderForms returns forms for the standing orders that a seat puts together on its page. They ask whom an order is
// about if there is more than one opponent.
func (*Room) OrderForms(view *state.View) []domain.Form {
	me := view.Viewer.Seat()
	if view.Phase == state.PhaseOver || me < 0 || int8(me) >= view.Seats {
		return nil
	}
	form := func(word, rest string, fields ...domain.Field) domain.Form {
		return domain.Form{Key: "order-" + word, Label: domain.S("order.form." + word), Pattern: "order " + word + rest,
			Fields: fields}
	}
	others := others(&view.State, me)
	named := func(f domain.Form, rest string, who domain.Field) domain.Form {
		if len(others) > 1 {
			f.Pattern, f.Fields = f.Pattern+rest, append(f.Fields, who)
		}
		return f
	}
	seats := domain.Field{Name: "seats", Label: domain.S("order.form.whom"), Kind: domain.FieldSeats, Seats: others}
	with := seats
	with.Label = domain.S("order.form.with")
	whom := choice("order.form.whom", "whom", "", domain.S("order.form.whoever"))
	for _, seat := range others {
		whom.Words, whom.Labels = append(whom.Words, seat.Letter()), append(whom.Labels, domain.S("seat", "who", seat))
	}
	hex := choice("order.form.hex", "hex")
	for h := range int8(table.HexCount) {
		hex.Words, hex.Labels = append(hex.Words, strconv.Itoa(int(h))),
			append(hex.Labels, domain.S("step.hex", "at", int(h), "what", view.Board.HexSay(h, table.Plain)))
	}
	times := choice("order.form.times", "times", "", domain.S("order.form.any"))
	for n := 1; n <= 5; n++ {
		times.Words, times.Labels = append(times.Words, "up to "+strconv.Itoa(n)),
			append(times.Labels, domain.S("order.form.up-to", "n", n))
	}
	counter := choice("order.form.too-little", "counter", "", domain.S("order.form.wait"), "counter",
		domain.S("order.form.counter"))
	most := []any{"", domain.S("order.form.most")}
	return []domain.Form{
		form("roll", ""),
		form("discard", " {first} {second} {third}", resources(choice("order.form.first", "first")),
			resources(choice("order.form.second", "second", most...)),
			resources(choice("order.form.third", "third", most...))),
		named(form("give", " {give} for {want} {times} {counter}", append(tradeFields(nil), times, counter)...),
			" to {seats}", with),
		named(form("decline", ""), " from {seats}", seats),
		named(form("rob", " {hex}", hex), " {whom}", whom),
		named(form("knight", " {hex}", hex), " {whom}", whom),
	}
}

// choice returns a field to choose one word from: pairs alternate a word and its label.
func choice(label, name string, pairs ...any) domain.Field {
	f := domain.Field{Name: name, Label: domain.S(label), Kind: domain.FieldChoice}
	for i := 0; i < len(pairs); i += 2 {
		f.Words, f.Labels = append(f.Words, pairs[i].(string)), append(f.Labels, pairs[i+1].(domain.Say))
	}
	return f
}

// resources adds the resources to a field's words.
func resources(f domain.Field) domain.Field {
	for _, w := range table.ResourceWords {
		f.Words, f.Labels = append(f.Words, w), append(f.Labels, domain.S("resource."+w))
	}
	return f
}

func others(s *state.State, me domain.Seat) (list []domain.Seat) {
	for c := range domain.Seat(s.Seats) {
		if c != me {
			list = append(list, c)
		}
	}
	return list
}
