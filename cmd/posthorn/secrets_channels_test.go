package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// asks sends a request to a house and gives the whole answer, head and body.
func (h *twinHouse) asks(method, path string, body io.Reader, change ...func(*nethttp.Request)) (int, []byte) {
	h.t.Helper()
	r := httptest.NewRequest(method, path, body)
	r.Host = "localhost:8080"
	for _, f := range change {
		f(r)
	}
	rec := httptest.NewRecorder()
	h.server.ServeHTTP(rec, r)
	var out bytes.Buffer
	_, _ = fmt.Fprintln(&out, rec.Code)
	require.NoError(h.t, rec.Header().Write(&out))
	_, _ = out.WriteString("\n")
	_, _ = rec.Body.WriteTo(&out)
	return rec.Code, out.Bytes()
}

// browsing is a request of somebody's browser; nobody's if they are nobody.
func browsing(p somebody) func(*nethttp.Request) {
	return func(r *nethttp.Request) {
		if p.session != "" {
			r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: p.session})
		}
		if r.Method == nethttp.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
	}
}

// calling is a request of somebody's program.
func calling(p somebody) func(*nethttp.Request) {
	return func(r *nethttp.Request) {
		if p.token != "" {
			r.Header.Set("Authorization", "Bearer "+p.token)
		}
		r.Header.Set("Content-Type", "application/json")
	}
}

// alike asks both houses the same and compares the answers.
func (w *twins) alike(method, path, body string, change ...func(*nethttp.Request)) int {
	w.t.Helper()
	if len(w.alarms) > 0 {
		return nethttp.StatusTeapot // enough is known
	}
	status, a := w.a.asks(method, path, strings.NewReader(body), change...)
	_, b := w.b.asks(method, path, strings.NewReader(body), change...)
	w.same(method+" "+path+" "+body, a, b)
	if status >= 500 || method == nethttp.MethodGet && (status == 400 || status == 429) {
		require.Fail(w.t, "a broken answer", "%s: %s %s: %s", w.where, method, path, a)
	}
	return status
}

var parameter = regexp.MustCompile(`:\w+`)

// compares everything that the houses say to the viewer about the table as it stands.
func (w *twins) compares() {
	w.t.Helper()
	w.report.compared++
	if w.differ() {
		w.report.differed++
	}
	for _, h := range w.both() {
		last, err := h.log.Last(h.ctx)
		require.NoError(w.t, err)
		require.NoError(w.t, h.lists.Await(h.ctx, last))
	}
	w.comparesLogs()
	w.comparesPages()
	w.comparesPasses()
	w.comparesMails()
	w.comparesStream()
}

// comparesLogs holds the table's own streams, as whoever may subscribe or has a backup sees
// them: what is public, and who may read what.
func (w *twins) comparesLogs() {
	w.t.Helper()
	show := func(h *twinHouse) []byte {
		recs, err := h.log.Load(h.ctx, w.table, 0, 0)
		require.NoError(w.t, err)
		played, err := h.log.Load(h.ctx, w.line, 0, 0)
		require.NoError(w.t, err)
		recs = append(recs, played...)
		var out bytes.Buffer
		for i := range recs {
			r := &recs[i]
			_, _ = fmt.Fprintln(&out, r.Stream, r.Version, r.Command, r.Type, string(r.Meta), string(r.Data))
			for _, p := range r.Parts {
				_, _ = fmt.Fprintln(&out, p.To)
			}
		}
		return out.Bytes()
	}
	w.same("the log", show(w.a), show(w.b))
}

// comparesPages asks for every address of the house that shows something of a table, as its
// routes name them: pages and API, present and past.
func (w *twins) comparesPages() {
	w.t.Helper()
	past := 1 + w.rnd.Uint64N(w.la.Version)
	values := map[string]string{":table": w.table.String(), ":line": w.line.String(), ":version": strconv.FormatUint(w.la.Version, 10), ":game": w.la.Rulebook.Name()}
	query := "?line=" + w.line.String() + "&version=" + strconv.FormatUint(past, 10)
	for _, route := range w.a.server.Echo().Routes() {
		if route.Method != nethttp.MethodGet || strings.Contains(route.Path, "/live") || strings.ContainsAny(route.Path, "*") {
			continue
		}
		if missing := parameter.FindAllString(route.Path, -1); strings.Contains(route.Path, ":token") || strings.Contains(route.Path, ":digest") || len(missing) == 0 && route.Path != "/" && !strings.HasSuffix(route.Path, "/inbox") {
			continue
		}
		if w.thin && w.rnd.IntN(2) == 0 {
			continue
		}
		path := parameter.ReplaceAllStringFunc(route.Path, func(name string) string { return values[name] })
		as := browsing(w.me)
		if strings.HasPrefix(path, "/api/") && w.rnd.IntN(2) == 0 {
			as = calling(w.me)
		}
		switch {
		case strings.HasSuffix(path, "/picture.png"):
			w.alike("GET", path+"?width="+strconv.Itoa(picture.Widths[0])+"&scale=1", "", as)
		case strings.HasSuffix(path, "/picture.svg"), strings.HasSuffix(path, "/branch"), strings.HasSuffix(path, "/jump"):
			w.alike("GET", path, "", as)
			w.alike("GET", path+query, "", as)
		case strings.HasSuffix(path, "/rewind"):
			w.alike("GET", path+"?to="+strconv.FormatUint(past, 10), "", as)
		case strings.Contains(route.Path, ":version"):
			w.alike("GET", path, "", as)
			w.alike("GET", strings.TrimSuffix(path, values[":version"])+strconv.FormatUint(past, 10), "", as)
		default:
			w.alike("GET", path, "", as)
		}
	}
	home := "/t/" + w.table.String()
	for _, q := range append(w.choices(), "hint=1", "board=whole&aids=off", "seat=1", "m="+url.QueryEscape(w.any()), "m="+url.QueryEscape(w.any())) {
		if w.rnd.IntN(2) == 0 {
			w.alike("GET", home+"?"+q, "", browsing(w.me))
		}
	}
}

