package catan_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/rulebooktest"
	"posthorn/domain/script"
)

// The scripts in testdata are games to read. A comment after a move says what to expect: `# refused CODE`,
// `# scores 1 0 2`, `# awaited Ana Bo`, `# state KEY JSON`; a move without one must be played.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.script")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			require.NoError(t, err)
			s, err := script.Parse(src, func(string) (domain.Rulebook, bool) { return catan.Rulebook, true })
			require.NoError(t, err)
			lines := strings.Split(string(src), "\n")
			for r, err := range s.Play(domain.NewThrowaway(1)) {
				require.NoError(t, err)
				expect(t, lines[r.Line-1], &r)
			}
		})
	}
}

func expect(t *testing.T, line string, r *script.Result) {
	t.Helper()
	_, want, _ := strings.Cut(line, " # ")
	kind, words, _ := strings.Cut(strings.TrimSpace(want), " ")
	if kind == "refused" {
		refusal, ok := domain.AsRefusal(r.Err)
		require.True(t, ok, "%s: %v", line, r.Err)
		require.Equal(t, words, refusal.Code, line)
		return
	}
	require.NoError(t, r.Err, line)
	switch kind {
	case "":
	case "scores":
		require.Equal(t, "["+strings.ReplaceAll(words, " ", ",")+"]", asJSON(t, r.Standing.Scores), line)
	case "awaited":
		require.Equal(t, words, strings.Join(r.AwaitedNames(), " "), line)
	case "state":
		key, value, _ := strings.Cut(words, " ")
		var state map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(asJSON(t, r.State)), &state))
		require.JSONEq(t, value, string(state[key]), line)
	default:
		require.Fail(t, "an expectation nobody knows", line)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestGoldenGames(t *testing.T) {
	rulebooktest.Golden(t, catan.Rulebook, disk,
		rulebooktest.Recording{File: "base-3.jsonl", Seats: 3, Seed: 1, Cap: 400},
		rulebooktest.Recording{File: "beginner-4.jsonl", Choices: domain.Choices{"founding": "beginner", "points": "8"}, Seats: 4, Seed: 2, Cap: 300},
		rulebooktest.Recording{File: "for-two.jsonl", Seats: 2, Seed: 3, Cap: 400},
		rulebooktest.Recording{File: "counted-2.jsonl", Choices: domain.Choices{"points": "8"}, Seats: 2, Seed: 4}, // from here on with the points after each event
		rulebooktest.Recording{File: "counted-4.jsonl", Choices: domain.Choices{"points": "8"}, Seats: 4, Seed: 5, Cap: 300},
	)
}
