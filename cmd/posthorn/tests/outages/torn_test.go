package outages

import (
	"context"
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/cmd/posthorn/internal/roles"
	"posthorn/events"
)

// mostAway is how long a fault of the writer may interrupt play, where that is measured.
const mostAway = 10 * time.Second

// faults does to the writer, again and again, what happens to machines.
type faults struct {
	k       *keptByTwo
	of      [2]*machine
	gave    *ledger
	callers []*caller
	moves   *atomic.Int64
	rand    *rand.Rand
	lost    int // how often a machine lost its lease without a fault
}

// writer waits until one of the machines writes, and makes the house's address lead there.
func (f *faults) writer() (writer, other *machine) {
	t := f.k.t
	t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(20 * time.Millisecond) {
		for i, m := range f.of {
			f.minds(m)
			if status, _ := m.asked("/readyz"); status == nethttp.StatusOK {
				f.k.to.Store(&url.URL{Scheme: "http", Host: m.listen})
				return m, f.of[1-i]
			}
		}
	}
	t.Fatalf("nobody writes: %s\n%s", f.of[0].Log, f.of[1].Log)
	return nil, nil
}

// minds restarts a machine that lost its lease without a fault, as a service manager does.
func (f *faults) minds(m *machine) {
	select {
	case <-m.Done:
		require.Equal(f.k.t, roles.LostTurn, m.Cmd.ProcessState.ExitCode(), "%s", m.Log)
		f.k.t.Logf("lost its lease by itself: %s", m.Log)
		f.lost++
		m.role = "standby"
		m.begins()
	default:
	}
}

// calm waits until one machine writes and the other could take over.
func (f *faults) calm() (writer, other *machine) {
	t := f.k.t
	t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(20 * time.Millisecond) {
		writer, other := f.writer()
		if _, says := other.asked("/readyz"); says == "standby, 0 events behind\n" {
			return writer, other
		}
	}
	t.Fatalf("nobody stands by: %s\n%s", f.of[0].Log, f.of[1].Log)
	return nil, nil
}

