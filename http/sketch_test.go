package http_test

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/sketch"
)

// sketches begins a sketch at a table, or resumes it.
func (b *browser) sketches(table string) page {
	b.t.Helper()
	p := b.send("/t/"+table+"/sketch", url.Values{})
	require.Equal(b.t, 200, p.status, p.body)
	require.Contains(b.t, p.body, "Only you see this. Nothing here is played.")
	return p
}

// tries makes a move in a sketch, on the page at an address.
func (b *browser) tries(at, move string) page {
	b.t.Helper()
	q := url.Values{"m": {move}}
	if strings.Contains(at, "?") {
		at, move, _ = strings.Cut(at, "?")
		extra, err := url.ParseQuery(move)
		require.NoError(b.t, err)
		extra.Set("m", q.Get("m"))
		q = extra
	}
	p := b.get(at + "?" + q.Encode())
	require.Equal(b.t, 200, p.status, p.body)
	p = b.send(at+"/move", p.form(at+"/move"))
	require.Equal(b.t, 200, p.status, p.body)
	return p
}

// at returns the address of a sketch's line after a number of moves.
func at(table string, line, plies int) string {
	return fmt.Sprintf("/t/%s/sketch/%d/%d", table, line, plies)
}

func TestASketchIsPlayedForAllSeatsSteppedBackAndKept(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.Contains(t, ana.get("/t/"+table).body, "What if…")
	require.Contains(t, ana.get("/t/"+table+"/sketch").body, "Play on from here on a copy",
		"nothing was begun by looking")
	ana.sketches(table)
	first := h.look(table).Line.Awaited()[0].Seat

	p := ana.tries(at(table, 1, 0), "keep")
	require.Contains(t, p.body, "1 of 1")
	p = ana.tries(at(table, 1, 1), "swap")
	require.Contains(t, p.body, "2 of 2")
	require.Contains(t, p.body, []string{"Bo", "Ana"}[first]+" swapped", "the other's move, too")

	// the same move again follows the line, and another move begins another line
	p = ana.tries(at(table, 1, 0), "keep")
	require.Contains(t, p.body, "1 of 2")
	p = ana.tries(at(table, 1, 1), "keep")
	require.Contains(t, p.body, "2 of 2")
	require.Contains(t, p.body, "<b>Line 2</b>")
	require.Contains(t, ana.get(at(table, 1, 2)).body, " swapped")

	// lines have names, are found again as they were left, and can be deleted
	p = ana.send(at(table, 2, 2)+"/name", url.Values{"name": {" the  quiet <one> "}})
	require.Contains(t, p.body, "the quiet &lt;one&gt;")
	require.Contains(t, ana.get("/t/"+table+"/sketch").body, "<b>the quiet &lt;one&gt;</b>")
	p = ana.send(at(table, 2, 2)+"/drop", url.Values{})
	require.Contains(t, p.body, "<b>Line 1</b>")
	require.NotContains(t, p.body, "quiet &lt;")
	require.Equal(t, 404, ana.get(at(table, 2, 0)).status)
	require.Equal(t, 404, ana.get(at(table, 1, 3)).status)
}

func TestASketchTellsThatTheGameHasGoneOn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.sketches(table)
	ana.tries(at(table, 1, 0), "keep")
	ana.tries(at(table, 1, 1), "swap")
	who := []*browser{ana, bo}
	mover := who[h.look(table).Line.Awaited()[0].Seat]
	mover.move(table, "keep")
	p := ana.sketches(table)
	require.Contains(t, p.body, "moved on by one move, the same as in this line")

	// the rest of the line moves to now
	p = ana.send(at(table, 1, 2)+"/carry", url.Values{})
	require.Contains(t, p.body, "0 of 1")
	require.Contains(t, p.body, "<b>Line 2</b>")
	require.NotContains(t, p.body, "moved on")
	require.Contains(t, ana.get(at(table, 2, 1)).body, " swapped")

	mover = who[h.look(table).Line.Awaited()[0].Seat]
	mover.move(table, "keep")
	require.Contains(t, ana.get(at(table, 2, 1)).body, "moved on since: one move.")
	require.Contains(t, ana.get(at(table, 1, 2)).body, "moved on since: 2 moves.", "and the first line is as it was")
	p = ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
	require.Contains(t, p.body, "0 of 0")
	require.NotContains(t, p.body, "moved on")

	h.breaksOff(table)
	require.NotContains(t, ana.get("/t/"+table).body, "What if…")
	require.Contains(t, ana.get("/t/"+table+"/sketch").body, "0 of 0", "it may be looked at")
	require.Equal(t, 409, ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}}).status)
}

