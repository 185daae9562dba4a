package http_test

import (
	"context"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// version returns the version that a table's main line has reached.
func (h *house) version(table string) uint64 {
	h.t.Helper()
	return h.look(table).LineHead.Version
}

func (h *house) look(table string) desk.Look {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	look, err := h.desk.Look(context.Background(), name)
	require.NoError(h.t, err)
	return look
}

// move plays a notation through the page, as its confirmation form would.
func (b *browser) move(table, notation string) page {
	b.t.Helper()
	p := b.get("/t/" + table + "?m=" + url.QueryEscape(notation))
	require.Equal(b.t, 200, p.status, p.body)
	return b.send("/t/"+table+"/move", p.form("/t/"+table+"/move"))
}

func TestATurnIsChosenStepByStepAndConfirmed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	before := h.version(table)

	p := ana.get("/t/" + table)
	require.Contains(t, p.body, "?c=peek", "every first choice is a link")
	require.NotContains(t, p.body, `name="move"`, "nothing is played before everything is chosen")
	p = ana.get("/t/" + table + "?c=keep")
	require.Equal(t, before, h.version(table), "choosing plays nothing")
	p = ana.send("/t/"+table+"/move", p.form("/t/"+table+"/move"))
	require.Equal(t, 200, p.status)
	require.Equal(t, "/t/"+table, p.path)
	require.Equal(t, "moved", p.query.Get("done"))
	require.Equal(t, before+1, h.version(table))
}

// A move that is sent by a browser that is signed in no longer waits on the page that signing in leads to.
func TestAMoveOutlivesASession(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	p, before := ana.get("/t/"+table+"?c=keep"), h.version(table)
	require.NoError(t, h.people.RevokeSessions(context.Background(), ana.id))
	p = ana.send("/t/"+table+"/move", p.form("/t/"+table+"/move"))
	require.Equal(t, 401, p.status)
	way := regexp.MustCompile(`href="(/sign-in\?next=[^"]+)"`).FindStringSubmatch(p.body)
	require.NotNil(t, way, p.body)
	form := ana.get(unescape(way[1])).form("/sign-in")
	form.Set("address", "ana@example.org")
	require.Equal(t, 200, ana.send("/sign-in", form).status)
	p = ana.send("/sign-in/"+h.post.last(t).token, nil)
	require.Equal(t, "/t/"+table, p.path)
	require.Equal(t, "keep", p.query.Get("m"), way[1])
	require.Equal(t, before, h.version(table), "nothing is played by signing in")
	require.Equal(t, "moved", ana.send("/t/"+table+"/move", p.form("/t/"+table+"/move")).query.Get("done"))
	require.Equal(t, before+1, h.version(table))
}

func TestAFormIsDoneOnceHoweverOftenItIsSent(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	before := h.version(table)
	p := ana.get("/t/" + table + "?c=keep")
	form := p.form("/t/" + table + "/move")
	var all sync.WaitGroup
	answers := make([]int, 50)
	for i := range answers {
		all.Go(func() { answers[i] = ana.send("/t/"+table+"/move", form).status })
	}
	all.Wait()
	for _, status := range answers {
		require.Equal(t, 200, status)
	}
	require.Equal(t, before+1, h.version(table))
}

func TestWhoeverIsNotAwaitedIsRefusedAndToldWhy(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	move := ana.get("/t/" + table + "?c=keep").form("/t/" + table + "/move")
	before := h.version(table)

	for name, who := range map[string]*browser{"another seat": bo, "a stranger": eve} {
		p := who.send("/t/"+table+"/move", move)
		require.Equal(t, 409, p.status, name)
		require.Contains(t, p.body, "You do not play seat", name)
	}
	p := h.browser().send("/t/"+table+"/move", move)
	require.Equal(t, 401, p.status)
	require.Contains(t, p.body, "Please sign in first")

	require.Equal(t, 200, ana.send("/t/"+table+"/move", move).status)
	move.Set("id", hex.EncodeToString([]byte("another command!")))
	p = ana.send("/t/"+table+"/move", move)
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "That turn is over")
	require.NotContains(t, p.body, "The rule about it", "no rule is")
	require.Equal(t, before+1, h.version(table))
}