// any move that was legal somewhere, in notation.
func (w *twins) any() string {
	if len(w.pool) == 0 {
		return "end"
	}
	return w.pool[w.rnd.IntN(len(w.pool))]
}

// choices are queries that choose what the viewer may choose, step by step.
func (w *twins) choices() []string {
	m, err := w.a.composer.Maker.Turn(w.a.ctx, w.table, turn.Asker{Person: w.me.id, Seat: w.viewer.Seat(), Lang: w.me.lang})
	require.NoError(w.t, err)
	if m.Decision == nil {
		return nil
	}
	var out []string
	q := url.Values{}
	for c := m.Choose(nil); len(c.Options) > 0 && len(out) < 4; c = m.Choose(q["c"]) {
		q.Add("c", c.Options[w.rnd.IntN(len(c.Options))].Key)
		out = append(out, q.Encode())
	}
	return out
}

// comparesPasses looks at the table by the links of mails: to look, and for whatever is asked of
// the viewer.
func (w *twins) comparesPasses() {
	w.t.Helper()
	if w.viewer < 0 {
		return
	}
	look, err := w.a.composer.Passes.Visit(w.a.ctx, w.me.id, w.table)
	require.NoError(w.t, err)
	tokens := []string{look}
	wanted, err := w.a.notifier.Wanted(w.a.ctx, w.table)
	require.NoError(w.t, err)
	for _, n := range wanted {
		if n.Person == w.me.id {
			token, err := w.a.composer.Passes.Act(w.a.ctx, n)
			require.NoError(w.t, err)
			tokens = append(tokens, token)
		}
	}
	for _, token := range tokens {
		w.alike("GET", "/p/"+token, "", browsing(somebody{}))
	}
}

// comparesMails composes every mail that the table calls for to the viewer.
func (w *twins) comparesMails() {
	w.t.Helper()
	show := func(h *twinHouse) []byte {
		var out bytes.Buffer
		wanted, err := h.notifier.Wanted(h.ctx, w.table)
		require.NoError(w.t, err)
		for i, n := range wanted {
			if n.Person != w.me.id || w.viewer < 0 {
				continue // whom else the house writes to is not told: they may have given orders
			}
			_, _ = fmt.Fprintln(&out, n.Kind, n.Person, n.Table, n.Stream, n.Open, n.Head)
			made, err := h.composer.Compose(h.ctx, mail.Letter{ID: int64(i), Notice: n, Made: still()})
			require.NoError(w.t, err)
			_, _ = fmt.Fprintln(&out, made.To, made.MessageID, made.Subject, len(made.Message))
			_, _ = out.Write(made.Message)
		}
		return out.Bytes()
	}
	w.same("the mails", show(w.a), show(w.b))
}

// listening is the writer of a live stream: it keeps what it is given, and tells of it.
type listening struct {
	mu     sync.Mutex
	header nethttp.Header
	text   bytes.Buffer
	heard  chan struct{}
}

func (l *listening) Header() nethttp.Header           { return l.header }
func (l *listening) WriteHeader(int)                  {}
func (l *listening) Flush()                           {}
func (l *listening) SetWriteDeadline(time.Time) error { return nil }
func (l *listening) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.text.Write(b)
	select {
	case l.heard <- struct{}{}:
	default:
	}
	return n, err
}

func (l *listening) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// listens opens a live stream; stop ends it and gives all that was heard.
func (h *twinHouse) listens(path string, as func(*nethttp.Request)) (l *listening, stop func() []byte) {
	ctx, cancel := context.WithCancel(h.ctx)
	l = &listening{header: nethttp.Header{}, heard: make(chan struct{}, 1)}
	r := httptest.NewRequestWithContext(ctx, "GET", path, nil)
	r.Host = "localhost:8080"
	as(r)
	r.Header.Set("Accept", "text/event-stream")
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.server.ServeHTTP(l, r)
	}()
	return l, func() []byte {
		cancel()
		<-done
		var out bytes.Buffer
		require.NoError(h.t, l.header.Write(&out))
		_, _ = out.WriteString(l.String())
		return out.Bytes()
	}
}

