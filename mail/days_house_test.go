package mail_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/calendar"
	clocks "posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/runner"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/inbound"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// days is a whole house in a synctest bubble, where weeks pass in seconds: every part runs as in the program, and
// people react to their mails. It sees every mail that goes out.
type days struct {
	*house
	passes *pass.Maker
	door   *inbound.Door
	server *http.Server
	sender *mail.Sender
	clock  *clocks.Clock
	runner *runner.Runner
	rnd    *rand.Rand
	doing  sync.WaitGroup // people's pending actions
	ctx    context.Context
	leave  context.CancelFunc
	ended  chan error
	parts  int

	mu     sync.Mutex
	folk   map[string]*player // by address
	faults []string
	witness
}

// player is somebody who gets mail.
type player struct {
	id      domain.PersonID
	name    string
	address string
	zone    *time.Location
	night   calendar.Night
	rhythm  people.Rhythm
	read    func(arrival)                       // how they react to a mail
	jar     *cookiejar.Jar                      // their browser's
	picks   func(desk.Look, domain.Open) string // their moves; by default the best of the first ones
	sat     []outage                            // when they were at their table's page, so that nothing was mailed
}

// patience is how long a mail waits about what somebody's own press brought up.
const patience = time.Minute

// newDays opens a house at midnight UTC on some day.
func newDays(t *testing.T, on time.Time) *days {
	t.Helper()
	time.Sleep(time.Until(on))
	d := &days{house: open(t, time.Now), folk: map[string]*player{}, rnd: rand.New(rand.NewPCG(11, 22)),
		ended: make(chan error, 16)}
	d.ctx, d.leave = context.WithCancel(context.Background())
	d.witness.begin()
	d.KeepTime(d.people.Calendars)
	require.NoError(t, d.outbox.Exec(d.Ctx, `PRAGMA synchronous = OFF`)) // no power failures here
	d.notifier.Patience = patience
	var err error
	d.views, err = views.Open(d.Ctx, d.dir, d.Desk)
	require.NoError(t, err)
	t.Cleanup(func() { d.shuts(); require.NoError(t, d.views.Close()) })
	d.passes = pass.New(d.keys)
	book, err := words.New(games)
	require.NoError(t, err)
	maker := turn.NewMaker(d.Desk, book, names{d.people})
	quiet := slog.New(slog.DiscardHandler)
	d.door = &inbound.Door{ReplyTo: d.composer.ReplyTo, Passes: d.passes, Desk: d.Desk, Maker: maker, People: d.people,
		Directory: d.composer.Directory,
		Checker:   authentic.Checker{DNS: &providertest.DNS{}}, Outbox: d.outbox,
		Log: slog.New(outcomes{d, quiet.Handler()}), Now: time.Now}
	d.server, err = http.New(http.Config{PublicURL: "https://games.example.org", Desk: d.Desk, Maker: maker, Book: book,
		Rulebooks: games, People: d.people,
		Passes: d.passes, Views: d.views, Post: mail.Post{Outbox: d.outbox}, Follower: events.FollowLog(d.Log()),
		Patience: patience, Now: time.Now})
	require.NoError(t, err)
	d.runner = &runner.Runner{Desk: d.Desk, Live: d.views.Live, Waiting: d.views.Waiting, Sweep: time.Hour,
		Pause: 2 * time.Second,
		Alarm: func(n events.Name, err error) { d.wrong("runner at %s: %v", n, err) }}
	d.clock = &clocks.Clock{Desk: d.Desk, Views: d.views, Told: d.outbox.Told, Alarm: func(err error) {
		d.wrong("clock: %v", err)
	}}
	return d
}

