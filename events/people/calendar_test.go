package people_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/people"
)

func day(t *testing.T, text string) calendar.Day {
	t.Helper()
	d, err := calendar.ParseDay(text)
	require.NoError(t, err)
	return d
}

func TestACalendarIsKeptAndForgottenWithItsPerson(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	c, err := h.Calendar(ctx, p.ID)
	require.NoError(t, err)
	require.Equal(t, calendar.Calendar{Zone: time.UTC}, c, "whoever has said nothing has time every day, at any hour")

	require.NoError(t, h.SetZone(ctx, p.ID, "Europe/Warsaw"))
	require.NoError(t, h.SetCalendar(ctx, p.ID, calendar.Night{From: 22, To: 8},
		[7]bool{time.Saturday: true, time.Sunday: true}))
	added, err := h.GoAway(ctx, p.ID, calendar.Span{From: day(t, "2026-03-05"), Until: day(t, "2026-03-08")})
	require.NoError(t, err)
	require.Equal(t, []calendar.Span{{From: day(t, "2026-03-05"), Until: day(t, "2026-03-08")}}, added)
	h.restart()
	all, err := h.Calendars(ctx, []domain.PersonID{p.ID, "nobody"})
	require.NoError(t, err)
	require.Len(t, all, 1)
	c = all[p.ID]
	require.Equal(t, "Europe/Warsaw", c.Zone.String())
	require.Equal(t, calendar.Night{From: 22, To: 8}, c.Night)
	require.Equal(t, [7]bool{time.Saturday: true, time.Sunday: true}, c.Off)
	require.Equal(t, added, c.Away)
	require.NoError(t, h.Forget(ctx, p.ID))
	all, err = h.Calendars(ctx, []domain.PersonID{p.ID})
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = h.GoAway(ctx, p.ID, calendar.Span{From: day(t, "2026-03-05"), Until: day(t, "2026-03-08")})
	require.ErrorIs(t, err, people.ErrNobody)
}

// Given somebody whose zone nobody knows, when a browser tells it, then their calendar begins, with nights; what they
// have set themselves, or a browser told before, stays.
func TestTheFirstZoneThatABrowserTellsBeginsACalendar(t *testing.T) {
	h := open(t)
	night := calendar.Night{From: 22, To: 8}
	for name, c := range map[string]struct {
		set  func(id domain.PersonID) error
		told string
		zone string
		calendar.Night
	}{
		"nothing is known":        {nil, "America/Sao_Paulo", "America/Sao_Paulo", night},
		"a browser that hides it": {nil, "UTC", "UTC", calendar.Night{}},
		"no zone at all":          {nil, "../../etc/passwd", "UTC", calendar.Night{}},
		"another browser told it": {func(id domain.PersonID) error { return h.TellZone(ctx, id, "Europe/Lisbon") },
			"America/Sao_Paulo", "Europe/Lisbon", night},
		"they set the zone": {func(id domain.PersonID) error { return h.SetZone(ctx, id, "Europe/Warsaw") },
			"America/Sao_Paulo", "Europe/Warsaw", calendar.Night{}},
		"they set UTC and no nights": {func(id domain.PersonID) error {
			return errors.Join(h.SetZone(ctx, id, "UTC"), h.SetCalendar(ctx, id, calendar.Night{}, [7]bool{}))
		}, "America/Sao_Paulo", "UTC", calendar.Night{}},
		"they set days off": {func(id domain.PersonID) error {
			return h.SetCalendar(ctx, id, calendar.Night{}, [7]bool{true})
		}, "America/Sao_Paulo", "UTC", calendar.Night{}},
	} {
		p := h.confirmed(people.Address(strings.ReplaceAll(name, " ", "-") + "@example.org"))
		require.False(t, p.ZoneKnown)
		if c.set != nil {
			require.NoError(t, c.set(p.ID), name)
		}
		require.NoError(t, h.TellZone(ctx, p.ID, c.told), name)
		got, err := h.Calendar(ctx, p.ID)
		require.NoError(t, err)
		require.Equal(t, c.zone, got.Zone.String(), name)
		require.Equal(t, c.Night, got.Night, name)
		p, err = h.Person(ctx, p.ID)
		require.NoError(t, err)
		require.Equal(t, c.set != nil || c.zone != "UTC", p.ZoneKnown, name)
	}
}

func TestACalendarLeavesTimeToPlay(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	refused(t, h.SetCalendar(ctx, p.ID, calendar.Night{From: 18, To: 10}, [7]bool{}), "night-long")
	refused(t, h.SetCalendar(ctx, p.ID, calendar.Night{From: 24, To: 8}, [7]bool{}), "night-long")
	refused(t, h.SetCalendar(ctx, p.ID, calendar.Night{}, [7]bool{true, true, true, true, true, true, true}),
		"days-off")
	require.NoError(t, h.SetCalendar(ctx, p.ID, calendar.Night{From: 20, To: 10},
		[7]bool{true, true, true, true, true, true}))
	require.ErrorIs(t, h.SetCalendar(ctx, "0123", calendar.Night{}, [7]bool{}), people.ErrNobody)
}