func TestASketchIsItsMakersAlone(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	ana.sketches(table)
	ana.tries(at(table, 1, 0), "keep")
	require.Equal(t, 404, bo.get(at(table, 1, 1)).status)
	require.NotContains(t, bo.get("/t/"+table+"/sketch").body, "Line 1")
	require.Equal(t, 409, eve.get("/t/"+table+"/sketch").status)
	require.Equal(t, 409, eve.send("/t/"+table+"/sketch", url.Values{}).status)
	require.Equal(t, 401, h.browser().get("/t/"+table+"/sketch").status)
	require.NotContains(t, eve.get("/t/"+table).body, "What if…")
	require.Equal(t, 404, bo.send(at(table, 1, 0)+"/move", url.Values{"move": {"keep"}, "seat": {"0"}}).status)
}

func TestWhatCannotBeTriedIsRefused(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.sketches(table)
	open := h.look(table).Line.Awaited()[0].Seat
	move := at(table, 1, 0) + "/move"
	require.Equal(t, 400, ana.send(move, url.Values{"seat": {"0"}}).status)
	require.Equal(t, 400, ana.send(move, url.Values{"seat": {"x"}, "move": {"keep"}}).status)
	require.Equal(t, 409, ana.send(move, url.Values{"seat": {"5"}, "move": {"keep"}}).status, "nobody sits there")
	require.Equal(t, 409, ana.send(move, url.Values{"seat": {"-1"}, "move": {"keep"}}).status)
	require.Equal(t, 409, ana.send(move, url.Values{"seat": {fmt.Sprint(open)}, "move": {"dance"}}).status)
	p := ana.send(move, url.Values{"seat": {fmt.Sprint(open)}, "move": {"keep"}, "chance": {"weather rain"}})
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "That cannot come up here: “weather rain”.")
	require.Contains(t, ana.get(at(table, 1, 0)).body, "0 of 0", "nothing of it was kept")
	require.Equal(t, 400, ana.send(at(table, 1, 0)+"/again", url.Values{}).status)
	p = ana.send(at(table, 1, 0)+"/name", url.Values{"name": {strings.Repeat("x", 61)}})
	require.Equal(t, 409, p.status)
	seat := fmt.Sprint(open)
	for i := range 20 { // one move on the last line, and another line
		require.Equal(t, 200, ana.send(at(table, i+1, 0)+"/move", url.Values{"seat": {seat}, "move": {"keep"}}).status)
		p = ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
	}
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "You have 20 lines already.")
}

var lettered = regexp.MustCompile(`[0-9a-f]{32}`)

// Nothing that a sketch does leaves a trace: not in the log, on anybody's pages, in the API's answers, in a mail, or on
// the live stream.
func TestASketchIsSeenNowhere(t *testing.T) {
	h, _, _ := lively(t, withExport)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	line := h.look(table).LineName.String()
	bos, anas, anyone := bo.bot(s, "play", ""), ana.bot(s, "read", ""), h.stranger(s)
	last := func() uint64 {
		pos, err := h.desk.Log().Last(context.Background())
		require.NoError(t, err)
		return pos
	}
	seen := func() string {
		out := fmt.Sprint(last())
		for _, b := range []*bot{bos, anas, anyone} {
			for _, at := range []string{"", "/timeline", "/lines", "/lines/" + line + "/1", "/audit", "/picture.svg"} {
				p := b.call("GET", "/tables/"+table+at, nil)
				require.Equal(t, 200, p.status, at)
				out += at + " " + p.body + p.header.Get("ETag") + p.header.Get("Content-Length")
			}
		}
		for _, b := range []*browser{bo, ana, h.browser()} {
			for _, at := range []string{"/t/" + table, "/t/" + table + "/audit", "/t/" + table + "/record",
				"/t/" + table + "/line/" + line + "/1", "/"} {
				p := b.get(at)
				require.Equal(t, 200, p.status, at)
				out += at + " " + lettered.ReplaceAllString(p.body, "")
			}
		}
		return out
	}
	before := seen()
	ana.sketches(table)
	ana.tries(at(table, 1, 0), "keep")
	ana.tries(at(table, 1, 1), "swap")
	ana.send(at(table, 1, 2)+"/name", url.Values{"name": {"mine"}})
	ana.send(at(table, 1, 1)+"/again", url.Values{})
	ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
	require.Equal(t, before, seen())
}

