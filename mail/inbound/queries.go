package inbound

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// queried answers what lines ask about the game, and returns what else they say.
func (w *writer) queried(lines []reply.Line) (left []reply.Line) {
	if w.l.kind != "" || w.l.look.Line == nil {
		return lines
	}
	for _, l := range lines {
		if l.Kind == reply.KindOther && !w.v.meant(l.Text) {
			all, rest := reply.Clauses(l.Text), ""
			for _, clause := range all {
				if !w.tells(clause) {
					rest += strings.TrimSpace(clause) + ". "
				}
			}
			if told := rest == "" || reply.Polite(rest); told && !reply.Polite(l.Text) {
				continue
			} else if strings.Count(rest, ". ") < len(all) && !told {
				l.Text = strings.TrimSuffix(rest, ". ")
			}
		}
		left = append(left, l)
	}
	return left
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
		return w.tellsRule(about, 0)
	}
	list := w.about(facts(), about)
	if q == reply.AsksWhat {
		named := 0 // words asked about that a name has
		if len(list) > 0 {
			named = w.found(about, w.p.Say(list[0].Name))
		}
		if w.tellsRule(about, named) {
			return true
		}
	}
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

// mostName is how many words name what a paragraph is about, before a colon.
const mostName = 4

// tellsRule tells the paragraph of the rules that has most of the words asked about, each of which counts the more the
// fewer others have it, and once more in its title; it returns false if none has more of them than some number.
func (w *writer) tellsRule(about string, more int) bool {
	g := w.v.rulebook.Extras().Guide
	if g == nil {
		return false
	}
	type paragraph struct{ section, title, text string }
	var all []paragraph
	for _, s := range g.Sections {
		for n := range s.Paragraphs {
			p := paragraph{s.Key, w.p.Text("rules." + s.Key),
				strings.TrimPrefix(w.p.Text(fmt.Sprintf("rules.%s.%d", s.Key, n+1)), "- ")}
			if name, _, named := strings.Cut(p.text, ": "); named && len(strings.Fields(name)) <= mostName {
				p.title = name
			}
			all = append(all, p)
		}
	}
	has, rare := make([]int, len(all)), make([]float64, len(all))
	for _, word := range w.v.counting(about) {
		in, titled, n, titles := make([]bool, len(all)), make([]bool, len(all)), 0.0, 0.0
		for i, p := range all {
			if titled[i] = w.found(word, p.title) > 0; titled[i] {
				titles++
			}
			if in[i] = titled[i] || w.found(word, p.text) > 0; in[i] {
				n++
			}
		}
		for i := range all {
			if in[i] {
				has[i], rare[i] = has[i]+1, rare[i]+1/n
			}
			if titled[i] {
				rare[i] += 1 / titles
			}
		}
	}
	best := -1
	for i := range all {
		if has[i] > more && (best < 0 || rare[i] > rare[best]) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	w.lines = append(w.lines, all[best].text)
	w.rules[all[best].text] = [2]string{"/rules/" + w.v.rulebook.Name() + "#" + all[best].section}
	return true
}

// found returns how many of the words of a text another has, in whatever form.
func (w *writer) found(words, text string) (n int) {
	other := w.v.counting(text)
	for _, word := range w.v.counting(words) {
		if slices.ContainsFunc(other, func(o string) bool { return akin(o, word) || w.v.alike(o, word) }) {
			n++
		}
	}
	return n
}

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
