package mail_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

// looking says who is at which table's page, and since when nothing was heard of them.
type looking map[events.Name]map[domain.PersonID]time.Time

func (l looking) at(table events.Name, id domain.PersonID, heard time.Time) {
	if l[table] == nil {
		l[table] = map[domain.PersonID]time.Time{}
	}
	l[table][id] = heard
}

func (l looking) here(_ context.Context, id domain.PersonID, table events.Name) (until time.Time, err error) {
	if heard, ok := l[table][id]; ok {
		until = heard.Add(time.Minute)
	}
	return until, nil
}

// seeing is a house in which some people are at tables' pages.
type seeing struct {
	*house
	*clock
	looking
	out *post
}

func newSeeing(t *testing.T) *seeing {
	t.Helper()
	c := &clock{noon}
	return &seeing{open(t, c.now), c, looking{}, &post{}}
}

// passes lets a minute pass at a time, in which the people who are at a page are heard again.
func (s *seeing) passes(minutes int, table events.Name, still ...domain.PersonID) {
	s.T.Helper()
	for range minutes {
		for range 3 {
			s.advance(20 * time.Second)
			for _, id := range still {
				s.at(table, id, s.t)
			}
			s.sends()
		}
	}
}

func (s *seeing) sends() {
	s.T.Helper()
	s.notify()
	s.reminds()
	sender := s.sender(s.out)
	sender.Here = s.here
	ctx, stop := context.WithTimeout(s.Ctx, time.Minute) // one that takes up the same letter again and again ends
	defer stop()
	require.NoError(s.T, sender.Flush(ctx))
}

func (s *seeing) texts(to string) (out []string) {
	s.T.Helper()
	for _, l := range s.out.taken() {
		if l.to == to {
			out = append(out, flat(parts(s.T, mail.Message{Raw: []byte(l.message)}).Text))
		}
	}
	return out
}

// What is asked of somebody who is at the table's page is mailed a minute after that was last heard, and not before.
func TestWhoIsAtTheTableIsMailedWhenTheyLeave(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	table := s.started("tiny", `{"roller":"A"}`, ana, bo)
	s.at(table, ana, s.t)
	s.sends()
	require.Empty(t, s.texts("ana@example.org"))
	require.Len(t, s.texts("bo@example.org"), 1, "he is not")
	require.Equal(t, "held: at the table", s.letter(table, mail.KindTurn, ana).Note)
	standing, err := s.outbox.Standing(s.Ctx)
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 1}, [2]int{standing.Letters, standing.Held})

	s.passes(5, table, ana)
	require.Empty(t, s.texts("ana@example.org"))
	s.advance(59 * time.Second)
	s.sends()
	require.Empty(t, s.texts("ana@example.org"))
	s.advance(time.Second + time.Millisecond)
	s.sends()
	require.Len(t, s.texts("ana@example.org"), 1)
	require.NotContains(t, s.texts("ana@example.org")[0], "not emailed")
	s.passes(5, table, ana)
	require.Len(t, s.texts("ana@example.org"), 1, "once")
}

// A game that both play at its page needs no mail about turns. The one who leaves is told in the next mail, with the
// receipt that covers it, what they were asked meanwhile; and nobody is told so twice.
func TestWhatWasAnsweredAtTheTableIsInTheNextMail(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	table := s.started("tiny", `{"roller":"A"}`, ana, bo)
	s.at(table, ana, s.t)
	s.at(table, bo, s.t)
	s.sends()
	s.passes(1, table, ana, bo)
	s.play(table, 0, "keep")
	s.play(table, 1, "keep")
	asked := s.Sees(table).Line.Awaited()[0].Since
	s.passes(3, table, ana, bo)
	require.Empty(t, s.texts("ana@example.org"))
	require.Empty(t, s.texts("bo@example.org"))

	s.passes(2, table, bo)
	require.Len(t, s.texts("ana@example.org"), 1)
	text := s.texts("ana@example.org")[0]
	require.Contains(t, text, "At the table's page you were asked one thing that was not emailed (version 1). "+
		"Receipt of the game's history")
	receipts, broken := events.FindReceipts(text)
	require.Zero(t, broken)
	require.Len(t, receipts, 1)
	receipt, err := events.ParseReceipt(receipts[0])
	require.NoError(t, err)
	require.GreaterOrEqual(t, receipt.Version, asked)

	for s.Sees(table).Table.Status != domain.TableEnded {
		s.play(table, s.awaited(table), "")
		s.sends()
		s.passes(2, table, bo)
	}
	for _, text := range s.texts("ana@example.org")[1:] {
		require.NotContains(t, text, "not emailed")
	}
	require.Empty(t, s.texts("bo@example.org"), "he has stayed")
	s.passes(2, table)
	require.Len(t, s.texts("bo@example.org"), 1, "that it is over goes out when he leaves")
	require.Regexp(t, `you were asked (one thing that was|\d+ things that were) not emailed`, s.texts("bo@example.org")[0])
}

