package browser

import (
	"context"
	"fmt"
	"net/url"

	"github.com/stretchr/testify/require"

	"posthorn/domain/standin"
	"posthorn/events/people"
)

// puzzles returns pages of a puzzle that Ana made from each finished game: its form, what she sees of it, and what a
// stranger sees before an answer, after a wrong one, and with the solution.
func (s *stage) puzzles() (out []shotOf) {
	s.t.Helper()
	ctx := context.Background()
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		table := s.tables[game+"-over"]
		look, err := s.Desk.Look(ctx, table)
		require.NoError(s.t, err)
		p := people.Puzzle{Table: table.String(), Line: look.LineName.String(), Luck: 7, Title: "How would you go on?",
			Question: "Somebody is about to win.", Answer: "It leaves the other the fewest places."}
		var moves []string
		for p.Version = look.LineHead.Version / 2; len(moves) < 2; p.Version++ { // where there is a choice
			moves = nil
			line, err := s.Desk.LineAt(ctx, look, look.LineName, p.Version)
			require.NoError(s.t, err)
			if len(line.Awaited()) == 0 {
				continue
			}
			p.Seat = line.Awaited()[0].Seat
			for m := range look.Rulebook.Legal(line.State, p.Seat) {
				moves = append(moves, look.Rulebook.FormatMove(m, nil))
			}
			if len(moves) > 1 {
				m, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, line.State, p.Seat, p.Version))
				require.True(s.t, ok)
				p.Solutions = []string{look.Rulebook.FormatMove(m, nil)}
				break
			}
		}
		wrong := moves[0]
		if wrong == p.Solutions[0] {
			wrong = moves[1]
		}
		name, err := s.People.AddPuzzle(ctx, s.who[0], p)
		require.NoError(s.t, err)
		at := "/puzzle/" + name.String()
		out = append(out, shotOf{"puzzle-" + game, at, -1},
			shotOf{"puzzle-" + game + "-wrong", at + "?tried=" + url.QueryEscape(wrong), -1},
			shotOf{"puzzle-" + game + "-right", at + "?tried=" + url.QueryEscape(p.Solutions[0]), -1})
		if game == "catan" {
			form := fmt.Sprintf("/t/%s/puzzle?line=%s&version=%d&seat=%d", table, p.Line, p.Version, p.Seat)
			out = append(out, shotOf{"puzzle-form", form, 0}, shotOf{"puzzle-mine", at, 0},
				shotOf{"puzzle-solution", at + "?solution=1", -1})
		}
	}
	return out
}

// strange returns pages about the past of finished games that a stranger may read.
func (s *stage) strange() (out []shotOf) {
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		at := "/t/" + s.tables[game+"-over"].String()
		look, err := s.Desk.Look(context.Background(), s.tables[game+"-over"])
		require.NoError(s.t, err)
		out = append(out, shotOf{"moment-" + game + "-over",
			fmt.Sprintf("%s/line/%s/%d", at, look.LineName, look.LineHead.Version/2), -1})
	}
	at := "/t/" + s.tables["catan-over"].String()
	return append(out, shotOf{"audit-over", at + "/audit?draws=1", -1}, shotOf{"print-catan", at + "/print", -1},
		shotOf{"receipts-stranger", at + "/receipts", -1})
}
