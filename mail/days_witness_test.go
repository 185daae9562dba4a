package mail_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	clocks "posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/mail"
)

// witness checks every mail that goes out against the tables as they stand at that moment, and every table against the
// mails that it called for.
type witness struct {
	mails   []arrival
	known   map[string]bool            // Message-IDs
	about   map[string]bool            // what each person got mail about
	told    map[desk.Ask]time.Time     // when the person asked was first told
	asked   map[events.Name][]desk.Ask // as last seen
	since   map[desk.Ask]time.Time
	due     map[events.Name]time.Time // each table's next deadline
	answers map[string]int            // what became of answers by mail
	outages []outage
	did     map[string]int // what the clock did
	missed  int
}

// outage is a time when the mail server took nothing.
type outage struct{ from, to time.Time }

// arrival is a mail that has arrived.
type arrival struct {
	mail.Parts
	Letter mail.Letter
	at     time.Time
	to     *player
	token  string // from its link
	facts  pass.Facts
	all    []pass.Facts // from all of its links, each once
}

func (w *witness) begin() {
	*w = witness{known: map[string]bool{}, about: map[string]bool{}, told: map[desk.Ask]time.Time{},
		asked: map[events.Name][]desk.Ask{},
		since: map[desk.Ask]time.Time{}, due: map[events.Name]time.Time{}, answers: map[string]int{},
		did: map[string]int{}}
}

// watched is a transport that lets the test see every letter that arrives.
type watched struct {
	mail.Transport
	d *days
}

// Send hands a message over.
func (w watched) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	answer, err := w.Transport.Send(ctx, from, to, message)
	if err == nil {
		w.d.arrives(to, message)
	}
	return answer, err
}

var linkToken = regexp.MustCompile(`https://games\.example\.org/p/([A-Za-z0-9_-]+)`)

// arrives judges a mail at the moment it reaches its person.
func (d *days) arrives(to string, message []byte) {
	a := arrival{at: time.Now(), to: d.folk[to]}
	var err error
	if a.Parts, err = (mail.Message{Raw: message}).Read(); err != nil || a.to == nil {
		d.wrong("a mail to %s: %v", to, err)
		return
	}
	id := strings.Trim(a.Header.Get("Message-Id"), "<>")
	row, ok, err := d.outbox.ByMessageID(d.Ctx, id)
	if a.Letter = row; err != nil || !ok || row.Person != a.to.id {
		d.wrong("nobody wanted the mail %q to %s: %v", a.Subject, a.to.name, err)
		return
	}
	d.mu.Lock()
	twice := d.known[id]
	d.known[id] = true
	d.mails = append(d.mails, a)
	d.mu.Unlock()
	if twice {
		d.wrong("%s has %q twice", a.to.name, a.Subject)
	}
	d.links(&a)
	if a.to.read != nil {
		d.later(0, func() { a.to.read(a) })
	}
}

// links checks that everything a mail's links are for is still asked now, and of its reader.
func (d *days) links(a *arrival) {
	for i, token := range linkToken.FindAllStringSubmatch(a.Text, -1) {
		f, err := d.passes.Open(d.Ctx, token[1], time.Now(), d.people)
		if err != nil || f.Person != a.to.id {
			d.wrong("%s has a link in %q that is not theirs: %v", a.to.name, a.Subject, err)
			continue
		}
		if i == 0 {
			a.token, a.facts = token[1], f
		}
		if slices.Contains([]pass.Purpose{pass.Play, pass.Answer, pass.Join}, f.Purpose) && !slices.Contains(a.all, f) {
			a.all = append(a.all, f)
			d.link(a, f)
		}
	}
	if a.Letter.Kind.Asks() {
		d.once(a, fmt.Sprintf("%s %s %v as of %s", a.Letter.Kind, a.Letter.Stream, a.Letter.Open, a.Letter.Head))
	}
}

