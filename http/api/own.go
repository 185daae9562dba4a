package api

import (
	"time"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
)

type noteJSON struct {
	Note string `json:"note"`
}

// note answers with the caller's private note at a table.
func note(c *call, look desk.Look) (any, error) {
	if !look.Table.Knows(c.Me) {
		return nil, domain.Refuse("not-a-player")
	}
	text, err := c.People.Note(c.Ctx(), c.Me, c.Table)
	return noteJSON{text}, err
}

// setNote replaces the note; "" deletes it.
func setNote(c *call, in noteJSON) (any, error) {
	if err := c.Settings().SaveNote(in.Note); err != nil {
		return nil, err
	}
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	return note(c, look)
}

type tableMailsJSON struct {
	Turn *bool `json:"turn"`
}

// tableMails answers with the mails about one table that the caller has not switched off.
func tableMails(c *call, _ desk.Look) (any, error) {
	p, err := c.People.Person(c.Ctx(), c.Me)
	wants := p.Wants(people.AtTable("turn", c.Table))
	return tableMailsJSON{&wants}, err
}

// setTableMails turns the mails about one table off or on.
func setTableMails(c *call, in tableMailsJSON) (any, error) {
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	if in.Turn == nil {
		return nil, door.ErrMalformed
	}
	if err := c.People.SetMails(c.Ctx(), c.Me, people.AtTable("turn", c.Table), *in.Turn); err != nil {
		return nil, err
	}
	return tableMails(c, look)
}

type invitationJSON struct {
	Seat   domain.Seat `json:"seat"`
	Person door.Person `json:"person"`
	Until  time.Time   `json:"until,omitzero"`
	Mail   string      `json:"mail,omitempty"`
	Why    string      `json:"why,omitempty"`
}

// invitations lists for the opener the unanswered invitations, and how their mails are doing.
func invitations(c *call, look desk.Look) (any, error) {
	if look.Table.Opener != c.Me {
		return nil, domain.Refuse("opener-only")
	}
	out := []invitationJSON{}
	for i, p := range look.Table.Places {
		persons, err := c.Invitations().Persons(c.Me, p.Invited, c.Called)
		if err != nil {
			return nil, err
		}
		for _, person := range persons {
			in := invitationJSON{Seat: domain.Seat(i), Person: person,
				Until: look.Table.AskedUntil(domain.Seat(i), person.ID)}
			if c.Mails != nil && person.ID != c.Me {
				f, _, err := c.Mails.Invitation(c.Ctx(), c.Table, person.ID)
				if err != nil {
					return nil, err
				}
				in.Mail, in.Why = f.State, f.Why
			}
			out = append(out, in)
		}
	}
	return struct {
		Invitations []invitationJSON `json:"invitations"`
	}{out}, nil
}

type sendAgain = struct {
	ID     string     `json:"id"`
	Seat   *door.Seat `json:"seat"`
	Person string     `json:"person"`
}

// again resends an invitation that was not answered.
func again(c *call, in sendAgain) (any, error) {
	at, err := c.at(in.ID)
	if err != nil {
		return nil, err
	}
	whom, ok, err := c.Invitations().Refers(in.Person)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, domain.Refuse("not-invited", "seat", in.Seat.At())
	}
	return c.done(c.Invitations().InviteAgain(at, in.Seat.At(), whom))
}
