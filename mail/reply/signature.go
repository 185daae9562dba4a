package reply

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
)

// trim leaves out empty lines at the end, and the signature there that nothing marks as one: of a mail program, or of
// the text's writer.
func trim(lines []string) []string {
	for {
		lines = withoutEmpty(lines)
		at := min(imprinted(lines), footed(lines), parted(lines))
		if at == len(lines) {
			return lines
		}
		lines = lines[:at]
	}
}

func withoutEmpty(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// imprinted returns where the signature of a mail program begins; an address may stand below it.
func imprinted(lines []string) int {
	for n := 1; n <= min(2, len(lines)); n++ {
		at := len(lines) - n
		if imprint(lines[at]) {
			return at
		}
		if !strings.HasPrefix(strings.TrimLeft(lines[at], "<"), "http") {
			break
		}
	}
	return len(lines)
}

// footed returns where the last paragraph begins if it says how its writer is reached, or that the mail is
// confidential, and is not the only one.
func footed(lines []string) int {
	at := len(lines)
	for at > 0 && lines[at-1] != "" {
		at--
	}
	if at == 0 || at == len(lines) {
		return len(lines)
	}
	text := domain.Fold(strings.Join(lines[at:], " "))
	if slices.ContainsFunc(typed["legal"], func(l string) bool { return strings.HasPrefix(text, l) }) ||
		slices.ContainsFunc(lines[at:], contact) && personal(lines[at:]) &&
			(len(lines)-at > 1 || onlyContact(lines[at])) {
		return at
	}
	return len(lines)
}

// parted returns where the formula begins by which the text's writer takes leave, if nothing but their name, what they
// are and how they are reached comes after it.
func parted(lines []string) int {
	for at := len(lines) - 1; at > 0 && len(lines)-at <= mostSignature; at-- {
		formula, comma := strings.CutSuffix(lines[at], ",")
		below := lines[at+1:]
		switch {
		case thanked(lines[at]):
			if slices.ContainsFunc(below, contact) && personal(below) {
				return at
			}
		case closing(formula) && len(below) > 0:
			if name := strings.Fields(below[0]); comma && len(name) == 1 && personal(below[1:]) || personal(below) {
				return at
			}
		}
	}
	return len(lines)
}

const (
	mostSignature = 12 // lines, with the formula and empty ones
	longSigned    = 70 // characters of a line of it
)

// closing reports whether a line is a formula before a signature, perhaps with a name after it.
func closing(line string) bool {
	formula, signed, _ := strings.Cut(line, ",")
	all := strings.Fields(signed)
	return typed.is("closing", strings.TrimRight(formula, ".! ")) && len(all) <= mostNames &&
		!slices.ContainsFunc(all, func(w string) bool { return !name(w) })
}

// thanked reports whether a line is thanks with a comma, which are a formula only above an address or a number.
func thanked(line string) bool {
	thanks, comma := strings.CutSuffix(line, ",")
	return comma && typed.is("courtesy", thanks)
}

// personal reports whether every line may be of a signature: it is short and begins with a capital letter or has an
// address or number, and is for nothing else.
func personal(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		if line == "" || contact(line) || street.MatchString(line) {
			return false
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, "*_ "))
		if utf8.RuneCountInString(line) > longSigned || !unicode.IsUpper(first) || sentence.MatchString(line) {
			return true
		}
		return slices.ContainsFunc(Sort([]string{line}), func(l Line) bool { return l.Kind != KindOther })
	})
}

var (
	// sentence is a line with a question mark, or with a full stop after words too long for an abbreviation.
	sentence = regexp.MustCompile(`[?!]|\S+ \S+ .*\pL{4}\.$`)

	address = regexp.MustCompile(`[^\s@]+@[^\s@]+\.[A-Za-z]{2,}`)
	site    = regexp.MustCompile(`^(?:(?:https?://|www\.)[\w.-]+|` +
		`[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|eu|br|pt|pl|uk|io))/?$`)
	phone  = regexp.MustCompile(`\+\d[\d ().-]{6,}\d|\(0?\d{2,3}\) ?\d{4}|\d{4,5}-\d{4}|\b\d{3}[ -]\d{3}[ -]\d{3}\b`)
	street = regexp.MustCompile(`^\d+\pL?,? \p{Lu}\pL+(?:,? [\p{Lu}\d][\pL\d]*)+$`)
	postal = regexp.MustCompile(`^\d{2}-\d{3}\b|^\d{4,5}-\d{3}\b`)
)

// contact reports whether a line, which is for nothing else, says how its writer is reached.
func contact(line string) bool {
	if utf8.RuneCountInString(line) > longSigned {
		return false
	}
	for _, kind := range []string{"say", "away"} {
		if _, ok := after(kind, line); ok {
			return false
		}
	}
	digits := 0
	for _, r := range line {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return address.MatchString(line) || phone.MatchString(line) || postal.MatchString(line) ||
		digits >= leastPhone && typed.within("phone", strings.ReplaceAll(line, ".", " ")) ||
		slices.ContainsFunc(strings.Fields(line), isSite)
}

func isSite(word string) bool { return site.MatchString(strings.Trim(word, "<>|,;")) }

// onlyContact reports whether a line has nothing but addresses and numbers, and what they are.
func onlyContact(line string) bool {
	for _, r := range []*regexp.Regexp{address, phone} {
		line = r.ReplaceAllString(line, " ")
	}
	return !slices.ContainsFunc(strings.Fields(line), func(w string) bool {
		w = strings.Trim(w, "<>|,;.:()+-")
		return w != "" && !isSite(w) && !typed.is("phone", w) && strings.ContainsFunc(w, unicode.IsLetter)
	})
}

const leastPhone = 6 // digits of a number that is called one

// mostSigned is how many words a program's signature has.
const mostSigned = 12

// imprint reports whether a line is what a phone or a mail program signs with: "Sent from my iPhone".
func imprint(line string) bool {
	all := strings.Fields(strings.TrimLeft(line, "*_ "))
	begins := slices.ContainsFunc([]int{1, 2, 3}, func(n int) bool {
		return n <= len(all) && typed.is("sent", strings.Join(all[:n], " "))
	})
	return begins && len(all) <= mostSigned && slices.ContainsFunc(all[1:], func(w string) bool {
		return slices.ContainsFunc(typed["program"], func(p string) bool { // which Polish declines
			return strings.HasPrefix(domain.Fold(w), p)
		})
	})
}
