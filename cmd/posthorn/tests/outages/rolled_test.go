package outages

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// otherProgram returns the program that this one replaces: the earlier one that POSTHORN_BEFORE names, or the same one,
// built differently. The latter shows how machines are replaced, but not what an earlier version writes.
func otherProgram(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("POSTHORN_BEFORE"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "posthorn-before")
	out, err := exec.Command("go", "build", "-ldflags", "-s -w -buildid=before", "-o", path, posthorntest.Program).
		CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// Given a house of two machines and people who play all the time, when the program is replaced on the standby, then on
// the writer, and put back in the same way, then nothing that was answered is lost or done twice, and play is
// interrupted for seconds.
func TestTheProgramIsReplacedOnOneMachineAfterTheOther(t *testing.T) {
	if os.Getenv("POSTHORN_LONG") != "1" {
		t.Skip("it is switched over from one machine to the other in TestASecondMachineTakesOver; with two " +
			"programs with POSTHORN_LONG=1")
	}
	before := otherProgram(t)
	k := newKeptByTwo(t, 3, 0)
	a, b := k.machine("all"), k.machine("standby")
	a.bin, b.bin = before, before
	// the old program makes the house
	out, status := posthorntest.Command(t, before, "people", "invite", "--data", a.data, "host@example.org")
	require.Zero(t, status, out)
	var moves atomic.Int64
	gave, callers := newCallers(t, a.data, []string{"carcassonne", "catan", "rivals"}, 20*time.Millisecond, &moves, a,
		b)
	a.shares(b)
	a.begins()
	a.writes()
	b.begins()
	b.standsBy()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for _, c := range callers {
		all.Go(func() { c.play(ctx) })
	}
	writer, other := a, b
	for n, bin := range []string{k.bin, before, k.bin} {
		played(t, &moves, 50)
		other.Stop()
		other.bin = bin
		other.begins()
		other.standsBy()
		played(t, &moves, 50) // both versions are there
		began := time.Now()
		writer.Stop()
		away := gave.after(t, began, func() {})
		other.writes()
		t.Logf("replaced %d times: play was interrupted for %v", n+1, away.Round(time.Millisecond))
		writer.bin, writer.role = bin, "standby"
		writer.begins()
		writer.standsBy()
		writer, other = other, writer
	}
	played(t, &moves, 50)
	stop()
	all.Wait()
	other.Stop()
	writer.Stop()
	k.checkCalled(writer, other, gave)
}
