package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// firstMove returns the first legal move of the awaited seat, and the browser that holds it.
func (h *house) firstMove(table string, all ...*browser) (*browser, string) {
	h.t.Helper()
	look := h.look(table)
	seat := look.Line.Awaited()[0].Seat
	for m := range look.Rulebook.Legal(look.Line.State, seat) {
		for _, b := range all {
			if look.Table.Places[seat].Holds(b.id) {
				return b, look.Rulebook.FormatMove(m, nil)
			}
		}
	}
	h.t.Fatal("nobody can move")
	return nil, ""
}

func TestAStepIsTakenBackOnThePage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	one, move := h.firstMove(table, ana, bo)
	one.move(table, move)
	require.NotContains(t, one.get("/t/"+table).body, "/undo", "the other is asked")

	two, move := h.firstMove(table, ana, bo)
	before := h.look(table)
	p := two.move(table, move) // whoever founds last founds twice
	require.Contains(t, p.body, "Take back")
	require.NotContains(t, one.get("/t/"+table).body, "Take back")
	p = two.send("/t/"+table+"/undo", p.form("/t/"+table+"/undo"))
	require.Equal(t, "undone", p.query.Get("done"))
	after := h.look(table)
	require.Equal(t, before.LineHead.Version+1, after.LineHead.Version,
		"a line that opens where the other was before the step")
	require.Equal(t, before.Line.Awaited()[0].Decision, after.Line.Awaited()[0].Decision)
	require.Contains(t, p.body, "took the last step back")
	require.NotContains(t, p.body, "Take back", "what is before it has asked somebody else")
	history := two.get("/t/" + table + "/line/" + after.LineName.String() + "/1").body
	require.Contains(t, history, "1 step taken back", "and the tree folds it away")

}

// undoByProgram takes a step back through the API.
func (h *house) undoByProgram(t *testing.T, table string, all ...*bot) {
	t.Helper()
	at := "/tables/" + table
	step := func() *bot {
		for _, b := range all {
			if moves, _ := b.get(at + "/moves")["moves"].([]any); len(moves) > 0 {
				b.play(table, moves[0].(m)["notation"].(string))
				return b
			}
		}
		require.Fail(t, "nobody can move")
		return nil
	}
	step()
	two := step() // whoever founds last founds twice
	to := two.get(at)["undo"]
	require.EqualValues(t, h.version(table)-1, to)
	two.post(at+"/undo", m{"to": to})
	require.Nil(t, two.get(at)["undo"])
	p := two.call("POST", at+"/undo", m{"to": to})
	require.Equal(t, 409, p.status)
	require.Equal(t, "undo-last", p.code())
	require.Len(t, h.look(table).Table.Lines, 2)
}

func TestATableMayPlayWithoutTakingStepsBack(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.tableWith("catan", url.Values{"pace": {"weekly"}, "undo": {"off"}}, ana, bo)
	require.True(t, h.look(table).Table.NoUndo)
	one, move := h.firstMove(table, ana, bo)
	one.move(table, move)
	two, move := h.firstMove(table, ana, bo)
	require.NotContains(t, two.move(table, move).body, "Take back")
}
