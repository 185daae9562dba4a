package catan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func Test11TheBeginnersPositions(t *testing.T) {
	for seats := 3; seats <= 4; seats++ {
		g := given(t, seats, "", "founding", "beginner")
		s := g.state()
		for c := range s.Seats {
			require.Equal(t, 2, table.BitCount(s.Settlements[c]))
			require.Equal(t, 2, s.Roads[c].Len())
		}
		g.then("1 brick 1 lumber 1 ore", g.hand("Ana")) // the rulebook's example
		g.then("1 lumber 1 wool 1 ore", g.hand("Bo"))
		g.then("2 grain 1 ore", g.hand("Cy"))
		g.then("Ana turn", g.awaits())
		conserved(t, s)
		// Every position touches all five resources.
		for c := range s.Seats {
			kinds := map[table.Terrain]bool{}
			for h := range table.HexCount {
				if table.Isle.HexCorners[h]&s.Settlements[c] != 0 {
					kinds[s.Board.Terrain[h]] = true
				}
			}
			delete(kinds, table.Desert)
			require.Len(t, kinds, 5)
		}
	}
	g := given(t, 4, "", "founding", "beginner")
	g.then("2 lumber 1 grain", g.hand("Di"))
}

func Test12TheRobberStartsInTheDesert(t *testing.T) {
	for seed := range uint64(5) {
		g := &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(seed))}
		e, _, err := g.line.Setup(domain.Game{Choices: choices(t), Seats: 4})
		require.NoError(t, err)
		g.line.Apply(&e)
		require.Equal(t, table.Desert, g.state().Board.Terrain[g.state().Robber])
	}
}

func TestADictatedBoard(t *testing.T) {
	const words = "desert wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 ore10 lumber3 ore8 lumber8 " +
		"ore3 grain4 wool5 brick5 grain6 wool11"
	for name, c := range map[string]struct {
		words string
		fault string
	}{
		"hexes alone":      {words, ""},
		"with harbours":    {words + " harbours any any any any brick lumber wool grain ore", ""},
		"terrain by name":  {strings.Replace(words, "wool2", "pasture2", 1), ""},
		"a hex missing":    {strings.TrimPrefix(words, "desert "), "19 hexes"},
		"two deserts":      {strings.Replace(words, "wool2", "desert", 1), "of the box"},
		"no such hex":      {strings.Replace(words, "wool2", "gold2", 1), "gold2"},
		"a seven":          {strings.Replace(words, "wool2", "wool7", 1), "wool7"},
		"eight harbours":   {words + " harbours any any any any brick lumber wool grain", "9 harbours"},
		"the same harbour": {words + " harbours any any any any brick lumber wool grain grain", "of the box"},
	} {
		t.Run(name, func(t *testing.T) {
			src := domain.NewThrowaway(1)
			src.Dictate("board", domain.Outcome{Words: c.words})
			line := domain.NewLine(Rulebook, src)
			e, _, err := line.Setup(domain.Game{Choices: choices(t), Seats: 3})
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			line.Apply(&e)
			require.Equal(t, int8(0), line.State.(*state.State).Lay.Desert)
			require.Equal(t, int8(0), line.State.(*state.State).Robber)
		})
	}
}
