package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/projections/turn"
)

// grouped returns places with a number of moves each, of a number of steps.
func grouped(places, moves, steps int) (out []turn.Group) {
	for p := range places {
		g := turn.Group{Option: turn.Option{Name: fmt.Sprint(p + 1), Label: fmt.Sprint("place ", p+1),
			Key: fmt.Sprint("k", p+1)}}
		for m := range moves {
			var n turn.Named
			for s := range steps {
				n.Path = append(n.Path, turn.Option{Name: fmt.Sprint(m + 1),
					Label: fmt.Sprintf("step %d of %d", s+1, m+1), Key: fmt.Sprintf("%d-%d-%d", p+1, m+1, s+1)})
			}
			n.Name = strings.Repeat(fmt.Sprint(" ", m+1), steps)[1:]
			g.Moves = append(g.Moves, n)
		}
		out = append(out, g)
	}
	return out
}

func address(keys ...string) string { return "/" + strings.Join(keys, "/") }

func TestAPlaceListsItsMovesByTheStepTheyShare(t *testing.T) {
	lines := func(steps int) (out []string) {
		places, more := mail.PlacesOf(grouped(1, 2, steps), 2, address)
		require.False(t, more)
		require.Equal(t, "place 1", places[0].Label)
		require.Equal(t, "/k1", places[0].URL)
		for _, w := range places[0].Ways {
			out = append(out, w.Line())
		}
		return out
	}
	require.Equal(t, []string{"1)\u00a0step 2 of 1, 2)\u00a0step 2 of 2"}, lines(2), "what follows the place")
	require.Equal(t, []string{"1)\u00a0step 2 of 1: 1)\u00a0step 3 of 1", "2)\u00a0step 2 of 2: 2)\u00a0step 3 of 2"},
		lines(3), "by what follows it")
	require.Empty(t, lines(4), "the page asks for so many choices")

	places, _ := mail.PlacesOf(grouped(1, 1, 4), 1, address)
	require.Equal(t, "1 1 1 1", places[0].Name, "what is typed stands before the words")
	require.Equal(t, "place 1, step 2 of 1, step 3 of 1, step 4 of 1", places[0].Label)
	require.Equal(t, "/1-1-1/1-1-2/1-1-3/1-1-4", places[0].URL, "a place with one move leads to it")
	require.Empty(t, places[0].Ways)
}

func TestAStepThatSeveralMovesShareIsListedOnce(t *testing.T) {
	g := turn.Group{Option: turn.Option{Name: "1", Label: "place 1", Key: "k1"}}
	for _, way := range []string{"ab", "ba", "ac", "bc"} {
		g.Moves = append(g.Moves, turn.Named{
			Path: []turn.Option{g.Option, {Name: way[:1], Label: "turned"}, {Name: way[1:], Label: "put"}}})
	}
	places, _ := mail.PlacesOf([]turn.Group{g}, 4, address)
	var lines []string
	for _, w := range places[0].Ways {
		lines = append(lines, w.Line())
	}
	require.Equal(t, []string{"a)\u00a0turned: b)\u00a0put, c)\u00a0put", "b)\u00a0turned: a)\u00a0put, c)\u00a0put"},
		lines)
}

func TestAMailListsWhatItHasRoomFor(t *testing.T) {
	for _, c := range []struct {
		places, moves int
		listed        int
		more, links   bool
	}{
		{48, 1, 48, false, true}, {49, 1, 48, true, true}, // places
		{2, 79, 2, false, true}, {1, 160, 1, false, false}, // 160 links in all: one for each place, one for each move
		{2, 160, 2, false, false}, {1, 321, 0, true, false}, {3, 160, 2, true, false}, // 320 moves
	} {
		places, more := mail.PlacesOf(grouped(c.places, c.moves, 2), c.places*c.moves, address)
		require.Len(t, places, c.listed, "%v", c)
		require.Equal(t, c.more, more, "%v", c)
		for _, p := range places {
			require.NotEmpty(t, p.URL, "the place itself can always be opened")
			for _, w := range p.Ways {
				for _, m := range w.Moves {
					require.Equal(t, c.links, m.URL != "", "%v", c)
				}
			}
		}
	}
}

// A mail's picture shows only the first choice; for a place chosen after it, the mail says what lies there.
func TestAPlaceThatIsChosenSecondIsToldByWhatLiesThere(t *testing.T) {
	g := turn.Group{Option: turn.Option{Name: "13", Label: "intersection 13", Key: "c13", Place: true,
		Where: "between forest 8 and hills 5"}}
	for _, at := range []string{"14", "22"} {
		g.Moves = append(g.Moves, turn.Named{
			Path: []turn.Option{g.Option, {Name: at, Label: "road " + at, Key: "p" + at, Place: true,
				Where: "on the coast of forest " + at}}})
	}
	places, _ := mail.PlacesOf([]turn.Group{g}, 2, address)
	require.Equal(t, "between forest 8 and hills 5", places[0].Label)
	require.Equal(t, "14\u00a0(on the coast of forest 14), 22\u00a0(on the coast of forest 22)",
		places[0].Ways[0].Line())

	g.Moves = g.Moves[:1]
	places, _ = mail.PlacesOf([]turn.Group{g}, 1, address)
	require.Equal(t, "between forest 8 and hills 5; road\u00a014\u00a0(on the coast of forest 14)", places[0].Label,
		"told apart from what lies about the first")

	sites := func(labels ...string) string {
		g := turn.Group{Option: turn.Option{Name: "a", Label: "build", Key: "b"}}
		for i, label := range labels {
			g.Moves = append(g.Moves, turn.Named{
				Path: []turn.Option{g.Option, {Name: fmt.Sprint(i, " above"), Label: label, Key: fmt.Sprint(i),
					Place: true}}})
		}
		places, _ := mail.PlacesOf([]turn.Group{g}, len(labels), address)
		return places[0].Ways[0].Line()
	}
	require.Equal(t, "nad lewą osadą, nad prawą osadą", sites("nad lewą osadą", "nad prawą osadą"),
		"in the reader's words alone")
	require.Equal(t, "0 above: nad osadą, 1 above: nad osadą", sites("nad osadą", "nad osadą"),
		"unless they could mean another place")
}

// Given places whose names differ in length, then their labels begin in one column in the text part, and so do the ways
// below them.
func TestLabelsOfPlacesBeginInOneColumn(t *testing.T) {
	places, _ := mail.PlacesOf(append(grouped(1, 2, 2), grouped(1, 1, 4)...), 3, address)
	text, err := mail.TextOfPlaces(places)
	require.NoError(t, err)
	require.Contains(t, text, "      1  place 1\n         1) step 2 of 1, 2) step 2 of 2\n")
	require.Contains(t, text, "1 1 1 1  place 1, step 2 of 1, step 3 of 1, step 4 of 1\n")
}
