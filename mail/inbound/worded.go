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
)

// entry is a move of the mail's list by the words of the choices that lead to it.
type entry struct {
	turn.Named
	whole []string // what all moves of its list are called
	steps []step
	same  string // its words, if another entry shares them out otherwise among its choices
}

// step is a choice on the way to an entry. It is open if the mail lists others there, which look different.
type step struct {
	name, label, where []string
	// bare is label and where without what they have in brackets or after a comma, and what the label has before a
	// colon.
	bare       [][]string
	unlisted   bool // no mail shows its name
	open, none bool // none: it adds nothing, and need not be said
}

// added is what a list adds to a choice in brackets or after a comma.
var added = regexp.MustCompile(`\([^)]*\)|, .*`)

func newStep(o turn.Option, open bool) step {
	s := step{name: tokens(o.Name), label: tokens(o.Label), where: tokens(o.Where), open: open, none: o.None,
		unlisted: o.Like != ""}
	for _, text := range []string{o.Label, o.Where} {
		if said := tokens(text); added.MatchString(text) && !number(said[0]) { // of amounts none is left out
			s.bare = append(s.bare, tokens(added.ReplaceAllString(text, "")))
		}
	}
	if head, _, ok := strings.Cut(o.Label, ": "); ok {
		s.bare = append(s.bare, tokens(head))
	}
	return s
}

// token is a number or a word; a minus belongs to its number.
var token = regexp.MustCompile(`-?\d+|\pL+`)

func tokens(text string) []string {
	return token.FindAllString(between.ReplaceAllString(domain.Fold(text), "$1 "), -1)
}

// entries returns a list by its words.
func (l *list) entries() []entry {
	if l.ways != nil {
		return l.ways
	}
	others := map[string]map[string]bool{} // the choices after some others
	each := func(n turn.Named, f func(i int, before string)) {
		before := ""
		for i, o := range n.Path {
			f(i, before)
			before += "/" + o.Key
		}
	}
	for _, n := range l.moves {
		each(n, func(i int, before string) {
			if others[before] == nil {
				others[before] = map[string]bool{}
			}
			if n.Path[i].Like == "" {
				others[before][n.Path[i].Key] = true
			}
		})
	}
	for _, n := range l.moves {
		e := entry{Named: n, whole: tokens(n.Whole)}
		each(n, func(i int, before string) {
			e.steps = append(e.steps, newStep(n.Path[i], len(others[before]) > 1))
		})
		l.ways = append(l.ways, e)
	}
	rearranged(l.ways)
	return l.ways
}

// worded returns the playable listed moves that a text calls by their own words: those of the choices that lead to
// them, in any order, with or without their letters. whole is false if the text leaves a choice open. Without a
// position, all are playable.
func (v *vocabulary) worded(text string, at *domain.Line) (fit []choice, whole bool) {
	text = v.reworded(text)
	// A line may begin with a list's letter that also is a word, as "I" and "e" are.
	if letter, rest, ok := strings.Cut(text, " "); ok && len(letter) == 1 && !v.strange(letter) {
		if fit, whole = v.saidBy(append(tokens(letter), tokens(reply.Plain(rest))...), at); whole {
			return fit, whole
		}
	}
	said := tokens(reply.Plain(text))
	if letter := len(said) > 1 && number(said[1]) && v.strange(text); letter || v.onlyNames(said) {
		return nil, false
	}
	fit, whole = v.saidBy(said, at)
	return fit, whole && !(len(fit) == 1 && v.astray(text, fit[0].move, at))
}

