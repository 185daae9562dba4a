package http_test

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
)

// finished plays a game to its end with the first legal moves.
func (h *house) finished(game string, all ...*browser) string {
	h.t.Helper()
	table := h.table(game, all...)
	for range 300 {
		if len(h.look(table).Line.Awaited()) == 0 {
			break
		}
		b, move := h.firstMove(table, all...)
		b.move(table, move)
		h.settle(table)
	}
	h.settle(table)
	require.Equal(h.t, domain.TableEnded, h.look(table).Table.Status)
	return table
}

// moment returns a version of a table's line at which somebody had a choice, and what they might do.
func (h *house) moment(table string) (url.Values, []string) {
	h.t.Helper()
	look := h.look(table)
	for v := uint64(2); v < look.LineHead.Version; v++ {
		line, err := h.desk.LineAt(h.t.Context(), look, look.LineName, v)
		require.NoError(h.t, err)
		if len(line.Awaited()) == 0 {
			continue
		}
		seat := line.Awaited()[0].Seat
		var moves []string
		for m := range look.Rulebook.Legal(line.State, seat) {
			moves = append(moves, look.Rulebook.FormatMove(m, nil))
		}
		if len(moves) > 1 {
			return url.Values{"line": {look.LineName.String()}, "version": {strconv.FormatUint(v, 10)},
				"seat": {strconv.Itoa(int(seat))}}, moves
		}
	}
	h.t.Fatal("there was never a choice")
	return nil, nil
}

func TestAPuzzleOfAFinishedGameIsTriedByLink(t *testing.T) {
	h := open(t)
	ana, bo, nobody := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.finished("carcassonne", ana, bo)
	at, moves := h.moment(table)
	require.Contains(t, ana.get("/t/"+table+"/line/"+at.Get("line")+"/"+at.Get("version")).body, "Make a puzzle")
	require.Contains(t, ana.get("/t/"+table+"/puzzle").body, "Nobody had anything to decide at this moment",
		"the last one, where none is said")
	page := ana.get("/t/" + table + "/puzzle?" + at.Encode())
	require.Equal(t, 200, page.status, page.body)
	form := page.form("/t/" + table + "/puzzle")
	for key, values := range map[string][]string{"title": {"A fine corner"}, "question": {"Where to?"},
		"solutions": {strings.ToUpper(moves[1])}, "answer": {"It closes everything."}} {
		form[key] = values
	}
	empty := url.Values{"line": form["line"], "version": form["version"], "seat": form["seat"], "solutions": {moves[1]}}
	require.Equal(t, 422, ana.send("/t/"+table+"/puzzle", empty).status, "without a title")
	empty.Set("title", "x")
	empty.Set("solutions", "no move")
	require.Equal(t, 422, ana.send("/t/"+table+"/puzzle", empty).status)
	page = ana.send("/t/"+table+"/puzzle", form)
	require.Equal(t, 200, page.status, page.body)
	require.Contains(t, page.path, "/puzzle/")
	link := page.path

	page = nobody.get(link)
	require.Equal(t, 200, page.status)
	require.Contains(t, page.body, "A fine corner")
	require.Contains(t, page.body, "A puzzle by Ana")
	require.NotContains(t, page.body, "It closes everything.")
	require.NotContains(t, page.body, link+"/drop")
	wrong := nobody.send(link+"/move", url.Values{"move": {moves[0]}})
	require.Equal(t, 200, wrong.status, wrong.body)
	require.Contains(t, wrong.body, "Not what the author had in mind")
	require.NotContains(t, wrong.body, "It closes everything.")
	require.Equal(t, 422, nobody.send(link+"/move", url.Values{"move": {"nonsense"}}).status)
	right := nobody.send(link+"/move", url.Values{"move": {moves[1]}})
	require.Contains(t, right.body, ">Right<")
	require.Contains(t, right.body, "It closes everything.")
	const choice = `class="spot open"`
	require.Contains(t, wrong.body, choice)
	require.NotContains(t, right.body, choice, "what is solved asks for nothing")
	tiles := func(body string) int { return strings.Count(body, `<use href="#b-under"`) }
	require.Equal(t, tiles(wrong.body)+1, tiles(right.body), "the board shows the answer")
	require.Contains(t, nobody.get(link+"?solution=1").body, "It closes everything.",
		"it is shown when it is asked for")
	require.Equal(t, 200, bo.get(link).status)

	require.Equal(t, 404, bo.send(link+"/drop", nil).status, "it is Ana's")
	require.Equal(t, 200, ana.send(link+"/drop", nil).status)
	require.Equal(t, 404, nobody.get(link).status)
	require.Equal(t, 404, nobody.get("/puzzle/"+strings.Repeat("ab", 16)).status)
}

