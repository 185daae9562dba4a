package rivals

import (
	"slices"
	"strings"

	"posthorn/domain"
)

// Standing orders say beforehand what a seat answers. An order stands until its seat takes it
// back; where several would answer, the first given does.

// orderWords are the orders without arguments, and what people type for them.
var orderWords = wordsFor("orders", func(w string) string { return w })

// ReadOrder reads an order and gives its canonical form. "gain" and "buy" name resources in
// the order in which they are wanted, "lose" cards in the order in which they are given up.
func (notationRoom) ReadOrder(text string, _ []string) (string, error) {
	w := tokens(text)
	if len(w) > 0 && (w[0] == "order" || w[0] == "ordem" || w[0] == "rozkaz") {
		w = w[1:]
	}
	if order, ok := orderWords[strings.Join(w, " ")]; ok {
		return order, nil
	}
	if len(w) < 2 {
		return "", domain.Refuse("unreadable")
	}
	switch verbWords[w[0]] {
	case Take:
		return readWishes("gain", w[1:])
	case Buy:
		return readWishes("buy", w[1:])
	case Lose:
		return readLosses(w[1:])
	}
	return "", domain.Refuse("unreadable")
}

// readLosses reads the cards that are given up before others.
func readLosses(w []string) (string, error) {
	out := "lose"
	seen := map[*Row]bool{}
	for r := (&reader{words: w}); r.more(); {
		c := r.card()
		if r.bad || seen[c.Row()] || c.Row().Kind == EventCard || c.Row().Kind == ActionCard {
			return "", domain.Refuse("unreadable")
		}
		seen[c.Row()] = true
		out += " " + c.Row().ID
	}
	return out, nil
}

// readWishes reads resources, each once.
func readWishes(out string, w []string) (string, error) {
	var seen resMask
	for _, word := range w {
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
func (notationRoom) ShowOrder(order string, _ []string) string { return order }

// TellOrder says an order in a sentence.
func (showRoom) TellOrder(order string) []domain.Say {
	w := strings.Fields(order)
	if len(w) == 0 {
		return nil
	}
	if orderWords[order] != "" {
		return []domain.Say{domain.S("order." + strings.ReplaceAll(order, " ", "-"))}
	}
	prefix, what := "res.", "resources"
	if w[0] == "lose" {
		prefix, what = "card.", "cards"
	}
	var list []domain.Say
	for _, name := range w[1:] {
		list = append(list, domain.S(prefix+name))
	}
	return []domain.Say{domain.S("order."+w[0], what, list)}
}

// Obey gives the move that a seat's orders make for a decision: one of the legal moves, found
// in the seat's own view.
func (r rulesRoom) Obey(orders []string, d domain.Decision, v *View) (domain.Obeyed, bool) {
	s := v.State
	for i, order := range orders {
		var best domain.Move
		rank := -1.0
		for m := range r.Legal(&s, d.Seat) {
			if fits := s.obeys(order, d.Seat, m); fits > rank {
				best, rank = m, fits
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
		if kind == taskPay && m.Into[0] == 0 { // what comes for it is not said by this order
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
	case "exchange nothing":
		fits = kind == noTask && s.Phase == Exchanging && m.Verb == Pass
	default:
		return s.prefers(strings.Fields(order), kind, seat, &m)
	}
	if fits {
		return yes
	}
	return no
}

// prefers ranks a move under an order that names resources or cards.
func (s *State) prefers(order []string, kind taskKind, seat domain.Seat, m *Move) float64 {
	switch {
	case order[0] == "gain" && kind == taskGain && m.Verb == Into:
		return s.wishes(order, seat, m.Into[:])
	case order[0] == "buy" && kind == taskBuy && m.Verb == Pass:
		return 0 // where nothing of it can be bought
	case order[0] == "buy" && kind == taskBuy && m.Verb == Buy:
		rank := 0.0
		for res, n := range m.goods() {
			i := slices.Index(order, Res(res).String())
			if n > 0 && i < 0 {
				return -1
			}
			rank += float64(n) * float64(64-i)
		}
		return rank
	case order[0] == "lose" && m.Verb == Lose:
		if i := slices.Index(order, m.Card.Row().ID); i > 0 {
			return float64(len(order) - i)
		}
	}
	return -1
}

// fullness ranks the places of a payment: the fuller, the better, as they stand when each pays.
func (s *State) fullness(seat domain.Seat, list []placeWord) (rank float64) {
	stores := s.Realms[seat]
	for _, w := range wordsIn(list) {
		n := stores.store(w.place())
		rank += float64(n)
		stores.setStore(w.place(), int(n)-1)
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
		r.setStore(p, int(r.store(p))+1)
	}
	return rank
}
