package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTilesHoldTogether(t *testing.T) {
	require.Len(t, Tiles(), tileKinds)
	copies, pennants, cloisters, gardens := map[bool]int{}, 0, map[bool]int{}, map[bool]int{}
	starts := map[Set]int{}
	for id := range Tiles() {
		tile := &Tiles()[id]
		t.Run(tile.Letter, func(t *testing.T) {
			land := tile.Set == Base
			copies[land] += tile.Copies
			starts[tile.Set] += tile.Copies
			if tile.Cloister {
				cloisters[land] += tile.Copies
			}
			if tile.Garden {
				gardens[land] += tile.Copies
			}
			edges, halves := [4]int{}, [8]int{}
			for _, p := range tile.Parts {
				require.NotEmpty(t, p.At)
				for _, at := range p.At {
					if p.Kind == Field {
						halves[at]++
						require.NotEqual(t, City, tile.Edges[at/2], "a city edge carries no field")
						continue
					}
					edges[at]++
					require.Equal(t, p.Kind, tile.Edges[at])
				}
				for _, c := range p.Cities {
					require.Equal(t, City, tile.Parts[c].Kind)
				}
				if p.Pennant {
					require.Equal(t, City, p.Kind)
					pennants += tile.Copies
				}
			}
			for e, kind := range tile.Edges {
				want := 1
				if kind == Field {
					want = 0
				}
				require.Equal(t, want, edges[e], "edge %s", edgeNames[e])
				fields := 1
				if kind == City {
					fields = 0
				}
				require.Equal(t, fields, halves[2*e], "half-edge %s", halfNames[2*e])
				require.Equal(t, fields, halves[2*e+1], "half-edge %s", halfNames[2*e+1])
			}
			if plain, ok := TileNamed(tile.Letter[:len(tile.Letter)-1]); tile.Garden && ok {
				require.Equal(t, Tiles()[plain].Parts, tile.Parts, "a garden changes nothing else")
			}
		})
	}
	require.Equal(t, map[bool]int{true: 72, false: 12}, copies)
	require.Equal(t, 10, pennants)
	require.Equal(t, map[bool]int{true: 6, false: 1}, cloisters)
	require.Equal(t, map[bool]int{true: 8, false: 1}, gardens)
	require.Equal(t, map[Set]int{Base: 72, Spring: 1, Middle: 10, Lake: 1}, starts)
}

func TestTileTableRefusesNonsense(t *testing.T) {
	for _, line := range []string{
		"V base", "V sea 1 | road N", "V base x | road N", "V base 1 | ", "V base 1 | tower N",
		"V base 1 | road Q", "V base 1 | field Nw / 0", "V base 1 | city N | field Es / x",
	} {
		_, err := readTiles(line)
		require.Error(t, err, line)
	}
}
