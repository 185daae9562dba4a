package carcassonne

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachTile runs a test for every kind of tile.
func eachTile(t *testing.T, test func(t *testing.T, id TileID, tile *Tile, lay *groundPlan)) {
	for i := range Tiles() {
		id := TileID(i)
		t.Run(id.String(), func(t *testing.T) { test(t, id, id.Tile(), planOf(id)) })
	}
}

func TestDrawnRoadsRiversAndCitiesPartTheFieldsAsTheTableSays(t *testing.T) {
	eachTile(t, func(t *testing.T, _ TileID, tile *Tile, lay *groundPlan) {
		// given the ground plan that the drawing follows, when each field is flooded from its half-edges
		for i, p := range tile.Parts {
			if p.Kind != Field {
				continue
			}
			// then it has all of them, and none that is another's
			for _, h := range p.At {
				require.Equal(t, int16(i+1), lay.at(halfEdgeAt(int(h))), "half-edge %s", halfNames[h])
			}
		}
		// and no open ground is left over that belongs to no field
		for y := range plotCells {
			for x := range plotCells {
				require.NotEqual(t, int16(openLabel), lay.label[y][x], "at %v", middleOf(x, y))
			}
		}
	})
}

func TestDrawnFieldsTouchTheCitiesThatTheTableSays(t *testing.T) {
	eachTile(t, func(t *testing.T, _ TileID, tile *Tile, lay *groundPlan) {
		drawn := map[[2]int]bool{}
		for y := range plotCells {
			for x := range plotCells {
				for _, d := range [...][2]int{{1, 0}, {0, 1}} {
					if x+d[0] >= plotCells || y+d[1] >= plotCells {
						continue
					}
					a, b := int(lay.label[y][x])-1, int(lay.label[y+d[1]][x+d[0]])-1
					if a >= 0 && b >= 0 {
						drawn[[2]int{a, b}], drawn[[2]int{b, a}] = true, true
					}
				}
			}
		}
		for i, p := range tile.Parts {
			if p.Kind != Field {
				continue
			}
			listed := map[int]bool{}
			for _, c := range p.Cities {
				listed[c] = true
			}
			for c, q := range tile.Parts {
				if q.Kind == City {
					require.Equal(t, listed[c], drawn[[2]int{i, c}], "field %d and city %d", i, c)
				}
			}
		}
	})
}

func TestEveryFieldIsLargeEnoughToBeSeen(t *testing.T) {
	eachTile(t, func(t *testing.T, _ TileID, tile *Tile, lay *groundPlan) {
		size := map[int16]int{}
		for y := range plotCells {
			for x := range plotCells {
				size[lay.label[y][x]]++
			}
		}
		for i, p := range tile.Parts {
			if p.Kind == Field {
				require.GreaterOrEqual(t, float64(size[int16(i+1)])*plotSide*plotSide, 400.0, "units of field %d", i)
			}
		}
	})
}

func TestSeparateCitiesNeverTouch(t *testing.T) {
	eachTile(t, func(t *testing.T, _ TileID, _ *Tile, lay *groundPlan) {
		for i, a := range lay.cities {
			for _, b := range lay.cities[:i] {
				gap := math.Inf(1)
				for _, p := range a.walls {
					gap = min(gap, nearestTo(b.walls, p))
				}
				require.Greater(t, gap-wallWide, 2.0, "ground between the walls")
			}
			// and a city that does not fill a corner stays clear of it, and so of the next tile's cities
			for _, q := range a.walls {
				for _, corner := range [...]point{{X: 50, Y: 50}, {X: 50, Y: -50}, {X: -50, Y: 50}, {X: -50, Y: -50}} {
					require.GreaterOrEqual(t, distance(q, corner), capInset-1e-9)
				}
			}
		}
	})
}

func TestFiguresStandOnWhatTheyClaim(t *testing.T) {
	eachTile(t, func(t *testing.T, id TileID, tile *Tile, lay *groundPlan) {
		for i, p := range tile.Parts {
			if p.Kind == River {
				continue
			}
			for quarters := range 4 {
				for _, at := range p.At {
					// given a part, named by any of its edges on the tile as it lies
					on := Place{Kind: p.Kind, At: (at + uint8(quarters)) % 4}
					if p.Kind == Field {
						on.At = (at + uint8(2*quarters)) % 8
					}
					// when a figure stands there
					got := quarterTurned(standsAt(id, quarters, on), 4-quarters)
					// then it stands on that part of the drawing, well inside the tile
					require.Equal(t, i, partOn(tile, quarters, on))
					require.Equal(t, int16(i+1), lay.at(got), "%s", on)
					require.Less(t, max(math.Abs(got.X), math.Abs(got.Y)), 46.0)
				}
			}
		}
	})
}

func TestATilesDrawingStaysOnTheTile(t *testing.T) {
	eachTile(t, func(t *testing.T, id TileID, _ *Tile, _ *groundPlan) {
		s := tileSymbol(id)
		require.Equal(t, "tile-"+id.String(), s.ID)
		for _, shape := range s.Shapes {
			for _, g := range shape.Path {
				if g.Op != 'Z' {
					require.LessOrEqual(t, max(math.Abs(g.To.X), math.Abs(g.To.Y)), halfTile+1e-9)
				}
			}
		}
		// and it is the same whenever it is drawn
		require.Equal(t, s, tileSymbol(id))
	})
}
