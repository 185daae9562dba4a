package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func cardsSay(c table.Cards) []domain.Say {
	var list []domain.Say
	for k, n := range c {
		if n > 0 {
			list = append(list, domain.S("cards."+table.CardWords[k], "n", int(n)))
		}
	}
	return list
}

// seatsSay lists seats for people.
func seatsSay(set state.SeatSet) (list []domain.Say) {
	for _, seat := range set.List() {
		list = append(list, domain.S("seat", "who", seat))
	}
	return list
}
