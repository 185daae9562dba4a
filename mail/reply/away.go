package reply

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const mostAway = 40 // octets that say until when somebody is away

// away returns until when a line says that its writer will be away, perhaps politely. Some words for it, and for coming
// back, count only beside a day.
func away(line string) (until string, ok bool) {
	until, ok = gone(line)
	for i, r := range line {
		if !ok && strings.ContainsRune(",.!;:", r) && Polite(line[:i]) {
			until, ok = gone(line[i+utf8.RuneLen(r):])
		}
	}
	return until, ok && len(until) <= mostAway
}

func gone(line string) (until string, ok bool) {
	for i, r := range line {
		if strings.ContainsRune(",.!;", r) && Polite(line[i:]) {
			line = line[:i]
			break
		}
	}
	if until, ok = after("away", line); ok {
		return until, true
	}
	if until, ok = after("gone", line); ok {
		return until, dayAlone(until)
	}
	day, ok := after("return", line)
	return line, ok && dayAlone(day)
}

// awayToo cuts a line that says something else and, in its last words, that its writer will be away: until a day, or on
// one that stands before it ("and tomorrow I'm not here").
func awayToo(line string) (before, until string, ok bool) {
	if strings.Contains(line, "?") {
		return "", "", false
	}
	all := strings.Fields(line)
	for at := 1; at < len(all); at++ {
		for n := min(mostPhrase, len(all)-at); n > 1; n-- {
			said := strings.TrimRight(strings.Join(all[at:at+n], " "), ".,!")
			if !typed.is("away", said) && !typed.is("gone", said) {
				continue
			}
			from := at
			if until = strings.TrimRight(strings.Join(all[at+n:], " "), ".,! "); until == "" {
				for from > 1 && dayAlone(strings.Join(all[from-1:at], " ")) {
					from--
				}
				until = strings.Join(all[from:at], " ")
			}
			for from > 1 && slices.ContainsFunc([]string{"join", "oh", "self"},
				func(kind string) bool { return typed.is(kind, all[from-1]) }) {
				from--
			}
			before = strings.TrimRight(strings.Join(all[:from], " "), ", ")
			return before, until, dayAlone(until) && !typed.within("not", before) && !typed.within("but", before)
		}
	}
	return "", "", false
}
