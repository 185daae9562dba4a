package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	nethttp "net/http"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
)

// A page that somebody looks at answers what its stream asks from time to time: so its reader is known to be there, and
// to see what happens. A page that is hidden has no stream, and one that hears nothing answers nothing. This is kept in
// memory alone: after a restart, and where another server takes over, pages are asked anew as they come back.

// comingBack is how long pages have to come back after a start: they try it every three seconds.
const comingBack = 10 * time.Second

// leastPatience is the least time for which being at a page counts; with less, nobody is asked.
const leastPatience = time.Second

// chair is somebody's place at a table.
type chair struct {
	table events.Name
	who   domain.PersonID
}

// presence says when somebody was at a table's page.
type presence struct {
	heard time.Time
	lent  time.Time // when what the letter is about came up that lent them the seat; zero for a session
}

// asking returns how often a page is asked whether it is looked at; 0 for never.
func (h *Hub) asking(v *door.Visit, table *domain.Table) time.Duration {
	if v.Door != domain.DoorPage || h.parts.Patience < leastPatience || !table.Knows(v.Me) {
		return 0
	}
	return min(liveHeartbeat, h.parts.Patience*2/5)
}

// Answer takes a page's answer that it is looked at, if it shows the table as its reader sees it.
func (h *Hub) Answer(v *door.Visit) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if h.asking(v, look.Table) > 0 && v.FormValue("who") == v.Mark() {
		at := presence{heard: v.Now()}
		if v.Seated {
			at.lent = door.CameUp(v.Loans().Letter())
		}
		h.mu.Lock()
		maps.DeleteFunc(h.here, func(_ chair, p presence) bool { return h.left(p).Before(at.heard) })
		h.here[chair{v.Table, v.Me}] = at
		h.mu.Unlock()
	}
	return v.NoContent(nethttp.StatusNoContent)
}

// left returns when somebody counts as gone from a page.
func (h *Hub) left(p presence) time.Time { return p.heard.Add(h.parts.Patience) }

// Here returns until when somebody is taken to be at a table's page; zero if they are not. Who is there by a lent seat
// is there as long as that: what others ask of them then takes a new letter. Just after a start nobody knows who sees
// what happened before it.
func (h *Hub) Here(ctx context.Context, id domain.PersonID, table events.Name) (until time.Time, err error) {
	h.mu.Lock()
	p, known := h.here[chair{table, id}]
	h.mu.Unlock()
	if !known {
		return h.unheard(ctx, table)
	}
	if !h.left(p).After(h.parts.Now()) {
		return until, nil
	}
	if !p.lent.IsZero() {
		look, err := h.parts.Desk.Glance(ctx, table)
		if err != nil {
			return until, fmt.Errorf("who is at a table: %w", err)
		}
		if over, err := h.parts.Desk.Called(ctx, look, id, p.lent); err != nil || over {
			return until, err
		}
	}
	return h.left(p), nil
}

// unheard returns until when it is unknown who sees what a table asks: until pages have come back after the start, if
// nothing has happened there since. It is zero if they had time.
func (h *Hub) unheard(ctx context.Context, table events.Name) (until time.Time, err error) {
	back := h.began.Add(min(comingBack, h.parts.Patience/2))
	if h.parts.Patience < leastPatience || h.parts.Follower == nil || !back.After(h.parts.Now()) {
		return until, nil
	}
	look, err := h.parts.Desk.Glance(ctx, table)
	switch {
	case errors.Is(err, events.ErrNoStream) || errors.As(err, new(*desk.Unreadable)):
		return until, nil
	case err != nil:
		return until, err
	}
	since := func(stream events.Name, version uint64) bool {
		var rec events.Record
		if err == nil {
			rec, err = events.LoadOne(ctx, h.parts.Desk.Log(), stream, version)
		}
		return err != nil || rec.At.After(h.began)
	}
	if since(table, look.Table.Version) || look.Line != nil && since(look.LineName, look.Line.Version) {
		return until, err
	}
	return back, nil
}
