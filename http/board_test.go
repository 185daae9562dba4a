package http_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABoardIsDrawnLargerWithoutAScript(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.table("carcassonne", ana, bo)
	p := ana.get(table)
	require.Contains(t, p.body, table+"?board=large#now")
	require.NotContains(t, p.body, `class="board-box large"`)
	p = ana.get(table + "?board=large")
	require.Contains(t, p.body, `class="board-box large"`)
	require.Contains(t, p.body, ">Smaller</a>")
}

// A column with the same content as the one beside it is left out.
func TestPointsAtTheEndAreShownWhereTheyWouldBeOthers(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.Contains(t, ana.get("/t/"+h.table("tiny", ana, bo)).body, "If it ended now",
		"two points for never having peeked")
	require.NotContains(t, ana.get("/t/"+h.table("carcassonne", ana, bo)).body, "If it ended now")
}

// A tile that is placed stands there without a follower, and is ready to be played; each part of it that may have one
// is pressed on the tile.
func TestAPlacedTileIsReadyWithoutAFollower(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.given("carcassonne", `{"tile":"X","to_move":"A"}`, ana, bo)
	p := ana.get(table + "?c=-1,0")
	require.Regexp(t, `^-1,0 \d+$`, p.form(table+"/move").Get("move"))
	p = ana.get(table + "?c=-1,0&c=0")
	require.Equal(t, 8, strings.Count(p.body, `" data-spot="road.`)+strings.Count(p.body, `" data-spot="field.`))
}

// Without a script, too, pressing the board changes what was chosen on it.
func TestATriedTileIsTurnedAndMovedByPressingTheBoard(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.given("carcassonne", `{"tile":"V","to_move":"A"}`, ana, bo)
	links := func(body string) map[string]string {
		out := map[string]string{}
		for _, m := range regexp.MustCompile(
			`<a href="([^"]+)" aria-label="[^"]*" class="spot [a-z]+" data-spot="([^"]+)"`).
			FindAllStringSubmatch(body, -1) {
			out[m[2]] = unescape(m[1])
		}
		return out
	}
	first := links(ana.get(table + "?c=0%2C1").body)
	require.Contains(t, first, "turn")
	require.NotContains(t, first, "0,-1", "too far from what is tried to be seen")
	// when it is turned, it turns further, until it lies as it did at first
	seen, at := map[string]bool{}, first["turn"]
	for !seen[at] {
		seen[at] = true
		at = links(ana.get(at).body)["turn"]
		require.Contains(t, at, "c=0%2C1")
	}
	require.Greater(t, len(seen), 1)
	require.True(t, seen[first["turn"]])
	// and a chosen figure leaves the others to be pressed
	spots := links(ana.get(first["road.S"]).body)
	for spot := range first {
		if spot != "road.S" {
			require.Contains(t, spots, spot)
		}
	}
}

// A player with no figure left chooses a place and sees the tile there, ready to be turned or placed.
func TestATileAloneIsReadyOnceItsPlaceIsChosen(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.given("carcassonne", `{"tile":"V","to_move":"A","followers":[0,7]}`, ana, bo)
	p := ana.get(table + "?c=0%2C1")
	first := p.form(table + "/move").Get("move")
	require.Regexp(t, `^0,1 \d+`, first)
	p = p.pressed(ana, `data-spot="turn"`)
	require.NotEqual(t, first, p.form(table+"/move").Get("move"))
}

// A cloister looks the same however it is turned: the page does not ask, and accepts any turn that was typed.
func TestTurnsThatLookAlikeAreOneChoice(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.given("carcassonne", `{"tile":"B","to_move":"A"}`, ana, bo)
	p := ana.get(table + "?c=0%2C1")
	require.Contains(t, p.body, `data-spot="cloister"`, "what stands on it is asked next")
	require.NotContains(t, p.body, `data-spot="turn"`)
	require.NotContains(t, p.body, `class="button turns"`)
	typed := ana.get(table + "?m=" + url.QueryEscape("0,1 180"))
	require.Equal(t, "0,1 180", typed.form(table+"/move").Get("move"))
	require.NotContains(t, typed.body, `data-spot="turn"`)
	require.Contains(t, typed.body, "for example “0,1 0", "what may be typed is shown by a move that may be played")

	table = "/t/" + h.given("carcassonne", `{"tile":"U","to_move":"A"}`, ana, bo)
	require.NotContains(t, ana.get(table+"?c=1%2C0").body, `data-spot="turn"`,
		"a road that lies along the other in one way alone")
}

// A typed move that the rules refuse is refused before it is shown: nothing is offered to play.
func TestAnImpossibleTypedMoveIsRefusedBeforePlaying(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := "/t/" + h.given("carcassonne", `{"tile":"B","to_move":"A"}`, ana, bo)
	version := h.version(table[3:])
	for move, why := range map[string]string{"5,5 0": "touches no tile", "0,0 0": "There is a tile at 0,0 already",
		"0,1 0 road N": "The tile has no “road (north)”"} {
		p := ana.get(table + "?m=" + url.QueryEscape(move))
		require.Equal(t, 422, p.status, move)
		require.Contains(t, p.body, why, move)
		require.NotContains(t, p.body, `<input type="hidden" name="move"`, move)
		require.Contains(t, p.body, `name="m" value="`+move+`"`, "what was typed is kept")
	}
	require.Equal(t, version, h.version(table[3:]))
}
