package rules

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// OrderForms returns the standing orders that a seat can compose on its page.
func (*Room) OrderForms(b *state.View) []domain.Form {
	if b.Viewer.Seat() == domain.Nobody || b.Phase == state.Over {
		return nil
	}
	which := domain.Field{Name: "order", Label: domain.S("order.form.which"), Kind: domain.FieldChoice}
	for _, o := range plain {
		if o.card == "" || table.CopiesIn(table.Printings[table.CardNamed[o.card]], b.Play) > 0 {
			which.Words = append(which.Words, o.order)
			which.Labels = append(which.Labels, domain.S("order."+strings.ReplaceAll(o.order, " ", "-")))
		}
	}
	forms := []domain.Form{
		{Key: "order-plain", Label: domain.S("order.form.plain"), Pattern: "order {order}",
			Fields: []domain.Field{which}},
		{Key: "order-gain", Label: domain.S("order.form.gain"), Pattern: "order gain {first} {second} {third}",
			Fields: wishFields(table.AnyRes)},
		{Key: "order-buy", Label: domain.S("order.form.buy"), Pattern: "order buy {first} {second} {third}",
			Fields: wishFields(table.NotGold)},
	}
	// in play, each kind once
	cards := domain.Field{Name: "card", Label: domain.S("form.card"), Kind: domain.FieldChoice}
	for _, c := range b.Realms[b.Viewer].Cards() {
		if !slices.Contains(cards.Words, c.Row().ID) {
			cards.Words, cards.Labels = append(cards.Words, c.Row().ID), append(cards.Labels, c.Word())
		}
	}
	if len(cards.Words) > 0 {
		forms = append(forms, domain.Form{Key: "order-lose", Label: domain.S("order.form.lose"),
			Pattern: "order lose {card}", Fields: []domain.Field{cards}})
	}
	return forms
}

// wishFields are up to three resources, the most wanted first.
func wishFields(of table.ResMask) (fields []domain.Field) {
	for i, name := range [...]string{"first", "second", "third"} {
		f := domain.Field{Name: name, Label: domain.S("order.form." + name), Kind: domain.FieldChoice}
		if i > 0 {
			f.Words, f.Labels = append(f.Words, ""), append(f.Labels, domain.S("order.form.none"))
		}
		for res := range table.Res(table.Resources) {
			if of.Has(res) {
				f.Words, f.Labels = append(f.Words, res.String()), append(f.Labels, domain.S("res."+res.String()))
			}
		}
		fields = append(fields, f)
	}
	return fields
}
