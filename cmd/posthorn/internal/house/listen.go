package house

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Loopback reports whether a host is reachable from this machine only.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Networks parses networks that were typed, e.g. 10.0.0.0/8.
func Networks(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, t := range texts {
		p, err := netip.ParsePrefix(t)
		if err != nil {
			return nil, fmt.Errorf("--proxies %s: write it as 10.0.0.0/8", t)
		}
		out = append(out, p)
	}
	return out, nil
}

type closeOnce struct{ net.Listener }

// Close closes a listener that the HTTP server may already have closed.
func (c closeOnce) Close() error {
	if err := c.Listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// HelloOf returns the name by which we greet a mail server.
func HelloOf(from string) string {
	if _, host, ok := strings.Cut(from, "@"); ok {
		return host
	}
	return "localhost"
}
