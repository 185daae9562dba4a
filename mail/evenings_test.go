package mail_test

import (
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/programtest"
	"posthorn/mail"
)

// sitting is a browser with a table's page open: its script listens to the stream, and answers what that asks.
type sitting struct {
	*days
	p     *player
	table events.Name
	head  nethttp.Header
	moved chan struct{}
	leave context.CancelFunc
}

var readersPage = regexp.MustCompile(` data-live="([^"]+)" data-here="([^"]+)"`)

// sits opens a table's page in the browser of somebody who is signed in there, until they leave.
func (d *days) sits(p *player, table events.Name) *sitting {
	d.T.Helper()
	s := &sitting{days: d, p: p, table: table, head: nethttp.Header{}, moved: make(chan struct{}, 1)}
	page := httptest.NewRequest("GET", "https://games.example.org/t/"+table.String(), nil)
	d.signed(p, page.URL)
	found := readersPage.FindStringSubmatch(d.visits(p, page).Body.String())
	require.NotEmpty(d.T, found, "%s's own page", p.name)
	ctx, leave := context.WithCancel(d.ctx)
	stream := httptest.NewRequestWithContext(ctx, "GET", "https://games.example.org"+found[1], nil)
	stream.Header.Set("Accept", "text/event-stream")
	for _, c := range p.jar.Cookies(stream.URL) {
		stream.AddCookie(c)
	}
	d.mu.Lock()
	p.sat = append(p.sat, outage{from: time.Now()})
	d.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for ctx.Err() == nil { // as a browser does, it begins the stream anew when that ends
			d.server.ServeHTTP(&listener{s, found}, stream)
			select {
			case <-time.After(3 * time.Second):
			case <-ctx.Done():
			}
		}
	}()
	s.leave = func() {
		leave()
		<-gone
		d.mu.Lock()
		defer d.mu.Unlock()
		p.sat[len(p.sat)-1].to = time.Now()
	}
	return s
}

// signed signs somebody in in their browser.
func (d *days) signed(p *player, at *url.URL) {
	d.T.Helper()
	name := d.server.SessionCookie()
	if p.jar != nil && slices.ContainsFunc(p.jar.Cookies(at), func(c *nethttp.Cookie) bool { return c.Name == name }) {
		return
	}
	session, err := d.people.OpenSession(d.Ctx, p.id, "a browser", 90*24*time.Hour)
	require.NoError(d.T, err)
	d.visits(p, httptest.NewRequest("GET", at.String(), nil)) // which gives them a jar
	p.jar.SetCookies(at, []*nethttp.Cookie{{Name: name, Value: session.Text(), Path: "/", Secure: true}})
}

// listener is what reads the stream of a page.
type listener struct {
	*sitting
	page []string
}

func (l *listener) Header() nethttp.Header           { return l.head }
func (l *listener) WriteHeader(int)                  {}
func (l *listener) Flush()                           {}
func (l *listener) SetWriteDeadline(time.Time) error { return nil }

