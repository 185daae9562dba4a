package http_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The luck of the next move is chosen from a list of possible outcomes, in each game that has any.
func TestTheLuckOfASketchIsChosenFromAList(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	// There are nine tiles of type V, so one is left whatever was drawn.
	for game, wish := range map[string]url.Values{
		"carcassonne": {"luck": {"tile"}, "tile": {"V"}},
		"rivals":      {"luck": {"dice"}, "die": {"4"}, "face": {"harvest"}},
	} {
		table := h.table(game, ana, bo)
		ana.sketches(table)
		here := at(table, 1, 0)
		p := ana.get(here)
		for name, v := range wish {
			if name != "luck" {
				require.Contains(t, p.body, `<select name="`+name+`"`, game)
				require.Contains(t, p.body, `<option value="`+v[0]+`"`, game)
			}
		}
		p = ana.get(here + "?" + wish.Encode())
		require.Equal(t, 200, p.status, p.body)
		words := strings.TrimSpace(strings.Join([]string{wish.Get("luck"), wish.Get("tile"), wish.Get("die"),
			wish.Get("face")}, " "))
		require.Contains(t, p.body, `name="chance" value="`+strings.Join(strings.Fields(words), " ")+`"`, game)
		if game != "carcassonne" { // in the Rivals the dice are rolled later
			continue
		}
		_, move := h.firstMove(table, ana, bo)
		p = ana.tries(here+"?chance=tile+V", move)
		require.Contains(t, p.body, "draws a tile with a bending road.")
		require.Contains(t, p.body, "<code>tile V</code>")
		p = ana.send(at(table, 1, 1)+"/again", url.Values{})
		require.NotContains(t, p.body, "<code>tile V</code>", "other luck is not dictated")
	}
}
