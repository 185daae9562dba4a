package outages

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/disktest"
	"posthorn/events/porttest"
)

// The power is cut at some disk operation while a house begins for the first time. Whatever the disk has kept, the
// house begins at the next start, and keeps the key that it then has.
func TestThePowerIsCutWhileAHouseBegins(t *testing.T) {
	t.Parallel()
	if !disktest.Alone(t, posthorntest.BuiltBefore+"="+posthorntest.Binary(t)) {
		return
	}
	cuts, apart := 2, 97
	if os.Getenv("POSTHORN_LONG") == "1" {
		cuts, apart = 100, 3
	}
	bin, listen := posthorntest.Binary(t), porttest.Address(t)
	disk := disktest.New(t, 128<<20, t.TempDir())
	empty := disk.Cut(0, false, nil)
	luck := func(n int) *rand.Rand { return rand.New(rand.NewPCG(5, uint64(n))) }
	begun := 0
	for n := range cuts {
		p := posthorntest.Launch(t, bin, append(served(filepath.Join(disk.Dir, "house")), "--listen", listen)...)
		c := disk.Cut(1+n*apart, true, nil)
		p.Kill()
		dir, release := disk.Mount(c, disktest.Kept(n%4), luck(n))
		data := filepath.Join(dir, "house")
		_, err := os.Stat(data)
		had := err == nil
		keys, failed := folder.ServerKeys(data)
		if !had {
			require.Error(t, failed) // there is no folder for it
		} else {
			require.NoError(t, failed, "cut %d", n)
			begun++
		}
		posthorntest.Start(t, bin, "127.0.0.1:0", served(data)...).Stop()
		again, err := folder.ServerKeys(data)
		require.NoError(t, err)
		if had {
			require.Equal(t, keys.HouseStream(), again.HouseStream(), "it has one key")
		}
		out, status := posthorntest.Command(t, bin, "verify", "--data", data)
		require.Zero(t, status, out)
		release()
		disk.Goes(empty, disktest.Everything, luck(n))
	}
	t.Logf("%d cuts, after %d of them there was a folder", cuts, begun)
}
