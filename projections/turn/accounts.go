package turn

import (
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// accounts tracks a line event by event: luck, and what everybody gained and spent, as far as it is public.
type accounts struct {
	of      domain.Extras
	rb      domain.Rulebook
	keys    *events.Keys
	printer words.Printer
	viewer  domain.Viewer
	before  domain.State
	had     domain.Goods
	luck    []Luck
	goods   []Good
	sources domain.Sources
}

func newAccounts(look desk.Look, p words.Printer, desk *desk.Desk) *accounts {
	a := &accounts{of: look.Rulebook.Extras(), rb: look.Rulebook, keys: desk.Keys(), printer: p,
		viewer: domain.Spectator}
	if look.Table.Open() {
		a.viewer = domain.Referee
	}
	return a
}

// add enters an event; line is its state after the event.
func (a *accounts) add(line *domain.Line, rec *events.Record) error {
	if a.of.Chances == nil && a.of.Sources == nil {
		return nil
	}
	e, ok, err := events.DecodePlay(a.rb, rec, a.keys, domain.Spectator)
	if err != nil {
		return err
	}
	if ok && a.of.Sources != nil {
		a.sources = a.of.Sources(line.State, &e, a.sources)
	}
	if a.of.Chances == nil {
		return nil
	}
	if ok && a.before != nil {
		for _, c := range a.of.Chances(a.before, &e) {
			a.chance(rec.Version, c)
		}
	}
	goods := a.of.Goods(a.rb.View(line.State, a.viewer))
	a.hold(rec.Version, goods)
	if a.before != nil {
		a.trade(goods)
	}
	a.before, a.had = a.rb.Clone(line.State), goods
	return nil
}

// chance enters one thing that chance brought.
func (a *accounts) chance(version uint64, c domain.Chance) {
	name := a.printer.Text("luck." + c.Name)
	i := slices.IndexFunc(a.luck, func(l Luck) bool { return l.Name == name && l.Entry == c.Entry })
	if i < 0 {
		i, a.luck = len(a.luck), append(a.luck,
			Luck{Name: name, Help: a.printer.Text("luck." + c.Name + ".help"), Entry: c.Entry})
	}
	l, sum := &a.luck[i], LuckSum{Version: version, Got: c.Got, Expected: c.Expected}
	if n := len(l.Sums); n > 0 {
		sum.Got, sum.Expected = sum.Got+l.Sums[n-1].Got, sum.Expected+l.Sums[n-1].Expected
	}
	l.Sums = append(l.Sums, sum)
}

// trade enters what everybody gained and spent since the last event.
func (a *accounts) trade(now domain.Goods) {
	if len(now.Kinds) != len(a.had.Kinds) {
		return
	}
	for k := range a.goods {
		for entry := range min(len(now.Each), len(a.had.Each)) {
			switch n := now.Each[entry][k] - a.had.Each[entry][k]; {
			case n > 0:
				a.goods[k].Gained[entry] += n
			case n < 0:
				a.goods[k].Spent[entry] -= n
			}
		}
	}
}

// hold enters what everybody has, where it has changed.
func (a *accounts) hold(version uint64, now domain.Goods) {
	for k, kind := range now.Kinds {
		if k == len(a.goods) {
			n := len(now.Each)
			a.goods = append(a.goods, Good{Name: a.printer.Say(kind), Gained: make([]int, n), Spent: make([]int, n),
				Held: make([][]Level, n)})
		}
		for entry, held := range a.goods[k].Held {
			if n := now.Each[entry][k]; len(held) == 0 || held[len(held)-1].N != n {
				a.goods[k].Held[entry] = append(held, Level{version, n})
			}
		}
	}
}

// sourcesOf returns the kinds that brought anybody points; none if they are not all that everybody has.
func (a *accounts) sourcesOf(final []int) (list []Source) {
	for k, kind := range a.sources.Kinds {
		s, any := Source{Name: a.printer.Text("from." + kind)}, false
		for _, row := range a.sources.Each {
			s.Points, any = append(s.Points, row[k]), any || row[k] != 0
		}
		if any {
			list = append(list, s)
		}
	}
	for entry, n := range final {
		for _, s := range list {
			if entry >= len(s.Points) {
				return nil
			}
			n -= s.Points[entry]
		}
		if n != 0 {
			return nil
		}
	}
	return list
}
