package inbound

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// choice is a move with the words its player sees.
type choice struct {
	move  domain.Move
	label string
	lies  string // where it lies, among several; "" if that is not said
}

// choice returns a move of a position with its words and its place there: the position may be one that the line has
// yet to reach.
func (v *vocabulary) choice(m domain.Move, at *domain.Line) choice {
	return choice{m, v.inFull(m, at), turn.Lies(v.p, at, m)}
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
	little   map[string]bool     // in the mail's language; nil before it is needed
	beside   map[string]bool     // the clauses around moves that were found to be idle
	asides   map[string]string   // what is to be said where one of these stands
	line     *domain.Line        // where the game stands as the mail comes
	cut      map[string][]string // what a text was cut into: its first part, and those after it
	refuse   func(error) (string, bool)
}

// read reads a line for a position. It does not change the position. What is put as a question is played by nobody.
func (v *vocabulary) read(text string, at *domain.Line) (r reading) {
	r = v.statement(text, at)
	if len(r.moves)+len(r.which) == 0 && r.order == "" && at.Awaits(v.seat) && !v.offered(at) {
		if right := v.corrected(text, at); right != text {
			if now := v.statement(right, at); now.only() != nil && len(v.listedAs(now.only().move, at)) > 0 {
				r = now
			}
		}
	}
	r.moves, r.which = v.distinct(r.moves, at), v.distinct(r.which, at)
	if c := r.only(); strings.HasSuffix(text, "?") && (c == nil || !v.proposes(c.move, at)) {
		r.which, r.moves, r.unsure = slices.Concat(r.moves, r.which), nil, true
	}
	return r
}

func (v *vocabulary) statement(text string, at *domain.Line) (r reading) {
	text = strings.TrimRight(text, ".!;, ")
	for _, point := range []string{"- ", "* ", "• "} { // list bullets; a place may begin with a minus
		text = strings.TrimPrefix(text, point)
	}
	if text == "" || len(text) > mostMove || v.beside[text] || v.idiom(text) {
		return r
	}
	if r, ok := v.everything(text, at); ok {
		return r
	}
	awaited := at.Awaits(v.seat)
	if awaited {
		if r.which, r.why = v.either(text, at); len(r.which) > 0 || r.why != "" {
			r.unsure = true
			return r
		}
	}
	plays := func(m domain.Move) bool {
		_, _, err := at.Decide(v.seat, m)
		return err == nil
	}
	add := func(m domain.Move) {
		if awaited && !slices.ContainsFunc(r.moves, func(c choice) bool { return c.move == m }) && plays(m) {
			r.moves = append(r.moves, v.choice(m, at))
		}
	}
	for _, m := range v.called(text, at) {
		add(m)
	}
	typed, unread := v.parse(text)
	if unread != nil && awaited {
		for _, read := range []func(string, *domain.Line) domain.Move{v.dearer, v.summed, v.remainder} {
			if m := read(text, at); m != nil {
				typed, unread = m, nil
			}
		}
	}
	if awaited && len(r.moves) == 0 && (unread != nil || !plays(typed)) {
		if fit, others, no := v.described(text, at); len(fit) == 1 {
			r.moves = fit
			return r
		} else if len(fit)+len(others) > 0 {
			if r.which, r.unsure = fit, true; len(fit) == 0 {
				r.which = others
			}
			return r
		} else if no != nil && unread != nil {
			typed, unread = no, nil
		}
	}
	if m := v.kept(text, at); m != nil && awaited {
		typed, unread = m, nil
	}
	isMove, said := unread == nil, v.agreed(text)
	typed = v.instead(v.ended(typed, at), at)
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
			r.which = append(r.which, v.choice(m, at))
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
		for _, names := range [][]string{nil, v.names, v.first()} {
			if r.order == "" {
				r.order, err = rb.ReadOrder(text, names)
			}
		}
		if err != nil {
			if order := v.always(text, rb); order != "" {
				r.order, err = order, nil
			}
		}
		if err != nil && !isMove && reply.Stands(text) && !v.offered(at) && v.hints(text, at) {
			r.unorder, _ = v.refuse(err)
		}
		if len(r.moves) > 0 || !reply.Stands(text) { // what is to be done now, or came too early or too late
			r.order, r.also = "", r.order
		} else if r.order != "" {
			r.why = ""
		}
	}
	if !isMove && len(r.moves)+len(r.which) == 0 && r.order == "" && len(worded) > 0 {
		r.which, r.unsure = worded, true
	}
	if !isMove && len(r.moves)+len(r.which) == 0 && r.order == "" &&
		(r.numbers || r.unorder != "" || v.tries(text, at)) {
		if r.tried = true; v.begins(parts(text)) && v.tells(unread) {
			r.why, _ = v.refuse(unread)
			r.why = cmp.Or(v.nowhere(text, at), r.why)
		}
	}
	return r
}

