package calendar_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/events/calendar"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	require.NoError(t, err)
	return l
}

// at returns the moment at which a zone's clocks show a time.
func at(t testing.TB, l *time.Location, text string) time.Time {
	t.Helper()
	m, err := time.ParseInLocation("2006-01-02 15:04", text, l)
	require.NoError(t, err)
	return m
}

func day(t testing.TB, text string) calendar.Day {
	t.Helper()
	d, err := calendar.ParseDay(text)
	require.NoError(t, err)
	return d
}

var weekend = [7]bool{time.Saturday: true, time.Sunday: true}

func TestADeadlineIsCountedByThePersonsCalendar(t *testing.T) {
	for name, c := range map[string]struct {
		zone, from string
		allowed    time.Duration
		night      calendar.Night
		off        [7]bool
		away       []string // days, in pairs
		want       string
	}{
		"a day": {zone: "Europe/Lisbon", from: "2026-11-23 14:00", allowed: 24 * time.Hour,
			want: "2026-11-24 14:00"},
		"rounded up to the hour": {zone: "Europe/Lisbon", from: "2026-11-23 14:01", allowed: 24 * time.Hour,
			want: "2026-11-24 15:00"},
		"a day ends at its hour when clocks go back": {zone: "Europe/Warsaw", from: "2026-10-24 20:00",
			allowed: 24 * time.Hour, want: "2026-10-25 20:00"},
		"a day ends at its hour when clocks go forward": {zone: "Europe/Warsaw", from: "2026-03-28 20:00",
			allowed: 24 * time.Hour, want: "2026-03-29 20:00"},
		"an hour that there is not": {zone: "Europe/Warsaw", from: "2026-03-28 02:30",
			allowed: 24 * time.Hour, want: "2026-03-29 04:00"},
		"an hour that comes twice is the later one": {zone: "Europe/Warsaw", from: "2026-10-24 02:00",
			allowed: 24 * time.Hour, want: "2026-10-25 02:00"},
		"the end of a night": {zone: "Europe/Lisbon", from: "2026-11-23 23:00",
			allowed: 24 * time.Hour, night: calendar.Night{From: 22, To: 8}, want: "2026-11-25 08:00"},
		"before dawn": {zone: "Europe/Lisbon", from: "2026-11-23 03:00",
			allowed: 24 * time.Hour, night: calendar.Night{From: 22, To: 8}, want: "2026-11-24 08:00"},
		"a night of one day": {zone: "Europe/Lisbon", from: "2026-11-23 03:00",
			allowed: 24 * time.Hour, night: calendar.Night{From: 1, To: 9}, want: "2026-11-24 09:00"},
		"as the night begins": {zone: "Europe/Lisbon", from: "2026-11-23 21:30",
			allowed: 24 * time.Hour, night: calendar.Night{From: 22, To: 8}, want: "2026-11-24 22:00"},
		"a weekend": {zone: "America/Sao_Paulo", from: "2026-11-20 18:00",
			allowed: 24 * time.Hour, off: weekend, want: "2026-11-23 18:00"},
		"begun on a weekend": {zone: "America/Sao_Paulo", from: "2026-11-21 18:00",
			allowed: 24 * time.Hour, off: weekend, want: "2026-11-24 00:00"},
		"a holiday": {zone: "Europe/Warsaw", from: "2026-11-23 12:00",
			allowed: 24 * time.Hour, away: []string{"2026-11-24", "2026-11-29"}, want: "2026-11-30 12:00"},
		"a holiday, then a weekend, then a night": {zone: "Europe/Warsaw", from: "2026-11-26 23:30",
			allowed: 24 * time.Hour, night: calendar.Night{From: 23, To: 7}, off: weekend,
			away: []string{"2026-11-27", "2026-11-27"}, want: "2026-12-01 07:00"},
		"a zone of half hours is rounded as the world's": {zone: "Asia/Kolkata", from: "2026-11-23 14:00",
			allowed: 24 * time.Hour, want: "2026-11-24 14:30"},
		"a night that ends at an hour that is not full": {zone: "Asia/Kolkata", from: "2026-11-23 03:00",
			allowed: 24 * time.Hour, night: calendar.Night{From: 22, To: 8}, want: "2026-11-24 08:30"},
		"a day that a zone left out": {zone: "Pacific/Apia", from: "2011-12-29 12:00",
			allowed: 48 * time.Hour, want: "2011-12-31 12:00"},
		"no day counts: far off, and found all the same": {zone: "Europe/Lisbon", from: "2026-11-23 12:00",
			allowed: time.Hour, off: [7]bool{true, true, true, true, true, true, true}, want: "2028-11-24 00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			l := zone(t, c.zone)
			cal := calendar.Calendar{Zone: l, Night: c.night, Off: c.off}
			for i := 0; i < len(c.away); i += 2 {
				cal.Away = append(cal.Away, calendar.Span{From: day(t, c.away[i]), Until: day(t, c.away[i+1])})
			}
			got := cal.Deadline(at(t, l, c.from), c.allowed).In(l)
			require.Equal(t, c.want, got.Format("2006-01-02 15:04"))
		})
	}
}

