package http_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// goesBack rewinds a table to a version, with the consent of the person asked.
func (h *house) goesBack(table string, to uint64, asks, agrees *browser) {
	h.t.Helper()
	name := h.look(table).Name
	_, err := h.desk.Do(h.t.Context(), events.Actor{Person: asks.id, Door: domain.DoorPage}, name,
		events.NewCommandID(), desk.ProposeRewind{To: to})
	require.NoError(h.t, err)
	_, err = h.desk.Do(h.t.Context(), events.Actor{Person: agrees.id, Door: domain.DoorPage}, name,
		events.NewCommandID(), desk.Agree{Since: h.look(table).Table.Proposal.Since})
	require.NoError(h.t, err)
	h.settle(table)
}

// moments returns the numbers of the moves listed on a page of the past.
func (p page) moments(line string) (out []int) {
	p.t.Helper()
	i := strings.Index(p.body, `<ol class="story long">`)
	require.Positive(p.t, i, p.body)
	list := p.body[i : i+strings.Index(p.body[i:], "</ol>")]
	for _, item := range strings.Split(list, "<li")[1:] {
		link := "/line/" + line + "/"
		at := strings.Index(item, link) + len(link)
		n, err := strconv.Atoi(item[at : at+strings.IndexByte(item[at:], '"')])
		require.NoError(p.t, err, item)
		require.Contains(p.t, strings.ReplaceAll(item, "\u00a0", " "), ">move "+strconv.Itoa(n)+"<")
		require.Contains(p.t, item, "<p>", "it says what it was")
		out = append(out, n)
	}
	return out
}

// A rewind has a number of its own in the list of moves: no number is missing, none is extra.
func TestATakebackStandsInTheListOfMovesWithItsNumber(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	bo.move(table, "keep")
	h.goesBack(table, 2, bo, ana)
	line := h.look(table).LineName.String()
	p := ana.get("/t/" + table + "/line/" + line + "/3")
	require.Contains(t, p.body, "Move 3 of 3")
	require.Equal(t, []int{3, 2, 1}, p.moments(line))
	require.Equal(t, 2, strings.Count(p.body, "The game was taken back to move 2."), "as this move, and in the list")
	require.Contains(t, ana.get("/t/"+table+"/print").body, `<li value="3">The game was taken back to move 2.`)

	bo.move(table, "keep")
	p = ana.get("/t/" + table + "/line/" + line + "/4")
	require.Equal(t, []int{4, 3, 2, 1}, p.moments(line))
	require.Equal(t, 1, strings.Count(p.body, "The game was taken back to move 2."))
	require.Contains(t, strings.ReplaceAll(h.browser().get("/t/"+table+"/story").body, "\u00a0", " "), "2 moves",
		"neither what it begins with nor a takeback is one")

	// A study continues its game's numbers.
	study := h.study(table, ana)
	line = h.look(study).LineName.String()
	p = ana.get("/t/" + study + "/line/" + line + "/5")
	require.Equal(t, []int{5, 4, 3, 2, 1}, p.moments(line))
	require.Contains(t, p.body, "It goes on from move 4 of another table.")
}

// A step taken back is in the list, too.
func TestAStepTakenBackStandsInTheListOfMoves(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	one, move := h.firstMove(table, ana, bo)
	one.move(table, move)
	one, move = h.firstMove(table, ana, bo) // whoever founds last founds twice
	one.move(table, move)
	undo := one.get("/t/" + table).form("/t/" + table + "/undo")
	require.Equal(t, 200, one.send("/t/"+table+"/undo", undo).status)
	h.settle(table)
	look := h.look(table)
	line, last := look.LineName.String(), look.LineHead.Version
	p := one.get("/t/" + table + "/line/" + line + "/" + strconv.FormatUint(last, 10))
	require.Contains(t, p.body, "The last step was taken back, to move "+strconv.FormatUint(last-1, 10)+".")
	require.Len(t, p.moments(line), int(last))
}

// A turn played before the moment to which the table went back has been played; what came after is gone.
func TestALinkToATurnBeforeATakebackSaysItWasPlayed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	stands, undone := "/p/"+h.play(ana, table), "/p/"+h.play(bo, table)
	ana.move(table, "keep") // move 2
	bo.move(table, "keep")
	h.goesBack(table, 2, bo, ana)
	p := h.browser().get(stands)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "This turn has been played")
	require.NotContains(t, p.body, "went back to an earlier move")
	p = h.browser().get(undone)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "The table went back to an earlier move, so this turn is gone.")

	h.goesBack(table, 1, ana, bo)
	require.Contains(t, h.browser().get(stands).body, "The table went back to an earlier move, so this turn is gone.",
		"now it was undone, too")
}
