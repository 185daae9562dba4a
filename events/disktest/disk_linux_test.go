package disktest_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/disktest"
)

const writes, syncs = "POSTHORN_TEST_WRITES", "POSTHORN_TEST_SYNCS"

func TestMain(m *testing.M) {
	if os.Getenv(writes) != "" && os.Getenv(syncs) == "no" {
		_ = os.Setenv(syncs, "of no use")
		panic(disktest.Unsynced(os.Args[0], os.Args))
	}
	os.Exit(m.Run())
}

// TestChild writes a file and makes it durable: on its own it does nothing.
func TestChild(t *testing.T) {
	path := os.Getenv(writes)
	if path == "" {
		return
	}
	f, err := os.Create(path)
	require.NoError(t, err)
	_, err = f.WriteString("durable")
	require.NoError(t, err)
	require.NoError(t, f.Sync())
	require.NoError(t, f.Close())
}

// Whatever a disk keeps of writes it was not asked to keep, it keeps those it was asked to, and the file system
// survives.
func TestAfterACutThereIsWhatWasSynced(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	from := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(from, "first"), []byte("there from the start"), 0o600))
	d := disktest.New(t, 32<<20, from)
	write := func(name, sync string) {
		t.Helper()
		child := exec.Command(os.Args[0], "-test.run", "^TestChild$")
		child.Env = append(os.Environ(), writes+"="+filepath.Join(d.Dir, name), syncs+"="+sync)
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	is := func(dir, name, want string) {
		t.Helper()
		b, _ := os.ReadFile(filepath.Join(dir, name)) // "" also if it is missing
		require.Equal(t, want, string(b), name)
	}
	write("synced", "yes")
	write("unsynced", "no")
	is(d.Dir, "unsynced", "durable")
	dice := rand.New(rand.NewPCG(1, 2))
	before := 0
	c := d.Cut(1<<30, true, func() { before++ })
	for _, kept := range []disktest.Kept{disktest.Everything, disktest.Nothing, disktest.Some, disktest.Torn} {
		dir, release := d.Mount(c, kept, dice)
		is(dir, "first", "there from the start")
		is(dir, "synced", "durable")
		is(dir, "unsynced", "")
		release()
	}
	require.Equal(t, 1, before)

	_, err := os.Create(filepath.Join(d.Dir, "later"))
	if err == nil { // in memory only
		out, err := exec.Command("sync", "-f", d.Dir).CombinedOutput()
		require.Error(t, err, "a disk without power keeps nothing: %s", out)
	}
	d.Goes(c, disktest.Nothing, dice)
	is(d.Dir, "synced", "durable")
	write("again", "yes")
	is(d.Dir, "again", "durable")
	require.Positive(t, d.Flushes())
}