func TestOfAnHourThatComesTwiceTheLaterOneIsMeant(t *testing.T) {
	cal := calendar.Calendar{Zone: zone(t, "Europe/Warsaw")}
	require.Equal(t, "2026-10-25T01:00:00Z", cal.Deadline(time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC), 24*time.Hour).
		Format(time.RFC3339))
}

func someCalendar(t *rapid.T) calendar.Calendar {
	name := rapid.SampledFrom([]string{"UTC", "Europe/Lisbon", "Europe/Warsaw", "America/Sao_Paulo", "Asia/Kolkata",
		"Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns", "Africa/Casablanca"}).Draw(t, "zone")
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	c := calendar.Calendar{Zone: l, Night: calendar.Night{From: rapid.IntRange(0, 23).Draw(t, "night from")}}
	c.Night.To = (c.Night.From + rapid.IntRange(0, calendar.MostNight).Draw(t, "night hours")) % 24
	for i := range rapid.IntRange(0, 5).Draw(t, "days off") {
		c.Off[(i*3+1)%7] = true
	}
	for range rapid.IntRange(0, 3).Draw(t, "holidays") {
		from := calendar.Day(rapid.IntRange(20400, 21200).Draw(t, "from"))
		c.Away = append(c.Away, calendar.Span{
			From: from, Until: from + calendar.Day(rapid.IntRange(0, 30).Draw(t, "days"))})
	}
	return c
}

func someMoment(t *rapid.T) time.Time {
	return time.Unix(rapid.Int64Range(1764000000, 1830000000).Draw(t, "moment"), 0).UTC()
}

// clock returns the hour and minute that the person's clock shows, in minutes.
func clock(c *calendar.Calendar, m time.Time) int {
	l := m.In(c.Zone)
	return l.Hour()*60 + l.Minute()
}

func TestWhatHoldsForEveryDeadline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, from := someCalendar(t), someMoment(t)
		allowed := time.Duration(rapid.IntRange(0, 8*24*60).Draw(t, "minutes")) * time.Minute
		due := c.Deadline(from, allowed)
		local := due.In(c.Zone)
		day := calendar.DayOf(due, c.Zone)
		midnight := local.Hour() == 0 && local.Minute() == 0

		if !due.Equal(due.Truncate(time.Hour)) || due.Location() != time.UTC {
			t.Fatalf("%v is no full hour of UTC", due)
		}
		if due.Before(from) {
			t.Fatalf("due at %v, before it began at %v", due, from)
		}
		if !midnight && (c.Off[day.Weekday()] || c.IsAway(day)) {
			t.Fatalf("due on a day off: %v", local)
		}
		if n := c.Night; n.Hours() > 0 {
			since := (clock(&c, due) - n.From*60 + 24*60) % (24 * 60)
			if since > 0 && since < n.Hours()*60 {
				t.Fatalf("due at night: %v, night %v", local, n)
			}
		}
		if got := c.Counted(from, due); got < allowed-time.Hour {
			// the hour that a night or a change of clocks swallows does not count
			t.Fatalf("%v of %v counted until %v", got, allowed, local)
		}
		if more := c.Deadline(from, allowed+time.Hour); more.Before(due) {
			t.Fatalf("with an hour more it is due at %v, not at %v", more, due)
		}
		if later := c.Deadline(from.Add(time.Hour), allowed); later.Before(due.Add(-time.Hour)) {
			t.Fatalf("begun an hour later it is due at %v, not at %v", later, due)
		}
		longer := c
		longer.Away = append(longer.Away[:len(longer.Away):len(longer.Away)],
			calendar.Span{From: calendar.DayOf(from, c.Zone) + 1, Until: calendar.DayOf(from, c.Zone) + 3})
		if after := longer.Deadline(from, allowed); after.Before(due) {
			t.Fatalf("with three days of holidays it is due at %v, not at %v", after, due)
		}
	})
}

func TestDaysAreWrittenAndReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := calendar.Day(rapid.IntRange(-400, 40000).Draw(t, "day"))
		back, err := calendar.ParseDay(d.String())
		if err != nil || back != d {
			t.Fatalf("%d is written %s and read back %d, %v", d, d, back, err)
		}
	})
	_, err := calendar.ParseDay("22.11.2026")
	require.Error(t, err)
}
