// Package programtest finds the programs that tests use beside this one: browsers, mail servers, the Python that runs
// the programs in docs which share no code with ours. A test whose program is missing skips and says so; with CI=true
// it fails.
package programtest

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Missing ends a test that lacks something: with CI=true it fails, elsewhere it is skipped. what says which test did
// not run, and what to install.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip("NOT TESTED: " + what)
}

// Long skips a test under -short, which is what runs with the race detector and while somebody works: it takes long, or
// drives programs that do, and finds nothing that only the detector sees.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// BuiltOnce are flags for what is built from a changed source for one test: nothing is inlined and nothing written
// for debuggers, which takes half the time.
var BuiltOnce = []string{"-gcflags=posthorn/...=-l -dwarf=false", "-ldflags=-s -w"}

// interpreter finds Python. The first one found may be a script that looks for one: it is asked once, not for each
// file.
var interpreter = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("python3", "-I", "-S", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
})

// Python returns the path of the interpreter.
func Python(t testing.TB) string {
	t.Helper()
	path, err := interpreter()
	if err != nil {
		Missing(t, "the independent program: no Python is here (install the package python3)")
	}
	return path
}

// Chromium returns the path of a browser. Tests in it are long.
func Chromium(t testing.TB) string {
	t.Helper()
	Long(t)
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, "the pages in a browser: no Chromium is here (install the package chromium)")
	return ""
}

// Need looks for programs that root starts. Tests with them are long.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	Long(t)
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			Missing(t, p+" is not here (.ci/run installs it)")
		}
	}
	if os.Getuid() != 0 {
		Missing(t, "a mail server of one's own needs root")
	}
}
