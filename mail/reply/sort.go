package reply

import (
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/domain/languages"
)

//go:embed words/typed.json
var files embed.FS

var typed = read()

func read() vocabulary {
	text, err := files.ReadFile("words/typed.json")
	if err != nil {
		panic("reply: " + err.Error())
	}
	var v vocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		panic("reply: words/typed.json: " + err.Error())
	}
	for _, text := range languages.Typed("mail") {
		var more vocabulary
		if err := json.Unmarshal(text, &more); err != nil {
			panic("reply: a language's typed.json: " + err.Error())
		}
		for kind, words := range more {
			if base, _, _ := strings.Cut(kind, "."); v[base] == nil { // "little.de" is of one language
				panic("reply: a language's typed.json: mail has no kind " + kind)
			}
			v[kind] = append(v[kind], words...)
		}
	}
	for _, words := range v {
		for i, w := range words {
			words[i] = domain.Fold(w)
		}
	}
	return v
}

// Kind is what a line is for.
type Kind string

// The kinds of lines. A line of no other kind may be a move, or anything.
const (
	KindOther Kind = "other"
	KindSay   Kind = "say"   // chat, after a word for it
	KindQuote Kind = "quote" // chat, in quotation marks
	KindAway  Kind = "away"  // somebody will be away; Text says until when, or is empty
	KindBack  Kind = "back"  // take back the last step
	KindHere  Kind = "here"  // whoever was away is back
)

// Line is a line and what it is for. Text leaves out the word that says so.
type Line struct {
	Kind Kind
	Text string
	Cut  bool // this is the beginning of a chat text that was too long
	// Joined are lines below a line of chat that were taken for the rest of it, as a mail program may have broken it.
	Joined []string
}

// Sort finds what each line is for. Text in quotation marks may span several lines, and so may chat that a mail program
// has broken.
func Sort(lines []string) []Line {
	var out []Line
	lines = slices.Clone(lines)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			continue
		}
		if text, n := inQuotes(lines[i:]); n > 0 {
			text, short := cut(text)
			out = append(out, Line{Kind: KindQuote, Text: text, Cut: short})
			i += n - 1
			continue
		}
		if text, ok := after("say", line); ok && text != "" {
			_, short := cut(line)
			var joined []string
			for ; i+1 < len(lines) && broken(lines[i], lines[i+1]); i++ {
				if joined = append(joined, lines[i+1]); len(text) <= longest {
					text += " " + lines[i+1]
				}
			}
			text, more := cut(text)
			out = append(out, Line{Kind: KindSay, Text: text, Cut: short || more, Joined: joined})
			continue
		}
		if text, ok := away(line); ok {
			out = append(out, Line{Kind: KindAway, Text: text})
			continue
		}
		if before, text, ok := awayToo(line); ok {
			out = append(out, Line{Kind: KindOther, Text: before}, Line{Kind: KindAway, Text: text})
			continue
		}
		if rest, ok := hereToo(line); ok && !here(line) {
			out, lines[i] = append(out, Line{Kind: KindHere, Text: line}), rest
			i--
			continue
		}
		switch {
		case here(line):
			out = append(out, Line{Kind: KindHere, Text: line}) // a greeting, if they are not away
		case undoes(line):
			out = append(out, Line{Kind: KindBack})
		default:
			out = append(out, Line{Kind: KindOther, Text: line})
		}
	}
	return out
}

// undoes reports whether a line takes the last step back, perhaps politely: with a phrase for it, or with a verb for it
// and nothing but words for a step. Another clause may say why, if it sets no condition and counts nothing.
func undoes(line string) bool {
	if line = Untagged(line); strings.Contains(line, "?") {
		return false
	}
	done := false
	var beside []string
	for _, clause := range clauses(line) {
		all := strings.Fields(Plain(strings.TrimSpace(clause)))
		for len(all) > 1 && (typed.is("oh", all[0]) || typed.is("retract", all[0])) {
			if all = all[1:]; len(all) > 1 && typed.is("not", all[0]) { // "wait, no, undo"
				all = all[1:]
			}
		}
		text := strings.Join(all, " ")
		what, ok := after("undo", text)
		if typed.is("back", text) || ok && !slices.ContainsFunc(strings.Fields(what),
			func(w string) bool { return !typed.is("step", w) }) {
			done = true
		} else if !Greets(clause) && !typed.is("oh", text) && !typed.is("retract", text) {
			beside = append(beside, clause)
		}
	}
	return done && !slices.ContainsFunc(beside, func(clause string) bool {
		denies := typed.within("not", clause) && len(strings.Fields(clause)) < leastTold
		return strings.ContainsFunc(clause, unicode.IsDigit) || typed.within("but", clause) || denies ||
			typed.within("unsure", clause) || polite(clause, clause)
	})
}

