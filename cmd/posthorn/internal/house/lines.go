package house

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"posthorn/http/guard"
)

// What a client may hold of the web server. Answers are written in pieces of some kilobytes, live streams a line at a
// time, so a limit for each piece lets go of whoever does not read, and cuts no stream.
const (
	pieceTime = 30 * time.Second // for one piece of an answer
	mostOfOne = 64               // connections of one network that is not a proxy's
)

// ownMachine is where a proxy on this machine connects from.
var ownMachine = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// lines is a listener that limits what a client may hold.
type lines struct {
	net.Listener
	patience time.Duration
	most     int
	proxies  []netip.Prefix // from which anybody comes

	mu  sync.Mutex
	now map[string]int
}

// Accept implements [net.Listener]. A connection too many is closed at once.
func (l *lines) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := l.counted(conn)
		if !l.enter(from) {
			_ = conn.Close()
			continue
		}
		return &line{Conn: conn, of: l, from: from}, nil
	}
}

// counted returns what a connection counts for, or "" if it is not counted.
func (l *lines) counted(conn net.Conn) string {
	at, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	ip := at.AddrPort().Addr().Unmap().WithZone("")
	for _, p := range l.proxies {
		if p.Contains(ip) {
			return ""
		}
	}
	return guard.Network(ip.String())
}

func (l *lines) enter(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if from == "" {
		return true
	}
	if l.now == nil {
		l.now = map[string]int{}
	}
	if l.now[from] >= l.most {
		return false
	}
	l.now[from]++
	return true
}

func (l *lines) leave(from string) {
	if from == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now[from]--; l.now[from] <= 0 {
		delete(l.now, from)
	}
}

// line is one connection.
type line struct {
	net.Conn
	of   *lines
	from string
	once sync.Once
}

// Write implements [net.Conn].
func (l *line) Write(b []byte) (int, error) {
	if err := l.SetWriteDeadline(time.Now().Add(l.of.patience)); err != nil {
		return 0, err
	}
	return l.Conn.Write(b)
}

// Close implements [net.Conn].
func (l *line) Close() error {
	l.once.Do(func() { l.of.leave(l.from) })
	return l.Conn.Close()
}
