package carcassonne

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/script"
)

// told plays a script and tells its last move in English.
func told(t *testing.T, src string) []string {
	t.Helper()
	sc, err := script.Parse([]byte(src), func(string) (domain.Rulebook, bool) { return Rulebook, true })
	require.NoError(t, err)
	var last []domain.Say
	for r, err := range sc.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		require.NoError(t, r.Err)
		last = r.Told()
	}
	var lines []string
	for _, l := range last {
		lines = append(lines, inEnglish(t, l, sc.Names))
	}
	return lines
}

// inEnglish renders a sentence from the English catalogue.
func inEnglish(t *testing.T, s domain.Say, names []string) string {
	t.Helper()
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(Rulebook.Catalogue()["en"], &all))
	require.Contains(t, all, s.Key)
	var text string
	if json.Unmarshal(all[s.Key], &text) != nil {
		forms := map[string]string{}
		require.NoError(t, json.Unmarshal(all[s.Key], &forms))
		text = forms["other"]
		if s.Args["n"] == 1 {
			text = forms["one"]
		}
	}
	for name, a := range s.Args {
		text = strings.ReplaceAll(text, "{"+name+"}", argument(t, name, a, names))
	}
	return text
}

func argument(t *testing.T, name string, a any, names []string) string {
	t.Helper()
	switch a := a.(type) {
	case domain.Say:
		return inEnglish(t, a, names)
	case []domain.Say:
		var parts []string
		for _, s := range a {
			parts = append(parts, inEnglish(t, s, names))
		}
		return strings.Join(parts, ", ")
	case domain.Seat:
		return names[a]
	case string:
		if strings.HasSuffix(name, "_word") {
			return inEnglish(t, domain.S(a), names)
		}
	}
	return fmt.Sprint(a)
}

func TestScoresExplainThemselves(t *testing.T) {
	require.Equal(t, []string{
		"Ana places a tile 1 east of the first tile.",
		"The road of 4 tiles is finished: Ana and Bo score 4 each for the same number of thieves (Ana 1, Bo 1).",
		"Bo draws a tile with a city on one side.",
	}, told(t, `game carcassonne
seat Ana
seat Bo
given `+position(t, "W -1,0 0 | U 0,0 0 A road W | W 2,0 0 B road W")+`
chance U
chance E
Ana: 1,0 0`))
	require.Equal(t, []string{
		"Ana places a tile 1 east and 2 south of the first tile.",
		"The abbot is called back. Garden with 5 tiles around it: Ana scores 6.",
		"Bo draws a tile with a city on one side.",
	}, told(t, `game carcassonne
option abbot on
seat Ana
seat Bo
given `+position(t, "Eg 1,1 0 A* garden | E 1,0 180 | B 0,1 0 | B 2,1 0 | B 0,2 0")+`
chance E
chance E
Ana: 1,2 180 recall`))
}

func TestTheEndIsToldWithTheFinalScoring(t *testing.T) {
	require.Equal(t, []string{
		"Ana places a tile 3 east of the first tile, with a knight in its city (north).",
		"The game is over.",
		"Field beside 3 completed cities: Ana and Bo score 9 each for the same number of farmers (Ana 1, Bo 1).",
		"Field beside no completed city: no points (Bo).",
		"City of 1 tile: Ana scores 1.",
	}, told(t, `game carcassonne
seat Ana
seat Bo
given `+position(t, `E 0,0 0 A field Se | E 1,0 0 | E 2,0 0 B field Se | D 0,-1 180 | D 1,-1 180 | D 2,-1 180 | B 9,9 0 B field Nw with "remaining":{"E":1}`)+`
Ana: 3,0 0 city N`))
}

func TestASoloGameIsToldByColours(t *testing.T) {
	lines := told(t, `game carcassonne
option solo on
seat Ana
given `+position(t, `W -2,0 0 | U -1,0 0 A road E | U 2,2 0 A road E | B 2,3 0 B cloister with "scores":[4,5,9],"followers":[0,3,4]`)+`
chance W
Ana: 0,0 0`)
	require.Equal(t, "Blue (A) places a tile as the first one.", lines[0])
	require.Equal(t, "The road of 3 tiles is finished: Blue (A) scores 3.", lines[1])
	require.Equal(t, "Blue (A) must place a follower, but has none left.", lines[2])
	require.Equal(t, "The game is over.", lines[3])
	require.Equal(t, "1 follower on the board: Blue (A) scores 2.", lines[4])
	for _, l := range lines {
		require.False(t, strings.ContainsAny(l, "{}"), l)
	}
}

// When several people have figures in a feature, the one with the most is paid for that, and the text says who had
// how many.
func TestAMajorityIsTold(t *testing.T) {
	lines := told(t, `game carcassonne
seat Ana
seat Bo
given `+position(t, `E 0,0 0 A field Se | E 1,0 0 A field Se | E 2,0 0 B field Se | D 0,-1 180 | D 1,-1 180 | D 2,-1 180 with "remaining":{"E":1}`)+`
Ana: 3,0 0`)
	require.Contains(t, lines, "Field beside 3 completed cities: Ana scores 9 for the most farmers (Ana 2, Bo 1).")
}

// Every tile is described by what is on it, never by its letter.
func TestEveryTileIsToldByWhatIsOnIt(t *testing.T) {
	said := func(id table.TileID) string {
		says := show.Room{}.Tell(&domain.Event{Body: &state.Played{SetOff: []table.TileID{id}, Next: table.NoTile}},
			nil)
		return inEnglish(t, says[1], []string{"Ana", "Bo"})
	}
	for id := range table.Tiles {
		require.Regexp(t, `^A tile with (a|the|two) [a-z ,]+ fits nowhere and is set aside\.$`, said(table.TileID(id)))
	}
	for letter, has := range map[string]string{
		"A": "a cloister and a road", "C": "a city on all sides with a pennant", "H": "two separate cities",
		"K": "a city on one side and a bending road",
		"O": "a city corner with a pennant and a bending road", "X": "a crossroads",
		"RB": "a city on one side, a road and a straight river", "RL": "the lake",
	} {
		id, ok := table.TileNamed(letter)
		require.True(t, ok)
		require.Equal(t, "A tile with "+has+" fits nowhere and is set aside.", said(id))
	}
}
