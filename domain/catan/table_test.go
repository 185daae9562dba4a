package catan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The names of the seats in these tests: A, B, C and D.
var testNames = []string{"Ana", "Bo", "Cy", "Di"}

// game is a game under test: given a position, when moves, then what follows.
type game struct {
	t    *testing.T
	line *domain.Line
	last domain.Event
}

// choices completes the options of a game; pairs alternate key and value.
func choices(t testing.TB, pairs ...string) domain.Choices {
	t.Helper()
	given := domain.Choices{}
	for i := 0; i+1 < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	full, err := domain.Complete(Rulebook, given)
	require.NoError(t, err)
	return full
}

// given sets a position up on the beginner's board, unless the options say otherwise.
func given(t *testing.T, seats int, position string, options ...string) *game {
	t.Helper()
	g, err := setUp(t, seats, position, options...)
	require.NoError(t, err)
	return g
}

func setUp(t *testing.T, seats int, position string, options ...string) (*game, error) {
	t.Helper()
	if !slices.Contains(options, "board") {
		options = append(options, "board", "beginner")
	}
	g := &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(1))}
	e, used, err := g.line.Setup(domain.Game{Choices: choices(t, options...), Seats: seats,
		Given: json.RawMessage(position)})
	if err != nil {
		return nil, err
	}
	g.line.Luck.Commit(used)
	g.line.Apply(&e)
	g.last = e
	return g, nil
}

func (g *game) state() *state.State { return g.line.State.(*state.State) }

// chance dictates outcomes of a kind, in order.
func (g *game) chance(kind string, outcomes ...string) *game {
	for _, words := range outcomes {
		g.line.Luck.Dictate(kind, domain.Outcome{Words: words})
	}
	return g
}

func (g *game) try(move string) error {
	g.t.Helper()
	name, text, ok := strings.Cut(move, ": ")
	require.True(g.t, ok, move)
	seat := domain.Seat(slices.Index(testNames, name))
	m, err := g.line.Parse(text, testNames)
	if err != nil {
		return err
	}
	e, used, err := g.line.Decide(seat, m)
	if err != nil {
		return err
	}
	g.line.Luck.Commit(used)
	g.line.Apply(&e)
	g.last = e
	return nil
}

// play plays moves such as "Ana: roll", which must be accepted.
func (g *game) play(moves ...string) *game {
	g.t.Helper()
	for _, m := range moves {
		require.NoError(g.t, g.try(m), m)
	}
	return g
}

// refuse plays a move that must be refused with this reason, and change nothing.
func (g *game) refuse(move, code string) *game {
	g.t.Helper()
	before := *g.state()
	err := g.try(move)
	refusal, ok := domain.AsRefusal(err)
	require.True(g.t, ok, "%s: %v", move, err)
	require.Equal(g.t, code, refusal.Code, move)
	require.Equal(g.t, before, *g.state())
	return g
}

// oneIf returns 1 for true and 0 for false.
func oneIf(so bool) int {
	if so {
		return 1
	}
	return 0
}

func seatNo(name string) int8 { return int8(slices.Index(testNames, name)) }

// hand returns what a seat holds: "2 wool 1 ore".
func (g *game) hand(name string) string { return g.state().Hand[seatNo(name)].String() }

func (g *game) points(name string) int { return g.state().Points(seatNo(name)) }

func (g *game) phase() string { return g.state().Phase.String() }

// longest returns the letter of the seat that holds the longest road, or "".
func (g *game) longest() string { return *g.state().HolderWord(g.state().Longest) }
func (g *game) army() string    { return *g.state().HolderWord(g.state().Army) }

// awaits lists what is awaited: "Ana turn, Bo answer".
func (g *game) awaits() string {
	var list []string
	for _, o := range g.line.Awaited() {
		list = append(list, testNames[o.Seat]+" "+o.Kind)
	}
	return strings.Join(list, ", ")
}

// legal lists the legal moves of a seat that begin with a word.
func (g *game) legal(name, prefix string) []string {
	var list []string
	for m := range g.line.Rulebook.Legal(g.line.State, domain.Seat(seatNo(name))) {
		text := g.line.Rulebook.FormatMove(m, testNames)
		if strings.HasPrefix(text, prefix) {
			list = append(list, text)
		}
	}
	return list
}

// then compares the actual with the expected value, both as text.
func (g *game) then(want string, got any) *game {
	g.t.Helper()
	require.Equal(g.t, want, fmt.Sprint(got))
	return g
}

// conserved checks that no card was made or lost: there are as many of each kind as in the box. It runs after every
// move of thousands of games, so it compares first and reports afterwards.
func conserved(t testing.TB, s *state.State) {
	t.Helper()
	sum, cards := s.Bank, s.Deck
	for c := range s.Seats {
		sum.Add(s.Hand[c])
		cards.Add(s.Cards[c])
		cards.Add(s.Spent[c])
		cards[table.Knight] += s.Knights[c]
		if !s.Hand[c].Covers(table.Hand{}) || s.Hand[c].Len() != int(s.Size[c]) {
			require.Fail(t, "a hand that cannot be", "seat %d: %v, %d cards", c, s.Hand[c], s.Size[c])
		}
	}
	if sum != (table.Hand{19, 19, 19, 19, 19}) || cards != table.FullDeck {
		require.Fail(t, "cards were made or lost", "%v, %v", sum, cards)
	}
}