// Undone returns what a line says behind a clause that takes the last step back; "" if it has no such clause, or
// nothing behind it.
func Undone(line string) string {
	all := clauses(line)
	if len(all) < 2 || !undoes(strings.TrimSpace(all[0])) {
		return ""
	}
	_, rest, _ := strings.Cut(line, all[0])
	return strings.TrimLeft(rest, ".,;:!() –—")
}

// here reports whether a line says that its writer is back, and is polite about it, perhaps by name.
func here(line string) (back bool) {
	for _, clause := range clauses(line) {
		for all := strings.Fields(clause); len(all) > 0; {
			said, n := phrase(all)
			for m := min(len(all), mostPhrase); m > 0; m-- {
				if text := strings.Join(all[:m], " "); typed.is("here", text) || back && typed.is("since", text) {
					said, n, back = SaidNothing, m, true
					break
				}
			}
			switch {
			case said != SaidNothing:
				return false
			case n > 0:
			case !strings.ContainsFunc(all[0], unicode.IsLetter), name(all[0]):
				n = 1
			default:
				return false
			}
			all = all[n:]
		}
	}
	return back
}

// hereToo returns the rest of a line that begins by saying that its writer is back, if it puts no doubt on that.
func hereToo(line string) (rest string, ok bool) {
	all := clauses(line)
	if len(all) < 2 || !typed.is("here", strings.TrimSpace(all[0])) {
		return "", false
	}
	_, rest, ok = strings.Cut(line, all[0])
	rest = strings.TrimLeft(rest, ".,;:!?()\"*–— ")
	return rest, ok && rest != "" && !slices.ContainsFunc([]string{"unsure", "but", "not"},
		func(kind string) bool { return typed.within(kind, rest) })
}

// Words makes chat of the lines that are for nothing else, in answer to a mail that asks for nothing, but for those
// that a function names.
func Words(lines []Line, but func(Line) bool) (out []Line) {
	at := -1
	for _, l := range lines {
		switch {
		case l.Kind != KindOther || but(l):
			out = append(out, l)
		case at < 0:
			at = len(out)
			out = append(out, Line{Kind: KindSay, Text: l.Text})
		case len(out[at].Text) <= longest:
			out[at].Text += " " + l.Text
		}
	}
	if at >= 0 {
		out[at].Text, out[at].Cut = cut(out[at].Text)
	}
	return out
}

// Stands reports whether a line says that it is to stand: with the word for an order before it, or by when or how often
// it holds.
func Stands(line string) bool {
	_, ordered := after("order", line)
	return ordered || typed.within("stands", line)
}

// LittleWords are those that people add to what a mail in a language lists, or leave out: articles, prepositions and
// the like, in English, too.
func LittleWords(lang string) map[string]bool {
	base, _, _ := strings.Cut(lang, "-")
	set := map[string]bool{}
	for _, w := range slices.Concat(typed["little"], typed["little."+base]) {
		set[w] = true
	}
	return set
}

// None reports whether a word says that there is none of something.
func None(word string) bool { return typed.is("none", word) }

// Denies reports whether a word denies what follows it.
func Denies(word string) bool { return None(word) || typed.is("not", word) }

// Article reports whether a word is an article, or says whose something is.
func Article(word string) bool { return typed.is("article", word) }

// Every reports whether a word says that it is about all of something, or about both.
func Every(word string) bool { return typed.is("every", word) }

// Or reports whether a word stands between two things of which one is meant.
func Or(word string) bool { return typed.is("or", word) }

// If reports whether a line sets a condition.
func If(line string) bool { return typed.within("if", line) }

// Keeps reports whether a line says that its writer keeps what there is, and not what.
func Keeps(line string) bool { return typed.is("keep", strings.TrimRight(Plain(line), ".! ")) }

// WithoutOnly returns a line without a word at its end by which it is for nobody else: "to Bo only".
func WithoutOnly(line string) string {
	if all := strings.Fields(line); len(all) > 1 && typed.is("alone", all[len(all)-1]) {
		return strings.Join(all[:len(all)-1], " ")
	}
	return line
}

