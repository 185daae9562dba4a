package browser

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// atTheTable are two friends at their pages of one table.
type atTheTable struct {
	*posthorntest.Living
	seats *desktest.House
	table events.Name
	of    map[domain.PersonID]*browser
}

// awaited returns whose turn it is, and a move of theirs.
func (a *atTheTable) awaited() (domain.PersonID, string) {
	a.T.Helper()
	look := a.seats.Sees(a.table)
	o := look.Line.Awaited()[0]
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		return look.Table.Places[o.Seat].Holders[0], look.Rulebook.FormatMove(m, nil)
	}
	require.Fail(a.T, "no move")
	return "", ""
}

// sent counts the mails about turns that have gone out.
func (a *atTheTable) sent() map[domain.PersonID]int {
	a.T.Helper()
	all, err := a.Outbox.Letters(a.Ctx, a.table)
	require.NoError(a.T, err)
	out := map[domain.PersonID]int{}
	for _, l := range all {
		if l.Kind == mail.KindTurn && l.State == mail.StateSent {
			out[l.Person]++
		}
	}
	return out
}

// until waits for something in a person's browser.
func (a *atTheTable) until(b *browser, selector string) {
	a.T.Helper()
	require.Eventually(a.T, func() bool { return b.has(selector) }, posthorntest.Patient, 20*time.Millisecond, selector)
}

// Two friends at their pages play five moves each, and get no mail about them. When one leaves, the next is mailed.
func TestTwoWhoPlayAtTheirPagesGetNoMails(t *testing.T) {
	t.Parallel()
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Patience = 20 * time.Second
	l := posthorntest.Lives(t, cfg)
	ana, ben := l.Guest("ana@example.org"), l.Guest("ben@example.org")
	a := &atTheTable{Living: l, seats: l.Seated(), of: map[domain.PersonID]*browser{}}
	ans, err := l.Desk.Open(l.Ctx, desktest.By(ana.ID), events.NewCommandID(), desk.NewTable{Rulebook: "carcassonne",
		Pace: "weekly", Places: []domain.TablePlace{desktest.Player(ana.ID), desktest.Player(ben.ID)}})
	require.NoError(t, err)
	a.table = ans.Table
	home := l.Config.PublicURL + "/t/" + a.table.String()
	for _, g := range []posthorntest.Guest{ana, ben} {
		a.of[g.ID] = newBrowser(t, 390, 844)
		a.of[g.ID].is(l.Config.PublicURL, "en", g.Session)
		a.of[g.ID].open(home)
	}
	for _, g := range []posthorntest.Guest{ana, ben} {
		require.Eventually(t, func() bool {
			until, err := l.Server.Here(l.Ctx, g.ID, a.table)
			return err == nil && !until.IsZero()
		}, posthorntest.Patient, 20*time.Millisecond)
	}
	a.seats.Joins(ana.ID, a.table, 0)
	a.seats.Joins(ben.ID, a.table, 1)
	moves := map[domain.PersonID]int{}
	play := func() {
		who, move := a.awaited()
		b := a.of[who]
		a.until(b, "#now h1.mine") // its page has turned to it by itself
		b.open(home + "?" + url.Values{"m": {move}}.Encode())
		b.press("form.confirm button.go")
		moves[who]++
		next := a.seats.Sees(a.table).Line.Awaited()[0]
		require.False(t, a.seats.Sees(a.table).Table.Places[next.Seat].Holds(who), "a turn is one press")
	}
	begun := func() bool { return a.seats.Sees(a.table).Line != nil }
	require.Eventually(t, begun, posthorntest.Patient, time.Millisecond)
	for moves[ana.ID] < 5 || moves[ben.ID] < 5 {
		play()
	}
	l.CaughtUp()
	who, _ := a.awaited()
	stays := a.of[who]
	a.until(stays, "#unmailed")
	require.Contains(t, stays.text("#unmailed"), "This was not emailed, because you are here.")
	stays.shot("not-mailed")
	require.Empty(t, a.sent())

	stays.open("about:blank")
	require.Eventually(t, func() bool { return a.sent()[who] == 1 }, posthorntest.Patient, 20*time.Millisecond)
	require.Len(t, a.sent(), 1, "the other is still there")
}
