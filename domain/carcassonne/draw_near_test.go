package carcassonne

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// A board 390 pixels wide shows 232 units: rings that are 26.2 units apart are 44 pixels apart.
func TestEveryFigureForATileHasARingForAFinger(t *testing.T) {
	for i := range table.Tiles {
		id := table.TileID(i)
		for quarters := range 4 {
			// given a tile being tried, and everything on it that may be claimed
			v := &state.View{Tile: id, Tiles: []state.ViewTile{{Tile: tileID(t, "D")}}}
			sketch := domain.Sketch{Chosen: []string{"0,-1", fmt.Sprint(90 * quarters)}}
			for _, p := range id.Tile().Parts {
				if p.Kind == table.River {
					continue
				}
				on := table.Place{Kind: p.Kind, At: (p.At[0] + uint8(quarters)) % 4}
				if p.Kind == table.Field {
					on.At = (p.At[0] + uint8(2*quarters)) % 8
				}
				text, err := on.MarshalText()
				require.NoError(t, err)
				sketch.Open = append(sketch.Open, domain.Spot{Key: string(text), Spot: string(text), Name: "a"})
			}
			switch id.Tile().Shrine {
			case table.Cloister:
				sketch.Open = append(sketch.Open, domain.Spot{Key: "cloister", Spot: "cloister", Name: "b"},
					domain.Spot{Key: "abbot.cloister", Spot: "abbot.cloister", Name: "c"})
			case table.Garden:
				sketch.Open = append(sketch.Open, domain.Spot{Key: "abbot.garden", Spot: "abbot.garden", Name: "b"})
			}
			// when it is drawn
			s := show.MapScene(v, sketch)
			requireSound(t, s)
			// then each has its own ring on the tile, far enough from the others
			rings := withClass(s, "claim")
			require.Len(t, rings, len(sketch.Open), "%s turned by %d", id, quarters)
			for i, r := range rings {
				require.Less(t, max(math.Abs(r.At.X), math.Abs(r.At.Y+100)), 50.0)
				require.Greater(t, show.Distance(r.At, domain.Point{X: 65, Y: -165}), 26.2,
					"%s turned by %d: the arrow lies over %s", id, quarters, r.Spot)
				require.True(t, r.Group[0].Hidden, "what is pressed reaches no other ring's middle")
				for _, o := range rings[:i] {
					require.Greater(t, show.Distance(r.At, o.At), 26.2, "%s turned by %d: %s and %s", id, quarters,
						r.Spot, o.Spot)
				}
			}
		}
	}
}

func TestAFigureChosenLeavesTheOthersToChooseFrom(t *testing.T) {
	v := drawnView(t)
	open := []domain.Spot{{Key: "city.S", Spot: "city.S", Name: "b"}, {Key: "field.Nw", Spot: "field.Nw", Name: "c"}}
	places := map[string]domain.Point{}
	for _, r := range withClass(show.MapScene(v, domain.Sketch{Chosen: []string{"0,-2", "180"}, Open: open}), "claim") {
		places[r.Spot] = r.At
	}
	// when one has been chosen, and the tile can be turned or laid elsewhere
	s := show.MapScene(v, domain.Sketch{Chosen: []string{"0,-2", "180", "city.S"}, Other: []domain.Spot{
		{Key: "1,-1", Spot: "1,-1", Name: "1,-1"}, {Key: "5,5", Spot: "5,5", Name: "5,5"},
		{Key: "270", Spot: "turn", Name: "b"}, open[1],
	}})
	requireSound(t, s)
	// then the figure stands where its ring was, the other ring has not moved, an arrow turns the tile, and what lies
	// near can still be chosen
	spots := map[string]domain.Point{}
	for _, x := range drawnShapes(s.Shapes) {
		if x.Spot != "" {
			spots[x.Spot] = x.At
		}
	}
	require.Len(t, spots, 3, "what is out of sight is no choice")
	require.Contains(t, spots, "1,-1")
	require.Contains(t, spots, "turn")
	require.Equal(t, places["field.Nw"], spots["field.Nw"])
	require.Equal(t, places["city.S"], usesOf(s, "figure-B")[0].At)
}
