// Package pythontest finds the Python with which tests run the programs in docs that share no code with this one.
package pythontest

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// interpreter finds Python. The first one found may be a script that looks for one: it is asked once, not for each
// file.
var interpreter = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("python3", "-I", "-S", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
})

// Find returns the path of the interpreter. A test without one is skipped, and fails with CI=true.
func Find(t testing.TB) string {
	t.Helper()
	path, err := interpreter()
	if err != nil {
		const missing = "NO PYTHON ON THIS MACHINE: the independent program was not tried (install the package python3)"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return path
}
