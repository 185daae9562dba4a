// Package porttest gives tests TCP ports of their own: for a real server that has to be told its port before it starts,
// that is stopped and comes back at the same address; and addresses at which there is none. What must not live here:
// anything but test code.
package porttest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The ports given out lie below those that a system chooses by itself for a connection or for a listener on port 0
// (Linux begins at 32,768, others at 49,152): such a port may be taken in the moment in which nobody listens on it. A
// test program takes whole blocks of them, and listens on the first port of each as long as it runs, so that no other
// test program that runs beside it takes the same.
const (
	lowest  = 10_000
	highest = 32_000
	block   = 100
)

var own struct {
	sync.Mutex
	held []net.Listener // one for each block; the system closes them when the program ends
	next int            // the next port of the last block
}

// Take returns a port of 127.0.0.1 on which nobody listens, and which nothing else takes or is given as long as this
// test program runs.
func Take(t testing.TB) int {
	t.Helper()
	own.Lock()
	defer own.Unlock()
	for {
		if own.next%block == 0 {
			own.next = nextBlock(t)
		}
		port := own.next
		own.next++
		if l := listen(port); l != nil { // else another program's
			require.NoError(t, l.Close())
			return port
		}
	}
}

// Address returns a port as Take does, as "127.0.0.1:" and its number.
func Address(t testing.TB) string {
	t.Helper()
	return address(Take(t))
}

// Nobody returns an address, as Address does, at which nobody listens as long as the test runs, and nobody can: every
// connection to it is refused. Its port is held by the near end of a connection that stays open meanwhile.
func Nobody(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	// The system gives a port that was bound, unlike one that connecting chose, to no other connection: none that
	// begins there can meet itself.
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	held, err := from.DialContext(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(held.Close(), l.Close())) })
	return held.LocalAddr().String()
}

// nextBlock takes a block and returns its second port.
func nextBlock(t testing.TB) int {
	t.Helper()
	for first := lowest; first < highest; first += block {
		if l := listen(first); l != nil {
			own.held = append(own.held, l)
			return first + 1
		}
	}
	require.Fail(t, "no port is free", "from %d to %d", lowest, highest)
	return 0
}

func listen(port int) net.Listener {
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return nil
	}
	return l
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
