package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Outcomes returns forms for the dice before a roll, what the robber takes, and the card that is bought.
func (Room) Outcomes(v *state.View) []domain.Form {
	switch v.Phase {
	case state.PhaseRoll:
		return []domain.Form{{Key: "dice", Label: domain.S("chance.dice"), Pattern: "dice {one} {two}",
			Fields: []domain.Field{die("one"), die("two")}}}
	case state.PhaseRobber:
		taken := domain.Field{Name: "resource", Label: domain.S("chance.steal"), Kind: domain.FieldChoice}
		for _, w := range table.ResourceWords {
			taken.Words, taken.Labels = append(taken.Words, w), append(taken.Labels, domain.S("resource."+w))
		}
		return []domain.Form{{Key: "steal", Label: domain.S("chance.steal"), Pattern: "steal {resource}",
			Fields: []domain.Field{taken}}}
	case state.PhaseMain:
		card := domain.Field{Name: "card", Label: domain.S("chance.card"), Kind: domain.FieldChoice}
		for _, word := range []string{"knight", "point", "roads", "plenty", "monopoly"} {
			card.Words, card.Labels = append(card.Words, word), append(card.Labels, domain.S("card."+word))
		}
		return []domain.Form{{Key: "card", Label: domain.S("chance.card"), Pattern: "card {card}",
			Fields: []domain.Field{card}}}
	}
	return nil
}

func die(name string) domain.Field {
	f := domain.Field{Name: name, Label: domain.S("chance.die." + name), Kind: domain.FieldChoice}
	for n := 1; n <= 6; n++ {
		f.Words = append(f.Words, strconv.Itoa(n))
	}
	return f
}
