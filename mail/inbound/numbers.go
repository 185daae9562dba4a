package inbound

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// between is a dash that stands between two numbers; where one begins, it is a minus.
var between = regexp.MustCompile(`(\d)-`)

// numbersOf returns the numbers of a text in order, and whether it has nothing else but signs and an and.
func numbersOf(text string) (list []int, only bool) {
	only = true
	for _, w := range strings.FieldsFunc(between.ReplaceAllString(domain.Fold(text), "$1 "), func(r rune) bool {
		return strings.ContainsRune(" ,;/&.()[]#", r)
	}) {
		if n, err := strconv.Atoi(w); err == nil {
			list = append(list, n)
		} else {
			only = only && len(list) > 0 && slices.Contains([]string{"and", "e", "i", "oraz"}, w)
		}
	}
	return list, only && len(list) > 0
}

// numbered returns the playable listed moves whose numbers are those of a text that has nothing else: what
// else their names have are letters that tell what to do there. ok is false if a text is no such one, or no numbers are
// listed.
func (v *vocabulary) numbered(text string, at *domain.Line) (fit []choice, ok bool) {
	want, only := numbersOf(text)
	if !only {
		return nil, false
	}
	fit = v.playable(at, func(n turn.Named) bool {
		list, _ := numbersOf(n.Name)
		ok = ok || len(list) > 0
		return slices.Equal(list, want)
	}, func(n turn.Named) string { return v.inFull(n.Move, at) })
	return fit, ok
}

// counted reports whether a text has nothing but the numbers of a move in the mail's list.
func (v *vocabulary) counted(text string) bool {
	want, only := numbersOf(reply.Plain(text))
	return only && slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
		list, _ := numbersOf(n.Name)
		return slices.Equal(list, want)
	})
}

// inFull returns a move as its player may type it, and in words: in another language than the notation's in words
// alone, if they are one move's.
func (v *vocabulary) inFull(m domain.Move, at *domain.Line) string {
	typed, said := strings.ReplaceAll(v.rulebook.FormatMove(m, v.names), "_", " "), turn.InWords(v.p, at, m)
	called := v.lists(at)[0].those(func(n turn.Named) bool { return n.Label() == said })
	switch {
	case typed == said:
		return typed
	case (v.foreign(typed) || coded(typed)) && len(called) < 2, strings.HasPrefix(said, typed+" ") && len(called) == 0:
		return said
	}
	return typed + " (" + said + ")"
}

// code is what nobody says so: a word with a number in it.
var code = regexp.MustCompile(`^into |\pL{3,}\d`)

// coded reports whether a move's name is not one in which people speak: "corners hills1 fields1", "into 0a".
func coded(name string) bool { return code.MatchString(name) }

// foreign reports whether a move's name has a word of the notation's, which is English, where the reader's language is
// another.
func (v *vocabulary) foreign(name string) bool { return v.p.Lang() != "en" && hasWord(name) }

// hasWord reports whether a name has a word.
func hasWord(name string) bool {
	return slices.ContainsFunc(tokens(name), func(w string) bool { return !number(w) && utf8.RuneCountInString(w) > 2 })
}

// unfit says of numbers that fit no move what could be written instead, at the same place if that can be, or nil if
// nothing in the mail's list can.
func (v *vocabulary) unfit(text string, at *domain.Line) *question {
	want, _ := numbersOf(reply.Plain(text))
	alike := func(n turn.Named) (same int) {
		list, _ := numbersOf(n.Name)
		for same < min(len(list), len(want)) && list[same] == want[same] {
			same++
		}
		return same
	}
	nearest := slices.SortedStableFunc(slices.Values(v.mailed.moves), func(a, b turn.Named) int {
		return alike(b) - alike(a)
	})
	for _, n := range nearest {
		if list, _ := numbersOf(n.Name); len(list) == 0 {
			continue
		}
		if _, _, err := at.Decide(v.seat, n.Move); err == nil {
			example := v.rulebook.FormatMove(n.Move, v.names)
			if v.foreign(example) {
				example = n.Label()
			}
			return &question{key: "numbers", pairs: []any{"text", words.Isolated(text), "example",
				words.Isolated(example)}}
		}
	}
	return nil
}

// beside reports whether a number is said beside the word that it stands beside somewhere in a phrase: "1 from gold
// field 1" has it twice.
func (r repeated) beside(phrase []string, number string) bool {
	for i, w := range phrase {
		before := i > 0 && w == number && r.takes(phrase[i-1:i+1], false)
		if before || i+1 < len(phrase) && w == number && r.takes(phrase[i:i+2], false) {
			return true
		}
	}
	return false
}
