package http

import (
	"errors"
	nethttp "net/http"

	"posthorn/events"
	"posthorn/events/people"
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

func apiTokens(c *call) error {
	list, err := c.s.People.Tokens(c.ctx(), c.Me)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, struct {
		Tokens []tokenJSON `json:"tokens"`
	}{each(list, tokenOf)})
}

// tokenDays is how long a token lasts whose maker does not say.
const tokenDays = 90

// apiMakeToken makes a token; its text is in this answer and nowhere else.
func apiMakeToken(c *call) error {
	var in struct {
		Label string `json:"label"`
		Scope string `json:"scope"`
		Table string `json:"table"`
		Days  *int   `json:"days"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	n := people.NewToken{Label: in.Label, Scope: people.Scope(in.Scope), Days: tokenDays}
	if in.Days != nil {
		n.Days = *in.Days
	}
	if in.Table != "" {
		table, err := events.ParseName(in.Table)
		if err != nil {
			return events.ErrNoStream
		}
		if _, err := c.s.Desk.Look(c.ctx(), table); err != nil {
			return err
		}
		n.Table = table
	}
	text, t, err := c.s.People.MakeToken(c.ctx(), c.Me, n)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusCreated, struct {
		Token string `json:"token"`
		tokenJSON
	}{text, tokenOf(t)})
}

func apiRevokeToken(c *call) error {
	err := c.s.People.RevokeToken(c.ctx(), c.Me, c.c.Param("token"))
	if errors.Is(err, people.ErrToken) {
		return events.ErrNoRecord
	}
	if err != nil {
		return err
	}
	return c.c.NoContent(nethttp.StatusNoContent)
}
