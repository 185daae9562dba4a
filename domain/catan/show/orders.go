package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/table"
)

// Say is the order in words.
func Say(o notation.Order) []domain.Say {
	with, key := seatsSay(o.Seats), "order."+notation.OrderWords[o.Kind]
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
		if len(with) > 0 {
			return []domain.Say{domain.S("order.decline-of", "to", with)}
		}
		return []domain.Say{domain.S("order.decline")}
	case notation.OrderRob, notation.OrderKnight:
		if o.Seat != domain.Nobody {
			return []domain.Say{domain.S(key+"-of", "hex", int(o.Hex), "who", o.Seat)}
		}
		return []domain.Say{domain.S(key, "hex", int(o.Hex))}
	}
	give, want := table.HandSay(o.Give), table.HandSay(o.Want)
	list := []domain.Say{domain.S("order.give", "give", give, "want", want)}
	if o.Counter {
		list = append(list, domain.S("order.counter", "give", give, "want", want))
	}
	if o.Times > 0 {
		list = append(list, domain.S("order.times", "n", o.Times))
	}
	switch {
	case o.Except:
		list = append(list, domain.S("order.not", "to", with))
	case len(with) > 0:
		list = append(list, domain.S("order.to", "to", with))
	}
	return list
}
