package outages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	nethttp "net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/people"
)

// given is a command given by the API, and its outcome.
type given struct {
	id             events.CommandID
	what           string
	first          time.Time // when it was first given
	sent, answered time.Time // of the last try that was answered
	status         int       // 0 while nobody has answered
	says           string    // text of a refusal
	done           struct {
		Table, Stream events.Name
		Version       uint64
		Receipt       string
	}
}

func (g *given) acked() bool {
	return g.status == nethttp.StatusOK || g.status == nethttp.StatusCreated
}
func (g *given) refused() bool { return g.status != 0 && !g.acked() }

// ledger keeps all commands that players gave.
type ledger struct {
	mu    sync.Mutex
	given []*given
	grown chan struct{} // closed and replaced on each change
}

func newLedger() *ledger { return &ledger{grown: make(chan struct{})} }

func (l *ledger) note(g *given) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given = append(l.given, g)
	close(l.grown)
	l.grown = make(chan struct{})
}

// after waits for the first command that was sent after a moment and acknowledged, and returns how long after that
// moment its answer came. Until then it calls meanwhile again and again.
func (l *ledger) after(t *testing.T, moment time.Time, meanwhile func()) time.Duration {
	t.Helper()
	for late := time.After(posthorntest.Patient); ; {
		meanwhile()
		l.mu.Lock()
		grown, first := l.grown, time.Duration(0)
		for i := len(l.given) - 1; i >= 0; i-- { // in the order of their answers
			g := l.given[i]
			if !g.answered.After(moment) {
				break
			}
			if g.acked() && g.sent.After(moment) {
				first = g.answered.Sub(moment)
			}
		}
		l.mu.Unlock()
		if first > 0 {
			return first
		}
		select {
		case <-grown:
		case <-time.After(100 * time.Millisecond):
		case <-late:
			t.Fatalf("nothing is acknowledged after %v; the last answer: %s", moment, l.last())
		}
	}
}

// last describes the last answer.
func (l *ledger) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.given) == 0 {
		return "none"
	}
	g := l.given[len(l.given)-1]
	return fmt.Sprintf("%s: %d %s", g.what, g.status, g.says)
}

// caller plays one game after the other with two people of its own, by the API, on any machine that answers.
type caller struct {
	houses []string // their addresses
	at     int      // index of the house that answered last
	game   string
	tokens [2]string
	from   [2]string
	asked  int          // which of the two moves next, as far as is known
	table  string       // "" while it has none
	where  atomic.Value // the same, for others who give commands in its name
	think  time.Duration
	client *nethttp.Client
	rand   *rand.Rand
	ledger *ledger
	moves  *atomic.Int64
	gate   *sync.RWMutex // nil if nobody ever makes it wait between moves
}

// newCallers makes the callers' people in a house that is not running.
func newCallers(t *testing.T, data string, games []string, think time.Duration, moves *atomic.Int64,
	houses ...*machine) (*ledger, []*caller) {
	t.Helper()
	l := newLedger()
	var out []*caller
	require.NoError(t, house.Within(context.Background(), data, func(ctx context.Context, h *house.House) error {
		for i, game := range games {
			c := &caller{game: game, think: think, client: &nethttp.Client{Timeout: 1500 * time.Millisecond},
				rand: rand.New(rand.NewPCG(5, uint64(i))), ledger: l, moves: moves}
			if i == 0 {
				c.client.Timeout = posthorntest.Patient // and never gives up: somebody hears what a paused machine says
			}
			for _, m := range houses {
				c.houses = append(c.houses, "http://"+m.listen)
			}
			for s := range c.tokens {
				link, _, err := h.People.AskSignIn(ctx, people.Address(fmt.Sprintf("caller-%d-%d@example.org", i, s)),
					fmt.Sprint(i, s), "en")
				require.NoError(t, err)
				who, err := h.People.UseLink(ctx, link.Text())
				require.NoError(t, err)
				require.NoError(t, h.People.SetName(ctx, who.ID, fmt.Sprintf("Caller %d %d", i, s)))
				require.NoError(t, h.People.SetMails(ctx, who.ID, "turn", false))
				c.tokens[s], _, err = h.People.MakeToken(ctx, who.ID,
					people.NewToken{Label: "torn", Scope: people.ScopeSettings, Days: 9})
				require.NoError(t, err)
				c.from[s] = fmt.Sprintf("10.0.%d.%d", i, s)
			}
			out = append(out, c)
		}
		return nil
	}))
	return l, out
}

// call asks one machine once.
func (c *caller) call(ctx context.Context, client *nethttp.Client, house, method, path string, who int,
	id events.CommandID, in any) (status int, body []byte, err error) {
	var sent io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return 0, nil, err
		}
		sent = bytes.NewReader(b)
	}
	r, err := nethttp.NewRequestWithContext(ctx, method, house+"/api/v1"+path, sent)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.tokens[who])
	r.Header.Set("X-Forwarded-For", c.from[who])
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", id.String())
	}
	resp, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, errors.Join(err, resp.Body.Close())
}

