package pages

import (
	"cmp"
	"errors"
	nethttp "net/http"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// timePage is what a game's page offers about time.
type timePage struct {
	Nudges     []turn.Player // who may be reminded
	Needs      []needed      // the reader's seats that were reminded
	Returns    []domain.Seat // the reader's seats that a stand-in keeps
	Lends      []domain.Seat // the reader's seats that may be lent
	MayPropose bool          // the others can be asked for something: an end, a pause, to go back
	MayPause   bool
	MostPause  int           // days
	AwayHere   bool          // the table takes the reader for away
	AwayMore   bool          // and so does their calendar
	Sunday     string        // the next one that the table would take, as a form sends it
	Offers     []domain.Seat // seats that the reader is asked to take over
	Hands      []domain.Seat // seats that the reader may hand to somebody
	Noted      bool          // the reader may keep notes here
	Note       string        // their note
	Rests      string        // why deadlines rest for now; "" if they count
}

// rests says why deadlines rest for now; "" if they count.
func (v consentPages) rests() string {
	if v.Resting == nil {
		return ""
	}
	switch why := v.Resting(); {
	case errors.Is(why, clock.ErrJumped):
		return v.T("page.time.rests.jumped")
	case errors.Is(why, clock.ErrFuture):
		return v.T("page.time.rests.future")
	}
	return ""
}

// needed is a seat that may ask for more time, until the end of one of some days.
type needed struct {
	Seat        domain.Seat
	First, Last string // as a form sends them
}

// time finds out what a page may offer about time.
func (v consentPages) time(g *gamePage) (err error) {
	m := g.M
	g.Noted = slices.ContainsFunc(m.Players, func(p turn.Player) bool { return p.You })
	if g.Note, g.Noted, err = v.own().note(g); err != nil {
		return err
	}
	g.MostPause, g.Sunday = int(domain.MostPause.Hours()/24), sunday(v.Now(), v.Zone).String()
	if m.Time.Clock != nil && m.Status == domain.TableStarted && g.Past == nil {
		g.Rests = v.rests()
	}
	if g.Ended || m.Status != domain.TableStarted || g.As != "" || !v.SignedIn() || g.Past != nil {
		return nil
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	for i, p := range look.Table.Places {
		seat := domain.Seat(i)
		switch {
		case p.Offer != nil && p.Offer.Person == v.Me:
			may, err := v.Commands().May(v.Table, v.Me, desk.TakeOver{Seat: seat})
			if err != nil {
				return err
			}
			if may {
				g.Offers = append(g.Offers, seat)
			}
		case slices.Contains(p.Former, v.Me) && p.Resigned: // it is over
		case slices.Contains(p.Former, v.Me):
			g.Returns = append(g.Returns, seat)
		case p.Offer == nil && len(p.Holders) == 1 && !p.Resigned &&
			(p.Holds(v.Me) || p.Lent && len(look.Table.SeatsOf(v.Me)) > 0):
			g.Hands = append(g.Hands, seat)
		}
	}
	others := 0
	for _, p := range m.Players {
		switch {
		case p.You && p.Lent:
			g.Returns = append(g.Returns, p.Seat)
		case p.StandIn:
		case p.You:
			g.Lends = append(g.Lends, p.Seat)
			if err := v.needs(g, p); err != nil {
				return err
			}
		default:
			others++
			may, err := v.Commands().May(v.Table, v.Me, desk.Nudge{Seat: p.Seat})
			if err != nil {
				return err
			}
			if may {
				g.Nudges = append(g.Nudges, p)
			}
		}
	}
	if others == 0 {
		g.Lends = nil
	}
	if g.MayPropose, err = v.Commands().May(v.Table, v.Me, desk.ProposeEnd{}); err != nil {
		return err
	}
	g.MayPause = m.Time.Clock != nil && g.MayPropose
	if g.AwayHere = look.Table.AwayUntil(v.Me).After(v.Now()); g.AwayHere {
		c, err := v.People.Calendar(v.Ctx(), v.Me)
		if err != nil {
			return err
		}
		today := calendar.DayOf(v.Now(), c.Zone)
		g.AwayMore = slices.ContainsFunc(c.Away, func(s calendar.Span) bool { return s.Until >= today })
	}
	return v.away(g)
}

// needs finds the days until which a seat that was reminded may ask for time.
func (v consentPages) needs(g *gamePage, p turn.Player) error {
	if p.Nudged == 0 || p.Due.IsZero() {
		return nil
	}
	n := needed{Seat: p.Seat}
	from := v.Now()
	if p.Due.After(from) {
		from = p.Due
	}
	for day, last := calendar.DayOf(from, v.Zone),
		calendar.DayOf(from.Add(desk.MostAsked), v.Zone); day <= last; day++ {
		may, err := v.Commands().May(v.Table, v.Me, desk.NeedTime{Seat: p.Seat, Until: day})
		if err != nil {
			return err
		}
		if may {
			n.First, n.Last = cmp.Or(n.First, day.String()), day.String()
		}
	}
	if n.First != "" {
		g.Needs = append(g.Needs, n)
	}
	return nil
}

// away puts the Sunday off that the form for an absence begins with, while the table knows of it already.
func (v consentPages) away(g *gamePage) error {
	day := sunday(v.Now(), v.Zone)
	for range 4 {
		may, err := v.Commands().May(v.Table, v.Me,
			desk.GoAway{Days: calendar.Span{From: calendar.DayOf(v.Now(), v.Zone), Until: day}})
		if may || err != nil {
			g.Sunday = day.String()
			return err
		}
		day += 7
	}
	return nil
}

// sunday returns the next Sunday.
func sunday(now time.Time, zone *time.Location) calendar.Day {
	d := calendar.DayOf(now, zone)
	return d + calendar.Day(7-int(d.Weekday()))
}

// zoneField is the field in which the script sends the browser's time zone along with a form.
const zoneField = "browser-zone"

// ZoneField returns the name of the field in which the reader's browser should tell its time zone; "" if that is known.
func (v *visit) ZoneField() string {
	if v.ZoneKnown {
		return ""
	}
	return zoneField
}

// noteZone notes the time zone that comes along with a form, for the person who sends it: before the form does
// anything, so that a deadline that it brings counts by it.
func (v consentPages) noteZone() error {
	if v.Request().Method != nethttp.MethodPost {
		return nil
	}
	who := v.Me
	if v.pass.Person != "" && v.pass.stale == "" {
		who = v.pass.Person
	}
	return v.toldZone(who)
}

// toldZone is tellsZone for somebody who has just signed in.
func (v consentPages) toldZone(who domain.PersonID) error {
	if zone := v.FormValue(zoneField); who != "" && zone != "" {
		return v.People.TellZone(v.Ctx(), who, zone)
	}
	return nil
}

// calendarPage is when the reader has time, as shown in the settings.
type calendarPage struct {
	Known                bool   // otherwise no night counts yet, and the form begins with those that will
	Dated                string // how the reader's mails are dated, by which nights count meanwhile; or ""
	Zones, From, To, Off []choice
	Away                 []string
	Today                string
}

func (v consentPages) calendar() (page calendarPage, err error) {
	p, err1 := v.People.Person(v.Ctx(), v.Me)
	c, err2 := v.People.Calendar(v.Ctx(), v.Me)
	if err := errors.Join(err1, err2); err != nil {
		return page, err
	}
	page.Dated = p.Dated
	zone := c.Zone.String()
	if page.Known = v.ZoneKnown; !page.Known {
		c.Night, zone = people.FirstNight, time.UTC.String()
	}
	zones := people.Zones()
	if !slices.Contains(zones, zone) {
		zones = append([]string{zone}, zones...)
	}
	page.Zones = door.Words(zones, zone, func(z string) string { return z })
	for h := range 24 {
		hour := time.Date(2000, 1, 1, h, 0, 0, 0, time.UTC).Format("15:04")
		page.From = append(page.From, choice{Value: hour[:2], Label: hour, Selected: h == c.Night.From})
		page.To = append(page.To, choice{Value: hour[:2], Label: hour, Selected: h == c.Night.To})
	}
	for _, d := range []time.Weekday{1, 2, 3, 4, 5, 6, 0} {
		n := string(rune('0' + d))
		page.Off = append(page.Off, choice{Value: n, Label: v.T("weekday." + n), Selected: c.Off[d]})
	}
	today := calendar.DayOf(v.Now(), c.Zone)
	page.Today = today.String()
	for _, s := range c.Away {
		if s.Until >= today {
			page.Away = append(page.Away, v.T("page.settings.away.span", "from", v.day(s.From), "until",
				v.day(s.Until)))
		}
	}
	return page, nil
}

// day formats a day of the calendar.
func (v consentPages) day(d calendar.Day) string { return v.Print.Day(d.Begins(nil)) }

// saveCalendar stores the time zone, nights and days off.
func (v consentPages) saveCalendar() error {
	var in struct {
		Zone string   `form:"zone"`
		From int      `form:"night_from"`
		To   int      `form:"night_to"`
		Off  []string `form:"off"`
	}
	if err := v.read(&in, "zone", "night_from", "night_to"); err != nil {
		return err
	}
	var off [7]bool
	for _, n := range in.Off {
		if len(n) != 1 || n[0] < '0' || n[0] > '6' {
			return door.ErrMalformed
		}
		off[n[0]-'0'] = true
	}
	if err := v.People.SetZone(v.Ctx(), v.Me, in.Zone); err != nil {
		return err
	}
	err := v.People.SetCalendar(v.Ctx(), v.Me, calendar.Night{From: in.From, To: in.To}, off)
	return v.after(err, "/settings", "saved")
}

// goAway notes a holiday and tells all the reader's tables.
func (v consentPages) goAway() error {
	from, err := calendar.ParseDay(v.FormValue("from"))
	if err != nil {
		return domain.Refuse("day")
	}
	until, err := calendar.ParseDay(v.FormValue("until"))
	if err != nil {
		return domain.Refuse("day")
	}
	return v.after(v.Settings().GoAway(calendar.Span{From: from, Until: until}, v.Table), "/settings", "away")
}

// comeBack ends the reader's holidays, and tells all their tables.
func (v consentPages) comeBack() error {
	return v.after(v.Settings().Back(v.Table), "/settings", "back")
}