func TestASketchCallsNothingOfAnotherTheReaders(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("rivals", ana, bo)
	first := h.look(table).Line.Awaited()[0].Seat
	who, reader := []string{"Ana", "Bo"}[first], []*browser{bo, ana}[first]
	reader.sketches(table)
	p := reader.get(fmt.Sprintf("%s?as=%d", at(table, 1, 0), first))
	require.Contains(t, p.body, "Principality of "+who)
	require.NotContains(t, p.body, "Your principality")
	require.NotContains(t, p.body, "Your hand")
}

// Every press of a sketch says what it did, even where the page is then as it was: luck drawn again may come out the
// same, and a line from now on which nothing was tried is there already.
func TestEveryPressOfASketchSaysWhatItDid(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	p := ana.sketches(table)
	require.Contains(t, p.body, "Here a line begins where the game stands now.")
	p = ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
	require.Contains(t, p.body, "<b>Line 1</b>", "which is still the first")
	require.Contains(t, p.body, "Here a line begins where the game stands now.")

	ana.tries(at(table, 1, 0), "keep")
	p = ana.tries(at(table, 1, 1), "keep")
	require.NotContains(t, p.body, `class="notice"`, "given: a move changes the page")
	set := ana.get(at(table, 1, 2) + "?chance=")
	require.Contains(t, set.body, "The luck of the next move is drawn.")
	set = ana.get(at(table, 1, 2) + "?chance=die+5")
	require.Contains(t, set.body, "The next move gets: die 5")
	require.NotContains(t, ana.get(at(table, 1, 2)+"?chance=weather").body, "The next move gets")

	p = ana.tries(at(table, 1, 2)+"?chance=die+5", "roll")
	require.Contains(t, p.body, " rolled 5")
	require.NotContains(t, p.body, "The next move gets", "it has been made")
	p = ana.send(at(table, 1, 3)+"/again", url.Values{})
	require.Contains(t, p.body, "Rolled and drawn again. It may come out the same.")
	p = ana.send(at(table, 1, 3)+"/name", url.Values{"name": {"Line"}})
	require.Contains(t, p.body, "Saved.")
}

// With as many lines as there can be, no page offers what would begin another one.
func TestNoLineIsOfferedWhereThereIsNoRoom(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.sketches(table)
	ana.tries(at(table, 1, 0), "keep")
	for n := 2; n <= sketch.MaxLines; n++ {
		p := ana.get(at(table, n-1, 1))
		require.Contains(t, p.body, `name="now"`)
		ana.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
		ana.tries(at(table, n, 0), "keep")
	}
	full, past := ana.get(at(table, 20, 1)+"?m=keep"), ana.get(at(table, 20, 0)+"?m=swap")
	require.Contains(t, full.body, "You have 20 lines already. Remove one first.")
	require.NotContains(t, full.body, `name="now"`)
	require.Contains(t, full.body, `/drop"`)
	require.Contains(t, full.body, at(table, 20, 1)+"/move", "the line itself goes on")
	require.NotContains(t, past.body, at(table, 20, 0)+"/move", "a move from here would begin another line")
	require.NotContains(t, past.body, `/again"`)

	ana.send(at(table, 1, 1)+"/drop", url.Values{})
	require.Contains(t, ana.get(at(table, 20, 1)).body, `name="now"`)
	require.Contains(t, ana.get(at(table, 20, 0)+"?m=swap").body, at(table, 20, 0)+"/move")
}

// What was chosen on the table's page before What if is chosen on the copy.
func TestASketchBeginsWithWhatWasChosen(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	table := h.against(ana, "carcassonne")
	page := ana.get("/t/" + table + "?hint=1")
	begins, _, _ := strings.Cut(page.body[strings.Index(page.body, `id="whatif"`):], "</form>")
	form := url.Values{}
	for _, c := range hidden.FindAllStringSubmatch(begins, -1) {
		form.Add(c[1], html.UnescapeString(c[2]))
	}
	require.NotEmpty(t, form["c"])
	page = ana.send("/t/"+table+"/sketch", form)
	require.Equal(t, 200, page.status, page.body)
	require.Contains(t, page.body, `class="turn confirm"`, "it can be played at once")
}
