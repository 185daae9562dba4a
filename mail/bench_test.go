package mail_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/mail"
)

// BenchmarkQueue sends turn mails, including pictures, to a server that takes 200 ms for each. One operation is one
// mail.
func BenchmarkQueue(b *testing.B) {
	for _, game := range []string{"tiny", "carcassonne", "catan"} {
		b.Run(game, func(b *testing.B) {
			h := open(b, time.Now)
			for i := 0; h.waits() < b.N; i++ {
				ana, bo := h.person(fmt.Sprintf("Ana%d", i), "en"), h.person(fmt.Sprintf("Bo%d", i), "en")
				h.started(game, "", ana, bo)
				h.notify()
			}
			s := newScripted(b)
			s.set(func() { s.slow = 200 * time.Millisecond })
			snd := h.sender(s.transport(""))
			snd.Connections = mail.DefaultConnections
			b.ResetTimer()
			for sent := -1; sent < len(s.letters()); {
				// some of what is due comes to nothing, or joins other news in one letter
				sent = len(s.letters())
				require.NoError(b, snd.Flush(h.Ctx))
			}
			b.StopTimer()
			require.NotEmpty(b, s.letters())
			b.ReportMetric(float64(len(s.letters()))/b.Elapsed().Seconds(), "mails/s")
		})
	}
}

// waits returns how many letters are waiting.
func (h *house) waits() int {
	h.T.Helper()
	return h.standing().Letters
}

// BenchmarkReminders looks whom to remind in a house with 10,000 open tables: when nobody is to be reminded, and when
// two people at each of 40 tables are, whose rows are then written.
func BenchmarkReminders(b *testing.B) {
	c := &clock{noon}
	h := open(b, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	for i := range 10_000 {
		h.timed("weekly", domain.TimeOutRemind, ana, bo)
		if i%20 == 19 {
			c.advance(time.Hour)
		}
	}
	h.reminds()
	b.Run("nobody", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, h.notifier.RemindNow(h.Ctx))
		}
	})
	b.Run("at 40 tables", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, h.outbox.Exec(h.Ctx, `DELETE FROM outbox`))
			h.forgets(fmt.Sprint(c.t.Add(-time.Hour).UnixMilli()))
			require.NoError(b, h.notifier.RemindNow(h.Ctx))
		}
		require.Equal(b, 80, h.waits())
	})
}
