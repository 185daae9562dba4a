package mail_test

import (
	"context"
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
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/mail"
)

// reminded counts somebody's reminders among what was mailed.
func (p *post) reminded(t *testing.T, to string) (n int) {
	t.Helper()
	for _, line := range p.sentTo(t, to) {
		if strings.HasPrefix(line, "Half of your time") || strings.HasPrefix(line, "Little of your time") {
			n++
		}
	}
	return n
}

// Whatever becomes of the program, a reminder that was queued is not queued again, and none is left out.
func TestAReminderIsMadeOnceWhateverHappens(t *testing.T) {
	for name, happens := range map[string]func(h *house, c *clock){
		"nothing":                     func(*house, *clock) {},
		"a restart":                   func(h *house, _ *clock) { h.reopen() },
		"how far it had come is lost": func(h *house, _ *clock) { h.forgets("0") },
		"the views are made anew":     func(h *house, _ *clock) { require.NoError(h.T, h.views.Rebuild(h.Ctx, nil)) },
		"the clock is a year ahead, and then right again": func(h *house, c *clock) {
			c.advance(365 * 24 * time.Hour)
			h.reminds()
			c.advance(-365 * 24 * time.Hour)
		},
		"the clock is hours ahead, and then right again": func(h *house, c *clock) {
			h.forgets(fmt.Sprint(c.t.Add(5 * time.Hour).UnixMilli()))
		},
		"the clock is a day late, and then right again": func(h *house, c *clock) {
			c.advance(-24 * time.Hour)
			h.reminds()
			c.advance(24 * time.Hour)
		},
		"the letter is gone, but for its digest": func(h *house, c *clock) {
			c.advance(25 * time.Hour)
			h.tidied()
			c.advance(-25 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{t: noon}
			h := open(t, c.now)
			ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
			h.timed("daily", domain.TimeOutRemind, ana, bo)
			out := &post{}
			h.sentAll(out)
			for hours := range 24 {
				h.passes(c, out, 1)
				if hours == 5 || hours == 12 || hours == 22 {
					happens(h, c)
					require.NoError(t, h.send(out))
				}
			}
			require.Equal(t, 2, out.reminded(t, "ana@example.org"))
			require.Equal(t, 2, out.reminded(t, "bo@example.org"))
		})
	}
}

// forgets sets up to when everybody was reminded, as the queue's file has it.
func (h *house) forgets(upTo string) {
	h.T.Helper()
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `UPDATE checkpoint SET reminded = `+upTo))
}

// A house that was down when a reminder was due sends it when it is back; of two, only the later one.
func TestAReminderMissedByAHouseThatWasDownIsSent(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.sentAll(out)
	c.advance(22 * time.Hour)
	h.reopen()
	h.passes(c, out, 1)
	require.Contains(t, out.sentTo(t, "ana@example.org")[1], "Little of your time is left.")
	c.advance(time.Hour)
	h.passes(c, out, 3)
	require.Equal(t, 1, out.reminded(t, "ana@example.org"))
}

// A queue that goes back to an older copy reminds again, under the same Message-ID, as it mails everything again.
func TestAReminderFromAnOlderCopyHasItsMessageID(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.sentAll(out)
	c.advance(11 * time.Hour)
	require.NoError(t, h.outbox.Close())
	copied, err := os.ReadFile(h.mailDB())
	require.NoError(t, err)
	h.openOutbox()
	h.passes(c, out, 2)
	require.NoError(t, h.outbox.Close())
	for _, rest := range []string{"-wal", "-shm"} {
		require.NoError(t, os.RemoveAll(h.mailDB()+rest))
	}
	require.NoError(t, os.WriteFile(h.mailDB(), copied, 0o600))
	h.openOutbox()
	h.passes(c, out, 1)
	ids := map[string]int{}
	for _, s := range out.taken() {
		ids[messageID(t, s.message)]++
	}
	require.Len(t, ids, 4, "two turns, and a reminder of each")
	require.Len(t, out.taken(), 6)
}

