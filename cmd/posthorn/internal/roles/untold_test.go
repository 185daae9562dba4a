package roles

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/copies"
)

// Given a copy of which the cluster lost a part, then a server that needs it says so and keeps asking.
func TestACopyThatDoesNotComeIsSaid(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a, b := newCarriage(t, cluster, "one"), newCarriage(t, cluster, "")
	require.NoError(t, a.carrier(5).once(a.ctx))
	stream, err := cluster.JetStream().Stream(t.Context(), "OBJ_"+copies.DefaultBucket)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject("$O."+copies.DefaultBucket+".C.>")))
	ctx, cancel := context.WithCancelCause(b.ctx)
	defer cancel(nil)
	_, _, err = install(ctx, b.newest, cancel)
	require.Error(t, err)
	require.ErrorContains(t, context.Cause(ctx), "taken away")
	require.NoError(t, b.ctx.Err(), "nothing was said of it")
}

// Given a server that stands by before anybody has put a copy into the cluster, then it logs what it lacks, and when
// that is over.
func TestAServerThatStandsBySaysInItsLogWhatItLacks(t *testing.T) {
	cluster := clustertest.New(t, 1)
	b := newCarriage(t, cluster, "")
	out, in := io.Pipe()
	lines := make(chan string, 1024)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := out.Read(buf)
			if err != nil {
				return
			}
			lines <- string(buf[:n])
		}
	}()
	s := &standing{copies: b.store, logger: slog.New(slog.NewTextHandler(in, nil))}
	s.fit = &fitness{data: b.data, newest: b.newest, looked: true, tell: s.unfetched}
	s.began = time.Now()
	s.trouble(errNotWhole) // too early to log
	ctx, stop := context.WithCancel(b.ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.prepares(ctx) }()
	says := func(what string) {
		t.Helper()
		for {
			select {
			case line := <-lines:
				require.NotContains(t, line, errNotWhole.Error())
				if strings.Contains(line, what) {
					return
				}
			case <-b.ctx.Done():
				t.Fatalf("it does not say %q", what)
			}
		}
	}
	says("there is no copy of people.db and mail.db in the cluster yet")
	dir := t.TempDir()
	for _, name := range carriedDatabases {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	_, err := b.store.Put(b.ctx, 5, dir, time.Now())
	require.NoError(t, err)
	says("this server can take over")
	stop()
	require.NoError(t, <-ended)
	require.NoError(t, errors.Join(in.Close(), out.Close()))
}

func TestWhatIsTriedAgainIsSaidOnceAMinute(t *testing.T) {
	var s said
	require.False(t, s.again("one"))
	require.False(t, s.again("two"))
	require.True(t, s.again("one"))
	require.True(t, s.again("two"))
	s.at["one"] = time.Now().Add(-time.Minute)
	require.False(t, s.again("one"))
	require.True(t, s.again("two"))
}

// Given a copy that failed after a long wait, then it is tried again soon: otherwise changes made meanwhile could be
// lost with the machine.
func TestACopyThatFailedIsTriedAgainSoon(t *testing.T) {
	require.Equal(t, carryLeast, rests(time.Millisecond, false))
	require.Equal(t, 20*time.Second, rests(2*time.Second, false), "it takes no more than a tenth of the time")
	require.Equal(t, carryLeast, rests(time.Millisecond, true))
	require.Equal(t, carryAgain, rests(carryTime, true))
}
