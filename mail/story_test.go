package mail_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/events/programtest"
	"posthorn/mail"
)

// pipes connects to a server within a bubble: no bytes leave it.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newPipes() *pipes { return &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 25} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.dialled <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// fourFriends is a game of Catan by mail: Ana in Lisbon and Bo in São Paulo press links, Cid in Warsaw and Dora in New
// York write back.
type fourFriends struct {
	*days
	server             *scripted
	ana, bo, cid, dora *player
	table              events.Name
	overlooks          bool        // Bo overlooks the next mail
	gone               bool        // Dora has vanished
	leaving            bool        // Cid says in his next answer that he is leaving
	back               time.Time   // when Cid is back from his holiday
	enough             bool        // they have had enough, and play no more
	brisk              atomic.Bool // they are quick
	offers             int         // that Cid made
	agreed             int         // how many of these were accepted
}

func TestTwoWeeksOfFourFriends(t *testing.T) {
	programtest.Long(t)
	cryptotest.SetGlobalRandom(t, 12) // the table's luck
	synctest.Test(t, func(t *testing.T) {
		// Monday, 22 October 2001. On the following Sunday, clocks go back in Europe and New York.
		f := newFourFriends(t)
		day := func(n, hour int) time.Time { return time.Date(2001, 10, 21+n, hour, 0, 0, 0, time.UTC) }

		// On Monday Ana opens a table at a move a day. By Monday night all four are seated.
		f.until(day(1, 9))
		f.opens()
		f.until(day(2, 0))
		require.Equal(t, domain.TableStarted, f.Sees(f.table).Table.Status)
		require.Equal(t, 1, f.had(f.bo, mail.KindInvitation))
		require.Zero(t, f.had(f.ana, mail.KindInvitation), "she opened it")

		// On Wednesday Bo overlooks a mail. After half of his time he gets a reminder, and plays.
		f.until(day(3, 12))
		f.overlooks = true
		f.waits(48*time.Hour, func() bool { return f.had(f.bo, mail.KindReminder) == 1 })
		require.False(t, f.overlooks)

		// Before the weekend Cid writes that he is away until Sunday. Nobody reminds him during that time.
		f.leaving = true
		f.waits(36*time.Hour, func() bool { return f.answers["outcome away"] == 1 })
		reminded := f.had(f.cid, mail.KindReminder)
		f.until(day(7, 22))
		require.Equal(t, reminded, f.had(f.cid, mail.KindReminder), "he is on holiday")
		require.Empty(t, f.did["timed out: seat"])

		// On Monday nobody hears from Dora any more. Her day and her spare day pass; then a stand-in plays for her, and
		// everybody is told.
		f.until(day(8, 8))
		f.gone = true
		f.waits(4*24*time.Hour, func() bool { return f.did["timed out: seat"] == 1 })
		require.Equal(t, 1, f.did["deferred: spare of D"])
		require.True(t, f.Sees(f.table).Table.Places[3].Lent)

		// The night after, the mail provider refuses: first the password, then it says that today's quota is used up,
		// then it never greets. Meanwhile somebody nudges the awaited, who sleep, and asks for a fresh link, so there
		// is a letter to send. In the morning it works.
		night := time.Now().Truncate(24 * time.Hour).Add(46 * time.Hour)
		f.until(night)
		f.refuses("AUTH", "535 5.7.8 wrong password")
		f.nudges()
		require.NoError(t, mail.Post{Outbox: f.outbox}.Link(f.Ctx, f.ana.id, f.table))
		f.until(night.Add(4 * time.Hour))
		require.Contains(t, f.standing().Why, "535")
		f.refuses("MAIL", "452 4.5.3 enough for today")
		f.until(night.Add(7 * time.Hour))
		f.refuses("greeting", "silent")
		f.until(night.Add(10 * time.Hour))
		require.True(t, f.standing().Stopped())
		f.works()
		f.waits(6*time.Hour, func() bool { return !f.standing().Stopped() })

		// Three days later they have had enough, if nobody has won by then. All four know.
		for end := time.Now().Add(3 * 24 * time.Hour); time.Now().Before(end) &&
			f.Sees(f.table).Table.Status != domain.TableEnded; {
			f.until(time.Now().Add(time.Hour))
		}
		if f.Sees(f.table).Table.Status != domain.TableEnded {
			f.enough = true
			f.does(f.ana, f.table, desk.ProposeEnd{})
		}
		f.waits(48*time.Hour, func() bool {
			return f.had(f.dora, mail.KindOver)+f.had(f.ana, mail.KindOver)+f.had(f.bo, mail.KindOver)+
				f.had(f.cid, mail.KindOver) == 4
		})
		look := f.Sees(f.table)
		require.Equal(t, domain.TableEnded, look.Table.Status, "%v", look.Asks())
		for _, p := range []*player{f.ana, f.bo, f.cid, f.dora} {
			require.Equal(t, 1, f.had(p, mail.KindOver), p.name)
		}
		require.Positive(t, f.agreed, "wool was had for ore")
		f.shuts()
		for _, line := range f.tally() {
			t.Log(line)
		}
		t.Log(len(f.mails), "mails in all;", f.offers, "offers;", f.agreed, "trades;", f.did, f.answers)
		require.Len(t, f.server.letters(), len(f.mails))
		f.ends()
	})
}

