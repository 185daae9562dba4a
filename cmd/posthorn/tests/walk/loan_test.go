package walk

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// founding has Ana and Bo found their first places in Catan, at a table where even a step that asked the other may be
// taken back for a while. Whoever founds second founds twice.
func founding(t *testing.T, then func(*testing.T, *two)) {
	t.Helper()
	playsWith(t, "catan", map[string]string{"grace": "10"}, then)
}

// lent has Bo's turn begin, and returns a browser that was lent his seat by the link of its mail, and has made one
// step.
func (g *two) lent() *browser {
	g.t.Helper()
	g.until(g.bo)
	g.house.settles(11 * time.Minute) // until Ana's step can no longer be taken back, he is not asked
	b := g.browser(g.bo, "a phone of Bo")
	require.True(g.t, g.moves(b, g.link(g.bo, mail.KindTurn)))
	require.True(g.t, g.plays(b))
	return b
}

// plays reports whether a browser shows Bo's seat as his.
func (g *two) plays(b *browser) bool {
	g.t.Helper()
	return strings.Contains(b.opens(g.home).text, "You play as Bo")
}

// takesBack has somebody take their last step back, as the table's page offers it.
func (g *two) takesBack(b *browser) {
	g.t.Helper()
	o := b.opens(g.home).offer(g.t, "POST", "/undo")
	require.Less(g.t, b.follows("POST", o.path, o.values()).status, 400)
}

// program has Bo's own program play the first move that there is, or take its step back.
func (g *two) program(what string) {
	g.t.Helper()
	at := "/tables/" + strings.TrimPrefix(g.home, "/t/")
	_, now := g.calls(g.bo, "GET", at, nil)
	body := object{"to": now["undo"]}
	if what == "moves" {
		_, moves := g.calls(g.bo, "GET", at+"/moves", nil)
		body = object{"line": moves.text("line"), "decision": moves["decision"],
			"move": moves.list("moves")[0].text("notation")}
	}
	status, said := g.calls(g.bo, "POST", at+"/"+what, body)
	require.Less(g.t, status, 400, said)
	g.house.settles(time.Second)
}

// What a letter lent stays over, also once the line of play on which it ended is left.
func TestALoanStaysOverWhenItsLineIsLeft(t *testing.T) {
	t.Run("the other takes back within the grace", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) {
			phone := g.lent()
			for g.waits(g.bo) {
				require.True(t, g.moves(phone, g.home))
			}
			for !g.waits(g.bo) {
				require.True(t, g.moves(g.ana.desk, g.home))
			}
			require.False(t, g.plays(phone), "he was asked anew")
			g.takesBack(g.ana.desk)
			require.False(t, g.waits(g.bo))
			require.False(t, g.plays(phone))
		})
	})
	t.Run("both agree to go back", func(t *testing.T) {
		plays(t, "carcassonne", func(t *testing.T, g *two) {
			g.until(g.bo)
			phone := g.browser(g.bo, "a phone of Bo")
			require.True(t, g.moves(phone, g.link(g.bo, mail.KindTurn)))
			g.until(g.bo)
			require.False(t, g.plays(phone), "he was asked anew")
			p := g.ana.desk.opens(g.home + "/rewind")
			o := p.offer(t, "POST", "/rewind")
			form := o.values()
			require.Less(t, g.ana.desk.follows("POST", o.path, form).status, 400)
			agree := g.browser(g.bo, "a phone of Bo").opens(g.link(g.bo, mail.KindConsent)).offer(t, "POST", "/agree")
			require.Less(t, g.browser(g.bo, "a phone of Bo").follows("POST", agree.path, agree.values()).status, 400)
			g.house.settles(time.Minute)
			require.False(t, g.waits(g.bo), "it is Ana's turn again")
			require.False(t, g.plays(phone))
		})
	})
	t.Run("their program took a step back", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) {
			g.signsIn(g.bo)
			g.takesToken(g.bo)
			g.calls(g.bo, "POST", "/settings", object{"mails": object{"turn": true}}) // he plays by links, too
			phone := g.lent()
			g.program("undo")
			require.False(t, g.plays(phone), "his program was there")
			g.program("moves")
			g.takesBack(g.bo.desk)
			require.False(t, g.plays(phone))
		})
	})
}

