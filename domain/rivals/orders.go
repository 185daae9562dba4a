package rivals

import (
	"strings"

	"posthorn/domain"
)

// Standing orders say beforehand what a seat answers. An order stands until its seat takes it
// back; where several would answer, the first given does.

// orderWords are the orders without arguments, and what people type for them.
var orderWords = map[string]string{
	"roll": "roll", "lancar": "roll", "rzut": "roll", "rzuc": "roll",
	"pay": "pay", "pagar": "pay", "zaplac": "pay",
	"buy nothing": "buy nothing", "comprar nada": "buy nothing", "nic nie kupuj": "buy nothing",
	"guard": "guard", "proteger": "guard", "chron": "guard",
	"sebastian": "sebastian", "sebastiao": "sebastian",
	"let": "let", "deixar": "let", "nie reaguj": "let",
	"riots pay": "riots pay", "tumultos pagar": "riots pay", "zamieszki zaplac": "riots pay",
}

// ReadOrder reads an order and gives its canonical form. Its "gain" names resources in the
// order in which they are wanted.
func (Rulebook) ReadOrder(text string, _ []string) (string, error) {
	w := tokens(text)
	if len(w) > 0 && (w[0] == "order" || w[0] == "ordem" || w[0] == "rozkaz") {
		w = w[1:]
	}
	if order, ok := orderWords[strings.Join(w, " ")]; ok {
		return order, nil
	}
	if len(w) < 2 || verbWords[w[0]] != Take {
		return "", domain.Refuse("unreadable")
	}
	out := "gain"
	var seen resMask
	for _, word := range w[1:] {
		res, ok := resWords[word]
		if !ok || seen.has(res) {
			return "", domain.Refuse("unreadable")
		}
		seen |= only(res)
		out += " " + res.String()
	}
	return out, nil
}

// ShowOrder is the order as it stands: no seat is named in any.
func (Rulebook) ShowOrder(order string, _ []string) string { return order }

// TellOrder says an order in a sentence.
func (Rulebook) TellOrder(order string) []domain.Say {
	w := strings.Fields(order)
	if len(w) == 0 {
		return nil
	}
	if w[0] != "gain" {
		return []domain.Say{domain.S("order." + strings.ReplaceAll(order, " ", "-"))}
	}
	var list []domain.Say
	for _, name := range w[1:] {
		list = append(list, domain.S("res."+name))
	}
	return []domain.Say{domain.S("order.gain", "resources", list)}
}

// Obey gives the move that a seat's orders make for a decision: one of the legal moves, found
// in the seat's own view.
func (rb Rulebook) Obey(orders []string, d domain.Decision, v domain.View) (domain.Obeyed, bool) {
	b, ok := v.(*Board)
	if !ok {
		return domain.Obeyed{}, false
	}
	s := &State{}
	s.read(b)
	for i, order := range orders {
		var best domain.Move
		rank := -1.0
		for m := range rb.Legal(s, d.Seat) {
			if r := s.obeys(order, d.Seat, m.(Move)); r > rank {
				best, rank = m, r
			}
		}
		if best != nil {
			return domain.Obeyed{Move: best, Order: i, Left: order}, true
		}
	}
	return domain.Obeyed{}, false
}

// obeys ranks a legal move under an order: negative if it is not what the order says.
func (s *State) obeys(order string, seat domain.Seat, m Move) float64 {
	const no, yes = -1, 1
	kind := noTask
	if i := s.openTask(seat); i >= 0 {
		kind = s.Tasks[i].Kind
	}
	fits := false
	switch order {
	case "roll":
		fits = m.Verb == RollDice
	case "pay":
		if kind == taskPay {
			return s.fullness(seat, m.Pay[:])
		}
	case "buy nothing":
		fits = kind == taskBuy && m.Verb == Pass
	case "guard":
		fits = kind == taskReact && m.Verb == React && m.Card.Row().guard != 0
	case "sebastian":
		fits = (kind == taskReact || kind == taskRiot) && m.Verb == React && m.Card.same(sebastian)
	case "let":
		fits = kind == taskReact && m.Verb == Pass
	case "riots pay":
		fits = kind == taskRiot && m.Verb == PayFrom
	default:
		if kind == taskGain && m.Verb == Into {
			return s.wishes(strings.Fields(order), seat, m.Into[:])
		}
	}
	if fits {
		return yes
	}
	return no
}

// fullness ranks the places of a payment: the fuller, the better, as they stand when each pays.
func (s *State) fullness(seat domain.Seat, list []placeWord) (rank float64) {
	stores := s.Realms[seat]
	for _, w := range wordsIn(list) {
		n := stores.store(w.place())
		rank += float64(n)
		stores.setStore(w.place(), n-1)
	}
	return rank
}

// wishes ranks the places of a gain: by the order's resources, then by the room there.
func (s *State) wishes(order []string, seat domain.Seat, list []placeWord) (rank float64) {
	r := s.Realms[seat]
	for _, w := range wordsIn(list) {
		p := w.place()
		for i, name := range order {
			if name == r.yields(p).String() {
				rank += float64(len(order)-i) * 64
			}
		}
		rank += float64(r.room(p))
		r.setStore(p, r.store(p)+1)
	}
	return rank
}
