package relay

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/memory"
	"posthorn/events/porttest"
)

func TestNothingIsMissingOrDoubledWhileTheServerDies(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	readers := []*reader{follow(t, r, w.log, 0), follow(t, r, w.log, 0), follow(t, r, w.log, 0)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 30 {
			w.write(200)
			time.Sleep(5 * time.Millisecond) // so that it goes on for a while
		}
	}()
	kills := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(time.Duration(20+rand.N(100)) * time.Millisecond):
			if kills%3 == 2 {
				require.NoError(t, r.server.wipe())
			} else {
				r.server.stop()
			}
			kills++
		}
	}
	require.Positive(t, kills)
	w.write(1) // so that it is up in a session after the last of them
	for _, f := range readers {
		f.reached(t, w.n)
	}
	synced(t, r, w.n)
	copyIsTrue(t, inside(t, r), w.log)
	t.Logf("killed %d times while %d events were written", kills, w.n)
}

func TestAStoreThatVanishesUnderTheServerIsNoMatter(t *testing.T) {
	w := newWriter(t)
	dir := t.TempDir()
	r := start(t, w.log, Options{Keys: own(t), Dir: filepath.Join(dir, "nats")})
	f := follow(t, r, w.log, 0)
	w.write(500)
	synced(t, r, 500)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "nats")))
	w.write(500)
	f.reached(t, 1000)
	r.server.stop() // now at the latest it notices
	w.write(500)
	f.reached(t, 1500)
	synced(t, r, 1500)
	copyIsTrue(t, inside(t, r), w.log)
}

// Each file of the store is damaged in each way. More records are repaired than are read from the log at once; with
// POSTHORN_LONG=1 six times as many.
func TestADamagedStoreIsFilledAnew(t *testing.T) {
	w := newWriter(t)
	dir := filepath.Join(t.TempDir(), "nats")
	stored := readBatch + 100
	if os.Getenv("POSTHORN_LONG") == "1" {
		stored = 3000
	}
	w.write(stored)
	r := start(t, w.log, Options{Keys: own(t), Dir: dir})
	synced(t, r, w.n)
	require.NoError(t, r.Close())
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	require.NotEmpty(t, files)
	whole := filepath.Join(t.TempDir(), "whole")
	require.NoError(t, os.CopyFS(whole, os.DirFS(dir)))
	for name, damage := range map[string]func([]byte) []byte{
		"empty": func([]byte) []byte { return nil },
		"cut":   func(b []byte) []byte { return b[:len(b)/2] },
		"mixed": func(b []byte) []byte {
			for i := range b {
				if i%17 == 3 {
					b[i] ^= 0x5a
				}
			}
			return b
		},
	} {
		for _, path := range files {
			t.Run(name+" "+filepath.Base(path), func(t *testing.T) {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.CopyFS(dir, os.DirFS(whole)))
				b, err := os.ReadFile(path)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(path, damage(b), 0o600))
				r, err := Start(w.log, Options{Keys: own(t), Dir: dir})
				require.NoError(t, err)
				defer func() { require.NoError(t, r.Close()) }()
				f := follow(t, r, w.log, 0)
				w.write(10)
				f.reached(t, w.n)
				synced(t, r, w.n)
				copyIsTrue(t, inside(t, r), w.log)
			})
		}
	}
}

// In its default setting JetStream can lose minutes of acknowledged messages in a power cut.
func TestAStreamThatLostItsEndIsFilledUp(t *testing.T) {
	w := newWriter(t)
	port, dir, earlier := porttest.Take(t), filepath.Join(t.TempDir(), "now"), filepath.Join(t.TempDir(), "earlier")
	r := start(t, w.log, Options{Keys: own(t), URL: fmt.Sprintf("nats://127.0.0.1:%d", port)})
	f := follow(t, r, w.log, 0)
	srv, _ := external(t, port, dir)
	w.write(700)
	synced(t, r, 700)
	srv.Shutdown()
	srv.WaitForShutdown()
	require.NoError(t, os.CopyFS(earlier, os.DirFS(dir)))

	srv, _ = external(t, port, dir)
	w.write(2000)
	synced(t, r, 2700)
	srv.Shutdown()
	srv.WaitForShutdown()
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.Rename(earlier, dir))

	_, url := external(t, port, dir)
	w.write(100)
	f.reached(t, 2800)
	synced(t, r, 2800)
	require.NoError(t, r.Health().Alarm)
	copyIsTrue(t, dial(t, url), w.log)
}

// frozen sits between relay and server, and can stop passing anything on without closing.
type frozen struct {
	gate sync.RWMutex
	url  string
}

