package show

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// cardKey is the name of a card among those that the rules list.
func cardKey(c table.Card) string { return "card-" + strings.ReplaceAll(c.Row().ID, "_", "-") }

// Guide returns the rules with their cards: the section of a set lists the cards that the set introduces.
func Guide() *domain.Guide {
	g := *table.Guide
	g.Cards = func(section string) (list []domain.CardText) {
		set := slices.Index(table.SetNames[:], section)
		for i := range table.Printings[1:] {
			c := table.Card(i + 1)
			if first := c.Row().Copies[0].Set; int(first) == set && table.CardNamed[c.Row().ID] == c {
				list = append(list, domain.CardText{Key: cardKey(c), Label: c.Word(), Lines: Lines(c)})
			}
		}
		return list
	}
	g.Face = func(key string) (domain.Scene, bool) {
		for i := range table.Printings[1:] {
			if c := table.Card(i + 1); cardKey(c) == key {
				p := newPicture(domain.Sketch{})
				p.large(c)
				return p.scene, true
			}
		}
		return domain.Scene{}, false
	}
	return &g
}