// Whoever has the letter, too, neither goes on beside its person nor takes back what they did.
func TestALoanEndsWhenItsPersonActsElsewhere(t *testing.T) {
	over := func(g *two, acts func()) {
		g.signsIn(g.bo)
		thief := g.lent()
		back, offered := thief.opens(g.home).offered("POST", "/undo")
		acts()
		before := g.end()
		p := thief.opens(g.home)
		require.NotContains(g.t, p.text, "You play as Bo")
		require.Contains(g.t, p.text, "The link of the next email lends it again")
		if _, still := p.offered("POST", "/undo"); offered {
			require.False(g.t, still)
			require.Equal(g.t, http.StatusUnauthorized, thief.ask("POST", back.path, back.values()).Code)
		}
		require.Equal(g.t, before, g.end())
	}
	t.Run("a step", func(t *testing.T) {
		plays(t, "rivals", func(t *testing.T, g *two) {
			over(g, func() { require.True(t, g.moves(g.bo.desk, g.home)) })
			for g.waits(g.bo) {
				require.True(t, g.moves(g.bo.desk, g.home))
			}
			g.until(g.bo)
			phone := g.browser(g.bo, "a phone of Bo")
			require.True(t, g.moves(phone, g.link(g.bo, mail.KindTurn)), "he is locked out nowhere")
			require.True(t, g.plays(phone))
		})
	})
	t.Run("a step back", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) { over(g, func() { g.takesBack(g.bo.desk) }) })
	})
	t.Run("a proposal", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) { over(g, func() { g.proposes(g.bo.desk, "/end") }) })
	})
	t.Run("a reply", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) {
			over(g, func() {
				g.proposes(g.ana.desk, "/end")
				l, before := g.newest(g.bo, mail.KindConsent), g.end()
				g.replies(g.bo.address, l, "no")
				require.Equal(t, []string{"table.dismissed.v1"}, g.since(before))
			})
		})
	})
	t.Run("not a word", func(t *testing.T) {
		founding(t, func(t *testing.T, g *two) {
			g.signsIn(g.bo)
			phone := g.lent()
			g.says(g.bo.desk)
			require.True(t, g.plays(phone), "to talk is not to play")
		})
	})
}

// proposes sends the form of one of a table's pages.
func (g *two) proposes(b *browser, end string) {
	g.t.Helper()
	o := b.opens(g.home+end).offer(g.t, "POST", end)
	require.Less(g.t, b.follows("POST", o.path, o.values()).status, 400)
}

// says has somebody say something at the table.
func (g *two) says(b *browser) {
	g.t.Helper()
	o := b.opens(g.home).offer(g.t, "POST", "/say")
	form := o.values()
	form.Set("text", "Good evening")
	require.Less(g.t, b.follows("POST", o.path, form).status, 400)
}

// A letter lends one browser the seat: the one in which its link was pressed last. What was played in another, it does
// not take back.
func TestALetterLendsTheBrowserItWasPressedInLast(t *testing.T) {
	founding(t, func(t *testing.T, g *two) {
		old := g.link(g.bo, mail.KindInvitation)
		phone := g.lent()
		stale := g.browser(g.bo, "a phone of Bo").opens(old)
		ask := stale.offer(t, "POST", "/fresh")
		require.Less(t, phone.follows("POST", ask.path, ask.values()).status, 400)
		fresh := g.link(g.bo, mail.KindLink)

		sits := func(b *browser) *page {
			o := b.opens(fresh).offer(t, "POST", "/sit")
			return b.follows("POST", o.path, o.values())
		}
		sits(phone)
		g.takesBack(phone)
		require.True(t, g.moves(phone, g.home))
		back := phone.opens(g.home).offer(t, "POST", "/undo") // what was played here
		thief := g.browser(g.ana, "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
		p := sits(thief)
		require.Contains(t, p.text, "You play as Bo")
		_, offered := p.offered("POST", "/undo")
		require.False(t, offered, "it was played in another browser")
		before := g.end()
		require.Contains(t, thief.follows("POST", back.path, back.values()).text, "in another browser")
		require.Equal(t, before, g.end())

		require.False(t, g.plays(phone))
		require.Contains(t, phone.opens(g.home).text, "pressed in another browser")
		require.Contains(t, sits(phone).text, "You play as Bo", "its owner presses it again")
		require.False(t, g.plays(thief))
		require.True(t, slices.ContainsFunc(g.house.box(g.bo.address), func(l *letter) bool {
			return l.row.Kind == mail.KindUsed
		}))
	})
}

// A seat that somebody else has taken over is no longer lent: what its former player was lent neither plays nor talks.
func TestALoanEndsWithItsSeat(t *testing.T) {
	plays(t, "rivals", func(t *testing.T, g *two) {
		g.signsIn(g.bo)
		cida := g.folk[2]
		for g.waits(g.bo) {
			require.True(t, g.moves(g.bo.desk, g.home))
		}
		o := g.bo.desk.opens(g.home).offer(t, "POST", "/offer")
		form := o.values()
		form.Set("address", cida.address)
		require.Less(t, g.bo.desk.follows("POST", o.path, form).status, 400)
		phone := g.lent()
		say := phone.opens(g.home).offer(t, "POST", "/say")
		g.signsIn(cida)
		take := cida.desk.opens(g.home).offer(t, "POST", "/takeover")
		require.Less(t, cida.desk.follows("POST", take.path, take.values()).status, 400)

		require.False(t, g.plays(phone))
		before := g.end()
		form = say.values()
		form.Set("text", "It is still me")
		require.Equal(t, http.StatusUnauthorized, phone.ask("POST", say.path, form).Code)
		require.Equal(t, before, g.end())
	})
}
