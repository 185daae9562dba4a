package inbound

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// queried answers what lines ask about the game, and returns those that say something else, too.
func (w *writer) queried(lines []reply.Line) []reply.Line {
	if w.l.kind != "" || w.l.look.Line == nil {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l reply.Line) bool {
		if l.Kind != reply.KindOther || w.v.meant(l.Text) {
			return false
		}
		all := true
		for _, clause := range reply.Clauses(l.Text) {
			all = w.tells(clause) && all || all && reply.Polite(clause)
		}
		return all && !reply.Polite(l.Text)
	})
}

// tells answers a question; it returns false if it is none that can be answered.
func (w *writer) tells(clause string) bool {
	q, about := reply.Asks(clause)
	facts := w.v.rulebook.Extras().Facts
	switch {
	case q == "":
		return false
	case q == reply.AsksWho:
		return w.tellsWho(about)
	case facts == nil && q == reply.AsksPrice:
		w.lines = append(w.lines, w.text("cost.none"))
		return true
	case facts == nil:
		return false
	}
	list := w.about(facts(), about)
	if len(list) == 0 && q == reply.AsksPrice {
		list = slices.DeleteFunc(facts(), func(f domain.Fact) bool { return !f.Paid })
	}
	for _, f := range list {
		w.lines = append(w.lines, w.p.Lines(f.Says)...)
	}
	return len(list) > 0
}

// about returns the facts whose names a text has most of.
func (w *writer) about(facts []domain.Fact, text string) (best []domain.Fact) {
	said, most := w.v.counting(text), 0
	for _, f := range facts {
		name := w.v.counting(w.p.Say(f.Name))
		n := 0
		for _, word := range name {
			if slices.ContainsFunc(said, func(s string) bool { return akin(s, word) || w.v.alike(s, word) }) {
				n++
			}
		}
		if n = 100*n - len(name); n <= 0 || n < most {
			continue
		}
		if n > most {
			best, most = nil, n
		}
		best = append(best, f)
	}
	return best[:min(len(best), mostFacts)]
}

// mostFacts is how many things of one name an answer tells of.
const mostFacts = 3

// tellsWho tells who has how many of something, as far as the writer may know it.
func (w *writer) tellsWho(what string) bool {
	goods := w.v.rulebook.Extras().Goods
	if goods == nil {
		return false
	}
	held := goods(w.v.rulebook.View(w.l.look.Line.State, domain.ViewOf(w.l.Seat)))
	kinds := goods(w.v.rulebook.View(w.l.look.Line.State, domain.Referee)).Kinds // no more than what there is
	kind := slices.IndexFunc(w.v.counting(what), func(word string) bool { return w.v.kind(word, kinds) >= 0 })
	if kind < 0 {
		return false
	}
	i, hidden := w.v.kind(w.v.counting(what)[kind], kinds), len(held.Kinds) != len(kinds)
	if hidden {
		i = 0
	}
	var list []string
	for seat, n := range held.Each {
		if seat < len(w.v.names) {
			list = append(list, fmt.Sprintf("%s %d", w.v.names[seat], n[i]))
		}
	}
	all := []any{"what", w.p.Say(held.Kinds[i]), "list", strings.Join(list, ", ")}
	if hidden {
		w.lines = append(w.lines, w.text("has.not", all...))
	} else {
		w.lines = append(w.lines, w.text("has", all...))
	}
	return true
}
