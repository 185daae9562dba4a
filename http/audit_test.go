package http_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http"
	"posthorn/http/door"
)

func TestTheRecordTellsEveryEventInWords(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	for range 3 {
		one, move := h.firstMove(table, ana, bo)
		one.move(table, move)
	}
	home, look := "/t/"+table, h.look(table)
	p := bo.get(home + "/audit")
	for _, text := range []string{"Bo settles between ", "Ana, on the website", "Bo, on the website", `id="e3"`,
		look.LineHead.Hash.String(), home + "/line/" + look.LineName.String() + "/3"} {
		require.Contains(t, p.body, text)
	}
	require.Contains(t, p.body, `<h2 id="shown">Line 1</h2>`, "it says what is shown")
	require.Contains(t, p.body, `are in a list of their own: <a href="`+home+`/audit?of=table">The table</a>`,
		"and where the rest is")
	require.NotRegexp(t, numberedDay, p.body)
	require.Regexp(t, `<time datetime="[^"]+Z">\d+ \pL+ \d{4}, \d\d:\d\d \(UTC\)</time>`, p.body)
	own := bo.get(home + "/audit?of=table")
	for _, text := range []string{`<h2 id="shown">The table</h2>`,
		`The moves are in a list of their own: <a href="` + home + `/audit?of=0">Line 1</a>`, "Ana opened the table.",
		"Bo took seat B.", "The game began.", look.TableHead.Hash.String()} {
		require.Contains(t, own.body, text)
	}
	require.NotContains(t, own.body, "page.audit.", "each door has a word")
	require.NotContains(t, own.body, "<p><code>table.", "no event without a sentence")
	require.Contains(t, bo.get(home+"/line/"+look.LineName.String()+"/3").body, home+"/audit?of=0&amp;to=3#e3",
		"from a position to its event")

	first := look.Table.SeatsOf(ana.id)[0]
	hers := bo.get(home + "/audit?who=" + strconv.Itoa(int(first)))
	require.NotContains(t, hers.body, "Bo, on the website")
	require.Contains(t, hers.body, "Ana, on the website")
	require.Contains(t, bo.get(home+"/audit?door=clock").body, "No event matches these filters.")
	require.Contains(t, bo.get(home+"/audit?draws=1").body, "The island is laid out")
}

func TestALineSaysHowItCameAbout(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	one, move := h.firstMove(table, ana, bo)
	one.move(table, move)
	two, move := h.firstMove(table, ana, bo)
	p := two.move(table, move)
	two.send("/t/"+table+"/undo", p.form("/t/"+table+"/undo"))
	audit := ana.get("/t/" + table + "/audit").body
	require.Contains(t, audit, "How this line came about:")
	require.Contains(t, audit, "took the last step back")
}

func TestLinesStandAsATreeAndSideBySide(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	one, move := h.firstMove(table, ana, bo)
	one.move(table, move)
	two, move := h.firstMove(table, ana, bo)
	p := two.move(table, move)
	two.send("/t/"+table+"/undo", p.form("/t/"+table+"/undo"))
	_, again := h.firstMove(table, ana, bo)
	require.Equal(t, move, again)
	two.move(table, again) // the same again: the lines differ only later
	for range 2 {
		who, move := h.firstMove(table, ana, bo)
		who.move(table, move)
	}

	tree := bo.get("/t/" + table + "/tree").body
	for _, text := range []string{"Line 1", "Line 2", "being played", "from line 1, move 2", "took the last step back",
		`<option value="0" selected>`, `<option value="1" selected>`} {
		require.Contains(t, tree, text)
	}
	require.Contains(t, tree, "2 moves")
	require.Contains(t, tree, "4 moves",
		"the one that was before, and three: neither what the game begins with nor going back is a move")
	require.NotContains(t, tree, "5 moves")
	both := bo.get("/t/" + table + "/compare").body
	require.Contains(t, both, "Both have the first 2 moves in common.", "one, and the one that was played twice")
	require.Equal(t, 2, strings.Count(both, "<svg"), "a board of either")
	require.Regexp(t, `(?s)<tbody><tr><td>.*?</tr>\s*<tr class="differs">`, both,
		"the move that was played twice is the same on both")
	require.Contains(t, both, "The boards show where they first differ.")
	require.NotContains(t, both, "the boards are the same")
	require.Contains(t, bo.get("/t/"+table+"/compare?a=1&b=1").body, "They do not differ.")
	require.Equal(t, 409, bo.get("/t/"+table+"/compare?a=7").status)
	require.Contains(t, bo.get("/t/"+table+"/line/"+h.look(table).LineName.String()+"/1").body, "/t/"+table+"/tree")
}

// Given a tile that was placed, redrawn and placed again in the same way, when the next tile differs, then the boards
// look alike, and the page says so, with both tiles.
func TestBoardsOnWhichNothingElseLiesAreSaidToBeAlike(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	for range 5 {
		who, move := h.firstMove(table, ana, bo)
		who.move(table, move)
	}
	version := h.version(table)
	first, move := h.firstMove(table, ana, bo)
	first.move(table, move)
	name := h.look(table).Name
	for range 20 {
		_, next := h.firstMove(table, ana, bo)
		_, err := h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, name,
			events.NewCommandID(), desk.ProposeRewind{To: version, Fresh: true})
		require.NoError(t, err)
		_, err = h.desk.Do(t.Context(), events.Actor{Person: bo.id, Door: domain.DoorPage}, name, events.NewCommandID(),
			desk.Agree{Since: h.look(table).Table.Proposal.Since})
		require.NoError(t, err)
		h.settle(table)
		version = h.version(table)
		first.move(table, move)
		if _, now := h.firstMove(table, ana, bo); now != next { // another tile was drawn
			break
		}
	}
	both := bo.get("/t/" + table + "/compare").body
	require.Contains(t, both, "the boards are the same")
	require.Regexp(t, `<figcaption><b>Line \d+</b> <span>`, both, "what differs stands above each")
}

func TestABranchIsNamedByItsForkAndNotByItsLength(t *testing.T) {
	var lists door.Views
	h := open(t, func(cfg *http.Config) { lists = cfg.Views })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	study := h.study(table, ana)
	look := h.look(study)
	require.Less(t, look.Table.Branch.Version, look.LineHead.Version)
	for range 2 {
		_, move := h.firstMove(study, ana)
		ana.move(study, move)
	}
	last, err := h.desk.Log().Last(t.Context())
	require.NoError(t, err)
	require.NoError(t, lists.Await(t.Context(), last))
	for _, path := range []string{"/tree", "/line/" + h.look(table).LineName.String() + "/1"} {
		p := ana.get("/t/" + table + path)
		require.Contains(t, p.body, "A study by Ana, from move 2", path)
		require.Contains(t, p.body, "2 moves since", path)
	}
	own := ana.get("/t/" + study + "/tree").body
	require.Contains(t, own, `<a href="/t/`+table+`/line/`+look.Table.Branch.Line+
		`/2">from move 2 of another table</a>`)
}
