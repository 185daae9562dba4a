package show

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Facts tells what is built in the centre costs, and all cards.
func (Room) Facts() (list []domain.Fact) {
	for _, word := range []string{"road", "settlement", "city"} {
		name, cost := domain.S("fact."+word), table.GoodsSay(table.Table.Centre[word].Cost)
		list = append(list, domain.Fact{Name: name, Paid: true,
			Says: []domain.Say{domain.S("fact.price", "what", name, "goods", cost)}})
	}
	told := map[*table.Row]bool{}
	for i := range table.Printings {
		if c := table.Card(i); !told[c.Row()] {
			told[c.Row()] = true
			list = append(list, domain.Fact{Name: domain.S(c.Word().Key), Says: []domain.Say{facts(c)}})
		}
	}
	return list
}
