package disktest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Disk is an ext4 on a device whose power can be cut. The test's own process is the device, so it must not memory-map
// a file on it, as SQLite does: only separate programs may use what is on it.
type Disk struct {
	// Dir is where it is mounted.
	Dir string

	t     *testing.T
	d     *device
	file  string // that is the device
	aside string // a folder for copies
	n     int    // of them
}

// New returns a disk of size bytes with a copy of a folder on it. The test must run [Alone].
func New(t *testing.T, size int64, from string) *Disk {
	t.Helper()
	aside := t.TempDir()
	k := &Disk{Dir: filepath.Join(aside, "disk"), t: t, d: &device{}, file: filepath.Join(aside, "device"),
		aside: aside}
	require.NoError(t, os.Mkdir(k.Dir, 0o700))
	blank := filepath.Join(aside, "blank")
	require.NoError(t, os.WriteFile(blank, nil, 0o600))
	require.NoError(t, os.Truncate(blank, size))
	run(t, "mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-N", "8192", "-J", "size=8", "-E",
		"lazy_itable_init=0,nodiscard", "-d", from, blank)
	require.NoError(t, k.d.load(blank))
	require.NoError(t, os.Remove(blank))
	require.NoError(t, serve(k.d, k.file))
	k.on()
	t.Cleanup(func() {
		k.off()
		unmount(t, k.file) // the loop device releases it in its own time
	})
	return k
}

func (k *Disk) on() { run(k.t, "mount", "-t", "ext4", "-o", "loop,noatime", k.file, k.Dir) }

func (k *Disk) off() {
	k.t.Helper()
	unmount(k.t, k.Dir)
}

// Cut cuts the power after that many more operations of the device, or after a second without any. It calls before at
// that instant; before must not touch the disk. The disk itself goes on; with die it stays dead until [Disk.Goes].
//
// The copy is of one instant: this process answers each write and each flush as an operation of the device under a
// lock, and takes the copy under the same lock, between two of them. Nothing is flushed for it: neither the file
// systems nor the programs know of it.
func (k *Disk) Cut(after int, die bool, before func()) *Cut { return k.d.cut(after, die, before) }

// Mount mounts the disk as it is after a cut: its journal is replayed, as at the machine's next start. It stays until
// release is called.
func (k *Disk) Mount(c *Cut, kept Kept, dice *rand.Rand) (dir string, release func()) {
	k.t.Helper()
	k.n++
	file := filepath.Join(k.aside, fmt.Sprintf("cut-%d", k.n))
	dir = file + ".dir"
	require.NoError(k.t, c.Keep(file, kept, dice))
	require.NoError(k.t, os.Mkdir(dir, 0o700))
	run(k.t, "mount", "-t", "ext4", "-o", "loop,noatime", file, dir)
	return dir, func() {
		k.t.Helper()
		unmount(k.t, dir)
		require.NoError(k.t, os.Remove(file))
		require.NoError(k.t, os.Remove(dir))
	}
}

// Goes makes the disk itself work again after a cut, once nobody uses it any more.
func (k *Disk) Goes(c *Cut, kept Kept, dice *rand.Rand) {
	k.t.Helper()
	k.off()
	file := filepath.Join(k.aside, "after")
	require.NoError(k.t, c.Keep(file, kept, dice))
	require.NoError(k.t, k.d.load(file))
	require.NoError(k.t, os.Remove(file))
	k.on()
}

// Flushes returns how often the disk was asked to make writes durable.
func (k *Disk) Flushes() int {
	k.d.mu.Lock()
	defer k.d.mu.Unlock()
	return k.d.flushes
}

// unmount waits until a file system and its loop device are gone: a freshly killed process may still hold them.
func unmount(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		out, err := exec.Command("umount", dir).CombinedOutput()
		if err == nil {
			return
		}
		require.True(t, time.Now().Before(deadline), "%s", out)
	}
}

func run(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", program, args, out)
}
