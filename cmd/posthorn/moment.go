package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events/sqlite"
)

// untilSettings say where a restored log ends.
type untilSettings struct {
	Until string `placeholder:"WHEN" help:"Put the log back as it was then and leave out what came later: a time (2026-11-22 14:00 is UTC; 2026-11-22T15:00:00+01:00 has its own zone) or a position of the log. By default all of it."`
}

// moments are the accepted forms of a time; those without a zone are in UTC.
var moments = []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05",
	"2006-01-02T15:04"}

// position finds the position at which a restored log ends, and the time of its last event.
func (u untilSettings) position(ctx context.Context, log *sqlite.Log) (at uint64, when time.Time, err error) {
	last, err := log.Last(ctx)
	if err != nil {
		return 0, when, err
	}
	at = last
	switch moment, isTime := u.moment(); {
	case isTime:
		at, err = log.LastBefore(ctx, moment)
	case u.Until != "":
		if at, err = strconv.ParseUint(u.Until, 10, 64); err != nil {
			return 0, when, console.Fails(2, "--until %q is neither a time nor a position: write 2026-11-22 14:00 (in "+
				"UTC), 2026-11-22T15:00:00+01:00, or a number", u.Until)
		}
	}
	if err != nil {
		return 0, when, err
	}
	at = min(at, last)
	if at == 0 {
		return 0, when, console.Fails(2, "--until %s lies before the first event of the log", u.Until)
	}
	recs, err := log.Read(ctx, at-1, 1)
	if err == nil && len(recs) == 0 {
		err = fmt.Errorf("the log lacks position %d", at)
	}
	if err != nil {
		return 0, when, err
	}
	return at, recs[0].At, nil
}

func (u untilSettings) moment() (time.Time, bool) {
	for _, form := range moments {
		if t, err := time.Parse(form, u.Until); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// copyLog copies a log that nobody has open into a new file, up to the moment. It prints what was left out, and returns
// the last position.
func (u untilSettings) copyLog(ctx context.Context, con console.Console, from, to string) (at uint64, err error) {
	log, err := sqlite.OpenReadOnly(ctx, from)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	at, when, err := u.position(ctx, log)
	if err != nil {
		return 0, err
	}
	last, err := log.Last(ctx)
	if err != nil {
		return 0, err
	}
	if err := sqlite.CopyUpTo(ctx, log, to, at); err != nil {
		return 0, errors.Join(err, throwAway(to))
	}
	if err := os.Remove(to + "-lock"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	_, err = fmt.Fprintf(con.Out, "The log ends at position %d, of %s. Later events that are left out: %d.\n", at,
		when.UTC().Format(time.RFC3339), last-at)
	return at, err
}
