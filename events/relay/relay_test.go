package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/porttest"
)

// own returns the keys of the tests' house.
func own(t testing.TB) *events.Keys { return desktest.Keys(t) }

// by makes and checks the messages of a stream of that house.
func by(t testing.TB, stream string) prover { return newProver(own(t), stream) }

// writer appends events to a log of one table, one line and one house stream.
type writer struct {
	t     *testing.T
	log   events.Log
	table events.Name
	house events.Name
	n     uint64
}

func newWriter(t *testing.T) *writer {
	log := memory.New()
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	return &writer{t: t, log: log, table: events.NewName(), house: events.NewName()}
}

// write appends n events, every tenth to the house's stream.
func (w *writer) write(n int) {
	for range n {
		name, version := w.table, w.n-(w.n+9)/10
		stream := events.Stream{Name: w.table, Kind: events.KindTable, Rulebook: "tiny", Table: w.table}
		if w.n%10 == 0 {
			name, version = w.house, w.n/10
			stream = events.Stream{Name: w.house, Kind: events.KindHouse}
		}
		d := events.Draft{
			Stream: name, Expect: version, Command: events.NewCommandID(), Type: "said.v1", Codec: "json",
			At: time.UnixMilli(1_700_000_000_000 + int64(w.n)), Meta: []byte(`{"door":"test"}`),
			Data: fmt.Appendf(nil, `{"n":%d}`, w.n),
		}
		if version == 0 {
			d.Open = &stream
		}
		rec, err := w.log.Append(context.Background(), d)
		require.NoError(w.t, err)
		w.n++
		require.Equal(w.t, w.n, rec.Pos)
	}
}

// reader follows in the background and checks that nothing is missing, doubled or out of order.
type reader struct {
	mu    sync.Mutex
	at    uint64
	calls int
	err   error
	moved chan struct{}
}