// runs starts every part over a transport, until the house shuts.
func (d *days) runs(to mail.Transport) {
	d.T.Helper()
	d.sender = d.house.sender(watched{to, d})
	d.sender.Rest, d.sender.Here = d.clock.Rest, d.server.Here
	d.notifier.Due, d.notifier.Rest = d.views.Reminders, d.clock.Rest
	d.sender.Alarm = func(err error) { d.wrong("sender: %v", err) }
	f := events.FollowLog(d.Log())
	for _, part := range []func(context.Context) error{
		func(ctx context.Context) error { return d.views.Run(ctx, f) },
		func(ctx context.Context) error { return d.runner.Run(ctx, f) },
		func(ctx context.Context) error { return d.notifier.Run(ctx, f) },
		d.notifier.Remind,
		func(ctx context.Context) error { return d.watch(ctx, f) },
		d.server.Run, d.clock.Run, func(ctx context.Context) error { return d.sender.Run(ctx) },
	} {
		d.parts++
		go func() { d.ended <- part(d.ctx) }()
	}
}

// shuts stops every part.
func (d *days) shuts() {
	d.T.Helper()
	d.leave()
	d.doing.Wait()
	for ; d.parts > 0; d.parts-- {
		assert.ErrorIs(d.T, <-d.ended, context.Canceled)
	}
}

// until lets time pass for everybody.
func (d *days) until(t time.Time) {
	d.T.Helper()
	time.Sleep(time.Until(t))
	synctest.Wait()
	d.fine()
}

// fine checks that nothing has gone wrong.
func (d *days) fine() {
	d.T.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	require.Empty(d.T, d.faults)
}

func (d *days) wrong(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, time.Now().UTC().Format("01-02 15:04:05 ")+fmt.Sprintf(format, args...))
}

// comes adds somebody new, with their clock and their nights.
func (d *days) comes(name, lang, zone string, night calendar.Night) *player {
	d.T.Helper()
	id := d.curious(name, lang)
	p := &player{id: id, name: name, address: strings.ToLower(name) + "@example.org", night: night}
	require.NoError(d.T, d.people.SetZone(d.Ctx, id, zone))
	require.NoError(d.T, d.people.SetCalendar(d.Ctx, id, night, [7]bool{}))
	var err error
	p.zone, err = time.LoadLocation(zone)
	require.NoError(d.T, err)
	d.folk[p.address] = p
	return p
}

// later has somebody do something after a while, unless the house has shut. It never happens at exactly the same moment
// as anything else.
func (d *days) later(after time.Duration, do func()) {
	d.mu.Lock()
	after += time.Duration(d.rnd.Int64N(int64(50 * time.Second)))
	d.mu.Unlock()
	d.doing.Go(func() {
		t := time.NewTimer(after)
		defer t.Stop()
		select {
		case <-t.C:
			do()
		case <-d.ctx.Done():
		}
	})
}

// awake returns how long until somebody is awake who wants to do something after a while.
func (p *player) awake(after time.Duration) time.Duration {
	c := calendar.Calendar{Zone: p.zone, Night: p.night}
	now := time.Now()
	return max(c.Awake(now.Add(after)).Sub(now), after)
}

// does gives somebody's command; a refusal means that something overtook it.
func (d *days) does(p *player, table events.Name, c desk.Command) {
	_, err := d.Do(d.Ctx, desktest.By(p.id), table, events.NewCommandID(), c)
	if _, refused := domain.AsRefusal(err); err != nil && !refused {
		d.wrong("%s of %s: %v", c.Row().Wish, p.name, err)
	}
}

// joins takes the seat that a mail offers.
func (d *days) joins(p *player, table events.Name) {
	look, err := d.Look(d.Ctx, table)
	if seat, invited := look.Table.InvitedTo(p.id); err == nil && invited {
		d.does(p, table, desk.Join{Seat: seat, Chance: []byte("sixteen bytes at least")})
	}
}

// chooses returns a move for a decision, in notation.
func (d *days) chooses(p *player, look desk.Look, o domain.Open) string {
	if p.picks != nil {
		if text := p.picks(look, o); text != "" {
			return text
		}
	}
	m, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
	if !ok {
		d.wrong("%s has no move", p.name)
		return ""
	}
	return look.Rulebook.FormatMove(m, nil)
}

