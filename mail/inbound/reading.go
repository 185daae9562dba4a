package inbound

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// choice is a move with the words its player sees.
type choice struct {
	move  domain.Move
	label string
}

// reading holds everything that a line may mean when a seat is to play.
type reading struct {
	moves   []choice // each is playable
	which   []choice // those that the text may be the beginning of
	why     string   // why the move that it names is not playable
	tried   bool     // it is no move, but looks like one that went wrong
	numbers bool     // it has nothing but numbers, and the mail lists some
	unsure  bool     // it may be any of which, also if there is only one: the mail did not show that
	order   string   // the standing order that it can only be
	also    string   // the standing order that a move would be, if it were written as one
	unorder string   // why it is no standing order, though it says when or how often it holds
}

// vocabulary is what moves may be called: the names in the mail being answered, and whatever the rulebook reads.
type vocabulary struct {
	rulebook domain.Rulebook
	seat     domain.Seat
	names    []string // of the seats
	p        words.Printer
	mailed   list   // the choices in the mail
	version  uint64 // of the position that the mail listed
	own      map[position]*list
	little   map[string]bool // in the mail's language; nil before it is needed
	refuse   func(error) (string, bool)
}

// bracket is a letter as a mail's list writes it before what it stands for.
var bracket = regexp.MustCompile(`\b(\pL)\)`)

// ordinal is a line of a list that its writer numbers.
var ordinal = regexp.MustCompile(`^(\d{1,2})[.)] +(.+)`)

// typed returns what is to be typed of a line as an answer shows it, which is that and then the same in words; of any
// other line, all of it.
func (v *vocabulary) typed(text string) string {
	typed, said, ok := strings.Cut(strings.TrimRight(text, ".! "), " (")
	m, err := v.notation(typed)
	if !ok || err != nil || !slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
		return n.Move == m && strings.HasSuffix(domain.Fold(said), domain.Fold(n.Label()+")"))
	}) {
		return text
	}
	return typed
}

// apart gives each move of a press a line of its own, in notation or as the mail lists it, without
// emphasis, brackets around it, and numbers from 1. So does a comma or an and between moves that are none together.
func (v *vocabulary) apart(lines []string) (out []string) {
	next := 1
	for _, text := range lines {
		text = strings.Trim(text, "*_`~ ")
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
		switch {
		case len(some) > 0:
			out = append(out, some...)
		case all && !v.meant(text):
			out = append(out, by...)
		default:
			out = append(out, v.joined(text)...)
		}
	}
	return out
}

