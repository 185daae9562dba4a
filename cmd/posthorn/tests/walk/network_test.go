package walk

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// from returns a browser of somebody in another network.
func (g *two) from(ip, name string) *browser {
	b := g.browser(g.ana, name)
	b.ip = ip
	return b
}

// used returns what the mails about browsers that may be somebody else's told Bo.
func (g *two) used() (out []string) {
	g.house.settles(2 * time.Minute)
	for _, l := range g.house.box(g.bo.address) {
		if l.row.Kind == mail.KindUsed {
			out = append(out, strings.Join(strings.Fields(l.Text), " "))
		}
	}
	return out
}

// presses plays Bo's turn by the link of its mail.
func (g *two) pressed(b *browser) {
	g.t.Helper()
	g.until(g.bo)
	require.True(g.t, g.moves(b, g.link(g.bo, mail.KindTurn)))
	require.False(g.t, g.waits(g.bo))
}

// Whoever is signed in hears of a browser that acts for them from a network that is new to them: at once, and what
// comes in the week after that in one mail. A press in it withdraws all.
func TestABrowserInANewNetworkIsTold(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.signsIn(g.bo)
		g.pressed(g.browser(g.bo, "a phone of Bo"))
		require.Empty(t, g.used(), "the network in which he signed in")
		g.pressed(g.from("203.0.113.9", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"))
		told := g.used()
		require.Len(t, told, 1)
		require.Contains(t, told[0], "Firefox, Linux acted for you from a network where you have not been for 90 days")
		require.NotContains(t, told[0], "203.0", "no mail and no file has it")

		g.house.settles(24 * time.Hour)
		g.pressed(g.from("203.0.20.1", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"))
		g.pressed(g.from("198.51.100.7", "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0"))
		g.pressed(g.from("100.64.0.1", "Mozilla/5.0 (Macintosh) Safari/605.1"))
		require.Len(t, g.used(), 1, "once a week")
		g.house.settles(6 * 24 * time.Hour)
		told = g.used()
		require.Len(t, told, 2)
		require.Equal(t, 2, strings.Count(told[1], "acted for you from a network"), "%s", told[1])
		require.Contains(t, told[1], "Chrome, Windows")
		require.Contains(t, told[1], "Safari acted")

		l := g.newest(g.bo, mail.KindUsed)
		withdraw := g.bo.desk.opens(linksOf(l)[0]).offer(t, "POST", linksOf(l)[0])
		require.Less(t, g.bo.desk.follows("POST", withdraw.path, withdraw.values()).status, 400)
		g.house.settles(8 * 24 * time.Hour)
		require.Len(t, g.used(), 2)
		g.pressed(g.browser(g.bo, "a phone of Bo"))
		g.pressed(g.from("203.0.113.9", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"))
		require.Len(t, g.used(), 3, "networks are forgotten with the links")
	})
}

// A new network is no news by itself: only while somebody acts from elsewhere, too.
func TestANewNetworkAloneIsNoNews(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.pressed(g.browser(g.bo, "a phone of Bo"))
		g.house.settles(5 * 24 * time.Hour)
		g.until(g.bo)
		l := g.link(g.bo, mail.KindTurn)
		g.house.settles(3 * 24 * time.Hour)
		require.True(t, g.moves(g.from("203.0.113.9", "a phone of Bo, on holiday"), l))
		require.Empty(t, g.used())
		g.pressed(g.from("198.51.100.7", "a tablet of Bo"))
		require.Len(t, g.used(), 1, "while the phone is lent his seat")
	})
}
