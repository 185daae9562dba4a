package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/domain/standin"
)

// sketches returns pages of Ana's sketches: at games that await her and at one that does not, one a move before the end
// of a line, and one from which the game has moved on.
func (s *stage) sketches() (out []shotOf) {
	s.t.Helper()
	out = append(out, shotOf{"sketch-none", "/t/" + s.tables["catan-begin"].String() + "/sketch", 0})
	for _, name := range []string{"carcassonne", "carcassonne-waiting", "catan", "rivals"} {
		past := uint64(0)
		if name == "catan" {
			past = 2
		}
		kept := sketch.Sketch{}
		for _, called := range []string{"", strings.ToUpper(name[:1]) + name[1:]} {
			_, err := kept.Add(s.tries(name, called, 0, past))
			require.NoError(s.t, err)
		}
		_, revision, err := s.People.Sketch(context.Background(), s.who[0], s.tables[name])
		require.NoError(s.t, err)
		require.NoError(s.t, s.People.SetSketch(context.Background(), s.who[0], s.tables[name], kept, revision))
		at := fmt.Sprintf("/t/%s/sketch/2/", s.tables[name])
		out = append(out, shotOf{"sketch-" + name, at + fmt.Sprint(len(kept.Lines[1].Plies)-1), 0},
			shotOf{"sketch-" + name + "-begins", at + "0", 0})
	}
	waits := sketch.Sketch{}
	_, err := waits.Add(s.tries("rivals", "", 1, 0))
	require.NoError(s.t, err)
	_, revision, err := s.People.Sketch(context.Background(), s.who[1], s.tables["rivals"])
	require.NoError(s.t, err)
	require.NoError(s.t, s.People.SetSketch(context.Background(), s.who[1], s.tables["rivals"], waits, revision))
	return append(out, shotOf{"sketch-orders",
		fmt.Sprintf("/t/%s/sketch/1/%d", s.tables["rivals"], len(waits.Lines[0].Plies)), 1})
}

// tries makes a person's sketched line from a few versions back: some moves of the steady stand-in.
func (s *stage) tries(table, called string, seat domain.Seat, past uint64) sketch.Line {
	s.t.Helper()
	look, err := s.Desk.Look(context.Background(), s.tables[table])
	require.NoError(s.t, err)
	l := sketch.Line{Name: called, Stream: look.LineName.String(), Version: look.Line.Version - past, Seat: seat,
		Luck: 7}
	line, err := s.Desk.LineAt(context.Background(), look, look.LineName, l.Version)
	require.NoError(s.t, err)
	l.Begin(line)
	for i := range 5 {
		if len(line.Awaited()) == 0 {
			break
		}
		seat := line.Awaited()[0].Seat
		m, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, line.State, seat, line.Version))
		require.True(s.t, ok)
		p := sketch.Ply{Seat: seat, Move: look.Rulebook.FormatMove(m, nil)}
		e, err := l.Try(line, i, p)
		require.NoError(s.t, err)
		line.Apply(&e)
		l.Plies = append(l.Plies, p)
	}
	require.NotEmpty(s.t, l.Plies)
	return l
}
