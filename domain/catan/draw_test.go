package catan

import (
	"cmp"
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

// spelled is a text of the catalogue as its key.
func spelled(s domain.Say) string { return s.Key[strings.LastIndex(s.Key, ".")+1:] }

// The island in characters says of each hex what it yields and at which roll, and of each harbour what it takes and
// where it lies.
func TestTheBoardInCharacters(t *testing.T) {
	g := given(t, 3, `{"phase":"main","robber":4,"players":[{"settlements":[8],"roads":[13]},{"cities":[53],"roads":[71]}]}`)
	still := Rulebook.Draw(g.state().View(domain.Spectator), domain.Sketch{})[0]
	require.Equal(t, `
                     o            o grain      +
             any  /     \      /     \      /     \
               o            +            o            +
               |    ore     |   wool     |  lumber    |
               +   (10)     a    (2)     +    (9)     o
           /      \     /      A     /      \     /      \  ore
        o            +     ***    +            +            o
lumber  |   grain    |   brick    |   wool     |   brick    |
        o    (12)    +     (6)    +     (4)    +    (10)    +
     /     \      /     \      /     \      /     \      /     \
  +            +            +            +            +            o
  |   grain    |  lumber    |  desert    |  lumber    |    ore     | any
  +    (9)     +   (11)     +            +    (3)     +    (8)     o
     \     /      \     /      \     /      \     /      \     /
        o            +            +            +            +
 brick  |  lumber    |    ore     |   grain    |   wool     |
        o     (8)    +     (3)    +     (4)    +     (5)    o
           \      /     \      /     \      /     \      /  wool
               +            +            +            o
               |   brick    |   grain    |   wool     |
               o    (5)     +    (6)     o   (11)     +
             any  \     /      \     /      \     B
                     o            o any        B`, "\n"+still.Written(spelled))
	robber := []domain.Spot{{Spot: "h3", Name: "3"}}
	moved := Rulebook.Draw(g.state().View(domain.Spectator), domain.Sketch{Open: robber})[0]
	require.Contains(t, moved.Written(spelled), `
               o     0      +     1      o     2      +
               |    ore     |   wool     |  lumber    |
               +   (10)     a    (2)     +    (9)     o
           /      \     /      A     /      \     /      \  ore
        o      3     +     *4*    +`, "hexes have numbers where one is asked for")
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
	open = append(open, domain.Spot{Spot: "h2", Name: "2"})
	island := Rulebook.Draw(g.state().View(domain.Spectator), domain.Sketch{Open: open})[0]
	words := strings.Fields(island.Written(func(s domain.Say) string {
		if strings.HasPrefix(s.Key, "terrain") || strings.HasPrefix(s.Key, "hex") {
			return "pustyniaaa"
		}
		return "cereais"
	}))
	for _, token := range table.Isle.Tokens {
		names = append(names, "("+strconv.Itoa(int(token))+")")
	}
	for i := range table.Isle.HarbourPath { // one of another kind than printed may lie where there is less room
		names = append(names, cmp.Or(map[int]string{3: "ce…", 7: "cerea…", 8: "cerea…"}[i], "cereais"))
	}
	for h := range table.HexCount {
		number := strconv.Itoa(h)
		if h == int(g.state().Robber) {
			number = "*" + number + "*"
		}
		names = append(names, number, "pustynia…")
	}
	require.ElementsMatch(t, names, words)
}
