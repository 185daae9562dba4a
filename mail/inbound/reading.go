package inbound

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// choice is a move as it is told to its player.
type choice struct {
	move  domain.Move
	label string
}

// reading is all that a line may mean where a seat is to play.
type reading struct {
	moves []choice // each may be played
	which []choice // those that its text may be the beginning of
	why   string   // why the move that it is may not be played
	order string   // the standing order that it is, and nothing else
	also  string   // the standing order that a move would be, were it said to be one
}

// vocabulary is what moves may be called: as the mail that is answered called them, and as the
// rulebook reads them.
type vocabulary struct {
	rulebook domain.Rulebook
	seat     domain.Seat
	names    []string     // of the seats
	mailed   []turn.Named // the choices of the mail
	refuse   func(error) (string, bool)
}

// read reads a line for a position. The position is not changed.
func (v *vocabulary) read(text string, at *domain.Line) (r reading) {
	text = strings.TrimRight(text, ".!;, ")
	for _, point := range []string{"- ", "* ", "• "} { // of a list; a place may begin with a minus
		text = strings.TrimPrefix(text, point)
	}
	if text == "" || len(text) > mostMove {
		return r
	}
	awaited := at.Awaits(v.seat)
	add := func(m domain.Move) {
		if awaited && !slices.ContainsFunc(r.moves, func(c choice) bool { return c.move == m }) {
			if _, _, err := at.Decide(v.seat, m); err == nil {
				r.moves = append(r.moves, choice{m, v.rulebook.FormatMove(m, v.names)})
			}
		}
	}
	for _, m := range v.called(text) {
		add(m)
	}
	typed, err := v.parse(text)
	isMove := err == nil
	if isMove {
		add(typed)
	}
	if len(r.moves) == 0 && awaited {
		r.which = v.begun(text, at)
	}
	if len(r.moves)+len(r.which) == 0 && isMove && awaited {
		if _, _, err := at.Decide(v.seat, typed); err != nil {
			r.why, _ = v.refuse(err)
		}
	}
	if rb := v.rulebook.Extras().Orders; rb != nil {
		if r.order, err = rb.ReadOrder(text, nil); err != nil {
			r.order, _ = rb.ReadOrder(text, v.names)
		}
		if isMove { // nothing stands because a move came too early, or too late
			r.order, r.also = "", r.order
		}
	}
	return r
}

// mostMove is the most octets of a move.
const mostMove = 200

func (v *vocabulary) parse(text string) (domain.Move, error) {
	m, err := v.rulebook.ParseMove(text, nil)
	if err != nil {
		m, err = v.rulebook.ParseMove(text, v.names)
	}
	return m, err
}

// called are the moves of the mail's list that a text names: by what they are called there, with
// whatever spaces, or by what they say.
func (v *vocabulary) called(text string) (out []domain.Move) {
	want := domain.Fold(text)
	for _, same := range []func(turn.Named) bool{
		func(n turn.Named) bool { return domain.Fold(n.Name) == want || domain.Fold(n.Label()) == want },
		func(n turn.Named) bool { return squeezed(n.Name) == squeezed(text) },
		func(n turn.Named) bool { return n.Short != "" && squeezed(n.Short) == squeezed(text) },
	} {
		for _, n := range v.mailed {
			if same(n) {
				out = append(out, n.Move)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// squeezed is a text without the spaces that nobody needs to tell its parts: "12 a" is "12a", and "1 3"
// stays what it is.
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

// begun are the moves that may be played whose name a text begins: a place, without what is to be done there.
func (v *vocabulary) begun(text string, at *domain.Line) (out []choice) {
	want := domain.Fold(text) + " "
	for _, n := range v.mailed {
		if !strings.HasPrefix(domain.Fold(n.Name), want) && !strings.HasPrefix(domain.Fold(n.Label()), strings.TrimSpace(want)+",") {
			continue
		}
		if _, _, err := at.Decide(v.seat, n.Move); err == nil {
			out = append(out, choice{n.Move, n.Name + ": " + n.Label()})
		}
	}
	return out
}

// question is why nothing is played before its writer has said more.
type question struct {
	key   string // of a text; "" for none
	pairs []any
	which []choice
	why   string // in place of a text
}

// plan is what lines come to: a question, or from where on they are played one after the other.
func (v *vocabulary) plan(lines []string, line *domain.Line) (first int, q *question) {
	first, why := -1, ""
	for i, text := range lines {
		switch r := v.read(text, line); {
		case len(r.moves) > 1:
			return i, &question{key: "both", pairs: []any{"a", r.moves[0].label, "b", r.moves[1].label}}
		case len(r.moves) == 1:
			first = i
		case len(r.which) == 1:
			first = i
		case len(r.which) > 1:
			return i, &question{key: "which", pairs: []any{"text", text}, which: r.which}
		case i == 0 && r.why != "":
			return i, &question{why: r.why}
		case i == 0 && r.order != "":
			first = i
		case why == "":
			why = r.why
		}
		if first >= 0 {
			return first, v.two(lines, first, line)
		}
	}
	for i, text := range lines { // beneath a line that is none, an order counts where there is no move
		if v.read(text, line).order != "" {
			return i, nil
		}
	}
	if why != "" {
		return 0, &question{why: why}
	}
	return 0, &question{key: "unread"}
}

// two asks where lines name two moves that cannot both be made, one after the other, but each of
// which can be made now.
func (v *vocabulary) two(lines []string, first int, line *domain.Line) *question {
	sim, going := line.Dealt(v.seat), true
	var meant []choice
	for _, text := range lines[first:] {
		r := v.read(text, sim)
		if c := r.only(); c != nil && going {
			if e, _, err := sim.Decide(v.seat, c.move); err == nil {
				sim.Apply(&e)
				meant = append(meant, *c)
				continue
			}
		}
		going = going && r.order != ""
		c := v.read(text, line).only()
		if c != nil && len(meant) > 0 && !slices.ContainsFunc(meant, func(m choice) bool { return m.move == c.move }) {
			return &question{key: "both", pairs: []any{"a", meant[0].label, "b", c.label}}
		}
	}
	return nil
}

// only is the one move that a line means, or nil.
func (r reading) only() *choice {
	switch {
	case len(r.moves) == 1:
		return &r.moves[0]
	case len(r.moves) == 0 && len(r.which) == 1:
		return &r.which[0]
	}
	return nil
}