// tries calls until there is an answer. If no machine is there, or it says that it is too early, the other machine is
// next. The status is 0 if the context ends first.
func (c *caller) tries(ctx context.Context, method, path string, who int, id events.CommandID, in any,
	trying func()) (status int, body []byte) {
	for ctx.Err() == nil {
		trying()
		status, body, err := c.call(ctx, c.client, c.houses[c.at], method, path, who, id, in)
		switch {
		case err != nil, status >= 500:
			c.at = (c.at + 1) % len(c.houses)
			time.Sleep(20 * time.Millisecond)
		case status == nethttp.StatusTooManyRequests, status == nethttp.StatusRequestTimeout:
			time.Sleep(200 * time.Millisecond)
		default:
			return status, body
		}
	}
	return 0, nil
}

// gives gives a command until it is answered.
func (c *caller) gives(ctx context.Context, path string, who int, in map[string]any) *given {
	g := &given{id: events.NewCommandID(), what: path, first: time.Now()}
	var body []byte
	g.status, body = c.tries(ctx, nethttp.MethodPost, path, who, g.id, in, func() { g.sent = time.Now() })
	g.answered = time.Now()
	if g.acked() && json.Unmarshal(body, &g.done) != nil {
		g.status = -1 // neither acknowledged nor refused, so the test fails
	}
	if g.refused() {
		g.says = string(body)
	}
	c.ledger.note(g)
	return g
}

func (c *caller) asks(ctx context.Context, path string, who int, into any) bool {
	status, body := c.tries(ctx, nethttp.MethodGet, path, who, events.CommandID{}, nil, func() {})
	return status == nethttp.StatusOK && json.Unmarshal(body, into) == nil
}

// play plays until the context ends.
func (c *caller) play(ctx context.Context) {
	for ctx.Err() == nil {
		if c.gate != nil {
			c.gate.RLock()
		}
		if c.table == "" && !c.opens(ctx) || !c.turn(ctx) {
			time.Sleep(20 * time.Millisecond)
		}
		if c.gate != nil {
			c.gate.RUnlock()
		}
		time.Sleep(c.think)
	}
}

func (c *caller) opens(ctx context.Context) bool {
	g := c.gives(ctx, "/tables", 0,
		map[string]any{"game": c.game, "pace": "weekly", "seats": []map[string]any{{"kind": "me"}, {"kind": "open"}}})
	if !g.acked() {
		return false
	}
	for s := range c.tokens {
		if !c.gives(ctx, "/tables/"+g.done.Table.String()+"/join", s,
			map[string]any{"seat": s, "chance": fmt.Sprintf("%032x", c.rand.Uint64())}).acked() {
			return false
		}
	}
	c.table, c.asked = g.done.Table.String(), 0
	c.where.Store(c.table)
	return true
}

// turn lists the moves of whoever is asked, and plays one. It returns false if nobody is asked.
func (c *caller) turn(ctx context.Context) bool {
	for range c.tokens {
		var l listed
		if !c.asks(ctx, "/tables/"+c.table+"/moves?words=no", c.asked, &l) {
			return false
		}
		if len(l.Moves) == 0 {
			c.asked = 1 - c.asked
			continue
		}
		g := c.gives(ctx, "/tables/"+c.table+"/moves", c.asked,
			map[string]any{"line": l.Line, "decision": l.Decision, "move": l.Moves[c.rand.IntN(len(l.Moves))].Notation})
		if g.acked() {
			c.moves.Add(1)
		}
		return g.acked()
	}
	var table struct{ Status string }
	if c.asks(ctx, "/tables/"+c.table, 0, &table) && table.Status == "ended" {
		c.table = ""
	}
	return false
}

// insists gives commands to one paused machine and waits for its answers. It returns the commands that were not
// refused.
func (c *caller) insists(ctx context.Context, m *machine) (told []string) {
	client := &nethttp.Client{Transport: &nethttp.Transport{DisableKeepAlives: true}, Timeout: posthorntest.Patient}
	says := map[string]any{"/settings": map[string]string{"zone": "Europe/Warsaw"}}
	if table, ok := c.where.Load().(string); ok {
		says["/tables/"+table+"/chat"] = map[string]string{"text": "Is anybody there?"}
	}
	for path, in := range says {
		status, body, err := c.call(ctx, client, "http://"+m.listen, nethttp.MethodPost, path, 0, events.NewCommandID(),
			in)
		if err == nil && status < 500 {
			told = append(told, fmt.Sprintf("%s: %d %s", path, status, body))
		}
	}
	return told
}
