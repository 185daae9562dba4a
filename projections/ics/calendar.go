// Package ics writes calendars (RFC 5545), for the address that calendar programs fetch and for what mails carry.
// An entry that is written again replaces the earlier one, wherever that came from.
package ics

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"posthorn/events/desk"
)

// Calendar is a calendar being written.
type Calendar struct {
	b    strings.Builder
	host string
	now  time.Time
	has  map[string]bool
}

// New begins a calendar of a house, by the host of its address, as of a time.
func New(host, name string, now time.Time) *Calendar {
	c := &Calendar{host: host, now: now, has: map[string]bool{}}
	c.line("BEGIN:VCALENDAR")
	c.line("VERSION:2.0")
	c.line("PRODID:-//Posthorn//" + host + "//")
	c.line("METHOD:PUBLISH")
	c.line("X-WR-CALNAME:" + escaped(name))
	return c
}

// Entry says what a table asks of somebody, until the time that is given. It has one entry for each kind of question,
// seat and person, the first that is written: the next question replaces it. Its sequence is the calendar's time, so
// that the latest counts. An entry without a deadline is placed on the current day, every day.
func (c *Calendar) Entry(a desk.Ask, until time.Time, summary, link string) {
	c.entry(a, until, summary, link, "")
}

// Cancel says that a table no longer asks something.
func (c *Calendar) Cancel(a desk.Ask, summary, link string) {
	c.entry(a, c.now, summary, link, "CANCELLED")
}

// Has reports whether something of the kind is in the calendar.
func (c *Calendar) Has(a desk.Ask) bool { return c.has[c.uid(a)] }

// Empty reports whether the calendar has no entries.
func (c *Calendar) Empty() bool { return len(c.has) == 0 }

// Bytes ends the calendar and returns it.
func (c *Calendar) Bytes() []byte {
	c.line("END:VCALENDAR")
	return []byte(c.b.String())
}

func (c *Calendar) uid(a desk.Ask) string {
	return fmt.Sprintf("%s-%s-%d-%s@%s", a.Kind, a.Table, a.Open.Seat, a.Person, c.host)
}

// epoch is where sequences begin, which are small numbers in most programs.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *Calendar) entry(a desk.Ask, until time.Time, summary, link, status string) {
	if c.Has(a) {
		return
	}
	c.has[c.uid(a)] = true
	c.line("BEGIN:VEVENT")
	c.line("UID:" + c.uid(a))
	c.line("DTSTAMP:" + stampOf(c.now))
	c.line(fmt.Sprintf("SEQUENCE:%d", max(0, int64(c.now.Sub(epoch)/time.Second))))
	if until.IsZero() {
		c.line("DTSTART;VALUE=DATE:" + c.now.UTC().Format("20060102"))
	} else {
		c.line("DTSTART:" + stampOf(until))
		c.line("DTEND:" + stampOf(until))
	}
	if status != "" {
		c.line("STATUS:" + status)
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

func (c *Calendar) line(text string) {
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
