package mail

import (
	"context"
	"net"
)

// Until returns a listener that closes its connections, and itself, when the context ends. A server of go-smtp is to be
// stopped this way: its own Close takes the session from under a command that is being answered, which then panics.
func Until(ctx context.Context, l net.Listener) net.Listener {
	context.AfterFunc(ctx, func() { _ = l.Close() })
	return until{l, ctx}
}

type until struct {
	net.Listener
	ctx context.Context
}

func (l until) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return ending{c, context.AfterFunc(l.ctx, func() { _ = c.Close() })}, nil
}

type ending struct {
	net.Conn
	forget func() bool
}

func (c ending) Close() error {
	c.forget()
	return c.Conn.Close()
}
