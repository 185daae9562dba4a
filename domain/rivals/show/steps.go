package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Steps splits a move into the choices a person makes one after the other.
func (Room) Steps(s *state.State, m state.Move) []domain.Step {
	w := stepper{s: s, m: &m, own: s.Active}
	if s.TasksN > 0 && s.Awaits(state.Other(s.Active)) && !s.Awaits(s.Active) { // it answers
		w.own = state.Other(s.Active)
	}
	w.walk()
	w.ask()
	if n := len(w.steps); n > 0 {
		w.steps[n-1].Press = w.press()
		if order, ok := orders[w.m.Verb]; ok && (order != "pay" || w.pays()) {
			w.steps[0].Order, w.steps[0].Every = order, domain.S("always."+order)
		}
	}
	return w.steps
}

// orders are the standing orders that always answer with a move like this.
var orders = map[state.Verb]string{state.RollDice: "roll", state.PayFrom: "pay"}

// pays reports whether a move only says where it pays from, which is all that the order to pay answers. The gold of
// Riots competes with a unit, and the resource a payment brings may have several places to go.
func (w *stepper) pays() bool { return w.m.Pay[0] != 0 && w.m.Into[0] == 0 }

// press returns how a move is asked for.
func (w *stepper) press() domain.Press {
	switch w.m.Verb {
	case state.RollDice, state.Draw:
		return domain.PressOnce
	case state.End:
		return domain.PressOut
	case state.Pass:
		if w.s.TasksN == 0 || w.s.Tasks[0].Kind == state.TaskBuy {
			return domain.PressOut
		}
	}
	return domain.PressChosen
}

type stepper struct {
	s     *state.State
	m     *state.Move
	own   domain.Seat
	steps []domain.Step
}

func (w *stepper) step(key string, label domain.Say, at where) {
	w.steps = append(w.steps, domain.Step{Key: key, Place: at.place, Label: label, Spot: at.spot})
}

// where is a place as the notation names it, and its spot in the pictures. A card on a site is not a place: one side
// of a town may have two.
type where struct{ place, spot string }

var nowhere = where{}

func placeOf(seat domain.Seat, p table.Place) where {
	return where{p.Name(), "r-" + seat.Letter() + "-" + p.Name()}
}

// sideOf returns the side of a town that a move names.
func sideOf(at int8, side uint8) table.Site {
	return table.SiteAt(int(at)+table.Origin, int(side)-1, 0)
}

func (w *stepper) card(verb string, c table.Card) {
	lies := nowhere
	if kind := w.s.Asked(w.own); verb == "take" && (kind == state.TaskPick || kind == state.TaskFetch) {
		lies.spot = foundSpot(c)
	}
	if verb != "take" && verb != state.VerbNames[state.Search] {
		// take is not from one's own hand; search would lie where swap does
		lies.spot = handSpot(w.s, w.own, c)
	}
	w.step(verb+"-"+c.Name(), domain.S("step."+verb, "card", c.Word()), lies)
}

func (w *stepper) stack(prefix, label string, n uint8) {
	back := domain.S("back." + w.s.Decks[n-1].Set.String())
	w.step(prefix+table.Digits(n), domain.S(label, "n", int(n), "back", back),
		where{table.Digits(n), "k-" + table.Digits(n)})
}

func (w *stepper) cardAt(verb string, c table.Card, at table.Site, owner domain.Seat) {
	lies := nowhere
	if at += table.Site(table.BoolInt(w.s.Realms[owner].At(at) != c)); w.s.Realms[owner].At(at) == c {
		lies.spot = at.Spot(owner)
	}
	w.step(verb+"-"+c.Name()+"-"+at.Key(), domain.S("step."+verb, "card", c.Word(), "where", table.SiteSay(at)), lies)
}

func (w *stepper) site() {
	at := sideOf(w.m.At, w.m.Side)
	w.step(at.Key(), table.SiteSay(at), where{at.Name(), "s-" + w.own.Letter() + "-" + at.Key()})
}

// boosts returns how many of the regions beside a site a building there makes yield more.
func (w *stepper) boosts(c table.Card, at table.Site) (n int) {
	for _, gap := range [2]int{at.Town(), at.Town() + 1} {
		terrain := w.s.Realms[w.own].Regions[table.PlaceAt(gap, at.Side())].Terrain
		if boosted := c.Row().Doubles; boosted != table.NoRes && boosted == terrain {
			n++
		}
	}
	return n
}

