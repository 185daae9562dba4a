package http_test

import (
	"context"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/clock"
	"posthorn/http"
)

// inDays returns a day from now, as a form sends it.
func inDays(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }

// keepsTime makes the house's deadlines follow its people's calendars.
func (h *house) keepsTime() { h.desk.KeepTime(h.people.Calendars) }

// timed opens a game with deadlines through the pages, and starts it.
func (h *house) timed(pace, out string, players ...*browser) string {
	h.t.Helper()
	return h.tableWith("tiny", url.Values{"pace": {pace}, "timeout": {out}}, players...)
}

// due returns the deadline of a seat's decision.
func (h *house) due(table string, seat domain.Seat) time.Time {
	h.t.Helper()
	for _, d := range h.look(table).Deadlines() {
		if d.Seat == seat {
			return d.At
		}
	}
	return time.Time{}
}

func TestATableChoosesItsTimeAndShowsItsDeadlines(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.NoError(t, h.people.SetZone(context.Background(), ana.id, "Europe/Warsaw"))
	form := ana.get("/new/tiny")
	for _, out := range []string{"remind", "turn", "seat", "lost"} {
		require.Contains(t, form.body, `name="timeout" value="`+out+`"`)
	}
	table := h.timed("daily", "seat", ana, bo)
	require.Equal(t, &domain.Clock{Hours: 24, Spare: 3, TimeOut: domain.TimeOutSeat}, h.look(table).Table.Clock)
	due := h.due(table, 0)
	p := ana.get("/t/" + table)
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	require.NoError(t, err)
	require.Contains(t, p.body, "Play by "+h.server.Book.Printer("en", "", nil).Moment(due.In(warsaw)),
		"by the clock of whoever reads it")
	require.Contains(t, p.body, "You have 3 spare days left.")
	require.Contains(t, p.body, "Bo has until")
	require.Contains(t, bo.get("/").body, "Play by ", "the list says so, too")

	slow := h.timed("relaxed", "lost", ana, bo)
	require.Nil(t, h.look(slow).Table.Clock, "whenever is for ever")
	require.NotContains(t, ana.get("/t/"+slow).body, "Play by")
	wrong := h.opens("tiny", url.Values{"pace": {"daily"}, "timeout": {"never"}}, ana, bo)
	require.Equal(t, 422, wrong.status)
}

func TestWhoeverHasTheSameTimeIsToldOfInOneSentence(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo, cyryl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cyryl")
	table := h.timed("daily", "seat", ana, bo, cyryl)
	p := ana.get("/t/" + table)
	require.Equal(t, h.due(table, 1), h.due(table, 2), "given: two that are awaited alike")
	require.Contains(t, p.body, "Bo and Cyryl have until "+h.server.Book.Printer("en", "", nil).
		Moment(h.due(table, 1).UTC()))
	require.NotContains(t, p.body, "Bo has until")
	require.NotContains(t, p.body, "Cyryl has until")
}

func TestOnePressSaysThatOneIsAway(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, other := h.timed("daily", "lost", ana, bo), h.timed("daily", "lost", bo, ana)
	before := h.due(table, 0)
	form := ana.get("/t/" + table).form("/t/" + table + "/away")
	form.Set("until", inDays(5))
	form.Set("everywhere", "true")
	p := ana.send("/t/"+table+"/away", form)
	require.Equal(t, "away", p.query.Get("done"), p.body)
	require.Contains(t, p.body, "Ana is away until the end of")
	require.True(t, h.due(table, 0).After(before.Add(4*24*time.Hour)))
	require.True(t, h.due(other, 1).After(before.Add(4*24*time.Hour)), "at all tables")
	require.Contains(t, bo.get("/t/"+table).body, "Ana is away until the end of", "the others read it")
	require.Contains(t, ana.get("/settings").body, `action="/settings/back"`)
	require.Equal(t, "back", ana.send("/settings/back", nil).query.Get("done"))

	form = bo.get("/t/" + table).form("/t/" + table + "/away")
	form.Set("until", inDays(3))
	require.Equal(t, "away", bo.send("/t/"+table+"/away", form).query.Get("done"))
	c, err := h.people.Calendar(context.Background(), bo.id)
	require.NoError(t, err)
	require.Empty(t, c.Away, "from this table alone")
	form.Set("id", events.NewCommandID().String())
	for _, day := range []string{"tomorrow", inDays(-3), inDays(50)} {
		form.Set("until", day)
		require.Equal(t, 409, bo.send("/t/"+table+"/away", form).status, day)
	}
}

