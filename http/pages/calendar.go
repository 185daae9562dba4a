package pages

import (
	"fmt"
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/http/door"
	"posthorn/projections/ics"
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
	c := ics.New(v.Public.Hostname(), v.T("house.name"), v.Now())
	for _, table := range waiting {
		if err := v.awaited(c, table, f.Person); err != nil {
			return err
		}
	}
	v.Response().Header().Set("Content-Disposition", `inline; filename="posthorn.ics"`)
	return v.Blob(nethttp.StatusOK, "text/calendar; charset=utf-8", c.Bytes())
}

// awaited adds what a table asks of a person now.
func (v settingsPages) awaited(c *ics.Calendar, table events.Name, id domain.PersonID) error {
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
			c.Entry(a, a.Due, m.Title+": "+m.Sentence, v.Links.Table(table))
		}
		return nil
	})
}
