package mail_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	deadlines "posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/programtest"
	"posthorn/events/runner"
	"posthorn/mail"
	"posthorn/projections/views"
)

// year is a house in which people from many zones play hundreds of games over a simulated year. They sleep, have
// weekends, go on holiday, forget and vanish. It has an inbox and a mail queue in memory, the clock and the runner.
type year struct {
	*desktest.House
	*rand.Rand
	mu        sync.Mutex
	people    []domain.PersonID
	calendars map[domain.PersonID]calendar.Calendar
	// views
	seen uint64
	due  map[events.Name]time.Time
	half map[views.Reminder]time.Time // when each reminder is due that was called for; those of a tenth, too
	// pending player actions, and mails sent
	planned  map[string]bool
	wanted   map[string]bool
	composer *mail.Composer
	sent     map[mail.Kind]int
	mailed   map[string]int // turn mails, by what they ask
	faults   []string
}

func (y *year) fault(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.faults = append(y.faults, fmt.Sprintf(format, args...))
}

// chance returns true a number of times out of a hundred.
func (y *year) chance(percent int) bool { return y.n(100) < percent }

func (y *year) n(n int) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.IntN(n)
}

func newYear(t *testing.T) *year {
	t.Helper()
	y := &year{Rand: rand.New(rand.NewPCG(11, 26)), calendars: map[domain.PersonID]calendar.Calendar{},
		due: map[events.Name]time.Time{}, half: map[views.Reminder]time.Time{},
		planned: map[string]bool{}, wanted: map[string]bool{}, sent: map[mail.Kind]int{}, mailed: map[string]int{}}
	y.House = desktest.Over(t, memory.New(), time.Now)
	y.composer = &mail.Composer{Desk: y.Desk}
	y.KeepTime(func(_ context.Context, ids []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error) {
		y.mu.Lock()
		defer y.mu.Unlock()
		out := map[domain.PersonID]calendar.Calendar{}
		for _, id := range ids {
			out[id] = y.calendars[id]
		}
		return out, nil
	})
	zones := []string{"UTC", "Europe/Lisbon", "Europe/Warsaw", "America/Sao_Paulo", "America/New_York",
		"America/St_Johns", "Asia/Kolkata", "Australia/Lord_Howe"}
	for i := range 60 {
		zone, err := time.LoadLocation(zones[i%len(zones)])
		require.NoError(t, err)
		c := calendar.Calendar{Zone: zone}
		if i%3 > 0 {
			c.Night = calendar.Night{From: 20 + i%4, To: 6 + i%4}
		}
		if i%4 == 0 {
			c.Off = [7]bool{time.Saturday: true, time.Sunday: true}
		}
		id := domain.PersonID(fmt.Sprintf("P%02d", i))
		y.people, y.calendars[id] = append(y.people, id), c
	}
	return y
}

