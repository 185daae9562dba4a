package inbound

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// bracket is a letter as a mail's list writes it before what it stands for.
var bracket = regexp.MustCompile(`\b(\pL)\)`)

// Ways to write how many: "2x ore" and "ore x2".
var (
	times = regexp.MustCompile(`(^|[ ,])(\d{1,2}) ?[x×*] ?(\pL{2})`)
	many  = regexp.MustCompile(`(\pL{2,}) [x×*] ?(\d{1,2})\b`)
)

// counted returns a text with each number before what it counts.
func counted(text string) string {
	return many.ReplaceAllString(times.ReplaceAllString(text, "$1$2 $3"), "$2 $1")
}

// ordinal is a line of a list that its writer numbers.
var ordinal = regexp.MustCompile(`^(\d{1,2})[.)] +(.+)`)

// brings is what a mail's list says behind a move: the points that it brings at once.
var brings = regexp.MustCompile(`: [+-]\d+$`)

// copied returns the name of the move that a line of the mail's list says, as it stands there or as far as it was
// copied: its name, and then words of it, perhaps with its points; or its words and where it lies, as an answer lists
// it among others. It returns "" for any other line.
func (v *vocabulary) copied(text string) string {
	text = domain.Fold(brings.ReplaceAllString(strings.Join(strings.Fields(text), " "), ""))
	for _, n := range v.mailed.moves {
		for _, name := range []string{n.Name, n.Short, n.Label() + ","} {
			rest, ok := strings.CutPrefix(text, domain.Fold(name)+" ")
			if !ok || name == "" || !strings.ContainsFunc(rest, unicode.IsLetter) {
				continue
			}
			all := tokens(n.Whole)
			for _, o := range n.Path {
				all = slices.Concat(all, tokens(o.Label), tokens(o.Where))
			}
			if !slices.ContainsFunc(tokens(rest), func(w string) bool { return !slices.Contains(all, w) }) {
				return strings.TrimSuffix(name, ",")
			}
		}
	}
	return ""
}

// unwrapped returns lines with what a mail program broke put together again: a line of the mail's list.
func (v *vocabulary) unwrapped(lines []string) (out []string) {
	for _, text := range lines {
		if last := len(out) - 1; last >= 0 && v.copied(out[last]) != "" && !v.meant(text) {
			if whole := out[last] + " " + text; v.copied(whole) != "" {
				out[last] = whole
				continue
			}
		}
		out = append(out, text)
	}
	return out
}

// typed returns what is to be typed of a line as an answer shows it, which is that and then the same in words, or as
// the mail lists it, with its points; of any other line, all of it.
func (v *vocabulary) typed(text string) string {
	if name := v.copied(text); name != "" {
		return name
	}
	if move := brings.ReplaceAllString(text, ""); move != text && v.meant(move) {
		return move
	}
	typed, said, ok := strings.Cut(strings.TrimRight(text, ".! "), " (")
	m, err := v.notation(typed)
	if !ok || err != nil || !slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
		return n.Move == m && (strings.HasSuffix(domain.Fold(said), domain.Fold(n.Label()+")")) ||
			v.copied(strings.TrimSuffix(said, ")")) == n.Label())
	}) {
		return text
	}
	return typed
}

// apart gives each move of a press a line of its own, in notation or as the mail lists it, without
// emphasis, brackets around it, and numbers from 1. So does a comma or an and between moves that are none together.
func (v *vocabulary) apart(lines []string) (out []string) {
	next := 1
	for _, text := range v.unwrapped(lines) {
		text = strings.ReplaceAll(reply.Untagged(reply.Drawn(text)), "…", "...")
		if text = strings.Trim(counted(text), "_`~ "); text == "" {
			continue
		}
		if first, last := strings.IndexByte("[(<", text[0]), text[len(text)-1]; first >= 0 && last == "])>"[first] {
			text = text[1 : len(text)-1]
		}
		text = v.typed(bracket.ReplaceAllString(text, "$1"))
		m := ordinal.FindStringSubmatch(text)
		if m != nil && m[1] == strconv.Itoa(next) && v.meant(m[2]) && !v.meant(text) {
			text, next = m[2], next+1
		}
		some, _ := v.split(text, strings.TrimSpace(domain.PressSeparator))
		by, all := v.split(text, ",")
		letters := v.letters(text)
		switch {
		case len(letters) > 0:
			out = append(out, letters...)
		case len(some) > 0:
			out = append(out, some...)
		case all && !v.meant(text):
			out = append(out, v.parted(by)...)
		default:
			out = append(out, v.parted(v.clauses(text))...)
		}
	}
	return out
}

