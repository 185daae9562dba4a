package archive_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/archive"
)

// Given a program that shares no line with this one, then it reads what is archived here, and notices a changed byte.
func TestAnIndependentProgramReadsAnArchivedGame(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "the independent reader was not tried: install python3")
		t.Skip("no python3 here")
	}
	h := newHouse(t)
	text := exported(h, finished(h, "rivals"))
	packed, err := archive.Pack(text)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "game"+archive.Ending)
	require.NoError(t, os.WriteFile(file, packed, 0o600))
	out, err := exec.CommandContext(t.Context(), python, "../../docs/unpack.py", file).Output()
	require.NoError(t, err)
	require.Equal(t, string(text), string(out))

	packed[len(packed)/2] ^= 1
	require.NoError(t, os.WriteFile(file, packed, 0o600))
	said, err := exec.CommandContext(t.Context(), python, "../../docs/unpack.py", file).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), "damaged or altered")
}
