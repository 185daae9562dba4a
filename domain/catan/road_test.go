package catan

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func Test44OnesOwnBuildingsDoNotMatter(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[13,24],"roads":[13,20,28,36,44]}]}`)
	g.then("A", g.longest()).then("5", g.state().Length[0])
}

func Test46FiveTakeTheCardAndOnlyMoreTakeItOver(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"roads":[0,1,2,3],"settlements":[0],"hand":{"brick":4,"lumber":4}},
		{"roads":[41,50,55,54,49]}]}`, "points", "15")
	g.then("B", g.longest())
	g.play("Ana: road 4").then("5", g.state().Length[0]).then("B", g.longest())
	g.play("Ana: road 5").then("A", g.longest()).then("3", g.points("Ana")).then("0", g.points("Bo"))
	g = given(t, 3, `{"phase":"main","players":[{"roads":[0,1,2],"settlements":[0],"hand":{"brick":2,"lumber":2}}]}`)
	g.play("Ana: road 3").then("", g.longest())
	g.play("Ana: road 4").then("A", g.longest())
}

// cutter has Ana with a road end at intersection 24, in the middle of Bo's road of six; Cy and Di have their own roads
// elsewhere.
func cutter(t *testing.T, bo, cy, di string) *game {
	return given(t, 4, `{"phase":"main","longest":"B","players":[{"roads":[36],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}},
		{"roads":[`+bo+`]},{"roads":[`+cy+`]},{"roads":[`+di+`]}]}`)
}

func Test47AfterACut(t *testing.T) {
	const (
		six      = "26,27,28,29,30,37"         // 17-23-18-24-19-25-31
		nine     = "9,16,21,29,28,27,26,25,24" // 6-10-14-19-24-18-23-17-22-16: five remain
		five1    = "41,50,55,54,49"
		five2    = "56,63,67,66,62"
		four     = "41,50,55,54"
		cutPlace = "Ana: settle 24"
	)
	for name, c := range map[string]struct{ bo, cy, di, holder string }{
		"the holder still has the longest":          {nine, four, "", "B"},
		"the holder is tied for the longest: keeps": {nine, five1, "", "B"},
		"exactly one other is longest: takes":       {six, five1, "62,66", "C"},
		"several others are tied: set aside":        {six, five1, five2, ""},
		"nobody has five: set aside":                {six, four, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := cutter(t, c.bo, c.cy, c.di)
			g.then("B", g.longest())
			g.play(cutPlace).then(c.holder, g.longest())
			g.then("1", g.points("Ana"))
		})
	}
}

func Test47SetAsideUntilOneAloneIsLongestAgain(t *testing.T) {
	g := cutter(t, "26,27,28,29,30,37", "41,50,55,54,49", "56,63,67,66,62")
	g.play("Ana: settle 24").then("", g.longest())
	g.state().Hand[2], g.state().Size[2] = table.Hand{table.Brick: 1, table.Lumber: 1}, 2
	g.chance("dice", "1 1", "1 1")
	g.play("Ana: end", "Bo: roll", "Bo: end", "Cy: roll", "Cy: road 40").then("C", g.longest())
}

func Test48AThirdSeatMayGainTheCardInSomebodyElsesTurn(t *testing.T) {
	g := cutter(t, "26,27,28,29,30,37", "41,50,55,54,49", "")
	g.play("Ana: settle 24").then("C", g.longest()).then("2", g.points("Cy")).then("Ana turn", g.awaits())
}

func Test49LengthsAreRecountedWithRoadsAndSettlements(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for seats := 2; seats <= 4; seats++ {
		playOut(t, seats, uint64(seats), rng, func(s *state.State) {
			require.Equal(t, rules.AllLengths(s), s.Length)
			if s.Longest != state.NoColour {
				require.GreaterOrEqual(t, s.Length[s.Longest], int8(5))
				for _, n := range s.Length {
					require.LessOrEqual(t, n, s.Length[s.Longest])
				}
			}
		})
	}
}