// joined cuts a text that is no move at words like "and then" which stand between moves.
func (v *vocabulary) joined(text string) []string {
	all := strings.Fields(text)
	for i := range all {
		n := reply.Joins(all[i:])
		left, right := strings.Join(all[:i], " "), strings.Join(all[i+n:], " ")
		if n == 0 || left == "" || right == "" || v.says(left) != reply.SaidNothing || v.meant(text) {
			continue
		}
		if v.meant(left) && v.meant(right) {
			return append(v.joined(left), v.joined(right)...)
		}
	}
	return []string{text}
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
	if _, err := v.parse(text); err == nil || len(v.called(text, nil)) > 0 {
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

// read reads a line for a position. It does not change the position. What is put as a question is played by nobody.
func (v *vocabulary) read(text string, at *domain.Line) (r reading) {
	r = v.statement(text, at)
	if r.moves, r.which = v.distinct(r.moves, at), v.distinct(r.which, at); strings.HasSuffix(text, "?") {
		r.which, r.moves, r.unsure = slices.Concat(r.moves, r.which), nil, true
	}
	return r
}

// distinct leaves out choices that look like another of them, as a tile may that is turned around.
func (v *vocabulary) distinct(all []choice, at *domain.Line) []choice {
	if len(all) < 2 {
		return all
	}
	list := v.lists(at)[0].moves
	return slices.DeleteFunc(slices.Clone(all), func(c choice) bool {
		i := slices.IndexFunc(list, func(n turn.Named) bool { return n.Move == c.move })
		if i < 0 || !slices.ContainsFunc(list[i].Path, func(o turn.Option) bool { return o.Like != "" }) {
			return false
		}
		like := list[i].Keys()
		for j, o := range list[i].Path {
			like[j] = cmp.Or(o.Like, like[j])
		}
		i = slices.IndexFunc(list, func(n turn.Named) bool { return slices.Equal(n.Keys(), like) })
		return i >= 0 && slices.ContainsFunc(all, func(o choice) bool { return o.move == list[i].Move })
	})
}

func (v *vocabulary) statement(text string, at *domain.Line) (r reading) {
	text = strings.TrimRight(text, ".!;, ")
	for _, point := range []string{"- ", "* ", "• "} { // list bullets; a place may begin with a minus
		text = strings.TrimPrefix(text, point)
	}
	if text == "" || len(text) > mostMove || v.idiom(text) {
		return r
	}
	awaited := at.Awaits(v.seat)
	add := func(m domain.Move) {
		if awaited && !slices.ContainsFunc(r.moves, func(c choice) bool { return c.move == m }) {
			if _, _, err := at.Decide(v.seat, m); err == nil {
				r.moves = append(r.moves, choice{m, v.inFull(m, at)})
			}
		}
	}
	for _, m := range v.called(text, at) {
		add(m)
	}
	typed, unread := v.parse(text)
	isMove, said := unread == nil, v.agreed(text)
	typed = v.ended(typed, at)
	if isMove && awaited {
		r.which = append(v.numberedAlike(text, typed, at), v.withEither(text, typed, at)...)
		if len(r.which) > 1 {
			r.unsure = true
			return r
		}
	}
	var worded []choice
	whole := false
	if awaited && len(r.moves) == 0 && !v.exact(text, at) { // what is a move elsewhere may be one's words here
		if worded, whole = v.worded(text, at); isMove && !whole {
			worded = nil
		}
	}
	if of := v.answers(text, at); whole {
		said = nil
	} else if len(of) > 1 || len(of) == 1 && !v.shows(at) {
		r.unsure = true
		for _, m := range of {
			r.which = append(r.which, choice{m, v.inFull(m, at)})
		}
		return r
	} else if len(of) == 1 {
		typed, said = of[0], of[0]
	}
	if isMove {
		add(typed)
		if r.which = v.repeats(text, r.moves, at); len(r.which) > 0 {
			r.which, r.moves, r.unsure = append(r.which, r.moves...), nil, true
			return r
		}
	}
	if len(r.moves) == 0 && whole {
		if len(worded) > 1 {
			r.which = worded
			return r
		}
		r.moves = worded
	}
	if len(r.moves) == 0 && said != nil {
		add(said)
	}
	if len(r.moves) == 0 && awaited {
		r.which = v.begun(text, at)
	}
	if len(r.moves)+len(r.which) == 0 && awaited && !isMove {
		r.which, r.numbers = v.numbered(text, at)
		// "on 29", unless another place shows a 29
		if bare := v.bare(text); len(r.which) == 0 && bare != text && !lettered(text) {
			r.which, _ = v.numbered(bare, at)
			r.unsure = len(v.playable(at, func(n turn.Named) bool { return slices.Contains(tokens(n.Label()), bare) },
				turn.Named.Label)) > 1
		}
		if len(r.which) > 0 {
			return r
		}
	}
	if len(r.moves)+len(r.which) == 0 && isMove && awaited {
		if _, _, err := at.Decide(v.seat, typed); err != nil {
			r.why, _ = v.refuse(err)
		}
	}
	if rb := v.rulebook.Extras().Orders; rb != nil {
		var err error
		r.order, err = rb.ReadOrder(text, nil)
		for _, names := range [][]string{v.names, v.first()} {
			if err != nil && names != nil {
				r.order, err = rb.ReadOrder(text, names)
			}
		}
		if err != nil && !isMove && reply.Stands(text) && !v.offered(at) && v.hints(text, at) {
			r.unorder, _ = v.refuse(err)
		}
		if isMove || !reply.Stands(text) { // what is to be done now, or came too early or too late, does not stand
			r.order, r.also = "", r.order
		}
	}
	if !isMove && len(r.moves)+len(r.which) == 0 && r.order == "" && len(worded) > 0 {
		r.which, r.unsure = worded, true
	}
	if !isMove && len(r.moves)+len(r.which) == 0 && r.order == "" &&
		(r.numbers || r.unorder != "" || v.tries(text, at)) {
		if r.tried = true; v.begins(parts(text)) {
			r.why, _ = v.refuse(unread)
		}
	}
	return r
}

// numberedAlike returns a move and others of its kind, if its place is said by a bare number after a little word ("to
// the 8") and others have that number too: the 8 may be what the board shows there. Otherwise it returns none.
func (v *vocabulary) numberedAlike(text string, m domain.Move, at *domain.Line) (all []choice) {
	said, is := tokens(text), strings.Fields(v.rulebook.FormatMove(m, nil))
	i := slices.IndexFunc(said, number)
	names := slices.ContainsFunc(said, func(w string) bool { return !v.littleWords()[w] && v.onlyNames([]string{w}) })
	if len(is) < 2 || i < 1 || !v.littleWords()[said[i-1]] || said[i] != is[1] ||
		slices.ContainsFunc(said[i+1:], number) {
		return nil
	}
	for _, n := range v.lists(at)[0].moves {
		other := strings.Fields(v.rulebook.FormatMove(n.Move, nil))
		if len(other) < 2 || other[0] != is[0] || names && !slices.Equal(other[2:], is[2:]) {
			continue
		}
		if _, _, err := at.Decide(v.seat, n.Move); err == nil &&
			(n.Move == m || other[1] != is[1] && slices.Contains(tokens(n.Label()), is[1])) {
			all = append(all, choice{n.Move, v.inFull(n.Move, at)})
		}
	}
	return all
}

// withEither returns a trade at the bank's rate with the bank and with others, if a text says neither whom it is with
// nor that it is an offer. Otherwise it returns none.
func (v *vocabulary) withEither(text string, m domain.Move, at *domain.Line) []choice {
	means, is := v.rulebook.Extras().Means, v.rulebook.FormatMove(m, nil)
	for _, f := range v.rulebook.Forms(at.State, v.seat) {
		offer := strings.Fields(f.Pattern)[0]
		for _, rate := range f.Rates {
			if !strings.HasPrefix(is, fmt.Sprintf("%s %d %s ", offer, rate.N, rate.Word)) || means == nil ||
				slices.ContainsFunc(tokens(text), func(w string) bool { return means(w) == offer }) {
				continue
			}
			verb, cards, _ := strings.Cut(reply.Plain(text), " ")
			bank, err := v.notation(verb + " " + strings.Fields(rate.Pattern)[0] + " " + cards)
			if err == nil && v.exact(v.rulebook.FormatMove(bank, nil), at) && v.exact(text, at) {
				return []choice{{bank, v.inFull(bank, at)}, {m, v.inFull(m, at)}}
			}
		}
	}
	return nil
}

// ended returns what ends a turn where that is called otherwise in the notation: of a move that is the end and cannot
// be made, the only one of the list that can and has a word for the end.
func (v *vocabulary) ended(m domain.Move, at *domain.Line) domain.Move {
	means := v.rulebook.Extras().Means
	if end, err := v.notation("end"); err != nil || m != end || means == nil || !at.Awaits(v.seat) {
		return m
	}
	if _, _, err := at.Decide(v.seat, m); err == nil {
		return m
	}
	ends := v.playable(at, func(n turn.Named) bool {
		return slices.ContainsFunc(tokens(n.Label()), func(w string) bool { return means(w) == "end" })
	}, turn.Named.Label)
	if len(ends) != 1 {
		return m
	}
	return ends[0].move
}

// idiom reports whether a text has nothing but a verb of the game and little words, which are not only articles: "in
// the end", "on a roll".
func (v *vocabulary) idiom(text string) bool {
	bare := tokens(v.bare(text))
	if len(bare) != 1 || !v.begins(bare) || reply.YesNo(bare) != reply.SaidNothing {
		return false
	}
	return slices.ContainsFunc(tokens(reply.Plain(text)), func(w string) bool {
		return w != bare[0] && !reply.Article(w) && v.littleWords()[w]
	})
}

// repeats returns the listed move whose own words a text has that can also be read as one to be filled in, which no
// list has: a trade with the bank, say, as an offer.
func (v *vocabulary) repeats(text string, all []choice, at *domain.Line) []choice {
	if len(all) != 1 || !slices.ContainsFunc(v.rulebook.Forms(at.State, v.seat), func(f domain.Form) bool {
		return strings.Fields(f.Pattern)[0] == strings.Fields(v.rulebook.FormatMove(all[0].move, nil))[0]
	}) {
		return nil
	}
	fit, _ := v.fitting(v.lists(at)[0], tokens(reply.Plain(text)), func(a, b string) bool { return a == b }, at)
	if len(fit) != 1 {
		return nil
	}
	return fit
}

// mostMove limits a move, in octets.
const mostMove = 200

// parse reads notation, and what a mail's reader may write around it: please and thanks, articles, prepositions. That a
// turn is over is its end.
func (v *vocabulary) parse(text string) (domain.Move, error) {
	m, err := v.notation(text)
	if err == nil {
		return m, nil
	}
	plain := reply.Plain(text)
	if reply.Done(text) || reply.Done(plain) {
		plain = "end"
	}
	for _, text := range []string{plain, v.bare(plain)} {
		if m, err := v.notation(text); err == nil {
			return m, nil
		}
	}
	return m, err
}

// bare returns a text without courtesies and the little words that people add.
func (v *vocabulary) bare(text string) string {
	little := func(w string) bool { return v.littleWords()[domain.Fold(strings.Trim(w, ",.;:!"))] }
	return strings.Join(slices.DeleteFunc(strings.Fields(reply.Plain(text)), little), " ")
}

// littleWords are those that people add to what the mail lists, or leave out.
func (v *vocabulary) littleWords() map[string]bool {
	if v.little == nil {
		v.little = reply.LittleWords(v.p.Lang())
	}
	return v.little
}

func (v *vocabulary) notation(text string) (domain.Move, error) {
	m, err := v.rulebook.ParseMove(text, nil)
	for _, names := range [][]string{v.names, v.first()} {
		if err != nil && names != nil {
			m, err = v.rulebook.ParseMove(text, names)
		}
	}
	return m, err
}

// first returns the first names of the seats, or nil if two have the same.
func (v *vocabulary) first() (out []string) {
	for _, name := range v.names {
		name, _, _ = strings.Cut(name, " ")
		if slices.Contains(out, name) {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// called returns the listed moves that a text names: by their names in the mail, with any spacing, or by their words.
func (v *vocabulary) called(text string, at *domain.Line) (out []domain.Move) {
	want := domain.Fold(text)
	labelled := func(n turn.Named) bool { return domain.Fold(n.Label()) == want }
	for _, same := range []func(turn.Named) bool{
		func(n turn.Named) bool { return domain.Fold(n.Name) == want || labelled(n) },
		func(n turn.Named) bool { return squeezed(n.Name) == squeezed(text) },
		func(n turn.Named) bool { return n.Short != "" && squeezed(n.Short) == squeezed(text) },
	} {
		if out = v.mailed.those(same); len(out) > 0 {
			return out
		}
	}
	if out = v.lists(at)[0].those(labelled); len(out) > 0 {
		return out
	}
	if plain := reply.Plain(text); plain != text {
		return v.called(plain, at)
	}
	return nil
}

func (l *list) those(fit func(turn.Named) bool) (out []domain.Move) {
	for _, n := range l.moves {
		if fit(n) {
			out = append(out, n.Move)
		}
	}
	return out
}

// squeezed drops the spaces that are not needed to tell a text's parts: "12 a" becomes "12a", but "1 3" stays.
func squeezed(text string) string {
	text = strings.Join(strings.Fields(domain.Fold(text)), " ")
	var b strings.Builder
	for i := range len(text) {
		if text[i] == ' ' && !(digit(text[i-1]) && digit(text[i+1])) {
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// begun returns the playable moves whose name begins with the text: a place, without what to do there.
func (v *vocabulary) begun(text string, at *domain.Line) (out []choice) {
	want := domain.Fold(text)
	return v.playable(at, func(n turn.Named) bool {
		return strings.HasPrefix(domain.Fold(n.Name), want+" ") || strings.HasPrefix(domain.Fold(n.Label()), want+",")
	}, inWords)
}

// playable returns the listed moves that fit and can be made at a position, as they are to be shown.
func (v *vocabulary) playable(at *domain.Line, fit func(turn.Named) bool, show func(turn.Named) string) (out []choice) {
	for _, l := range v.lists(at) {
		for _, n := range l.moves {
			if !fit(n) || slices.ContainsFunc(out, func(c choice) bool { return c.move == n.Move }) {
				continue
			}
			if _, _, err := at.Decide(v.seat, n.Move); err == nil {
				out = append(out, choice{n.Move, show(n)})
			}
		}
	}
	return out
}

// inWords returns a listed move in the reader's language, with its name unless that has a word of the notation's, which
// is English.
func inWords(n turn.Named) string {
	if hasWord(n.Name) {
		return n.Label()
	}
	return cmp.Or(n.Short, n.Name) + ": " + n.Label()
}

// passes reports whether a line that was read at a position is passed over: it is no move, and none that went wrong.
func (v *vocabulary) passes(text string, r *reading, at *domain.Line) bool {
	return !r.tried && len(r.moves)+len(r.which) == 0 && r.why == "" && !v.tries(text, at) && !v.meant(text)
}

// only returns the one move that a line means, or nil.
func (r reading) only() *choice {
	switch {
	case r.unsure:
		return nil
	case len(r.moves) == 1:
		return &r.moves[0]
	case len(r.moves) == 0 && len(r.which) == 1:
		return &r.which[0]
	}
	return nil
}
