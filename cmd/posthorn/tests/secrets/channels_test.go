package secrets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// asks sends a request to a house and returns the status and the whole answer, head and body.
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

// browsing makes a request come from a person's browser; from nobody's if the person is nobody.
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

// calling makes a request come from a person's program.
func calling(p somebody) func(*nethttp.Request) {
	return func(r *nethttp.Request) {
		if p.token != "" {
			r.Header.Set("Authorization", "Bearer "+p.token)
		}
		r.Header.Set("Content-Type", "application/json")
	}
}

// alike sends both houses the same request and compares the answers.
func (w *twins) alike(method, path, body string, change ...func(*nethttp.Request)) int {
	w.t.Helper()
	if len(w.alarms) > 0 {
		return nethttp.StatusTeapot // one alarm is enough
	}
	status, a := w.a.asks(method, path, strings.NewReader(body), change...)
	_, b := w.b.asks(method, path, strings.NewReader(body), change...)
	w.same(method+" "+path+" "+body, a, b)
	if status >= 500 || method == nethttp.MethodGet && (status == 400 || status == 429) {
		require.Fail(w.t, "a broken answer", "%s: %s %s: %s", w.where, method, path, a)
	}
	w.told = a
	return status
}

var parameter = regexp.MustCompile(`:\w+`)

// compares compares everything that the houses tell the viewer about the table as it stands.
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
	w.comparesStandIns()
	w.comparesPages()
	w.sketches()
	w.comparesPasses()
	w.comparesMails()
	w.comparesStream()
}

// comparesLogs compares the table's own streams as a subscriber or a backup sees them: what is public, who may read
// what, and how long the rest is.
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
				_, _ = fmt.Fprintln(&out, p.To, len(p.Sealed))
			}
		}
		return out.Bytes()
	}
	w.same("the log", show(w.a), show(w.b))
}

// comparesPages requests every address in the house's routes that shows something of a table: pages and API, present
// and past.
func (w *twins) comparesPages() {
	w.t.Helper()
	past := 1 + w.rnd.Uint64N(w.la.Version)
	puzzle, drop := w.aPuzzle()
	defer drop()
	values := map[string]string{":puzzle": puzzle, ":table": w.table.String(), ":line": w.line.String(),
		":version": strconv.FormatUint(w.la.Version, 10), ":game": w.la.Rulebook.Name(), ":sketch": "1", ":at": "0"}
	query := "?line=" + w.line.String() + "&version=" + strconv.FormatUint(past, 10)
	for _, route := range w.a.server.Echo().Routes() {
		if route.Method != nethttp.MethodGet || strings.Contains(route.Path, "/live") ||
			strings.ContainsAny(route.Path, "*") {
			continue
		}
		if missing := parameter.FindAllString(route.Path, -1); strings.Contains(route.Path, ":token") ||
			strings.Contains(route.Path, ":digest") || len(missing) == 0 && route.Path != "/" &&
			!strings.HasSuffix(route.Path, "/inbox") {
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
		case strings.HasSuffix(path, "/picture.svg"), strings.HasSuffix(path, "/branch"),
			strings.HasSuffix(path, "/jump"), strings.HasSuffix(path, "/puzzle"):
			w.alike("GET", path, "", as)
			w.alike("GET", path+query, "", as)
		case strings.HasSuffix(path, "/rewind"):
			w.alike("GET", path+"?to="+strconv.FormatUint(past, 10), "", as)
		case strings.Contains(route.Path, ":version"):
			w.alike("GET", path, "", as)
			w.alike("GET", strings.TrimSuffix(path, values[":version"])+strconv.FormatUint(past, 10), "", as)
			// asking for somebody's knowledge, before anybody may
			w.alike("GET", path+"?as="+strconv.Itoa(w.rnd.IntN(len(w.seats)+1)-1), "", as)
		default:
			w.alike("GET", path, "", as)
		}
	}
	home := "/t/" + w.table.String()
	for _, q := range append(w.choices(), "hint=1", "board=whole&aids=off", "seat=1", "m="+url.QueryEscape(w.any()),
		"m="+url.QueryEscape(w.any())) {
		if w.rnd.IntN(2) == 0 {
			w.alike("GET", home+"?"+q, "", browsing(w.me))
		}
	}
}

// aPuzzle stores a puzzle at the viewer's present position, which nobody can make yet; drop removes it after the
// requests. Until the game is over, it must seem not to exist.
func (w *twins) aPuzzle() (name string, drop func()) {
	w.t.Helper()
	p := people.Puzzle{Table: w.table.String(), Line: w.line.String(), Version: w.la.Version,
		Seat: max(w.viewer.Seat(), 0), Title: "x", Solutions: []string{w.any()}}
	of := w.seats[0]
	id, err := w.cast.people.AddPuzzle(w.a.ctx, of.id, p)
	require.NoError(w.t, err)
	if status := w.alike("GET", "/puzzle/"+id.String(), "", browsing(w.me)); len(w.alarms) == 0 {
		require.Equal(w.t, nethttp.StatusNotFound, status, "%s: a puzzle of a game that goes on", w.where)
	}
	return id.String(), func() { require.NoError(w.t, w.cast.people.DropPuzzle(w.a.ctx, of.id, id)) }
}

