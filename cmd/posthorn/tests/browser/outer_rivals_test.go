package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// The Rivals for Catan by mail: the beginning of the introductory game between two people, and the end of a duel
// between one person and a stand-in. With POSTHORN_LONG=1 both are played whole.
func TestRivalsByMail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		play   string
		people int
		after  int // moves before it begins
		moves  int // moves that suffice; 0 to play to the end
	}{{"intro", 2, 0, 25}, {"duel", 1, 170, 0}} {
		t.Run(c.play, func(t *testing.T) {
			t.Parallel() // it mostly waits, for Chromium and the program in turn
			data := t.TempDir()
			places := []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}
			n := desk.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": c.play}, Pace: "weekly",
				Places: places}
			if c.after > 0 {
				n.Given = late(t, n.Rulebook, n.Choices, len(places), c.after)
			}
			table := gather(t, data, n, friends[:c.people]...)
			m := playing(t, "rivals-"+c.play, data, table, 390, 844)
			began := time.Now()
			m.readACard()
			m.playUntil(600, func() bool { return !whole() && c.moves > 0 && m.moves >= c.moves })
			t.Logf("%d moves, %d mails played from, %v", m.moves, m.mailed, time.Since(began).Round(time.Second))
			if !whole() && c.moves > 0 {
				return
			}
			m.over(friends[0])
			m.once("mail-over")
			require.Contains(t, m.text("body"), "The game is over")
			m.press(`a[href*="/p/"]`)
			m.once("over")
			require.Contains(t, m.text("main"), "The game is over")
			require.Contains(t, m.text("main h1"), "victory points", "the page begins with who has won")
		})
	}
}

// aCard is a card that opens when pressed.
const aCard = `svg a.spot[href^="#card-"]`

// readACard plays until the person to move holds cards, and presses one on the page, which shows it in full without a
// script.
func (m *byMail) readACard() {
	m.t.Helper()
	for {
		o, ended := m.awaited()
		require.False(m.t, ended)
		if !m.asked(o) {
			m.openMail(o)
			m.press(`a[href*="/p/"]`)
		}
		if m.has(aCard) {
			break
		}
		m.play(o)
	}
	m.script(`[...document.querySelectorAll(` + quote(aCard) + `)].find(e => e.getClientRects().length).id = "read"; null`)
	m.do(chromedp.Click("#read"), chromedp.WaitVisible(".full:target .sheet"))
	require.NotEmpty(m.t, m.text(".full:target p"), "what the card says")
	m.once("card")
	m.do(chromedp.Click(`.full:target .bar a[href="#main"]`))
	require.False(m.t, m.has(".full:target"), "it is closed again")
}
