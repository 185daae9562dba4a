package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Facts tells what is built and bought costs, and what the development cards do.
func (Room) Facts() (list []domain.Fact) {
	for _, b := range builds {
		name := domain.S("deed." + b.kind.String())
		list = append(list, domain.Fact{Name: name, Paid: true,
			Says: []domain.Say{domain.S("fact.price", "what", name, "cards", table.HandSay(b.cost))}})
	}
	for k := range table.CardKinds {
		card := table.Card(k).String()
		list = append(list, domain.Fact{Name: domain.S("card." + card), Says: []domain.Say{domain.S("fact." + card)}})
	}
	return list
}
