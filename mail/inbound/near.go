package inbound

import (
	"regexp"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// near returns the listed move that a line which is none is nearest to, in words: each word and number of it is one of
// that move's, or but for a slip. It returns "" if there is none.
func (v *vocabulary) near(text string, at *domain.Line) string {
	said := slices.DeleteFunc(tokens(reply.Plain(text)), func(w string) bool { return v.littleWords()[w] })
	if len(said) == 0 || !at.Awaits(v.seat) {
		return ""
	}
	best, least := "", 0
	for _, n := range v.lists(at)[0].moves {
		for _, name := range []string{n.Label(), v.rulebook.FormatMove(n.Move, v.names)} {
			all := tokens(name)
			if slices.ContainsFunc(said, func(w string) bool {
				return !slices.ContainsFunc(all, func(is string) bool { return slipped(w, is) })
			}) || best != "" && len(all) >= least {
				continue
			}
			best, least = turn.InWords(v.p, at, n.Move), len(all)
		}
	}
	return best
}

// leastSlip is how many letters a word must have that is known in spite of a slip.
const leastSlip = 3

// slipped reports whether a word is another one but for a slip, or the beginning of it.
func slipped(said, is string) bool {
	a, b := []rune(said), []rune(is)
	if said == is || number(said) || number(is) || min(len(a), len(b)) < leastSlip {
		return said == is
	}
	return strings.HasPrefix(is, said) || slips(a, b) // or cut short
}

// slips reports whether a word is another one but for one letter too much, missing, wrong or changed with the next.
func slips(a, b []rune) bool {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	j := 0
	for j < min(len(a), len(b)) && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	a, b = a[:len(a)-j], b[:len(b)-j]
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// corrected returns a text with the words of the list for those that are nearly one of them, and no other's.
func (v *vocabulary) corrected(text string, at *domain.Line) string {
	l := v.lists(at)[0]
	v.listed("", at) // makes the words
	return word.ReplaceAllStringFunc(text, func(said string) string {
		folded := []rune(domain.Fold(said))
		if len(folded) < leastCorrected-1 || v.understood(said) {
			return said
		}
		found, near := "", 0
		for is, counts := range l.words {
			if is := []rune(is); counts && len(is) >= leastCorrected && slips(folded, is) {
				found, near = string(is), near+1
			}
		}
		if near != 1 {
			return said
		}
		return found
	})
}

// listedAs returns a move of the list, or nothing for one that is filled in.
func (v *vocabulary) listedAs(m domain.Move, at *domain.Line) []domain.Move {
	return v.lists(at)[0].those(func(n turn.Named) bool { return n.Move == m })
}

var word = regexp.MustCompile(`\pL+`)

// leastCorrected is how many letters a word must have to be meant by one that is nearly it.
const leastCorrected = 4

// unsaid notes lines beside what was done that went to nobody.
func (w *writer) unsaid(lines ...string) {
	for _, text := range lines {
		if text = strings.TrimSpace(text); text != "" && !reply.Polite(text) && !w.v.beside[text] &&
			!slices.Contains(w.idle, text) {
			w.idle = append(w.idle, text)
		}
	}
}

// unheard notes what stands beside a yes or a no.
func (w *writer) unheard(lines []string) {
	for _, clause := range reply.Clauses(strings.Join(lines, "\n")) {
		if reply.Besides([]string{clause}) {
			w.idle = append(w.idle, strings.TrimRight(clause, ".,;!"))
		}
	}
}

// besides tells the writer which of their lines went to nobody, and what could be written instead.
func (w *writer) besides() (lines []string) {
	if len(w.idle) == 0 {
		return nil
	}
	var quoted []string
	for _, text := range w.idle {
		quoted = append(quoted, short(text))
	}
	lines = []string{w.text("besides", "text", strings.Join(quoted, " / "))}
	if w.l.kind != "" || w.l.look.Line == nil {
		return lines
	}
	for _, text := range w.idle {
		if near := w.v.near(text, w.l.look.Line); near != "" {
			return append(lines, w.text("near", "example", near))
		}
	}
	return lines
}

// mostQuoted is how many characters of a line an answer quotes.
const mostQuoted = 60

func short(text string) string {
	if all := []rune(text); len(all) > mostQuoted {
		return strings.TrimSpace(string(all[:mostQuoted])) + "…"
	}
	return text
}
