package reply

import (
	"strings"
)

// Language returns the language, of some by their tags, in which a mail asks to be written to, if it asks for nothing
// else and is only polite about it; "" for none.
func Language(lines []Line, tags []string) (asked string) {
	for _, l := range lines {
		if l.Kind != KindOther {
			return ""
		}
		for _, clause := range clauses(strings.TrimRight(Plain(l.Text), ".! ")) {
			tag := inLanguage(clause, tags)
			switch {
			case tag != "" && asked == "":
				asked = tag
			case tag != "" || !Polite(clause):
				return ""
			}
		}
	}
	return asked
}

// inLanguage returns the language that a clause names, with nothing beside it but that one is to be written to in it.
// Of two names of which one contains the other, the longer one counts.
func inLanguage(clause string, tags []string) (tag string) {
	all, long := strings.Fields(strings.TrimSpace(clause)), 0
	for from := range all {
		for to := from + 1; to <= len(all); to++ {
			for _, t := range tags {
				if to-from > long && typed.is("language."+t, strings.Join(all[from:to], " ")) &&
					saysLanguage(all[:from]) && saysLanguage(all[to:]) {
					tag, long = t, to-from
				}
			}
		}
	}
	return tag
}

// saysLanguage reports whether words beside the name of a language ask to be written to in it.
func saysLanguage(words []string) bool {
	return len(words) == 0 || typed.is("language", strings.Join(words, " "))
}
