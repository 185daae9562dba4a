package people

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/calendar"
)

func TestHowOftenSomebodyIsMailedFollowsTheirClock(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	require.NoError(t, err)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 7, day, hour, minute, 0, 0, lisbon) }
	night := calendar.Calendar{Zone: lisbon, Night: calendar.Night{From: 22, To: 8}}
	for name, c := range map[string]struct {
		rhythm    Rhythm
		now, last time.Time
		calendar  calendar.Calendar
		want      time.Time
	}{
		"at once": {Rhythm{}, at(1, 10, 5), at(1, 10, 4), calendar.Calendar{Zone: lisbon},
			at(1, 10, 5)},
		"at once, but not at night": {Rhythm{}, at(1, 23, 5), at(1, 10, 0), night, at(2, 8, 0)},
		"in the small hours":        {Rhythm{}, at(2, 3, 5), at(1, 10, 0), night, at(2, 8, 0)},
		"every six hours": {Rhythm{Every: 6}, at(1, 10, 5), at(1, 9, 0), calendar.Calendar{Zone: lisbon},
			at(1, 15, 0)},
		"the first of them": {Rhythm{Every: 6}, at(1, 10, 5), time.Time{}, calendar.Calendar{Zone: lisbon},
			at(1, 10, 5)},
		"six hours end at night": {Rhythm{Every: 6}, at(1, 19, 0), at(1, 18, 0), night, at(2, 8, 0)},
		"once a day, before its hour": {Rhythm{Daily: true, At: 18}, at(1, 10, 0), at(1, 9, 0),
			calendar.Calendar{Zone: lisbon}, at(1, 18, 0)},
		"once a day, it was sent today": {Rhythm{Daily: true, At: 18}, at(1, 19, 0), at(1, 18, 0),
			calendar.Calendar{Zone: lisbon}, at(2, 18, 0)},
		"once a day, none was sent yet": {Rhythm{Daily: true, At: 18}, at(1, 19, 0), at(1, 9, 0),
			calendar.Calendar{Zone: lisbon}, at(1, 19, 0)},
		"once a day, never sent, before": {Rhythm{Daily: true, At: 9}, at(1, 7, 0), time.Time{},
			calendar.Calendar{Zone: lisbon}, at(1, 9, 0)},
	} {
		require.True(t, c.want.Equal(c.rhythm.Next(c.now, c.last, c.calendar)), "%s: %s", name,
			c.rhythm.Next(c.now, c.last, c.calendar))
	}
}

func TestARhythmIsReadAsItIsKept(t *testing.T) {
	for _, r := range Rhythms() {
		got, err := ParseRhythm(r.String())
		require.NoError(t, err)
		require.Equal(t, r, got)
	}
	_, err := ParseRhythm("every 0")
	require.Error(t, err)
}