func TestWhatIsTypedIsShownFirstAndKeptWhenRefused(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)

	p := ana.get("/t/" + table + "?m=peek+Bo")
	require.Equal(t, 200, p.status)
	require.Equal(t, "peek B", p.form("/t/"+table+"/move").Get("move"))

	p = ana.get("/t/" + table + "?m=juggle+%3Cb%3E")
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "is not a move")
	require.Contains(t, p.body, `value="juggle &lt;b&gt;"`, "what was typed stays in its field")
	require.Contains(t, p.body, "For what is asked now, type for example “keep”.")
}

func TestAMoveCanBeLookedAtForEver(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	bo.move(table, "swap")
	line := h.look(table).LineName.String()

	p := h.browser().get("/t/" + table + "/line/" + line + "/2")
	require.Equal(t, 200, p.status)
	require.Contains(t, p.body, "Move 2 of 3")
	require.Contains(t, p.body, "/line/"+line+"/1\"")
	require.Contains(t, p.body, "/line/"+line+"/3\"")
	p = h.browser().get("/t/" + table + "/jump?line=" + line + "&version=99")
	require.Equal(t, "/t/"+table+"/line/"+line+"/3", p.path, "past the end is the end")
	for _, wrong := range []string{"/0", "/99", "/x", "/-1"} {
		require.Equal(t, 404, h.browser().get("/t/"+table+"/line/"+line+wrong).status, wrong)
	}
	other := h.table("tiny", ana, bo)
	require.Equal(t, 404, ana.get("/t/"+other+"/line/"+line+"/2").status, "a line belongs to its table")
}

func TestATakebackIsAskedAnsweredAndDone(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	old := h.look(table).LineName.String()

	require.Equal(t, 409, eve.get("/t/"+table+"/rewind").status, "only players ask")
	p := ana.get("/t/" + table + "/rewind?to=1")
	form := p.formAfter("method=\"post\" action=\"/t/" + table + "/rewind\"")
	form.Set("luck", "same")
	require.Contains(t, p.body, "What this undoes, the latest first")
	require.Contains(t, p.body, "Ana kept", "move by move, in words")
	require.Contains(t, p.body, `href="/t/`+table+`/rewind?to=1" aria-current="true">Before my own last move</a>`)
	form.Set("reason", "my <b>thumb</b>")
	p = ana.send("/t/"+table+"/rewind", form)
	require.Equal(t, "proposed", p.query.Get("done"), p.body)

	p = bo.get("/t/" + table)
	require.Contains(t, p.body, "my &lt;b&gt;thumb&lt;/b&gt;")
	require.Contains(t, p.body, "What this undoes, the latest first", "whoever is asked reads it, too")
	require.Contains(t, p.body, "Ana kept")
	require.NotContains(t, eve.get("/t/"+table).body, "thumb", "reasons are for those at the table")
	answer := p.formAfter(`<form method="post" class="consent"`)
	require.Equal(t, 409, eve.send("/t/"+table+"/agree", answer).status)
	p = bo.send("/t/"+table+"/agree", answer)
	require.Equal(t, "agreed", p.query.Get("done"), p.body)
	h.settle(table)
	require.NotEqual(t, old, h.look(table).LineName.String())
	p = ana.get("/t/" + table + "/line/" + old + "/2")
	require.Equal(t, 200, p.status, "the old line stays readable")
	require.Contains(t, p.body, "closed by a takeback")
}

