package pages

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

func TestAnEntryOfTheCalendarStandsAtItsDeadline(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ask := desk.Ask{Kind: desk.AskTurn, Person: "ab", Stream: events.Name{1},
		Open: domain.Open{Decision: domain.Decision{Seat: 1, Serial: 3}, Since: 7}}
	write := func(a desk.Ask, summary string) string {
		c := calendarText{now: now, host: "games.example.org"}
		c.entry(a, 9, summary, "https://games.example.org/t/1")
		for line := range strings.SplitSeq(c.b.String(), "\r\n") {
			require.LessOrEqual(t, len(line), 75)
			require.NotContains(t, line, "\n")
			require.True(t, strings.ToValidUTF8(line, "") == line, "folded between characters")
		}
		return strings.ReplaceAll(c.b.String(), "\r\n ", "")
	}
	text := write(ask, "Tiny")
	require.Contains(t, text, "DTSTART;VALUE=DATE:20261121\r\n", "without a deadline it stands on the day")
	require.Contains(t, text, "UID:turn-01000000000000000000000000000000-7-1-3-ab@games.example.org\r\n")
	require.Contains(t, text, "SEQUENCE:9\r\n")
	ask.Due = time.Date(2026, 11, 23, 19, 0, 0, 0, time.FixedZone("", 3600))
	text = write(ask, "Zażółć gęślą jaźń; "+strings.Repeat("ąęć", 60)+"\r\nEND:VEVENT, \\")
	require.Contains(t, text, "DTSTART:20261123T180000Z\r\n")
	require.Contains(t, text, `SUMMARY:Zażółć gęślą jaźń\; `+strings.Repeat("ąęć", 60)+`\nEND:VEVENT\, \\`+"\r\n")
	require.Equal(t, 1, strings.Count(text, "\r\nEND:VEVENT\r\n"))
}
