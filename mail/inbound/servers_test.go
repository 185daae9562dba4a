package inbound_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
	"posthorn/mail/inbound"
)

// command runs a program to its end. Programs that it leaves running do not hold its output open.
func command(name string, args ...string) error {
	out, err := os.CreateTemp("", "out")
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(out.Close(), os.Remove(out.Name())) }() // a scratch file
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = out, out
	if failed := c.Run(); failed != nil {
		text, err := os.ReadFile(out.Name())
		return fmt.Errorf("%s %v: %w: %s", name, args, errors.Join(failed, err), text)
	}
	return nil
}

// background starts a program that runs until the last test has ended. Its output goes to a file.
func background(t *testing.T, c *exec.Cmd, says string) {
	t.Helper()
	out, err := os.Create(says)
	require.NoError(t, err)
	c.Stdout, c.Stderr = out, out
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Setpgid = true // it signals its whole group to end
	require.NoError(t, c.Start())
	watch, err := watched(c.Process.Pid)
	require.NoError(t, err)
	machine.stops = append(machine.stops, func() error {
		if err := watch(); err != nil {
			return err
		}
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			return fmt.Errorf("stop %s: %w", c.Path, err)
		}
		_ = c.Wait() // it was asked to end
		return out.Close()
	})
}

// watched makes a group of programs end with the test program, even if that is killed and cleans up nothing: a shell
// waits for a pipe to close that only this program holds. (The kernel's own signal for this is lost if a program
// changes its user, as Postfix does.) The returned function ends the watching.
func watched(group int) (stop func() error, err error) {
	c := exec.Command("sh", "-c", "cat >/dev/null; kill -TERM -"+strconv.Itoa(group))
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	held, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	return func() error {
		err := c.Process.Kill()
		_ = c.Wait() // it was killed
		return errors.Join(err, ignored(held.Close(), os.ErrClosed))
	}, err
}

// ignored drops one expected error.
func ignored(err, but error) error {
	if errors.Is(err, but) {
		return nil
	}
	return err
}

// TestAKilledTestProgramLeavesNothingRunning tries this with a program that would sleep for a long time.
func TestAKilledTestProgramLeavesNothingRunning(t *testing.T) {
	if os.Getenv("POSTHORN_LEAVES") != "" { // this is the process to be killed
		c := exec.Command("sleep", "600")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, c.Start())
		stop, err := watched(c.Process.Pid)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(os.Getenv("POSTHORN_LEAVES"), []byte(strconv.Itoa(c.Process.Pid)), 0o600))
		require.NoError(t, c.Wait())
		runtime.KeepAlive(stop) // it holds the pipe, which garbage collection would close
		return
	}
	note := filepath.Join(t.TempDir(), "pid")
	self := exec.Command(os.Args[0], "-test.run", "^TestAKilledTestProgramLeavesNothingRunning$")
	self.Env = append(os.Environ(), "POSTHORN_LEAVES="+note)
	require.NoError(t, self.Start())
	pid := 0
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(note)
		if err == nil {
			pid, err = strconv.Atoi(string(text))
		}
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, syscall.Kill(pid, 0), "it sleeps")
	require.NoError(t, self.Process.Kill())
	require.Error(t, self.Wait())
	require.Eventually(t, func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // a zombie has ended; its new parent may be slow
		return err != nil && syscall.Kill(pid, 0) != nil || strings.Contains(string(state), ") Z ")
	}, time.Minute, 5*time.Millisecond, "the sleeper goes on")
}

// files writes configuration files, with placeholders replaced.
func files(t *testing.T, dir string, replaced map[string]any, texts map[string]string) {
	t.Helper()
	var pairs []string
	for from, to := range replaced {
		pairs = append(pairs, from, fmt.Sprint(to))
	}
	for name, text := range texts {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.NewReplacer(pairs...).Replace(text)),
			0o644))
	}
}

// machine is what runs from the first test that needs it until the last: mail servers, mailboxes, and the port where
// they hand over mails for the house of the current test.
var machine struct {
	dir     string // for all their files; "" before the first test
	door    int
	nobody  int
	house   exchange
	people  *dovecot
	servers map[string]*mailServer
	stops   []func() error
}

// exchange hands mails to the house of the current test.
type exchange struct {
	mu     sync.Mutex
	takers []inbound.Taker
	took   int
}

