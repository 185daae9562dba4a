package reply

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Qualified reports whether something in an answer may qualify the yes or no that it says: a but, an if or an only in
// any line, a clause that says the opposite, a yes that is put off, or a no with a question. Beside a no, and beside a
// yes that cannot be undone, anything else does that is neither politeness nor idle: many a sentence begins with one
// and says yes, or later. Idle is nil if such a yes may stand beside anything.
func Qualified(said Said, lines []string, idle func(clause string) bool) bool {
	for _, line := range lines {
		asks := strings.Contains(line, "?")
		if said == SaidNo && asks {
			return true
		}
		for _, clause := range clauses(line) {
			now := yesNo(clause)
			opposite := now != SaidNothing && now != said || said == SaidYes && typed.within("putoff", clause)
			if opposite || typed.within("but", remaining(clause)) ||
				idle != nil && !polite(clause, line) && (asks || !idle(clause)) {
				return true
			}
		}
	}
	return false
}

// remaining returns a clause without the phrases of the vocabulary that a but belongs to, as in "but of course".
func remaining(clause string) string {
	var left []string
	for all := strings.Fields(clause); len(all) > 0; {
		_, n := phrase(all)
		if n < 2 {
			left, n = append(left, all[0]), 1
		}
		all = all[n:]
	}
	return strings.Join(left, " ")
}

// polite reports whether a clause has nothing but yes or no, greetings, and names.
func polite(clause, line string) bool {
	all := strings.Fields(clause)
	for n := min(len(all), mostPhrase); n > 0; n-- {
		if typed.is("farewell", strings.Join(all[:n], " ")) {
			return len(all) <= mostFarewell && !strings.ContainsFunc(clause, unicode.IsDigit) &&
				!typed.within("not", clause)
		}
	}
	names, others := 0, 0
	for len(all) > 0 {
		if _, n := phrase(all); n > 0 {
			all, others = all[n:], others+n
			continue
		}
		if strings.ContainsFunc(all[0], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			if names++; !name(all[0]) {
				return false
			}
		}
		all = all[1:]
	}
	exclaimed := others == 0 && strings.Contains(line, clause+"!") && !strings.Contains(line, ","+clause)
	return names <= mostNames && (names == 0 || !exclaimed && !strings.Contains(line, "?"))
}

// Retracts reports whether a line may take back what stands above it: behind politeness it begins with a not, or with
// a word such as "wait".
func Retracts(line string) bool {
	for _, clause := range clauses(line) {
		all := strings.Fields(clause)
		for len(all) > 1 && typed.is("oh", all[0]) {
			all = all[1:]
		}
		for n := min(len(all), mostPhrase); n > 0; n-- {
			if begin := strings.Join(all[:n], " "); typed.is("retract", begin) || typed.is("not", begin) {
				return !Polite(line)
			}
		}
		if !polite(clause, line) && !typed.is("oh", clause) {
			return false
		}
	}
	return false
}

// Board reports whether a line asks to see the board, politely or not.
func Board(line string) bool { return asks("board", line) }

// Moves reports whether a line asks to see all moves, politely or not.
func Moves(line string) bool { return asks("moves", line) }

func asks(kind, line string) bool {
	asked := false
	for _, clause := range clauses(line) {
		said := strings.Trim(clause, " .!?")
		if typed.is(kind, said) || typed.is(kind, Plain(said)) {
			asked = true
		} else if !polite(clause, line) {
			return false
		}
	}
	return asked
}

// Polite reports whether a line has nothing but greetings, courtesy and names.
func Polite(line string) bool {
	return !slices.ContainsFunc(clauses(line), func(clause string) bool {
		return yesNo(clause) != SaidNothing || !polite(clause, line)
	})
}

const (
	mostFarewell = 6 // words of a clause that begins with a farewell: "see you on Sunday then"
	mostNames    = 2 // a person's name
)

// name reports whether a word may be a name: it alone begins with a capital letter, and is no number, day or time.
func name(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	if !unicode.IsUpper(first) || strings.ContainsFunc(word[size:], unicode.IsUpper) || isDay(word) {
		return false
	}
	return !slices.ContainsFunc([]string{"number", "one", "today", "tomorrow", "until", "then", "filler"},
		func(kind string) bool { return typed.is(kind, word) })
}

// Plain returns a text without greetings, please and thanks before and after it, and without words that only say that
// its writer does it, or wishes to.
func Plain(text string) string {
	if Done(text) {
		return text
	}
	if title, rest, ok := strings.Cut(text, ":"); ok && typed.is("title", title) {
		return Plain(strings.TrimSpace(rest))
	}
	all := pleaseless(strings.Fields(text))
	text = strings.Join(all, " ")
	courteous := func(some []string) bool {
		said := strings.Trim(strings.Join(some, " "), ",.;:!()")
		return said == "" || typed.is("courtesy", said) || typed.is("lead", said)
	}
	for n := min(mostCourtesy, len(all)-1); n > 0; n-- {
		begin := strings.Join(all[:n], " ")
		letter := len(begin) == 1 && strings.ContainsFunc(all[n], unicode.IsDigit) // of a list: "i 23"
		if courteous(all[:n]) || typed.is("wish", begin) || typed.is("self", begin) && !letter {
			return Plain(strings.Join(all[n:], " "))
		}
		if end := len(all) - n; courteous(all[end:]) {
			return Plain(strings.TrimRight(strings.Join(all[:end], " "), ",.;! "))
		}
	}
	if at := strings.LastIndexAny(text, ",.;!"); at > 0 && farewell(text[at+1:]) {
		return Plain(strings.TrimRight(text[:at], ",.;! "))
	}
	return text
}

// pleaseless drops each please between other words, with a comma behind it that nothing else needs.
func pleaseless(all []string) []string {
	for n := mostPlease; n > 0; n-- {
		for i := 1; i+n < len(all); i++ {
			if said := strings.Join(all[i:i+n], " "); typed.is("please", strings.TrimRight(said, ",")) {
				all = slices.Delete(slices.Clone(all), i, i+n)
			}
		}
	}
	return all
}

const mostPlease = 3 // words of a please

// farewell reports whether a clause takes leave politely, perhaps by name.
func farewell(clause string) bool {
	all := strings.Fields(clause)
	return polite(clause, clause) && slices.ContainsFunc([]int{1, 2, 3, 4}, func(n int) bool {
		return n <= len(all) && typed.is("farewell", strings.Join(all[:n], " "))
	})
}

const mostCourtesy = mostPhrase // words of a courtesy or a wish
