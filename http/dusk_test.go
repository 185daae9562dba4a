package http_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/table"
)

// A board is dark at night because boards.css has a darker twin for each of its colours, by value: a colour that
// changes in a drawing must change there, too.
func TestEveryColourWithADarkTwinIsOneOfADrawing(t *testing.T) {
	css, err := os.ReadFile("pages/static/boards.css")
	require.NoError(t, err)
	drawn := map[string]bool{}
	var see func(list []domain.Shape)
	see = func(list []domain.Shape) {
		for _, s := range list {
			drawn[fmt.Sprintf("#%06x", uint32(s.Fill)>>8)], drawn[fmt.Sprintf("#%06x", uint32(s.Stroke)>>8)] = true,
				true
			see(s.Group)
		}
	}
	scene := func(s domain.Scene) {
		drawn[fmt.Sprintf("#%06x", uint32(s.Ground)>>8)] = true
		for _, sym := range s.Symbols {
			see(sym.Shapes)
		}
		see(s.Shapes)
	}
	for _, tile := range table.Tiles {
		scene(show.TileScene(tile.Letter, 0))
	}
	for _, name := range []string{"carcassonne", "catan"} {
		rb, _ := named(name)
		line := domain.NewLine(rb, domain.NewThrowaway(1))
		choices, err := domain.Complete(rb, nil)
		require.NoError(t, err)
		game := domain.Game{Choices: choices, Seats: 2}
		if name == "catan" { // with an offer on the table
			game.Seats, game.Given = 3, []byte(
				`{"phase":"main","players":[{"settlements":[8],"hand":{"ore":1}},{"settlements":[0]}],"offers":[{"by":"A","give":{"ore":1},"want":{"wool":1},"to":["B"],"number":1}]}`)
		}
		e, _, err := line.Setup(game)
		require.NoError(t, err)
		line.Apply(&e)
		for _, who := range []domain.Viewer{domain.Spectator, domain.ViewOf(0)} {
			for _, p := range rb.Draw(rb.View(line.State, who),
				domain.Sketch{Open: []domain.Spot{{Key: "3,3", Spot: "3,3", Name: "3,3"}}}) {
				scene(p.Scene)
			}
		}
	}
	twins := regexp.MustCompile(`=("#[0-9a-f]{6}")\]`).FindAllStringSubmatch(string(css), -1)
	require.Greater(t, len(twins), 60)
	for _, m := range twins {
		require.True(t, drawn[m[1][1:8]], "nothing is drawn in %s", m[1])
	}
}
