package http_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/table"
)

// A board is dark at night because its game says what each of its colours becomes: none that it no longer draws in.
func TestEveryColourWithADarkTwinIsOneOfADrawing(t *testing.T) {
	drawn := map[domain.Color]bool{}
	var see func(list []domain.Shape)
	see = func(list []domain.Shape) {
		for _, s := range list {
			drawn[s.Fill.Alpha(0xFF)], drawn[s.Stroke.Alpha(0xFF)] = true, true
			see(s.Group)
		}
	}
	scene := func(s domain.Scene) {
		drawn[s.Ground] = true
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
	for _, name := range []string{"carcassonne", "catan"} {
		rb, _ := named(name)
		list := rb.Extras().Nights
		require.Greater(t, len(list), 20)
		for _, n := range list {
			require.True(t, drawn[n.Day], "%s draws nothing in %08x", name, n.Day)
		}
	}
}

// A page loads the colours of the game it shows, and of no other: two games may draw in the same one.
func TestAPageLoadsTheColoursOfItsGameAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	nights := regexp.MustCompile(`/assets/[0-9a-f]+/nights-([a-z]+)\.css`)
	require.Empty(t, nights.FindAllString(ana.get("/").body, -1), "it has no board")
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		found := nights.FindAllStringSubmatch(ana.get("/t/"+h.table(game, ana, bo)).body, -1)
		require.Len(t, found, 1, game)
		require.Equal(t, game, found[0][1])
		style := ana.get(found[0][0])
		require.Contains(t, style.header.Get("Cache-Control"), "immutable")
		require.Contains(t, style.body, "prefers-color-scheme")
	}
}
