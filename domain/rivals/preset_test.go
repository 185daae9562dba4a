package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// A booster is proposed where it makes a region yield more, wherever that lies.
func TestABoosterIsProposedBesideItsRegion(t *testing.T) {
	for _, c := range []struct{ card, region, site string }{
		{"brick_factory", "hills", "0b"}, {"lumber_camp", "forest", "0a"},
	} {
		line, err := setUpGiven("intro", `{"phase":"act","active":"A","seats":[{"hand":["`+c.card+`"],"regions":[`+
			`"0a forest2 3","0b hills3 3","1a gold_field1 3","1b pasture4 3","2a fields6 3","2b mountains5 3"]},{}]}`)
		require.NoError(t, err)
		best, first := "", 0
		for m := range Rulebook.Legal(line.State, domain.Seat(0)) {
			steps := Rulebook.Steps(line.State, m)
			if steps[0].Key == "build-"+c.card && steps[1].Preset > first {
				best, first = steps[1].Key, steps[1].Preset
			}
		}
		require.Equal(t, c.site, best, c.card)
	}
}

// What is gained lies in its region before the press that plays it, and what is paid is seen to go.
func TestChosenGoodsLieWhereTheyWould(t *testing.T) {
	line, err := setUpGiven("intro", `{"phase":"act","active":"A","seats":[{"regions":["0a forest2 1","0b hills3 3",`+
		`"1a gold_field1 3","1b pasture4 3","2a fields6 3","2b mountains5 3"]},{}]}`)
	require.NoError(t, err)
	signs := func(chosen ...string) (n int) {
		var count func([]domain.Shape)
		count = func(all []domain.Shape) {
			for _, s := range all {
				if s.Use == "i-lumber" {
					n++
				}
				count(s.Group)
			}
		}
		count(Rulebook.Draw(Rulebook.View(line.State, domain.ViewOf(0)), domain.Sketch{Chosen: chosen})[0].Scene.Shapes)
		return n
	}
	shapes := func(chosen ...string) (n int) {
		for _, s := range Rulebook.Draw(Rulebook.View(line.State, domain.ViewOf(0)),
			domain.Sketch{Chosen: chosen})[0].Scene.Shapes {
			n += len(s.Group)
		}
		return n
	}
	require.Equal(t, signs()+1, signs("into-0a"))
	require.Equal(t, signs()+2, signs("into-0a", "2-into-0a"))
	require.Greater(t, shapes("pay-0a"), shapes())
	require.Equal(t, signs(), signs("pay-0b"))
}