// asksFor returns the decision that a mail's link is for, if it is still awaited.
func (d *days) asksFor(f pass.Facts) (look desk.Look, o domain.Open, ok bool) {
	s, err := d.Log().Stream(d.Ctx, f.Stream)
	if err == nil {
		look, err = d.Look(d.Ctx, s.Table)
	}
	if err != nil {
		d.wrong("the table of a link: %v", err)
		return look, o, false
	}
	if look.Line == nil || look.LineName != f.Stream || look.Table.Status != domain.TableStarted {
		return look, o, false
	}
	for _, o := range look.Line.Awaited() {
		if o.Seat == f.Seat && o.Since == f.Since && o.Kind == f.Kind && o.Serial == f.Serial {
			return look, o, true
		}
	}
	return look, o, false
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// presses plays a move by a mail's link: it opens the link, chooses, and presses the button.
func (d *days) presses(p *player, a arrival, text string) { d.pressesAt(p, "/p/"+a.token, text) }

// pressesAt plays a move on the page of a link, or of a table where somebody is signed in.
func (d *days) pressesAt(p *player, link, text string) {
	w := d.visits(p, httptest.NewRequest("GET", "https://games.example.org"+link+"?"+url.Values{"m": {text}}.Encode(),
		nil))
	_, rest, ok := strings.Cut(w.Body.String(), `action="`+link+`/move"`)
	inner, _, _ := strings.Cut(rest, "</form>")
	if !ok {
		d.wrong("the page of %s's link has no button for %q: %d", p.name, text, w.Code)
		return
	}
	form := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(inner, -1) {
		form.Set(m[1], strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&#39;", "'", "&#43;", "+").Replace(m[2]))
	}
	r := httptest.NewRequest("POST", "https://games.example.org"+link+"/move", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://games.example.org")
	w = d.visits(p, r)
	if w.Code != nethttp.StatusSeeOther {
		d.wrong("%s pressed %q: %d %s", p.name, text, w.Code, w.Body.String())
	}
}

// visits makes somebody's own browser request a page.
func (d *days) visits(p *player, r *nethttp.Request) *httptest.ResponseRecorder {
	if p.jar == nil {
		p.jar, _ = cookiejar.New(nil)
	}
	for _, c := range p.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	p.jar.SetCookies(r.URL, w.Result().Cookies())
	return w
}

// writes answers a mail.
func (d *days) writes(p *player, a arrival, lines ...string) {
	to, err := netmail.ParseAddress(a.Header.Get("Reply-To"))
	if err != nil {
		d.wrong("%s wants to answer %q: %v", p.name, a.Subject, err)
		return
	}
	raw := "From: " + p.address + "\r\nTo: " + to.Address + "\r\nDate: " + d.Desk.Now().Format(time.RFC1123Z) +
		"\r\nMessage-ID: <" + events.NewCommandID().String() + "@example.org>\r\nIn-Reply-To: " +
		a.Header.Get("Message-Id") +
		"\r\nSubject: Re: " + a.Subject + "\r\n\r\n" + strings.Join(lines, "\r\n") + "\r\n"
	if err := d.door.Handle(d.Ctx, to.Address, p.address, providertest.Sign([]byte(raw), "example.org")); err != nil &&
		!errors.Is(err, context.Canceled) {
		d.wrong("the answer of %s: %v", p.name, err)
	}
}

// outcomes counts what became of answers to mails.
type outcomes struct {
	d *days
	slog.Handler
}

func (outcomes) Enabled(context.Context, slog.Level) bool { return true }

func (o outcomes) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		o.d.mu.Lock()
		defer o.d.mu.Unlock()
		o.d.answers[a.Key+" "+a.Value.String()]++
		return true
	})
	return nil
}

// away tells all of somebody's tables that they are on holiday, as the button on their page does.
func (d *days) away(p *player, days calendar.Span) {
	added, err := d.people.GoAway(d.Ctx, p.id, days)
	if _, refused := domain.AsRefusal(err); refused {
		return
	}
	items, failed := d.views.Inbox(d.Ctx, p.id)
	if err := errors.Join(err, failed); err != nil {
		d.wrong("the holiday of %s: %v", p.name, err)
		return
	}
	for _, it := range items {
		for _, span := range added {
			if it.Status == domain.TableStarted {
				d.does(p, it.Table, desk.GoAway{Days: span})
			}
		}
	}
}
