package show

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// The question of each step, and the steps that pay or store goods.

// asks are the questions that the second and later steps of moves answer.
var asks = map[state.Verb]string{
	state.Build: "ask.site", state.LayOff: "ask.under", state.Swap: "ask.under", state.Search: "ask.under",
	state.Lose: "ask.under",
	state.Hand: "ask.hand-more", state.Settle: "ask.settle",
}

// ask adds to each step the question it answers: to the first what is awaited, to the others what the steps before
// them leave open.
func (w *stepper) ask() {
	for i := range w.steps {
		key := cmp.Or(asks[w.m.Verb], "ask.next")
		switch {
		case w.flows() && w.askFlow(i):
			continue
		case i == 0 && w.s.TasksN > 0:
			key = "ask." + state.TaskNames[w.s.Tasks[0].Kind]
		case i == 0 && w.m.Verb == state.LayOff:
			key = "ask.lay-off"
		case i == 0:
			if key = "ask." + w.s.Phase.String(); w.s.Phase == state.Rolling && !w.plays() {
				key = "ask.roll-only"
			}
		case w.m.Verb == state.Swap && i == 2:
			key = "ask.from"
		}
		w.steps[i].Ask = domain.S(key)
		if key == "ask.take" {
			w.steps[i].Ask = domain.S(key, "n", int(w.s.Tasks[0].N))
		}
	}
}

// plays reports whether the seat has a card that is played before the roll.
func (w *stepper) plays() bool {
	return slices.ContainsFunc(w.s.Realms[w.own].Held(), func(slot state.Slot) bool {
		return !slot.Card.Hidden() && slot.Card.Row().Fixes
	})
}

// flows reports whether a move says where goods are paid from or stored.
func (w *stepper) flows() bool {
	kind := w.s.Tasks[0].Kind
	return w.s.TasksN > 0 && (kind == state.TaskPay || kind == state.TaskGain) &&
		(w.m.Verb == state.PayFrom || w.m.Verb == state.Into)
}

// askFlow says how much a payment or a gain is and what it is for and, from its second step on, how much is done.
func (w *stepper) askFlow(step int) bool {
	t, i := &w.s.Tasks[0], step
	if pays := len(state.WordsIn(w.m.Pay[:])); t.Kind == state.TaskPay && i >= pays { // the one that comes for it
		if pays == 0 || w.s.TasksN < 2 {
			return false
		}
		t, i = &w.s.Tasks[1], i-pays
	}
	key := "ask.pay"
	if t.Kind == state.TaskGain {
		key = "ask.gain"
		if w.choosesKind(t) {
			key = "ask.gain-kind"
		}
	}
	if i > 0 {
		w.steps[step].Ask = domain.S(key+"-more", "n", i, "total", int(t.N)+t.Need.Total())
		return true
	}
	args := []any{"goods", goodsOf(t)}
	switch why := w.why(t); {
	case t.Kind == state.TaskPay && w.before(t).Kind == state.TaskSearch && t.Card == table.NoCard:
		key = "ask.pay-search"
	case why.Key == "":
	case w.taken(t):
		key, args = "ask.give-for", append(args, "why", why)
	default:
		key, args = key+"-for", append(args, "why", why)
	}
	w.steps[step].Ask = domain.S(key, args...)
	return true
}

// before returns the task before which this one must be done: the next.
func (w *stepper) before(t *state.Task) *state.Task {
	if t == &w.s.Tasks[0] && w.s.TasksN > 1 {
		return &w.s.Tasks[1]
	}
	return &state.Task{}
}

// taken reports whether what is paid goes to the other.
func (w *stepper) taken(t *state.Task) bool {
	next := w.before(t)
	return t.Kind == state.TaskPay && next.Kind == state.TaskGain && next.Seat != t.Seat
}

// goodsOf says how much a task pays or gains.
func goodsOf(t *state.Task) []domain.Say {
	switch {
	case t.N == 0:
		return table.GoodsSay(t.Need)
	case t.Kind == state.TaskGain && bits.OnesCount8(uint8(t.Res)) == 1:
		return []domain.Say{t.Res.First().Count(int(t.N))}
	}
	return []domain.Say{domain.S("goods.any", "n", int(t.N))}
}

// whys says what a payment without a card is for, by what comes after it.
var whys = map[state.TaskKind]string{state.TaskRoad: "why.road", state.TaskSettle: "why.settle",
	state.TaskCity: "why.city"}

// faceWhys says why goods change hands without a card while the dice take effect.
var faceWhys = map[table.Face]string{table.Trade: "why.trade", table.Celebration: "why.celebration",
	table.Harvest: "why.harvest"}

// why says what goods are paid for, or why they are gained: a card, something in the middle, the event die or an
// exchange. It is empty if a given position does not say.
func (w *stepper) why(t *state.Task) domain.Say {
	key := ""
	switch next := whys[w.before(t).Kind]; {
	case t.Card != table.NoCard:
		return t.Card.Word()
	case t.Kind == state.TaskPay && next != "":
		key = next
	case w.s.Phase == state.Acting:
		key = "why.exchange"
	case w.s.Phase == state.Rolling && w.s.Die > 0:
		key = faceWhys[w.s.Face]
	}
	if key == "" {
		return domain.Say{}
	}
	return domain.S(key)
}

