package reply

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
)

// Bounds on the lines to look at.
const (
	mostLines = 2000 // of a text
	mostOwn   = 60   // written by the mail's own writer, including empty ones
	longest   = 2000 // octets of one line
	cutOff    = "…"  // marks where a line was cut
)

// Own returns the lines of a text that its writer wrote: without quotes, the line that says who is quoted, the answered
// mail where it follows unmarked, and a signature. It tidies the lines, and one empty line replaces any number of them.
// It cuts a line that is too long, and marks the cut.
func Own(text string) []string { return own(text, mostOwn) }

// unmarked reports whether an answered mail of ours seems to stand in a text as if the text's writer had written it:
// their mail program put it there without a mark, so that nobody can tell their words from ours, or from what others
// wrote in it. word is the mail's own mark.
func unmarked(text, word string) bool {
	return slices.ContainsFunc(own(text, mostLines), func(line string) bool {
		return word != "" && strings.Contains(line, word) || ourLink.MatchString(line)
	})
}

// ourLink is a link that only a mail of ours has: to a seat, or away from the list.
var ourLink = regexp.MustCompile(`://\S+/[pu]/[A-Za-z0-9_-]{40}`)

// own returns at most so many lines.
func own(text string, most int) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	raw := strings.SplitN(text, "\n", mostLines+1)
	raw = raw[:min(len(raw), mostLines)]
	lines := make([]string, len(raw))
	for i, l := range raw {
		lines[i], _ = cut(tidy(l[:min(len(l), 4*longest)])) // tidying may shorten a line
	}
	var out []string
	for i := 0; i < len(lines) && len(out) < most; i++ {
		switch line := lines[i]; {
		case quoted(line):
			continue
		case line == "--" || line == "—" || begins(lines, i):
			return trim(out)
		case line == "":
			if len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "")
			}
		default:
			if n := attribution(lines[i:]); n > 0 {
				if !quoteFollows(lines[i+n:]) {
					return trim(out)
				}
				i += n - 1
				continue
			}
			out = append(out, line)
		}
	}
	return trim(out)
}

// cut returns a text that is not too long, or as much of it as fits, with a mark where it ends.
func cut(text string) (_ string, short bool) {
	if len(text) <= longest {
		return text, strings.HasSuffix(text, cutOff) && len(text) > longest-utf8.UTFMax-len(cutOff)
	}
	end := longest - len(cutOff)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cutOff, true
}

func quoted(line string) bool { return strings.HasPrefix(line, ">") || strings.HasPrefix(line, "| ") }

// begins reports whether the answered mail begins here without quote marks: with a rule across, with "Original
// Message", or with a header of its own.
func begins(lines []string, at int) bool {
	line := lines[at]
	if len(line) >= 10 && strings.Trim(line, "_") == "" {
		return true
	}
	if inner := strings.Trim(line, "-–— "); strings.HasPrefix(line, "--") && inner != "" {
		return typed.is("original", inner)
	}
	if name, ok := field(line); !ok || !typed.is("from", name) {
		return false
	}
	more := 0
	for _, next := range lines[at+1 : min(len(lines), at+6)] {
		if name, ok := field(next); ok && typed.is("fields", name) {
			more++
		}
	}
	return more >= 2
}

// field returns the name of a header field as a mail program writes it into a text: "*Sent:* Sunday".
func field(line string) (name string, ok bool) {
	name, _, ok = strings.Cut(strings.TrimLeft(line, "* "), ":")
	return strings.Trim(name, "* "), ok && len(name) <= 24
}

// attribution returns how many lines say who wrote the quote below: "On Sunday Posthorn wrote:". Mail programs break
// such lines, after the day; a line above the day is not of them.
func attribution(lines []string) int {
	all, below := "", ""
	for n := range min(3, len(lines)) {
		if lines[n] == "" || quoted(lines[n]) {
			return 0
		}
		all += " " + lines[n]
		if n > 0 {
			below += " " + lines[n]
		}
		if len(all) > 400 || dated(below) {
			return 0
		}
		if !strings.HasSuffix(all, ":") {
			continue
		}
		if typed.within("wrote", all) && strings.ContainsAny(all, "0123456789@") && (n == 0 || dated(all)) {
			return n + 1
		}
		if dated(all) && strings.Contains(all, "@") { // in any language: a day, an address and a colon
			return n + 1
		}
		return 0
	}
	return 0
}

// dated reports whether a text contains a year.
func dated(text string) bool {
	for i := 0; i+4 <= len(text); i++ {
		if text[i] == '2' && text[i+1] == '0' && digit(text[i+2]) && digit(text[i+3]) {
			return true
		}
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func quoteFollows(lines []string) bool {
	for _, l := range lines {
		if l != "" {
			return quoted(l)
		}
	}
	return true // nothing follows at all
}

// vocabulary is the words that people and their mail programs write, by kind.
type vocabulary map[string][]string

func (v vocabulary) is(kind, text string) bool {
	return slices.Contains(v[kind], domain.Fold(text))
}

var spaced = strings.NewReplacer(":", " ", ",", " ", "(", " ", ")", " ")

// within reports whether a text contains one of the words as a whole word.
func (v vocabulary) within(kind, text string) bool {
	text = " " + spaced.Replace(domain.Fold(text)) + " "
	for _, w := range v[kind] {
		if strings.Contains(text, " "+w+" ") {
			return true
		}
	}
	return false
}
