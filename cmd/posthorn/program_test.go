package main

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

// thisProgram is the package that the tests build the program from.
const thisProgram = "posthorn/cmd/posthorn"

// builtBefore is where a process of these tests finds the program that another one has built.
const builtBefore = "POSTHORN_TEST_BINARY"

// binary builds the program once: the outer tests run what a host runs.
func binary(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.path = os.Getenv(builtBefore); built.path != "" {
			return
		}
		dir, err := os.MkdirTemp("", "posthorn")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "posthorn")
		out, err := exec.Command("go", "build", "-o", built.path, thisProgram).CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	require.NoError(t, built.err)
	return built.path
}

// tested runs the tests of a package, which run the program, and gives the exit status. A package of such tests has a TestMain that calls it.
func tested(m *testing.M) int {
	sideBySide()
	code := m.Run()
	if built.path != "" && os.Getenv(builtBefore) == "" {
		_ = os.RemoveAll(filepath.Dir(built.path)) // a temporary folder
	}
	return code
}

// sideBySide lets three tests run at once on two processors, where -parallel says nothing else. What runs side by side here
// is a test, a browser and a program that mostly wait for each other: one such game keeps hardly one processor busy. More of
// them gain nothing, and each takes half a gigabyte.
//
// What is about the whole process stays by itself, before all others: its file mask, the pace of its collector and the processor
// time that simulate reckons with, what bench measures, a disk that is full.
func sideBySide() {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		_ = flag.Set("test.parallel", strconv.Itoa(max(2, runtime.GOMAXPROCS(0)*3/2))) // a flag that every test program has, and a number
	}
}

// running is a posthorn that serves.
type running struct {
	t     testing.TB
	cmd   *exec.Cmd
	base  string // its address
	done  chan struct{}
	found chan string // the address, once it says it
	log   *tail
}

// tail keeps what a program writes.
type tail struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *tail) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var isAt = regexp.MustCompile(`Posthorn is at\s+(http://\S+)/`)

// start runs the program with arguments and waits until it serves. listen is an address, or
// "127.0.0.1:0" for a free port.
func start(t testing.TB, bin, listen string, args ...string) *running {
	t.Helper()
	p := launch(t, bin, append(args, "--listen", listen)...)
	t.Cleanup(p.kill)
	select {
	case p.base = <-p.found:
	case <-p.done:
		t.Fatalf("posthorn ended: %s", p.log)
	case <-time.After(patient):
		t.Fatalf("posthorn does not start: %s", p.log)
	}
	return p
}

// launch runs the program and waits for nothing.
func launch(t testing.TB, bin string, args ...string) *running {
	t.Helper()
	p := &running{t: t, cmd: exec.Command(bin, args...), done: make(chan struct{}), found: make(chan string, 1), log: &tail{}}
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.cmd.Stderr = p.log
	require.NoError(t, p.cmd.Start())
	go func() {
		defer close(p.done)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if m := isAt.FindStringSubmatch(lines.Text()); m != nil {
				p.found <- m[1]
			}
		}
		_ = p.cmd.Wait() // how it ended is asked of ProcessState
	}()
	return p
}

// kill ends the program as a power cut would.
func (p *running) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	<-p.done
}

// stop ends the program as its host would.
func (p *running) stop() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-p.done:
	case <-time.After(patient):
		p.t.Fatal("posthorn does not stop")
	}
	require.Zero(p.t, p.cmd.ProcessState.ExitCode(), "%s", p.log)
}

func (p *running) get(path string) string {
	p.t.Helper()
	resp, err := http.Get(p.base + path)
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return string(body)
}

var mailLinks = regexp.MustCompile(`href="/mailbox/([0-9a-f-]+)"`)

// mails lists the ids of what is in the built-in mailbox, the newest first.
func (p *running) mails() []string {
	p.t.Helper()
	var ids []string
	for _, m := range mailLinks.FindAllStringSubmatch(p.get("/mailbox"), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// nextMail waits for a mail that was not there before and returns the newest.
func (p *running) nextMail(known int) string {
	p.t.Helper()
	for deadline := time.Now().Add(patient); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ids := p.mails(); len(ids) > known {
			return ids[0]
		}
	}
	p.t.Fatalf("no mail comes: %s", p.log)
	return ""
}

// posthorn runs a sub-command to its end and returns what it printed and its exit status.
func posthorn(t testing.TB, bin string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
