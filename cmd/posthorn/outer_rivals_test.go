package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// The Rivals for Catan by mail, whole: the introduction between two people, and a duel of one
// against a stand-in (two people would press for minutes).
func TestRivalsByMail(t *testing.T) {
	for _, c := range []struct {
		play   string
		people int
		most   int
	}{{"intro", 2, 600}, {"duel", 1, 600}} {
		t.Run(c.play, func(t *testing.T) {
			data := t.TempDir()
			places := []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}
			table := gather(t, data, events.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": c.play}, Pace: "weekly", Places: places}, friends[:c.people]...)
			m := playing(t, "rivals-"+c.play, data, table, 390, 844)
			began := time.Now()
			m.readACard()
			m.playToTheEnd(c.most)
			t.Logf("%d moves, %d mails played from, %v", m.moves, m.mailed, time.Since(began).Round(time.Second))
			m.over(friends[0])
			m.once("mail-over")
			require.Contains(t, m.text("body"), "The game came to its end")
			m.press(`a[href*="/p/"]`)
			m.once("over")
			require.Contains(t, m.text("main"), "The game is over")
			require.Contains(t, m.text("main .result"), "victory points")
		})
	}
}

// readACard plays until somebody to move holds cards, and opens one of them on the page.
func (m *byMail) readACard() {
	m.t.Helper()
	for {
		o, ended := m.awaited()
		require.False(m.t, ended)
		if !m.asked(o) {
			m.openMail(o)
			m.press(`a[href*="/p/"]`)
		}
		if m.has(".turn-column .cards .face") {
			break
		}
		m.play(o)
	}
	m.do(chromedp.Click(".turn-column .cards .face summary"))
	require.True(m.t, m.has(".turn-column .cards .face[open]"))
	require.NotEmpty(m.t, m.text(".turn-column .cards .face[open] p"), "what the card says")
	m.once("card")
}
