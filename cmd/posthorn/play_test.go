package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
)

// ran is the program's output and exit status.
type ran struct {
	status   int
	out, err string
}

func program(stdin string, args ...string) ran {
	var out, err bytes.Buffer
	status := run(context.Background(), args, console.Console{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return ran{status, out.String(), err.String()}
}

const issueScript = `# a comment; " #" begins one at the end of any line too
game carcassonne
option farmers on
seat Ana
seat Bo
given {"tiles":[{"tile":"D","x":0,"y":0,"turn":0}]}
chance V
Ana: 1,0 90 road W
chance E
Bo: 0,-1 180 city S
`

func TestPlayPrintsOneLineOfJSONAMove(t *testing.T) {
	r := program(issueScript, "play", "--json", "-")
	require.Zero(t, r.status, r.err)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 2)
	require.True(t, strings.HasPrefix(lines[0],
		`{"line":8,"seat":"Ana","ok":true,"scores":[0,0],"final":[2,0],"ended":false,"awaited":["Bo"],"state":{`),
		lines[0])
	require.True(t, strings.HasPrefix(lines[1],
		`{"line":10,"seat":"Bo","ok":true,"scores":[0,4],"final":[2,4],"ended":false,"awaited":["Ana"],"state":{`),
		lines[1])
	for _, l := range lines {
		require.True(t, json.Valid([]byte(l)))
	}
}

func TestTheScriptInTheDocumentationIsPlayed(t *testing.T) {
	doc, err := os.ReadFile("../../docs/notation.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(doc), "```\n")
	require.True(t, found)
	text, _, _ := strings.Cut(after, "```")
	require.Contains(t, text, "game carcassonne")
	r := program(text, "play", "--json", "--strict", "-")
	require.Zero(t, r.status, r.err)
	require.Equal(t, 2, strings.Count(r.out, `"ok":true`))
}

func TestPlayTellsPeopleWhatHappened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.txt")
	require.NoError(t, os.WriteFile(path, []byte(issueScript), 0o600))
	r := program("", "play", path)
	require.Zero(t, r.status, r.err)
	require.Contains(t, r.out, "10  Bo: 0,-1 180 city S\n")
	require.Contains(t, r.out, "scores 0 : 4, if it ended now 2 : 4; awaited: Ana")
}

func TestARefusedMoveIsSaidInEnglishAndPlayGoesOn(t *testing.T) {
	src := strings.Replace(issueScript, "chance E\n", "Bo: rubbish\nAna: 0,1 0\n", 1)
	r := program(src, "play", "--json", "-")
	require.Zero(t, r.status, r.err)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 4)
	for i, line := range []int{9, 10} {
		var got struct {
			Line  int
			OK    bool
			Error string
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i+1]), &got))
		require.Equal(t, line, got.Line)
		require.False(t, got.OK)
		require.Contains(t, got.Error, " ", "a sentence")
	}
	r = program(src, "play", "-")
	require.Contains(t, r.out, "refused: It is not Ana's turn.")
}

func TestStrictStopsAtTheFirstRefusalWithStatusOne(t *testing.T) {
	r := program(strings.Replace(issueScript, "chance E\n", "Bo: rubbish\n", 1), "play", "--json", "--strict", "-")
	require.Equal(t, 1, r.status)
	require.Equal(t, 2, strings.Count(r.out, "\n"), "the refused move is printed, the next one is not played")
	require.Contains(t, r.err, "line 9")
}

func TestWhatCannotBePlayedEndsWithStatusTwoAndItsLine(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		line     string
		printed  int
	}{
		"a malformed line":       {"chance V", "chanc V", "line 7", 0},
		"an unknown name":        {"Bo: 0", "Cy: 0", "line 10", 0},
		"an unknown option":      {"farmers on", "cows on", "line 3", 0},
		"an impossible outcome":  {"chance E", "chance Q9", "line 9", 0},
		"an impossible position": {`"turn":0`, `"turn":45`, "line 6", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := program(strings.Replace(issueScript, c.old, c.new, 1), "play", "--json", "-")
			require.Equal(t, 2, r.status)
			require.Contains(t, r.err, c.line)
			require.Equal(t, c.printed, strings.Count(r.out, "\n"))
		})
	}
	require.Equal(t, 2, program("", "play", filepath.Join(t.TempDir(), "none")).status)
	require.Equal(t, 2, program("", "play").status)
	require.Equal(t, 2, program("", "no-such-command").status)
}

func TestHelpTeaches(t *testing.T) {
	r := program("", "play", "--help")
	require.Zero(t, r.status)
	require.Contains(t, r.out, "Ana: 1,0 90 road W")
}

func TestPlayShowsPositionsMovesAndViews(t *testing.T) {
	settings := "game rivals\nseed 3\nseat Ana\nseat Bo\n" +
		`given {"phase":"act","seats":[{"hand":["abbey"]},{"hand":["scout"]}]}` + "\n"
	r := program(settings, "play", "--json", "-")
	require.Zero(t, r.status, r.err)
	require.Equal(t, 1, strings.Count(r.out, "\n"), "the position of a script without moves")
	require.True(t, strings.HasPrefix(r.out, `{"line":5,"seat":"","ok":true,`), r.out)

	r = program(settings, "play", "--legal", "-")
	require.Zero(t, r.status, r.err)
	require.Contains(t, r.out, "legal moves of Ana:\n")
	require.Contains(t, r.out, "      end\n")

	r = program(settings, "play", "--json", "--as", "b", "-")
	require.Zero(t, r.status, r.err)
	require.Contains(t, r.out, `"hand":["?basic"]`)
	require.NotContains(t, r.out, `"abbey"`)

	r = program(settings, "play", "--as", "Cy", "-")
	require.Equal(t, 2, r.status)
	require.Contains(t, r.err, "Ana, Bo")

	r = program(strings.Replace(settings, `"act"`, `"noon"`, 1), "play", "-")
	require.Equal(t, 2, r.status)
	require.Contains(t, r.err, `phase is "noon", but one of these belongs there`)
	require.NotContains(t, r.err, "map[")
}
