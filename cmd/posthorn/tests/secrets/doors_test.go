package secrets

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// refused sends moves of the viewer that were legal somewhere, through the doors in turn, and checks that both houses
// answer alike. It returns true if one was accepted, and both tables have moved on.
func (w *twins) refused(n int) bool {
	w.t.Helper()
	open := w.la.Awaited()
	if w.viewer < 0 || len(open) == 0 {
		return false
	}
	for i := range n {
		o := open[w.rnd.IntN(len(open))]
		for _, mine := range open {
			if domain.ViewOf(mine.Seat) == w.viewer && i > 0 {
				o = mine
			}
		}
		if w.sends(o, w.any(), i) < 400 {
			return true
		}
		w.report.refusals++
	}
	return false
}

// sends sends a move through one of the doors.
func (w *twins) sends(o domain.Open, move string, door int) int {
	w.t.Helper()
	id := events.Derive("door", w.line[:], fmt.Append(nil, w.la.Version, move, door)).String()
	if door%2 == 0 {
		body := asText(w.t, map[string]any{"id": id, "line": w.line, "move": move,
			"decision": map[string]any{"seat": o.Seat, "kind": o.Kind, "serial": o.Serial, "since": o.Since}})
		return w.alike("POST", "/api/v1/tables/"+w.table.String()+"/moves", body, calling(w.me))
	}
	form := url.Values{"id": {id}, "line": {w.line.String()}, "move": {move}, "seat": {strconv.Itoa(int(o.Seat))},
		"kind":   {o.Kind},
		"serial": {strconv.Itoa(o.Serial)}, "since": {strconv.FormatUint(o.Since, 10)}}
	return w.alike("POST", "/t/"+w.table.String()+"/move", form.Encode(), browsing(w.me))
}

// orders lets somebody else give private orders in one house and not in the other; the viewer gives the same orders in
// both, if they can.
func (w *twins) orders() {
	w.t.Helper()
	rb := w.la.Rulebook.Extras().Orders
	if rb == nil || w.ordered {
		return
	}
	w.ordered = true
	other := domain.Seat(w.rnd.IntN(len(w.seats)))
	if domain.ViewOf(other) == w.viewer {
		other = (other + 1) % domain.Seat(len(w.seats))
	}
	give := func(h *twinHouse, seat domain.Seat, list []string) {
		id := events.Derive("orders", w.line[:], []byte{byte(seat)})
		_, err := h.desk.SetOrders(h.ctx, events.Actor{Person: w.seats[seat].id, Door: "page"}, w.table, seat, id, 0,
			list, nil)
		require.NoError(w.t, err)
	}
	if list := w.someOrders(rb, other); len(list) > 0 {
		give(w.both()[w.rnd.IntN(2)], other, list)
	}
	if w.viewer >= 0 {
		list := w.someOrders(rb, w.viewer.Seat())
		give(w.a, w.viewer.Seat(), list)
		give(w.b, w.viewer.Seat(), list)
	}
	w.report.ordered++
}

// someOrders returns orders that a seat can put together on its page.
func (w *twins) someOrders(rb domain.StandingOrders, seat domain.Seat) []string {
	w.t.Helper()
	var out []string
	for _, f := range rb.OrderForms(w.la.Rulebook.View(w.la.State, domain.ViewOf(seat))) {
		text := f.Pattern
		for _, field := range f.Fields {
			value := ""
			switch {
			case field.Kind == domain.FieldSeats && len(field.Seats) > 0:
				value = field.Seats[w.rnd.IntN(len(field.Seats))].Letter()
			case len(field.Words) > 0:
				value = field.Words[w.rnd.IntN(len(field.Words))]
			}
			text = strings.ReplaceAll(text, "{"+field.Name+"}", value)
		}
		if _, err := rb.ReadOrder(text, nil); err == nil && len(out) < 3 {
			out = append(out, text)
		}
	}
	return out
}

// moves plays a move of the viewer at a door of each house, while somebody listens. It returns false if the viewer can,
// and may, tell the results apart: the twins part here.
func (w *twins) moves() bool {
	w.t.Helper()
	for _, o := range w.la.Awaited() {
		if domain.ViewOf(o.Seat) != w.viewer || len(w.alarms) > 0 {
			continue
		}
		m, ok := w.picks(w.la, o.Seat)
		if !ok || w.ordered {
			return true // an order may answer in one house and not in the other
		}
		if w.refused(3) {
			w.report.played++
			return w.settles()
		}
		if len(w.alarms) > 0 {
			return false
		}
		move := w.la.Rulebook.FormatMove(m, nil)
		la, stopA := w.a.listens("/t/"+w.table.String()+"/live", browsing(w.me))
		lb, stopB := w.b.listens("/t/"+w.table.String()+"/live", browsing(w.me))
		la.until("data:")
		lb.until("data:")
		status := w.sends(o, move, w.rnd.IntN(2))
		if status >= 400 {
			require.Fail(w.t, "a legal move is refused", "%s: %s: %d: %s", w.where, move, status, w.told)
		}
		text := fmt.Sprintf(`{"version":%d,`, w.la.Version+1)
		la.until(text)
		lb.until(text)
		w.same("the live stream", stopA(), stopB())
		w.report.played++
		return w.settles()
	}
	return true
}

// settles takes up what was played at the doors. It returns false if the viewer can tell the twins apart by it.
func (w *twins) settles() bool {
	w.t.Helper()
	var read [2]string
	for i, h := range w.both() {
		recs, err := h.log.Load(h.ctx, w.line, w.la.Version, 0)
		require.NoError(w.t, err)
		for j := range recs {
			e, _, err := events.DecodePlay(w.la.Rulebook, &recs[j], w.cast.keys, domain.Referee)
			require.NoError(w.t, err)
			read[i] += w.read(&e)
		}
	}
	w.looks()
	return read[0] == read[1]
}

// branches makes a study of the moment in both houses for the viewer, and compares what they see of it.
func (w *twins) branches() {
	w.t.Helper()
	seats := make([]map[string]any, 0, 4)
	for range w.seats {
		seats = append(seats, map[string]any{"kind": "me"})
	}
	version := 1 + w.rnd.Uint64N(w.la.Version)
	id := events.Derive("study", w.line[:], fmt.Append(nil, w.la.Version))
	body := asText(w.t, map[string]any{"id": id.String(), "line": w.line, "version": version, "kind": "study",
		"pace": "weekly", "seats": seats})
	status := w.alike("POST", "/api/v1/tables/"+w.table.String()+"/branch", body, calling(w.me))
	require.Equal(w.t, 201, status, w.where)
	table, ok, err := w.a.desk.Opened(w.a.ctx, w.me.id, id)
	require.NoError(w.t, err)
	require.True(w.t, ok)
	for i := range seats {
		join := asText(w.t, map[string]any{"id": events.Derive("study join", table[:], []byte{byte(i)}), "seat": i,
			"chance": "sixteen bytes or more"})
		w.alike("POST", "/api/v1/tables/"+table.String()+"/join", join, calling(w.me))
	}
	for _, h := range w.both() {
		_, err := h.desk.Advance(h.ctx, table)
		require.NoError(w.t, err)
	}
	study := *w
	study.table = table
	study.viewer = 0 // the first of all their seats
	study.where += fmt.Sprintf(", in a study from version %d", version)
	study.looks()
	study.comparesLogs()
	study.comparesPages()
	study.comparesMails()
	w.alarms = study.alarms
	w.report.studied++
}