// astray reports whether a text says the number that a choice of a move is called behind the last word of another
// choice: "search stack 4" does not say that a card goes under stack 4.
func (v *vocabulary) astray(text string, m domain.Move, at *domain.Line) bool {
	list := v.lists(at)[0].entries()
	i := slices.IndexFunc(list, func(e entry) bool { return e.Move == m })
	if i < 0 {
		return false
	}
	words := strings.Fields(domain.Fold(strings.TrimRight(text, ".!? ")))
	for k, s := range list[i].steps {
		n := -1
		if len(s.name) == 1 && number(s.name[0]) {
			n = slices.Index(words, s.name[0])
		}
		for j, other := range list[i].steps {
			alike := func(w string) bool { return v.alike(w, words[n-1]) }
			if n > 0 && j != k && len(other.label) > 1 && alike(other.label[len(other.label)-1]) &&
				slices.ContainsFunc(s.label, alike) {
				return true
			}
		}
	}
	return false
}

func (v *vocabulary) saidBy(said []string, at *domain.Line) (fit []choice, whole bool) {
	for _, l := range v.lists(at) {
		for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, akin, v.alike} {
			if fit, whole = v.fitting(l, said, same, at); len(fit) > 0 {
				return fit, whole
			}
		}
	}
	return nil, false
}

// fitting returns the playable moves of a list that words name best, and whether they name them whole.
func (v *vocabulary) fitting(l *list, said []string, same func(a, b string) bool, at *domain.Line) (fit []choice,
	whole bool) {
	var all []fitted
	for i := range l.entries() {
		f := fitted{entry: &l.ways[i]}
		if f.score = f.fits(said, same, v.littleWords()); f.score > 0 && f.same != "" {
			f.together = repeated{said: said, same: same, little: v.littleWords()}.together(f.steps)
		}
		if f.score > 0 {
			all = append(all, f)
		}
	}
	most := 0
	for _, f := range best(all) {
		if f.score < most {
			continue
		}
		c := choice{move: f.Move}
		if at != nil {
			if _, _, err := at.Decide(v.seat, f.Move); err != nil {
				continue
			}
			c = v.choice(f.Move, at)
		}
		if f.score > most {
			most, fit, whole = f.score, nil, f.score >= whollyNamed
		}
		fit = append(fit, c)
	}
	return fit, whole
}

// onlyNames reports whether words are nobody's move: people are named in greetings.
func (v *vocabulary) onlyNames(said []string) bool {
	names, little := tokens(strings.Join(v.names, " ")), v.littleWords()
	return !slices.ContainsFunc(said, func(w string) bool {
		return !little[w] && !slices.ContainsFunc(names, func(name string) bool { return akin(name, w) })
	})
}

// whollyNamed is what a text gets at least that names a choice at each open step.
const whollyNamed = 1 << 10

// fits returns how well words name a move, 0 for not at all. It counts most that they name each open step, then how
// many steps they repeat whole, then that they have no words but the list's and numbers in its order.
func (l *entry) fits(said []string, same func(a, b string) bool, little map[string]bool) (score int) {
	r := repeated{said, make([]bool, len(said)), same, little}
	if r.gainsaid(l.steps) {
		return 0
	}
	how := make([]int, len(l.steps)) // each is said: 2 for a whole phrase of it, 1 for enough to know it
	for _, way := range []func(*step) int{r.whole, r.called, r.bare, r.partly} {
		for i := range l.steps {
			if how[i] == 0 {
				how[i] = way(&l.steps[i])
			}
		}
	}
	known, open := l.whole, false
	for i, s := range l.steps {
		if score += 4 * how[i]; how[i] > 0 {
			known = slices.Concat(known, s.name, s.label, s.where)
		} else if amount := len(s.label) > 0 && number(s.label[0]); (s.open || amount) && !s.none {
			open = true // an amount is said, also where the others leave only one
		}
	}
	foreign := func(w string) bool {
		return !slices.ContainsFunc(known, func(k string) bool { return same(k, w) })
	}
	if score == 0 || slices.ContainsFunc(said, func(w string) bool { return foreign(w) && !little[w] }) {
		return 0
	}
	if l.twice(said) {
		return 0
	}
	if !slices.ContainsFunc(said, foreign) {
		score += 2
	}
	if ordered(said, l.steps) {
		score++
	}
	if !open {
		score += whollyNamed
	}
	return score
}

