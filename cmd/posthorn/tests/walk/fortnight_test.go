package walk

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// Bo reads on a phone whose mail program opens each letter in a browser of its own, plays at a desk at times, shares a
// tablet with Ana, and answers by mail, also from a second address. Nothing locks him out, and he is hardly asked
// whether that was he.
func TestAFortnightOnPhoneDeskTabletAndByMail(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		desk, tablet := g.browser(g.bo, "Firefox of Bo"), g.browser(g.bo, "a tablet of two")
		days := []func(*letter){
			func(l *letter) { // looked at in one browser, played in another
				require.Contains(t, g.browser(g.bo, "a phone of Bo").opens(linksOf(l)[0]).text, "You play as Bo")
				require.True(t, g.moves(g.browser(g.bo, "a phone of Bo"), linksOf(l)[0]))
			},
			func(l *letter) {
				require.True(t, g.moves(desk, linksOf(l)[0]))
				require.Contains(t, desk.opens(g.home).text, "■ you")
			},
			func(l *letter) { // the tablet has Ana's seat from her own mail
				require.Contains(t, tablet.opens(g.home).text, "You play as Ana")
				require.True(t, g.moves(tablet, linksOf(l)[0]))
				require.Contains(t, tablet.opens(g.home).text, "You play as Bo")
			},
			func(l *letter) { g.writes(g.bo.address, l) },
			func(l *letter) {
				// from work: the first time that plays nothing, until he has said in his known mailbox that it was him
				g.writes("bo@work.example", l)
				if g.waits(g.bo) {
					g.confirms(g.browser(g.bo, "a phone of Bo"))
				}
			},
			func(*letter) {
				// on the page of the desk, which was lent the seat by another letter: by one press he is signed in
				if p := desk.opens(g.home); !slices.ContainsFunc(p.offers, func(o offer) bool {
					return o.path == "/settings"
				}) {
					g.comesIn(desk, p)
				}
				require.True(t, g.moves(desk, g.home))
			},
		}
		for day := range 14 {
			if day%len(days) == 2 { // Ana's turn is played on the tablet
				require.True(t, g.waits(g.ana))
				require.True(t, g.moves(tablet, g.link(g.ana, mail.KindTurn)))
			}
			g.until(g.bo)
			days[day%len(days)](g.newest(g.bo, mail.KindTurn))
			require.False(t, g.waits(g.bo), "day %d", day)
			g.house.settles(24 * time.Hour)
		}
		asked := 0
		for _, l := range g.house.box(g.bo.address) {
			if l.row.Kind == mail.KindUsed || l.row.Kind == mail.KindConfirm {
				asked++
			}
		}
		require.LessOrEqual(t, asked, 2)
	})
}

// confirms has Bo say that an answer is his, as the mail about it leads him to.
func (g *two) confirms(b *browser) {
	p := b.opens(g.link(g.bo, mail.KindConfirm))
	require.True(g.t, g.waits(g.bo), "looking at it does nothing")
	i := slices.IndexFunc(p.offers, func(o offer) bool {
		return o.method == "POST" && strings.HasPrefix(o.path, "/a/")
	})
	require.GreaterOrEqual(g.t, i, 0, p.text)
	require.Contains(g.t, b.follows("POST", p.offers[i].path, p.offers[i].values()).text, "Played: ")
}

// comesIn has whoever's seat a browser was lent sign in, as the page offers it.
func (g *two) comesIn(b *browser, at *page) {
	o := at.offer(g.t, "POST", "/sign-in")
	require.Less(g.t, b.follows("POST", o.path, o.values()).status, 400)
	p := b.opens(g.link(b.who, mail.KindSignIn))
	i := slices.IndexFunc(p.offers, func(o offer) bool {
		return o.method == "POST" && strings.HasPrefix(o.path, "/sign-in/")
	})
	require.GreaterOrEqual(g.t, i, 0, p.text)
	back := b.follows("POST", p.offers[i].path, p.offers[i].values())
	require.Equal(g.t, g.home, back.path, "and comes back to the table")
}

// Two people at one tablet: each has their seat there by their own letter, the page says whose it shows, and leads to
// the other's.
func TestATabletIsLentTwoSeats(t *testing.T) {
	plays(t, "rivals", func(t *testing.T, g *two) {
		tablet := g.browser(g.bo, "a tablet of two")
		first, second := g.ana, g.bo
		if g.waits(g.bo) {
			first, second = g.bo, g.ana
		}
		letter := g.link(first, mail.KindTurn)
		for g.waits(first) {
			require.True(t, g.moves(tablet, letter), "%s", first)
			letter = g.home
		}
		moves := func(p *person) {
			require.True(t, g.moves(tablet, g.link(p, mail.KindTurn)) || g.moves(tablet, g.home), "%s", p)
		}
		for moves(second); !g.waits(second) || g.waits(first); moves(second) { // what the dice bring may ask the other
			for !g.waits(second) || g.waits(first) {
				moves(first)
			}
		}
		p := tablet.opens(g.home)
		require.Contains(t, p.text, "You play as "+second.name)
		i := slices.IndexFunc(p.offers, func(o offer) bool { return o.label == "Continue as "+first.name })
		require.GreaterOrEqual(t, i, 0, p.text)
		p = tablet.follows("POST", p.offers[i].path, p.offers[i].values())
		require.Contains(t, p.text, "You play as "+first.name)
		require.Empty(t, playing(p), "the other is asked")
		i = slices.IndexFunc(p.offers, func(o offer) bool { return o.label == "Continue as "+second.name })
		require.GreaterOrEqual(t, i, 0, p.text)
		p = tablet.follows("POST", p.offers[i].path, p.offers[i].values())
		require.Contains(t, p.text, "You play as "+second.name)
		require.True(t, g.moves(tablet, g.home))
	})
}
