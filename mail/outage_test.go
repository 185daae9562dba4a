package mail_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// queued fills a house's queue with awaited turns: tables of four, each of whom is asked to choose, with nothing else
// waiting. It returns the tables.
func (h *house) queued(tables, peoples int) (out []events.Name) {
	h.T.Helper()
	everybody := make([]domain.PersonID, peoples)
	for i := range everybody {
		everybody[i] = h.person(fmt.Sprintf("Player%d", i), "en")
	}
	for i := range tables {
		var four []domain.PersonID
		for k := range 4 {
			four = append(four, everybody[(i*4+k)%peoples])
		}
		out = append(out, h.started("tiny", "", four...))
	}
	h.notify()
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `DELETE FROM outbox WHERE kind <> 'turn'`)) // the turn mails tell it
	return out
}

// turns counts the turn mails about tables that are in a state.
func (h *house) turns(tables []events.Name, state mail.State) (n int) {
	h.T.Helper()
	for _, table := range tables {
		list, err := h.outbox.Letters(h.Ctx, table)
		require.NoError(h.T, err)
		for _, l := range list {
			if l.Kind == mail.KindTurn && l.State == state {
				n++
			}
		}
	}
	return n
}

// The server is away for a simulated day, in which thousands of turns come up and some are played by other means. When
// it returns, every turn still awaited is mailed, once, under its Message-ID, within two minutes.
func TestADayWithoutAMailServer(t *testing.T) {
	tables := 100
	if os.Getenv("POSTHORN_LONG") == "1" {
		tables = 2500
	}
	c := &clock{noon}
	h := open(t, c.now)
	s := newScripted(t)
	s.say("greeting", "421 4.3.2 not today")
	snd := h.sender(s.transport(""))
	snd.Connections = mail.DefaultConnections
	// given turns that come up over a day, while the server takes nothing
	all := h.queued(tables, 200)
	for range 24 {
		require.NoError(t, snd.Flush(h.Ctx))
		c.advance(time.Hour)
	}
	st := h.standing()
	require.True(t, st.Stopped())
	require.Equal(t, 4*tables, h.turns(all, mail.StateNew)+h.turns(all, mail.StateSending))
	require.Empty(t, s.letters())
	// some of which are played meanwhile
	played := 0
	for _, table := range all[:tables/10] {
		h.play(table, 0, "keep")
		played++
	}
	want := map[string]domain.PersonID{}
	notices, err := h.notifier.Wanted(h.Ctx, all...)
	require.NoError(t, err)
	for _, n := range notices {
		if n.Kind != mail.KindTurn {
			continue
		}
		id, err := h.composer.Passes.MessageID(n, 0, "games.example.org")
		require.NoError(t, err)
		want["<"+id+">"] = n.Person
	}
	require.Len(t, want, 4*tables-played)
	// when it is back
	s.say("greeting", "")
	begun := time.Now()
	require.NoError(t, snd.Flush(h.Ctx))
	took := time.Since(begun)
	// then each turn still awaited has one mail, and the others have none
	got, seen := s.letters(), map[string]bool{}
	for _, l := range got {
		id := messageID(t, l.message)
		require.False(t, seen[id], "a mail came twice: %s", id)
		seen[id] = true
		if person, awaited := want[id]; awaited {
			p, err := h.people.Person(h.Ctx, person)
			require.NoError(t, err)
			require.Equal(t, string(p.Address), l.to)
			delete(want, id)
		}
	}
	require.Empty(t, want)
	require.Equal(t, 4*tables-played, h.turns(all, mail.StateSent), "no mail about a turn that was played")
	require.Equal(t, played, h.turns(all, mail.StateDropped))
	st = h.standing()
	require.False(t, st.Stopped())
	require.Zero(t, st.Letters)
	require.Less(t, took, 2*time.Minute)
	t.Logf("%d letters sent and %d turns dropped in %s, %.0f a second", len(got), played, took.Round(time.Millisecond),
		float64(len(got))/took.Seconds())
}

func TestWhatWaitedForTheServerIsThenWrittenAnew(t *testing.T) {
	c := &clock{noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	h.notify()
	away := &post{fails: []error{errors.New("535 not today")}}
	c.advance(12 * time.Hour) // so the reminders are due, too
	require.NoError(t, h.send(away))
	tried := parts(t, mail.Message{Raw: []byte(away.taken()[0].message)}).Text
	require.Contains(t, tried, "Play by Sunday, 22 November, 12:00 (UTC).")
	require.True(t, h.standing().Stopped())

	until := c.now().Add(100 * time.Hour)
	for _, d := range h.Sees(table).Deadlines() {
		_, err := h.DoCaused(h.Ctx, events.Clock, table, desk.CauseOf("postpone", table, d),
			desk.Postpone{Why: domain.DeferHouse, Due: d, From: until, Allowed: time.Hour})
		require.NoError(t, err)
	}
	h.do(bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed are you there?")}})
	c.advance(time.Hour)
	works := &post{}
	require.NoError(t, h.send(works))
	require.Len(t, works.taken(), 2, "one each: the reminders were of the old deadline")
	for _, s := range works.taken() {
		text := parts(t, mail.Message{Raw: []byte(s.message)}).Text
		require.Contains(t, text, "Play by Thursday, 26 November, 05:00 (UTC).")
		require.Equal(t, s.to == "ana@example.org", strings.Contains(text, "are you there?"), "told to whom it is news")
	}
	require.Equal(t, messageID(t, away.taken()[0].message),
		messageID(t, works.taken()[slices.IndexFunc(works.taken(), func(s sent) bool {
			return s.to == away.taken()[0].to
		})].message))
}

func TestAReminderThatWasPutOffIsSent(t *testing.T) {
	for name, fault := range map[string]error{"by a server that was away": errors.New("535 not today"),
		"by a server that wants it later": later} {
		t.Run(name, func(t *testing.T) {
			c := &clock{noon}
			h := open(t, c.now)
			ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
			h.timed("daily", domain.TimeOutRemind, ana, bo)
			h.notify()
			out := &post{}
			require.NoError(t, h.send(out))
			c.advance(12 * time.Hour)
			require.NoError(t, h.send(&post{fails: []error{fault, fault}}))
			c.advance(10 * time.Minute)
			require.NoError(t, h.send(out))
			for _, who := range []string{"ana", "bo"} {
				require.Len(t, out.sentTo(t, who+"@example.org"), 2, who)
			}
		})
	}
}

func TestWhatALetterWouldHaveToldIsToldByTheNext(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.do(bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed well met")}})
	h.notify()
	require.NoError(t, h.send(&post{fails: []error{later, later}}))
	h.play(table, 0, "keep")
	h.play(table, 1, "keep") // so that both letters are obsolete, and Ana rolls
	h.notify()
	h.makeDue()
	out := &post{}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 1)
	require.Contains(t, out.taken()[0].message, "well met")
}
