package mail_test

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// Given a connection in the middle of its talk, when the house stops, then the connection ends, and no other is taken.
func TestConnectionsEndWithTheHouse(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	until := mail.Until(ctx, l)
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	server, err := until.Accept()
	require.NoError(t, err)
	_, err = server.Write([]byte("220"))
	require.NoError(t, err)
	_, err = client.Read(make([]byte, 3))
	require.NoError(t, err)

	stop()
	_, err = client.Read(make([]byte, 1))
	require.Error(t, err, "it has ended")
	_, err = server.Write([]byte("250"))
	require.ErrorIs(t, err, net.ErrClosed)
	_, err = until.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
	require.ErrorIs(t, server.Close(), net.ErrClosed)
}
