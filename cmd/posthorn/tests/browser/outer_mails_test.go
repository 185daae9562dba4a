package browser

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
)

// asks reports whether a pass is for a decision.
func asks(f pass.Facts, o domain.Open) bool {
	return f.Purpose == pass.Play && f.Seat == o.Seat && f.Kind == o.Kind && f.Serial == o.Serial && f.Since == o.Since
}

// passIn reads the pass in an address.
func (m *byMail) passIn(address string) (pass.Facts, bool) {
	_, rest, ok := strings.Cut(address, "/p/")
	if !ok {
		return pass.Facts{}, false
	}
	token, _, _ := strings.Cut(strings.FieldsFunc(rest, func(r rune) bool {
		return strings.ContainsRune(`?#/"'&`, r)
	})[0], " ")
	f, err := m.passes.Read(token, time.Now())
	return f, err == nil
}

// asked reports whether the open page asks for a decision: the page of its pass, or the table's, reached by a press
// whose move led to the decision.
func (m *byMail) asked(o domain.Open) bool {
	m.t.Helper()
	address := m.url()
	if f, ok := m.passIn(address); ok {
		return asks(f, o)
	}
	look := m.look()
	if !strings.Contains(address, "/t/") || !look.Table.Places[o.Seat].Holds(m.at) {
		return false
	}
	rec, err := events.LoadOne(context.Background(), m.offline.Log, look.LineName, o.Since)
	require.NoError(m.t, err)
	cause, err := events.ReadMeta(&rec)
	require.NoError(m.t, err)
	return cause.By == m.at
}

// openMail opens the mail that asks for a decision.
func (m *byMail) openMail(o domain.Open) {
	m.t.Helper()
	id := m.mailFor(o)
	m.at = m.person[id]
	m.open(m.p.Base + "/mailbox/" + id + "/html")
}

// mailFor waits for the mail that asks for a decision.
func (m *byMail) mailFor(o domain.Open) string {
	m.t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(10 * time.Millisecond) {
		if id, ok := m.link[o]; ok {
			return id
		}
		for _, id := range m.p.Mails() {
			if m.read[id] {
				continue
			}
			m.read[id] = true
			for _, l := range anyLink.FindAllString(m.p.Get("/mailbox/"+id+"/html"), -1) {
				if f, ok := m.passIn(l); ok && f.Purpose == pass.Play {
					m.link[domain.Open{Decision: domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial},
						Since: f.Since}] = id
					m.person[id] = f.Person
					break
				}
			}
		}
	}
	m.t.Fatalf("no mail for %+v: %s\n%s", o, m.p.Log, m.queue())
	return ""
}

// queue describes the latest mails in the program's queue, for messages about a missing mail.
func (m *byMail) queue() string {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.data, "mail.db")+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return err.Error()
	}
	defer func() { _ = db.Close() }() // only read
	rows, err := db.Query(`SELECT pos || ': ' || kind || ' ' || decision || ' since ' || since || ' ' || state || ' ' || coalesce(note, '') || ', ' || (due - made)
		FROM outbox, checkpoint ORDER BY id DESC LIMIT 12`)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = rows.Close() }() // only read
	out := time.Now().String()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err.Error()
		}
		out += "\n" + line
	}
	last, err := m.offline.Log.Last(context.Background())
	return fmt.Sprintf("%s\nthe log is at %d, %v %v", out, last, err, rows.Err())
}
