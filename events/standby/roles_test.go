package standby_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/copies"
	"posthorn/events/desktest"
	"posthorn/events/lease"
	"posthorn/events/memory"
	"posthorn/events/relay"
	"posthorn/events/standby"
)

// sample starts a server with the configuration that the documents give, and returns the address of a role.
func sample(t *testing.T) func(role string) string {
	t.Helper()
	for _, role := range []string{"house", "reader", "subscriber", "subscriber-2"} {
		t.Setenv(strings.ReplaceAll(strings.ToUpper(role), "-", "_")+"_PASSWORD", "of"+role)
	}
	o, err := server.ProcessConfigFile("../../docs/nats-server.conf")
	require.NoError(t, err)
	o.Host, o.Port, o.StoreDir, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true
	srv, err := server.NewServer(o)
	require.NoError(t, err)
	srv.Start()
	require.True(t, srv.ReadyForConnections(longest))
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	return func(role string) string {
		if role == "" {
			return srv.ClientURL()
		}
		return strings.Replace(srv.ClientURL(), "nats://", "nats://"+role+":of"+role+"@", 1)
	}
}

// running is a house on the sample configuration: its log is in the stream, it holds the lease, and a copy is there.
type running struct {
	*desktest.House
	relay *relay.Relay
	lease *lease.Lease
}

func newRunning(t *testing.T, url string) *running {
	t.Helper()
	o := relay.Options{URL: url, Keys: desktest.Keys(t)}
	r := &running{House: desktest.New(t)}
	r.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	var err error
	r.relay, err = relay.Start(r.Log(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.relay.Close()) })
	r.lease, err = lease.Take(t.Context(),
		lease.Options{TTL: time.Minute, Dial: func() (*nats.Conn, error) { return o.Dial("lease") }})
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.lease.Release(context.Background()) }) // a rogue of the house may have written there
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "people.db"), []byte("people"), 0o600))
	_, err = r.copies(t, url).Put(t.Context(), 1, dir, time.Now())
	require.NoError(t, err)
	r.goesOn(t)
	return r
}

func (r *running) copies(t *testing.T, url string) *copies.Store {
	t.Helper()
	nc, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	store, err := copies.Open(nc, r.Keys(), copies.Options{})
	require.NoError(t, err)
	return store
}

