package rivals

import (
	"reflect"
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

func (r refused) phase(p state.Phase) bool { return r.s.TasksN == 0 && r.s.Phase == p }

func (r refused) holds(c table.Card) bool {
	return slices.ContainsFunc(r.own.Held(), func(s state.Slot) bool { return s.Card.Same(c) })
}

// card returns the card of the move as the seat holds it, or as it lies open.
func (r refused) card() table.Card {
	for _, s := range r.own.Held() {
		if s.Card.Same(r.m.Card) {
			return s.Card
		}
	}
	return r.m.Card
}

func (r refused) stock() table.Goods { return r.own.Stock() }

// total returns how many of the goods a task pays or gains are due.
func (r refused) due() int { return int(r.task.N) + r.task.Need.Total() }

func covers(have, want table.Goods) bool { return want.Least(have) == want }

// effect returns what a card demands.
func (r refused) effect() *table.Effect { return &r.card().Row().Play[0] }

// town returns what stands in the column that the move names.
func (r refused) level() state.Level {
	t := int(r.m.At) + table.Origin
	if t < 0 || t >= table.Columns {
		return state.NoTown
	}
	return r.own.Towns[t].Level
}

// stands returns the cards on the side of a town that the move names, in a principality.
func (r refused) stands(of *state.Realm, at int8, side uint8) (list []table.Card) {
	for site, c := range of.Cards() {
		if site.Town() == int(at)+table.Origin && site.Side() == int(side)-1 {
			list = append(list, c)
		}
	}
	return list
}

func same(c table.Card) func(table.Card) bool { return c.Same }

// missing reports whether a card does not stand where the move says, with either of its cards.
func (r refused) missing() bool {
	of := r.own
	if r.m.Verb == state.NameCard {
		of = r.them
	}
	return !slices.ContainsFunc(r.stands(of, r.m.At, r.m.Side), same(r.m.Card)) ||
		r.m.Verb == state.SwapCards && !slices.ContainsFunc(r.stands(of, r.m.At2, r.m.Side2), same(r.m.Card2))
}

// stack returns the stack of the refusal.
func (r refused) stack() (d *state.Deck, ok bool) {
	if n := r.N("n"); n >= 1 && n <= int(r.s.DecksN) {
		return &r.s.Decks[n-1], true
	}
	return nil, false
}

func (r refused) says(c table.Card) bool {
	say, ok := r.Args["card"].(domain.Say)
	return ok && say.Key == c.Word().Key
}

// limit reports whether the refusal tells the right limit of the hand.
func (r refused) limit() bool { return r.N("limit") == 3+int(r.own.Points.Progress) }

// place returns the place that a refusal speaks of, among those that the move names.
func (r refused) anyPlace(is func(p table.Place) bool) bool {
	return slices.ContainsFunc(append(state.WordsIn(r.m.Pay[:]), state.WordsIn(r.m.Into[:])...),
		func(w state.PlaceWord) bool {
			return reflect.DeepEqual(r.Args["place"], table.PlaceSay(w.Place())) && is(w.Place())
		})
}

func (r refused) room(p table.Place) uint8 {
	if p >= table.Places {
		return 0
	}
	return r.own.Space(p)
}

// gain is the task that stores goods: the one asked, or the one that comes for the payment asked.
func (r refused) gain() state.Task {
	if r.task.Kind == state.TaskPay {
		return r.s.Tasks[1]
	}
	return r.task
}

func (r refused) yields(p table.Place) table.Res {
	if p >= table.Places {
		return table.NoRes
	}
	return r.own.Yields(p)
}

// plays reports whether the card of the move could be played with something else named.
func (r refused) plays() bool {
	return slices.ContainsFunc(r.Legal(), func(l domain.Move) bool {
		m := l.(state.Move)
		return m.Verb == state.PlayCard && m.Card.Same(r.m.Card)
	})
}

// guarded reports whether a Fire Brigade stands in every city of the other where such a card stands.
func (r refused) guarded(c table.Card) bool {
	for at, d := range r.them.Cards() {
		if !d.Same(c) {
			continue
		}
		safe := false
		for near, e := range r.them.Cards() {
			safe = safe || near.Town() == at.Town() && e.Row().ID == "fire_brigade"
		}
		if !safe {
			return false
		}
	}
	return true
}
