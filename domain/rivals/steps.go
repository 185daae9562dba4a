package rivals

import (
	"strconv"

	"posthorn/domain"
)

// Steps splits a move into the choices a person makes one after the other.
func (showRoom) Steps(s *State, m Move) []domain.Step {
	w := stepper{s: s, m: &m, own: s.Active}
	if s.TasksN > 0 {
		w.own = s.mover(&m)
	}
	w.walk()
	w.ask()
	return w.steps
}

// ask says with each step what it answers: the first what is awaited, the others what the
// steps before them leave open.
func (w *stepper) ask() {
	first := "ask." + phaseNames[w.s.Phase]
	switch {
	case w.s.TasksN > 0:
		first = "ask." + taskNames[w.s.Tasks[0].Kind]
	case w.m.Verb == LayOff:
		first = "ask.lay-off"
	}
	next := "ask.next"
	switch w.m.Verb {
	case Build:
		next = "ask.site"
	case LayOff, Swap, Search, Lose:
		next = "ask.under"
	case PayFrom:
		next = "ask.pay-more"
	case Into:
		next = "ask.gain-more"
	}
	for i := range w.steps {
		w.steps[i].Ask = domain.S(next)
		if w.m.Verb == PayFrom && i > 0 && i == len(wordsIn(w.m.Pay[:])) {
			w.steps[i].Ask = domain.S("ask.gain")
		}
		if i == 2 && w.m.Verb == Swap {
			w.steps[i].Ask = domain.S("ask.from")
		}
		if i == 0 {
			w.steps[i].Ask = domain.S(first)
		}
	}
}

// mover is the seat whose move this is: the one asked for such an answer.
func (s *State) mover(m *Move) domain.Seat {
	for seat := range domain.Seat(2) {
		if s.awaits(seat) {
			return seat
		}
	}
	return s.Active
}

type stepper struct {
	s     *State
	m     *Move
	own   domain.Seat
	steps []domain.Step
}

func (w *stepper) step(key string, label domain.Say, at where) {
	w.steps = append(w.steps, domain.Step{Key: key, Place: at.place, Label: label, Spot: at.spot})
}

// where is a place as the notation calls it, and its spot in the pictures. A card that lies on a site
// is no place: two may lie on one side of a town.
type where struct{ place, spot string }

var nowhere = where{}

func siteOf(seat domain.Seat, at int8, side uint8) where {
	return where{strconv.Itoa(int(at)) + " " + sideNames[side], "s-" + seat.Letter() + "-" + sideKey(at, side)}
}

func placeOf(seat domain.Seat, p Place) where {
	return where{p.Name(), "r-" + seat.Letter() + "-" + p.Name()}
}

// wayOf has no name: the notation's word for it is another in every language.
func wayOf(seat domain.Seat, way string) where {
	return where{"", "road-" + seat.Letter() + "-" + way}
}

func stackOf(n uint8) where { return where{digits(n), "k-" + digits(n)} }

// cardOn is where a card lies on a side of a town.
func (s *State) cardOn(seat domain.Seat, c Card, at int8, side uint8) where {
	for slot := range 2 {
		if site := siteAt(int(at)+origin, int(side)-1, slot); s.Realms[seat].at(site) == c {
			return where{"", site.spot(seat)}
		}
	}
	return nowhere
}

func resSay(r resWord) domain.Say { return domain.S("res." + r.res().String()) }

func sideKey(at int8, side uint8) string {
	return strconv.Itoa(int(at)) + [...]string{"", "a", "b"}[side]
}

func (w *stepper) siteSay(at int8, side uint8) domain.Say {
	return domain.S("place."+[...]string{"", "above", "below"}[side], "at", int(at))
}

func (w *stepper) card(verb string, c Card) {
	w.step(verb+"-"+c.Name(), domain.S("step."+verb, "card", c.word()), nowhere)
}

func (w *stepper) stack(prefix, label string, n uint8) {
	w.step(prefix+digits(n), domain.S(label, "n", int(n), "back", w.s.backSay(n)), stackOf(n))
}

func (s *State) backSay(n uint8) domain.Say {
	return domain.S("back." + s.Decks[n-1].Set.String())
}

func (w *stepper) cardAt(verb string, c Card, at int8, side uint8, owner domain.Seat) {
	w.step(verb+"-"+c.Name()+"-"+sideKey(at, side), domain.S("step."+verb, "card", c.word(), "where", w.siteSay(at, side)),
		w.s.cardOn(owner, c, at, side))
}

func (w *stepper) region(verb string, p placeWord) {
	w.step(verb+"-"+p.place().Name(), domain.S("step."+verb, "where", w.s.placeSay(w.own, p.place())), placeOf(w.own, p.place()))
}

