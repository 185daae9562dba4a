package rulebooktest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/script"
)

// Case is a rule as a script: given a position, when moves are made, then the last one has this result.
type Case struct {
	// Script has one statement per line, or several separated by "; ". Game, seats (A, B, …) and a seed are put before
	// it.
	Script string
	Seats  int // 0: two
	// the code with which the last move, or the position ("given", or why: "given.twice"), is refused; "" if it is
	// played
	Refused string
	Scores  []int  // afterwards; nil: any
	Final   []int  // if it ended then; nil: any
	State   string // some keys of the referee's view afterwards, as JSON; "": any
}

// Plays tests rules, by name.
func Plays(t *testing.T, rb domain.Rulebook, cases map[string]Case) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { c.play(t, rb) })
	}
}

func (c Case) play(t *testing.T, rb domain.Rulebook) {
	src := "game " + rb.Name() + "\nseed 1\n"
	for i := range domain.Seat(max(c.Seats, 2)) {
		src += fmt.Sprintf("seat %s\n", i.Letter())
	}
	s, err := script.Parse([]byte(src+strings.ReplaceAll(c.Script, "; ", "\n")), func(string) (domain.Rulebook, bool) {
		return rb, true
	})
	require.NoError(t, err)
	var last script.Result
	for r, err := range s.Play(nil) {
		if _, is := domain.AsRefusal(err); is { // the position is refused
			r.Err, err = err, nil
		}
		require.NoError(t, err)
		require.NoError(t, last.Err, "only the last move may be refused")
		last = r
	}
	if refusal, is := domain.AsRefusal(last.Err); is {
		why, _ := refusal.Args["why"].(domain.Say)
		require.True(t, c.Refused != "" && (c.Refused == refusal.Code || c.Refused == why.Key), "%q: %v", c.Refused,
			refusal)
	} else {
		require.NoError(t, last.Err)
		require.Empty(t, c.Refused, "it was played")
	}
	if c.Scores != nil {
		require.Equal(t, c.Scores, last.Standing.Scores)
	}
	if c.Final != nil {
		require.Equal(t, c.Final, last.Standing.Final)
	}
	if c.State == "" {
		return
	}
	var want, got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(c.State), &want))
	require.NoError(t, json.Unmarshal([]byte(asJSON(t, last.State)), &got))
	for key := range want {
		require.JSONEq(t, string(want[key]), string(got[key]), key)
	}
}

// Reads tests notation: typed text, and the canonical form of its move, seats by letter.
func Reads(t *testing.T, rb domain.Rulebook, names []string, typed map[string]string) {
	t.Helper()
	for text, want := range typed {
		m, err := rb.ParseMove(text, names)
		require.NoError(t, err, text)
		require.Equal(t, want, rb.FormatMove(m, nil), text)
	}
}

// FuzzNotation checks that any text is either refused, or a move whose notation reads back as the same move.
func FuzzNotation(f *testing.F, rb domain.Rulebook, names []string, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readAgain(t, rb, text, names, nil)
	})
}

// readAgain checks that a text is either refused, or a move whose notation with some names reads back as the same move.
func readAgain(t T, rb domain.Rulebook, text string, names, as []string) {
	m, err := rb.ParseMove(text, names)
	if err != nil {
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, "%q: not a refusal: %v", text, err)
		return
	}
	back, err := rb.ParseMove(rb.FormatMove(m, as), as)
	require.NoError(t, err, "%q", text)
	require.Equal(t, m, back, "%q", text)
}