// all causes the given number of faults of each kind, in random order, and logs how long play was interrupted.
func (f *faults) all(ctx context.Context, kills, pauses, stalls int) {
	t := f.k.t
	t.Helper()
	kinds := map[string]func(context.Context, *machine) time.Duration{"killed": f.kill, "paused": f.pause,
		"stalled": f.stall}
	order := slices.Concat(slices.Repeat([]string{"killed"}, kills), slices.Repeat([]string{"paused"}, pauses),
		slices.Repeat([]string{"stalled"}, stalls))
	f.rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	away := map[string][]time.Duration{}
	for n, what := range order {
		writer, _ := f.calm()
		played(t, f.moves, 5+f.rand.Int64N(20))
		took := kinds[what](ctx, writer)
		away[what] = append(away[what], took)
		t.Logf("%d of %d at %s: %s, back after %v, %s load", n+1, len(order), time.Now().UTC().Format(time.TimeOnly),
			what, took.Round(time.Millisecond), load())
		if took > mostAway {
			t.Logf("%s\n%s", f.of[0].Log, f.of[1].Log)
		}
	}
	t.Logf("%d times a machine lost its lease that nothing was done to", f.lost)
	for what, took := range away {
		slices.Sort(took)
		t.Logf("%s %d times: play went on after %v in the middle, %v at most", what, len(took),
			at(took, 0.5).Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
		if os.Getenv("POSTHORN_LONG") == "1" { // otherwise whatever else runs on the machine would decide
			require.Less(t, took[len(took)-1], mostAway)
		}
	}
}

// kill ends a machine as a power cut does, and restarts it as a service manager does.
func (f *faults) kill(_ context.Context, m *machine) time.Duration {
	began := time.Now()
	m.Kill()
	time.Sleep(time.Duration(f.rand.Int64N(int64(2 * time.Second))))
	m.role = "standby"
	m.begins()
	return f.gave.after(f.k.t, began, func() {
		f.minds(f.of[0])
		f.minds(f.of[1])
	})
}

// pause stops a machine until another writes, and then lets it go on: it must not say yes to anybody any more, and
// ends.
func (f *faults) pause(ctx context.Context, m *machine) time.Duration {
	t := f.k.t
	t.Helper()
	began := time.Now()
	m.pauses()
	var waiting sync.WaitGroup
	told := make([][]string, len(f.callers))
	for i, c := range f.callers {
		waiting.Go(func() { told[i] = c.insists(ctx, m) })
	}
	other := f.of[0]
	if m == other {
		other = f.of[1]
	}
	took := f.gave.after(t, began, func() { f.minds(other) })
	f.writer()
	time.Sleep(time.Duration(f.rand.Int64N(int64(time.Second))))
	require.NoError(t, m.Cmd.Process.Signal(syscall.SIGCONT))
	require.Equal(t, roles.LostTurn, m.ends(), "%s", m.Log)
	waiting.Wait()
	for _, said := range told {
		require.Empty(t, said, "who had lost its lease said yes")
	}
	m.role = "standby"
	m.begins()
	return took
}

// stall stops a machine for less than its lease: it goes on, and nobody takes over.
func (f *faults) stall(_ context.Context, m *machine) time.Duration {
	t := f.k.t
	t.Helper()
	began, lost := time.Now(), f.lost
	m.pauses()
	time.Sleep(roles.LeaseTime / 2)
	require.NoError(t, m.Cmd.Process.Signal(syscall.SIGCONT))
	took := f.gave.after(t, began, func() {})
	writer, _ := f.calm()
	require.Same(t, m, writer)
	require.Equal(t, lost, f.lost, "and it did not begin anew")
	return took
}

// pauses stops a machine's program where it is. The signal alone is no guarantee: on a busy machine its threads go on
// until the first of them handles it.
func (m *machine) pauses() {
	t := m.of.t
	t.Helper()
	require.NoError(t, m.Cmd.Process.Signal(syscall.SIGSTOP))
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		stats, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", m.Cmd.Process.Pid))
		require.NoError(t, err)
		if len(stats) == 0 { // not Linux
			time.Sleep(time.Second)
			return
		}
		if !slices.ContainsFunc(stats, func(path string) bool {
			b, err := os.ReadFile(path)
			_, state, found := strings.Cut(string(b), ") ")
			return err == nil && found && !strings.HasPrefix(state, "T")
		}) {
			return
		}
	}
	t.Fatal("it does not stop")
}

// load returns the machine's load, on Linux.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(b))[0]
}

// checkCalled compares what callers were told with the logs of both machines and the cluster, once neither machine
// runs.
func (k *keptByTwo) checkCalled(last, other *machine, gave *ledger) {
	t := k.t
	t.Helper()
	log := recordsIn(t, last.data)
	require.Equal(t, k.streamed(), log, "the cluster has the same log")
	keys, err := folder.ServerKeys(last.data)
	require.NoError(t, err)
	verified(t, k.bin, last.data, gave.check(t, keys, log))
	for _, m := range []*machine{last, other} {
		sameViews(t, k.bin, m.data)
	}
	terms := 0
	for i := range log {
		if log[i].Type == events.TypeTookOver {
			terms++
		}
	}
	t.Logf("%d terms", terms)
}

// verified makes the program verify a house that is not running, with receipts.
func verified(t *testing.T, bin, data, receipts string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "receipts")
	require.NoError(t, os.WriteFile(file, []byte(receipts), 0o600))
	out, status := posthorntest.Command(t, bin, "verify", "--data", data, "--receipt", file)
	require.Contains(t, []int{0, 3}, status, out)
	for _, line := range strings.Split(out, "\n") {
		if strings.Contains(line, "not checked:") {
			// tables played by mail, and whatever the house wrote after the last answer
			require.Regexp(t, `no receipt of it was given$|come after the last receipt: only the hashes speak for them$`, line)
		}
	}
}
