package reply

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Idle reports whether a clause, which is no answer and no move, leaves alone what stands beside it: it denies and
// doubts nothing, asks nothing, sets no condition and no time, and counts nothing. Whether it speaks of a game is not
// known here.
func Idle(clause string) bool {
	if strings.ContainsAny(clause, "?:") || strings.ContainsFunc(clause, unicode.IsDigit) {
		return false
	}
	if leads(clause) {
		return true // "then, road 44"
	}
	for part := range strings.SplitSeq(strings.Join(clauses(clause), "\n"), "\n") {
		if said := yesNo(part); said == SaidNo || said == SaidUnsure {
			return false
		}
		left := remaining(part)
		for _, kind := range []string{"but", "not", "unsure", "then", "retract", "stands", "number", "hold", "none"} {
			if typed.within(kind, left) {
				return false
			}
		}
		for w := range strings.FieldsSeq(left) {
			if isDay(w) {
				return false
			}
		}
	}
	return true
}

// Known reports whether a clause is courtesy, a yes, or a word that leads on to something.
func Known(clause string) bool { return Polite(clause) || leads(clause) || yesNo(clause) == SaidYes }

// Tells reports whether a clause says how something is.
func Tells(clause string) bool {
	all := strings.Fields(strings.Trim(clause, ",.!… "))
	return typed.within("tells", clause) && !typed.within("wish", clause) && !typed.within("wants", clause) ||
		len(all) > 1 && (typed.is("praise", all[0]) || typed.is("praise", strings.Join(all[:2], " ")))
}

// Over reports whether a line ends by saying that this is all, which may mean the turn, or the mail.
func Over(line string) bool {
	all := strings.Fields(strings.TrimRight(line, ".!… "))
	for n := min(len(all), mostPhrase); n > 0; n-- {
		if typed.is("over", strings.Join(all[len(all)-n:], " ")) {
			return true
		}
	}
	return false
}

// ToAll reports whether a clause is to everybody.
func ToAll(clause string) bool {
	return typed.within("everybody", strings.TrimRight(clause, ",.!… "))
}

func leads(clause string) bool {
	said := strings.Trim(clause, ",.;!… ")
	return typed.is("self", said) || typed.is("join", said)
}

// Glad reports whether a clause may stand beside a yes that cannot be undone: it has nothing but courtesy, names, and
// what people are known to say when they are glad of a deal. Any other words may take the yes back.
func Glad(clause string) bool {
	for all := strings.Fields(strings.Trim(clause, ".,;!… ")); len(all) > 0; {
		n := min(len(all), mostPhrase)
		for n > 0 && !typed.is("glad", strings.Join(all[:n], " ")) {
			n--
		}
		if said, m := phrase(all); m > n && (said == SaidNothing || said == SaidYes) {
			n = m
		}
		if n == 0 {
			return polite(strings.Join(all, " "), clause)
		}
		all = all[n:]
	}
	return true
}

// Praises reports whether a few words praise something: "lovely tile", "what a road".
func Praises(clause string) bool {
	all := strings.Fields(strings.Trim(clause, ".!… "))
	return len(all) > 1 && len(all) <= mostFarewell &&
		(typed.is("praise", all[0]) || typed.is("praise", strings.Join(all[:2], " ")))
}

// Untagged returns a line without the question mark behind a request, and without a please that is put as a question:
// "could you buy a card?" and "buy a card, will you?" ask for nothing but that.
func Untagged(line string) string {
	all := Clauses(line)
	if !strings.HasSuffix(line, "?") || len(all) == 0 {
		return line
	}
	last := strings.TrimRight(all[len(all)-1], "? ")
	words := strings.Fields(last)
	if typed.is("tag", last) && len(all) > 1 {
		return strings.TrimRight(strings.Join(all[:len(all)-1], " "), ",; ")
	}
	for n := min(mostPhrase, len(words)-1); n > 0; n-- {
		if typed.is("request", strings.Join(words[:n], " ")) {
			return strings.TrimRight(line, "? ")
		}
	}
	return line
}

// smiley is a face drawn with signs.
var smiley = regexp.MustCompile(`(^|\s)([:;=8][-']?[)(DPpdoO/\\|*]+|<3+|\^[_.]?\^|[xX]D+)(\s|$)`)

// Drawn returns a line without emphasis and the faces and pictures in it, but for a thumb that
// alone says yes, and one that says no.
func Drawn(line string) string {
	for _, arrow := range []string{"-> ", "=> ", "→ ", "» "} {
		line = strings.TrimPrefix(line, arrow)
	}
	line = strings.TrimLeft(smiley.ReplaceAllString(line, " "), "* ")
	says := strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '*', r == '\uFE0F', r == '\u200D', r == '👍' && says:
			return -1
		case r != '👍' && r != '👎' && r > unicode.MaxLatin1 && unicode.In(r, unicode.So, unicode.Sk):
			return -1
		}
		return r
	}, line)
	return strings.Join(strings.Fields(line), " ")
}

// Reasons reports whether a clause says what its writer has, has not, needs or keeps: why they say no, unless it counts
// or would trade something.
func Reasons(clause string) bool {
	if strings.ContainsAny(clause, "?:") || strings.ContainsFunc(clause, unicode.IsDigit) {
		return false
	}
	left := remaining(clause)
	return typed.within("reason", clause) && !slices.ContainsFunc([]string{"but", "number", "unsure", "price"},
		func(kind string) bool { return typed.within(kind, left) })
}

// Priced reports whether a clause has a word for what is wanted for something.
func Priced(clause string) bool { return typed.within("price", clause) }

// Price returns what a line asks for that says nothing else, as "only for two bricks" does.
func Price(line string) (price string, ok bool) {
	all := strings.Fields(strings.TrimRight(Plain(line), ".!? "))
	for n := min(mostPhrase, len(all)-1); n > 0; n-- {
		if typed.is("only", strings.Join(all[:n], " ")) {
			return strings.Join(all[n:], " "), true
		}
	}
	return "", false
}

// Clauses cuts a line where its writer paused: behind the marks that end a sentence or a part of one, and at dashes
// between spaces. Each keeps its marks.
func Clauses(line string) (out []string) {
	begin := 0
	cut := func(end int) {
		if text := strings.TrimSpace(line[begin:end]); text != "" {
			out = append(out, text)
		}
		begin = end
	}
	for i, r := range line {
		next := line[i+len(string(r)):]
		switch {
		case strings.ContainsRune(".,;!?…)", r) && (next == "" || next[0] == ' '):
			cut(i + len(string(r)))
		case i > 0 && (r == '(' || line[i-1] == ' ' && strings.HasPrefix(next, " ") && strings.ContainsRune("-–—", r)):
			cut(i)
		}
	}
	cut(len(line))
	return out
}
