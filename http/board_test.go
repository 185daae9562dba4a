package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABoardIsDrawnLargerWithoutAScript(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.table("carcassonne", ana, bo)
	p := ana.get(table)
	require.Contains(t, p.body, table+"?board=large#turn")
	require.NotContains(t, p.body, `class="board-box large"`)
	p = ana.get(table + "?board=large")
	require.Contains(t, p.body, `class="board-box large"`)
	require.Contains(t, p.body, ">Smaller</a>")
}

// A column that says the same as the one beside it is left out.
func TestPointsAtTheEndAreShownWhereTheyWouldBeOthers(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.Contains(t, ana.get("/t/"+h.table("tiny", ana, bo)).body, "If it ended now", "two points for never having peeked")
	require.NotContains(t, ana.get("/t/"+h.table("carcassonne", ana, bo)).body, "If it ended now")
}