func TestHolidaysAreAnnouncedAheadAndHaveAnEnd(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	today := day(t, "2026-03-01")
	span := func(from, until int) calendar.Span {
		return calendar.Span{From: today + calendar.Day(from), Until: today + calendar.Day(until)}
	}
	for _, s := range []calendar.Span{span(-1, 3), span(0, 30), span(400, 401)} {
		_, err := h.GoAway(ctx, p.ID, s)
		refused(t, err, "away-days")
	}
	_, err := h.GoAway(ctx, p.ID, span(3, 2))
	refused(t, err, "away-order")
	_, err = h.GoAway(ctx, p.ID, span(0, 29))
	require.NoError(t, err)
	added, err := h.GoAway(ctx, p.ID, span(10, 35))
	require.NoError(t, err)
	require.Equal(t, []calendar.Span{span(30, 35)}, added, "only what is new")
	added, err = h.GoAway(ctx, p.ID, span(30, 34))
	require.NoError(t, err)
	require.Empty(t, added)
	_, err = h.GoAway(ctx, p.ID, span(100, 125))
	refused(t, err, "away-much")
	_, err = h.GoAway(ctx, p.ID, span(340, 369))
	refused(t, err, "away-much")
	_, err = h.GoAway(ctx, p.ID, span(100, 123))
	require.NoError(t, err)

	h.pass(5 * 24 * time.Hour)
	require.NoError(t, h.Back(ctx, p.ID))
	c, err := h.Calendar(ctx, p.ID)
	require.NoError(t, err)
	require.Equal(t, []calendar.Span{span(0, 4)}, c.Away, "whoever is back has no holidays to come")
}

func TestADayBeginsInItsPersonsZone(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	require.NoError(t, h.SetZone(ctx, p.ID, "Pacific/Auckland"))
	today, err := h.Today(ctx, p.ID)
	require.NoError(t, err)
	require.Equal(t, day(t, "2026-03-02"), today, "it is tomorrow there")
}

func TestEveryZoneThatAPageOffersIsOne(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	for _, zone := range people.Zones() {
		require.NoError(t, h.SetZone(ctx, p.ID, zone), zone)
	}
}

// Whoever only replies has no browser that tells their zone: their nights go by how their mails are dated, until more
// is known.
func TestNightsGoByHowMailsAreDated(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	at := func(text string) time.Time {
		at, err := time.Parse(time.RFC1123Z, "Mon, 01 Jun 2026 23:30:00 "+text)
		require.NoError(t, err)
		return at
	}
	calendarIs := func(zone string, night calendar.Night) {
		t.Helper()
		h.restart()
		c, err := h.Calendar(ctx, p.ID)
		require.NoError(t, err)
		require.Equal(t, zone, c.Zone.String())
		require.Equal(t, night, c.Night)
	}
	require.NoError(t, h.Wrote(ctx, p.ID, at("+0000")))
	calendarIs("UTC", calendar.Night{})
	require.NoError(t, h.Wrote(ctx, p.ID, at("+2300")))
	calendarIs("UTC", calendar.Night{})
	require.NoError(t, h.Wrote(ctx, p.ID, at("-0330")))
	calendarIs("UTC-03:30", people.FirstNight)
	require.NoError(t, h.Wrote(ctx, p.ID, at("+0545")))
	calendarIs("UTC+05:45", people.FirstNight)
	require.NoError(t, h.Wrote(ctx, p.ID, at("+0000")))
	calendarIs("UTC+05:45", people.FirstNight)
	next := people.Rhythm{}.Next(at("+0545"), time.Time{}, func() calendar.Calendar {
		c, err := h.Calendar(ctx, p.ID)
		require.NoError(t, err)
		return c
	}())
	require.Equal(t, "2026-06-02T08:00:00+05:45", next.In(at("+0545").Location()).Format(time.RFC3339))
	who, err := h.Person(ctx, p.ID)
	require.NoError(t, err)
	require.False(t, who.ZoneKnown, "a browser still tells it")
	require.Equal(t, time.UTC, who.Location())

	require.NoError(t, h.TellZone(ctx, p.ID, "Asia/Kathmandu"))
	calendarIs("Asia/Kathmandu", people.FirstNight)
	require.NoError(t, h.SetCalendar(ctx, p.ID, calendar.Night{}, [7]bool{}))
	require.NoError(t, h.Wrote(ctx, p.ID, at("-0330")))
	calendarIs("Asia/Kathmandu", calendar.Night{})
}
