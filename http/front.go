package http

import (
	"context"
	"errors"
	nethttp "net/http"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// inboxPage is what awaits somebody, and their other games.
type inboxPage struct {
	Awaits, Invited, Others, Ended []inboxRow
	Kind                           string // what to say where nothing awaits them
}

type inboxRow struct {
	Table    events.Name
	Title    string
	Sentence string
	Since    time.Time
}

// front is the inbox of whoever is signed in, and otherwise a welcome.
func (s *Server) front(v *visit) error {
	if !v.SignedIn() {
		return v.render(nethttp.StatusOK, "front", sheet{})
	}
	box, err := v.inbox()
	if err != nil {
		return err
	}
	return v.render(nethttp.StatusOK, "inbox", sheet{Title: v.T("page.nav.inbox"), Mine: len(box.Awaits)+len(box.Invited) > 0, Body: box})
}

// patience is how long a page waits for the views to have seen what was just written.
const patience = 500 * time.Millisecond

func (v *visit) inbox() (*inboxPage, error) {
	last, err := v.s.Desk.Log().Last(v.ctx())
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(v.ctx(), patience)
	defer stop()
	if err := v.s.Views.Await(ctx, last); err != nil && v.ctx().Err() != nil {
		return nil, err // a late view is shown as it is; a reader who left is not
	}
	items, err := v.s.Views.Inbox(v.ctx(), v.Me)
	if err != nil {
		return nil, err
	}
	box := &inboxPage{}
	for _, it := range items {
		if it.Status == domain.TableEnded && len(box.Ended) >= mostEnded {
			continue
		}
		if err := v.sort(box, it); err != nil {
			return nil, err
		}
	}
	box.Kind = v.T("page.inbox.empty")
	if len(box.Others) > 0 {
		box.Kind = v.T("page.inbox.quiet")
	}
	return box, nil
}

// mostEnded is how many finished games the inbox shows: the latest.
const mostEnded = 30

// another is the table, after this one, that has awaited the reader longest; "" if none does.
func (v *visit) another(table events.Name) (string, error) {
	items, err := v.s.Views.Inbox(v.ctx(), v.Me)
	if err != nil {
		return "", err
	}
	for _, it := range items {
		if len(it.Awaited) == 0 || it.Table == table {
			continue
		}
		m, err := v.s.Maker.Turn(v.ctx(), it.Table, turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang})
		if errors.As(err, new(*events.Unreadable)) {
			continue
		}
		if err != nil {
			return "", err
		}
		if m.Asked(events.AskTurn) {
			return tablePath(it.Table), nil
		}
	}
	return "", nil
}

// sort puts a table where it belongs in the inbox. Whether something is still awaited is
// asked of the table as it stands.
func (v *visit) sort(box *inboxPage, it views.Item) error {
	m, err := v.s.Maker.Turn(v.ctx(), it.Table, turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang})
	if errors.As(err, new(*events.Unreadable)) {
		box.Others = append(box.Others, inboxRow{Table: it.Table, Title: v.s.Book.Printer(v.Lang, it.Rulebook, nil).Text("name"),
			Sentence: v.T("page.error.unreadable"), Since: it.Moved})
		return nil
	}
	if err != nil {
		return err
	}
	row := inboxRow{Table: it.Table, Title: m.Title, Sentence: m.Sentence, Since: it.Moved}
	switch {
	case m.Status == domain.TableEnded:
		row.Sentence = v.standing(m)
		box.Ended = append(box.Ended, row)
	case m.Asked(events.AskInvitation):
		box.Invited = append(box.Invited, row)
	case m.Asked(events.AskTurn, events.AskConsent):
		if len(it.Awaited) > 0 {
			row.Since = it.Awaited[0].At
		}
		box.Awaits = append(box.Awaits, row)
	default:
		box.Others = append(box.Others, row)
	}
	return nil
}

// standing says in one line how a game ended.
func (v *visit) standing(m *turn.Model) string {
	if len(m.Result) > 0 {
		return m.Result[0]
	}
	return m.Sentence
}