// twice reports whether words say more than one move: a number more often than the move's labels or its notation have
// it, unless they repeat what the list says of it, where choices have numbers for names. "3 Draw from stack 3" is one
// move, "3 3" and "stack 3 stack 3" are two.
func (l *entry) twice(said []string) bool {
	var labels, listed []string
	if slices.ContainsFunc(said, func(w string) bool { return !number(w) }) {
		for _, s := range l.steps {
			labels = slices.Concat(labels, s.label, s.where)
			listed = slices.Concat(listed, s.name, s.label, s.where)
		}
	}
	notation := tokens(l.Notation)
	return !within(said, listed) && slices.ContainsFunc(said, func(w string) bool {
		return number(w) && count(said, w) > max(1, count(labels, w), count(notation, w))
	})
}

// within reports whether those of some words that a text has stand in its order.
func within(said, text []string) bool {
	rest := text
	for _, w := range said {
		i := slices.Index(rest, w)
		if i < 0 && slices.Contains(text, w) {
			return false
		}
		rest = rest[i+1:]
	}
	return len(text) > 0
}

func count(words []string, w string) (n int) {
	for _, x := range words {
		if x == w {
			n++
		}
	}
	return n
}

// repeated are words that repeat some of the list's. Each counts for one step only.
type repeated struct {
	said   []string
	used   []bool
	same   func(a, b string) bool
	little map[string]bool // words that may be added and left out
}

func (r repeated) whole(s *step) int {
	for _, phrase := range [][]string{s.label, s.where} {
		if len(phrase) > 0 && r.takes(phrase, true) {
			return 2
		}
	}
	return 0
}

func (r repeated) bare(s *step) int {
	if slices.ContainsFunc(s.bare, func(phrase []string) bool { return len(phrase) > 0 && r.takes(phrase, true) }) {
		return 1
	}
	return 0
}

func (r repeated) called(s *step) int {
	switch n := len(s.name); {
	case n == 0 || s.unlisted || n == 1 && r.article(s):
	case r.takes(s.name, true):
		return 1
	case n == 2 && number(s.name[0]) && utf8.RuneCountInString(s.name[1]) > 1 && r.takes(s.name[:1], true):
		return 1 // "0 above", whose word may be said in another language
	}
	return 0
}

// article reports whether the letter of a choice is said as a word of its own before another word, and not as its name:
// behind others, or before a word of the choice. A line that begins with a letter and goes on with another choice's
// words means the letter.
func (r repeated) article(s *step) bool {
	i := slices.Index(r.said, s.name[0])
	if !r.little[s.name[0]] || i < 0 || i+1 == len(r.said) {
		return false
	}
	next := r.said[i+1]
	return utf8.RuneCountInString(next) > 1 && !number(next) &&
		(i > 0 || slices.ContainsFunc(s.label, func(w string) bool { return r.same(w, next) }))
}

// partly looks for half of a phrase. Each of its numbers that is said stands beside the word that it stands beside
// there.
func (r repeated) partly(s *step) int {
	for _, phrase := range slices.Concat([][]string{s.label, s.where}, s.bare) {
		if len(phrase) > 0 && number(phrase[0]) { // of amounts none is left out
			continue
		}
		all, n := 0, 0
		for i, w := range phrase {
			switch {
			case r.little[w]:
			case number(w):
				if !r.has(w) {
					break
				}
				switch {
				case r.beside(phrase, w):
				case len(phrase) == 2 && i == 1 && w == r.said[len(r.said)-1]: // "production 4"
					n++
				default:
					n = -len(phrase)
				}
			default:
				if all++; r.takes(phrase[i:i+1], false) {
					n++
				}
			}
		}
		none := slices.ContainsFunc(phrase, reply.None) && !slices.ContainsFunc(r.said, reply.None)
		if s.none || n <= 0 || 2*n < all || none {
			continue
		}
		for i, w := range phrase {
			if !r.little[w] {
				r.takes(phrase[i:i+1], true)
			}
		}
		return 1
	}
	return 0
}

