package carcassonne

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/carcassonne/table"
)

func TestTilesHoldTogether(t *testing.T) {
	require.Len(t, table.Tiles, table.TileKinds)
	copies, pennants, cloisters, gardens := map[bool]int{}, 0, map[bool]int{}, map[bool]int{}
	starts := map[table.Set]int{}
	for id := range table.Tiles {
		tile := &table.Tiles[id]
		t.Run(tile.Letter, func(t *testing.T) {
			land := tile.Set == table.Base
			copies[land] += tile.Copies
			starts[tile.Set] += tile.Copies
			if tile.Shrine == table.Cloister {
				cloisters[land] += tile.Copies
			}
			if tile.Shrine == table.Garden {
				gardens[land] += tile.Copies
			}
			edges, halves := [4]int{}, [8]int{}
			for _, p := range tile.Parts {
				require.NotEmpty(t, p.At)
				for _, at := range p.At {
					if p.Kind == table.Field {
						halves[at]++
						require.NotEqual(t, table.City, tile.Edges[at/2], "a city edge carries no field")
						continue
					}
					edges[at]++
					require.Equal(t, p.Kind, tile.Edges[at])
				}
				for _, c := range p.Cities {
					require.Equal(t, table.City, tile.Parts[c].Kind)
				}
				if p.Pennant {
					require.Equal(t, table.City, p.Kind)
					pennants += tile.Copies
				}
			}
			for e, kind := range tile.Edges {
				want := 1
				if kind == table.Field {
					want = 0
				}
				require.Equal(t, want, edges[e], "edge %s", table.EdgeNames[e])
				fields := 1
				if kind == table.City {
					fields = 0
				}
				require.Equal(t, fields, halves[2*e], "half-edge %s", table.HalfNames[2*e])
				require.Equal(t, fields, halves[2*e+1], "half-edge %s", table.HalfNames[2*e+1])
			}
			if plain, ok := table.TileNamed(tile.Letter[:len(tile.Letter)-1]); tile.Shrine == table.Garden && ok {
				require.Equal(t, table.Tiles[plain].Parts, tile.Parts, "a garden changes nothing else")
			}
		})
	}
	require.Equal(t, map[bool]int{true: 72, false: 12}, copies)
	require.Equal(t, 10, pennants)
	require.Equal(t, map[bool]int{true: 6, false: 1}, cloisters)
	require.Equal(t, map[bool]int{true: 8, false: 1}, gardens)
	require.Equal(t, map[table.Set]int{table.Base: 72, table.Spring: 1, table.Middle: 10, table.Lake: 1}, starts)
}

func TestTileTableRefusesNonsense(t *testing.T) {
	for _, line := range []string{
		"V base", "V sea 1 | road N", "V base x | road N", "V base 1 | ", "V base 1 | tower N",
		"V base 1 | road Q", "V base 1 | field Nw / 0", "V base 1 | city N | field Es / x",
	} {
		_, err := table.ReadTiles(line)
		require.Error(t, err, line)
	}
}

func TestWhereNoTileIsNamedThereIsNone(t *testing.T) {
	for _, text := range []string{`null`, `""`} {
		id := table.TileID(0)
		require.NoError(t, json.Unmarshal([]byte(text), &id))
		require.Equal(t, table.NoTile, id, text)
	}
}
