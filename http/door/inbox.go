package door

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// Inbox is what awaits somebody, and their other games.
type Inbox struct {
	Awaits, Invited, Others, Ended []InboxRow
	Shared                         []SharedRow
	// of the tables that have not ended: how many come before these, and before the next part (0 if there is none), and
	// how many follow these
	From, Next, More int
}

// InboxRow is a table in an inbox.
type InboxRow struct {
	Table    events.Name
	Game     string // its word
	Version  uint64 // of its main line; 0 before it has begun
	Title    string
	Sentence string
	Since    time.Time
	Due      time.Time // of what awaits the reader; zero if there is no deadline
	When     string    // the same, in words
	Study    bool      // a study, which neither its title nor Trial says
	Trial    bool      // a study of the reader's alone: nobody is waiting there
}

// seenTime is how long a page waits for the views to catch up with what was just written.
const seenTime = 500 * time.Millisecond

// Inbox lists the reader's tables as they stand. Of those that have not ended it returns up to most (0: all),
// starting at from, those waiting for the reader first. The first part also has the latest that ended.
func (v Lists) Inbox(from, most int) (*Inbox, error) {
	if err := v.Seen(); err != nil {
		return nil, err
	}
	part, err := v.Views.Part(v.Ctx(), v.Me, max(from, 0), most, mostEnded)
	if err != nil {
		return nil, err
	}
	box := &Inbox{From: min(max(from, 0), part.Total)}
	if next := box.From + len(part.Live); next < part.Total {
		box.Next, box.More = next, part.Total-next
	}
	listed := part.Live
	if box.From == 0 {
		listed = append(listed, part.Ended...)
	}
	for _, it := range listed { // a table that the views have not seen end yet is listed as it stands
		if err := v.sort(box, it); err != nil {
			return nil, err
		}
	}
	if box.From == 0 {
		if box.Shared, err = v.Studies().sharedTo(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(box.Awaits, func(a, b InboxRow) int { // least time left first
		switch {
		case a.Due.IsZero() || b.Due.IsZero():
			return cmp.Compare(b.Due.Unix(), a.Due.Unix())
		default:
			return a.Due.Compare(b.Due)
		}
	})
	return box, nil
}

// All returns the reader's tables as the views have them, after a short wait for the views to catch up.
func (v Lists) All() ([]views.Item, error) {
	if err := v.Seen(); err != nil {
		return nil, err
	}
	return v.Views.Inbox(v.Ctx(), v.Me)
}

// Seen waits briefly until the views have seen everything in the log. A late view is shown as it is; Seen returns an
// error only if the reader has left or the log cannot be read.
func (v Lists) Seen() error {
	last, err := v.Desk.Log().Last(v.Ctx())
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(v.Ctx(), seenTime)
	defer stop()
	if err := v.Views.Await(ctx, last); err != nil && v.Ctx().Err() != nil {
		return err
	}
	return nil
}

// mostEnded is how many finished games the inbox shows, latest first.
const mostEnded = 30

// sort puts a table where it belongs in the inbox. It asks the table itself whether something is still awaited.
func (v Lists) sort(box *Inbox, it views.Item) error {
	m, err := v.Listed(it.Table)
	if err != nil {
		return err
	}
	if m == nil {
		box.Others = append(box.Others,
			InboxRow{Table: it.Table, Game: it.Rulebook, Title: v.Book.Printer(v.Lang, it.Rulebook, nil).Text("name"),
				Sentence: v.T("page.error.unreadable"), Since: it.Moved})
		return nil
	}
	row := InboxRow{Table: it.Table, Game: it.Rulebook, Version: it.Version, Title: m.Title, Sentence: m.Sentence,
		Since: it.Moved}
	if study := m.Branch != nil && m.Branch.Kind == "study"; study {
		row.Trial = m.Status != domain.TableEnded && m.Alone()
		row.Study = !row.Trial && m.Sole() == nil
	}
	switch {
	case m.Status == domain.TableEnded:
		row.Sentence = append(m.Result, m.Sentence)[0] // how it ended, in one line
		box.Ended = append(box.Ended, row)
	case m.Asked(desk.AskInvitation):
		box.Invited = append(box.Invited, row)
	case m.Asked(desk.AskTurn, desk.AskConsent):
		if len(it.Awaited) > 0 {
			row.Since = it.Awaited[0].At
		}
		if row.Due = DueOf(m); !row.Due.IsZero() {
			row.When = m.Time.Lines[0]
		}
		box.Awaits = append(box.Awaits, row)
	default:
		box.Others = append(box.Others, row)
	}
	return nil
}

// Listed returns a listed table as the reader may know it, or nil if it cannot be read.
func (v Lists) Listed(table events.Name) (*turn.Model, error) {
	m, err := v.Maker.Listed(v.Ctx(), table, turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang, Zone: v.Zone})
	if errors.As(err, new(*desk.Unreadable)) {
		return nil, nil
	}
	return m, err
}