// The maker chooses a puzzle's right answers on the board, by playing them.
func TestAPuzzlesMakerPlaysItsSolutionOnTheBoard(t *testing.T) {
	programtest.Long(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.finished("carcassonne", ana, bo)
	at, moves := h.moment(table)
	page := ana.get("/t/" + table + "/puzzle?" + at.Encode())
	require.Equal(t, 200, page.status, page.body)
	require.Contains(t, page.body, `class="board`)
	require.Contains(t, page.body, `id="turn"`)
	require.Equal(t, moves[0], textOf(page.body, "solutions"), "what was played there comes first")
	at.Set("luck", page.form("/t/"+table+"/puzzle").Get("luck"))
	at.Set("s", moves[0])
	// when another is played
	chosen := url.Values{"move": {moves[1]}}
	for k, v := range at {
		chosen[k] = v
	}
	page = ana.send("/t/"+table+"/puzzle/move", chosen)
	require.Equal(t, 200, page.status, page.body)
	require.Equal(t, moves[0]+"\n"+moves[1], textOf(page.body, "solutions"), "both are right")
	require.Equal(t, at.Get("luck"), page.form("/t/"+table+"/puzzle").Get("luck"), "and the same is dealt")
	// and the first is removed
	without := regexp.MustCompile(`href="(/t/[^"]*/puzzle[?][^"]*)">Remove<`).FindStringSubmatch(page.body)
	require.NotNil(t, without)
	page = ana.get(unescape(without[1]))
	require.Equal(t, moves[1], textOf(page.body, "solutions"))
	without = regexp.MustCompile(`href="(/t/[^"]*/puzzle[?][^"]*)">Remove<`).FindStringSubmatch(page.body)
	require.Empty(t, textOf(ana.get(unescape(without[1])).body, "solutions"), "what was played does not come back")
	// then it is stored with what was chosen, and a refused form keeps that too
	form := page.form("/t/" + table + "/puzzle")
	form.Set("solutions", moves[1])
	refused := ana.send("/t/"+table+"/puzzle", form)
	require.Equal(t, 422, refused.status)
	require.Equal(t, moves[1], textOf(refused.body, "solutions"))
	form.Set("title", "A fine corner")
	page = ana.send("/t/"+table+"/puzzle", form)
	require.Equal(t, 200, page.status)
	require.Contains(t, bo.send(page.path+"/move", url.Values{"move": {moves[1]}}).body, ">Right<")
	require.Equal(t, 422, ana.send("/t/"+table+"/puzzle/move",
		url.Values{"line": at["line"], "version": at["version"], "seat": at["seat"], "move": {"nonsense"}}).status)
}

// A puzzle may also be made of what was taken back.
func TestAPuzzleOfAClosedLineStaysThere(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	closed := h.look(table).LineName.String()
	for range 2 {
		b, move := h.firstMove(table, ana, bo)
		b.move(table, move)
		h.settle(table)
	}
	for _, c := range []desk.Command{desk.ProposeRewind{To: 2}, desk.ProposeEnd{}} {
		h.agreed(table, c, ana, bo)
		h.settle(table)
	}
	require.True(t, h.look(table).Table.Open())

	offered := ana.playable("/t/"+table+"/puzzle?line="+closed+"&version=3", "/t/"+table+"/puzzle/move")
	for _, form := range offered {
		p := ana.send("/t/"+table+"/puzzle/move", form)
		require.Equal(t, 200, p.status, p.body)
		require.Equal(t, closed, p.query.Get("line"))
		form.Add("s", form.Get("move"))
		require.Equal(t, "chosen", ana.send("/t/"+table+"/puzzle/move", form).query.Get("done"), "chosen twice")
	}
}

// agreed has one person propose something, and another agree.
func (h *house) agreed(table string, c desk.Command, one, other *browser) {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	do := func(b *browser, c desk.Command) {
		_, err := h.desk.Do(h.t.Context(), events.Actor{Person: b.id, Door: domain.DoorPage}, name,
			events.NewCommandID(), c)
		require.NoError(h.t, err)
	}
	do(one, c)
	do(other, desk.Agree{Since: h.look(table).Table.Proposal.Since})
}

// textOf returns the content of a text area.
func textOf(body, name string) string {
	_, rest, _ := strings.Cut(body, `<textarea name="`+name+`"`)
	_, rest, _ = strings.Cut(rest, ">")
	rest, _, _ = strings.Cut(rest, "</textarea>")
	return unescape(rest)
}

// Somebody solving a puzzle sees what can be done for a price as the player at that seat did.
func TestAPuzzleShowsAStrangerThePicturesOfItsMaker(t *testing.T) {
	h := open(t)
	ana, bo, cid, nobody := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cid"), h.browser()
	table := h.table("catan", ana, bo, cid)
	ends := func(line *domain.Line) bool {
		for m := range line.Rulebook.Legal(line.State, line.Awaited()[0].Seat) {
			if line.Rulebook.FormatMove(m, nil) == "end" {
				return true
			}
		}
		return false
	}
	for !ends(h.look(table).Line) {
		b, move := h.firstMove(table, ana, bo, cid)
		require.Equal(t, 200, b.move(table, move).status)
		h.settle(table)
	}
	at := h.look(table)
	play := desktest.House{Desk: h.desk, T: t, Ctx: t.Context()}
	play.Ends(at.Name)
	play.Follows(at.Name)
	form := url.Values{"line": {at.LineName.String()}, "version": {strconv.FormatUint(at.LineHead.Version, 10)},
		"seat":  {strconv.Itoa(int(at.Line.Awaited()[0].Seat))},
		"title": {"How would you go on?"}, "solutions": {"end"}}
	link := ana.send("/t/"+table+"/puzzle", form).path
	require.Contains(t, link, "/puzzle/")
	for _, b := range []*browser{ana, nobody} {
		require.Contains(t, b.get(link).body, `<ul class="deeds">`)
	}
}

func TestNoPuzzleIsMadeOfWhatIsStillSecret(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	one := url.Values{"line": {h.look(table).LineName.String()}, "version": {"1"}, "title": {"x"},
		"solutions": {"keep"}}
	asks := func(table, text string) {
		t.Helper()
		p := ana.get("/t/" + table + "/puzzle?" + one.Encode())
		require.Equal(t, 409, p.status)
		require.Contains(t, p.body, text)
		p = ana.send("/t/"+table+"/puzzle", one)
		require.GreaterOrEqual(t, p.status, 400)
		require.Contains(t, p.body, text)
	}
	asks(table, "once the game is over")
	study := h.study(table, ana)
	one.Set("line", h.look(study).LineName.String())
	asks(study, "for its people alone")
	require.Equal(t, 404, bo.get("/t/"+study+"/puzzle?"+one.Encode()).status)
	require.NotEqual(t, 200, h.browser().get("/t/"+table+"/puzzle?"+one.Encode()).path,
		"whoever is signed in makes them")
}
