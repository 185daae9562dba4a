package walk

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
	"posthorn/mail"
)

// off returns the address of a letter's unsubscribe link.
func off(l *letter) string {
	return strings.TrimPrefix(strings.Trim(l.Header.Get("List-Unsubscribe"), "<>"), base)
}

// oneClick sends what a mail program sends for its own button (RFC 8058).
func (g *two) oneClick(l *letter) *page {
	p := g.browser(g.ana, "anybody").follows("POST", off(l), url.Values{"List-Unsubscribe": {"One-Click"}})
	g.house.settles(time.Minute)
	return p
}

// wants reports whether Bo gets mails about his turns at the table.
func (g *two) wants() bool {
	p, err := g.house.People.ByAddress(g.house.ctx, people.Address(g.bo.address))
	require.NoError(g.t, err)
	return p.Wants(people.AtTable("turn", g.newest(g.bo, mail.KindTurn).row.Table))
}

// stopped counts the mails that tell Bo what was stopped.
func (g *two) stopped() (n int) {
	for _, l := range g.house.box(g.bo.address) {
		if l.row.Kind == mail.KindStopped {
			n++
		}
	}
	return n
}

// Whoever a mail was passed on to can press its unsubscribe link. Its reader is told, and has the mails again by one
// press.
func TestWhoseMailsALinkStopsIsTold(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.until(g.bo)
		l := g.newest(g.bo, mail.KindTurn)
		require.Equal(t, http.StatusOK, g.oneClick(l).status)
		require.False(t, g.wants())
		require.Equal(t, 1, g.stopped())
		told := g.newest(g.bo, mail.KindStopped)
		require.Contains(t, told.Text, "at one table")
		require.Contains(t, told.Text, g.home, "it says at which")
		g.oneClick(l)
		require.Equal(t, 1, g.stopped(), "nothing changed")

		p := g.bo.phone.opens(linksOf(told)[0])
		require.False(t, g.wants(), "opening it changes nothing")
		g.bo.phone.fills(p, off(l)[len("/u"):], nil)
		require.True(t, g.wants())
		g.oneClick(l)
		require.Equal(t, 1, g.stopped(), "told once a week")
		g.bo.phone.fills(g.bo.phone.opens(off(l)), off(l)[len("/u"):], nil)
		g.house.settles(8 * 24 * time.Hour)
		g.oneClick(l)
		require.Equal(t, 2, g.stopped())
	})
}

// What a person has switched off signed in, no link of a mail switches on.
func TestALinkTurnsOnOnlyWhatALinkStopped(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.signsIn(g.bo)
		g.until(g.bo)
		l := g.newest(g.bo, mail.KindTurn)
		mute := g.bo.desk.opens(g.home).offer(t, "POST", "/mails")
		require.Less(t, g.bo.desk.follows("POST", mute.path, mute.values()).status, 400)
		require.False(t, g.wants())
		p := g.browser(g.ana, "anybody").opens(off(l))
		require.Contains(t, p.text, "You will no longer get the emails")
		_, offered := p.offered("POST", off(l))
		require.False(t, offered)
		g.oneClick(l)
		p = g.browser(g.ana, "anybody").follows("POST", off(l), url.Values{"undo": {"1"}})
		require.Contains(t, p.text, "You will no longer get the emails")
		require.False(t, g.wants())
		require.Zero(t, g.stopped(), "nothing was stopped but by himself")
	})
}

// Withdrawing all links withdraws those that stop mails, too. The next mails' work.
func TestAWithdrawnLinkStopsNoMails(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.signsIn(g.bo)
		g.until(g.bo)
		l := g.newest(g.bo, mail.KindTurn)
		o := g.bo.desk.opens("/settings").offer(t, "POST", "/settings/links")
		require.Less(t, g.bo.desk.follows("POST", o.path, o.values()).status, 400)
		p := g.oneClick(l)
		require.Equal(t, http.StatusGone, p.status)
		require.True(t, g.wants())
		p = g.browser(g.bo, "a phone of Bo").opens(off(l))
		require.Equal(t, http.StatusGone, p.status)
		require.Contains(t, p.text, "withdrawn")
		_, way := p.offered("GET", "/settings")
		require.True(t, way, "it leads to the settings")
		require.True(t, g.moves(g.bo.desk, g.home))
		g.until(g.bo)
		require.Equal(t, http.StatusOK, g.oneClick(g.newest(g.bo, mail.KindTurn)).status)
		require.False(t, g.wants())
	})
}