func TestLuckAfterATakebackIsSaidAsEachGameHasIt(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	for game, same := range map[string]string{"carcassonne": "The same tiles come again",
		"catan": "The dice fall again as they fell", "rivals": "the stacks lie as they lay then"} {
		table := h.table(game, ana, bo)
		one, move := h.firstMove(table, ana, bo)
		one.move(table, move)
		require.Contains(t, ana.get("/t/"+table+"/rewind").body, same)
	}
}

func TestAGameIsBranchedWithTheSamePeople(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	line := h.look(table).LineName.String()

	p := ana.get("/t/" + table + "/branch?line=" + line + "&version=2")
	require.Contains(t, p.body, "Bo, as before")
	form := p.form("/t/" + table + "/branch")
	form.Set("kind", "study")
	form.Set("pace", "weekly")
	form.Set("seat.0", "me")
	form.Set("seat.1", "same")
	p = ana.send("/t/"+table+"/branch", form)
	require.Equal(t, 200, p.status, p.body)
	require.Contains(t, p.body, "This is a study")
	copied := h.look(strings.TrimPrefix(p.path, "/t/")).Table
	require.Equal(t, &domain.Branch{Table: table, Line: line, Version: 2, Kind: "study"}, copied.Branch)
	require.Equal(t, []domain.PersonID{bo.id}, copied.Places[1].Invited)
	require.Contains(t, bo.get("/").body, "Invitations")
}

func TestResigningEndingAndChatAreForPlayers(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)

	p := ana.get("/t/" + table)
	say := p.form("/t/" + table + "/say")
	say.Set("text", "well met")
	require.Equal(t, 200, ana.send("/t/"+table+"/say", say).status)
	require.Contains(t, bo.get("/t/"+table).body, "well met")
	require.NotContains(t, eve.get("/t/"+table).body, "well met", "spectators do not read along")
	say.Set("id", hex.EncodeToString([]byte("another command!")))
	require.Equal(t, 409, eve.send("/t/"+table+"/say", say).status)

	resign := ana.get("/t/" + table + "/resign").form("/t/" + table + "/resign")
	resign.Set("seat", "0")
	require.Equal(t, 409, eve.send("/t/"+table+"/resign", resign).status)
	require.Equal(t, 200, ana.send("/t/"+table+"/resign", resign).status)
	h.settle(table)
	require.Contains(t, bo.get("/t/"+table).body, "The game is over")
	p = eve.get("/t/" + table + "/audit")
	seed := h.look(table).Table.Seed
	require.Contains(t, p.body, hex.EncodeToString(seed[:]), "the seed is open once the game is over")
}

func TestAPageShowsNoSeatMoreThanItsOwn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	line := h.look(table).LineName.String()
	for _, path := range []string{"/t/" + table, "/t/" + table + "/line/" + line + "/1", "/t/" + table + "/audit"} {
		for who, b := range map[string]*browser{"a spectator": h.browser(), "Bo": bo} {
			require.NotContains(t, b.get(path).body, "Ana holds card", "%s at %s", who, path)
		}
		seed := h.look(table).Table.Seed
		require.NotContains(t, ana.get(path).body, hex.EncodeToString(seed[:]))
	}
	require.Contains(t, ana.get("/t/"+table).body, "Ana holds card")
}

func TestAfterAMoveTheNextGameThatAwaitsIsOffered(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	first, second := h.table("tiny", ana, bo), h.table("tiny", ana, bo)
	require.Contains(t, ana.get("/").body, "/t/"+second) // the inbox has caught up
	p := ana.move(first, "keep")
	require.Contains(t, p.body, `href="/t/`+second+`">Next game`)
	p = ana.move(second, "keep")
	require.NotContains(t, p.body, "Next game")
}

func TestARefusedFormsPageLeadsBackToItsTable(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	form := ana.get("/t/" + table + "?c=keep").form("/t/" + table + "/move")
	p := bo.send("/t/"+table+"/move", form)
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, `name="back" value="/t/`+table+`"`)
	require.Contains(t, h.browser().send("/t/"+table+"/move", form).body, `href="/sign-in`)
}