func TestWhoeverIsBackIsBackAtAllTables(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, other := h.timed("daily", "lost", ana, bo), h.timed("daily", "lost", bo, ana)
	goes := func() {
		form := ana.get("/t/" + table).form("/t/" + table + "/away")
		form.Set("until", inDays(5))
		form.Set("everywhere", "true")
		require.Equal(t, "away", ana.send("/t/"+table+"/away", form).query.Get("done"))
		for _, at := range []string{table, other} {
			require.Contains(t, bo.get("/t/"+at).body, "<li>Ana is away until the end of")
		}
	}
	for range 2 { // the second time is news again, for the same days
		goes()
		require.Equal(t, "back", ana.send("/settings/back", nil).query.Get("done"))
		for _, at := range []string{table, other} {
			require.NotContains(t, bo.get("/t/"+at).body, "<li>Ana is away until the end of")
		}
	}
	goes()
	require.Equal(t, 204, ana.bot(h.spec(), "settings", "").call("DELETE", "/holidays", nil).status)
	require.NotContains(t, bo.get("/t/"+other).body, "<li>Ana is away until the end of", "nor by a program")
}

func TestOneIsBackAtTheTableOneIsAwayFrom(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, other := h.timed("daily", "lost", ana, bo), h.timed("daily", "lost", bo, ana)
	require.NotContains(t, ana.get("/t/"+table).body, "/t/"+table+"/back\"")
	for _, at := range []string{table, other} {
		form := ana.get("/t/" + at).form("/t/" + at + "/away")
		form.Set("until", inDays(5))
		form.Del("everywhere")
		require.Equal(t, "away", ana.send("/t/"+at+"/away", form).query.Get("done"))
	}
	due := h.due(table, 0)
	require.NotContains(t, bo.get("/t/"+table).body, "/t/"+table+"/back\"", "it is not Bo who is away")
	back := ana.get("/t/" + table).form("/t/" + table + "/back")
	p := ana.send("/t/"+table+"/back", back)
	require.Equal(t, "back", p.query.Get("done"), p.body)
	require.NotContains(t, p.body, "<li>Ana is away until the end of")
	require.NotContains(t, p.body, "/t/"+table+"/back\"")
	require.Equal(t, due, h.due(table, 0), "deadlines move later, never earlier")
	require.Contains(t, bo.get("/t/"+table).body, "<p>Ana is back.</p>")
	require.Contains(t, bo.get("/t/"+other).body, "<li>Ana is away until the end of", "at the other table still")
	back.Set("id", events.NewCommandID().String())
	require.Equal(t, 409, ana.send("/t/"+table+"/back", back).status)
}

func TestAPersonsCalendarIsTheirs(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	saved := ana.send("/settings/calendar",
		url.Values{"zone": {"America/Sao_Paulo"}, "night_from": {"22"}, "night_to": {"08"}, "off": {"0", "6"}})
	require.Equal(t, "saved", saved.query.Get("done"), saved.body)
	c, err := h.people.Calendar(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, "America/Sao_Paulo", c.Zone.String())
	require.Equal(t, calendar.Night{From: 22, To: 8}, c.Night)
	require.Equal(t, [7]bool{0: true, 6: true}, c.Off)
	body := ana.get("/settings").body
	require.Contains(t, body, `<option value="America/Sao_Paulo" selected>`)
	require.Contains(t, body, `<option value="22" selected>`)
	require.Contains(t, body, `name="off" value="6" checked`)

	for name, form := range map[string]url.Values{
		"a zone that there is not": {"zone": {"Moon/Base"}, "night_from": {"22"}, "night_to": {"08"}},
		"a night of a whole day":   {"zone": {"UTC"}, "night_from": {"10"}, "night_to": {"08"}},
		"no day to play on": {"zone": {"UTC"}, "night_from": {"0"}, "night_to": {"0"},
			"off": {"0", "1", "2", "3", "4", "5", "6"}},
	} {
		require.Equal(t, 422, ana.send("/settings/calendar", form).status, name)
	}
	require.Equal(t, 400, ana.send("/settings/calendar",
		url.Values{"zone": {"UTC"}, "night_from": {"0"}, "night_to": {"0"}, "off": {"9"}}).status)
	require.Equal(t, "away", ana.send("/settings/away", url.Values{"from": {inDays(10)}, "until": {inDays(12)}}).
		query.Get("done"))
	require.Equal(t, 422, ana.send("/settings/away", url.Values{"from": {inDays(10)}, "until": {inDays(60)}}).status)
	require.Equal(t, 422, ana.send("/settings/away", url.Values{"from": {"soon"}, "until": {inDays(60)}}).status)
}

