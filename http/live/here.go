package live

import (
	"context"
	"fmt"
	"maps"
	nethttp "net/http"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
)

// A page that somebody looks at answers what its stream asks from time to time: so its reader is known to be there, and
// to see what happens. A page that is hidden has no stream, and one that hears nothing answers nothing. This is kept in
// memory alone: after a restart pages are asked anew.

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
// is there as long as that: what others ask of them then takes a new letter.
func (h *Hub) Here(ctx context.Context, id domain.PersonID, table events.Name) (until time.Time, err error) {
	h.mu.Lock()
	p, known := h.here[chair{table, id}]
	h.mu.Unlock()
	if !known || !h.left(p).After(h.parts.Now()) {
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
