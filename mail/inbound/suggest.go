package inbound

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// suggest tells what could be written instead of a text that is no move: the move that has most of its words, of those
// that keep to what it says. Where the text names a place at which there is none such, it tells what can be played
// there. It tells nothing rather than what the text does not want.
func (w *writer) suggest(text string) {
	at := w.l.look.Line
	if reply.Keeping(text) {
		for _, clause := range reply.Clauses(text) {
			if c := w.v.read(strings.TrimRight(clause, ".,;! "), at).only(); c != nil && reply.Keeping(clause) {
				w.offers(turn.InWords(w.p, at, c.move))
			}
		}
		return
	}
	s := w.v.suitor(text, at)
	entries := w.v.lists(at)[0].entries()
	best, most, there := (*entry)(nil), 0, []entry(nil)
	for _, word := range w.v.strangers(text) {
		if fit, others, _ := w.v.described(strings.Replace(text, word, "", 1), at); len(fit)+len(others) > 0 {
			w.describes(fit, others)
			return
		}
	}
	wants := s.wants(entries)
	for i := range entries {
		e := &entries[i]
		if !wants(e) {
			continue
		}
		if s.at(e) {
			there = append(there, *e)
		}
		if n := s.shares(e); n > most && !s.gainsaid(e.steps) {
			best, most = e, n
		}
	}
	switch {
	case best != nil:
		w.offers(turn.InWords(w.p, at, best.Move))
	case len(there) > 0:
		slices.SortStableFunc(there, func(a, b entry) int { return s.shares(&b) - s.shares(&a) })
		var which []choice
		for _, e := range there {
			which = append(which, choice{move: e.Move})
		}
		w.describes(nil, which)
	case len(entries) == 0 || slices.ContainsFunc(tokens(w.typed()), s.says):
		w.offers(w.typed())
	}
}

// describes offers the first of the moves that a text describes; if there is none, what else it may be about.
func (w *writer) describes(fit, others []choice) {
	if len(fit) > 0 {
		w.offers(turn.InWords(w.p, w.l.look.Line, fit[0].move))
		return
	}
	w.lines = append(w.lines, w.text("garbled.there"))
	for i := range others {
		others[i].label = turn.InWords(w.p, w.l.look.Line, others[i].move)
	}
	w.options(others)
}

func (w *writer) offers(line string) {
	if line != "" {
		w.lines = append(w.lines, w.text("garbled.form", "example", words.Isolated(line)))
	}
}

// suitor judges which of the listed moves keep to what a text says.
type suitor struct {
	repeated
	v      *vocabulary
	line   *domain.Line
	words  []string // those that are not little
	denied []string // those behind a word that denies
	begins string   // the last that begins a move: what a move does, or what it is about; "" for none
	denies bool
}

func (v *vocabulary) suitor(text string, at *domain.Line) *suitor {
	said, little := tokens(text), v.littleWords()
	s := &suitor{repeated: repeated{said, make([]bool, len(said)), v.alike, little}, v: v, line: at}
	behind := false
	for _, word := range said {
		if !little[word] && v.begins([]string{word}) {
			s.begins = word
		}
		switch {
		case little[word]:
		case reply.Denies(word):
			s.denies, behind = true, true
			s.words = append(s.words, word)
		case behind:
			s.denied, behind = append(s.denied, word), false
			fallthrough
		default:
			s.words = append(s.words, word)
		}
	}
	return s
}

// says reports whether the text has a word, or one that means the same.
func (s *suitor) says(word string) bool {
	return slices.ContainsFunc(s.words, func(said string) bool { return s.same(word, said) })
}

// shares returns how many words of the text a move has.
func (s *suitor) shares(e *entry) (n int) {
	all := tokens(e.Label())
	for _, word := range s.words {
		if slices.ContainsFunc(all, func(is string) bool { return s.same(is, word) }) {
			n++
		}
	}
	return n
}

// at reports whether the text names the place of a move by its two numbers.
func (s *suitor) at(e *entry) bool {
	return slices.ContainsFunc(e.steps, func(step step) bool { return paired(step.name) && s.takes(step.name, false) })
}

func paired(name []string) bool { return len(name) == 2 && number(name[0]) && number(name[1]) }

// wants returns a function that reports whether a move is about what the text is about, and has nothing of what it
// denies: of several that differ in that alone, only the one that does without is wanted.
func (s *suitor) wants(all []entry) func(e *entry) bool {
	none := func(e *entry) bool { return slices.ContainsFunc(tokens(e.Label()), reply.None) }
	without := map[string]bool{} // the choices before one that does without
	for i := range all {
		if none(&all[i]) {
			without[before(&all[i])] = true
		}
	}
	return func(e *entry) bool {
		label := tokens(e.Label())
		has := func(word string) bool {
			return slices.ContainsFunc(label, func(is string) bool { return s.same(is, word) })
		}
		return (s.begins == "" || has(s.begins)) &&
			(!s.denies || none(e) || !without[before(e)] && !slices.ContainsFunc(s.denied, has))
	}
}

// before returns the choices before the last of a move.
func before(e *entry) string {
	keys := e.Keys()
	return strings.Join(keys[:max(0, len(keys)-1)], "/")
}
