package people

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"posthorn/domain/languages"
)

//go:embed confusables.txt
var confusablesText string

// confusables maps each character to what it may be taken for, by UTS #39.
var confusables = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(confusablesText) {
		to, from, ok := strings.Cut(strings.TrimSpace(line), " < ")
		if !ok || line[0] == '#' {
			continue
		}
		looks := string(codePoints(to))
		for _, r := range codePoints(from) {
			out[r] = looks
		}
	}
	return out
})

func codePoints(text string) []rune {
	var out []rune
	for _, f := range strings.Fields(text) {
		n, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			panic("people: confusables.txt: " + err.Error()) // embedded
		}
		out = append(out, rune(n))
	}
	return out
}

// skeleton returns a text's looks, as UTS #39 defines it; texts with the same skeleton look alike. Styled letters,
// which that table leaves to others, count as the letters they are (see bare), and invisible characters are left out.
func skeleton(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.Map(bare, text)) {
		switch looks, ok := confusables()[r]; {
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		case ok:
			b.WriteString(looks)
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFD.String(b.String())
}

// smallCapitals maps letters that differ from capitals only in height to those capitals.
var smallCapitals = func() map[rune]rune {
	out := map[rune]rune{}
	capitals := []rune("ABCDEFGHIJKLMNOPQRSTUVWYZ")
	for i, r := range []rune("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ") {
		out[r] = capitals[i]
	}
	return out
}()

// bare returns a letter without the box or disc around it, where Unicode does not say which letter it is, and the
// capital of a small one.
func bare(r rune) rune {
	for _, first := range []rune{0x1F150, 0x1F170, 0x1F1E6} { // in a disc, in a box, of flags
		if r >= first && r < first+26 {
			return 'A' + r - first
		}
	}
	if capital, ok := smallCapitals[r]; ok {
		return capital
	}
	return r
}

// Alike reports whether two names can be mistaken for each other: they look alike, as they are or in lower case.
func Alike(a, b string) bool {
	return strings.EqualFold(skeleton(a), skeleton(b)) || small(a) == small(b)
}

func small(name string) string { return strings.ToLower(skeleton(strings.ToLower(name))) }

// maxMarks is how many marks one letter may carry; no language needs more.
const maxMarks = 2

// stacked reports whether marks are piled up so that they cover the lines around.
func stacked(name string) bool {
	n := 0
	for _, r := range name {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			n = 0
		} else if n++; n > maxMarks {
			return true
		}
	}
	return false
}

// together lists scripts that one language mixes in one word, as UTS #39 has them for what it calls highly
// restrictive.
var together = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"},
	{"Latin", "Han", "Bopomofo"},
	{"Latin", "Han", "Hangul"},
}

// oneScript reports whether a name's letters are of one script, or of scripts that are written together: a Cyrillic
// letter in a Latin name is there to deceive.
func oneScript(name string) bool {
	var used []string
	for _, r := range name {
		s := scriptOf(r)
		if s != "" && !slices.Contains(used, s) {
			used = append(used, s)
		}
	}
	if len(used) <= 1 {
		return true
	}
	return slices.ContainsFunc(together, func(set []string) bool {
		return !slices.ContainsFunc(used, func(s string) bool { return !slices.Contains(set, s) })
	})
}

// scriptOf returns a letter's script, "" for letters that all scripts share.
func scriptOf(r rune) string {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return ""
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return "unknown"
}

// ours are the names of the house and of those who run it, in its languages. Nobody's name may look like one of them.
// lead holds words that leave the meaning of what follows unchanged: “The host” is still the host. Both are compared
// with names after they went through [letters] of [small].
var ours, lead = func() (ours, lead []string) {
	for _, l := range languages.Known {
		for _, word := range l.Ours {
			ours = append(ours, letters(small(word)))
		}
		for _, word := range l.Lead {
			lead = append(lead, letters(small(word)), letters(strings.ToLower(skeleton(word))))
		}
	}
	return ours, lead
}()

// leads reports whether a text consists of at most that many words of lead.
func leads(text string, most int) bool {
	return text == "" || most > 0 && slices.ContainsFunc(lead, func(word string) bool {
		before, ok := strings.CutSuffix(text, word)
		return ok && leads(before, most-1)
	})
}

// given matches, in lower case, the names that the house gives, in each language, with or without their accents: to
// somebody who has said none, and to a computer's seat. Among the digits 0 looks like o, and 1 like l.
var given = func() *regexp.Regexp {
	var all []string
	for _, l := range languages.Known {
		for key, of := range map[string][2]string{"guest": {"{code}", "[0-9a-fol]{4}"},
			"standin": {"{letter}", "[0-9a-z]"}} {
			var text string
			if json.Unmarshal(l.Texts["house"]["house."+key], &text) == nil {
				before, after, _ := strings.Cut(text, of[0])
				name := regexp.QuoteMeta(small(before)) + of[1] + regexp.QuoteMeta(small(after))
				all = append(all, accents.ReplaceAllString(name, "$0?"))
			}
		}
	}
	return regexp.MustCompile("^(" + strings.Join(all, "|") + ")$")
}()

var accents = regexp.MustCompile(`\pM`)

// reserved reports whether a name could be taken for the house, even with digits read as letters.
func reserved(name string) bool {
	parts := strings.Fields(name)
	for n := range min(len(parts), 3) {
		before, rest := strings.Join(parts[:n], ""), strings.Join(parts[n:], " ")
		if leads(letters(small(before)), n) && given.MatchString(small(rest)) {
			return true
		}
	}
	var looks []string
	for _, text := range []string{name, digits.Replace(name), strings.Map(noDigit, name)} {
		looks = append(looks, letters(small(text)), letters(strings.ToLower(skeleton(text))))
	}
	for _, word := range ours {
		if slices.ContainsFunc(looks, func(l string) bool {
			before, ok := strings.CutSuffix(l, word)
			return ok && leads(before, 2)
		}) {
			return true
		}
	}
	house := letters(small("posthorn"))
	return slices.ContainsFunc(looks, func(l string) bool { return strings.Contains(l, house) })
}

// passesFor reports whether a name could be taken for that of somebody, even after words that change nothing.
func passesFor(name, somebody string) bool {
	theirs := letters(small(somebody))
	for _, text := range []string{name, digits.Replace(name), strings.Map(noDigit, name)} {
		words := strings.Fields(text)
		for n := 0; n < len(words) && n <= 2 && leads(letters(small(strings.Join(words[:n], ""))), n); n++ {
			rest := strings.Join(words[n:], " ")
			if Alike(rest, somebody) || theirs != "" && letters(small(rest)) == theirs {
				return true
			}
		}
	}
	return false
}

// digits maps digits to the letters that some read them as.
var digits = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "$", "s", "|", "i")

func noDigit(r rune) rune {
	if unicode.IsDigit(r) {
		return -1
	}
	return r
}

// letters returns a text's letters, without what stands between and on them.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, text)
}
