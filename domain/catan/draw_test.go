package catan

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// spots lists the spots of a scene and whether each is marked as open.
func spots(shapes []domain.Shape) map[string]bool {
	found := map[string]bool{}
	for i := range shapes {
		if s := &shapes[i]; s.Spot != "" {
			found[s.Spot] = found[s.Spot] || s.Class == "open"
		}
	}
	return found
}

func TestThePictureNumbersThePlacesWhereOneMayAct(t *testing.T) {
	g := given(t, 3, plain3)
	v := g.state().View(0)
	require.Empty(t, spots(Rulebook.Draw(v, domain.Sketch{})[0].Scene.Shapes))
	open := []domain.Spot{{Key: "c13", Spot: "c13", Name: "1"}, {Key: "p20", Spot: "p20", Name: "2"},
		{Key: "h9", Spot: "h9", Name: "3"}, {Key: "x", Spot: "nowhere"}}
	require.Equal(t, map[string]bool{"c13": true, "p20": true, "h9": true},
		spots(Rulebook.Draw(v, domain.Sketch{Open: open})[0].Scene.Shapes))
}

func TestThePictureShowsWhatIsTriedAndWhatCameLast(t *testing.T) {
	g := given(t, 2, two)
	g.chance("dice", "1 2").play("Ana: roll")
	classes := func(sketch domain.Sketch) (n map[string]int) {
		n = map[string]int{}
		for _, s := range Rulebook.Draw(g.state().View(0), sketch)[0].Scene.Shapes {
			n[s.Class]++
		}
		return n
	}
	last := g.last
	require.Equal(t, 2, classes(domain.Sketch{Last: []*domain.Event{&last}})["last"], "the two hexes that paid")
	require.Equal(t, 2, classes(domain.Sketch{Chosen: []string{"settle", "c13", "Mp30"}})["ghost"])
	require.Zero(t, classes(domain.Sketch{})["ghost"])
}

func TestOnlyTheViewersHandIsDrawn(t *testing.T) {
	g := given(t, 3, plain3)
	shown := func(v domain.Viewer) (names []string) {
		for _, p := range Rulebook.Draw(g.state().View(v), domain.Sketch{}) {
			names = append(names, p.Name)
		}
		return names
	}
	require.Equal(t, []string{"island", "hand", "costs"}, shown(0))
	require.Equal(t, []string{"island", "costs"}, shown(domain.Spectator))
	require.Equal(t, []string{"island", "costs"}, shown(domain.Referee))
}

func TestTheBoardInCharacters(t *testing.T) {
	g := given(t, 3, `{"phase":"main","robber":4,"players":[{"settlements":[8],"roads":[13]},{"cities":[53],"roads":[71]}]}`)
	require.Equal(t, `                      +             +             +
                  /      \      /      \      /      \
               +      0      +      1      +      2      +
               |     ore     |    wool     |   lumber    |
               +     10      a      2      +      9      +
           /      \      /      A      /      \      /      \
        +      3      +     *4*     +      5      +      6      +
        |    grain    |    brick    |    wool     |    brick    |
        +     12      +      6      +      4      +     10      +
    /      \      /      \      /      \      /      \      /      \
 +      7      +      8      +      9      +     10      +     11      +
 |    grain    |   lumber    |   desert    |   lumber    |     ore     |
 +      9      +     11      +             +      3      +      8      +
    \      /      \      /      \      /      \      /      \      /
        +     12      +     13      +     14      +     15      +
        |   lumber    |     ore     |    grain    |    wool     |
        +      8      +      3      +      4      +      5      +
           \      /      \      /      \      /      \      /
               +     16      +     17      +     18      +
               |    brick    |    grain    |    wool     |
               +      5      +      6      +     11      +
                  \      /      \      /      \      B
                      +             +             B`, Rulebook.Draw(g.state().View(domain.Spectator), domain.Sketch{})[0].Text)
}

// If every path and intersection may be chosen, each name appears in full and touches neither the next name nor a hex's
// word, however long that is in any language.
func TestNoNameInTheBoardInCharactersTouchesAnother(t *testing.T) {
	g := given(t, 3, `{"phase":"main"}`)
	var open []domain.Spot
	var names []string
	for p := range table.PathCount {
		names = append(names, strconv.Itoa(p))
		open = append(open, domain.Spot{Spot: "p" + names[p], Name: names[p]})
	}
	for c := range table.CornerCount {
		names = append(names, strconv.Itoa(c))
		open = append(open, domain.Spot{Spot: "c" + strconv.Itoa(c), Name: strconv.Itoa(c)})
	}
	island := Rulebook.Draw(g.state().View(domain.Spectator), domain.Sketch{Open: open})[0]
	words := strings.Fields(island.Written(func(domain.Say) string { return "pustyniaaa" }))
	for _, token := range table.Isle.Tokens {
		names = append(names, strconv.Itoa(int(token)))
	}
	for h := range table.HexCount {
		number := strconv.Itoa(h)
		if h == int(g.state().Robber) {
			number = "*" + number + "*"
		}
		names = append(names, number, "pustyniaaa")
	}
	require.ElementsMatch(t, names, words)
}
