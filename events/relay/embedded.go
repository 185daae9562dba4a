package relay

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// embeddedPayload is the largest message the embedded server takes: no event comes near it.
const embeddedPayload = 16 << 20

var errNoServer = errors.New("the embedded NATS server is not running")

// embedded is a NATS server in this process, without any open port. It only ever stores a copy of the log.
type embedded struct {
	dir string
	mu  sync.Mutex
	srv *server.Server
}

// ensure starts the server if it is not running, or is running without JetStream.
func (e *embedded) ensure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.srv != nil {
		if e.srv.Running() && e.srv.JetStreamEnabled() {
			return nil
		}
		e.halt()
	}
	if err := os.MkdirAll(e.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the embedded NATS server: %w", err)
	}
	srv, err := server.NewServer(&server.Options{
		ServerName: "posthorn", DontListen: true, JetStream: true, StoreDir: e.dir,
		NoLog: true, NoSigs: true, MaxPayload: embeddedPayload, MaxPending: 4 * embeddedPayload,
	})
	if err != nil {
		return fmt.Errorf("make the embedded NATS server: %w", err)
	}
	srv.Start()
	if !srv.ReadyForConnections(30*time.Second) || !srv.JetStreamEnabled() {
		srv.Shutdown()
		srv.WaitForShutdown()
		return fmt.Errorf("start JetStream in %s: %w", e.dir, errNoServer)
	}
	e.srv = srv
	return nil
}

// InProcessConn connects to the server; nats.go calls it.
func (e *embedded) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.srv == nil {
		return nil, errNoServer
	}
	conn, err := e.srv.InProcessConn()
	if err != nil {
		return nil, fmt.Errorf("connect in process: %w", err)
	}
	return conn, nil
}

// stop shuts the server down and waits until it has stopped.
func (e *embedded) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.halt()
}

func (e *embedded) halt() {
	if e.srv == nil {
		return
	}
	e.srv.Shutdown()
	e.srv.WaitForShutdown()
	e.srv = nil
}

// setAside renames the copy's folder. The next ensure starts empty.
func (e *embedded) setAside() (dir string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.halt()
	for n := 1; ; n++ {
		dir = fmt.Sprintf("%s-kept-%d", e.dir, n)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		if err := os.Rename(e.dir, dir); err != nil {
			return "", fmt.Errorf("set the embedded NATS server's copy aside: %w", err)
		}
		return dir, nil
	}
}

// wipe deletes the copy. The next ensure starts empty.
func (e *embedded) wipe() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.halt()
	if err := os.RemoveAll(e.dir); err != nil {
		return fmt.Errorf("wipe the embedded NATS server's copy: %w", err)
	}
	return nil
}