// any returns a move that was legal somewhere, in notation.
func (w *twins) any() string {
	if len(w.pool) == 0 {
		return "end"
	}
	return w.pool[w.rnd.IntN(len(w.pool))]
}

// choices returns queries that choose what the viewer may choose, step by step.
func (w *twins) choices() []string {
	m, err := w.a.composer.Maker.Turn(w.a.ctx, w.table,
		turn.Asker{Person: w.me.id, Seat: w.viewer.Seat(), Lang: w.me.lang})
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

// comparesPasses looks at the table through the links of mails: for everything asked of the viewer.
func (w *twins) comparesPasses() {
	w.t.Helper()
	if w.viewer < 0 {
		return
	}
	var tokens []string
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

// comparesMails composes everything that the table may write to the viewer: the mails it calls for, answers to their
// mails, news of what others did, all of it as one mail, and what is posted to their webhooks.
func (w *twins) comparesMails() {
	w.t.Helper()
	if w.viewer < 0 {
		return
	}
	more := w.rnd.IntN(3) // of several looks, each takes one more sort
	show := func(h *twinHouse) []byte {
		var out bytes.Buffer
		var mine []mail.Notice
		wanted, err := h.notifier.Wanted(h.ctx, w.table)
		require.NoError(w.t, err)
		for _, n := range wanted {
			if n.Person == w.me.id { // it is not shown whom else the house writes to: they may have given orders
				mine = append(mine, n)
			}
		}
		letters, news := slices.Clone(mine), w.news(h)
		if more == 0 || !w.thin {
			letters = append(letters, w.answer(mine)...)
		}
		if more == 1 || !w.thin {
			letters = append(letters, news...)
		}
		if more == 2 || !w.thin {
			bundle, err := json.Marshal(append(slices.Clone(mine), news...))
			require.NoError(w.t, err)
			letters = append(letters, mail.Notice{Kind: mail.KindDigest, Person: w.me.id, Secret: bundle})
		}
		for i, n := range letters {
			_, _ = fmt.Fprintln(&out, n.Kind, n.Person, n.Table, n.Stream, n.Open, n.Head)
			made, err := h.composer.Compose(h.ctx, mail.Letter{ID: int64(i), Notice: n, Made: still()})
			w.mails(n, err)
			_, _ = fmt.Fprintln(&out, err, made.To, made.MessageID, made.Subject, len(made.Message))
			_, _ = out.Write(made.Message)
		}
		for _, n := range append(mine, news...) {
			body, err := h.composer.ComposeCall(h.ctx, mail.Call{Notice: n, Made: still()})
			w.mails(n, err)
			_, _ = fmt.Fprintf(&out, "%v %s\n", err, body)
		}
		return out.Bytes()
	}
	w.same("the mails", show(w.a), show(w.b))
}

// mails records that a letter was written, or that there was nothing to say; any other error is a fault.
func (w *twins) mails(n mail.Notice, err error) {
	w.t.Helper()
	if err != nil && n.Kind != mail.KindNews && n.Kind != mail.KindDigest {
		require.NoError(w.t, err, "%s: %s", w.where, n.Kind)
	}
	if err == nil {
		w.report.written[n.Kind]++
	}
}

// answer returns the letter that answers the viewer's mail about what is asked of them, or about their seat.
func (w *twins) answer(mine []mail.Notice) (out []mail.Notice) {
	text, err := json.Marshal(mail.Answer{Headline: "Nothing was played.",
		Lines: []string{"It is not that turn any more."}, Message: "x@example.org"})
	require.NoError(w.t, err)
	n := mail.Notice{Kind: mail.KindReply, Person: w.me.id, Table: w.table, Stream: w.line, Secret: text,
		Head: events.Hash{1}}
	n.Open.Seat = w.viewer.Seat()
	for _, asked := range mine {
		if asked.Kind == mail.KindTurn {
			n.Open = asked.Open
			asked.Secret = text // their own move has brought it up: one letter says both
			out = append(out, asked)
		}
	}
	return append(out, n)
}

// news returns a notice of the latest event at the table.
func (w *twins) news(h *twinHouse) (out []mail.Notice) {
	look, err := h.desk.Look(h.ctx, w.table)
	require.NoError(w.t, err)
	for v := look.Table.Version; v > 1 && len(out) < 3; v-- {
		n := mail.Notice{Kind: mail.KindNews, Person: w.me.id, Table: w.table, Stream: w.table,
			Head: events.Hash(stillHash("hash", w.table, v))}
		n.Open.Seat, n.Open.Kind, n.Open.Since = w.viewer.Seat(), string(mail.KindNews), v
		out = append(out, n)
	}
	return out
}