func (d *days) link(a *arrival, f pass.Facts) {
	kind, ok := map[pass.Purpose]desk.AskKind{pass.Play: desk.AskTurn, pass.Answer: desk.AskConsent,
		pass.Join: desk.AskInvitation}[f.Purpose]
	if !ok {
		return
	}
	s, err := d.Log().Stream(d.Ctx, f.Stream)
	if err != nil {
		d.wrong("a link of %s: %v", a.to.name, err)
		return
	}
	ask := desk.Ask{Kind: kind, Person: f.Person, Table: s.Table, Stream: f.Stream,
		Open: domain.Open{Decision: domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial}, Since: f.Since}}
	look, err := d.Look(d.Ctx, s.Table)
	if err != nil {
		d.wrong("a link of %s: %v", a.to.name, err)
		return
	}
	if why := look.Stale(ask); why != desk.StillAsked {
		d.wrong("%s has a stale %s mail: %s (%q)", a.to.name, a.Letter.Kind, why, a.Subject)
	}
	for _, now := range look.Asks() {
		if now.Kind == ask.Kind && now.Person == ask.Person && now.Stream == ask.Stream && now.Open == ask.Open {
			d.dated(a, now)
			ask.Again = now.Again
			d.latest(a, now)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.told[ask]; !ok {
		d.told[ask] = a.at
	}
}

// latest checks that a mail about somebody's turn is about the last time that it came to them.
func (d *days) latest(a *arrival, ask desk.Ask) {
	if a.Letter.Kind != mail.KindTurn || ask.Kind != desk.AskTurn || a.Letter.Open != ask.Open {
		return
	}
	rec, err := events.LoadOne(d.Ctx, d.Log(), ask.Stream, ask.Asked())
	if err != nil || rec.Hash != a.Letter.Head {
		d.wrong("%s has a mail about a turn as it was before: %v", a.to.name, err)
	}
}

// dated compares the deadline in a mail with the current one.
func (d *days) dated(a *arrival, ask desk.Ask) {
	if ask.Due.IsZero() || a.Letter.Kind == mail.KindDigest {
		return
	}
	r, _, err := d.composer.Directory.Recipient(d.Ctx, a.to.id)
	if err != nil {
		d.wrong("%v", err)
		return
	}
	p := d.composer.Book.Printer(r.Lang, "", nil)
	if says := p.Moment(ask.Due.In(a.to.zone)); !strings.Contains(strings.Join(strings.Fields(a.Text), " "), says) {
		d.wrong("%s's mail does not say that it has time until %s:\n%s", a.to.name, says, a.Text)
	}
}

// once checks that a person gets mail about something only once.
func (d *days) once(a *arrival, what string) {
	d.mu.Lock()
	twice := d.about[string(a.to.id)+what]
	d.about[string(a.to.id)+what] = true
	d.mu.Unlock()
	if twice {
		d.wrong("%s was written to twice: %s", a.to.name, what)
	}
	local := a.at.In(a.to.zone)
	if n := a.to.night; n.Hours() > 0 && (local.Hour()-n.From+24)%24 < n.Hours() && !d.answering(a) {
		d.wrong("%s has a %s mail at night: %s", a.to.name, a.Letter.Kind, local)
	}
}

// answering reports whether a mail answers one of its reader's own, which they wrote while awake.
func (d *days) answering(a *arrival) bool { return a.Header.Get("In-Reply-To") != "" }

// watch follows the log and notes what is asked of whom, and by when.
func (d *days) watch(ctx context.Context, f events.Follower) error {
	return d.Follow(ctx, f, 0, func(ctx context.Context, b desk.Batch) error {
		for i := range b.Done {
			if err := d.followed(ctx, &b.Done[i]); err != nil {
				return err
			}
		}
		return d.Each(ctx, b.Tables, func(look desk.Look) error {
			asks, err := d.Asks(ctx, look)
			if err != nil {
				return err
			}
			for i := range asks {
				asks[i].Due = time.Time{}
				if asks[i].Kind == desk.AskInvitation {
					asks[i].Open.Since = 1
				}
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			now := time.Now()
			for _, a := range asks {
				if _, ok := d.since[a]; !ok {
					d.since[a] = now
				}
			}
			for _, a := range d.asked[look.Name] {
				if !slices.Contains(asks, a) {
					d.judge(a, now)
				}
			}
			d.asked[look.Name], d.due[look.Name] = slices.Clone(asks), look.NextDeadline()
			return nil
		})
	})
}

// followed judges what the clock did.
func (d *days) followed(ctx context.Context, r *events.Record) error {
	e, err := events.DecodeTable(r, nil)
	if err != nil {
		return err
	}
	what, seat := "", domain.Nobody
	switch e := e.(type) {
	case *domain.Deferred:
		what = "deferred: " + string(e.Why)
		if e.Why == domain.DeferSpare {
			what += " of " + e.Due[0].Seat.Letter()
		}
	case *domain.TimedOut:
		what, seat = "timed out: "+string(e.Does), e.Due.Seat
		look, err := d.Look(ctx, r.Stream)
		if err != nil {
			return err
		}
		for _, id := range look.Table.Places[seat].Holders {
			d.fair(id, e.Due, r)
		}
	case *domain.Carried, *domain.Unanswered, *domain.Lent, *domain.Returned:
		what = r.Type
	default:
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.did[what]++
	return nil
}

// fair checks that somebody whose time ran out really had it: not during their night or holiday, and long enough after
// they were told.
func (d *days) fair(id domain.PersonID, due domain.Deadline, r *events.Record) {
	c, err := d.people.Calendar(d.Ctx, id)
	if err != nil {
		d.wrong("calendar: %v", err)
		return
	}
	p := d.who(id)
	switch {
	case c.IsAway(calendar.DayOf(r.At, c.Zone)):
		d.wrong("the time of %s was over on their holiday", p.name)
	case !c.Awake(due.At).Equal(due.At):
		d.wrong("the time of %s was over at night: %s", p.name, due.At.In(p.zone))
	case r.At.Before(due.At):
		d.wrong("the time of %s was over too soon", p.name)
	}
	d.mu.Lock()
	told, ok := time.Time{}, false
	for a, at := range d.told {
		of := a.Person == id && a.Stream.String() == due.Line && a.Open.Seat == due.Seat && a.Open.Since == due.Since
		if of && (!ok || at.Before(told)) {
			told, ok = at, true
		}
	}
	d.mu.Unlock()
	if !ok {
		d.wrong("the time of %s was over, of which they were never told", p.name)
	} else if had := r.At.Sub(told); had < clocks.LeastNotice {
		d.wrong("%s had %s from the mail to the end of their time", p.name, had)
	}
}

// who returns one of the people.
func (d *days) who(id domain.PersonID) *player {
	for _, p := range d.folk {
		if p.id == id {
			return p
		}
	}
	return nil
}

// judge checks an ask that lasted until now against the mails: anybody asked for long enough was told.
func (d *days) judge(a desk.Ask, now time.Time) {
	if _, told := d.told[a]; told {
		return
	}
	p := d.who(a.Person)
	if by := d.mailable(p, d.since[a]); p != nil && now.After(by) && a.Kind != desk.AskInvitation {
		d.missed++
		d.faults = append(d.faults, fmt.Sprintf("%s was never told of %s %v, asked from %s to %s", p.name, a.Kind,
			a.Open, d.since[a].UTC(), now.UTC()))
	}
}

// mailable returns when a mail wanted at a moment must have arrived.
func (d *days) mailable(p *player, t time.Time) time.Time {
	t = t.Add(patience + 2*time.Minute)
	if p != nil && p.rhythm.Daily {
		t = t.Add(25 * time.Hour) // on the day of a clock change
	} else if p != nil {
		t = t.Add(time.Duration(p.rhythm.Every) * time.Hour)
	}
	for again := true; again; {
		again = false
		if p != nil {
			for _, s := range p.sat {
				left := s.to.Add(patience + 2*time.Minute)
				if !t.Before(s.from) && s.to.IsZero() {
					return t.AddDate(100, 0, 0)
				}
				if !t.Before(s.from) && t.Before(left) {
					t, again = left, true
				}
			}
		}
		for _, o := range d.outages {
			if (o.to.IsZero() || t.Before(o.to.Add(15*time.Minute))) && !t.Before(o.from) {
				if o.to.IsZero() { // the server still takes nothing
					return t.AddDate(100, 0, 0)
				}
				t, again = o.to.Add(20*time.Minute), true
			}
		}
		if p != nil {
			if up := (&calendar.Calendar{Zone: p.zone, Night: p.night}).Awake(t); up.After(t) {
				t, again = up.Add(2*time.Minute), true
			}
		}
	}
	return t
}

// overdue looks for deadlines that the house missed.
func (d *days) overdue(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for table, due := range d.due {
		if !due.IsZero() && time.Since(due) > by {
			d.missed++
			d.faults = append(d.faults, fmt.Sprintf("the deadline of %s at table %s was missed", due.UTC(), table))
			delete(d.due, table)
		}
	}
}

// tally returns how many mails of each kind everybody got.
func (d *days) tally() (out []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := map[string]map[string]int{}
	for _, a := range d.mails {
		if of[a.to.name] == nil {
			of[a.to.name] = map[string]int{}
		}
		of[a.to.name][string(a.Letter.Kind)]++
		of[a.to.name]["mails"]++
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, fmt.Sprintf("%s: %v", name, of[name]))
	}
	return out
}

// ends checks that nothing went wrong and nothing is left to do.
func (d *days) ends() {
	d.T.Helper()
	d.fine()
	d.mu.Lock()
	defer d.mu.Unlock()
	require.NotEmpty(d.T, d.mails)
	require.Zero(d.T, d.missed)
}
