package clustertest

import (
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxy sits before the only server of a cluster, and loses what a network loses.
type Proxy struct {
	// URL is the address for clients that connect through it.
	URL string

	to    string
	mu    sync.Mutex
	lines []*line
}

// line is one connection, and what happens to what it carries.
type line struct {
	in, out     net.Conn
	mu          sync.Mutex
	there, back bool // whether that direction is lost
}

// NewProxy starts to pass everything on. It allows only one server: several would tell clients about each other, and
// the clients would bypass it.
func NewProxy(t testing.TB, c *Cluster) *Proxy {
	t.Helper()
	require.Len(t, c.client, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{URL: "nats://" + l.Addr().String(), to: fmt.Sprintf("127.0.0.1:%d", c.client[0])}
	t.Cleanup(func() {
		_ = l.Close()
		p.Cut()
	})
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			p.accept(in)
		}
	}()
	return p
}

func (p *Proxy) accept(in net.Conn) {
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		_ = in.Close()
		return
	}
	l := &line{in: in, out: out}
	p.mu.Lock()
	p.lines = append(p.lines, l)
	p.mu.Unlock()
	go l.pass(in, out, &l.there)
	go l.pass(out, in, &l.back)
}

func (l *line) pass(from, to net.Conn, lost *bool) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		l.mu.Lock()
		gone := *lost
		l.mu.Unlock()
		if err == nil && !gone {
			_, err = to.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// Swallow loses, from now on, everything in both directions on the current connections. Nobody is told: it acts like
// a machine that lost its power. New connections work.
func (p *Proxy) Swallow() { p.each(func(l *line) { l.there, l.back = true, true }) }

// Deafen loses, from now on, what the server says on the current connections. The server still hears the clients.
func (p *Proxy) Deafen() { p.each(func(l *line) { l.back = true }) }

// Cut closes all current connections.
func (p *Proxy) Cut() { p.each(func(l *line) { _, _ = l.in.Close(), l.out.Close() }) }

func (p *Proxy) each(do func(*line)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		l.mu.Lock()
		do(l)
		l.mu.Unlock()
	}
}
