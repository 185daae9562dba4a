package rulebooktest

import (
	"flag"
	"maps"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

var wrongMoves = flag.Int("wrong-moves", 0,
	"moves that are hardly legal to try before each move of a random game; why they are refused must be true")

// Truths says of each code with which a game refuses moves when that is the truth, and whether what its text advises
// would be accepted: one row for every "refuse." in the game's catalogue.
type Truths map[string]func(r *Refused) bool

// Leads says which sections of a game's rules are about which of its moves: the rule behind a refusal stands in one of
// them. Now lists the codes that say what is to be done first, whatever was tried.
type Leads struct {
	Moves map[string]string // the sections, with spaces between them, by the first word of the move in notation
	Now   string            // codes, with spaces between them
}

// Never is the row of a code with which no move is refused that could be read: what the notation cannot read is
// refused with it, or a position given by hand.
func Never(*Refused) bool { return false }

// Refused is a move that was refused, and the position in which it was.
type Refused struct {
	State domain.State
	Seat  domain.Seat
	Move  domain.Move
	Args  map[string]any // of the refusal

	rb    domain.Rulebook
	legal []domain.Move
}

// Legal returns the moves that the seat could make instead.
func (r *Refused) Legal() []domain.Move {
	if r.legal == nil {
		r.legal = legal(r.rb, r.State, r.Seat)
	}
	return r.legal
}

// Accepts reports whether the game would accept another move of the seat here.
func (r *Refused) Accepts(m domain.Move) bool {
	_, err := r.rb.Decide(r.State, r.Seat, m, domain.NewThrowaway(7).Begin())
	return err == nil
}

// Text returns a move in notation.
func (r *Refused) Text(m domain.Move) string { return r.rb.FormatMove(m, nil) }

// N returns an argument of the refusal that is a number; -1 if it has none.
func (r *Refused) N(arg string) int {
	if n, ok := r.Args[arg].(int); ok {
		return n
	}
	return -1
}

// covered checks that each code has its row, and each row its code.
func (s *suite) covered(t T) {
	var codes []string
	for key := range s.words.langs["en"] {
		if code, is := strings.CutPrefix(key, "refuse."); is {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	require.Equal(t, codes, slices.Sorted(maps.Keys(s.cfg.Truths)),
		"Config.Truths has a row for every code of a refusal")
}

// isTrue checks that a refusal is true of its position.
func (g *game) isTrue(s domain.State, seat domain.Seat, m domain.Move, refusal *domain.Refusal) {
	is, ok := g.cfg.Truths[refusal.Code]
	if !ok { // the house's own, such as an option there is not
		return
	}
	g.refused++
	r := &Refused{State: s, Seat: seat, Move: m, Args: refusal.Args, rb: g.rb}
	if l := g.cfg.Leads; l != nil && !slices.Contains(strings.Fields(l.Now), refusal.Code) {
		verb, _, _ := strings.Cut(r.Text(m), " ")
		require.Contains(g.t, strings.Fields(l.Moves[verb]), g.rb.Extras().Guide.Section(refusal.Code),
			"%s: where the rule behind %s is looked up, refused as %s", g.where, r.Text(m), refusal.Code)
	}
	require.True(g.t, is(r), "%s: %s is refused, but it is not so: %s %v\n%s", g.where, g.rb.FormatMove(m, nil),
		refusal.Code, refusal.Args, g.truth(s))
}

// tried makes moves that were legal elsewhere, or read like such moves, and checks why they are refused.
func (g *game) tried(n int) {
	open := g.line.Awaited()
	if len(open) == 0 || len(g.pool) == 0 {
		return
	}
	seat := open[g.odd.below(len(open))].Seat
	here := legal(g.rb, g.line.State, seat)
	for range n {
		m, ok := g.oddMove(here)
		if !ok {
			continue
		}
		_, err := g.rb.Decide(g.line.State, seat, m, domain.NewThrowaway(7).Begin())
		if refusal, is := domain.AsRefusal(err); is {
			g.isTrue(g.line.State, seat, m, refusal)
		}
	}
}

// oddMove returns a move that was legal elsewhere, or one of these or of those with a word of another in it, or
// mistyped.
func (g *game) oddMove(here []domain.Move) (domain.Move, bool) {
	m := g.pool[g.odd.below(len(g.pool))]
	if g.odd.below(4) == 0 {
		return m, true
	}
	other := strings.Fields(g.rb.FormatMove(g.pool[g.odd.below(len(g.pool))], nil))
	if g.odd.below(4) > 0 && len(here) > 0 {
		m = here[g.odd.below(len(here))]
	}
	text := g.rb.FormatMove(m, nil)
	if g.odd.below(5) == 0 {
		texts := mutations(text, g.odd)
		text = texts[g.odd.below(len(texts))]
	} else {
		words := strings.Fields(text)
		for range 1 + g.odd.below(2) {
			words[g.odd.below(len(words))] = other[g.odd.below(len(other))]
		}
		text = strings.Join(words, " ")
	}
	m, err := g.rb.ParseMove(text, nil)
	return m, err == nil
}
