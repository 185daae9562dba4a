package posthorntest

import (
	"flag"
	"runtime"
	"strconv"

	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var built struct {
	once sync.Once
	path string
	err  error
}

// Program is the package of the program that the tests build.
const Program = "posthorn/cmd/posthorn"

// BuiltBefore is the environment variable that tells a test process where to find a program built by another.
const BuiltBefore = "POSTHORN_TEST_BINARY"

// Binary builds the program once, so that outer tests run what a host runs.
func Binary(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.path = os.Getenv(BuiltBefore); built.path != "" {
			return
		}
		dir, err := os.MkdirTemp("", "posthorn")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "posthorn")
		out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", built.path, Program).CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	require.NoError(t, built.err)
	return built.path
}

// Main runs the tests of a package and returns the exit status. Every package whose tests run the program has a
// TestMain that calls it.
func Main(m *testing.M) int {
	sideBySide()
	settings, err := os.MkdirTemp("", "posthorn-settings") // what verify remembers is not of the tester
	if err == nil {
		err = os.Setenv("XDG_CONFIG_HOME", settings)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(settings)
	if built.path != "" && os.Getenv(BuiltBefore) == "" {
		_ = os.RemoveAll(filepath.Dir(built.path)) // a temporary folder
	}
	return code
}

// sideBySide lets three tests run at once on two processors, unless -parallel says otherwise. Each test is mostly a
// browser and a program waiting for each other, which hardly keeps one processor busy. More tests at once gain nothing,
// and each takes half a gigabyte.
//
// Tests about the whole process run alone, before all others: those of its file mask, of its collector's pace and
// processor time in simulate, of what bench measures, and of a full disk.
func sideBySide() {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		// every test program has this flag, and it takes a number
		_ = flag.Set("test.parallel", strconv.Itoa(max(2, runtime.GOMAXPROCS(0)*3/2)))
	}
}

// Running is a posthorn process that serves.
type Running struct {
	t     testing.TB
	Cmd   *exec.Cmd
	Base  string // its address
	Done  chan struct{}
	found chan string // the address, once the program prints it
	Log   *Tail
}

// Tail keeps what a program writes.
type Tail struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements [io.Writer].
func (l *Tail) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// String returns everything written so far.
func (l *Tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var isAt = regexp.MustCompile(`Posthorn is at\s+(http://\S+)/`)

// Start runs the program with arguments and waits until it serves. listen is an address, or "127.0.0.1:0" for a free
// port.
func Start(t testing.TB, bin, listen string, args ...string) *Running {
	t.Helper()
	p := Launch(t, bin, append(args, "--listen", listen)...)
	t.Cleanup(p.Kill)
	select {
	case p.Base = <-p.found:
	case <-p.Done:
		t.Fatalf("posthorn ended: %s", p.Log)
	case <-time.After(Patient):
		t.Fatalf("posthorn does not start: %s", p.Log)
	}
	return p
}

// Launch starts the program and does not wait.
func Launch(t testing.TB, bin string, args ...string) *Running {
	t.Helper()
	p := &Running{t: t, Cmd: exec.Command(bin, args...), Done: make(chan struct{}), found: make(chan string, 1),
		Log: &Tail{}}
	out, err := p.Cmd.StdoutPipe()
	require.NoError(t, err)
	p.Cmd.Stderr = p.Log
	require.NoError(t, p.Cmd.Start())
	go func() {
		defer close(p.Done)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if m := isAt.FindStringSubmatch(lines.Text()); m != nil {
				p.found <- m[1]
			}
		}
		_ = p.Cmd.Wait() // callers ask ProcessState how it ended
	}()
	return p
}

// Kill ends the program as abruptly as a power cut.
func (p *Running) Kill() {
	_ = p.Cmd.Process.Kill() // it may have ended already
	<-p.Done
}

// Stop ends the program as its host would.
func (p *Running) Stop() {
	p.t.Helper()
	require.NoError(p.t, p.Cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-p.Done:
	case <-time.After(Patient):
		p.t.Fatal("posthorn does not stop")
	}
	require.Zero(p.t, p.Cmd.ProcessState.ExitCode(), "%s", p.Log)
}

// Get requests a page from the program.
func (p *Running) Get(path string) string {
	p.t.Helper()
	resp, err := http.Get(p.Base + path)
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return string(body)
}

// MailLinks finds the links to mails on the page of the built-in mailbox.
var MailLinks = regexp.MustCompile(`href="/mailbox/([0-9a-f-]+)"`)

// Mails lists the ids of the mails in the built-in mailbox, newest first.
func (p *Running) Mails() []string {
	p.t.Helper()
	var ids []string
	for _, m := range MailLinks.FindAllStringSubmatch(p.Get("/mailbox"), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// NextMail waits until there are more mails than known, and returns the newest one's id.
func (p *Running) NextMail(known int) string {
	p.t.Helper()
	for deadline := time.Now().Add(Patient); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ids := p.Mails(); len(ids) > known {
			return ids[0]
		}
	}
	p.t.Fatalf("no mail comes: %s", p.Log)
	return ""
}

// Command runs a sub-command to its end, and returns its output and exit status.
func Command(t testing.TB, bin string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patient)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
