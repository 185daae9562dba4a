// Package calendar works out deadlines from when somebody has time: a stretch of time counted by their zone, on the
// days that count for them, never ending at night. It is pure: it reads no clock and no file, and knows nothing of
// games.
package calendar

import (
	"slices"
	"time"
)

// Day is a day of the calendar, counted from 1970-01-01.
type Day int

// DayOf returns the day of a moment on a zone's clock.
func DayOf(t time.Time, zone *time.Location) Day { return dayOf(wall(t, zone)) }

// ParseDay reads a day as it is written, "2026-11-22".
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	return dayOf(t), err
}

// String writes a day as ParseDay reads it.
func (d Day) String() string { return d.midnight().Format(time.DateOnly) }

// Weekday returns the day of the week.
func (d Day) Weekday() time.Weekday { return d.midnight().Weekday() }

// Begins returns the moment at which a day begins in a zone.
func (d Day) Begins(zone *time.Location) time.Time { return moment(d.midnight(), zone) }

func (d Day) midnight() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func dayOf(wall time.Time) Day {
	s := wall.Unix()
	if s < 0 {
		s -= 86399
	}
	return Day(s / 86400)
}

// Span is a stretch of days, including the last.
type Span struct {
	From, Until Day
}

// Has reports whether a day is one of a span.
func (s Span) Has(d Day) bool { return s.From <= d && d <= s.Until }

// Night is when nothing is due, in hours of the clock: from 22 to 8. If both are the same there is none.
type Night struct {
	From, To int
}

// MostNight is the longest night: some hours of a day must remain for play.
const MostNight = 14

// Hours returns the length of the night.
func (n Night) Hours() int { return (n.To - n.From + 24) % 24 }

// Calendar is when somebody has time to play.
type Calendar struct {
	Zone  *time.Location // UTC if nil
	Night Night
	Off   [7]bool // days of the week that do not count, Sunday first
	Away  []Span  // holidays
}

// most is how many days ahead a deadline is looked for: for a calendar in which no day counts it gives a deadline
// that far off instead of an endless search.
const most = 2 * 366

// counts reports whether a day counts.
func (c *Calendar) counts(d Day) bool {
	return !c.Off[d.Weekday()] && !c.IsAway(d)
}

// IsAway reports whether a day is one of the person's holidays.
func (c *Calendar) IsAway(d Day) bool {
	return slices.ContainsFunc(c.Away, func(s Span) bool { return s.Has(d) })
}

// Deadline returns the moment when a stretch of time has passed since from. It counts by the person's clock, so that
// a day ends at the same hour it began at, whatever summer time does, and leaves out days that do not count. A
// deadline on such a day, or at night, moves to after it; then it is rounded up to a full hour.
func (c *Calendar) Deadline(from time.Time, allowed time.Duration) time.Time {
	at := wall(from, c.Zone)
	for range most {
		next := (dayOf(at) + 1).midnight()
		rest := next.Sub(at)
		switch {
		case !c.counts(dayOf(at)):
			at = next
		case allowed > rest:
			allowed, at = allowed-rest, next
		default:
			return c.settle(at.Add(allowed))
		}
	}
	return c.settle(at)
}

// Awake returns a moment, or the end of the night it falls in.
func (c *Calendar) Awake(t time.Time) time.Time {
	at := wall(t, c.Zone)
	if end, night := c.Night.around(at, dayOf(at).midnight()); night {
		return moment(end, c.Zone)
	}
	return t
}

// AwakeBefore returns a moment, or the last full hour before it that is neither at night nor on a day that does not
// count.
func (c *Calendar) AwakeBefore(t time.Time) time.Time {
	for at, hours := t, 0; hours < most*24; at, hours = at.Truncate(time.Hour).Add(-time.Hour), hours+1 {
		if c.counts(DayOf(at, c.Zone)) && c.Awake(at).Equal(at) {
			return at
		}
	}
	return t
}

// Counted returns how much of the time between two moments counts.
func (c *Calendar) Counted(from, to time.Time) (sum time.Duration) {
	at, end := wall(from, c.Zone), wall(to, c.Zone)
	for at.Before(end) {
		next := (dayOf(at) + 1).midnight()
		if next.After(end) {
			next = end
		}
		if c.counts(dayOf(at)) {
			sum += next.Sub(at)
		}
		at = next
	}
	return sum
}

// settle moves a time of the person's clock past days off and nights, and turns it into a moment. A day off and a
// night may begin with it.
func (c *Calendar) settle(at time.Time) time.Time {
	for range most {
		day := dayOf(at)
		midnight := day.midnight()
		if at.After(midnight) && !c.counts(day) {
			at = (day + 1).midnight()
			continue
		}
		if end, night := c.Night.around(at, midnight); night {
			at = end
			continue
		}
		t := fullHour(moment(at, c.Zone))
		if again := wall(t, c.Zone); !again.Equal(at) {
			at = again
			continue
		}
		return t
	}
	return fullHour(moment(at, c.Zone))
}

// around reports whether a time of a clock falls in a night, and when that night ends.
func (n Night) around(at, midnight time.Time) (end time.Time, night bool) {
	if n.Hours() == 0 {
		return at, false
	}
	from, to := midnight.Add(time.Duration(n.From)*time.Hour), midnight.Add(time.Duration(n.To)*time.Hour)
	if n.From < n.To {
		return to, at.After(from) && at.Before(to)
	}
	if at.Before(to) {
		return to, true
	}
	return to.Add(24 * time.Hour), at.After(from)
}

// fullHour rounds up.
func fullHour(t time.Time) time.Time {
	if full := t.Truncate(time.Hour); full.Before(t) {
		return full.Add(time.Hour)
	}
	return t
}

// wall returns what the clocks of a zone show, written as if it were UTC.
func wall(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		return t.UTC()
	}
	_, offset := t.In(zone).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// moment returns when the clocks of a zone show a time: the later moment if they show it twice; if they skip it, the
// moment at which they would have shown it had they not gone forward.
func moment(at time.Time, zone *time.Location) time.Time {
	if zone == nil {
		return at
	}
	before, after := offset(at.Add(-36*time.Hour), zone), offset(at.Add(36*time.Hour), zone)
	first, last := at.Add(-max(before, after)), at.Add(-min(before, after))
	if wall(last, zone).Equal(at) || !wall(first, zone).Equal(at) {
		return last
	}
	return first
}

func offset(t time.Time, zone *time.Location) time.Duration {
	_, seconds := t.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}
