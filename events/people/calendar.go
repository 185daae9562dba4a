package people

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/database"
)

// How long people may be away: holidays are for rest, not for keeping others waiting.
const (
	MostAway     = 30 // days at once
	MostAwayYear = 60 // days in any 365
	mostAhead    = 365
)

// MostOff is how many days of the week may be off: at least one must remain for play.
const MostOff = 6

// Calendar returns when a person has time to play, without holidays long over; the zero value for somebody who is not
// here. Of whom no more is known than how their mails are dated, it is in that zone, with the first nights.
func (s *Store) Calendar(ctx context.Context, id domain.PersonID) (c calendar.Calendar, err error) {
	all, err := s.Calendars(ctx, []domain.PersonID{id})
	return all[id], err
}

// Calendars returns the calendars of several people.
func (s *Store) Calendars(ctx context.Context, ids []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error) {
	out := make(map[domain.PersonID]calendar.Calendar, len(ids))
	for _, id := range ids {
		var c calendar.Calendar
		var zone, off string
		var known bool
		var dated int
		err := s.read.QueryRowContext(ctx, `SELECT zone, night_from, night_to, days_off, dated, `+zoneIsKnown+
			` FROM people WHERE id = ?`, key(id)).Scan(&zone, &c.Night.From, &c.Night.To, &off, &dated, &known)
		if err := there(err, ErrNobody, "read a calendar"); err != nil {
			if errors.Is(err, ErrNobody) {
				continue
			}
			return nil, err
		}
		if c.Zone = (Person{Zone: zone}).Location(); !known && dated != 0 {
			c.Zone, c.Night = datedZone(dated), FirstNight
		}
		for _, d := range off {
			if n := int(d - '0'); n >= 0 && n < len(c.Off) {
				c.Off[n] = true
			}
		}
		if c.Away, err = s.away(ctx, s.read, id); err != nil {
			return nil, err
		}
		out[id] = c
	}
	return out, nil
}

// away returns a person's holidays, earliest first.
func (s *Store) away(ctx context.Context, from database.Reader, id domain.PersonID) ([]calendar.Span, error) {
	return database.All(ctx, from, func(row database.Row) (span calendar.Span, err error) {
		return span, row.Scan(&span.From, &span.Until)
	}, `SELECT first, last FROM holidays WHERE person = ? ORDER BY first`, key(id))
}

// SetCalendar sets a person's nights and days off. It refuses with night-long or days-off.
func (s *Store) SetCalendar(ctx context.Context, id domain.PersonID, night calendar.Night, off [7]bool) error {
	return s.SetSettings(ctx, id, Settings{Night: &night, Off: &off})
}

func checkNight(n calendar.Night) error {
	if n.From < 0 || n.From > 23 || n.To < 0 || n.To > 23 || n.Hours() > calendar.MostNight {
		return domain.Refuse("night-long", "most", calendar.MostNight)
	}
	return nil
}

// daysOff returns days off as they are stored.
func daysOff(off [7]bool) (string, error) {
	var days strings.Builder
	for d, is := range off {
		if is {
			days.WriteString(strconv.Itoa(d))
		}
	}
	if days.Len() > MostOff {
		return "", domain.Refuse("days-off")
	}
	return days.String(), nil
}

// Today returns what day it is for a person.
func (s *Store) Today(ctx context.Context, id domain.PersonID) (calendar.Day, error) {
	c, err := s.Calendar(ctx, id)
	return calendar.DayOf(s.now(), c.Zone), err
}

