package people

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
)

// Settings are changes to a person's settings; nil leaves one as it is.
type Settings struct {
	Language *string
	Zone     *string // an IANA name
	Night    *calendar.Night
	Off      *[7]bool // days of the week, Sunday first
	Rhythm   *Rhythm
	Mails    func(off []string) []string // returns the kinds of mail to be off, given those that are
}

// FirstNight are the nights with which a calendar begins once a zone is known.
var FirstNight = calendar.Night{From: 22, To: 8}

// TellZone notes the time zone that a person's browser tells, by its IANA name, and lets their nights begin. It does
// nothing if their zone is known already, or if this is none: many browsers that hide where they are say UTC.
func (s *Store) TellZone(ctx context.Context, id domain.PersonID, zone string) error {
	if zone == "UTC" || zone == "Etc/UTC" || !zoneKnown(zone) {
		return nil
	}
	if p, err := s.Person(ctx, id); err != nil || p.ZoneKnown {
		return err
	}
	return s.change(ctx, "note a person's time zone", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE people SET zone = ?, night_from = ?, night_to = ?, zone_known = 1
			WHERE id = ? AND NOT (`+zoneIsKnown+`)`, zone, FirstNight.From, FirstNight.To, key(id))
		return err
	})
}

// mostDated is the most by which a zone is ahead of UTC; those behind it are so by less.
const mostDated = 14 * time.Hour

// Wrote notes that a mail of a person's came in, and how far from UTC the time is that it is dated with. While nothing
// is known of their zone, their nights begin, and go by that. UTC itself says nothing: many servers write it whoever
// sends.
func (s *Store) Wrote(ctx context.Context, id domain.PersonID, at time.Time) error {
	if err := s.Alive(ctx, id); err != nil {
		return err
	}
	_, seconds := at.Zone()
	ahead := time.Duration(seconds) * time.Second
	if ahead == 0 || ahead.Abs() > mostDated {
		return nil
	}
	if p, err := s.Person(ctx, id); err != nil || p.ZoneKnown {
		return err
	}
	return s.exec(ctx, "note how mails are dated", `UPDATE people SET dated = ?1 WHERE id = ?2 AND dated <> ?1`,
		int(ahead/time.Minute), key(id))
}

// datedZone is the zone of whoever dates their mails so.
func datedZone(minutes int) *time.Location {
	name := fmt.Sprintf("UTC%+03d:%02d", minutes/60, max(minutes%60, -minutes%60))
	return time.FixedZone(name, minutes*60)
}

// SetSettings changes settings of a person: all of them or, if one is refused, none. It refuses with night-long,
// days-off, zone-unknown, rhythm-unknown or language-unknown.
func (s *Store) SetSettings(ctx context.Context, id domain.PersonID, to Settings) error {
	var set []string
	var args []any
	put := func(column string, value any) { set, args = append(set, column+" = ?"), append(args, value) }
	if to.Night != nil {
		if err := checkNight(*to.Night); err != nil {
			return err
		}
		put("night_from", to.Night.From)
		put("night_to", to.Night.To)
	}
	if to.Off != nil {
		days, err := daysOff(*to.Off)
		if err != nil {
			return err
		}
		put("days_off", days)
	}
	if to.Zone != nil {
		if !zoneKnown(*to.Zone) {
			return domain.Refuse("zone-unknown")
		}
		put("zone", *to.Zone)
	}
	if to.Night != nil || to.Off != nil || to.Zone != nil {
		put("zone_known", true)
	}
	if to.Rhythm != nil {
		if _, err := ParseRhythm(to.Rhythm.String()); err != nil {
			return err
		}
		put("rhythm", to.Rhythm.String())
	}
	if to.Language != nil {
		if !slices.Contains(offered, *to.Language) {
			return domain.Refuse("language-unknown")
		}
		put("language", *to.Language)
	}
	return s.change(ctx, "change a person's settings", func(tx *sql.Tx) error {
		text, err := value[string](tx.QueryRowContext(ctx, `SELECT mails_off FROM people WHERE id = ?`, key(id)),
			"which are off")
		if err != nil {
			return err
		}
		if to.Mails != nil {
			off, _ := switches(text) // that is now as they set it, whoever had stopped it
			off = slices.Compact(slices.Sorted(slices.Values(to.Mails(off))))
			put("mails_off", strings.Join(off, " "))
		}
		if len(set) == 0 {
			return nil
		}
		_, err = tx.ExecContext(ctx, `UPDATE people SET `+strings.Join(set, ", ")+` WHERE id = ?`,
			append(args, key(id))...) // #nosec: the columns are those above
		return err
	})
}