func newFourFriends(t *testing.T) *fourFriends {
	t.Helper()
	f := &fourFriends{days: newDays(t, time.Date(2001, 10, 22, 0, 0, 0, 0, time.UTC))}
	night := calendar.Night{From: 22, To: 8}
	f.ana, f.bo = f.comes("Ana", "pt-PT", "Europe/Lisbon", night), f.comes("Bo", "pt-BR", "America/Sao_Paulo", night)
	f.cid, f.dora = f.comes("Cid", "pl", "Europe/Warsaw", night), f.comes("Dora", "en", "America/New_York", night)
	for _, p := range f.folk {
		p.read = func(a arrival) { f.reads(p, a) }
		p.picks = f.picks
	}
	at := newPipes()
	f.server = scriptedOver(t, at)
	smtp, err := mail.NewSMTP("smtp://user:secret@127.0.0.1:25", "games.example.org", 4)
	require.NoError(t, err)
	smtp.DialBy(at.dial)
	f.clock.Rest = 10 * time.Minute
	f.runs(smtp)
	t.Cleanup(func() { f.shuts(); require.NoError(t, smtp.Close()) })
	return f
}

// opens opens the table; the others get their mails.
func (f *fourFriends) opens() {
	f.T.Helper()
	n := desk.NewTable{Rulebook: "catan", Pace: "daily",
		Clock:   &domain.Clock{Hours: 24, Spare: 1, TimeOut: domain.TimeOutSeat},
		Choices: domain.Choices{"points": "10", "board": "beginner", "founding": "beginner"},
		Places:  invited(f.ana.id, f.bo.id, f.cid.id, f.dora.id)}
	ans, err := f.Open(f.Ctx, desktest.By(f.ana.id), events.NewCommandID(), n)
	require.NoError(f.T, err)
	f.table = ans.Table
	f.joins(f.ana, f.table)
}

// waits lets time pass until something has happened, which must be soon.
func (f *fourFriends) waits(most time.Duration, come func() bool) {
	f.T.Helper()
	for end := time.Now().Add(most); !come(); f.until(time.Now().Add(time.Hour)) {
		require.True(f.T, time.Now().Before(end), "it has not come about within %s; the table asks %v", most,
			f.Sees(f.table).Asks())
	}
}

// nudges has somebody ask for a reminder to the awaited players.
func (f *fourFriends) nudges() {
	seat := f.Sees(f.table).Line.Awaited()[0].Seat
	by := f.ana
	if seat == 0 {
		by = f.cid
	}
	f.does(by, f.table, desk.Nudge{Seat: seat})
}

// refuses makes the provider refuse at one step, and nowhere else.
func (f *fourFriends) refuses(step, says string) {
	for _, s := range []string{"AUTH", "MAIL", "greeting"} {
		f.server.say(s, "")
	}
	f.server.say(step, says)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.outages) == 0 {
		f.outages = []outage{{from: time.Now()}}
	}
}

func (f *fourFriends) works() {
	f.refuses("MAIL", "")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.outages[0].to = time.Now()
}