func TestWhoeverIsWaitedForIsRemindedAndAnswers(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.timed("daily", "lost", ana, bo)
	p := ana.get("/t/" + table)
	require.NotContains(t, p.body, "/need\"", "nobody has reminded Ana")
	nudge := p.form("/t/" + table + "/nudge")
	require.Equal(t, "1", nudge.Get("seat"))
	require.Equal(t, "nudged", ana.send("/t/"+table+"/nudge", nudge).query.Get("done"))
	nudge.Set("id", events.NewCommandID().String())
	require.Equal(t, 409, ana.send("/t/"+table+"/nudge", nudge).status, "once a day")

	before := h.due(table, 1)
	need := bo.get("/t/" + table).form("/t/" + table + "/need")
	need.Set("until", inDays(5))
	require.Equal(t, "longer", bo.send("/t/"+table+"/need", need).query.Get("done"))
	require.True(t, h.due(table, 1).After(before))
	require.NotContains(t, bo.get("/t/"+table).body, "/need\"", "that was answered")
	require.Equal(t, 200, h.browser().get("/t/"+table).status)
	require.NotContains(t, h.browser().get("/t/"+table).body, "/nudge\"", "strangers remind nobody")
}

func TestASeatIsLentAndTakenBackOnItsPage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo) // it has no clock
	lend := ana.get("/t/" + table).form("/t/" + table + "/lend")
	require.Equal(t, "lent", ana.send("/t/"+table+"/lend", lend).query.Get("done"))
	p := ana.get("/t/" + table)
	require.Contains(t, p.body, "away: a stand-in plays")
	require.NotContains(t, bo.get("/t/"+table).body, "/lend\"", "the last one stays")
	back := p.form("/t/" + table + "/return")
	require.Equal(t, "back", ana.send("/t/"+table+"/return", back).query.Get("done"))
	require.True(t, h.look(table).Table.Places[0].Humans())
}

func TestATableAgreesToPauseOnItsPage(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.timed("daily", "lost", ana, bo)
	pause := ana.get("/t/" + table).form("/t/" + table + "/pause")
	pause.Set("until", inDays(9))
	pause.Set("reason", "we are moving house")
	require.Equal(t, "proposed", ana.send("/t/"+table+"/pause", pause).query.Get("done"))
	p := bo.get("/t/" + table)
	require.Contains(t, p.body, "Ana proposes to pause until the end of")
	require.Contains(t, p.body, "we are moving house")
	require.Contains(t, p.body, "Answer by ")
	agree := p.formAfter(`<form method="post" class="consent"`)
	require.Equal(t, "agreed", bo.send("/t/"+table+"/agree", agree).query.Get("done"))
	require.Contains(t, bo.get("/t/"+table).body, "The table pauses until")
	require.True(t, h.due(table, 0).After(time.Now().Add(9*24*time.Hour)))
}

