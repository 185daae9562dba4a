package relay

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/porttest"
)

// Given a connection whose other end vanishes silently, then it is replaced.
func TestAConnectionThatVanishesSilentlyIsMadeAnew(t *testing.T) {
	p := clustertest.NewProxy(t, clustertest.New(t, 1))
	usual := pingEvery
	require.Less(t, usual, 10*time.Second)
	defer func() { pingEvery = usual }()
	pingEvery = 50 * time.Millisecond
	again := make(chan struct{}, 1)
	nc, err := Options{URL: p.URL,
		Connect: []nats.Option{nats.ReconnectHandler(func(*nats.Conn) { again <- struct{}{} })}}.Dial("test")
	require.NoError(t, err)
	defer nc.Close()
	p.Swallow()
	select {
	case <-again:
	case <-time.After(time.Minute):
		t.Fatal("it is taken to be there")
	}
	require.NoError(t, nc.FlushTimeout(time.Minute))
}

// Given a server that refuses its known clients for a while, then they are connected again once it accepts them.
func TestAConnectionThatWasRefusedForAWhileComesBack(t *testing.T) {
	port := porttest.Take(t)
	serves := func(password string) *server.Server {
		srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true,
			Username: "posthorn", Password: password})
		require.NoError(t, err)
		srv.Start()
		require.True(t, srv.ReadyForConnections(time.Minute))
		t.Cleanup(srv.Shutdown)
		return srv
	}
	srv := serves("right")
	refused := make(chan error, 1024)
	nc, err := Options{URL: srv.ClientURL(), Connect: []nats.Option{nats.UserInfo("posthorn", "right"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }),
		nats.ClosedHandler(func(*nats.Conn) { close(refused) })}}.Dial("test")
	require.NoError(t, err)
	defer nc.Close()
	srv.Shutdown()
	srv.WaitForShutdown()
	srv = serves("another")
	late := time.After(time.Minute)
	for n := 0; n < 5; {
		select {
		case err, ok := <-refused:
			require.True(t, ok, "it is given up")
			if errors.Is(err, nats.ErrAuthorization) {
				n++
			}
		case <-late:
			t.Fatal("nobody was refused")
		}
	}
	srv.Shutdown()
	srv.WaitForShutdown()
	serves("right")
	require.Eventually(t, nc.IsConnected, time.Minute, 10*time.Millisecond)
}