// had returns how many mails of a kind somebody has.
func (f *fourFriends) had(p *player, k mail.Kind) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.mails {
		if a.to == p && a.Letter.Kind == k {
			n++
		}
	}
	return n
}

// reads is how a friend reacts to a mail: they play within the hour, if they are awake.
func (f *fourFriends) reads(p *player, a arrival) {
	if p == f.dora && f.gone {
		return
	}
	if p == f.bo && f.overlooks && a.Letter.Kind == mail.KindTurn && a.facts.Kind == "turn" {
		// something may overtake an offer
		f.overlooks = false
		return
	}
	f.mu.Lock()
	soon := 20*time.Minute + time.Duration(f.rnd.Int64N(int64(80*time.Minute)))
	if f.brisk.Load() {
		soon = soon / 20
	}
	f.mu.Unlock()
	switch a.facts.Purpose {
	case pass.Join:
		f.later(p.awake(soon), func() { f.joins(p, f.table) })
	case pass.Answer:
		f.later(p.awake(soon), func() { f.does(p, f.table, desk.Agree{Since: a.facts.Since}) })
	case pass.Play:
		f.later(p.awake(soon), func() { f.plays(p, a) })
	}
}

// plays takes the decision that a mail is about, by its link or by an answer.
func (f *fourFriends) plays(p *player, a arrival) {
	look, o, ok := f.asksFor(a.facts)
	if !ok || f.enough {
		return
	}
	if p == f.cid && f.leaving {
		f.leaving = false
		f.writes(p, a, "away do niedzieli")
		f.back = time.Date(2001, 10, 29, 9, 0, 0, 0, p.zone)
	}
	if p == f.cid && time.Now().Before(f.back) {
		f.later(time.Until(f.back), func() { f.plays(p, a) })
		return
	}
	text := f.chooses(p, look, o)
	if p == f.ana || p == f.bo {
		f.presses(p, a, text)
		f.goesOn(p)
		return
	}
	f.writes(p, a, text)
}

// goesOn takes the decision that the player's own press brought up, on the page that it led to.
func (f *fourFriends) goesOn(p *player) {
	look, err := f.Look(f.Ctx, f.table)
	if err != nil || look.Line == nil || look.Table.Status != domain.TableStarted || f.enough {
		return
	}
	for _, o := range look.Line.Awaited() {
		if look.Table.Places[o.Seat].Holds(p.id) && o.Kind == "turn" {
			time.Sleep(5 * time.Second)
			_, err := f.Play(f.Ctx, desktest.By(p.id),
				desk.Move{ID: events.NewCommandID(), Table: f.table, Line: look.LineName, Seat: o.Seat, Decision: o,
					Text: f.chooses(p, look, o)})
			if err != nil {
				f.wrong("%s goes on: %v", p.name, err)
				return
			}
			f.goesOn(p)
			return
		}
	}
}

// picks returns what the friends do about trade; "" leaves a move to their judgement.
func (f *fourFriends) picks(look desk.Look, o domain.Open) string {
	tries := func(line *domain.Line, seat domain.Seat, text string) bool {
		m, err := line.Parse(text, nil)
		if err != nil {
			return false
		}
		e, _, err := line.Decide(seat, m)
		if err == nil {
			line.Apply(&e)
		}
		return err == nil
	}
	switch {
	case o.Kind == "answer" && tries(look.Line.Clone(), o.Seat, "accept") && o.Seat == 1:
		f.agreed++
		return "accept"
	case o.Kind == "answer":
		return "decline"
	case o.Kind != "turn" || o.Seat != 2 || f.agreed > 1 || f.offers > 40 ||
		time.Until(look.Deadline(o)) < 20*time.Hour:
		return "" // he does not spend his whole turn haggling
	}
	goods := []string{"wool", "grain", "ore", "brick", "lumber"}
	for _, give := range goods {
		for _, take := range goods {
			text := fmt.Sprintf("offer 1 %s for 1 %s", give, take)
			line := look.Line.Clone()
			if give != take && tries(line, 2, text) && tries(line, 1, "accept") {
				f.offers++
				return text
			}
		}
	}
	return ""
}
