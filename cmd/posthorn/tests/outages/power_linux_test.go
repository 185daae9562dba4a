package outages

import (
	"context"
	"math/rand/v2"
	nethttp "net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/disktest"
	"posthorn/events/porttest"
)

// unsynced is the environment variable with the path of a program that must run without syncs.
const unsynced = "POSTHORN_TEST_UNSYNCED"

// becomesUnsynced turns this process into the program without its syncs, if it is told to.
func becomesUnsynced() {
	if program := os.Getenv(unsynced); program != "" {
		panic(disktest.Unsynced(program, append([]string{program}, os.Args[1:]...)))
	}
}

// powered is a house on a disk whose power can be cut, with people who play through the API.
type powered struct {
	t       *testing.T
	bin     string
	disk    *disktest.Disk
	data    string
	listen  string
	p       *posthorntest.Running
	gave    *ledger
	callers []*caller
	moves   atomic.Int64
	gate    sync.RWMutex // held while nobody plays
	dice    *rand.Rand
	at      map[events.CommandID]uint64 // where a command was found after a cut
	stop    func()
}

func newPowered(t *testing.T, games ...string) *powered {
	t.Helper()
	h := &powered{t: t, bin: posthorntest.Binary(t), listen: porttest.Address(t), dice: rand.New(rand.NewPCG(7, 8)),
		at: map[events.CommandID]uint64{}}
	from := t.TempDir()
	h.gave, h.callers = newCallers(t, filepath.Join(from, "house"), games, 10*time.Millisecond, &h.moves,
		&machine{listen: h.listen})
	for _, c := range h.callers {
		c.gate = &h.gate
	}
	h.disk = disktest.New(t, 512<<20, from)
	h.data = filepath.Join(h.disk.Dir, "house")
	t.Cleanup(func() { h.p.Kill() })
	return h
}

// served returns the arguments for serving a house to callers who stand for many people.
func served(data string) []string {
	return []string{"serve", "--data", data, "--pause", "1ms", "--patience", "1ms", "--proxies", "127.0.0.0/8"}
}

// begins starts the program.
func (h *powered) begins() { h.p = posthorntest.Start(h.t, h.bin, h.listen, served(h.data)...) }

// plays makes everybody play until they are stopped.
func (h *powered) plays() {
	ctx, cancel := context.WithCancel(h.t.Context())
	var all sync.WaitGroup
	for _, c := range h.callers {
		all.Go(func() { c.play(ctx) })
	}
	h.stop = func() {
		cancel()
		all.Wait()
	}
	h.t.Cleanup(h.stop)
}

// instant is a cut, with what was acknowledged before it.
type instant struct {
	*disktest.Cut
	kept   disktest.Kept
	seed   uint64
	given  int   // in the ledger
	tables []any // of the callers
}

// cut cuts the power at some disk operation; with die it stays off.
func (h *powered) cut(n int, die bool) *instant {
	i := &instant{kept: disktest.Kept(n % 4), seed: uint64(n)}
	i.Cut = h.disk.Cut(h.dice.IntN(100), die, func() {
		i.given = h.gave.count()
		for _, c := range h.callers {
			i.tables = append(i.tables, c.where.Load())
		}
	})
	return i
}

// luck draws what the disk has kept, always the same for one cut.
func (i *instant) luck() *rand.Rand { return rand.New(rand.NewPCG(9, i.seed)) }

// survives checks the disk after a cut. Everything acknowledged before the cut is there as it was acknowledged;
// anything acknowledged later is there as it was, or not yet; the lists follow from the log. Then the house goes on
// from there, and in the end everything is still there.
func (h *powered) survives(i *instant) {
	t := h.t
	t.Helper()
	h.gate.Lock() // or the log would grow by thousands during the check
	defer h.gate.Unlock()
	dir, release := h.disk.Mount(i.Cut, i.kept, i.luck())
	defer release()
	data := filepath.Join(dir, "house")
	h.kept(data, i)
	sameViews(t, h.bin, data)

	p := posthorntest.Start(t, h.bin, "127.0.0.1:0", served(data)...)
	gave, moves, ctx, stop := newLedger(), atomic.Int64{}, context.Context(nil), context.CancelFunc(nil)
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for n, of := range h.callers {
		table, _ := i.tables[n].(string)
		c := &caller{houses: []string{p.Base}, game: of.game, tokens: of.tokens, from: of.from, table: table,
			think: time.Millisecond, client: &nethttp.Client{Timeout: posthorntest.Patient},
			rand: rand.New(rand.NewPCG(i.seed, uint64(n))), ledger: gave, moves: &moves}
		all.Go(func() { c.play(ctx) })
	}
	played(t, &moves, 3)
	stop()
	all.Wait()
	p.Stop()
	keys, err := folder.ServerKeys(data)
	require.NoError(t, err)
	verified(t, h.bin, data, h.kept(data, i)+gave.check(t, keys, recordsIn(t, data)))
}