// Kept returns what a line says that its writer keeps of something, and nothing else; "" if it does not.
func Kept(line string) string {
	what, _ := after("keep", strings.TrimRight(Plain(line), ".! "))
	return what
}

// Keeping reports whether a line speaks of keeping something.
func Keeping(line string) bool { return typed.within("keep", line) }

// Always returns what a line says that is to hold always, without the words that say so; "" if it does not.
func Always(line string) string {
	all, said := strings.Fields(strings.TrimRight(line, ".! ")), false
	for i := 0; i < len(all); {
		n := min(mostPhrase, len(all)-i)
		for n > 0 && !typed.is("always", strings.TrimRight(strings.Join(all[i:i+n], " "), ",")) {
			n--
		}
		if said = said || n > 0; n == 0 {
			i++
		}
		all = slices.Delete(all, i, i+n)
	}
	if !said {
		return ""
	}
	return Plain(strings.Join(all, " "))
}

// Revokes returns what a line says of standing orders that it takes back, without the words that say so, and whether it
// names orders at all: "not for me" may be about something else. A line that begins like an order says so at its end:
// "order roll off", but not "order accept, no more than twice". ok is false if it takes none back.
func Revokes(line string) (of string, named, ok bool) {
	all := strings.Fields(strings.TrimRight(Plain(line), ".! "))
	said, begins := map[string]bool{}, len(all) > 0 && typed.is("order", all[0])
	for i := 0; i < len(all); {
		kind, n := "", min(mostPhrase, len(all)-i)
		for ; n > 0 && kind == ""; n-- {
			for _, k := range []string{"revoke", "orders", "forme"} {
				if typed.is(k, strings.Trim(strings.Join(all[i:i+n], " "), ",.:")) &&
					(k != "revoke" || !begins || i+n == len(all)) {
					kind = k
				}
			}
		}
		if kind == "" {
			i++
			continue
		}
		said[kind], all = true, slices.Delete(all, i, i+n+1)
	}
	return strings.Join(all, " "), said["orders"], said["revoke"] && (said["orders"] || said["forme"])
}

// Joins returns how many words at the beginning of some stand between two moves, as "and then" does.
func Joins(words []string) (n int) {
	for n = min(len(words), 2); n > 0 && !typed.is("join", strings.Join(words[:n], " ")); n-- {
	}
	return n
}

// Done reports whether a line says that its writer's turn is over.
func Done(line string) bool { return typed.is("done", strings.TrimRight(line, ".! ")) }

// Lengths of the lines that mail programs make of longer ones.
const (
	shortestBroken = 60
	longestBroken  = 78
)

// broken reports whether a mail program may have broken a line before the next one: it is about as long as those make
// lines, and the next word had no room on it.
func broken(line, next string) bool {
	word, _, _ := strings.Cut(next, " ")
	return next != "" && len(line) >= shortestBroken && utf8.RuneCountInString(line) <= longestBroken &&
		len(line)+1+len(word) > shortestBroken+4
}

// after returns what follows a kind's words at the beginning of a line; a colon may follow the words.
func after(kind, line string) (rest string, ok bool) {
	all := strings.Fields(line)
	for n := min(mostPhrase, len(all)); n > 0; n-- {
		if typed.is(kind, strings.TrimRight(strings.Join(all[:n], " "), ":,.!")) {
			if n < len(all) && all[n] == ":" { // ":)" is none
				n++
			}
			return strings.Join(all[n:], " "), true
		}
	}
	return "", false
}

// Opening quotation marks, each with the marks that close it.
var marks = map[rune]string{'"': "\"”", '“': "”\"“", '„': "”“\"", '”': "”\"", '«': "»", '»': "«"}

// inQuotes returns the text in quotation marks at the beginning of some lines, and how many lines it takes; 0 if there
// is none.
func inQuotes(lines []string) (text string, n int) {
	first, size := utf8.DecodeRuneInString(lines[0])
	closing, ok := marks[first]
	if !ok {
		return "", 0
	}
	all := lines[0][size:]
	for n = 1; ; n++ {
		if last, size := utf8.DecodeLastRuneInString(all); strings.ContainsRune(closing, last) && len(all) > size {
			if text = strings.TrimSpace(all[:len(all)-size]); strings.Trim(text, "\"”“„«» ") == "" {
				return "", 0
			}
			return text, n
		}
		if n == len(lines) || n > 10 || lines[n] == "" {
			return "", 0
		}
		all += " " + lines[n]
	}
}
