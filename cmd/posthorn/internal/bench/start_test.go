package bench

import (
	"context"
	"log/slog"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// slowGames fills a house with running games of all three kinds. Their events interleave, as when people play over
// days. It returns somebody who plays every 350th game, and the number of events in the log.
func slowGames(b *testing.B, cfg house.Settings, tables, rounds, moves int) (who posthorntest.Guest, last uint64) {
	h, err := house.Open(b.Context(), cfg, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	l := &posthorntest.Living{House: h, T: b, Ctx: b.Context()}
	l.Desk.Limit(desk.Limits{})
	who = l.Guest("ana@example.org")
	desk := l.Seated()
	names := make([]events.Name, tables)
	each := func(do func(i int)) {
		var all sync.WaitGroup
		next := make(chan int)
		for range 16 {
			all.Go(func() {
				for i := range next {
					do(i)
				}
			})
		}
		for i := range tables {
			next <- i
		}
		close(next)
		all.Wait()
	}
	each(func(i int) {
		game := []string{"carcassonne", "catan", "rivals"}[i%3]
		first := domain.PersonID("p" + strconv.Itoa(i/20))
		if i%350 == 0 {
			first = who.ID
		}
		names[i] = desk.StartsBy(first, game, nil, desktest.Player(first),
			desktest.Player(domain.PersonID("q"+strconv.Itoa(i/20))))
	})
	for round := range rounds {
		each(func(i int) { desk.Random(names[i], rand.New(rand.NewPCG(uint64(i), uint64(round))), moves) })
	}
	last, err = h.Log.Last(b.Context())
	require.NoError(b, err)
	require.NoError(b, h.Close())
	return who, last
}

// resident returns how much memory the process has, or has had at most, in MiB.
func resident(b *testing.B, which string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, which+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			require.NoError(b, err)
			return kb / 1024
		}
	}
	b.Fatal("no " + which)
	return 0
}

// BenchmarkStart starts a house with many running games and immediately requests a person's list. It reports how long
// that list took, processor time and memory for the first half minute, and how fast the lists are rebuilt.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{1000, 8000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			cfg := posthorntest.Settings(b.TempDir())
			who, last := slowGames(b, cfg, n, 5, 4)
			for range b.N {
				debug.FreeOSMemory()
				require.NoError(b, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
				stood, spent, began := resident(b, "VmRSS"), cputime.Used(), time.Now()
				l := posthorntest.Lives(b, cfg)
				m := &midgame{Living: l, b: b}
				w := httptest.NewRecorder()
				l.Server.ServeHTTP(w, m.request(nethttp.MethodGet, "/", nil, who))
				require.Equal(b, nethttp.StatusOK, w.Code)
				b.ReportMetric(time.Since(began).Seconds(), "first-s")
				time.Sleep(30*time.Second - time.Since(began))
				b.ReportMetric((cputime.Used() - spent).Seconds(), "start-cpu-s")
				b.ReportMetric(resident(b, "VmHWM")-stood, "start-MB")
				runtime.GC()

				began = time.Now()
				require.NoError(b, l.Views.Rebuild(l.Ctx, nil))
				b.ReportMetric(float64(last)/time.Since(began).Seconds(), "rebuilt/s")
				l.Stop()

				posthorntest.RemoveAll(b, cfg, "views-*")
				began = time.Now()
				l = posthorntest.Lives(b, cfg)
				require.NoError(b, l.Views.Await(context.Background(), last))
				b.ReportMetric(float64(last)/time.Since(began).Seconds(), "caught-up/s")
				l.Stop()
			}
		})
	}
}
