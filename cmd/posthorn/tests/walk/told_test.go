package walk

import (
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/mail"
)

// lived has somebody do something in a house, by what pages and mails offer alone.
func lived(t *testing.T, do func(w *walk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, 1)
		w := gathers(t, 1, lives(t, t.TempDir()))
		do(w)
		require.Empty(t, w.report())
	})
}

// fills sends the form of a page whose address ends in what, with some of its fields filled in.
func (b *browser) fills(at *page, what string, fields map[string]string) *page {
	b.w.t.Helper()
	for _, o := range at.offers {
		path, _, _ := strings.Cut(o.path, "?")
		if o.method != "POST" || !strings.HasSuffix(path, what) {
			continue
		}
		q := o.values()
		for k, v := range fields {
			q[k] = []string{v}
		}
		p := b.follows("POST", o.path, q)
		b.w.house.settles(3 * time.Second)
		return p
	}
	require.Fail(b.w.t, "no such form", "%s on %s: %s", what, at.path, at.text)
	return nil
}

// opensTable opens a table for somebody and a friend from the page that the house has for it. Both take their seats,
// the friend by the mail. It returns the table's address.
func (w *walk) opensTable(ana, bo *person, game string) string {
	w.t.Helper()
	if w.signedOut(ana.desk.opens("/")) {
		w.signsIn(ana)
	}
	at := ana.desk.fills(ana.desk.opens("/new/"+game), "/new/"+game,
		map[string]string{"name": ana.name, "pace": "weekly", "seat.0": "me", "seat.1": "friend",
			"address.1": bo.address})
	table, _, _ := strings.Cut(at.path, "?")
	ana.desk.fills(at, "/join", map[string]string{"chance": "dice of my own: 2 5 6 1"})
	bo.phone.fills(bo.phone.opens(linksOf(w.latest(bo, mail.KindInvitation))[0]), "/join",
		map[string]string{"name": bo.name, "chance": "dice of my own: 4 4 1 3"})
	return table
}

// latest returns the newest letter of a kind that somebody has.
func (w *walk) latest(p *person, kind mail.Kind) *letter {
	w.t.Helper()
	box := w.house.box(p.address)
	for i := len(box) - 1; i >= 0; i-- {
		if box[i].row.Kind == kind {
			return box[i]
		}
	}
	require.Fail(w.t, "no mail", "%s has no %s", p, kind)
	return nil
}

// The reason that somebody gives for what they propose stands in the mail about it, and on the page that it leads to.
func TestTheReasonOfAProposalIsOnItsPage(t *testing.T) {
	lived(t, func(w *walk) {
		ana, bo := w.folk[0], w.folk[1]
		table := w.opensTable(ana, bo, "carcassonne")
		ana.desk.fills(ana.desk.opens(table+"/end"), "/end", map[string]string{"reason": "My train leaves at noon"})
		w.house.settles(time.Minute)
		l := w.latest(bo, mail.KindConsent)
		require.Contains(t, l.Text, "My train leaves at noon")
		require.Contains(t, bo.phone.opens(linksOf(l)[0]).text, "My train leaves at noon")
	})
}

// A turn may ask several things in a row. A link in its mail answers what was asked when the mail was written, and
// nothing that came after it.
func TestALinkAnswersOnlyWhatItsMailAsked(t *testing.T) {
	lived(t, func(w *walk) {
		ana := w.folk[0]
		table := w.opensTable(ana, w.folk[4], "rivals")
		w.house.settles(time.Hour)
		var chosen []string
		for _, link := range linksOf(w.latest(ana, mail.KindTurn)) {
			if strings.Contains(link, "?c=") {
				chosen = append(chosen, link)
			}
		}
		require.NotEmpty(t, chosen)
		for _, link := range chosen {
			require.NotContains(t, ana.phone.opens(link).text, "already answered")
		}
		at := ana.desk.opens(table)
		require.NotContains(t, ana.desk.fills(at, "/move", nil).text, "did not work")
		for _, link := range chosen {
			p := ana.phone.opens(link)
			require.Contains(t, p.text, "already answered what this link was for")
			require.NotContains(t, p.text, "Play it like this?")
			require.NotContains(t, p.text, "did not work")
		}
	})
}

// Whoever has taken seats by mailed links has answered: they are invited as often as anybody who has signed in.
func TestAFriendIsInvitedAsOftenAsTheyCome(t *testing.T) {
	lived(t, func(w *walk) {
		ana, bo := w.folk[0], w.folk[1]
		for range 5 {
			w.opensTable(ana, bo, "carcassonne")
		}
		invited := slices.DeleteFunc(w.house.box(bo.address), func(l *letter) bool {
			return l.row.Kind != mail.KindInvitation
		})
		tables := map[events.Name]bool{} // whoever is the last one missing is mailed again
		for _, l := range invited {
			tables[l.row.Table] = true
		}
		require.Len(t, tables, 5)
	})
}

// Once a stranger gets no more invitations, whoever asks for another reads that none was mailed.
func TestNoMailIsPromisedToWhomNoneGoes(t *testing.T) {
	lived(t, func(w *walk) {
		ana, bo := w.folk[0], w.folk[1]
		w.signsIn(ana)
		at := ana.desk.fills(ana.desk.opens("/new/carcassonne"), "/new/carcassonne",
			map[string]string{"name": ana.name, "pace": "weekly", "seat.0": "me", "seat.1": "friend",
				"address.1": bo.address})
		for range 6 {
			had := len(w.house.box(bo.address))
			at = ana.desk.fills(at, "/again", nil)
			mailed := len(w.house.box(bo.address)) > had
			require.Equal(t, mailed, strings.Contains(at.text, "an email is on its way"), at.text)
			require.Equal(t, !mailed, strings.Contains(at.text, "Nothing was emailed"), at.text)
		}
	})
}