// parted remembers which parts were one text.
func (v *vocabulary) parted(parts []string) []string {
	if len(parts) > 1 {
		if v.cut == nil {
			v.cut = map[string][]string{}
		}
		v.cut[parts[0]] = parts[1:]
	}
	return parts
}

// next reads the first of some lines at a position. A line that was cut before the moves above it had led there is put
// together again if only so it is one move. n is how many lines were read.
func (v *vocabulary) next(lines []string, at *domain.Line) (r reading, n int) {
	r, n = v.read(lines[0], at), 1+len(v.cut[lines[0]])
	if r.only() != nil || n == 1 || len(lines) < n || !slices.Equal(lines[1:n], v.cut[lines[0]]) {
		return r, 1
	}
	if whole := v.read(strings.Join(lines[:n], ", "), at); whole.only() != nil {
		return whole, n
	}
	return r, 1
}

// joined cuts a text that is no move at words like "and then" which stand between moves.
func (v *vocabulary) joined(text string) []string {
	for left, right := range halves(text) {
		if v.says(left) == reply.SaidNothing && v.meant(left) &&
			(reply.Done(right) || v.meant(right) && !v.meant(text)) {
			return append(v.joined(left), v.joined(right)...)
		}
	}
	return []string{text}
}

// letters returns the parts of a text of which the first is a letter of the mail's list, and the second, behind an
// "and", a move or another: two things that are played one after the other, whatever both say together. It returns nil
// for any other text.
func (v *vocabulary) letters(text string) []string {
	for left, right := range halves(text) {
		if !v.lone(left) {
			continue
		}
		if rest := v.letters(right); rest != nil {
			return append([]string{left}, rest...)
		}
		if v.lone(right) || v.meant(right) {
			return []string{left, right}
		}
	}
	return nil
}

// halves yields what stands before and behind each "and", or other words that may join two moves.
func halves(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		all := strings.Fields(text)
		for i := range all {
			n := reply.Joins(all[i:])
			left, right := strings.Join(all[:i], " "), strings.Join(all[i+n:], " ")
			if n > 0 && left != "" && right != "" && !yield(left, right) {
				return
			}
		}
	}
}

// lone reports whether a text is nothing but a letter of the mail's list: for a move, or for the first choice of some.
func (v *vocabulary) lone(text string) bool {
	letter := domain.Fold(strings.TrimRight(text, ".)"))
	return utf8.RuneCountInString(letter) == 1 && !number(letter) &&
		slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
			first, _, _ := strings.Cut(n.Name, " ")
			return first == letter
		})
}

// split returns the parts of a text if there are several and one is a move, and whether all are.
func (v *vocabulary) split(text, separator string) (out []string, all bool) {
	moves := 0
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			if out = append(out, part); v.meant(part) {
				moves++
			}
		}
	}
	if moves == 0 || len(out) < 2 {
		return nil, false
	}
	return out, moves == len(out)
}

// meant reports whether a text was meant as a move: it is one in notation, or the mail lists it.
func (v *vocabulary) meant(text string) bool {
	if _, err := v.parse(text); err == nil || len(v.called(text, nil)) > 0 || v.counted(text) {
		return true
	}
	_, whole := v.worded(text, nil)
	return whole
}

// aimed reports whether a text was meant as a move of some letter, whatever is asked by now, or as the answer to an
// offer if the letter had one.
func (v *vocabulary) aimed(text string, offer bool) bool {
	return v.meant(text) || lettered(text) || offer && v.says(text) != reply.SaidNothing
}

// parts returns the words and numbers of a text.
func parts(text string) []string {
	return strings.FieldsFunc(domain.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	})
}
