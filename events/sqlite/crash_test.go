package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// TestChild is what the crash tests start as a separate process: on its own it does nothing.
func TestChild(t *testing.T) {
	path := os.Getenv("POSTHORN_CHILD_LOG")
	switch os.Getenv("POSTHORN_CHILD") {
	case "open":
		open(t, path)
	case "append":
		require.NoError(t, appendUntilKilled(path))
	}
}

const childWriters = 16

// ack is an answer that the child received: it reports it only once it has it.
type ack struct {
	stream  events.Name
	version uint64
	pos     uint64
	hash    events.Hash
}

// appendUntilKilled appends to a line each in many goroutines, sometimes repeats commands, and prints what was
// acknowledged.
func appendUntilKilled(path string) error {
	ctx := context.Background()
	l, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	say := func(r events.Record) error {
		mu.Lock()
		defer mu.Unlock()
		_, err := fmt.Printf("ack %x %d %d %x\n", r.Stream[:], r.Version, r.Pos, r.Hash[:])
		return err
	}
	failed := make(chan error)
	for i := range childWriters {
		go func() { failed <- appendForEver(ctx, l, lineOf(i), say) }()
	}
	return <-failed
}

// lineOf names a writer's line, the same in every life of the child.
func lineOf(writer int) (n events.Name) {
	binary.BigEndian.PutUint64(n[:], uint64(writer)+1)
	return n
}

func appendForEver(ctx context.Context, l events.Log, line events.Name, say func(events.Record) error) error {
	head, err := l.Head(ctx, line)
	if errors.Is(err, events.ErrNoStream) {
		head, err = events.Head{}, nil
	}
	for v := head.Version; err == nil; v++ {
		d := logtest.Following(line, v)
		d.Command = commandOf(line, v)
		if v == 0 {
			d.Open = &events.Stream{Name: line, Kind: events.KindTable, Table: line}
		}
		if v%4 == 0 {
			d.Parts = logtest.SomeParts()
		}
		var r events.Record
		if r, err = l.Append(ctx, d); err != nil {
			break
		}
		if err = say(r); err != nil {
			break
		}
		var dup *events.Duplicate
		if _, again := l.Append(ctx, d); v%8 == 0 && (!errors.As(again, &dup) || dup.Record.Hash != r.Hash) {
			err = fmt.Errorf("command repeated: %w", again)
		}
	}
	return err
}

// commandOf returns the id of the command behind a version: a life that does not know whether its last command was
// done repeats it.
func commandOf(line events.Name, version uint64) (id events.CommandID) {
	copy(id[:8], line[:8])
	binary.BigEndian.PutUint64(id[8:], version)
	return id
}

// At whatever moment the process is killed, everything acknowledged is there, nothing is there twice, the chain
// holds, and positions have no gaps.
func TestKilledAtAnyMoment(t *testing.T) {
	logs, lives := 1, 5
	if os.Getenv("POSTHORN_LONG") == "1" {
		logs, lives = 50, 20 // each life reads all of its log, so each log has only a few lives
	}
	all := 0
	for n := range logs {
		path := filepath.Join(t.TempDir(), "events.db")
		acknowledged := map[uint64]ack{}
		for life := range lives {
			liveAndDie(t, path, acknowledged, life == 0)
			inspect(t, path, acknowledged)
		}
		require.NotEmpty(t, acknowledged, "the child was killed before it did anything, every time")
		all += len(acknowledged)
		t.Logf("%d lives, %d acknowledged appends, all there once", (n+1)*lives, all)
		require.NoError(t, os.Remove(path))
	}
}

// liveAndDie starts the child and kills it: at any moment from its very start, or some time after its first
// acknowledgement.
func liveAndDie(t *testing.T, path string, acknowledged map[uint64]ack, grownUp bool) {
	child := exec.Command(os.Args[0], "-test.run", "^TestChild$")
	child.Env = append(os.Environ(), "POSTHORN_CHILD=append", "POSTHORN_CHILD_LOG="+path)
	var complaints bytes.Buffer
	child.Stderr = &complaints
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	lines := bufio.NewReader(out)
	if grownUp {
		readAck(t, lines, acknowledged)
	}
	die := time.AfterFunc(rand.N(200*time.Millisecond), func() { _ = child.Process.Kill() })
	defer die.Stop()
	for readAck(t, lines, acknowledged) {
	}
	var exit *exec.ExitError
	require.ErrorAs(t, child.Wait(), &exit)
	require.Equal(t, -1, exit.ExitCode(), "the child was to be killed, not to fail: %s", complaints.String())
}

// readAck reads one line from the child; false at the end, or if the line was torn off.
func readAck(t *testing.T, lines *bufio.Reader, acknowledged map[uint64]ack) bool {
	line, err := lines.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return false
	}
	require.NoError(t, err)
	words := strings.Fields(line)
	require.Len(t, words, 5, line)
	require.Equal(t, "ack", words[0], line)
	var a ack
	require.NoError(t, a.stream.UnmarshalText([]byte(words[1])))
	_, err = fmt.Sscan(words[2]+" "+words[3], &a.version, &a.pos)
	require.NoError(t, err)
	_, err = hex.Decode(a.hash[:], []byte(words[4]))
	require.NoError(t, err)
	require.NotContains(t, acknowledged, a.pos, "a position was given twice")
	acknowledged[a.pos] = a
	return true
}

// inspect opens what the child left behind.
func inspect(t *testing.T, path string, acknowledged map[uint64]ack) {
	ctx := context.Background()
	l, err := sqlite.Open(ctx, path)
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	last, err := l.Last(ctx)
	require.NoError(t, err)
	seen := map[events.CommandID]bool{}
	found := 0
	for after := uint64(0); after < last; {
		page, err := l.Read(ctx, after, 1000)
		require.NoError(t, err)
		require.NotEmpty(t, page)
		for i := range page {
			r := &page[i]
			after++
			a, told := acknowledged[r.Pos]
			switch { // many records, many lives: a require for each would be slow
			case r.Pos != after:
				require.Equal(t, after, r.Pos, "positions have no gaps")
			case seen[r.Command]:
				require.Fail(t, "done twice", "command %s", r.Command)
			case r.Command != commandOf(r.Stream, r.Version-1):
				require.Equal(t, commandOf(r.Stream, r.Version-1), r.Command)
			case told && a != ack{stream: r.Stream, version: r.Version, pos: r.Pos, hash: r.Hash}:
				require.Equal(t, a, ack{stream: r.Stream, version: r.Version, pos: r.Pos, hash: r.Hash})
			case told:
				found++
			}
			seen[r.Command] = true
		}
	}
	require.Equal(t, len(acknowledged), found, "every acknowledged append is there")
	for i := range childWriters {
		if _, err := l.Head(ctx, lineOf(i)); !errors.Is(err, events.ErrNoStream) {
			logtest.VerifyChain(t, l, lineOf(i))
		}
	}
}
