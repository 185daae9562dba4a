package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMoveIsTakenBackOnThePageWithinItsGrace(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.Contains(t, ana.get("/new/catan").body, `<option value="10">for 10 minutes</option>`)
	table := h.tableWith("catan", url.Values{"pace": {"weekly"}, "grace": {"10"}}, ana, bo)
	require.Equal(t, 10, h.look(table).Table.Grace)

	one, move := h.firstMove(table, ana, bo)
	before := h.look(table)
	p := one.move(table, move)
	require.Contains(t, p.body, "Take back")
	require.Contains(t, p.body, "You can take this back until ")
	other := ana
	if one == ana {
		other = bo
	}
	seen := other.get("/t/" + table).body
	require.NotContains(t, seen, "Take back")
	require.Contains(t, seen, "The last move can be taken back until ")

	p = one.send("/t/"+table+"/undo", p.form("/t/"+table+"/undo"))
	require.Equal(t, "undone", p.query.Get("done"))
	after := h.look(table)
	require.Equal(t, before.Line.Awaited()[0].Decision, after.Line.Awaited()[0].Decision)
	require.NotContains(t, other.get("/t/"+table).body, "The last move can be taken back")

	p = one.move(table, move)
	two, move := h.firstMove(table, ana, bo)
	require.Equal(t, other, two)
	two.move(table, move)
	require.NotContains(t, one.get("/t/"+table).body, "Take back", "the next has played")
	late := one.send("/t/"+table+"/undo", p.form("/t/"+table+"/undo"))
	require.Contains(t, late.body, "only while nobody has moved since")
}

func TestATableSaysItsGraceBeforeAnybodySitsDown(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	p := ana.get("/new/catan")
	form := p.form("/new/catan")
	form.Set("pace", "weekly")
	form.Set("grace", "5")
	form.Set("listed", "1")
	for _, seat := range []string{"seat.1", "seat.2", "seat.3"} {
		form.Set(seat, "open")
	}
	p = ana.send("/new/catan", form)
	const says = "can be taken back for 5 min"
	require.Contains(t, p.body, says)
	require.Contains(t, p.body, "Open seat</span>")
	require.NotContains(t, p.body, `<span class="tag">`, "an open seat is not tagged as what it is called")
	require.Contains(t, h.signedIn("Bo").get("/lobby").body, says)

	form.Set("undo", "off")
	form.Set("id", ana.get("/new/catan").form("/new/catan").Get("id"))
	require.Contains(t, ana.send("/new/catan", form).body, "Choose one of the two")
	form.Del("undo")
	form.Set("grace", "soon")
	require.Contains(t, ana.send("/new/catan", form).body, "0 to 60 minutes")
}

func TestAProgramOpensATableWithAGrace(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	one := ana.bot(s, "play", "")
	seats := []m{{"kind": "me"}, {"kind": "open"}}
	table := one.post("/tables", m{"game": "catan", "pace": "weekly", "grace": 7, "seats": seats})["table"].(string)
	require.EqualValues(t, 7, one.get("/tables/" + table)["grace"])
	other := one.post("/tables", m{"game": "catan", "pace": "weekly", "seats": seats})["table"].(string)
	require.NotContains(t, one.get("/tables/"+other), "grace")
	p := one.call("POST", "/tables", m{"game": "catan", "pace": "weekly", "grace": 61, "seats": seats})
	require.Equal(t, 400, p.status/100*100)

	table = h.tableWith("catan", url.Values{"pace": {"weekly"}, "grace": {"10"}}, ana, bo)
	mover, move := h.firstMove(table, ana, bo)
	mine := mover.bot(s, "play", table)
	mine.play(table, move)
	at := mine.get("/tables/" + table)
	require.EqualValues(t, 1, at["undo"])
	require.NotEmpty(t, at["undo_until"])
	mine.post("/tables/"+table+"/undo", m{"to": 1})
	require.NotContains(t, mine.get("/tables/"+table), "undo_until")
}