func (w *stepper) region(verb string, p state.PlaceWord) {
	w.step(verb+"-"+p.Place().Name(), domain.S("step."+verb, "where", placeSay(w.s, w.own, p.Place())),
		placeOf(w.own, p.Place()))
}

// resources adds the one or two resources that a move names, in one step.
func (w *stepper) resources(verb, label string) {
	key, what := w.oneOrTwo()
	if w.m.Verb == state.Buy && w.m.Res2 != 0 {
		label = "step.buy-two"
	}
	w.step(verb+"-"+key, domain.S(label, "resource", what), nowhere)
}

// oneOrTwo returns the resources of a move, as a key and in words.
func (w *stepper) oneOrTwo() (string, domain.Say) {
	a, b := w.m.Res.Res(), w.m.Res2.Res()
	if w.m.Res2 == 0 {
		return a.String(), a.Say()
	}
	return a.String() + "-" + b.String(), domain.S("step.two", "a", a.Say(), "b", b.Say())
}

// placeSay names a place with what lies there.
func placeSay(s *state.State, seat domain.Seat, p table.Place) domain.Say {
	r := &s.Realms[seat]
	if p == table.CachePlace {
		return domain.S("place.cache", "stored", int(r.CacheGold))
	}
	q := r.Regions[p]
	return domain.S("place.region", "terrain_word", "terrain."+q.Terrain.Terrain(), "number", int(q.Number), "stored",
		int(q.Stored))
}

func (w *stepper) walk() {
	m := w.m
	switch m.Verb {
	case state.Road, state.Settle:
		dir := table.WayNames[table.BoolInt(m.Right)]
		key := state.VerbNames[m.Verb] + "-" + dir
		// it has no name: the notation's word differs in every language
		w.step(key, domain.S("step."+key), where{"", "road-" + w.own.Letter() + "-" + dir})
		if m.Card != table.NoCard {
			w.step("scout", domain.S("step.scout"), nowhere)
		} else if m.Verb == state.Settle && w.s.Realms[w.own].InHand(table.Scout) >= 0 {
			w.step("alone", domain.S("step.no-scout"), nowhere)
			w.steps[1].None = true
		}
	case state.City:
		at := strconv.Itoa(int(m.At))
		w.step("city-"+at, domain.S("step.city", "town", table.TownSay(int(m.At)+table.Origin, ".of")),
			where{at, "t-" + w.own.Letter() + "-" + at})
	case state.Build:
		w.card("build", m.Card)
		if at := sideOf(m.At, m.Side); m.Card.Same(table.GoldCache) {
			p := table.PlaceAt(at.Town(), at.Side())
			w.step(p.Name(), placeSay(w.s, w.own, p), placeOf(w.own, p))
			return
		}
		w.site()
		w.steps[1].Ahead, w.steps[1].Preset = true, 1+w.boosts(m.Card, sideOf(m.At, m.Side))
	case state.PlayCard:
		w.play()
	case state.Bank:
		w.step("bank-"+table.Digits(m.N)+"-"+m.Res.Res().String(),
			domain.S("step.bank", "goods", m.Res.Res().Count(int(m.N))), nowhere)
		if least := w.least(m.Res.Res()); least < m.N {
			w.steps[0].Like = "bank-" + table.Digits(least) + "-" + m.Res.Res().String()
		}
		if m.Res2 != 0 {
			w.step(m.Res2.Res().String(), domain.S("step.for", "resource", m.Res2.Res().Say()), nowhere)
		}
	case state.Swap, state.LayOff, state.Search:
		w.card(state.VerbNames[m.Verb], m.Card)
		w.stack("under", "step.under", m.N)
		if m.Verb == state.Swap {
			w.stack("top", "step.swap-from", m.N2)
		}
	case state.Draw, state.Stack:
		w.stack(state.VerbNames[m.Verb], "step."+state.VerbNames[m.Verb], m.N)
	default:
		w.answer()
	}
}

// least returns how many of a resource buy another at the best rate that takes them from anywhere.
func (w *stepper) least(res table.Res) uint8 {
	switch r := &w.s.Realms[w.own]; {
	case res == table.GoldRes && r.Mints > w.s.Mints:
		return 1
	case r.Rates.Has(res):
		return 2
	}
	return 3
}

