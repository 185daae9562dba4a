package relay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/porttest"
)

// external starts somebody else's server, on a port.
func external(t *testing.T, port int, dir string) (srv *server.Server, url string) {
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir,
		NoLog: true, NoSigs: true})
	require.NoError(t, err)
	srv.Start()
	require.True(t, srv.ReadyForConnections(20*time.Second))
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	return srv, srv.ClientURL()
}

func dial(t *testing.T, url string, o ...nats.Option) *nats.Conn {
	nc, err := nats.Connect(url, o...)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return nc
}

func TestAnExternalServerMayComeAndGo(t *testing.T) {
	w := newWriter(t)
	port, dir := porttest.Take(t), t.TempDir()
	r := start(t, w.log, Options{Keys: own(t), URL: fmt.Sprintf("nats://127.0.0.1:%d", port)})
	f := follow(t, r, w.log, 0)
	w.write(300) // before it is there at all
	f.reached(t, w.n)
	for round := range 4 {
		srv, url := external(t, port, dir)
		w.write(300)
		synced(t, r, w.n-200)
		if round == 3 {
			synced(t, r, w.n)
			copyIsTrue(t, dial(t, url), w.log)
		}
		srv.Shutdown()
		srv.WaitForShutdown()
		if round == 1 { // and it comes back empty
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "jetstream")))
		}
		w.write(300)
		f.reached(t, w.n)
	}
	require.NoError(t, r.Health().Alarm)
}

func TestAnExternalStreamIsNeverRepaired(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, *nats.Conn, *writer){
		"a foreign message at the end": func(t *testing.T, nc *nats.Conn, w *writer) { foreign(t, nc, w, w.n+1) },
		"a foreign message far from the end": func(t *testing.T, nc *nats.Conn, w *writer) {
			foreign(t, nc, w, w.n+1)
			w.write(3 * window)
		},
		"not a record at all": func(t *testing.T, nc *nats.Conn, _ *writer) {
			js, err := jetstream.New(nc)
			require.NoError(t, err)
			_, err = js.Publish(context.Background(), SubjectHouse, []byte("hello"))
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(t)
			_, url := external(t, -1, t.TempDir())
			nc := dial(t, url)
			r := start(t, w.log, Options{Keys: own(t), URL: url})
			f := follow(t, r, w.log, 0)
			w.write(100)
			synced(t, r, 100)
			spoil(t, nc, w)
			w.write(100)

			<-r.Alarmed()
			var alarm *alarm
			require.ErrorAs(t, r.Health().Alarm, &alarm)
			require.False(t, r.Health().Up)
			f.reached(t, w.n)
			js, err := jetstream.New(nc)
			require.NoError(t, err)
			before, err := js.Stream(context.Background(), "POSTHORN")
			require.NoError(t, err)
			stranger, err := before.GetMsg(context.Background(), 101)
			require.NoError(t, err)
			_, err = by(t, "POSTHORN").received(101, place{stranger.Subject, stranger.Header}, stranger.Data)
			if err == nil {
				require.Equal(t, events.Hash{1}.String(), stranger.Header.Get(HeaderHash))
			}

			w.write(100)
			f.reached(t, w.n)
			again := start(t, w.log, Options{Keys: own(t), URL: url}) // a restart changes nothing about it
			<-again.Alarmed()
			after, err := js.Stream(context.Background(), "POSTHORN")
			require.NoError(t, err)
			require.Equal(t, before.CachedInfo().State.LastSeq, after.CachedInfo().State.LastSeq)
		})
	}
}

func TestAnExternalStreamOfOtherSubjectsIsAnAlarm(t *testing.T) {
	for name, config := range map[string]jetstream.StreamConfig{
		"same name":     {Name: "POSTHORN", Subjects: []string{"posthorn.other"}},
		"same subjects": {Name: "OTHER", Subjects: []string{"posthorn.>"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, url := external(t, -1, t.TempDir())
			js, err := jetstream.New(dial(t, url))
			require.NoError(t, err)
			_, err = js.CreateStream(context.Background(), config)
			require.NoError(t, err)
			r := start(t, newWriter(t).log, Options{Keys: own(t), URL: url})
			<-r.Alarmed()
			require.Error(t, r.Health().Alarm)
		})
	}
}
