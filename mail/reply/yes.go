package reply

import "strings"

// Said is what somebody says to a question.
type Said int

// What they may say.
const (
	SaidNothing Said = iota // about the question
	SaidYes
	SaidNo
	SaidUnsure // both, or that they do not know yet, or only if something else is so
)

// YesNo reads the answer to a question that takes yes or no: from the first line that says either.
func YesNo(lines []string) Said {
	for _, line := range lines {
		if said := yesNo(line); said != SaidNothing {
			return said
		}
	}
	return SaidNothing
}

// Besides reports whether an answer to a question asks or tells something besides its yes or no: a clause of some words
// that is none of it, and no greeting.
func Besides(lines []string) bool {
	for _, line := range lines {
		for _, clause := range clauses(line) {
			all := strings.Fields(clause)
			if _, n := phrase(all); n == 0 && (len(all) >= leastTold || len(all) > 1 && strings.Contains(line, "?")) {
				return true
			}
		}
	}
	return false
}

// leastTold is how many words tell something: two may be a name below a mail.
const leastTold = 3

// Greets reports whether a line is nothing but greetings and courtesy in words that are known.
func Greets(line string) bool {
	for _, clause := range clauses(line) {
		for all := strings.Fields(clause); len(all) > 0; {
			said, n := phrase(all)
			if n == 0 || said != SaidNothing {
				return false
			}
			all = all[n:]
		}
	}
	return true
}

// unparted takes away the comma of "of course not" in Polish.
var unparted = strings.NewReplacer(", ze ", " ze ", ", że ", " że ")

func clauses(line string) []string {
	line = unparted.Replace(line)
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(".,;:!?()\"*–—", r) })
}

// yesNo reads a line clause by clause: people say a word, and then say it again politely.
func yesNo(line string) (said Said) {
	for _, clause := range clauses(line) {
		switch now := clauseSays(strings.Fields(clause)); {
		case now == SaidNothing, now == said:
		case said == SaidNothing:
			said = now
		default:
			return SaidUnsure
		}
	}
	return said
}

// clauseSays reads words that no mark divides: a phrase of the vocabulary, and what comes after it.
func clauseSays(all []string) (said Said) {
	wished := false // the last phrase was
	for len(all) > 0 {
		now, n := phrase(all)
		if n == 0 {
			if said == SaidYes && typed.within("not", strings.Join(all, " ")) {
				return SaidUnsure
			}
			if wished {
				return SaidNothing // they want something else than to say yes
			}
			return said
		}
		wished = typed.is("wish", strings.Join(all[:n], " "))
		if all = all[n:]; now != SaidNothing && said != SaidNothing && now != said {
			return SaidUnsure
		}
		said = max(said, now)
	}
	return said
}

// mostPhrase is the most words of a phrase.
const mostPhrase = 6

// phrase returns what the longest phrase at the beginning of some words says, and how many words it has; 0 if they
// begin with none. Greetings and thanks say nothing.
func phrase(all []string) (said Said, n int) {
	for n = min(len(all), mostPhrase); n > 0; n-- {
		text := strings.Join(all[:n], " ")
		for said, kind := range []string{"lead", "yes", "no", "unsure"} {
			if typed.is(kind, text) {
				return Said(said), n
			}
		}
	}
	return SaidNothing, 0
}
