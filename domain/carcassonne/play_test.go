package carcassonne

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/script"
)

// The tests of the rules are scripts, in the form that `posthorn play` runs. The comment after each move has its
// expected result, in parts separated by semicolons:
//
//	Ana: 1,0 90 road W # scores 3 0; final 4 1; hand 7 6; next V; aside C; figures 2; ended
//	Bo: 2,0 0          # refused place-alone
//
// In Go tests "board" stands for a given position in short form: tiles separated by bars, each with its place and
// turn, and who stands where ("A* garden" is Ana's abbot); after "with" comes JSON for the position's other keys.
//
//	board D 0,0 0 A road E | V 1,0 0 with "followers":[0,7]

// play runs a script's text and checks each move against its comment.
func play(t *testing.T, text string) {
	t.Helper()
	var lines []string
	named := false
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		named = named || strings.HasPrefix(l, "game ")
		if rest, ok := strings.CutPrefix(l, "board "); ok {
			l = "given " + position(t, rest)
		}
		lines = append(lines, l)
	}
	if !named {
		lines[0] = "game carcassonne"
		if !strings.Contains(text, "\tseat ") && !strings.Contains(text, "\nseat ") {
			lines[0] += "\nseat Ana\nseat Bo"
		}
	}
	check(t, strings.Join(lines, "\n"))
}

func check(t *testing.T, src string) {
	t.Helper()
	sc, err := script.Parse([]byte(src), func(string) (domain.Rulebook, bool) { return Rulebook, true })
	require.NoError(t, err)
	lines := strings.Split(src, "\n")
	for r, err := range sc.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		_, wanted, said := strings.Cut(lines[r.Line-1], " # ")
		where := fmt.Sprintf("line %d: %s", r.Line, lines[r.Line-1])
		if !said || !strings.Contains(wanted, "refused") {
			require.NoError(t, r.Err, where)
		}
		for _, part := range strings.Split(wanted, ";") {
			meets(t, &r, strings.Fields(part), where)
		}
	}
}

// meets checks one part of a move's expected result.
func meets(t *testing.T, r *script.Result, want []string, where string) {
	t.Helper()
	if len(want) == 0 {
		return
	}
	v := r.State.(*state.View)
	rest := strings.Join(want[1:], " ")
	switch want[0] {
	case "scores":
		require.Equal(t, rest, numbers(r.Standing.Scores), where)
		require.Equal(t, r.Standing.Scores, v.Scores, where)
	case "final":
		require.Equal(t, rest, numbers(r.Standing.Final), where)
	case "hand":
		require.Equal(t, rest, numbers(v.Followers), where)
	case "abbots":
		require.Equal(t, rest, numbers(v.Abbots), where)
	case "next":
		require.Equal(t, rest, v.Tile.String(), where)
	case "turn":
		require.Equal(t, rest, v.ToMove.Seat().Letter(), where)
	case "aside":
		require.Equal(t, rest, strings.Trim(fmt.Sprint(v.SetAside), "[]"), where)
	case "piles":
		require.Equal(t, rest, numbers(v.Piles), where)
	case "phase":
		require.Equal(t, rest, string(v.Phase), where)
	case "figures":
		n := 0
		for _, tile := range v.Tiles {
			n += len(tile.Figures)
		}
		require.Equal(t, rest, strconv.Itoa(n), where)
	case "left":
		left := 0
		for _, n := range v.Remaining {
			left += int(n)
		}
		require.Equal(t, rest, strconv.Itoa(left), where)
	case "ranks":
		require.Equal(t, rest, numbers(r.Standing.Ranks), where)
	case "ended":
		require.True(t, r.Standing.Ended, where)
		require.Empty(t, r.Awaited, where)
	case "refused":
		refusal, ok := domain.AsRefusal(r.Err)
		require.True(t, ok, "%s: accepted, or %v", where, r.Err)
		require.Equal(t, rest, refusal.Code, where)
	default:
		require.Fail(t, "nothing to check", "%s: %q", where, want)
	}
}

func numbers(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") }

// position expands the short form of a board.
func position(t *testing.T, short string) string {
	t.Helper()
	board, more, _ := strings.Cut(short, " with ")
	var list []state.ViewTile
	for _, item := range strings.Split(board, "|") {
		list = append(list, laidOut(t, strings.Fields(item)))
	}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	if more != "" {
		more = "," + more
	}
	return `{"tiles":` + string(text) + more + `}`
}

func laidOut(t *testing.T, words []string) state.ViewTile {
	t.Helper()
	require.GreaterOrEqual(t, len(words), 3, "%v", words)
	id, ok := table.TileNamed(words[0])
	require.True(t, ok, "%v", words)
	x, y, _ := strings.Cut(words[1], ",")
	v := state.ViewTile{Tile: id}
	for text, into := range map[string]*int{x: &v.X, words[2]: &v.Turn} {
		n, err := strconv.Atoi(text)
		require.NoError(t, err, "%v", words)
		*into = n
	}
	n, err := strconv.Atoi(y)
	require.NoError(t, err, "%v", words)
	v.Y = n
	if len(words) > 3 {
		seat, abbot := strings.CutSuffix(words[3], "*")
		f := state.Stands{Abbot: abbot}
		require.NoError(t, f.Seat.UnmarshalText([]byte(seat)))
		require.NoError(t, f.On.UnmarshalText([]byte(strings.Join(words[4:], " "))))
		v.Figures = []state.Stands{f}
	}
	return v
}

// plays runs several scripts under one test.
func plays(t *testing.T, cases map[string]string) {
	t.Helper()
	for name, text := range cases {
		t.Run(name, func(t *testing.T) { play(t, text) })
	}
}

// Each reading of the rulebooks is shown by its scripts.
func TestEachReadingHolds(t *testing.T) {
	for _, r := range table.Guide.Readings {
		for _, text := range r.Scripts {
			title, _, _ := strings.Cut(text, "\n")
			t.Run(r.Key+" "+title, func(t *testing.T) { check(t, text) })
		}
	}
}

// What the rules say is shown by the scripts of guide.txt, each named after the paragraphs whose sentences it shows.
func TestTheGuideHolds(t *testing.T) {
	text, err := os.ReadFile("testdata/guide.txt")
	require.NoError(t, err)
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, moves, _ := strings.Cut(part, "\n")
		t.Run(name, func(t *testing.T) { play(t, "\n"+moves) })
	}
}

func TestGoldenScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.script")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".script"), func(t *testing.T) {
			src, err := os.ReadFile(f)
			require.NoError(t, err)
			check(t, string(src))
		})
	}
}
