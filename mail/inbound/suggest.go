package inbound

import (
	"regexp"
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
	lie := make([][]part, len(entries))
	for i := range entries {
		lie[i] = s.parts(&entries[i], at)
	}
	described := s.described(slices.Concat(lie...))
	best, most, there := (*entry)(nil), 0, []entry(nil)
	wants := s.wants(entries)
	for i := range entries {
		e := &entries[i]
		if !wants(e) {
			continue
		}
		if s.at(e) {
			there = append(there, *e)
		}
		if n := s.shares(e); n > most && !s.gainsaid(e.steps) && s.fits(lie[i], described) {
			best, most = e, n
		}
	}
	switch {
	case best != nil:
		w.offers(turn.InWords(w.p, at, best.Move))
	case len(there) > 0:
		w.lines = append(w.lines, w.text("garbled.there"))
		slices.SortStableFunc(there, func(a, b entry) int { return s.shares(&b) - s.shares(&a) })
		var which []choice
		for _, e := range there {
			which = append(which, choice{e.Move, turn.InWords(w.p, at, e.Move)})
		}
		w.options(which)
	case len(entries) == 0 || slices.ContainsFunc(tokens(w.typed()), s.says):
		w.offers(w.typed())
	}
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

// part is a part of what a move puts down: what it is called, and the sides on which it lies.
type part struct{ name, sides []string }

// bracketed is a part in words: "city (north, west)".
var bracketed = regexp.MustCompile(`^(.*)\(([^)]*)\)$`)

// parts returns the parts of what a move puts down.
func (s *suitor) parts(e *entry, at *domain.Line) (list []part) {
	if lies := s.v.rulebook.Extras().Lies; lies != nil {
		for _, say := range lies(at.State, e.Move) {
			if of := bracketed.FindStringSubmatch(s.v.p.Say(say)); of != nil {
				list = append(list, part{tokens(of[1]), tokens(of[2])})
			}
		}
	}
	return list
}

// described returns what the text says of the parts of what is put down, with the sides on which they are to lie:
// "city south and west". Parts lists all that any move puts down.
func (s *suitor) described(parts []part) (list []part) {
	has := func(of func(part) []string, word string) bool {
		return slices.ContainsFunc(parts, func(p part) bool {
			return slices.ContainsFunc(of(p), func(is string) bool { return s.same(is, word) })
		})
	}
	last, before := -1, []string(nil)
	for _, word := range s.words {
		switch side := has(func(p part) []string { return p.sides }, word); {
		case side && last >= 0:
			list[last].sides = append(list[last].sides, word)
		case side:
			before = append(before, word)
		case has(func(p part) []string { return p.name }, word):
			list, last, before = append(list, part{[]string{word}, before}), len(list), nil
		case s.v.listed(word, s.line): // a part that has no sides here, or whoever stands on one
			last, before = -1, nil
		}
	}
	return list
}

// fits reports whether what is put down has the parts that the text describes, where it says.
func (s *suitor) fits(parts, described []part) bool {
	all := func(words, of []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool {
			return !slices.ContainsFunc(of, func(is string) bool { return s.same(is, word) })
		})
	}
	return !slices.ContainsFunc(described, func(d part) bool {
		return !slices.ContainsFunc(parts, func(p part) bool { return all(d.name, p.name) && all(d.sides, p.sides) })
	})
}
