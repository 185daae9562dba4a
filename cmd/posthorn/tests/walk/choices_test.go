package walk

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// notes has a walk write down what its people choose, a line each, in a file that stays if the walk fails.
func notes(t *testing.T, seed uint64, dir string) *os.File {
	t.Helper()
	f, err := os.CreateTemp(dir, fmt.Sprintf("walk-%d-*.choices", seed))
	require.NoError(t, err)
	t.Cleanup(func() {
		if _ = f.Close(); t.Failed() {
			t.Logf("what everybody chose: %s", f.Name())
		} else {
			_ = os.Remove(f.Name())
		}
	})
	return f
}

// chose notes what somebody chooses.
func (w *walk) chose(who *person, format string, args ...any) {
	if w.house.choices != nil {
		at := time.Now().UTC().Format("2006-01-02 15:04:05")
		what := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " / ")
		_, _ = fmt.Fprintf(w.house.choices, "step %d, %s, %s: %s\n", w.step, at, who, what)
	}
}

// Who finds a fault reads what led to it: who chose what, and when by the walk's own time.
func TestAWalkWritesDownItsChoices(t *testing.T) {
	f := notes(t, 4, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, 4)
		house := lives(t, t.TempDir())
		house.choices = f
		w := begin(t, 4, house)
		for w.step = 0; w.step < 6; w.step++ {
			w.visits(pick(w, w.folk))
			w.passes()
		}
	})
	text, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Greater(t, len(lines), 6)
	for _, line := range lines {
		require.Regexp(t, regexp.MustCompile(`^step \d, 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d, `+
			`(Ana|Bo|Cida|Dirk|Eva|Filip|Gosia|Hugo): (presses|opens|answers|calls) \S`), line)
	}
}
