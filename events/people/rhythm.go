package people

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
)

// Rhythm is how often somebody is mailed about their tables; the zero value means at once. What is due together goes
// into one mail.
type Rhythm struct {
	Every int  // least hours between two mails; 0 for no least
	Daily bool // one mail a day
	At    int  // for a daily one: not before this hour of their clock
}

// Rhythms lists those that a page offers.
func Rhythms() []Rhythm {
	out := []Rhythm{{}}
	for _, h := range []int{1, 3, 6, 12} {
		out = append(out, Rhythm{Every: h})
	}
	for _, h := range []int{7, 9, 12, 18, 20} {
		out = append(out, Rhythm{Daily: true, At: h})
	}
	return out
}

// String returns the stored form of a rhythm: "", "every 6", "daily 18".
func (r Rhythm) String() string {
	switch {
	case r.Daily:
		return "daily " + strconv.Itoa(r.At)
	case r.Every > 0:
		return "every " + strconv.Itoa(r.Every)
	default:
		return ""
	}
}

// ParseRhythm reads one of Rhythms. It refuses with rhythm-unknown.
func ParseRhythm(text string) (Rhythm, error) {
	all := Rhythms()
	if i := slices.IndexFunc(all, func(r Rhythm) bool { return r.String() == strings.TrimSpace(text) }); i >= 0 {
		return all[i], nil
	}
	return Rhythm{}, domain.Refuse("rhythm-unknown")
}

// Next returns when somebody last mailed at a moment (zero: never) may be mailed again, by their clock, and not in
// their night.
func (r Rhythm) Next(now, last time.Time, c calendar.Calendar) time.Time {
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	at := now
	if r.Every > 0 && !last.IsZero() {
		at = later(at, last.Add(time.Duration(r.Every)*time.Hour))
	}
	if r.Daily {
		local := now.In(zone)
		hour := time.Date(local.Year(), local.Month(), local.Day(), r.At, 0, 0, 0, zone)
		if !last.Before(hour) {
			hour = time.Date(local.Year(), local.Month(), local.Day()+1, r.At, 0, 0, 0, zone)
		}
		at = later(at, hour)
	}
	for range 24 {
		local := at.In(zone)
		if c.Night.Hours() == 0 || (local.Hour()-c.Night.From+24)%24 >= c.Night.Hours() {
			break
		}
		at = local.Truncate(time.Minute).Add(time.Duration(60-local.Minute()) * time.Minute)
	}
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Rhythm returns how often a person wants to be mailed. It returns ErrNobody if the person is not here.
func (s *Store) Rhythm(ctx context.Context, id domain.PersonID) (Rhythm, error) {
	text, err := value[string](s.read.QueryRowContext(ctx, `SELECT rhythm FROM people WHERE id = ?`, key(id)),
		"read how often somebody is mailed")
	if err != nil {
		return Rhythm{}, err
	}
	r, err := ParseRhythm(text)
	if err != nil {
		return Rhythm{}, fmt.Errorf("how often %s is mailed: %w", id, err)
	}
	return r, nil
}

// SetRhythm sets how often a person is mailed.
func (s *Store) SetRhythm(ctx context.Context, id domain.PersonID, r Rhythm) error {
	if _, err := ParseRhythm(r.String()); err != nil {
		return err
	}
	return s.set(ctx, "set how often somebody is mailed", `UPDATE people SET rhythm = ? WHERE id = ?`, r.String(),
		key(id))
}