func (w *stepper) play() {
	m := w.m
	if m.Card2 != table.NoCard {
		w.step("play-"+m.Card.Name()+"-"+m.Card2.Name(),
			domain.S("step.play", "card", domain.S("step.two", "a", m.Card.Word(), "b", m.Card2.Word())), nowhere)
	} else {
		w.card("play", m.Card)
	}
	switch {
	case m.N > 0:
		w.step("die"+table.Digits(m.N), domain.S("step.die", "n", int(m.N)), nowhere)
	case m.Place != 0:
		w.region("fill", m.Place)
		w.amount()
	case m.Res != 0:
		w.demanded()
	case m.Side != 0:
		w.site()
	}
}

// demanded adds the one or two resources that an action card demands.
func (w *stepper) demanded() {
	key, what := w.oneOrTwo()
	if w.m.Res2 == 0 {
		what = domain.S("step.one", "resource", what)
	}
	w.step(key, what, nowhere)
}

// amount adds how much Brigands takes for a region, where it may be fewer than that can hold.
func (w *stepper) amount() {
	p := w.m.Place.Place()
	switch res := w.s.Realms[w.own].Yields(p); {
	case w.m.Res != 0:
		w.demanded()
	case w.s.Rules&table.TakeFewer != 0 &&
		min(w.s.Realms[w.own].Space(p), w.s.Realms[state.Other(w.own)].Lies(res)) > 1:
		w.step("all", domain.S("step.all"), nowhere)
	}
}

// answer adds the steps of verbs that answer a question.
func (w *stepper) answer() {
	m := w.m
	switch m.Verb {
	case state.Hand:
		for _, c := range [3]table.Card{m.Card, m.Card2, m.Card3} {
			w.step(handKey(c), domain.S("step.take", "card", c.Word()), where{"", foundSpot(c)})
		}
		w.steps[0].Any = true
	case state.Arrange:
		if m.Order == [6]uint8{0, 1, 2, 3, 4, 5} {
			w.step("keep", domain.S("step.keep"), nowhere)
			return
		}
		for i, k := range m.Order {
			p := state.StartPlace(i)
			land := table.Table.Regions[k].Terrain.String()
			w.step(p.Name()+"-"+land, domain.S("step.arrange", "at", table.PlaceSay(p), "terrain_word",
				"terrain."+land), nowhere)
		}
	case state.PayFrom:
		if m.Pay[0] == 0 {
			w.step("pay", domain.S("step.pay-gold"), nowhere)
			return
		}
		w.regions("pay", m.Pay[:])
		w.regions("into", m.Into[:])
	case state.Into:
		w.regions("into", m.Into[:])
	case state.Take:
		if m.Card != table.NoCard {
			w.card("take", m.Card)
			return
		}
		w.resources("take", "step.take-resource")
	case state.Save, state.Buy, state.Give:
		w.resources(state.VerbNames[m.Verb], "step."+state.VerbNames[m.Verb])
	case state.React:
		w.card("react", m.Card)
	case state.Bury:
		under := [2]uint8{m.N, m.N2}
		for i, c := range [2]table.Card{m.Card, m.Card2} {
			if c != table.NoCard {
				w.step(c.Name()+"-under"+table.Digits(under[i]),
					domain.S("step.bury", "card", c.Word(), "n", int(under[i])), nowhere)
			}
		}
	case state.NameCard:
		w.cardAt("name", m.Card, sideOf(m.At, m.Side), state.Other(w.own))
	case state.Lose, state.Remove:
		w.cardAt(state.VerbNames[m.Verb], m.Card, sideOf(m.At, m.Side), w.own)
		if m.N > 0 {
			w.stack("under", "step.under", m.N)
		}
	case state.Corners:
		w.step("above-"+m.Land.Name(), w.landSay("step.corner-above", m.Land), nowhere)
		w.step("below-"+m.Land2.Name(), w.landSay("step.corner-below", m.Land2), nowhere)
		w.steps[0].Preset, w.steps[1].Preset = 1, 1
	case state.SwapPlaces:
		w.region("move", m.Place)
		w.region("with", m.Place2)
	case state.SwapCards:
		w.cardAt("move-card", m.Card, sideOf(m.At, m.Side), w.own)
		w.cardAt("with-card", m.Card2, sideOf(m.At2, m.Side2), w.own)
	default:
		word := state.VerbNames[m.Verb]
		if kind := w.s.Asked(w.own); m.Verb == state.Pass && kind != state.NoTask {
			word = "pass-" + state.TaskNames[kind] // what passing means depends on the question
		}
		w.step(state.VerbNames[m.Verb], domain.S("step."+word), nowhere)
	}
}

func (w *stepper) landSay(key string, l table.Land) domain.Say {
	return domain.S(key, "terrain_word", "terrain."+l.Terrain().Terrain(), "number", int(l.Number()))
}