func follow(t *testing.T, f events.Follower, log events.Log, after uint64) *reader {
	r := &reader{at: after, moved: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- f.Follow(ctx, after, func(ctx context.Context, batch []events.Record) error {
			want, err := log.Read(ctx, batch[0].Pos-1, len(batch))
			if err != nil {
				return err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.calls++
			for i, rec := range batch {
				if rec.Pos != r.at+1 || rec.Hash != want[i].Hash || string(rec.Data) != string(want[i].Data) {
					r.err = fmt.Errorf("after %d came %d: %s", r.at, rec.Pos, rec.Data)
					return r.err
				}
				r.at++
			}
			select {
			case r.moved <- struct{}{}:
			default:
			}
			return nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		err := <-done
		require.NoError(t, r.err)
		require.ErrorIs(t, err, context.Canceled)
	})
	return r
}

func (r *reader) reached(t *testing.T, pos uint64) {
	t.Helper()
	deadline := time.After(60 * time.Second)
	for {
		r.mu.Lock()
		at, err := r.at, r.err
		r.mu.Unlock()
		require.NoError(t, err)
		if at >= pos {
			require.Equal(t, pos, at)
			return
		}
		select {
		case <-r.moved:
		case <-deadline:
			require.FailNow(t, "the follower stands still", "at %d of %d", at, pos)
		}
	}
}

func start(t *testing.T, log events.Log, o Options) *Relay {
	r, err := Start(log, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

func synced(t *testing.T, r *Relay, pos uint64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	require.NoError(t, r.Synced(ctx, pos), "%+v", r.Health())
}

// copyIsTrue checks the whole stream against the log.
func copyIsTrue(t *testing.T, nc *nats.Conn, log events.Log) {
	t.Helper()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	s, err := js.Stream(context.Background(), "POSTHORN")
	require.NoError(t, err)
	records, err := log.Read(context.Background(), 0, 1<<20)
	require.NoError(t, err)
	require.EqualValues(t, len(records), s.CachedInfo().State.LastSeq)
	for _, want := range records {
		m, err := s.GetMsg(context.Background(), want.Pos)
		require.NoError(t, err)
		stream, err := log.Stream(context.Background(), want.Stream)
		require.NoError(t, err)
		require.Equal(t, subject(stream), m.Subject)
		require.Equal(t, want.Type, m.Header.Get(HeaderType))
		require.Equal(t, fmt.Sprint(want.Version), m.Header.Get(HeaderVersion))
		require.Equal(t, want.Hash.String(), m.Header.Get(HeaderHash))
		got, err := Decode(m.Data)
		require.NoError(t, err)
		require.Equal(t, want.Command, got.Command)
		require.Equal(t, want.Hash, got.Hash)
		require.Equal(t, string(want.Data), string(got.Data))
	}
}

func inside(t *testing.T, r *Relay) *nats.Conn {
	nc, err := nats.Connect("", nats.InProcessServer(r.server))
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return nc
}

func TestTheStreamsSequenceIsTheLogsPosition(t *testing.T) {
	w := newWriter(t)
	w.write(3000)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	synced(t, r, 3000)
	w.write(50)
	synced(t, r, 3050)
	copyIsTrue(t, inside(t, r), w.log)
	h := r.Health()
	require.True(t, h.Up)
	require.NoError(t, h.Alarm)
	require.NoError(t, h.Trouble)
}

func TestTheEmbeddedServerOpensNoPort(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	synced(t, r, 0)
	require.Nil(t, r.server.srv.Addr())
}

func TestARestartedRelayGoesOnWhereTheStreamEnds(t *testing.T) {
	w := newWriter(t)
	dir := t.TempDir()
	w.write(1500)
	r := start(t, w.log, Options{Keys: own(t), Dir: dir})
	synced(t, r, 1500)
	require.NoError(t, r.Close())
	w.write(700)
	r = start(t, w.log, Options{Keys: own(t), Dir: dir})
	synced(t, r, 2200)
	require.Zero(t, r.Health().Wipes)
	copyIsTrue(t, inside(t, r), w.log)
}

func TestFollowersGetEveryRecordOnceFromAnyPosition(t *testing.T) {
	w := newWriter(t)
	w.write(1200)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	synced(t, r, 1200)
	var readers []*reader
	for _, after := range []uint64{0, 1, 600, 1199, 1200, 1300} {
		readers = append(readers, follow(t, r, w.log, after))
	}
	w.write(1000)
	for _, f := range readers {
		f.reached(t, 2200)
	}
}

func TestAFollowersErrorEndsItAndIsReturnedAsItIs(t *testing.T) {
	w := newWriter(t)
	w.write(10)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	synced(t, r, 10)
	for name, f := range map[string]events.Follower{"relay": r, "log": events.FollowLog(w.log)} {
		enough := errors.New("enough")
		err := f.Follow(context.Background(), 0, func(context.Context, []events.Record) error { return enough })
		require.Equal(t, enough, err, name)
	}
}

func TestTheLogItselfCanBeFollowed(t *testing.T) {
	w := newWriter(t)
	w.write(1300)
	f := follow(t, events.FollowLog(w.log), w.log, 7)
	w.write(100)
	f.reached(t, 1400)
}

func TestWithoutNATSTheLogIsFollowed(t *testing.T) {
	w := newWriter(t)
	w.write(100)
	r := start(t, w.log, Options{Keys: own(t), URL: "nats://" + porttest.Nobody(t)})
	f := follow(t, r, w.log, 0)
	w.write(1000)
	f.reached(t, 1100)
	h := r.Health()
	require.False(t, h.Up)
	require.Error(t, h.Trouble)
	require.NoError(t, h.Alarm)
}

func TestTheEmbeddedServerMayDieAtAnyTime(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	f := follow(t, r, w.log, 0)
	for round := range 6 {
		w.write(500)
		if round%2 == 0 {
			synced(t, r, w.n-250) // killed while the rest is under way
		}
		r.server.stop()
		w.write(200)
		f.reached(t, w.n)
	}
	synced(t, r, w.n)
	require.Zero(t, r.Health().Wipes)
	copyIsTrue(t, inside(t, r), w.log)
}

func TestALostStoreIsFilledAgain(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	f := follow(t, r, w.log, 0)
	for range 3 {
		w.write(800)
		synced(t, r, w.n-100)
		require.NoError(t, r.server.wipe())
		w.write(100)
		f.reached(t, w.n)
	}
	synced(t, r, w.n)
	copyIsTrue(t, inside(t, r), w.log)
}

func TestAStreamDeletedUnderTheFollowersIsFilledAgain(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	f := follow(t, r, w.log, 0)
	w.write(400)
	synced(t, r, 400)
	js, err := jetstream.New(inside(t, r))
	require.NoError(t, err)
	require.NoError(t, js.DeleteStream(context.Background(), "POSTHORN"))
	w.write(400)
	f.reached(t, 800)
	synced(t, r, 800)
	copyIsTrue(t, inside(t, r), w.log)
}

func TestAForeignMessageInTheEmbeddedStreamHasItWiped(t *testing.T) {
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: t.TempDir()})
	f := follow(t, r, w.log, 0)
	w.write(300)
	synced(t, r, 300)
	foreign(t, inside(t, r), w, 301)
	w.write(300)
	f.reached(t, 600)
	synced(t, r, 600)
	require.Equal(t, 1, r.Health().Wipes)
	copyIsTrue(t, inside(t, r), w.log)
}

// foreign publishes at a position a message that looks like a record but is not in the log.
func foreign(t *testing.T, nc *nats.Conn, w *writer, pos uint64) {
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	rec := events.Record{Pos: pos, Stream: w.table, Version: 1, Command: events.NewCommandID(), Type: "said.v1",
		Codec: "json",
		At:    time.Now(), Data: []byte(`{"n":-1}`), Hash: events.Hash{1}}
	m, err := by(t, "POSTHORN").message(published{subject: SubjectPrefix + "tiny." + w.table.String(),
		kind: events.KindTable}, &rec)
	require.NoError(t, err)
	_, err = js.PublishMsg(context.Background(), m)
	require.NoError(t, err)
}

func TestAnotherLogsCopyIsNotTakenForOwn(t *testing.T) {
	for name, lengths := range map[string][2]int{"shorter": {100, 500}, "longer": {500, 100}, "as long": {300, 300}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			other := newWriter(t)
			other.write(lengths[0])
			r := start(t, other.log, Options{Keys: own(t), Dir: dir})
			synced(t, r, other.n)
			require.NoError(t, r.Close())

			w := newWriter(t)
			w.write(lengths[1])
			r = start(t, w.log, Options{Keys: own(t), Dir: dir})
			f := follow(t, r, w.log, 0)
			f.reached(t, w.n)
			synced(t, r, w.n)
			require.Equal(t, 1, r.Health().Wipes)
			copyIsTrue(t, inside(t, r), w.log)
		})
	}
}

