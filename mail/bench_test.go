package mail_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