// regions are the places that pay or store: where there are several, each is a step, from the
// left to the right.
func (w *stepper) regions(verb string, list []placeWord) {
	for i, p := range wordsIn(list) {
		w.region(verb, p)
		if i > 0 {
			last := &w.steps[len(w.steps)-1]
			last.Key = strconv.Itoa(i+1) + "-" + last.Key
		}
	}
}

// resources are the one or two resources that a move names, in one step.
func (w *stepper) resources(verb, label string) {
	m := w.m
	if m.Res2 == 0 {
		w.step(verb+"-"+m.Res.res().String(), domain.S(label, "resource", resSay(m.Res)), nowhere)
		return
	}
	if verb == verbNames[Buy] {
		label = "step.buy-two"
	}
	two := domain.S("step.two", "a", resSay(m.Res), "b", resSay(m.Res2))
	w.step(verb+"-"+m.Res.res().String()+"-"+m.Res2.res().String(), domain.S(label, "resource", two), nowhere)
}

// placeSay names a place with what lies there.
func (s *State) placeSay(seat domain.Seat, p Place) domain.Say {
	r := &s.Realms[seat]
	if p == cachePlace {
		return domain.S("place.cache", "stored", int(r.CacheGold))
	}
	q := r.Regions[p]
	return domain.S("place.region", "at", p.Name(), "terrain_word", "terrain."+q.Terrain.Terrain(), "number", int(q.Number), "stored", int(q.Stored))
}

func (w *stepper) walk() {
	m := w.m
	switch m.Verb {
	case Road, Settle:
		dir := wayNames[boolInt(m.Right)]
		key := verbNames[m.Verb] + "-" + dir
		if m.Card != NoCard {
			w.step(key+"-scout", domain.S("step.scout-"+dir), nowhere)
			return
		}
		w.step(key, domain.S("step."+key), wayOf(w.own, dir))
	case City:
		at := strconv.Itoa(int(m.At))
		w.step("city-"+at, domain.S("step.city", "at", int(m.At)), where{at, "t-" + w.own.Letter() + "-" + at})
	case Build:
		w.card("build", m.Card)
		if p, ok := placeNamed(sideKey(m.At, m.Side)); ok && m.Card.same(goldCache) {
			w.step(p.Name(), w.s.placeSay(w.own, p), placeOf(w.own, p))
			return
		}
		w.step(sideKey(m.At, m.Side), w.siteSay(m.At, m.Side), siteOf(w.own, m.At, m.Side))
	case PlayCard:
		w.play()
	case Bank:
		w.step("bank-"+digits(m.N)+"-"+m.Res.res().String(), domain.S("step.bank", "n", int(m.N), "resource", resSay(m.Res)), nowhere)
		if m.Res2 != 0 {
			w.step(m.Res2.res().String(), domain.S("step.for", "resource", resSay(m.Res2)), nowhere)
		}
	case Swap:
		w.card("swap", m.Card)
		w.stack("under", "step.under", m.N)
		w.stack("top", "step.swap-from", m.N2)
	case LayOff, Search:
		w.card(verbNames[m.Verb], m.Card)
		w.stack("under", "step.under", m.N)
	case Draw:
		w.stack("draw", "step.draw", m.N)
	case Stack:
		w.stack("stack", "step.stack", m.N)
	default:
		w.answer()
	}
}

func (w *stepper) play() {
	m := w.m
	if m.Card2 != NoCard {
		w.step("play-"+m.Card.Name()+"-"+m.Card2.Name(), domain.S("step.play", "card", domain.S("step.two", "a", m.Card.word(), "b", m.Card2.word())), nowhere)
	} else {
		w.card("play", m.Card)
	}
	switch {
	case m.N > 0:
		w.step("die"+digits(m.N), domain.S("step.die", "n", int(m.N)), nowhere)
	case m.Res2 != 0:
		w.step(m.Res.res().String()+"-"+m.Res2.res().String(), domain.S("step.two", "a", resSay(m.Res), "b", resSay(m.Res2)), nowhere)
	case m.Res != 0:
		w.step(m.Res.res().String(), domain.S("step.one", "resource", resSay(m.Res)), nowhere)
	case m.Place != 0:
		w.region("fill", m.Place)
	case m.Side != 0:
		w.step(sideKey(m.At, m.Side), w.siteSay(m.At, m.Side), siteOf(w.own, m.At, m.Side))
	}
}