// choosesKind reports whether the gain can go to regions of several kinds, so that choosing the place chooses the
// kind.
func (w *stepper) choosesKind(t *state.Task) bool {
	if t.Need.Total() > 0 {
		return false
	}
	var kinds table.ResMask
	r := &w.s.Realms[t.Seat]
	for p := range table.Place(table.Places) {
		if w.open(t, p) && r.Space(p) > 0 {
			kinds |= table.Only(r.Yields(p))
		}
	}
	return bits.OnesCount8(uint8(kinds)) > 1
}

// open reports whether goods of a task may come from a place, or go there.
func (w *stepper) open(t *state.Task, p table.Place) bool {
	res := w.s.Realms[t.Seat].Yields(p)
	switch {
	case res == table.NoRes || t.Mask != 0 && t.Mask&(1<<p) == 0:
		return false
	case t.N == 0:
		return t.Need[res] > 0
	}
	return t.Kind == state.TaskPay || t.Res.Has(res)
}

// regions adds the places that pay or store, each once per unit of goods: if there are several, each is a step, from
// left to right. As soon as nothing is left to choose, the step that leads there says all of the rest.
func (w *stepper) regions(verb string, list []state.PlaceWord) {
	named, word := state.WordsIn(list), verb
	t, told := w.goods(verb), false
	if t != nil && t.Kind == state.TaskGain && w.choosesKind(t) {
		word = "gain" // and the resource
	}
	for i, p := range named {
		key, rest := verb+"-"+p.Place().Name(), named[i:i+1]
		if i > 0 {
			key = strconv.Itoa(i+1) + "-" + key
		}
		settled := w.settled(t, named, i)
		switch {
		case t != nil && t.Kind == state.TaskPay && t.Arg == state.FromOne:
			rest = slices.Repeat(rest, t.Need.Total())
		case settled && !told:
			rest = named[i:]
		}
		at := nowhere
		if p.Place() != table.LostPlace {
			at = placeOf(w.own, p.Place())
		}
		w.step(key, domain.S("step."+word, "parts", w.parts(word, rest)), at)
		last := &w.steps[len(w.steps)-1]
		last.None = told
		last.Preset = w.preset(word, p)
		told = told || settled
	}
}

// preset returns how soon a page fills a place by itself: it pays from the fullest, see moveAny, and stores where there
// is most room; which resource is gained, only its player chooses.
func (w *stepper) preset(word string, p state.PlaceWord) int {
	r := &w.s.Realms[w.own]
	switch {
	case word == "gain":
		return -1
	case p.Place() == table.LostPlace:
		return 1
	case word == "pay":
		return 1 + int(r.Store(p.Place()))
	}
	return 1 + int(r.Space(p.Place()))
}

// goods returns the task that the places of a verb belong to; nil if there is none.
func (w *stepper) goods(verb string) *state.Task {
	want := state.TaskPay
	if verb == "into" {
		want = state.TaskGain
	}
	for i := range min(2, w.s.TasksN) {
		if t := &w.s.Tasks[i]; t.Kind == want {
			return t
		}
	}
	return nil
}

// parts says how much comes from which place, or goes there.
func (w *stepper) parts(word string, named []state.PlaceWord) (list []domain.Say) {
	for len(named) > 0 {
		n := 1
		for n < len(named) && named[n] == named[0] {
			n++
		}
		p := named[0].Place()
		if named = named[n:]; p == table.LostPlace {
			list = append(list, domain.S("step.lost.part", "n", n))
			continue
		}
		say := domain.S("step."+word+".part", "n", n, "where", holdingSay(w.s, w.own, p))
		if word == "gain" {
			say.Args["goods"] = w.s.Realms[w.own].Yields(p).Count(n)
		}
		list = append(list, say)
	}
	return list
}

// settled reports whether the other places follow once the first i+1 places are named: no place from there to the
// right could take over what one of them pays or stores.
func (w *stepper) settled(t *state.Task, named []state.PlaceWord, i int) bool {
	if t == nil || i+1 == len(named) {
		return i+1 == len(named)
	}
	r := &w.s.Realms[t.Seat]
	if r.MayLose(t) {
		return false
	}
	for q := named[i].Place(); q < table.Places; q++ {
		if !w.open(t, q) {
			continue
		}
		spare := int(r.Store(q))
		if t.Kind == state.TaskGain {
			spare = int(r.Space(q))
		}
		for _, p := range named {
			spare -= table.BoolInt(p.Place() == q)
		}
		for _, p := range named[i+1:] {
			same := t.N > 0 && !w.oneKind(t) || r.Yields(p.Place()) == r.Yields(q)
			if spare > 0 && p.Place() != q && same {
				return false
			}
		}
	}
	return true
}

// oneKind reports whether the first resource of a gain decides the kind of the others.
func (w *stepper) oneKind(t *state.Task) bool {
	return t.Kind == state.TaskGain && t.Arg == state.OneKind
}

// holdingSay names a place that pays or stores, with what lies there.
func holdingSay(s *state.State, seat domain.Seat, p table.Place) domain.Say {
	say := placeSay(s, seat, p)
	say.Key += ".has"
	return say
}
