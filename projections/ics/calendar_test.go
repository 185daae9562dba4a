package ics_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/ics"
)

func TestAnEntryOfTheCalendarStandsAtItsDeadline(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ask := desk.Ask{Kind: desk.AskTurn, Person: "ab", Table: events.Name{1}, Stream: events.Name{2},
		Open: domain.Open{Decision: domain.Decision{Seat: 1, Serial: 3}, Since: 7}}
	write := func(f func(*ics.Calendar)) string {
		c := ics.New("games.example.org", "Posthorn", now)
		f(c)
		text := string(c.Bytes())
		for line := range strings.SplitSeq(text, "\r\n") {
			require.LessOrEqual(t, len(line), 75)
			require.NotContains(t, line, "\n")
			require.True(t, strings.ToValidUTF8(line, "") == line, "folded between characters")
		}
		return strings.ReplaceAll(text, "\r\n ", "")
	}
	const (
		link = "https://games.example.org/t/1"
		uid  = "UID:turn-01000000000000000000000000000000-1-ab@games.example.org\r\n"
	)
	text := write(func(c *ics.Calendar) { c.Entry(ask, time.Time{}, "Tiny", link) })
	require.Contains(t, text, "DTSTART;VALUE=DATE:20261121\r\n", "without a deadline it stands on the day")
	require.Contains(t, text, uid)
	first := sequence(t, text)
	due := time.Date(2026, 11, 23, 19, 0, 0, 0, time.FixedZone("", 3600))
	long := "Zażółć gęślą jaźń; " + strings.Repeat("ąęć", 60) + "\r\nEND:VEVENT, \\"
	now = now.Add(time.Hour)
	ask.Open.Since, ask.Open.Serial = 9, 4
	text = write(func(c *ics.Calendar) {
		c.Entry(ask, due, long, link)
		c.Entry(ask, due.Add(time.Hour), "a second decision of the seat", link)
	})
	require.Contains(t, text, "DTSTART:20261123T180000Z\r\n")
	require.Contains(t, text, `SUMMARY:Zażółć gęślą jaźń\; `+strings.Repeat("ąęć", 60)+`\nEND:VEVENT\, \\`+"\r\n")
	require.Equal(t, 1, strings.Count(text, "\r\nEND:VEVENT\r\n"))
	require.Contains(t, text, uid, "the next question replaces the one before")
	require.Greater(t, sequence(t, text), first)
	text = write(func(c *ics.Calendar) { c.Cancel(ask, "Tiny", link) })
	require.Contains(t, text, uid)
	require.Contains(t, text, "STATUS:CANCELLED\r\n")
	require.Contains(t, text, "METHOD:PUBLISH\r\n")
}

// sequence returns which version of its entry a calendar has: with the same number of digits, text compares as well.
func sequence(t *testing.T, text string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, "\r\nSEQUENCE:")
	require.True(t, ok)
	number, _, _ := strings.Cut(after, "\r\n")
	return number
}
