package porttest_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
)

// TestTestProgramsSideBySideGetDifferentPorts asks this program and two others, as long as all of them run.
func TestTestProgramsSideBySideGetDifferentPorts(t *testing.T) {
	const each = 150 // more than one block
	if os.Getenv("POSTHORN_PORTS") != "" {
		for range each {
			fmt.Println(porttest.Take(t))
		}
		_, _ = os.Stdin.Read(make([]byte, 1)) // until nobody holds the other end
		return
	}
	seen := map[int]bool{}
	for range 2 {
		other := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		other.Env = append(os.Environ(), "POSTHORN_PORTS=yes")
		held, err := other.StdinPipe()
		require.NoError(t, err)
		says, err := other.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, other.Start())
		t.Cleanup(func() {
			require.NoError(t, held.Close())
			require.NoError(t, other.Wait())
		})
		lines := bufio.NewScanner(says)
		for range each {
			require.True(t, lines.Scan())
			port := 0
			_, err := fmt.Sscan(lines.Text(), &port)
			require.NoError(t, err)
			require.False(t, seen[port], port)
			seen[port] = true
		}
	}
	for range each {
		port := porttest.Take(t)
		require.False(t, seen[port], port)
		seen[port] = true
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		require.NoError(t, err, "nobody listens there")
		require.NoError(t, l.Close())
	}
}

// Where nobody listens, nobody begins to: whoever is told that a server is away is told so each time.
func TestWhereNobodyListensNobodyCan(t *testing.T) {
	at := porttest.Nobody(t)
	_, err := net.Listen("tcp", at)
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	for range 100 {
		_, err := net.Dial("tcp", at)
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
	}
}
