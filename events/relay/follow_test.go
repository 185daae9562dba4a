package relay

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/porttest"
)

func TestABatchsContextLastsAsLongAsTheFollowing(t *testing.T) {
	w := newWriter(t)
	port, dir := porttest.Take(t), t.TempDir()
	srv, _ := external(t, port, dir)
	r := start(t, w.log, Options{Keys: own(t), URL: fmt.Sprintf("nats://127.0.0.1:%d", port)})
	w.write(10)
	synced(t, r, w.n)
	ctx, cancel := context.WithCancel(context.Background())
	first, later := make(chan context.Context, 1), make(chan uint64, 100)
	var stopped atomic.Bool
	ended := make(chan error, 1)
	go func() {
		ended <- r.Follow(ctx, 0, func(ctx context.Context, batch []events.Record) error {
			if !stopped.Load() {
				select {
				case first <- ctx:
				default:
				}
				return nil
			}
			later <- batch[len(batch)-1].Pos
			return nil
		})
	}()
	got := <-first
	srv.Shutdown()
	srv.WaitForShutdown()
	stopped.Store(true)
	w.write(10)
	for pos := uint64(0); pos != w.n; {
		pos = <-later // it continues from the log, so reading from the stream has ended
	}
	require.NoError(t, got.Err(), "what was begun for the first batch may go on")
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.ErrorIs(t, got.Err(), context.Canceled)
}

func TestWhatIsHandedOutIsTheLogsOrNothing(t *testing.T) {
	w := newWriter(t)
	w.write(20)
	recs, err := w.log.Read(context.Background(), 0, 20)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		arrived []uint64
		at      uint64
	}{
		"in order":                      {[]uint64{6, 7, 8}, 8},
		"what was handed out again":     {[]uint64{4, 5, 6, 7}, 7},
		"all of it again":               {[]uint64{3, 4, 5}, 5},
		"twice":                         {[]uint64{6, 7, 6, 7, 8}, 8},
		"one is missing":                {[]uint64{6, 8}, 8},
		"the first are missing":         {[]uint64{9}, 9},
		"missing, then what came again": {[]uint64{8, 7, 8, 9}, 9},
		"the last":                      {[]uint64{20}, 20},
	} {
		t.Run(name, func(t *testing.T) {
			h := handed{log: w.log, more: make(chan struct{}, 1)}
			h.at.Store(5)
			for _, seq := range c.arrived {
				require.NoError(t, h.take(context.Background(), seq, recs[seq-1].Hash.String()))
			}
			require.Equal(t, c.at, h.at.Load())
			require.Len(t, h.more, 1)
			for _, hash := range []string{"", recs[0].Hash.String(), recs[1].Hash.String() + "0"} {
				require.ErrorIs(t, h.take(context.Background(), 2, hash), ErrMessage)
			}
			require.ErrorIs(t, h.take(context.Background(), 21, recs[19].Hash.String()), ErrMessage, "the log has none")
			require.Equal(t, c.at, h.at.Load())
		})
	}
}

func TestAFollowerStopsAtWhatIsHandedOutAndConfirmed(t *testing.T) {
	for name, c := range map[string]struct{ at, published, fed, want uint64 }{
		"both":              {5, 19, 19, 19},
		"not yet confirmed": {5, 7, 20, 7},
		"not yet here":      {5, 20, 9, 9},
		"neither":           {5, 5, 5, 5},
		"it is further":     {5, 3, 4, 5},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(t)
			w.write(20)
			r := &Relay{log: w.log, feeding: true, fed: c.fed, js: stub{}, health: Health{Published: c.published},
				moved: make(chan struct{}), changed: make(chan struct{})}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			f := &follower{relay: r, at: c.at, handle: func(batch []events.Record) error { return nil }}
			ended := make(chan error, 1)
			go func() { ended <- f.fromStream(ctx) }()
			require.ErrorIs(t, <-ended, errSlow, "the log is ahead, and nothing moves")
			require.Equal(t, c.want, f.at)
		})
	}
}

// stub is a JetStream that exists.
type stub struct{ jetstream.JetStream }

func TestAMessageOutOfItsPlaceIsNoRecord(t *testing.T) {
	w := newWriter(t)
	w.write(3)
	recs, err := w.log.Read(context.Background(), 0, 3)
	require.NoError(t, err)
	m, err := by(t, "S").message(published{subject: "s"}, &recs[1])
	require.NoError(t, err)
	under := place{"s", m.Header}
	got, err := by(t, "S").received(2, under, m.Data)
	require.NoError(t, err)
	require.Equal(t, recs[1].Hash, got.Hash)
	for _, seq := range []uint64{0, 1, 3} {
		_, err = by(t, "S").received(seq, under, m.Data)
		require.ErrorIs(t, err, ErrMessage, "sequence %d", seq)
	}
	_, err = by(t, "S").received(2, place{"s", nats.Header{HeaderHash: {recs[0].Hash.String()}}}, m.Data)
	require.ErrorIs(t, err, ErrMessage, "a header of another record")
	m.Header.Del(HeaderMAC)
	_, err = by(t, "S").received(2, under, m.Data)
	require.ErrorIs(t, err, ErrUnproved)
}

func TestARecordThatBecameAnotherMessageIsAnAlarm(t *testing.T) {
	p := &publisher{relay: &Relay{opts: Options{Stream: "S"}}, acked: 7, sent: make([]jetstream.PubAckFuture, 2)}
	var alarm *alarm
	for _, seq := range []uint64{0, 7, 9} {
		require.ErrorAs(t, p.confirm(&jetstream.PubAck{Sequence: seq}), &alarm, "message %d", seq)
		require.EqualValues(t, 7, p.acked)
		require.Len(t, p.sent, 2)
	}
	require.NoError(t, p.confirm(&jetstream.PubAck{Sequence: 8}))
	require.EqualValues(t, 8, p.acked)
	require.Len(t, p.sent, 1)
}

func TestAMessageNamesTheSequenceItComesAfter(t *testing.T) {
	w := newWriter(t)
	_, url := external(t, -1, t.TempDir())
	r := start(t, w.log, Options{Keys: own(t), URL: url})
	w.write(5)
	synced(t, r, 5)
	recs, err := w.log.Read(context.Background(), 0, 5)
	require.NoError(t, err)
	js, err := jetstream.New(dial(t, url))
	require.NoError(t, err)
	for i := range recs { // whatever is sent again is not stored twice
		m, err := by(t, "POSTHORN").message(published{subject: SubjectHouse}, &recs[i])
		require.NoError(t, err)
		_, err = js.PublishMsg(context.Background(), m, jetstream.WithRetryAttempts(0))
		require.Error(t, err, "record %d", i+1)
	}
	s, err := js.Stream(context.Background(), "POSTHORN")
	require.NoError(t, err)
	require.EqualValues(t, 5, s.CachedInfo().State.LastSeq)
}
