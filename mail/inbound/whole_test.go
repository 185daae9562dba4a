package inbound_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	netmail "net/mail"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// post is a house that sends its mails to the built-in mailbox, and people who answer them there.
type post struct {
	*house
	notifier *mail.Notifier
	sender   *mail.Sender
	box      *mail.Mailbox
	client   *smtp.Client
	sent     int // mails that people wrote
	moves    int
}

// errCaughtUp ends a follower at the end of the log.
var errCaughtUp = errors.New("caught up")

// sofar is a follower that hands out the log so far, and ends.
type sofar struct{ log events.Log }

func (f sofar) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	for {
		recs, err := f.log.Read(ctx, after, 100)
		if err != nil {
			return err
		}
		if len(recs) == 0 {
			return errCaughtUp
		}
		if err := handle(ctx, recs); err != nil {
			return err
		}
		after = recs[len(recs)-1].Pos
	}
}

func newPost(t *testing.T) *post {
	t.Helper()
	p := &post{house: newHouse(t)}
	p.notifier = &mail.Notifier{Desk: p.Desk, Outbox: p.outbox, Patience: time.Minute}
	var err error
	p.box, err = mail.OpenMailbox(t.TempDir())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.box.Run(ctx) }()
	transport, err := mail.NewSMTP(p.box.Address(), "localhost", 1)
	require.NoError(t, err)
	p.sender = &mail.Sender{Outbox: p.outbox, Composer: p.composer, Transport: transport, Now: p.now.Now,
		Delays: mail.DefaultDelays,
		GiveUp: mail.DefaultGiveUp, Alarm: func(err error) { t.Errorf("an alarm: %v", err) }}
	t.Cleanup(func() {
		require.NoError(t, transport.Close())
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
	p.client = lmtp(t, serve(t, "lmtp://127.0.0.1:0", p.door, p.own))
	return p
}

// deliver delivers everything that is to be mailed.
func (p *post) deliver(table events.Name) {
	p.T.Helper()
	p.Follows(table)
	require.ErrorIs(p.T, p.notifier.Run(p.Ctx, sofar{p.Desk.Log()}), errCaughtUp)
	p.now.add(4 * time.Second) // an invitation waits a moment for its opener's words
	require.NoError(p.T, p.sender.Flush(p.Ctx))
	p.now.add(5 * time.Minute)
}

// newest returns the last mail that somebody got.
func (p *post) newest(to string) mail.Parts {
	p.T.Helper()
	for _, m := range p.box.Messages() {
		if strings.EqualFold(m.To, to) {
			parts, err := m.Read()
			require.NoError(p.T, err)
			return parts
		}
	}
	require.Fail(p.T, "no mail", to)
	return mail.Parts{}
}

// answer answers the last mail that somebody got, as a mail program does: their lines above, the mail below.
func (p *post) answer(from string, lines ...string) {
	p.T.Helper()
	p.answerTo(from, p.newest(from), lines...)
}

// answerTo answers a mail that somebody got: to the address that it names for answers, or else to its sender's.
func (p *post) answerTo(from string, m mail.Parts, lines ...string) {
	p.T.Helper()
	to, err := netmail.ParseAddress(cmp.Or(m.Header.Get("Reply-To"), m.Header.Get("From")))
	require.NoError(p.T, err, m.Text)
	p.sent++
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(m.Text, "\r\n", "\n")), "\n", "\r\n> ")
	raw := fmt.Sprintf("From: %s\r\nTo: <%s>\r\nSubject: Re: %s\r\nMessage-ID: <%d@example.org>\r\nIn-Reply-To: "+
		"%s\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"+
		"%s\r\n\r\nOn %s, Posthorn wrote:\r\n%s\r\n", from, to.Address, m.Subject, p.sent, m.Header.Get("Message-Id"),
		strings.Join(lines, "\r\n"), p.now.Now().Format(time.RFC1123), quoted)
	sender, err := netmail.ParseAddress(from)
	require.NoError(p.T, err)
	p.log.Reset()
	require.Empty(p.T, send(p.T.(*testing.T), p.client, sender.Address, string(p.posted(to.Address, []byte(raw))),
		to.Address))
}

