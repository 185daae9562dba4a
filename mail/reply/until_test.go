package reply

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUntilWhen(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Warsaw")
	require.NoError(t, err)
	now := time.Date(2026, 11, 22, 23, 30, 0, 0, zone) // a Sunday
	for text, want := range map[string]string{
		"until Sunday": "2026-11-29", "till Fri": "2026-11-27", "até domingo": "2026-11-29",
		"até segunda-feira": "2026-11-23", "até terça": "2026-11-24",
		"do niedzieli": "2026-11-29", "do środy": "2026-11-25", "until tomorrow": "2026-11-23",
		"do jutra": "2026-11-23", "today": "2026-11-22",
		"until 2026-12-24": "2026-12-24", "do 24.12.": "2026-12-24", "até 24/12/2026": "2026-12-24",
		"until 3 January": "2027-01-03", "until January 3": "2027-01-03",
		"until the 3rd": "", "até 3 de janeiro": "2027-01-03", "do 3 stycznia 2027": "2027-01-03",
		"for 3 days": "2026-11-25", "for a week": "2026-11-29",
		"por 2 semanas": "2026-12-06", "na 5 dni": "2026-11-27", "na tydzień": "",
		"until Sunday 29 November": "2026-11-29", "until next Monday": "2026-11-23",
		"until 2026-11-21": "", "until 2028-01-01": "", "until 31.2.": "", "until further notice": "",
		"back on Monday": "2026-11-22", "wracam w piątek": "2026-11-26", "volto no dia 24/12": "2026-12-23",
		"back today": "", "back to work": "", "from my desk": "", "until": "", "for 0 days": "",
		"for 999999999999 days": "",
	} {
		day, ok := Until(text, now)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, day.Format(time.DateOnly), text)
			require.Equal(t, zone, day.Location())
		}
	}
	day, ok := Until("", now)
	require.True(t, ok && day.IsZero(), "they did not say")
}

func FuzzUntil(f *testing.F) {
	f.Add("until Sunday")
	f.Add("até 3 de janeiro")
	f.Fuzz(func(t *testing.T, text string) {
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		if day, ok := Until(text, now); ok && !day.IsZero() {
			require.False(t, day.Before(now.AddDate(0, 0, -1)) || day.After(now.AddDate(0, 0, mostDays+1)))
		}
	})
}