// Due returns what the views would say, computed anew from each table where something happened.
func (y *year) Due(ctx context.Context, upTo time.Time) (tables []events.Name, next time.Time, pos uint64, err error) {
	y.seen, err = y.CatchUp(ctx, y.seen, func(ctx context.Context, b desk.Batch) error {
		return y.Each(ctx, b.Tables, func(l desk.Look) error {
			if at := l.NextDeadline(); at.IsZero() {
				delete(y.due, l.Name)
			} else {
				y.due[l.Name] = at
			}
			return nil
		})
	})
	for name, at := range y.due {
		switch {
		case !at.After(upTo):
			tables = append(tables, name)
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	slices.SortFunc(tables, func(a, b events.Name) int { return slices.Compare(a[:], b[:]) })
	return tables, next, y.seen, err
}

func (y *year) Await(context.Context, uint64) error { return nil }

// reminders returns what the views would say, and what they would no longer say.
func (y *year) reminders(_ context.Context, since, upTo time.Time) (out []views.Reminder, err error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for r, at := range y.half {
		if at.After(since) && !at.After(upTo) && r.Due.After(upTo) {
			out = append(out, r)
		}
	}
	maps.DeleteFunc(y.half, func(_ views.Reminder, at time.Time) bool { return !at.After(upTo) })
	slices.SortFunc(out, func(a, b views.Reminder) int { return slices.Compare(a.Table[:], b.Table[:]) })
	return out, nil
}

// calls notes when an ask's person is to be reminded.
func (y *year) calls(ctx context.Context, look desk.Look, a desk.Ask) error {
	opened, err := events.LoadOne(ctx, y.Log(), a.Stream, a.Open.Since)
	if err != nil {
		return err
	}
	half, tenth, err := y.Desk.Reminders(ctx, look, a, opened.At)
	y.mu.Lock()
	defer y.mu.Unlock()
	for part, at := range map[string]time.Time{"half": half, "tenth": tenth} {
		if !at.IsZero() {
			y.half[views.Reminder{Table: a.Table, Person: a.Person, Open: a.Open, Due: a.Due, Part: part}] = at
		}
	}
	return err
}

// reminds posts the reminders of each hour.
func (y *year) reminds(ctx context.Context) error {
	notifier := &mail.Notifier{Desk: y.Desk, Due: y.reminders}
	for since := time.Now(); ctx.Err() == nil; {
		time.Sleep(time.Hour)
		notices, _, err := notifier.Reminders(ctx, since, time.Now())
		if err != nil {
			return err
		}
		since = time.Now()
		for _, n := range notices {
			y.post(ctx, n)
		}
	}
	return nil
}

// follows lets players and the post see what happens.
func (y *year) follows(ctx context.Context) error {
	notifier := &mail.Notifier{Desk: y.Desk}
	return y.Desk.Follow(ctx, events.FollowLog(y.Log()), 0, func(ctx context.Context, b desk.Batch) error {
		notices, err := notifier.Wanted(ctx, b.Tables...)
		if err != nil {
			return err
		}
		for _, n := range notices {
			y.post(ctx, n)
		}
		return y.Each(ctx, b.Tables, func(l desk.Look) error {
			for _, a := range l.Asks() {
				if err := y.calls(ctx, l, a); err != nil {
					return err
				}
				y.plan(ctx, a)
			}
			for i, p := range l.Table.Places {
				if p.Lent && !p.Resigned && l.Table.Status == domain.TableStarted {
					y.planReturn(ctx, l.Name, domain.Seat(i), p.Holders[0], l.TableHead.Version)
				}
			}
			return nil
		})
	})
}

// once reports whether a name comes up for the first time.
func (y *year) once(in map[string]bool, name string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	first := !in[name]
	in[name] = true
	return first
}

// post queues a mail, each only once, and sends it when it is due, if it is still needed.
func (y *year) post(ctx context.Context, n mail.Notice) {
	if !y.once(y.wanted, fmt.Sprint(n.Kind, n.Person, n.Stream, n.Open, n.Head)) {
		return
	}
	go func() {
		time.Sleep(n.Wait)
		if ctx.Err() != nil || y.composer.StillNeeded(ctx, n) != nil {
			return
		}
		look, err := y.Look(ctx, n.Table)
		if err != nil {
			return
		}
		now := time.Now()
		asked := slices.IndexFunc(look.Asks(), func(a desk.Ask) bool {
			return a.Person == n.Person && a.Open == n.Open
		})
		if asked < 0 && y.happening(ctx, look, now) {
			return // it was answered at this very moment
		}
		if asked < 0 {
			y.fault("%s: a stale %s to %s about %v", now, n.Kind, n.Person, n.Open)
			return
		}
		a := look.Asks()[asked]
		y.mu.Lock()
		y.sent[n.Kind]++
		if n.Kind == mail.KindTurn {
			y.mailed[fmt.Sprint(n.Table, n.Person, n.Stream, n.Open)]++
		}
		c := y.calendars[n.Person]
		y.mu.Unlock()
		if n.Kind == mail.KindReminder {
			if !a.Due.After(now) {
				y.fault("%s: a reminder to %s after its deadline %s", now, n.Person, a.Due)
			}
			if !c.Awake(now).Equal(now) {
				y.fault("%s: a reminder to %s in the night", now.In(c.Zone), n.Person)
			}
		}
	}()
}

// happening reports whether something happened at a table at a moment.
func (y *year) happening(ctx context.Context, look desk.Look, now time.Time) bool {
	for stream, head := range map[events.Name]events.Head{look.Name: look.TableHead, look.LineName: look.LineHead} {
		if rec, err := events.LoadOne(ctx, y.Log(), stream, head.Version); err == nil &&
			!rec.At.Before(now.Truncate(time.Millisecond)) {
			return true
		}
	}
	return false
}

// plan has a person answer an ask at some time: most soon, some late, some much later.
func (y *year) plan(ctx context.Context, a desk.Ask) {
	if a.Kind != desk.AskTurn && a.Kind != desk.AskConsent ||
		!y.once(y.planned, fmt.Sprint(a.Kind, a.Person, a.Stream, a.Open)) {
		return
	}
	wait := time.Duration(y.n(20*60)) * time.Minute
	switch {
	case y.chance(4):
		wait += 20 * 24 * time.Hour
	case y.chance(15):
		wait += 30 * time.Hour
	}
	talks := y.n(100)
	go func() {
		time.Sleep(wait)
		if ctx.Err() != nil {
			return
		}
		look, err := y.Look(ctx, a.Table)
		if err != nil || look.Stale(a) != desk.StillAsked {
			return
		}
		if a.Kind == desk.AskConsent {
			var c desk.Command = desk.Agree{Since: a.Open.Since}
			if talks < 30 {
				c = desk.Refuse{Since: a.Open.Since}
			}
			_, _ = y.Do(ctx, desktest.By(a.Person), a.Table, events.NewCommandID(), c)
			return
		}
		if talks < 4 && look.Line.Version > 2 {
			_, _ = y.Do(ctx, desktest.By(a.Person), a.Table, events.NewCommandID(),
				desk.ProposeRewind{To: look.Line.Version - 1})
			time.Sleep(60 * time.Hour) // they wait for the others
			if look, err = y.Look(ctx, a.Table); err != nil || look.Stale(a) != desk.StillAsked {
				return
			}
		}
		y.plays(ctx, look, a)
	}()
}

func (y *year) plays(ctx context.Context, look desk.Look, a desk.Ask) {
	var moves []domain.Move
	for m := range look.Rulebook.Legal(look.Line.State, a.Open.Seat) {
		moves = append(moves, m)
	}
	_, err := y.Play(ctx, desktest.By(a.Person),
		desk.Move{ID: events.NewCommandID(), Table: a.Table, Line: a.Stream, Seat: a.Open.Seat, Decision: a.Open,
			Move: moves[y.n(len(moves))]})
	if _, refused := domain.AsRefusal(err); err != nil && !refused && ctx.Err() == nil {
		y.fault("%s: %v", time.Now(), err)
	}
}

func (y *year) planReturn(ctx context.Context, table events.Name, seat domain.Seat, who domain.PersonID,
	version uint64) {
	if !y.once(y.planned, fmt.Sprint("return", table, seat, version)) {
		return
	}
	wait := time.Duration(12+y.n(100)) * time.Hour
	go func() {
		time.Sleep(wait)
		_, _ = y.Do(ctx, desktest.By(who), table, events.NewCommandID(), desk.Return{Seat: seat})
	}()
}

// goesAway has people announce a holiday now and then, at all their tables.
func (y *year) goesAway(ctx context.Context, who domain.PersonID, tables func() []events.Name) {
	for ctx.Err() == nil {
		time.Sleep(time.Duration(40+y.n(60)) * 24 * time.Hour)
		y.mu.Lock()
		c := y.calendars[who]
		today := calendar.DayOf(time.Now(), c.Zone)
		days := calendar.Span{From: today + 1, Until: today + 2 + calendar.Day(y.IntN(12))}
		c.Away = append(slices.Clone(c.Away), days)
		y.calendars[who] = c
		y.mu.Unlock()
		for _, name := range tables() {
			_, _ = y.Do(ctx, desktest.By(who), name, events.NewCommandID(), desk.GoAway{Days: days})
		}
	}
}

// opens opens a game and seats everybody; the runner does the rest.
func (y *year) opens(i int) events.Name {
	places := make([]domain.TablePlace, 2+y.n(3))
	first := y.n(len(y.people))
	for s := range places {
		places[s] = desktest.Player(y.people[(first+s*7)%len(y.people)])
	}
	pace := []string{"daily", "weekly"}[i%2]
	ans, err := y.Open(y.Ctx, desktest.By(places[0].Invited[0]), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: places, Pace: pace,
			Clock: domain.ClockOf(pace, domain.TimeOuts[i/2%len(domain.TimeOuts)])})
	require.NoError(y.T, err)
	for s, p := range places {
		y.Joins(p.Invited[0], ans.Table, domain.Seat(s))
	}
	return ans.Table
}

func TestAYearOfGames(t *testing.T) {
	programtest.Long(t)
	synctest.Test(t, func(t *testing.T) {
		y := newYear(t)
		ctx, stop := context.WithCancel(y.Ctx)
		c := &deadlines.Clock{Desk: y.Desk, Views: y, Rest: time.Minute * 55, Alarm: func(err error) {
			y.fault("clock: %v", err)
		}}
		r := &runner.Runner{Desk: y.Desk, Pause: time.Second, Sweep: 24 * time.Hour,
			Alarm: func(_ events.Name, err error) { y.fault("runner: %v", err) },
			Live:  func(context.Context) ([]events.Name, uint64, error) { return nil, 0, nil }}
		var going sync.WaitGroup
		going.Go(func() { _ = c.Run(ctx) })
		going.Go(func() { _ = r.Run(ctx, events.FollowLog(y.Log())) })
		going.Go(func() { _ = y.follows(ctx) })
		going.Go(func() { _ = y.reminds(ctx) })
		var tables []events.Name
		all := func() []events.Name {
			y.mu.Lock()
			defer y.mu.Unlock()
			return slices.Clone(tables[max(0, len(tables)-150):])
		}
		for _, who := range y.people {
			go y.goesAway(ctx, who, all)
		}
		games := 400
		if os.Getenv("POSTHORN_LONG") == "1" {
			games = 2000
		}
		for i := 0; i < games || i < 3000 && (i%50 != 0 || len(y.never(tables)) > 0); i++ { // some things are rare
			name := y.opens(i)
			y.mu.Lock()
			tables = append(tables, name)
			y.mu.Unlock()
			time.Sleep(365 * 24 * time.Hour / time.Duration(games))
		}
		did, ended, open := y.judgeAll(tables), 0, 0
		now := time.Now()
		for _, name := range tables {
			look := y.Sees(name)
			if look.Table.Status == domain.TableEnded {
				ended++
			}
			for _, d := range look.Deadlines() {
				open++
				require.Less(t, now.Sub(d.At), time.Hour, "a deadline was missed: %v", d)
			}
		}
		stop()
		time.Sleep(400 * 24 * time.Hour) // anybody about to act finds that it is over
		going.Wait()
		last, err := y.Log().Last(y.Ctx)
		require.NoError(t, err)
		t.Logf("%d events, %d games ended, %d deadlines open, mails %v, the clock %v", last, ended, open, y.sent, did)
		require.Empty(t, y.faults)
		for what, n := range y.mailed {
			require.Equal(t, 1, n, what)
		}
		require.Greater(t, ended, len(tables)*8/10)
		require.Empty(t, y.never(tables))
		require.Positive(t, y.sent[mail.KindReminder])
	})
}