// until waits for a piece of text in a stream.
func (l *listening) until(text string) {
	for !strings.Contains(l.String(), text) {
		<-l.heard
	}
}

func (w *twins) comparesStream() {
	w.t.Helper()
	path, as := "/t/"+w.table.String()+"/live", browsing(w.me)
	if w.rnd.IntN(2) == 0 {
		path, as = "/api/v1/tables/"+w.table.String()+"/live", calling(w.me)
	}
	var heard [2][]byte
	for i, h := range w.both() {
		l, stop := h.listens(path, as)
		l.until("data:")
		heard[i] = stop()
	}
	w.same("GET "+path, heard[0], heard[1])
}

// refused sends moves of the viewer that were legal somewhere, by the doors in turn, and holds
// that both houses answer alike. True: one was accepted, and both tables have moved on.
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

// sends a move by one of the doors.
func (w *twins) sends(o domain.Open, move string, door int) int {
	w.t.Helper()
	id := events.Derive("door", w.line[:], fmt.Append(nil, w.la.Version, move, door)).String()
	if door%2 == 0 {
		body := asText(w.t, map[string]any{"id": id, "line": w.line, "move": move,
			"decision": map[string]any{"seat": o.Seat, "kind": o.Kind, "serial": o.Serial, "since": o.Since}})
		return w.alike("POST", "/api/v1/tables/"+w.table.String()+"/moves", body, calling(w.me))
	}
	form := url.Values{"id": {id}, "line": {w.line.String()}, "move": {move}, "seat": {strconv.Itoa(int(o.Seat))}, "kind": {o.Kind},
		"serial": {strconv.Itoa(o.Serial)}, "since": {strconv.FormatUint(o.Since, 10)}}
	return w.alike("POST", "/t/"+w.table.String()+"/move", form.Encode(), browsing(w.me))
}

// orders lets somebody else order beforehand in one house, in private, and not in the other;
// the viewer orders the same in both, if they can.
func (w *twins) orders() {
	w.t.Helper()
	rb, ok := w.la.Rulebook.(domain.OrderForms)
	if !ok || w.ordered {
		return
	}
	w.ordered = true
	other := domain.Seat(w.rnd.IntN(len(w.seats)))
	if domain.ViewOf(other) == w.viewer {
		other = (other + 1) % domain.Seat(len(w.seats))
	}
	give := func(h *twinHouse, seat domain.Seat, list []string) {
		id := events.Derive("orders", w.line[:], []byte{byte(seat)})
		_, err := h.desk.SetOrders(h.ctx, events.Actor{Person: w.seats[seat].id, Door: "page"}, w.table, seat, id, 0, list, nil)
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

// someOrders are orders that a seat can put together on its page.
func (w *twins) someOrders(rb domain.OrderForms, seat domain.Seat) []string {
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
		if _, err := w.la.Rulebook.(domain.StandingOrders).ReadOrder(text, nil); err == nil && len(out) < 3 {
			out = append(out, text)
		}
	}
	return out
}

// moves plays a move of the viewer at a door of each house, whoever listens hearing of it. False
// says that it came to something that the viewer can tell apart, and may: the twins part here.
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
			require.Fail(w.t, "a legal move is refused", "%s: %s: %d", w.where, move, status)
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

// settles takes up what was played at the doors. False: it tells the viewer the twins apart.
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

// branches makes a study of the moment in both houses, by the viewer, and compares what they
// see of it.
func (w *twins) branches() {
	w.t.Helper()
	seats := make([]map[string]any, 0, 4)
	for range w.seats {
		seats = append(seats, map[string]any{"kind": "me"})
	}
	version := 1 + w.rnd.Uint64N(w.la.Version)
	id := events.Derive("study", w.line[:], fmt.Append(nil, w.la.Version))
	body := asText(w.t, map[string]any{"id": id.String(), "line": w.line, "version": version, "kind": "study", "pace": "weekly", "seats": seats})
	status := w.alike("POST", "/api/v1/tables/"+w.table.String()+"/branch", body, calling(w.me))
	require.Equal(w.t, 201, status, w.where)
	table, ok, err := w.a.desk.Opened(w.a.ctx, w.me.id, id)
	require.NoError(w.t, err)
	require.True(w.t, ok)
	for i := range seats {
		join := asText(w.t, map[string]any{"id": events.Derive("study join", table[:], []byte{byte(i)}), "seat": i, "chance": "sixteen bytes or more"})
		w.alike("POST", "/api/v1/tables/"+table.String()+"/join", join, calling(w.me))
	}
	for _, h := range w.both() {
		_, err := h.desk.Chores(h.ctx, table)
		require.NoError(w.t, err)
	}
	study := *w
	study.table = table
	study.viewer = 0 // their first seat of them all
	study.where += fmt.Sprintf(", in a study from version %d", version)
	study.looks()
	study.comparesLogs()
	study.comparesPages()
	study.comparesMails()
	w.alarms = study.alarms
	w.report.studied++
}