func proxy(t *testing.T, to string) *frozen {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	p := &frozen{url: "nats://" + l.Addr().String()}
	pass := func(from, to net.Conn) {
		defer func() { _, _ = from.Close(), to.Close() }()
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			p.gate.RLock()
			_, failed := to.Write(buf[:n])
			p.gate.RUnlock()
			if err != nil || failed != nil {
				return
			}
		}
	}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				return
			}
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return p
}

func TestAServerThatAnswersNothingStopsNobody(t *testing.T) {
	w := newWriter(t)
	srv, url := external(t, -1, t.TempDir())
	p := proxy(t, srv.Addr().String())
	r := start(t, w.log, Options{Keys: own(t), URL: p.url})
	f := follow(t, r, w.log, 0)
	w.write(500)
	synced(t, r, 500)
	f.reached(t, 500)
	for range 3 {
		p.gate.Lock()
		w.write(100)
		f.reached(t, w.n)
		late := follow(t, r, w.log, 0) // one that starts meanwhile
		late.reached(t, w.n)
		p.gate.Unlock()
		synced(t, r, w.n)
		w.write(100)
		f.reached(t, w.n)
		late.reached(t, w.n)
	}
	synced(t, r, w.n)
	copyIsTrue(t, dial(t, url), w.log)
}

func TestAFollowerThatTakesItsTimeHoldsNobodyUp(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	release, at := make(chan struct{}), uint64(0)
	ended := make(chan error, 1)
	go func() {
		ended <- r.Follow(ctx, 0, func(_ context.Context, batch []events.Record) error {
			<-release
			for _, rec := range batch {
				if rec.Pos != at+1 {
					return fmt.Errorf("after %d came %d", at, rec.Pos)
				}
				at++
			}
			if at == 5000 {
				cancel()
			}
			return nil
		})
	}()
	quick := follow(t, r, w.log, 0)
	w.write(5000)
	quick.reached(t, 5000)
	synced(t, r, 5000)
	close(release)
	require.ErrorIs(t, <-ended, context.Canceled)
	require.EqualValues(t, 5000, at)
}

func benchLog(b *testing.B, n int) (*memory.Log, func(int)) {
	log := memory.New()
	table := events.NewName()
	at := 0
	write := func(n int) {
		for range n {
			d := events.Draft{Stream: table, Expect: uint64(at), Command: events.NewCommandID(), Type: "said.v1",
				Codec: "json", At: time.Now(),
				Data: []byte(`{"seat":0,"move":"1,0 90 road W","body":{"points":[1,2,3]}}`)}
			if at == 0 {
				d.Open = &events.Stream{Name: table, Kind: events.KindTable, Rulebook: "tiny", Table: table}
			}
			_, err := log.Append(context.Background(), d)
			require.NoError(b, err)
			at++
		}
	}
	write(n)
	b.Cleanup(func() { require.NoError(b, log.Close()) })
	return log, write
}

func benchRelay(b *testing.B, log events.Log) *Relay {
	r, err := Start(log, Options{Keys: own(b), Dir: b.TempDir()})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, r.Close()) })
	return r
}

// BenchmarkCatchingUp measures the time per event to fill an empty stream.
func BenchmarkCatchingUp(b *testing.B) {
	log, _ := benchLog(b, b.N)
	b.ResetTimer()
	r := benchRelay(b, log)
	require.NoError(b, r.Synced(context.Background(), uint64(b.N)))
}

// BenchmarkFollowing measures the time per event to read back a full one.
func BenchmarkFollowing(b *testing.B) {
	log, _ := benchLog(b, b.N)
	r := benchRelay(b, log)
	require.NoError(b, r.Synced(context.Background(), uint64(b.N)))
	b.ResetTimer()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := r.Follow(ctx, 0, func(_ context.Context, batch []events.Record) error {
		if batch[len(batch)-1].Pos == uint64(b.N) {
			cancel()
		}
		return nil
	})
	require.ErrorIs(b, err, context.Canceled)
}

// BenchmarkRoundTrip measures the time from one append to its follower, through NATS.
func BenchmarkRoundTrip(b *testing.B) {
	log, write := benchLog(b, 1)
	r := benchRelay(b, log)
	require.NoError(b, r.Synced(context.Background(), 1))
	ctx, cancel := context.WithCancel(context.Background())
	got, ended := make(chan uint64, 1), make(chan error, 1)
	go func() {
		ended <- r.Follow(ctx, 0, func(_ context.Context, batch []events.Record) error {
			got <- batch[len(batch)-1].Pos
			return nil
		})
	}()
	<-got
	b.ResetTimer()
	for range b.N {
		write(1)
		<-got
	}
	b.StopTimer()
	cancel()
	require.ErrorIs(b, <-ended, context.Canceled)
}
