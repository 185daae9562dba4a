package disktest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// alone is set in the process that a test has to itself.
const alone = "POSTHORN_TEST_ALONE"

// Alone runs the test in a process of its own, with more added to its environment, and reports whether this is that
// process: the other one only waits for it, and passes on its output. If no disk can be made the test is skipped,
// with the reason. Installing a program cannot help, so it is skipped under CI=true as well.
//
// The process has its own mounts and process namespace. However it ends, the kernel ends what it started, and its
// file systems and their loop devices disappear: nothing is left over.
func Alone(t *testing.T, more ...string) bool {
	t.Helper()
	if os.Getenv(alone) == t.Name() {
		return true
	}
	if why := cannot(t); why != "" {
		t.Skip("NO POWER WAS CUT: " + why)
	}
	ended := make(chan error, 1)
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		runtime.LockOSThread() // Pdeathsig belongs to the thread that started it
		defer runtime.UnlockOSThread()
		child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v", "-test.timeout", "0")
		child.Env = append(append(os.Environ(), alone+"="+t.Name()), more...)
		child.Stdout, child.Stderr = writer, writer
		child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Cloneflags: syscall.CLONE_NEWPID,
			Pdeathsig: syscall.SIGKILL}
		err := child.Start()
		_ = writer.Close() // the child has its own
		if err == nil {
			err = child.Wait()
		}
		ended <- err
	}()
	lines := bufio.NewScanner(reader)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); !strings.HasPrefix(line, "=== ") && line != "PASS" {
			t.Log(line)
		}
	}
	require.NoError(t, <-ended)
	require.NoError(t, reader.Close())
	return false
}

// cannot returns why no disk can be made here.
func cannot(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		return "to mount a file system needs root"
	}
	for _, p := range []string{"mkfs.ext4", "mount", "umount"} {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing", p)
			}
			return p + " is missing"
		}
	}
	dir := t.TempDir()
	small, there := filepath.Join(dir, "small"), filepath.Join(dir, "there")
	require.NoError(t, os.Mkdir(there, 0o700))
	require.NoError(t, os.WriteFile(small, nil, 0o600))
	require.NoError(t, os.Truncate(small, 1<<20))
	run(t, "mkfs.ext4", "-q", "-F", "-O", "^has_journal", small)
	try := exec.Command("mount", "-t", "ext4", "-o", "loop", small, there)
	try.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS} // and it disappears with the process
	if out, err := try.CombinedOutput(); err != nil {
		return "root may mount nothing here: " + strings.TrimSpace(string(out))
	}
	fuse, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		return "there is no FUSE here: " + err.Error()
	}
	require.NoError(t, fuse.Close())
	return ""
}