// A reminder waits until its person leaves, and is not sent if they have played by then.
func TestAReminderWaitsForWhoIsAtTheTable(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	table := s.timed("daily", domain.TimeOutRemind, ana, bo)
	s.sends()
	require.Len(t, s.texts("ana@example.org"), 1)
	s.advance(12*time.Hour - time.Second)
	s.at(table, ana, s.t)
	s.at(table, bo, s.t)
	s.advance(time.Second)
	s.passes(3, table, ana, bo)
	require.Len(t, s.texts("ana@example.org"), 1)
	s.play(table, 1, "keep")
	s.passes(3, table)
	require.Len(t, s.texts("bo@example.org"), 1)
	require.Len(t, s.texts("ana@example.org"), 2)
	require.Contains(t, s.texts("ana@example.org")[1], "Half of your time has passed.")
}

// A digest tells of the other tables. It does not wait for what waits because its reader is at the table.
func TestADigestLeavesOutTheTableOneIsAt(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	require.NoError(t, s.people.SetRhythm(s.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	var tables []events.Name
	for range 3 {
		tables = append(tables, s.started("tiny", `{"roller":"A"}`, ana, bo))
	}
	s.sends()
	s.advance(6*time.Hour - time.Second)
	s.at(tables[0], bo, s.t)
	s.advance(2 * time.Second)
	s.sends()
	got := s.texts("bo@example.org")
	require.Len(t, got, 1)
	require.Equal(t, 2, strings.Count(got[0], "Your turn: keep your card"), got[0])
	s.passes(1, tables[0], bo)
	require.Len(t, s.texts("bo@example.org"), 1)
	require.Equal(t, "held: at the table", s.letter(tables[0], mail.KindTurn, bo).Note)
	s.passes(2, tables[0])
	require.Equal(t, "", s.letter(tables[0], mail.KindTurn, bo).Note, "now it waits for the next digest")
	s.advance(24 * time.Hour)
	s.sends()
	require.Len(t, s.texts("bo@example.org"), 2)
}

// Of a team each is mailed, or not, for themselves.
func TestOfATeamOnlyWhoIsAtTheTableIsNotMailed(t *testing.T) {
	s := newSeeing(t)
	ana, bo, cid := s.person("Ana", "en"), s.person("Bo", "en"), s.person("Cid", "en")
	table := s.teamed(ana, bo, cid)
	s.at(table, bo, s.t)
	s.sends()
	require.Equal(t, mail.StateNew, s.letter(table, mail.KindTurn, bo).State)
	require.Equal(t, mail.StateSent, s.letter(table, mail.KindTurn, cid).State)
}

// Who has switched a mail off is not told later that it was left out, and hears of nothing when they leave.
func TestWhatIsSwitchedOffIsNotHeld(t *testing.T) {
	for _, rhythm := range []people.Rhythm{{}, {Every: 3}, {Daily: true, At: 12}} {
		t.Run(rhythm.String(), func(t *testing.T) {
			s := newSeeing(t)
			ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
			require.NoError(t, s.people.SetRhythm(s.Ctx, ana, rhythm))
			require.NoError(t, s.people.SetMails(s.Ctx, ana, string(mail.KindTurn), false))
			table := s.started("tiny", `{"roller":"A"}`, ana, bo)
			s.at(table, ana, s.t)
			s.sends()
			require.Equal(t, mail.StateDropped, s.letter(table, mail.KindTurn, ana).State)
		})
	}
}

// Who is at a table is not known after a restart: then the mail goes.
func TestAfterARestartTheMailGoes(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	table := s.started("tiny", `{"roller":"A"}`, ana, bo)
	s.at(table, ana, s.t)
	s.sends()
	require.Empty(t, s.texts("ana@example.org"))
	s.reopen()
	s.looking = looking{}
	s.passes(2, table)
	require.Len(t, s.texts("ana@example.org"), 1)
}

// Who was asked at the table's page was told then: leaving later gives them no more time.
func TestWhoWasAtTheTableWasToldThen(t *testing.T) {
	s := newSeeing(t)
	ana, bo := s.person("Ana", "en"), s.person("Bo", "en")
	table := s.timed("daily", domain.TimeOutTurn, ana, bo)
	ask := s.Sees(table).Asks()[0]
	require.Equal(t, desk.AskTurn, ask.Kind)
	require.Equal(t, ana, ask.Person)
	s.at(table, ana, s.t)
	s.sends()
	s.passes(60, table, ana)
	s.passes(3, table)
	require.Len(t, s.texts("ana@example.org"), 1)
	told, err := s.outbox.Told(s.Ctx, ask)
	require.NoError(t, err)
	require.Equal(t, noon, told.At)
}
