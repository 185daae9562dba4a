package catan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
)

// hemmedIn is a position from which a random game of two went on forever: the deck is used up, all knights are
// discarded, the neutrals have the longest road, and every place within reach is taken.
const hemmedIn = `{"phase":"main","deck":0,"longest":"N","army":"",
	"players":[
		{"roads":[9,15,16,17,22,31,32,37,38,45,46,47,48,52,53],"cities":[10,26,31],"cards":{"point":2},"spent":{"knight":5,"plenty":1}},
		{"roads":[58,59,60,61,64,65,68,69,70,71],"cities":[46,48,53],"cards":{"point":3,"roads":1},"spent":{"knight":9,"roads":1,"plenty":1,"monopoly":2}}],
	"neutrals":[{"roads":[0,1,2,3,6,7,11,12,13,14,19,20,24,25,27],"settlements":[0,13,16]},{"roads":[28,29,36,42,43,44,50,51,54,56,57,62,63,66,67],"settlements":[24,34,40]}]}`

func TestAStandstillEndsTheGameInTheOrderOfPoints(t *testing.T) {
	g := given(t, 2, hemmedIn)
	require.Equal(t, []int{8, 9}, []int{g.points("Ana"), g.points("Bo")})
	g.chance("dice", "1 1", "1 2")
	g.play("Ana: end").then("Bo turn", g.awaits()) // he still has a turn, to win with what he hides
	g.play("Bo: roll", "Bo: roll", "Bo: end").then("", g.awaits()).then("over", g.phase())
	st := g.line.Rulebook.Standing(g.line.State, domain.Spectator)
	require.True(t, st.Ended)
	require.Equal(t, []int{8, 9}, st.Scores)
	require.Equal(t, []int{2, 1}, st.Ranks)
	require.Equal(t, "result.standstill", st.Result[0].Key)
	require.Contains(t, Rulebook.Tell(&g.last, Rulebook.View(g.line.State, 0)), domain.S("tell.standstill"))
	require.Equal(t, "result.standstill", Rulebook.Describe(g.state().View(domain.Spectator)).Lines[0].Key)
}

// A random game of two for fifteen points went on for more than 400,000 moves: a seat that was far behind could still
// build cities, but did not.
func TestWhoIsBehindCannotPutOffTheEndByNotBuilding(t *testing.T) {
	behind := strings.NewReplacer(`"cities":[10,26,31],"cards":{"point":2}`,
		`"cities":[10],"settlements":[26,31],"cards":{}`,
		`"cards":{"point":3,"roads":1},"spent":{"knight":9,`, `"cards":{"point":3},"spent":{"knight":9,"point":2,`).
		Replace(hemmedIn)
	s := given(t, 2, behind, "points", "15").state()
	require.Equal(t, []int{4, 6, 6, 9}, []int{rules.Least(s, 0), rules.Most(s, 0), rules.Least(s, 1), rules.Most(s, 1)})
	require.False(t, rules.StandsStill(s), "six and six would be shared")
	far := strings.NewReplacer(`"settlements":[26,31]`, `"settlements":[26]`, `"settlements":[0,13,16]`,
		`"settlements":[0,13,16,31]`).Replace(behind)
	require.True(t, rules.StandsStill(given(t, 2, far, "points", "15").state()))
	require.False(t, rules.StandsStill(given(t, 2, far, "points", "9").state()),
		"three hidden cards may be the points that win")
	g := given(t, 2, far, "points", "15")
	g.chance("dice", "1 1", "1 2")
	g.play("Ana: end", "Bo: roll", "Bo: roll", "Bo: end").then("over", g.phase())
}

func TestItIsNoStandstillWhileSomebodysPointsMayRise(t *testing.T) {
	require.True(t, rules.StandsStill(given(t, 2, hemmedIn, "points", "15").state()))
	for name, change := range map[string][]string{
		"a card is in the deck": {`"deck":0,`, ``, `"monopoly":2`, `"monopoly":1`},
		"a knight is in a hand": {`"cards":{"point":2},"spent":{"knight":5`,
			`"cards":{"point":2,"knight":1},"spent":{"knight":4`},
		"the army may pass":                {`"spent":{"knight":5`, `"knights":3,"spent":{"knight":2`},
		"there is a settlement for a city": {`"cities":[46,48,53]`, `"cities":[46,48],"settlements":[53]`},
		"there is a place for a road": {`"roads":[58,59,60,61,64,65,68,69,70,71]`,
			`"roads":[58,59,60,61,64,65,68,69,70]`},
		"there is a place for a settlement":  {`"settlements":[24,34,40]`, `"settlements":[34,40]`},
		"there is a road and a piece for it": {`"roads":[9,15,16,17,22,`, `"roads":[9,15,16,17,`},
	} {
		t.Run(name, func(t *testing.T) {
			position := strings.NewReplacer(change...).Replace(hemmedIn)
			require.NotEqual(t, hemmedIn, position)
			require.False(t, rules.StandsStill(given(t, 2, position, "points", "15").state()))
		})
	}
}
