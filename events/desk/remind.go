package desk

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// LeastSpan is the shortest time between a reminder and what comes before or after it, so that two never come together:
// what it reminds of, a change of its deadline, another reminder. It comes at least leastLeft before its deadline.
const (
	LeastSpan = 2 * time.Hour
	leastLeft = time.Hour
)

// Reminders returns when a person is to be reminded of what a table asks them: when half of its time has passed, and
// when a tenth is left; zero for not. It counts time as the person's own clock does, and puts no reminder at night or
// while they are away. It depends on the log and on calendars, not on what time it is. opened is when the ask came up.
func (d *Desk) Reminders(ctx context.Context, look Look, a Ask, opened time.Time) (half, tenth time.Time, err error) {
	if a.Due.IsZero() {
		return half, tenth, nil
	}
	of := domain.Deadline{Line: a.Stream.String(), Seat: a.Open.Seat, Since: a.Open.Since}
	if a.Kind == AskConsent {
		of.Line, of.Seat = "", domain.Nobody
	}
	last := opened // since when it has this deadline
	if version := look.Table.MovedAt(of); version > 0 {
		rec, err := events.LoadOne(ctx, d.log, look.Name, version)
		if err != nil {
			return half, tenth, err
		}
		last = rec.At
	}
	all, err := d.calendarsOf(ctx, []domain.PersonID{a.Person})
	if err != nil {
		return half, tenth, err
	}
	c := untilBack(all[0], look.Table, a.Person, last)
	counts := c.Counted(opened, a.Due)
	at := func(after time.Duration) time.Time {
		at := c.Deadline(opened, after)
		if a.Due.Sub(at) < leastLeft { // the deadline follows a night or a day off
			at = c.AwakeBefore(a.Due.Add(-leastLeft))
		}
		if !at.After(last) || a.Due.Sub(at) < leastLeft {
			return time.Time{}
		}
		return at
	}
	if half = at(counts / 2); half.Sub(last) < LeastSpan {
		half = time.Time{}
	}
	if tenth = at(counts - counts/10); !half.IsZero() && tenth.Sub(half) < LeastSpan {
		tenth = time.Time{}
	}
	return half, tenth, nil
}