func (l *listener) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "event: here\n") {
		r := httptest.NewRequest("POST", "https://games.example.org"+strings.TrimSuffix(l.page[1], "live")+"here",
			strings.NewReader(url.Values{"who": {l.page[2]}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "https://games.example.org")
		if w := l.visits(l.p, r); w.Code != nethttp.StatusNoContent {
			l.wrong("the page of %s answers: %d", l.p.name, w.Code)
		}
	}
	if strings.Contains(string(b), "data: {") {
		select {
		case l.moved <- struct{}{}:
		default:
		}
	}
	return len(b), nil
}

// evenings are two weeks in which Ana sits at the table's page for three hours each evening, where she plays. The
// others are quick then. reads is what she gets meanwhile.
type evenings struct {
	*fourFriends
	at    atomic.Pointer[sitting]
	hands chan struct{} // one of hers at a time: the page's or the link's
	plays int
	reads map[mail.Kind]int
}

// evening lets Ana sit at the page for three hours.
func (e *evenings) evening() {
	e.T.Helper()
	e.brisk.Store(true)
	at := e.sits(e.ana, e.table)
	e.at.Store(at)
	e.doing.Go(func() {
		for {
			select {
			case <-at.moved:
			case <-e.ctx.Done():
				return
			}
			for e.at.Load() == at && e.playsHere(at) {
				continue
			}
			if e.at.Load() != at {
				return
			}
		}
	})
	e.until(time.Now().Add(3 * time.Hour))
	e.at.Store(nil)
	at.leave()
	select {
	case at.moved <- struct{}{}:
	default:
	}
	e.brisk.Store(false)
	synctest.Wait()
}

// playsHere plays what is asked of Ana on the page, after thinking for some minutes.
func (e *evenings) playsHere(at *sitting) bool {
	asked := func() (o domain.Open, text string, ok bool) {
		look, err := e.Look(e.Ctx, e.table)
		if err != nil || look.Line == nil || look.Table.Status != domain.TableStarted || e.enough {
			return o, "", false
		}
		i := slices.IndexFunc(look.Line.Awaited(), func(o domain.Open) bool {
			return look.Table.Places[o.Seat].Holds(e.ana.id)
		})
		if i < 0 {
			return o, "", false
		}
		return look.Line.Awaited()[i], e.chooses(e.ana, look, look.Line.Awaited()[i]), true
	}
	if _, _, ok := asked(); !ok {
		return false
	}
	e.mu.Lock()
	thinks := time.Minute + time.Duration(e.rnd.Int64N(int64(2*time.Minute)))
	e.mu.Unlock()
	time.Sleep(thinks)
	e.hands <- struct{}{}
	defer func() { <-e.hands }()
	if _, text, ok := asked(); ok && e.at.Load() == at {
		e.pressesAt(e.ana, "/t/"+e.table.String(), text)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.plays++
	}
	return true
}

func newEvenings(t *testing.T) *evenings {
	t.Helper()
	e := &evenings{fourFriends: newFourFriends(t), hands: make(chan struct{}, 1), reads: map[mail.Kind]int{}}
	e.ana.read = func(a arrival) {
		if e.at.Load() != nil {
			e.mu.Lock()
			e.reads[a.Letter.Kind]++
			e.mu.Unlock()
		}
		if a.facts.Purpose != pass.Play {
			e.fourFriends.reads(e.ana, a)
			return
		}
		e.later(e.ana.awake(20*time.Minute), func() {
			if e.at.Load() != nil {
				return // she plays on the page
			}
			e.hands <- struct{}{}
			defer func() { <-e.hands }()
			e.fourFriends.plays(e.ana, a)
		})
	}
	return e
}

// Four friends play Catan for two weeks. What is asked of the one who sits at the table's page in the evenings is not
// mailed meanwhile; the others' mails are what they were.
func TestTwoWeeksOfOneWhoSitsAtTheTable(t *testing.T) {
	programtest.Long(t)
	for _, c := range []struct {
		name  string
		known bool
	}{{"nobody is known to be there", false}, {"she is known to be there", true}} {
		t.Run(c.name, func(t *testing.T) {
			cryptotest.SetGlobalRandom(t, 12)
			synctest.Test(t, func(t *testing.T) {
				e := newEvenings(t)
				if !c.known {
					e.sender.Here = nil
				}
				monday := time.Date(2001, 10, 22, 0, 0, 0, 0, time.UTC)
				e.until(monday.Add(9 * time.Hour))
				e.opens()
				for day := 1; day < 14 && e.Sees(e.table).Table.Status != domain.TableEnded; day++ {
					e.until(monday.AddDate(0, 0, day).Add(18 * time.Hour))
					e.evening()
				}
				e.until(time.Now().Add(14 * time.Hour)) // the morning after
				require.Greater(t, e.plays, 8)
				asked := e.reads[mail.KindTurn] + e.reads[mail.KindReminder]
				if c.known {
					require.Zero(t, asked, "%v", e.reads)
				} else {
					require.Greater(t, asked, 5, "%v", e.reads)
				}
				e.shuts()
				for _, line := range e.tally() {
					t.Log(line)
				}
				t.Log(len(e.mails), "mails;", e.plays, "moves of Ana's at the page; mails to her meanwhile:", e.reads)
				e.ends()
			})
		})
	}
}