// kept compares the log after a cut with what was acknowledged.
func (h *powered) kept(data string, i *instant) (receipts string) {
	t := h.t
	t.Helper()
	keys, err := folder.ServerKeys(data)
	require.NoError(t, err)
	log := recordsIn(t, data)
	before, later := h.gave.parted(i.given)
	receipts = before.check(t, keys, log)
	at := map[events.CommandID]*events.Record{}
	for n := range log {
		at[log[n].Command] = &log[n]
	}
	for _, g := range before.given {
		if id := keys.Asked(g.id); g.acked() {
			if pos := h.at[g.id]; pos != 0 {
				require.Equal(t, pos, at[id].Pos, "%s is elsewhere than after another cut", g.what)
			}
			h.at[g.id] = at[id].Pos
		}
	}
	for _, g := range later.given {
		if r := at[keys.Asked(g.id)]; r != nil && g.acked() {
			receipt, err := events.ParseReceipt(g.done.Receipt)
			require.NoError(t, err)
			if r.Stream == receipt.Stream && r.Version == receipt.Version {
				require.Equal(t, receipt.Hash, r.Hash)
			}
		}
	}
	return receipts
}

// count returns how many commands were answered.
func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.given)
}

// parted splits the commands into the first n that were answered, and the others.
func (l *ledger) parted(n int) (before, later *ledger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &ledger{given: l.given[:n:n]}, &ledger{given: append([]*given(nil), l.given[n:]...)}
}

// The power is cut again and again while people play, between any two disk operations, and the disk has lost all,
// nothing or any part of what it was not asked to make durable. Each time a house that starts on such a disk has
// everything acknowledged before, once and as acknowledged, shows what follows from it, and plays on. Some of the cuts
// end the house itself.
func TestThePowerIsCutWhilePeoplePlay(t *testing.T) {
	t.Parallel()
	if !disktest.Alone(t, posthorntest.BuiltBefore+"="+posthorntest.Binary(t)) {
		return
	}
	cuts, games := 3, []string{"carcassonne", "rivals"}
	if os.Getenv("POSTHORN_LONG") == "1" {
		cuts, games = 200, []string{"carcassonne", "catan", "rivals", "carcassonne", "catan", "rivals"}
	}
	h := newPowered(t, games...)
	h.begins()
	h.plays()
	played(t, &h.moves, 10)
	acked, pending := 0, 0
	for n := range cuts {
		played(t, &h.moves, h.dice.Int64N(8))
		die := n%5 == 1
		i := h.cut(n, die)
		if die {
			h.p.Kill()
			i.given = h.gave.count() // without power nothing can be acknowledged
			h.disk.Goes(i.Cut, i.kept, i.luck())
			h.begins()
		}
		pending += i.Pending()
		acked += i.given
		h.survives(i)
		t.Logf("cut %d of %d: %d answers, %d blocks not flushed of which %s is kept", n+1, cuts, i.given, i.Pending(),
			i.kept)
	}
	h.stop()
	h.p.Stop()
	if cuts >= 20 { // a few may all come just after a flush
		require.Positive(t, pending, "the power was never cut while anything was on its way to the disk")
	}
	t.Logf("%d cuts, %d of them of the house itself, %d answers in the end, %d looked for altogether; %d blocks "+
		"not flushed; %d flushes", cuts, (cuts+3)/5, h.gave.count(), acked, pending, h.disk.Flushes())
}

// A test of the test: a house that syncs nothing loses acknowledged moves.
func TestAHouseThatDoesNotSyncLosesMoves(t *testing.T) {
	t.Parallel()
	if !disktest.Alone(t, posthorntest.BuiltBefore+"="+posthorntest.Binary(t)) {
		return
	}
	h := newPowered(t, "carcassonne")
	h.bin = os.Args[0]
	require.NoError(t, os.Setenv(unsynced, posthorntest.Binary(t))) // of this process, which belongs to this test alone
	h.begins()
	require.NoError(t, os.Unsetenv(unsynced))
	h.plays()
	played(t, &h.moves, 20)
	i := h.cut(int(disktest.Everything), false)
	h.stop()
	dir, release := h.disk.Mount(i.Cut, i.kept, i.luck())
	defer release()
	there := map[events.CommandID]bool{}
	if _, err := os.Stat(filepath.Join(dir, "house", "events.db")); err == nil {
		for _, r := range recordsIn(t, filepath.Join(dir, "house")) {
			there[r.Command] = true
		}
	}
	keys, err := folder.ServerKeys(filepath.Join(dir, "house"))
	require.NoError(t, err)
	acked, lost := 0, 0
	before, _ := h.gave.parted(i.given)
	for _, g := range before.given {
		if g.acked() {
			acked++
			if !there[keys.Asked(g.id)] {
				lost++
			}
		}
	}
	t.Logf("%d of %d that were acknowledged are lost", lost, acked)
	require.Positive(t, lost)
}