// answer is the steps of verbs that answer a question.
func (w *stepper) answer() {
	m := w.m
	switch m.Verb {
	case Hand:
		for i, c := range [3]Card{m.Card, m.Card2, m.Card3} {
			w.step(strconv.Itoa(i+1)+"-"+c.Name(), domain.S("step.take", "card", c.word()), nowhere)
		}
	case Arrange:
		if m.Order == [6]uint8{0, 1, 2, 3, 4, 5} {
			w.step("keep", domain.S("step.keep"), nowhere)
			return
		}
		for i, k := range m.Order {
			p := startPlace(i)
			land := table.Regions[k].Terrain.String()
			w.step(p.Name()+"-"+land, domain.S("step.arrange", "at", p.Name(), "terrain_word", "terrain."+land), nowhere)
		}
	case PayFrom:
		if m.Pay[0] == 0 {
			w.step("pay", domain.S("step.pay-gold"), nowhere)
			return
		}
		w.regions("pay", m.Pay[:])
		w.regions("into", m.Into[:])
	case Into:
		w.regions("into", m.Into[:])
	case Take:
		if m.Card != NoCard {
			w.card("take", m.Card)
			return
		}
		w.resources("take", "step.take-resource")
	case Save, Buy, Give:
		w.resources(verbNames[m.Verb], "step."+verbNames[m.Verb])
	case React:
		w.card("react", m.Card)
	case Bury:
		w.step(m.Card.Name()+"-under"+digits(m.N), domain.S("step.bury", "card", m.Card.word(), "n", int(m.N)), nowhere)
		if m.Card2 != NoCard {
			w.step(m.Card2.Name()+"-under"+digits(m.N2), domain.S("step.bury", "card", m.Card2.word(), "n", int(m.N2)), nowhere)
		}
	case NameCard:
		w.cardAt("name", m.Card, m.At, m.Side, other(w.own))
	case Lose, Remove:
		w.cardAt(verbNames[m.Verb], m.Card, m.At, m.Side, w.own)
		if m.N > 0 {
			w.stack("under", "step.under", m.N)
		}
	case Corners:
		w.step("above-"+m.Land.Name(), w.landSay("step.corner-above", m.Land), nowhere)
		w.step("below-"+m.Land2.Name(), w.landSay("step.corner-below", m.Land2), nowhere)
	case SwapPlaces:
		w.region("move", m.Place)
		w.region("with", m.Place2)
	case SwapCards:
		w.cardAt("move-card", m.Card, m.At, m.Side, w.own)
		w.cardAt("with-card", m.Card2, m.At2, m.Side2, w.own)
	default:
		w.step(verbNames[m.Verb], domain.S("step."+w.plainWord()), nowhere)
	}
}

// plainWord is the word of a move that is its verb alone; what passing means depends on what
// was asked.
func (w *stepper) plainWord() string {
	if at := w.s.openTask(w.own); w.m.Verb == Pass && at >= 0 {
		return "pass-" + taskNames[w.s.Tasks[at].Kind]
	}
	return verbNames[w.m.Verb]
}

func (w *stepper) landSay(key string, l Land) domain.Say {
	return domain.S(key, "terrain_word", "terrain."+l.terrain().Terrain(), "number", int(l.number()))
}

// Forms are what a seat may do at any time of its action phase but will rarely want: taking
// an own building or unit away. It is no move of the list, so that no mail has a link that
// tears something down.
func (rulesRoom) Forms(s *State, seat domain.Seat) []domain.Form {
	if s.Phase != Acting || s.Active != seat || s.TasksN > 0 || s.mayRemove() != "" {
		return nil
	}
	field := domain.Field{Name: "card", Label: domain.S("form.card"), Kind: domain.FieldChoice}
	l := &lister{s: s, r: &s.Realms[seat], seat: seat}
	l.named(Remove, seat, ^uint64(0), 0)
	for i := range l.all {
		m := &l.all[i]
		var w writer
		w.card(m.Card)
		w.site(m.At, m.Side)
		field.Words = append(field.Words, string(w[1:]))
		field.Labels = append(field.Labels, domain.S("form.remove-card", "card", m.Card.word(), "where", siteSay(siteAt(int(m.At)+origin, int(m.Side)-1, 0))))
	}
	if len(field.Words) == 0 {
		return nil
	}
	return []domain.Form{{Key: "remove", Label: domain.S("form.remove"), Pattern: "remove {card}", Fields: []domain.Field{field}}}
}

// mayRemove: cards are taken away in the theme games and the duel, not in the introduction.
func (s *State) mayRemove() check {
	switch {
	case s.Play == Intro:
		return "no-removal"
	case s.Rules&OneRemoval != 0 && s.Removals > 0:
		return "one-removal"
	}
	return ""
}