// mostPlaces is how many numbers of places are tried for a text that lacks one.
const mostPlaces = 100

// nowhere says why a text that only lacks a place, such as "city", cannot be played at any; "" if there is another
// fault in it, or not one reason for all places.
func (v *vocabulary) nowhere(text string, at *domain.Line) (why string) {
	var one domain.Move
	text, alike := v.bare(text), true
	for n := range mostPlaces {
		m, err := v.notation(text + " " + strconv.Itoa(n))
		if err != nil {
			continue
		}
		if _, _, err = at.Decide(v.seat, m); err == nil {
			return ""
		}
		now, _ := v.refuse(err)
		why = cmp.Or(why, now)
		alike, one = alike && why == now, m
	}
	if alike {
		return why
	}
	return v.lacks(one, at)
}

// lacks says what a seat lacks for a move that has a price, or what else is in its way wherever it is made; "" for
// nothing.
func (v *vocabulary) lacks(m domain.Move, at *domain.Line) string {
	deeds := v.rulebook.Extras().Deeds
	if deeds == nil {
		return ""
	}
	verb, _, _ := strings.Cut(v.rulebook.FormatMove(m, nil), " ")
	for _, d := range deeds(v.rulebook.View(at.State, domain.ViewOf(v.seat))) {
		if d.Key == verb && len(d.Not) > 0 {
			return v.p.Say(d.Label) + ": " + strings.Join(v.p.Lines(d.Not), "; ") + "."
		}
	}
	return ""
}

// tells reports whether an error says what is wrong with a text: it is not what the game says of any that it cannot
// read, and it blames no word that means something here. Then another one is at fault.
func (v *vocabulary) tells(unread error) bool {
	r, ok := domain.AsRefusal(unread)
	_, empty := v.notation("")
	if any, _ := domain.AsRefusal(empty); !ok || any != nil && any.Code == r.Code {
		return false
	}
	word, _ := r.Args["text"].(string)
	return r.Code != "unreadable-word" || !v.understood(word)
}

// understood reports whether a word means something here.
func (v *vocabulary) understood(word string) bool {
	return v.speaks(word) || reply.Known(word) || reply.None(word) || v.littleWords()[domain.Fold(word)] ||
		v.onlyNames([]string{word})
}

// strangers returns the words of a text that are not understood here.
func (v *vocabulary) strangers(text string) (out []string) {
	for _, word := range token.FindAllString(text, -1) {
		if utf8.RuneCountInString(word) > 1 && !number(word) && !v.understood(word) {
			out = append(out, word)
		}
	}
	return out
}

// passes reports whether a line that was read at a position is passed over: it is no move, and none that went wrong.
func (v *vocabulary) passes(text string, r *reading, at *domain.Line) bool {
	return v.beside[strings.TrimRight(text, ".!;, ")] ||
		!r.tried && len(r.moves)+len(r.which) == 0 && r.why == "" && !v.tries(text, at) && !v.meant(text)
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
