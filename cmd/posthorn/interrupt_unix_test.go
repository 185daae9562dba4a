//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

// The program itself, at work, is told to stop: by Ctrl-C, by a service manager, and where a shell that started it in
// the background had Ctrl-C ignored.
func TestTheProgramEndsWhileItWorks(t *testing.T) {
	bin := posthorntest.Binary(t)
	for name, stop := range map[string]os.Signal{"Ctrl-C": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		for _, command := range []string{"play", "verify", "script", "unpack", "import"} {
			t.Run(command+" "+name, func(t *testing.T) {
				t.Parallel()
				pipe := filepath.Join(t.TempDir(), "pipe")
				require.NoError(t, syscall.Mkfifo(pipe, 0o600))
				cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap "" INT; exec "$@"`, "sh", bin, command, pipe)
				if command == "import" {
					cmd.Args = append(cmd.Args, "--data", t.TempDir())
				}
				require.NoError(t, cmd.Start())
				in, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once the command reads
				require.NoError(t, err)
				defer func() { require.NoError(t, in.Close()) }()
				require.NoError(t, cmd.Process.Signal(stop))
				require.Equal(t, console.Interrupted, statusOf(t, cmd))
			})
		}
	}
	t.Run("a measurement puts its house away", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), bin, "bench", "http", "--dir", dir, "--length", "1h", "--players", "1",
			"--tables", "1")
		require.NoError(t, cmd.Start())
		measures := func() bool {
			logs, err := filepath.Glob(filepath.Join(dir, "*", "events.db"))
			return err == nil && len(logs) > 0
		}
		require.Eventually(t, measures, posthorntest.Patient, 10*time.Millisecond)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.Equal(t, console.Interrupted, statusOf(t, cmd))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// statusOf waits for a program and returns its exit status; -1 if a signal ended it.
func statusOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	require.NoError(t, err)
	return 0
}