func (e *exchange) set(takers ...inbound.Taker) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.takers, e.took = takers, 0
}

// handled returns how many mails came for that house.
func (e *exchange) handled() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.took
}

func (e *exchange) taker(rcpt string) inbound.Taker {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.takers {
		if t.Takes(rcpt) {
			return t
		}
	}
	return nil
}

func (e *exchange) Takes(rcpt string) bool { return e.taker(rcpt) != nil }

func (e *exchange) Handle(ctx context.Context, rcpt, sender string, raw []byte) error {
	t := e.taker(rcpt)
	if t == nil {
		return nil
	}
	e.mu.Lock()
	e.took++
	e.mu.Unlock()
	return t.Handle(ctx, rcpt, sender, raw)
}

// TestMain stops what the tests started.
func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(machine.stops) - 1; i >= 0; i-- {
		if err := machine.stops[i](); err != nil {
			fmt.Fprintln(os.Stderr, "stop a mail server:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// starts starts what is not running yet, and returns the mail server of a name.
func starts(t *testing.T, name string) *mailServer {
	t.Helper()
	if machine.dir == "" {
		dir, err := os.MkdirTemp("", "posthorn-servers-")
		require.NoError(t, err)
		machine.stops = append(machine.stops, func() error { return os.RemoveAll(dir) })
		require.NoError(t, os.Chmod(dir, 0o755)) // the servers' parts run as other users
		machine.dir, machine.servers = dir, map[string]*mailServer{}
		machine.door, machine.nobody = listens(t, "lmtp://127.0.0.1:0", &machine.house),
			listens(t, "smtp://127.0.0.1:0")
		for _, name := range []string{"postfix", "opensmtpd"} {
			machine.servers[name] = &mailServer{name: name, dir: filepath.Join(dir, name), port: porttest.Take(t)}
		}
		machine.people = startDovecot(t, dir)
	}
	s := machine.servers[name]
	s.t = t
	if s.says != "" {
		return s
	}
	require.NoError(t, os.Mkdir(s.dir, 0o755))
	map[string]func(*testing.T, *mailServer){"postfix": startPostfix, "opensmtpd": startOpenSMTPD}[name](t, s)
	s.until("it answers", func() bool {
		return answers(s.port) && answers(machine.people.lmtp) && answers(machine.people.imap)
	})
	return s
}

// answers reports whether somebody listens on a port.
func answers(port int) bool {
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	return err == nil && c.Close() == nil
}

// listens takes mails on a port until the last test has ended.
func listens(t *testing.T, address string, takers ...inbound.Taker) int {
	t.Helper()
	s, err := inbound.Listen(context.Background(), address, "mx.example.org", slog.New(slog.DiscardHandler), takers...)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Run(context.Background()) // ends when closed
	}()
	machine.stops = append(machine.stops, func() error {
		err := s.Close()
		<-ended
		return err
	})
	return s.Addr().(*net.TCPAddr).Port
}

// mailServer is a real mail server: it takes mails on a port, hands those for games.example.org to the door, as
// docs/hosting.md says, and those for example.org to people's mailboxes.
type mailServer struct {
	t     *testing.T // the current test
	name  string
	dir   string
	port  int
	says  string   // its log file
	queue []string // folders of mails to deliver
	read  int      // how long the log was when the test began
}

// log returns what the server has logged since the test began.
func (s *mailServer) log() string {
	text, err := os.ReadFile(s.says)
	if errors.Is(err, fs.ErrNotExist) {
		return "" // nothing yet
	}
	require.NoError(s.t, err)
	return string(text[s.read:])
}

// until waits for something that another program does.
func (s *mailServer) until(what string, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
	}
	require.Fail(s.t, "it took a minute: "+what, s.log())
}

// quiet waits until the server has nothing left to do. It looks twice, because a mail may move between folders while it
// looks.
func (s *mailServer) quiet() {
	s.t.Helper()
	s.until("the queue is empty", func() bool { return s.waiting()+s.waiting() == 0 })
}

func (s *mailServer) waiting() (n int) {
	for _, q := range s.queue {
		_ = filepath.WalkDir(filepath.Join(s.dir, q), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				n++
			}
			return nil // a folder that has just gone
		})
	}
	return n
}