// timeByProgram does what pages do about time, through the API.
func (h *house) timeByProgram(t *testing.T, ana, bo *bot) {
	t.Helper()
	seats := []m{{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "bo@example.org", "language": "pl"}}}}
	opened := ana.post("/tables", m{"game": "tiny", "pace": "daily", "time_out": "seat", "seats": seats})
	at := "/tables/" + opened["table"].(string)
	ana.post(at+"/join", m{"seat": 0, "chance": someChance})
	bo.post(at+"/join", m{"seat": 1, "chance": someChance})
	h.settle(opened["table"].(string))
	now := ana.get(at)
	require.Equal(t, m{"hours": 24.0, "spare": 3.0, "time_out": "seat"}, now["clock"])
	due, err := time.Parse(time.RFC3339, now["due"].(string))
	require.NoError(t, err)
	require.Equal(t, due, due.Truncate(time.Hour))
	require.Equal(t, now["due"], now["seats"].([]any)[0].(m)["due"])
	require.Equal(t, now["due"], ana.get("/inbox")["tables"].([]any)[0].(m)["due"], "the least time comes first")

	ana.post(at+"/nudge", m{"seat": 1})
	require.Equal(t, "nudged", ana.call("POST", at+"/nudge", m{"seat": 1}, key("again")).code())
	bo.post(at+"/need", m{"seat": 1, "until": inDays(5)})
	ana.post(at+"/away", m{"until": inDays(4)})
	require.NotNil(t, bo.get(at)["seats"].([]any)[0].(m)["away_until"])
	ana.post(at+"/back", m{})
	require.Nil(t, bo.get(at)["seats"].([]any)[0].(m)["away_until"])
	ana.post(at+"/lend", m{"seat": 0})
	require.Equal(t, true, bo.get(at)["seats"].([]any)[0].(m)["lent"])
	ana.post(at+"/return", m{"seat": 0})
	ana.post(at+"/offer", m{"seat": 0, "address": "dawa@example.org"})
	ana.post(at+"/withdraw", m{"seat": 0})
	ana.post(at+"/offer", m{"seat": 0, "address": "dawa@example.org"})
	h.signedIn("Dawa").bot(bo.spec, "play", "").post(at+"/takeover", m{"seat": 0})
	ana.post(at+"/return", m{"seat": 0})
	ana.post(at+"/pause", m{"until": inDays(6), "reason": "rest"})
	proposal := bo.get(at)["proposal"].(m)
	require.NotNil(t, proposal["due"])
	require.NotNil(t, proposal["until"])
	bo.post(at+"/agree", m{"proposal": proposal["since"]})
	require.NotNil(t, bo.get(at)["paused_until"])
	require.Equal(t, "day", ana.call("POST", at+"/away", m{"until": "soon"}).code())
}

func TestNotesAreReadByTheirWriterAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.Equal(t, "saved", ana.send("/t/"+table+"/notes", url.Values{"note": {"Bo hides a <seven>"}}).
		query.Get("done"))
	require.Contains(t, ana.get("/t/"+table).body, "Bo hides a &lt;seven&gt;</textarea>")
	require.NotContains(t, bo.get("/t/"+table).body, "hides")
	require.NotContains(t, h.browser().get("/t/"+table).body, "hides")
	require.NotContains(t, h.browser().get("/t/"+table).body, "/notes\"")
	cid := h.signedIn("Cid")
	require.NotEqual(t, 200, cid.send("/t/"+table+"/notes", url.Values{"note": {"x"}}).status)
}

func TestASeatIsHandedOnByMailAndTakenOnTheTablesPage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	offer := ana.get("/t/" + table).form("/t/" + table + "/offer")
	offer.Set("address", "dawa@example.org")
	require.Equal(t, "invited", ana.send("/t/"+table+"/offer", offer).query.Get("done"))
	dawa := h.signedIn("Dawa")
	p := dawa.get("/t/" + table)
	require.Contains(t, p.body, "You are asked to take over seat A.")
	form := url.Values{"id": {events.NewCommandID().String()}, "seat": {"0"}}
	require.Equal(t, 409, h.signedIn("Eva").send("/t/"+table+"/takeover", form).status)
	require.Equal(t, "joined", dawa.send("/t/"+table+"/takeover", form).query.Get("done"))
	require.Equal(t, dawa.id, h.look(table).Table.Places[0].Holders[0])
	require.Contains(t, dawa.get("/t/"+table).body, "Your turn")
	back := ana.get("/t/" + table).form("/t/" + table + "/return")
	require.Equal(t, "back", ana.send("/t/"+table+"/return", back).query.Get("done"))
	require.Equal(t, ana.id, h.look(table).Table.Places[0].Holders[0])
}

