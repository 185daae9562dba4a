package api

import (
	"errors"
	nethttp "net/http"

	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/door"
)

type tokenJSON struct {
	Ref     string  `json:"ref"`
	Label   string  `json:"label"`
	Scope   string  `json:"scope"`
	Table   string  `json:"table,omitempty"`
	Created instant `json:"created"`
	Expires instant `json:"expires"`
}

func tokenOf(t people.Token) tokenJSON {
	out := tokenJSON{Ref: t.Ref, Label: t.Label, Scope: string(t.Scope), Created: instant(t.Created), Expires: instant(t.Expires)}
	if !t.Table.IsZero() {
		out.Table = t.Table.String()
	}
	return out
}

func tokens(c *call) error {
	list, err := c.People.Tokens(c.Ctx(), c.Me)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, struct {
		Tokens []tokenJSON `json:"tokens"`
	}{each(list, tokenOf)})
}

// makeToken makes a token; its text is in this answer and nowhere else.
func makeToken(c *call) error {
	var in struct {
		Label string `json:"label"`
		Scope string `json:"scope"`
		Table string `json:"table"`
		Days  *int   `json:"days"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	n := people.NewToken{Label: in.Label, Scope: people.Scope(in.Scope), Days: door.TokenDays}
	if in.Days != nil {
		n.Days = *in.Days
	}
	if in.Table != "" {
		table, err := events.ParseName(in.Table)
		if err != nil {
			return events.ErrNoStream
		}
		if _, err := c.Desk.Look(c.Ctx(), table); err != nil {
			return err
		}
		n.Table = table
	}
	text, t, err := c.People.MakeToken(c.Ctx(), c.Me, n)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusCreated, struct {
		Token string `json:"token"`
		tokenJSON
	}{text, tokenOf(t)})
}

func revokeToken(c *call) error {
	err := c.People.RevokeToken(c.Ctx(), c.Me, c.Param("token"))
	if errors.Is(err, people.ErrToken) {
		return events.ErrNoRecord
	}
	if err != nil {
		return err
	}
	return c.NoContent(nethttp.StatusNoContent)
}
