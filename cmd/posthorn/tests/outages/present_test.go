package outages

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/people"
)

// present is somebody at a table's page, on one machine of a house: their page answers what its stream asks, and opens
// another stream when one ends.
type present struct {
	k       *keptByTwo
	at      *machine
	session string
	table   string
	heard   chan time.Time // when the house took an answer
}

var marked = regexp.MustCompile(` data-here="([^"]+)"`)

// stays is there until the context ends.
func (p *present) stays(ctx context.Context) {
	for ctx.Err() == nil {
		p.listens(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (p *present) asks(ctx context.Context, method, path, body string) (*nethttp.Response, error) {
	r, err := nethttp.NewRequestWithContext(ctx, method, "http://"+p.at.listen+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Host = strings.TrimPrefix(p.k.front.URL, "http://")
	r.Header.Set("Cookie", "posthorn="+p.session)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", p.k.front.URL)
	if strings.HasSuffix(path, "/live") {
		r.Header.Set("Accept", "text/event-stream")
	}
	return nethttp.DefaultClient.Do(r)
}

func (p *present) listens(ctx context.Context) {
	page, err := p.asks(ctx, "GET", p.table, "")
	if err != nil {
		return
	}
	mark := ""
	for lines := bufio.NewScanner(page.Body); mark == "" && lines.Scan(); {
		if found := marked.FindStringSubmatch(lines.Text()); found != nil {
			mark = found[1]
		}
	}
	_ = page.Body.Close()
	if mark == "" {
		return
	}
	live, err := p.asks(ctx, "GET", p.table+"/live", "")
	if err != nil {
		return
	}
	defer func() { _ = live.Body.Close() }()
	for lines := bufio.NewScanner(live.Body); lines.Scan(); {
		if lines.Text() != "event: here" {
			continue
		}
		sent := time.Now()
		resp, err := p.asks(ctx, "POST", p.table+"/here", url.Values{"who": {mark}}.Encode())
		if err != nil {
			return
		}
		_ = resp.Body.Close()
		if resp.StatusCode != nethttp.StatusNoContent {
			return
		}
		p.heard <- sent
	}
}

// is waits until the house has heard of them twice more.
func (p *present) is() (last time.Time) {
	p.k.t.Helper()
	for range 2 {
		select {
		case last = <-p.heard:
		case <-time.After(posthorntest.Patient):
			p.k.t.Fatalf("the page is not asked: %s", p.at.Log)
		}
	}
	return last
}

// mailed counts the mails to an address.
func (k *keptByTwo) mailed(address string) (n int) {
	for _, m := range k.mailbox.Messages() {
		if m.To == address {
			n++
		}
	}
	return n
}

// Given a house on several machines, and somebody at a table's page on one of them, when a move through another asks
// them, then they are not mailed: not while the machine that writes dies and another takes over. Once the machine that
// shows them the page dies, they are mailed, as long after it was last heard as it takes to be gone.
func TestWhoIsAtAPageOfAnyMachineIsNotMailed(t *testing.T) {
	t.Parallel()
	k := &readBy{keptByTwo: newKeptByTwo(t, 1, 4*time.Second)}
	k.patience = 20 * time.Second
	a, b := k.machine("all"), k.machine("standby")
	k.reader = k.machine("reader")
	shows := k.machine("reader")
	var moved atomic.Int64
	_, callers := newCallers(t, a.data, []string{"carcassonne"}, 0, &moved, a)
	k.caller = callers[0]
	addresses, sessions := [2]string{}, [2]string{}
	for s := range sessions {
		addresses[s] = fmt.Sprintf("caller-0-%d@example.org", s)
		sessions[s] = signedIn(t, a.data, addresses[s])
	}
	require.NoError(t, house.Within(t.Context(), a.data, func(ctx context.Context, h *house.House) error {
		for _, address := range addresses {
			p, err := h.People.ByAddress(ctx, people.Address(address))
			require.NoError(t, err)
			require.NoError(t, h.People.SetMails(ctx, p.ID, "turn", true))
		}
		return nil
	}))
	for _, m := range []*machine{b, k.reader, shows} {
		a.shares(m)
	}
	a.begins()
	a.writes()
	b.begins()
	k.reader.begins()
	shows.begins()
	k.reads()
	b.standsBy()

	table, _ := k.opens("carcassonne")
	asked := k.asked(table)
	who := 1 - asked
	p := &present{k: k.keptByTwo, at: shows, session: sessions[who], table: "/t/" + table,
		heard: make(chan time.Time, 1000)}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	go p.stays(ctx)
	p.is()
	before := k.mailed(addresses[who])
	for k.asked(table) != who {
		k.moves(table)
	}
	a.until("their mail is held", func() bool {
		text, _ := posthorntest.Command(t, a.of.bin, "mail", "list", "--data", a.data)
		return strings.Contains(text, "held: at the table")
	})
	a.Kill()
	for len(p.heard) > 0 {
		<-p.heard
	}
	b.writes()
	p.is()
	require.Equal(t, before, k.mailed(addresses[who]), "they see it: %s", b.Log)
	b.until("their mail is held there", func() bool {
		text, _ := posthorntest.Command(t, a.of.bin, "mail", "list", "--data", b.data)
		return strings.Contains(text, "held: at the table")
	})

	last := p.is()
	shows.Kill()
	b.until("they are mailed", func() bool { return k.mailed(addresses[who]) > before })
	require.Greater(t, time.Since(last), k.patience)
}

// asked returns which of the two callers is asked at a table.
func (k *readBy) asked(table string) int {
	k.t.Helper()
	for late := time.Now().Add(posthorntest.Patient); time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
		for who := range k.caller.tokens {
			resp, body := k.asks(k.reader, "GET", "/api/v1/tables/"+table+"/moves?words=no", "", "Authorization",
				"Bearer "+k.caller.tokens[who])
			var l listed
			if resp.StatusCode == nethttp.StatusOK && json.Unmarshal([]byte(body), &l) == nil && len(l.Moves) > 0 {
				return who
			}
		}
	}
	k.t.Fatal("nobody is asked")
	return 0
}