// Who has handed a seat on may take it back, unless whoever has it now has resigned.
func TestAResignedSeatIsNotOfferedBack(t *testing.T) {
	h := open(t)
	ana, bo, cid := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cid")
	at := "/t/" + h.table("carcassonne", ana, bo, cid)
	offer := ana.get(at).form(at + "/offer")
	offer.Set("address", "dawa@example.org")
	require.Equal(t, "invited", ana.send(at+"/offer", offer).query.Get("done"))
	dawa := h.signedIn("Dawa")
	require.Contains(t, dawa.get(at).body, at+"/takeover")
	form := url.Values{"id": {events.NewCommandID().String()}, "seat": {"0"}}
	require.Equal(t, "joined", dawa.send(at+"/takeover", form).query.Get("done"))
	require.Contains(t, ana.get(at).body, at+"/return")
	resign := dawa.get(at + "/resign").form(at + "/resign")
	resign.Set("seat", "0")
	require.Equal(t, "resigned", dawa.send(at+"/resign", resign).query.Get("done"))
	require.NotContains(t, ana.get(at).body, at+"/return")
}

// setClock is the clock of a machine that somebody sets.
type setClock struct{ off atomic.Int64 }

func (c *setClock) Now() time.Time { return time.Now().Add(time.Duration(c.off.Load())) }

// watches runs what watches deadlines, on a machine's clock, until the test ends. It returns once that has judged the
// clock, and what returns once it has judged it again.
func watches(t *testing.T, c *clock.Clock, set *setClock) (judged func()) {
	t.Helper()
	began, asked := time.Now(), make(chan struct{})
	c.Rest = time.Millisecond
	c.Wall = set.Now
	c.Steady = func() time.Duration {
		select {
		case asked <- struct{}{}:
		default:
		}
		return time.Since(began)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.ErrorIs(t, <-done, context.Canceled)
	})
	return func() { // the third look began after the second was judged, which began after this call
		for range 3 {
			<-asked
		}
	}
}

// Given a table with deadlines and one without, while the clock of the house's machine is wrong, then whoever reads the
// page of the first is told that its deadlines rest and why, in their language, until the clock is right again.
func TestAPageSaysThatDeadlinesRestIfTheClockIsWrong(t *testing.T) {
	keeper, set := &clock.Clock{}, &setClock{}
	h := open(t, func(cfg *http.Config) {
		cfg.Resting = keeper.Resting
		keeper.Desk, keeper.Views = cfg.Desk, cfg.Views.(clock.Views)
	})
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	timed, slow := h.timed("daily", "seat", ana, bo), h.timed("relaxed", "lost", ana, bo)
	judged := watches(t, keeper, set)
	judged()
	says := func(table string) string { return ana.get("/t/" + table).body }
	require.NotContains(t, says(timed), "Deadlines rest")
	set.off.Store(int64(40 * 24 * time.Hour))
	judged()
	require.Contains(t, says(timed), "Deadlines rest: the clock of this server has jumped.")
	require.Contains(t, h.browser().get("/t/"+timed).body, "Deadlines rest", "whoever looks on is told, too")
	require.NotContains(t, says(slow), "Deadlines rest", "which has none")
	for _, lang := range []string{"pl", "pt-PT", "pt-BR"} {
		bo.send("/language", url.Values{"lang": {lang}, "back": {"/"}})
		require.Contains(t, bo.get("/t/"+timed).body,
			h.server.Book.Printer(lang, "", nil).Text("page.time.rests.jumped"))
	}
	set.off.Store(0)
	judged()
	require.NotContains(t, says(timed), "Deadlines rest")
}

// A log whose last event lies in the future was written by a clock that was wrong.
func TestAPageSaysThatDeadlinesRestAfterAFutureEvent(t *testing.T) {
	keeper, set := &clock.Clock{}, &setClock{}
	h := open(t, func(cfg *http.Config) {
		cfg.Resting = keeper.Resting
		keeper.Desk, keeper.Views = cfg.Desk, cfg.Views.(clock.Views)
	})
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.timed("daily", "seat", ana, bo)
	set.off.Store(-int64(24 * time.Hour))
	watches(t, keeper, set)()
	require.Contains(t, ana.get("/t/"+table).body,
		"Deadlines rest: the last move here is later than the clock of this server says.")
}