// What an older program queued in advance goes out when it is due, and nothing is queued beside it. The notices are
// those of now, put into the queue before they are due, as it did.
func TestWhatAnOlderProgramQueuedInAdvanceGoesOutOnce(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.sentAll(out)
	half, _, err := h.notifier.Reminders(h.Ctx, noon, noon.Add(12*time.Hour))
	require.NoError(t, err)
	tenth, _, err := h.notifier.Reminders(h.Ctx, noon.Add(12*time.Hour), noon.Add(22*time.Hour))
	require.NoError(t, err)
	for i := range half {
		half[i].Wait, tenth[i].Wait = 12*time.Hour, 22*time.Hour
	}
	require.NoError(t, h.outbox.Want(h.Ctx, 0, slices.Concat(half, tenth)...))
	require.Equal(t, []string{"new ", "new "}, h.reminders(table, ana))
	h.reopen()
	require.Equal(t, 4, h.standing().Later)
	h.passes(c, out, 13)
	h.play(table, 0, "keep")
	h.passes(c, out, 11)
	require.Equal(t, []string{"sent 2.0.0 kept", "dropped played"}, h.reminders(table, ana))
	require.Equal(t, []string{"sent 2.0.0 kept", "sent 2.0.0 kept"}, h.reminders(table, bo))
	require.Zero(t, h.standing().Later)
}

// strange is a log in which, while told so, no event of a table can be read.
type strange struct {
	events.Log
	table events.Name
	on    bool
}

func (s *strange) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	recs, err := s.Log.Load(ctx, name, after, upTo)
	if s.on && name == s.table {
		recs = slices.Clone(recs)
		for i := range recs {
			recs[i].Type = "table.unheard-of.v1"
		}
	}
	return recs, err
}

// A table that cannot be read holds up nobody else's reminders, and has its own once it can be.
func TestATableThatStandsStillHasItsRemindersLater(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	still, other := h.timed("daily", domain.TimeOutRemind, ana, bo), h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.sentAll(out)
	log := &strange{Log: h.Log(), table: still, on: true}
	again := func() {
		h.reopen()
		h.notifier.Desk = desk.NewDesk(log, h.keys, named, c.now) // as after a restart
		h.reminds()
	}
	c.advance(12 * time.Hour)
	for range 2 {
		again()
		require.Empty(t, h.letters(still, mail.KindReminder))
		require.Len(t, h.letters(other, mail.KindReminder), 2)
		c.advance(time.Hour)
	}
	log.on = false
	again()
	require.Len(t, h.letters(still, mail.KindReminder), 2)
	require.Len(t, h.letters(other, mail.KindReminder), 2)
}

// Given a game of two who answer within hours, then the queue has a row for each letter, and none of a reminder.
func TestAGamePlayedInTimeMakesNoRowOfAReminder(t *testing.T) {
	programtest.Long(t)
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "carcassonne",
		Pace: "weekly", Clock: domain.ClockOf("weekly", domain.TimeOutTurn), Places: invited(ana, bo)})
	require.NoError(t, err)
	h.join(ana, ans.Table)
	h.join(bo, ans.Table)
	h.Follows(ans.Table)
	made := map[mail.Kind]int{}
	for n, last := 0, int64(0); ; n++ {
		h.sentAll(&post{})
		list, err := h.outbox.Letters(h.Ctx, ans.Table)
		require.NoError(t, err)
		for _, l := range list {
			if l.ID > last {
				last = l.ID
				made[l.Kind]++
			}
		}
		if h.Sees(ans.Table).Table.Status == domain.TableEnded {
			break
		}
		c.advance(3 * time.Hour)
		h.playRandom(ans.Table, h.awaited(ans.Table), n)
		h.Follows(ans.Table)
	}
	t.Log("rows of a game:", made)
	require.Zero(t, made[mail.KindReminder])
	require.LessOrEqual(t, made[mail.KindTurn], 72, "at most one a tile")
}
