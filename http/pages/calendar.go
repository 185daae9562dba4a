package pages

import (
	"fmt"
	nethttp "net/http"
	"strings"
	"time"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// calendarPath returns the address of a person's calendar. Anybody who has it sees what awaits the person, until they
// withdraw their links.
func (v settingsPages) calendarPath(id domain.PersonID) (string, error) {
	epoch, err := v.People.PassEpoch(v.Ctx(), id)
	if err != nil {
		return "", err
	}
	token, err := v.Passes.Make(pass.Facts{Purpose: pass.Calendar, Person: id, Epoch: epoch})
	if err != nil {
		return "", fmt.Errorf("the pass of a calendar: %w", err)
	}
	return "/calendar/" + token.Text() + ".ics", nil
}

// feed sends a calendar of what awaits a person, one entry each (RFC 5545). Calendar programs fetch it on their own,
// with nothing but its address.
func (v settingsPages) feed() error {
	f, err := v.Passes.Open(v.Ctx(), strings.TrimSuffix(v.Param("token"), ".ics"), v.Now(), v.People)
	if err != nil || f.Purpose != pass.Calendar || f.Person == "" {
		return door.ErrGone
	}
	if err := v.Speak(f.Person); err != nil {
		return err
	}
	waiting, err := v.Views.Awaiting(v.Ctx(), f.Person)
	if err != nil {
		return err
	}
	c := calendarText{now: v.Now(), host: v.Public.Hostname()}
	c.line("BEGIN:VCALENDAR")
	c.line("VERSION:2.0")
	c.line("PRODID:-//Posthorn//" + v.Public.Hostname() + "//")
	c.line("METHOD:PUBLISH")
	c.line("X-WR-CALNAME:" + escaped(v.T("house.name")))
	for _, table := range waiting {
		if err := v.awaited(&c, table, f.Person); err != nil {
			return err
		}
	}
	c.line("END:VCALENDAR")
	v.Response().Header().Set("Content-Disposition", `inline; filename="posthorn.ics"`)
	return v.Blob(nethttp.StatusOK, "text/calendar; charset=utf-8", []byte(c.b.String()))
}

// awaited adds what a table asks of a person now.
func (v settingsPages) awaited(c *calendarText, table events.Name, id domain.PersonID) error {
	return v.Desk.Each(v.Ctx(), []events.Name{table}, func(look desk.Look) error {
		asks, err := v.Desk.Asks(v.Ctx(), look)
		if err != nil {
			return err
		}
		for _, a := range asks {
			if a.Person != id || a.Kind != desk.AskTurn && a.Kind != desk.AskConsent {
				continue
			}
			m, err := v.Maker.Turn(v.Ctx(), table,
				turn.Asker{Person: id, Seat: a.Open.Seat, Lang: v.Lang, Zone: v.Zone})
			if err != nil {
				return err
			}
			c.entry(a, look.TableHead.Version, m.Title+": "+m.Sentence, v.Links.Table(table))
		}
		return nil
	})
}

// calendarText is a calendar being written.
type calendarText struct {
	b    strings.Builder
	now  time.Time
	host string
}

// entry writes one thing that is awaited. Its UID never changes; its sequence follows the table, which notes everything
// that moves a deadline. An entry without a deadline is placed on the current day, every day.
func (c *calendarText) entry(a desk.Ask, sequence uint64, summary, link string) {
	c.line("BEGIN:VEVENT")
	c.line(fmt.Sprintf("UID:%s-%s-%d-%d-%d-%s@%s", a.Kind, a.Stream, a.Open.Since, a.Open.Seat, a.Open.Serial, a.Person,
		c.host))
	c.line("DTSTAMP:" + stampOf(c.now))
	c.line(fmt.Sprintf("SEQUENCE:%d", sequence))
	if a.Due.IsZero() {
		c.line("DTSTART;VALUE=DATE:" + c.now.UTC().Format("20060102"))
	} else {
		c.line("DTSTART:" + stampOf(a.Due))
		c.line("DTEND:" + stampOf(a.Due))
	}
	c.line("SUMMARY:" + escaped(summary))
	c.line("URL:" + link)
	c.line("TRANSP:TRANSPARENT")
	c.line("END:VEVENT")
}

func stampOf(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// escaped returns a text as a calendar value.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r", "", "\n", `\n`).Replace(text)
}

// mostOctets is the maximum length of a line; longer ones are folded between characters.
const mostOctets = 75

func (c *calendarText) line(text string) {
	room := mostOctets
	for len(text) > room {
		cut := room
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		c.b.WriteString(text[:cut] + "\r\n ")
		text, room = text[cut:], mostOctets-1
	}
	c.b.WriteString(text + "\r\n")
}
