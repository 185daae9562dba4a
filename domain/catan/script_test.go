package catan_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/rulebooktest"
	"posthorn/domain/script"
)

// The scripts in testdata are games to read. A comment after a move says what to expect, in parts separated by ";":
// `# refused CODE`, `# scores 1 0 2`, `# awaited Ana Bo`, `# ended`, `# state players.0.hand JSON`; a move without one
// must be played.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.script")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			require.NoError(t, err)
			runScript(t, string(src))
		})
	}
}

// Each reading of the rulebooks is shown by its scripts.
func TestEachReadingHolds(t *testing.T) {
	for _, r := range catan.Rulebook.Extras().Guide.Readings {
		for _, text := range r.Scripts {
			title, _, _ := strings.Cut(text, "\n")
			t.Run(r.Key+" "+title, func(t *testing.T) { runScript(t, text) })
		}
	}
}

// What the rules say is shown by the scripts of guide.txt, on the beginners' board, by three unless they seat others:
// each is named after the paragraphs whose sentences it shows.
func TestTheGuideHolds(t *testing.T) {
	text, err := os.ReadFile("testdata/guide.txt")
	require.NoError(t, err)
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, moves, _ := strings.Cut(part, "\n")
		seats := "seat Ana\nseat Bo\n"
		if !strings.Contains(moves, seats) {
			moves = strings.Replace("\n"+moves, "\n", "\n"+seats+"seat Cy\n", 1)
			if options := regexp.MustCompile(`(?m)^option .*\n`); options.MatchString(moves) {
				moves = options.FindString(moves) + options.ReplaceAllString(moves, "")
			}
		}
		t.Run(name, func(t *testing.T) { runScript(t, "game catan\noption board beginner\n"+moves) })
	}
}

func runScript(t *testing.T, src string) {
	s, err := script.Parse([]byte(src), func(string) (domain.Rulebook, bool) { return catan.Rulebook, true })
	require.NoError(t, err)
	lines := strings.Split(src, "\n")
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		_, want, _ := strings.Cut(lines[r.Line-1], " # ")
		if !strings.HasPrefix(strings.TrimSpace(want), "refused") {
			require.NoError(t, r.Err, lines[r.Line-1])
		}
		for _, part := range strings.Split(want, ";") {
			expect(t, strings.TrimSpace(part), lines[r.Line-1], &r)
		}
	}
}

func expect(t *testing.T, want, line string, r *script.Result) {
	t.Helper()
	kind, words, _ := strings.Cut(want, " ")
	switch kind {
	case "":
	case "refused":
		refusal, ok := domain.AsRefusal(r.Err)
		require.True(t, ok, "%s: %v", line, r.Err)
		require.Equal(t, words, refusal.Code, line)
	case "scores":
		require.Equal(t, "["+strings.ReplaceAll(words, " ", ",")+"]", asJSON(t, r.Standing.Scores), line)
	case "awaited":
		require.Equal(t, words, strings.Join(r.AwaitedNames(), " "), line)
	case "ended":
		require.True(t, r.Standing.Ended, line)
	case "state":
		path, value, _ := strings.Cut(words, " ")
		require.JSONEq(t, value, asJSON(t, under(t, asJSON(t, r.State), path)), line)
	default:
		require.Fail(t, "an expectation nobody knows", line)
	}
}

// under returns what stands under a path, such as "players.0.hand"; nil if nothing does.
func under(t *testing.T, text, path string) (at any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &at))
	for _, key := range strings.Split(path, ".") {
		switch in := at.(type) {
		case map[string]any:
			at = in[key]
		case []any:
			n, err := strconv.Atoi(key)
			require.NoError(t, err, path)
			require.Less(t, n, len(in), path)
			at = in[n]
		default:
			require.Fail(t, "nothing lies there", path)
		}
	}
	return at
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
		rulebooktest.Recording{File: "beginner-4.jsonl", Choices: domain.Choices{"founding": "beginner", "points": "8"},
			Seats: 4, Seed: 2, Cap: 300},
		rulebooktest.Recording{File: "for-two.jsonl", Seats: 2, Seed: 3, Cap: 400},
		// from here on with the points after each event
		rulebooktest.Recording{File: "counted-2.jsonl", Choices: domain.Choices{"points": "8"}, Seats: 2, Seed: 4},
		rulebooktest.Recording{File: "counted-4.jsonl", Choices: domain.Choices{"points": "8"}, Seats: 4, Seed: 5,
			Cap: 300},
	)
}
