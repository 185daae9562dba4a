package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/table"
)

// Say is the order in words.
func Say(o notation.Order) []domain.Say {
	with := seatsSay(o.Seats)
	switch o.Kind {
	case notation.OrderRoll:
		return []domain.Say{domain.S("order.roll")}
	case notation.OrderDiscard:
		var list []domain.Say
		for _, k := range o.Kinds {
			list = append(list, domain.S("resource."+k.String()))
		}
		return []domain.Say{domain.S("order.discard", "list", list)}
	case notation.OrderDecline:
		if len(with) == 0 {
			return []domain.Say{domain.S("order.decline")}
		}
		return []domain.Say{domain.S("order.decline-of", "to", with)}
	case notation.OrderRob, notation.OrderKnight:
		if o.Seat == domain.Nobody {
			return []domain.Say{domain.S("order."+notation.OrderWords[o.Kind], "hex", int(o.Hex))}
		}
		return []domain.Say{domain.S("order."+notation.OrderWords[o.Kind]+"-of", "hex", int(o.Hex), "who", o.Seat)}
	}
	list := []domain.Say{domain.S("order.give", "give", table.HandSay(o.Give), "want", table.HandSay(o.Want))}
	if o.Counter {
		list = append(list, domain.S("order.counter", "give", table.HandSay(o.Give), "want", table.HandSay(o.Want)))
	}
	if o.Times > 0 {
		list = append(list, domain.S("order.times", "n", o.Times))
	}
	if o.Except {
		return append(list, domain.S("order.not", "to", with))
	}
	if len(with) > 0 {
		list = append(list, domain.S("order.to", "to", with))
	}
	return list
}