// goesOn requires that one more table comes into the stream.
func (r *running) goesOn(t *testing.T) (last uint64) {
	t.Helper()
	r.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	last, err := r.Log().Last(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	require.NoError(t, r.relay.Synced(ctx, last))
	require.NoError(t, r.relay.Health().Alarm)
	require.True(t, r.lease.Held())
	return last
}

// Given the sample configuration, when a server that only reads runs as its user, then it has log and copies.
func TestTheSampleLetsAReaderRead(t *testing.T) {
	url := sample(t)
	r := newRunning(t, url("house"))
	last, err := r.Log().Last(t.Context())
	require.NoError(t, err)
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	ctx, cancel := context.WithCancel(t.Context())
	ended, at := make(chan error, 1), make(chan uint64, 100)
	reader := &standby.Reader{Log: copied, Relay: relay.Options{URL: url("reader"), Keys: r.Keys()},
		Trouble: func(err error) { t.Log(err) },
		At:      func(pos uint64) { at <- pos }}
	go func() {
		_, err := reader.Run(ctx)
		ended <- err
	}()
	require.Equal(t, last, <-at)
	last = r.goesOn(t)
	for <-at < last {
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	same(t, r.Log(), copied, last)
	_, err = r.copies(t, url("reader")).Fetch(t.Context(), t.TempDir())
	require.NoError(t, err)
}

// misuses are what a rogue sends to have something written where only the house may.
func misuses() (out []*nats.Msg) {
	for _, to := range []string{relay.SubjectHouse, "$KV.POSTHORN_LEASE.writer", "posthorn.pass"} {
		out = append(out, &nats.Msg{Subject: to, Data: []byte("{}")},
			&nats.Msg{Subject: "$JS.API.STREAM.INFO.POSTHORN", Reply: to},
			&nats.Msg{Subject: "$JS.API.STREAM.MSG.GET.POSTHORN", Reply: to, Data: []byte(`{"seq":1}`)},
			&nats.Msg{Subject: "$JS.API.STREAM.NAMES", Reply: to})
		for _, s := range []string{"POSTHORN", "OBJ_POSTHORN_COPIES", "KV_POSTHORN_LEASE"} {
			out = append(out, &nats.Msg{Subject: "$JS.API.CONSUMER.CREATE." + s + ".rogue",
				Data: fmt.Appendf(nil, `{"stream_name":%q,"config":{"name":"rogue","deliver_subject":%q,"ack_policy":"none","deliver_policy":"all"}}`, s, to)})
		}
	}
	for _, s := range []string{"POSTHORN", "OBJ_POSTHORN_COPIES", "KV_POSTHORN_LEASE"} {
		out = append(out, &nats.Msg{Subject: "$JS.API.STREAM.DELETE." + s},
			&nats.Msg{Subject: "$JS.API.STREAM.PURGE." + s})
	}
	for _, m := range out { // as a subscriber's account names it
		if rest, ok := strings.CutPrefix(m.Subject, "$JS.API."); ok {
			out = append(out, &nats.Msg{Subject: "$JS.house.API." + rest, Reply: m.Reply, Data: m.Data})
		}
	}
	return out
}

// Given the sample configuration, when a subscriber or somebody without a password sends what would write into the
// house's streams, then nothing of it arrives, and the house goes on.
func TestTheSampleLetsNobodyElseWrite(t *testing.T) {
	for _, role := range []string{"subscriber", "stranger", ""} {
		t.Run(role, func(t *testing.T) {
			url := sample(t)
			r := newRunning(t, url("house"))
			nc, err := nats.Connect(url(role), nats.CustomInboxPrefix("_INBOX_"+role),
				nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
			if role != "subscriber" {
				require.ErrorIs(t, err, nats.ErrAuthorization)
				return
			}
			require.NoError(t, err)
			defer nc.Close()
			js, err := jetstream.NewWithDomain(nc, "house")
			require.NoError(t, err)
			s, err := js.Stream(t.Context(), relay.DefaultStream)
			require.NoError(t, err, "it reads")
			last := s.CachedInfo().State.LastSeq
			old, err := nc.JetStream(nats.Domain("house"))
			require.NoError(t, err)
			raw, err := old.GetMsg(relay.DefaultStream, last)
			require.NoError(t, err)
			require.NotEmpty(t, raw.Header.Get(relay.HeaderMAC))
			heard, err := nc.SubscribeSync(relay.Subjects)
			require.NoError(t, err)
			require.NoError(t, nc.Flush())
			for _, m := range misuses() {
				require.NoError(t, nc.PublishMsg(m))
			}
			require.NoError(t, nc.Flush())
			last = r.goesOn(t)
			for n := 0; n < 1000; n++ { // the house's own come, and nothing else did
				m, err := heard.NextMsg(longest)
				if errors.Is(err, nats.ErrNoResponders) || err == nil && m.Header.Get(relay.HeaderMAC) == "" {
					continue // what it said itself, in its own account
				}
				require.NoError(t, err)
				if rec, err := relay.Decode(m.Data); err == nil && rec.Pos == last {
					break
				}
			}
			info, err := s.Info(t.Context())
			require.NoError(t, err)
			require.Equal(t, last, info.State.LastSeq)
		})
	}
}

// Given the sample configuration, when somebody with the user of a reader, or of the house, sends the same, then
// nothing of it is adopted, and the next server that is elected goes on with everything.
func TestNothingOfARoguesIsAdopted(t *testing.T) {
	for _, role := range []string{"reader", "house"} {
		t.Run(role, func(t *testing.T) {
			url := sample(t)
			r := newRunning(t, url("house"))
			last, err := r.Log().Last(t.Context())
			require.NoError(t, err)
			nc, err := nats.Connect(url(role), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
			require.NoError(t, err)
			defer nc.Close()
			for _, m := range misuses() {
				if !strings.Contains(m.Subject, "STREAM.DELETE") {
					require.NoError(t, nc.PublishMsg(m))
				}
			}
			require.NoError(t, nc.Flush())
			copied := newEmpty(t)
			m, err := relay.OpenMirror(relay.Options{URL: url("reader"), Keys: r.Keys()}, copied)
			require.NoError(t, err)
			defer m.Close()
			_, err = m.CatchUp(t.Context())
			if err != nil {
				require.ErrorIs(t, err, relay.ErrOver)
			}
			same(t, r.Log(), copied, last)
		})
	}
}