// GoAway notes that a person is on holiday on some days, starting today at the earliest. It returns the days that are
// new, for the tables where they change something. It refuses with away-order, away-days or away-much.
func (s *Store) GoAway(ctx context.Context, id domain.PersonID, days calendar.Span) (added []calendar.Span, err error) {
	today, err := s.Today(ctx, id)
	if err != nil {
		return nil, err
	}
	if days.Until < days.From {
		return nil, domain.Refuse("away-order")
	}
	if days.From < today || days.From > today+mostAhead || days.Until-days.From >= MostAway {
		return nil, domain.Refuse("away-days", "most", MostAway)
	}
	err = s.change(ctx, "note a holiday", func(tx *sql.Tx) error {
		if _, err := database.Value[int](tx.QueryRowContext(ctx, `SELECT 1 FROM people WHERE id = ?`,
			key(id))); err != nil {
			return there(err, ErrNobody, "note a holiday")
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM holidays WHERE person = ? AND last < ?`, key(id),
			today-365); err != nil {
			return err
		}
		known, err := s.away(ctx, tx, id)
		if err != nil {
			return err
		}
		added = without(days, known)
		if awayMost(append(known, added...)) > MostAwayYear {
			return domain.Refuse("away-much", "most", MostAwayYear)
		}
		for _, span := range added {
			if _, err := tx.ExecContext(ctx, `INSERT INTO holidays (person, first, last) VALUES (?,?,?)`, key(id),
				int(span.From), int(span.Until)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// Back ends a person's holidays as of yesterday, and deletes future ones.
func (s *Store) Back(ctx context.Context, id domain.PersonID) error {
	today, err := s.Today(ctx, id)
	if err != nil {
		return err
	}
	return s.change(ctx, "end holidays", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM holidays WHERE person = ? AND first >= ?`, key(id),
			int(today)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE holidays SET last = ? WHERE person = ? AND last >= ?`, int(today)-1,
			key(id), int(today))
		return err
	})
}

// without returns the days of a span that no other span covers.
func without(span calendar.Span, known []calendar.Span) (out []calendar.Span) {
	for d := span.From; d <= span.Until; d++ {
		if slices.ContainsFunc(known, func(k calendar.Span) bool { return k.Has(d) }) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Until == d-1 {
			out[n-1].Until = d
			continue
		}
		out = append(out, calendar.Span{From: d, Until: d})
	}
	return out
}

// awayMost returns the most days of holidays in any year that begins with one of them.
func awayMost(spans []calendar.Span) (most int) {
	for _, first := range spans {
		sum := 0
		for _, s := range spans {
			from, until := max(s.From, first.From), min(s.Until, first.From+364)
			sum += max(0, int(until-from)+1)
		}
		most = max(most, sum)
	}
	return most
}

// Zones lists the time zones that a page offers, by IANA name; any other existing zone may be set, too.
func Zones() []string { return slices.Clone(zones) }

var zones = strings.Fields(`UTC
	Europe/Lisbon Europe/London Europe/Dublin Europe/Madrid Europe/Paris Europe/Brussels Europe/Amsterdam Europe/Berlin
	Europe/Zurich Europe/Vienna Europe/Rome Europe/Prague Europe/Warsaw Europe/Stockholm Europe/Oslo Europe/Copenhagen
	Europe/Helsinki Europe/Budapest Europe/Bucharest Europe/Athens Europe/Kyiv Europe/Istanbul
	Atlantic/Azores Atlantic/Madeira Atlantic/Reykjavik
	America/Sao_Paulo America/Bahia America/Fortaleza America/Recife America/Belem America/Manaus America/Cuiaba
	America/Porto_Velho America/Rio_Branco America/Noronha America/Argentina/Buenos_Aires America/Santiago
	America/Bogota America/Mexico_City America/New_York America/Chicago America/Denver America/Los_Angeles
	America/Halifax America/St_Johns America/Toronto America/Vancouver
	Africa/Luanda Africa/Maputo Africa/Johannesburg Africa/Lagos Africa/Cairo Africa/Casablanca
	Asia/Jerusalem Asia/Dubai Asia/Kolkata Asia/Bangkok Asia/Singapore Asia/Shanghai Asia/Tokyo Asia/Seoul
	Australia/Perth Australia/Adelaide Australia/Brisbane Australia/Sydney Pacific/Auckland`)

// zoneKnown reports whether a zone of that name exists.
func zoneKnown(zone string) bool {
	l, err := time.LoadLocation(zone)
	return err == nil && l != time.Local && zone != ""
}
