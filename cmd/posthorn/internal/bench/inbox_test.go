package bench

import (
	nethttp "net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desk"
)

// BenchmarkInbox shows a person the list of their games, many of all three kinds, some turns old.
func BenchmarkInbox(b *testing.B) {
	for _, n := range []int{23, 2000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			l := posthorntest.Lives(b, posthorntest.Settings(b.TempDir()))
			l.Desk.Limit(desk.Limits{})
			desk := l.Seated()
			ana := l.Guest("ana@example.org")
			bea := l.Guest("bea@example.org")
			m := &midgame{Living: l, b: b, spent: map[string]time.Duration{}, sent: map[string]int{}}
			for i := range n {
				game := []string{"carcassonne", "catan", "rivals"}[i%3]
				places := []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana.ID}},
					{Kind: domain.SeatPlayer, Invited: []domain.PersonID{bea.ID}}}
				table := desk.OpensBy(ana.ID, game, nil, places...)
				for s := range places {
					desk.Joins(places[s].Invited[0], table, domain.Seat(s))
				}
				desk.Follows(table)
				for range min(8+i%3, 4000/n) { // the longer the list, the fewer
					look := desk.Sees(table)
					desk.Plays(table, look.Line.Awaited()[0].Seat, m.chosen(look, look.Line.Awaited()[0]))
				}
			}
			l.CaughtUp()
			require.Eventually(b, func() bool { // mails going out beside it would be measured, too
				s, err := l.Outbox.Standing(l.Ctx)
				require.NoError(b, err)
				return s.Letters == 0
			}, 10*time.Minute, 50*time.Millisecond)
			b.ResetTimer()
			for range b.N {
				m.takes("inbox", func() int {
					w := httptest.NewRecorder()
					l.Server.ServeHTTP(w, m.request(nethttp.MethodGet, "/", nil, ana))
					require.Equal(b, nethttp.StatusOK, w.Code)
					return w.Body.Len()
				})
			}
			b.ReportMetric(m.spent["inbox"].Seconds()*1000/float64(b.N), "inbox-cpu-ms")
			b.ReportMetric(float64(m.sent["inbox"])/float64(b.N), "inbox-B")
		})
	}
}
