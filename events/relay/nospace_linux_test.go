package relay

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/logtest"
)

// JetStream neither reports what it could not store nor stores anything more in that stream, with room or without,
// until it is reopened.
func TestAnEmbeddedServerWhoseDiskWasFullGoesOn(t *testing.T) {
	dir := logtest.SmallDisk(t, "8m")
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), Dir: filepath.Join(dir, "nats"), AckWait: time.Second})
	w.write(100)
	synced(t, r, 100)
	logtest.Fill(t, filepath.Join(dir, "filler"))
	w.write(2000)
	var met Health
	require.Eventually(t, func() bool { met = r.Health(); return met.Trouble != nil }, time.Minute, 10*time.Millisecond)
	require.ErrorIs(t, met.Trouble, errUnstored)
	require.Less(t, met.Published, w.n)

	require.NoError(t, os.Remove(filepath.Join(dir, "filler")))
	synced(t, r, w.n)
	copyIsTrue(t, inside(t, r), w.log)
}
