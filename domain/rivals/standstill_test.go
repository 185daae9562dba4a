package rivals

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
	"posthorn/domain/script"
	"posthorn/domain/simulate"
)

// quiet is a script in which nothing moves the game: everybody rolls and ends the turn.
func quiet(t *testing.T, given string, moves ...string) []script.Result {
	t.Helper()
	return playedFrom(t, "gold", given, "", moves...)
}

// playedFrom plays moves from a position.
func playedFrom(t *testing.T, play, given, chance string, moves ...string) []script.Result {
	t.Helper()
	text := "game rivals\noption play " + play + "\nseed 5\nseat Ana\nseat Bo\ngiven " + given + "\n" + chance + "\n"
	for _, m := range moves {
		text += m + "\n"
	}
	s, err := script.Parse([]byte(text), rivalsOnly)
	require.NoError(t, err)
	var all []script.Result
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		all = append(all, r)
	}
	return all
}

func refusedAs(err error) string {
	if r, ok := domain.AsRefusal(err); ok {
		return r.Code
	}
	return ""
}

func TestAGameThatStandsStillIsClosedByWhoeverIsInTurn(t *testing.T) {
	close := func(given string) script.Result { return quiet(t, given, "Ana: close")[0] }
	hands := `"seats":[{"hand":["abbey"]},{"hand":["scout"]}]`

	r := close(`{"phase":"act","turn":80,"since":41,` + hands + `}`)
	require.Equal(t, "not-still", refusedAs(r.Err), "39 turns")
	require.Equal(t, 1, r.Err.(*domain.Refusal).Args["n"])

	r = close(`{"phase":"act","turn":81,"since":41,` + hands + `}`)
	require.NoError(t, r.Err)
	require.True(t, r.Standing.Ended)
	require.Equal(t, []int{1, 1}, r.Standing.Ranks, "equal points are a draw")
	require.Equal(t, "result.draw", r.Standing.Result[0].Key)

	r = close(`{"phase":"act","turn":81,"since":41,"seats":[{"hand":["abbey"]},{"towns":["0 city","1 settlement"],"hand":["scout"]}]}`)
	require.NoError(t, r.Err)
	require.Equal(t, []int{2, 1}, r.Standing.Ranks, "the points decide, whoever closes")
	require.Equal(t, "result.closed", r.Standing.Result[0].Key)

	r = close(`{"phase":"roll","turn":81,"since":41,` + hands + `}`)
	require.Equal(t, "roll-first", refusedAs(r.Err), "as everything else, after the roll")
}

func TestWhatMovesAGameBeginsTheCountAnew(t *testing.T) {
	given := func(more string) string {
		return `{"phase":"act","turn":90,"since":50,"high":[3,3],"seats":[{"hand":["harald"],"stores":{"0a":3,"0b":3,"2a":3,"1b":3}` + more + `},{"hand":["scout"]}]}`
	}
	all := quiet(t, given(""), "Ana: build harald 0 above", "Ana: close")
	require.NoError(t, all[1].Err, "an expansion that brings no point is no move of the game")

	all = quiet(t, given(""), "Ana: road right", "Ana: close")
	require.NoError(t, all[0].Err)
	require.Equal(t, "not-still", refusedAs(all[1].Err))

	all = quiet(t, `{"phase":"act","turn":90,"since":50,"high":[2,2],"seats":[{"towns":["0 city","1 settlement"],"hand":["abbey"]},{"hand":["scout"]}]}`, "Ana: close")
	require.Equal(t, "not-still", refusedAs(all[0].Err), "a point that was just gained")

	all = quiet(t, `{"phase":"act","turn":90,"since":50,"high":[3,2],"seats":[{"towns":["0 city","1 settlement"],"hand":["abbey"]},{"hand":["scout"]}]}`, "Ana: close")
	require.NoError(t, all[0].Err, "a point that was had before, lost and gained again moves nothing")
}

func TestTheCountIsKeptFromTurnToTurn(t *testing.T) {
	given := `{"phase":"act","turn":10,"seats":[{"hand":["abbey","scout","storehouse"],"stores":{"0a":3,"0b":3}},{"hand":["abbey","scout","storehouse"]}]}`
	all := quiet(t, given, "Ana: road right", "Ana: end", "Ana: pass")
	for _, r := range all {
		require.NoError(t, r.Err, r.Text)
	}
	b := all[2].State.(*state.View)
	require.EqualValues(t, 11, b.Turn)
	require.EqualValues(t, 11, b.Since, "the turn after the road is the first that counts")
	require.Equal(t, [2]int8{2, 2}, b.High)
}

// Gold is the play that stood still most often: in 22 of 1,020 games of the earlier program.
func TestRandomGamesOfEachPlayEnd(t *testing.T) {
	games := map[string]int{"gold": 60}
	for _, play := range table.PlayNames {
		choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
		require.NoError(t, err)
		p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices, Seats: 2, Seed: 1})
		for i := range max(10, games[play]) * *manyGames / 2 {
			g, err := p.Play(i)
			require.NoError(t, err)
			require.True(t, g.Finished, "%s, game %d: stopped after %d moves", play, i, g.Moves)
			require.Zero(t, g.Refused)
		}
	}
}

// The games that stood still: whatever the players do, they can close them.
func TestGamesThatStoodStillCanBeClosed(t *testing.T) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": "gold"})
	require.NoError(t, err)
	closed := 0
	for seed := range uint64(60) {
		line := domain.NewLine(Rulebook, domain.NewThrowaway(seed))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
		require.NoError(t, err)
		line.Apply(&e)
		dice := domain.NewThrowaway(seed + 1000)
		for n := 0; len(line.Awaited()) > 0; n++ {
			require.Less(t, n, 20_000, "the game of seed %d does not end", seed)
			s := line.State.(*state.State)
			require.LessOrEqual(t, s.Still(), int(s.Turn))
			luck := dice.Begin()
			m, _ := Rulebook.Extras().PickLegal(s, line.Awaited()[0].Seat, func(n int) int {
				return luck.Draw("choose", n)
			})
			dice.Count(luck.Used())
			e, _, err := line.Decide(line.Awaited()[0].Seat, m)
			require.NoError(t, err)
			line.Apply(&e)
			if m.(state.Move).Verb == state.Close {
				closed++
				requireClosed(t, line)
			}
		}
	}
	require.NotZero(t, closed, "no game of these came to stand still")
}

func requireClosed(t *testing.T, line *domain.Line) {
	s := line.State.(*state.State)
	st := Rulebook.Standing(s, domain.Referee)
	require.True(t, st.Ended)
	require.Less(t, max(st.Scores[0], st.Scores[1]), int(s.Goal))
	for _, say := range st.Result {
		requireWords(t, say)
	}
	where := fmt.Sprint(st.Scores)
	switch {
	case st.Scores[0] > st.Scores[1]:
		require.Equal(t, []int{1, 2}, st.Ranks, where)
	case st.Scores[0] < st.Scores[1]:
		require.Equal(t, []int{2, 1}, st.Ranks, where)
	default:
		require.Equal(t, []int{1, 1}, st.Ranks, where)
	}
}
