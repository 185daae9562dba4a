package carcassonne

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/table"
)

// eachTile runs a test for every kind of tile.
func eachTile(t *testing.T, test func(t *testing.T, id table.TileID, tile *table.Tile, lay *show.GroundPlan)) {
	for i := range table.Tiles {
		id := table.TileID(i)
		t.Run(id.String(), func(t *testing.T) { test(t, id, id.Tile(), show.PlanOf(id)) })
	}
}

func TestDrawnFeaturesPartTheFieldsAsTheTableSays(t *testing.T) {
	eachTile(t, func(t *testing.T, _ table.TileID, tile *table.Tile, lay *show.GroundPlan) {
		// given the ground plan that the drawing follows, when each field is flooded from its half-edges
		for i, p := range tile.Parts {
			if p.Kind != table.Field {
				continue
			}
			// then it covers all of its own, and none of another's
			for _, h := range p.At {
				require.Equal(t, int16(i+1), lay.At(show.HalfEdgeAt(int(h))), "half-edge %s", table.HalfNames[h])
			}
		}
		// and no open ground remains that belongs to no field
		for y := range show.PlotCells {
			for x := range show.PlotCells {
				require.NotEqual(t, int16(show.OpenLabel), lay.Label[y][x], "at %v", show.MiddleOf(x, y))
			}
		}
	})
}

func TestDrawnFieldsTouchTheCitiesThatTheTableSays(t *testing.T) {
	eachTile(t, func(t *testing.T, _ table.TileID, tile *table.Tile, lay *show.GroundPlan) {
		drawn := map[[2]int]bool{}
		for y := range show.PlotCells {
			for x := range show.PlotCells {
				for _, d := range [...][2]int{{1, 0}, {0, 1}} {
					if x+d[0] >= show.PlotCells || y+d[1] >= show.PlotCells {
						continue
					}
					a, b := int(lay.Label[y][x])-1, int(lay.Label[y+d[1]][x+d[0]])-1
					if a >= 0 && b >= 0 {
						drawn[[2]int{a, b}], drawn[[2]int{b, a}] = true, true
					}
				}
			}
		}
		for i, p := range tile.Parts {
			if p.Kind != table.Field {
				continue
			}
			listed := map[int]bool{}
			for _, c := range p.Cities {
				listed[c] = true
			}
			for c, q := range tile.Parts {
				if q.Kind == table.City {
					require.Equal(t, listed[c], drawn[[2]int{i, c}], "field %d and city %d", i, c)
				}
			}
		}
	})
}

func TestEveryFieldIsLargeEnoughToBeSeen(t *testing.T) {
	eachTile(t, func(t *testing.T, _ table.TileID, tile *table.Tile, lay *show.GroundPlan) {
		size := map[int16]int{}
		for y := range show.PlotCells {
			for x := range show.PlotCells {
				size[lay.Label[y][x]]++
			}
		}
		for i, p := range tile.Parts {
			if p.Kind == table.Field {
				require.GreaterOrEqual(t, float64(size[int16(i+1)])*show.PlotSide*show.PlotSide, 400.0,
					"units of field %d", i)
			}
		}
	})
}

func TestSeparateCitiesNeverTouch(t *testing.T) {
	eachTile(t, func(t *testing.T, _ table.TileID, _ *table.Tile, lay *show.GroundPlan) {
		for i, a := range lay.Cities {
			for _, b := range lay.Cities[:i] {
				gap := math.Inf(1)
				for _, p := range a.Walls {
					gap = min(gap, show.NearestTo(b.Walls, p))
				}
				require.Greater(t, gap-show.WallWide, 2.0, "ground between the walls")
			}
			// and a city that does not fill a corner stays clear of it, and so of the next tile's cities
			for _, q := range a.Walls {
				for _, corner := range [...]show.Point{{X: 50, Y: 50}, {X: 50, Y: -50}, {X: -50, Y: 50},
					{X: -50, Y: -50}} {
					require.GreaterOrEqual(t, show.Distance(q, corner), show.CapInset-1e-9)
				}
			}
		}
	})
}

func TestFiguresStandOnWhatTheyClaim(t *testing.T) {
	eachTile(t, func(t *testing.T, id table.TileID, tile *table.Tile, lay *show.GroundPlan) {
		for i, p := range tile.Parts {
			if p.Kind == table.River {
				continue
			}
			for quarters := range 4 {
				for _, at := range p.At {
					// given a part, named by any of its edges on the tile as it lies
					on := table.Place{Kind: p.Kind, At: (at + uint8(quarters)) % 4}
					if p.Kind == table.Field {
						on.At = (at + uint8(2*quarters)) % 8
					}
					// when a figure stands there
					got := show.QuarterTurned(show.StandsAt(id, quarters, on), 4-quarters)
					// then it stands on that part of the drawing, well inside the tile
					require.Equal(t, int8(i), table.Shapes[id].Part(&table.Shapes[id].Turned[quarters], on))
					require.Equal(t, int16(i+1), lay.At(got), "%s", on)
					require.Less(t, max(math.Abs(got.X), math.Abs(got.Y)), 46.0)
				}
			}
		}
	})
}

func TestATilesDrawingStaysOnTheTile(t *testing.T) {
	eachTile(t, func(t *testing.T, id table.TileID, _ *table.Tile, _ *show.GroundPlan) {
		s := show.TileSymbol(id)
		require.Equal(t, "tile-"+id.String(), s.ID)
		for _, shape := range s.Shapes {
			for _, g := range shape.Path {
				if g.Op != 'Z' {
					require.LessOrEqual(t, max(math.Abs(g.To.X), math.Abs(g.To.Y)), show.HalfTile+1e-9)
				}
			}
		}
		// and it is the same each time it is drawn
		require.Equal(t, s, show.TileSymbol(id))
	})
}
