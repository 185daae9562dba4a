package api

import (
	"errors"
	nethttp "net/http"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/door"
)

func me(c *call) (any, error) {
	p, err := c.People.Person(c.Ctx(), c.Me)
	if err != nil {
		return nil, err
	}
	may := c.NewTables().MayOpen()
	if may != nil && !errors.Is(may, door.ErrInvitedOnly) {
		return nil, may
	}
	body := struct {
		Name     string     `json:"name"`
		Language string     `json:"language"`
		MayOpen  bool       `json:"may_open"`
		Token    *tokenJSON `json:"token,omitempty"`
	}{Name: p.Name, Language: p.Language, MayOpen: may == nil}
	if c.token != nil {
		t := tokenOf(*c.token)
		body.Token = &t
	}
	return body, nil
}

func games(c *call) (any, error) {
	return struct {
		Games    []door.Game `json:"games"`
		Paces    []door.Word `json:"paces"`
		TimeOuts []door.Word `json:"time_outs"`
		StandIns []door.Word `json:"stand_ins"`
	}{c.Games(), door.Words(domain.Paces, "", c.Worded("page.pace.")),
		door.Words(door.TimeOuts(), "", c.Worded("page.timeout.")),
		door.Words(domain.StandIns, "", c.Worded("page.seat.standin."))}, nil
}

// tablesJSON is a list of tables.
type tablesJSON[T any] struct {
	Tables []T `json:"tables"`
}

type rowJSON struct {
	Table    string       `json:"table"`
	Title    string       `json:"title"`
	Sentence string       `json:"sentence"`
	State    string       `json:"state"`
	Since    door.Instant `json:"since"`
	Due      time.Time    `json:"due,omitzero"`
}

func inbox(c *call) (any, error) {
	box, err := c.Lists().Inbox(0, 0)
	if err != nil {
		return nil, err
	}
	out := tablesJSON[rowJSON]{[]rowJSON{}}
	for _, part := range []struct {
		state string
		rows  []door.InboxRow
	}{{"awaits", box.Awaits}, {"invited", box.Invited}, {"waiting", box.Others}, {"ended", box.Ended}} {
		for _, r := range part.rows {
			out.Tables = append(out.Tables,
				rowJSON{r.Table.String(), r.Title, r.Sentence, part.state, door.Instant(r.Since), r.Due})
		}
	}
	for _, r := range box.Shared {
		out.Tables = append(out.Tables,
			rowJSON{r.Table.String(), r.Title, c.T("page.inbox.shared.by", "who", r.By), "shared",
				door.Instant(r.Since), r.Due})
	}
	return out, nil
}

type lobbyRow struct {
	Table string `json:"table"`
	Game  string `json:"game"`
	Title string `json:"title"`
	Seats int    `json:"seats"`
	Open  int    `json:"open"`
	Link  string `json:"link"`
}

// lobby lists the caller's tables that are still gathering. Open seats are for people who are given the table's link; a
// table whose opener has told nobody about it is in no list.
func lobby(c *call) (any, error) {
	items, err := c.Lists().All()
	if err != nil {
		return nil, err
	}
	out := tablesJSON[lobbyRow]{[]lobbyRow{}}
	for _, it := range items {
		if it.Status != domain.TableOpen {
			continue
		}
		m, err := c.Lists().Listed(it.Table)
		if err != nil {
			return nil, err
		}
		if m != nil {
			out.Tables = append(out.Tables,
				lobbyRow{it.Table.String(), it.Rulebook, m.Title, it.Seats, it.Open, c.Links.Table(it.Table)})
		}
	}
	return out, nil
}

type tokenJSON struct {
	Ref     string       `json:"ref"`
	Label   string       `json:"label"`
	Scope   string       `json:"scope"`
	Table   string       `json:"table,omitempty"`
	Created door.Instant `json:"created"`
	Expires door.Instant `json:"expires"`
}

func tokenOf(t people.Token) tokenJSON {
	out := tokenJSON{Ref: t.Ref, Label: t.Label, Scope: string(t.Scope), Created: door.Instant(t.Created),
		Expires: door.Instant(t.Expires)}
	if !t.Table.IsZero() {
		out.Table = t.Table.String()
	}
	return out
}

func tokens(c *call) (any, error) {
	list, err := c.People.Tokens(c.Ctx(), c.Me)
	return struct {
		Tokens []tokenJSON `json:"tokens"`
	}{each(list, tokenOf)}, err
}

// makeToken makes a token. Only this answer ever contains its text.
func makeToken(c *call) (any, error) {
	in := struct {
		Label string `json:"label"`
		Scope string `json:"scope"`
		Table string `json:"table"`
		Days  int    `json:"days"`
	}{Days: door.TokenDays}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	text, t, err := c.Settings().MakeToken(people.NewToken{Label: in.Label, Scope: people.Scope(in.Scope),
		Days: in.Days},
		in.Table)
	if err != nil {
		return nil, err
	}
	return nil, c.json(nethttp.StatusCreated, struct {
		Token string `json:"token"`
		tokenJSON
	}{text, tokenOf(t)})
}

func revokeToken(c *call) (any, error) {
	err := c.People.RevokeToken(c.Ctx(), c.Me, c.Param("token"))
	if errors.Is(err, people.ErrToken) {
		return nil, events.ErrNoRecord
	}
	if err != nil {
		return nil, err
	}
	return nil, c.NoContent(nethttp.StatusNoContent)
}
