// Package live tells readers who have a table open that it has moved on: one follower of the log, and a stream of
// server-sent events for each reader.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// A live stream says that a table has moved on, never how: listeners read the page again, each as its own viewer. What
// is sent depends only on public versions.

// change says where a table stands.
type change struct {
	Version uint64 `json:"version"` // of the main line; 0 before its first event
	Table   uint64 `json:"table"`   // of the table itself
}

// id names the change in its stream. A reader who comes back with it is told what they missed.
func (p change) id() string { return fmt.Sprintf("%d-%d", p.Table, p.Version) }

const (
	liveBuffer    = 16               // changes that may wait for a slow reader; one more ends the stream
	livePerUser   = 6                // streams at once
	livePerIP     = 50               // streams at once
	liveHeartbeat = 25 * time.Second // keeps proxies from closing a quiet stream
	liveDeadline  = 10 * time.Second // for each write
	liveLasts     = time.Hour        // then the reader's browser reconnects, if it still may
)

// Hub hands out changes to listeners, with one follower of the log for all of them.
type Hub struct {
	parts  *door.Parts
	mu     sync.Mutex
	all    map[*listener]struct{}
	here   map[chair]presence
	began  time.Time
	closed bool
}

// listener is one live stream. Its channel is closed if it lags or when the house closes.
type listener struct {
	table   events.Name
	user    domain.PersonID
	ip      string
	changes chan change
}

// NewHub returns the hub for a house's live streams.
func NewHub(parts *door.Parts) *Hub {
	return &Hub{parts: parts, all: map[*listener]struct{}{}, here: map[chair]presence{}, began: parts.Now()}
}

// join adds a listener; ok is false if there are already too many.
func (h *Hub) join(table events.Name, user domain.PersonID, ip string) (l *listener, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	users, ips := 0, 0
	for l := range h.all {
		if user != "" && l.user == user {
			users++
		}
		if l.ip == ip {
			ips++
		}
	}
	if h.closed || len(h.all) >= h.parts.Streams || ips >= livePerIP || users >= livePerUser {
		return nil, false
	}
	l = &listener{table: table, user: user, ip: ip, changes: make(chan change, liveBuffer)}
	h.all[l] = struct{}{}
	return l, true
}

// leave removes a listener. It is safe to call more than once.
func (h *Hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(l)
}

func (h *Hub) drop(l *listener) {
	if _, listens := h.all[l]; listens {
		delete(h.all, l)
		close(l.changes)
	}
}

// tell hands a change to everybody at a table without waiting: it drops listeners that lag.
func (h *Hub) tell(table events.Name, p change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.all {
		if l.table != table {
			continue
		}
		select {
		case l.changes <- p:
		default:
			h.drop(l)
		}
	}
}

// heard returns the tables that have listeners.
func (h *Hub) heard() map[events.Name]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	tables := map[events.Name]bool{}
	for l := range h.all {
		tables[l.table] = true
	}
	return tables
}

// close ends every stream and allows no new ones.
func (h *Hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for l := range h.all {
		h.drop(l)
	}
}

// Run follows the log for the open pages until the context ends; then it ends every live stream too. Without a Follower
// it only waits.
func (h *Hub) Run(ctx context.Context) error {
	defer h.close()
	if h.parts.Follower == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	last, err := h.parts.Desk.Log().Last(ctx)
	if err != nil {
		return fmt.Errorf("live pages: %w", err)
	}
	return h.parts.Follower.Follow(ctx, last, h.spread)
}

// spread changes the tables that records are about.
func (h *Hub) spread(ctx context.Context, records []events.Record) error {
	heard, moved := h.heard(), map[events.Name]bool{}
	for i := range records {
		if len(heard) == 0 {
			return nil
		}
		stream, err := h.parts.Desk.Log().Stream(ctx, records[i].Stream)
		if err != nil {
			return fmt.Errorf("live pages: stream of position %d: %w", records[i].Pos, err)
		}
		// What a seat does in private is nobody else's business, not even that it did something.
		if heard[stream.Table] && (stream.Kind == events.KindTable || stream.Kind == events.KindLine) {
			moved[stream.Table] = true
		}
	}
	for table := range moved {
		p, err := h.changeOf(ctx, table)
		if errors.As(err, new(*desk.Unreadable)) {
			continue // the page will say so when it is read again
		}
		if err != nil {
			return err
		}
		h.tell(table, p)
	}
	return nil
}

// pokeOf returns where a table stands now.
func (h *Hub) changeOf(ctx context.Context, table events.Name) (change, error) {
	look, err := h.parts.Desk.Look(ctx, table)
	if err != nil {
		return change{}, fmt.Errorf("live pages: %w", err)
	}
	return change{Version: look.LineHead.Version, Table: look.TableHead.Version}, nil
}

// Serve streams a table's changes. It begins with where the table stands, unless the reader already knows; everything
// missed in between comes as one change.
func (h *Hub) Serve(v *door.Visit) error {
	if h.parts.Follower == nil {
		return events.ErrNoStream
	}
	if !strings.Contains(v.Request().Header.Get("Accept"), "text/event-stream") {
		return echo.NewHTTPError(nethttp.StatusNotAcceptable)
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	if look.Table.Private && !look.Table.Knows(v.Me) {
		return events.ErrNoStream // otherwise somebody who may only look while the table gathers would go on hearing
	}
	l, ok := h.join(v.Table, v.Me, v.Network())
	if !ok {
		return guard.Busy{Wait: time.Minute}
	}
	defer h.leave(l)
	now, err := h.changeOf(v.Ctx(), v.Table) // again, so that nothing is lost between this and listening
	if err != nil {
		return err
	}
	return stream(v, l, now, h.asking(v, look.Table))
}

// stream writes changes until the reader leaves, lags or stops reading, or the house closes. Unless asking is 0, it
// asks as often whether the page is looked at.
func stream(v *door.Visit, l *listener, now change, asking time.Duration) error {
	h := v.Response().Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	h.Set("Connection", "close") // its deadlines must not affect other requests
	v.Response().WriteHeader(nethttp.StatusOK)
	first := ": " + strconv.Itoa(int(liveHeartbeat/time.Second)) + " seconds between signs of life\nretry: 3000\n\n"
	life := ":\n\n"
	if asking > 0 {
		life = "event: here\ndata:\n\n"
		first += life
	}
	if v.Request().Header.Get("Last-Event-ID") != now.id() {
		first += now.event()
	}
	if !push(v, first) {
		return nil
	}
	beat, over := time.NewTicker(cmp.Or(asking, liveHeartbeat)), time.NewTimer(liveLasts)
	defer beat.Stop()
	defer over.Stop()
	last := now
	for {
		text := life
		select {
		case p, open := <-l.changes:
			if !open {
				return nil
			}
			if p == last {
				continue
			}
			last, text = p, p.event()
		case <-beat.C:
		case <-over.C:
			return nil
		case <-v.Ctx().Done():
			return nil
		}
		if !push(v, text) {
			return nil
		}
	}
}

// event returns the change as a server-sent event.
func (p change) event() string {
	return fmt.Sprintf("id: %s\ndata: {\"version\":%d,\"table\":%d}\n\n", p.id(), p.Version, p.Table)
}

// push writes a piece of the stream in time; it returns false if the reader is gone.
func push(v *door.Visit, text string) bool {
	control := nethttp.NewResponseController(v.Response())
	if err := control.SetWriteDeadline(time.Now().Add(liveDeadline)); err != nil {
		return false
	}
	if _, err := v.Response().Write([]byte(text)); err != nil {
		return false
	}
	return control.Flush() == nil
}