// lines returns a whole turn of a seat as the steady stand-in plays it: each move in notation; a single move is called
// what the mail calls it.
func (p *post) lines(table events.Name, seat domain.Seat, who domain.PersonID) (lines []string, first string) {
	p.T.Helper()
	look := p.Sees(table)
	line := look.Line.Clone()
	for line.Awaits(seat) && len(lines) < 12 {
		seed := fnv.New64a()
		_, _ = seed.Write(table[:])
		m, ok := standin.Steady{}.Choose(standin.Look(line.Rulebook, line.State, seat, seed.Sum64()+line.Version))
		require.True(p.T, ok)
		e, _, err := line.Decide(seat, m)
		require.NoError(p.T, err)
		line.Apply(&e)
		lines = append(lines, look.Rulebook.FormatMove(m, nil))
	}
	if len(lines) > 1 {
		return lines, lines[0]
	}
	if name := p.called(table, seat, who, lines[0]); name != "" {
		return []string{name}, lines[0]
	}
	return lines, lines[0]
}

// called returns what the mail about a turn calls a move, or "" if it does not list it.
func (p *post) called(table events.Name, seat domain.Seat, who domain.PersonID, notation string) string {
	p.T.Helper()
	mod, err := p.composer.Maker.Turn(p.Ctx, table, turn.Asker{Person: who, Seat: seat, Lang: "en"})
	require.NoError(p.T, err)
	for _, g := range mod.Groups() {
		for _, n := range g.Moves {
			if n.Notation == notation {
				return cmp.Or(n.Short, n.Name)
			}
		}
	}
	return ""
}

// plays answers mails until the game is over, or until enough mails. No game needs most.
func (p *post) plays(table events.Name, most, enough int) {
	p.T.Helper()
	p.deliver(table)
	subjects := map[string]bool{}
	for {
		look := p.Sees(table)
		open := look.Line.Awaited()
		if len(open) == 0 || enough > 0 && p.sent >= enough {
			break
		}
		require.Less(p.T, p.sent, most)
		seat := open[0].Seat
		person, err := p.people.Person(p.Ctx, look.Table.Places[seat].Holders[0])
		require.NoError(p.T, err)
		before, from := look.Line.Version, string(person.Address)
		if m := p.newest(from); saysWhoseTurn(p.T, m) {
			subjects[from+" "+m.Subject] = true
		}
		lines, first := p.lines(table, seat, person.ID)
		p.answer(from, lines...)
		if p.Sees(table).Line.Version == before { // a whole turn may be ambiguous
			require.Equal(p.T, "outcome: asked", outcome(p.log.String()), "%v", lines)
			p.deliver(table)
			p.answer(from, first)
		}
		after := p.Sees(table).Line.Version
		require.Greater(p.T, after, before, "%v: %s", lines, p.log.String())
		p.moves += int(after - before)
		p.deliver(table)
	}
	p.deliver(table)
	if enough == 0 {
		require.Equal(p.T, domain.TableEnded, p.Sees(table).Table.Status)
	}
	require.Len(p.T, subjects, len(p.Sees(table).Table.Everybody()), "each person has one thread")
}

func TestAWholeGameByReply(t *testing.T) {
	type game struct {
		table  desk.NewTable
		people []string
		most   int
		enough int // mails; 0 plays to the end
	}
	all := []game{
		{desk.NewTable{Rulebook: "catan"}, []string{"Ana", "Bo"}, 400, 0},
		{desk.NewTable{Rulebook: "carcassonne"}, []string{"Ana", "Bo"}, 120, 0},
		{desk.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": "intro"}}, []string{"Ana", "Bo"}, 400, 0},
	}
	if os.Getenv("POSTHORN_LONG") == "" {
		all = all[1:]      // Catan's pictures take most of the time; whole turns of it are played below
		all[1].enough = 30 // for the Rivals; Carcassonne is played to the end
	}
	for _, c := range all {
		t.Run(c.table.Rulebook, func(t *testing.T) {
			p := newPost(t)
			var ids []domain.PersonID
			for _, name := range c.people {
				ids = append(ids, p.person(name, "en"))
			}
			table := p.started(c.table, ids...)
			p.plays(table, c.most, c.enough)
			t.Logf("%d moves in %d mails", p.moves, p.sent)
			if c.table.Rulebook != "carcassonne" { // in Carcassonne a turn is one move
				require.Greater(t, p.moves, p.sent, "a whole turn was played by one mail")
			}
			if c.enough > 0 {
				return
			}
			sum := 0
			for _, m := range p.box.Messages() {
				sum += len(m.Raw)
			}
			t.Logf("%d mails of %d bytes", len(p.box.Messages()), sum)
			if c.table.Rulebook == "carcassonne" {
				require.Less(t, sum, 5_000_000, "of all mails of the game")
			}
			for _, name := range c.people {
				require.Contains(t, p.newest(strings.ToLower(name)+"@example.org").Text, "The game is over")
			}
		})
	}
}