func TestARelayNeedsOnePlaceToPublish(t *testing.T) {
	log := newWriter(t).log
	for _, o := range []Options{{Keys: own(t)}, {Keys: own(t), URL: "nats://127.0.0.1:1", Dir: t.TempDir()},
		{Dir: t.TempDir()}} {
		_, err := Start(log, o)
		require.Error(t, err)
	}
}

func TestSecretPartsTravelSealed(t *testing.T) {
	keys, err := events.NewKeys([32]byte{1})
	require.NoError(t, err)
	stream := events.NewName()
	part := keys.Seal(stream, 3, 0, 1, []byte(`{"hand":"hazelnut"}`))
	rec := events.Record{Pos: 9, Stream: stream, Version: 3, Type: "dealt.v1", Codec: "json", At: time.UnixMilli(5),
		Data: []byte(`{}`), Parts: []events.Part{part}}
	data, err := Encode(&rec)
	require.NoError(t, err)
	require.True(t, json.Valid(data))
	require.NotContains(t, string(data), "hazelnut")
	back, err := Decode(data)
	require.NoError(t, err)
	_, text, err := keys.Unseal(&back, 0)
	require.NoError(t, err)
	require.Equal(t, `{"hand":"hazelnut"}`, string(text))
}

// A host whose data folder has a file where NATS is to keep its copy is told so, and not only that NATS is away.
func TestAHostIsToldWhyTheEmbeddedServerDoesNotStart(t *testing.T) {
	w := newWriter(t)
	dir := filepath.Join(t.TempDir(), "nats")
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	r := start(t, w.log, Options{Keys: own(t), Dir: dir})
	told := func() bool {
		why := r.Health().Trouble
		return why != nil && strings.Contains(why.Error(), "make the folder of the embedded NATS server")
	}
	require.Eventually(t, told, time.Minute, 10*time.Millisecond)

	require.NoError(t, os.Remove(dir))
	w.write(10)
	synced(t, r, 10)
}