// gainsaid reports whether the words name another place than the steps do, or give a number to a word that has only
// others there: "hills 6" is not hex 6 with hills 10.
func (r repeated) gainsaid(steps []step) bool {
	pair := func(a, b string) bool { return number(a) && number(b) }
	for _, s := range steps {
		if len(s.name) != 2 || !pair(s.name[0], s.name[1]) {
			continue
		}
		some, same := false, false
		for j := 1; j < len(r.said); j++ {
			some = some || pair(r.said[j-1], r.said[j])
			same = same || slices.Equal(r.said[j-1:j+1], s.name)
		}
		if some && !same {
			return true
		}
	}
	for j := 1; j < len(r.said); j++ {
		word, n := r.said[j-1], r.said[j]
		if number(word) || !number(n) {
			continue
		}
		other, same := false, false
		for _, s := range steps {
			for _, phrase := range [][]string{s.label, s.where} {
				for i := 1; i < len(phrase) && !number(phrase[0]); i++ { // "2 bricks, 2 wool" has them before its words
					if number(phrase[i]) && r.same(phrase[i-1], word) {
						same, other = same || phrase[i] == n, true
					}
				}
			}
		}
		if other && !same {
			return true
		}
	}
	return false
}

// has reports whether a word is said and not used up.
func (r repeated) has(word string) bool {
	for i, w := range r.said {
		if !r.used[i] && w == word {
			return true
		}
	}
	return false
}

// takes reports whether the words have a phrase, one word of it after the other but for articles and the like, and
// perhaps uses them up.
func (r repeated) takes(phrase []string, use bool) bool {
	content := slices.DeleteFunc(slices.Clone(phrase), func(w string) bool { return r.little[w] })
	skip := len(content) > 1
	if skip {
		phrase = content
	}
	var at []int
	for i, w := range r.said {
		if !r.used[i] && !(skip && r.little[w]) {
			at = append(at, i)
		}
	}
	for i := 0; i+len(phrase) <= len(at); i++ {
		if !slices.EqualFunc(phrase, at[i:i+len(phrase)], func(w string, j int) bool { return r.same(w, r.said[j]) }) {
			continue
		}
		for _, j := range at[i : i+len(phrase)] {
			r.used[j] = r.used[j] || use
		}
		return true
	}
	return false
}

func number(w string) bool { _, err := strconv.Atoi(w); return err == nil }

// ordered reports whether words have the numbers of the steps' names, one after the other.
func ordered(said []string, steps []step) bool {
	for _, s := range steps {
		for _, w := range s.name {
			if !number(w) {
				continue
			}
			i := slices.Index(said, w)
			if i < 0 {
				return false
			}
			said = said[i+1:]
		}
	}
	return true
}

// akin reports whether two words are forms of one: their beginnings are the same.
func akin(a, b string) bool {
	if a == b {
		return true
	}
	short, long := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)),
		max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if short < leastStem+1 || long-short > mostEnding {
		return false
	}
	same := 0
	other := []rune(b)
	for i, r := range []rune(a) {
		if i >= len(other) || other[i] != r {
			break
		}
		same++
	}
	return same >= max(leastStem, long-mostEnding)
}

// alike reports whether two words are forms of one, or mean the same in the game.
func (v *vocabulary) alike(a, b string) bool {
	if akin(a, b) || reply.None(a) && reply.None(b) {
		return true
	}
	means := v.rulebook.Extras().Means
	if means == nil {
		return false
	}
	says := func(w string) bool { return reply.YesNo([]string{w}) != reply.SaidNothing }
	meaning := means(a)
	return meaning != "" && meaning == means(b) && !says(a) && !says(b)
}

const (
	leastStem  = 3 // letters that two forms of a word share
	mostEnding = 2
)
