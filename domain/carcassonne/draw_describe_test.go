package carcassonne

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/languages"
)

// requireDescribed checks what holds for every description: its sentences are in every catalogue, and its board fits
// a mail.
func requireDescribed(t testing.TB, v domain.View) {
	t.Helper()
	d, panel := Rulebook.Describe(v), Rulebook.Draw(v, domain.Sketch{})[0]
	requireKnown(t, d.Alt)
	require.NotEmpty(t, d.Lines)
	for _, l := range d.Lines {
		requireKnown(t, l)
	}
	for _, l := range panel.Lines {
		requireKnown(t, l)
	}
	require.NotEmpty(t, panel.Text)
	for _, line := range strings.Split(panel.Text, "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(line), show.TextWide, line)
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
}

// requireKnown walks a sentence: all four languages must have the board keys in it.
func requireKnown(t testing.TB, s domain.Say) {
	t.Helper()
	if strings.HasPrefix(s.Key, "board.") {
		for lang, words := range catalogueKeys(t) {
			require.Contains(t, words, s.Key, lang)
		}
	}
	for _, a := range s.Args {
		switch a := a.(type) {
		case domain.Say:
			requireKnown(t, a)
		case []domain.Say:
			for _, x := range a {
				requireKnown(t, x)
			}
		}
	}
}

var keysOfCatalogue map[string]map[string]any

func catalogueKeys(t testing.TB) map[string]map[string]any {
	t.Helper()
	if keysOfCatalogue == nil {
		keysOfCatalogue = map[string]map[string]any{}
		for _, lang := range languages.Complete() {
			var m map[string]any
			require.NoError(t, json.Unmarshal(Rulebook.Catalogue()[lang], &m), lang)
			keysOfCatalogue[lang] = m
		}
	}
	return keysOfCatalogue
}

func TestDrawWritesTheMapAndTheTileInCharacters(t *testing.T) {
	// given the small map, drawn with the places where E fits
	var open []domain.Spot
	for _, at := range []string{"0,-2", "-1,-1", "1,-1", "2,0", "1,1", "0,2"} {
		open = append(open, domain.Spot{Key: at, Spot: at})
	}
	panels := Rulebook.Draw(drawnView(t), domain.Sketch{Open: open})
	require.Equal(t, strings.Trim(`
     -1    0    1    2
 -2       [ ]
         .....
 -1  [ ] ..A## [ ]
         .#%##
         .###..b...
  0      ────────── [ ]
         ..........
         .....
  1      ──+B. [ ]
         .....
  2       [ ]
`, "\n"), panels[0].Text)
	require.Equal(t, ".###.\n.....\n.....", panels[1].Text, "as it is held")
	require.NotEmpty(t, panels[1].Lines)
	require.Equal(t, domain.PanelBeside, panels[1].Weight)
}

func TestLettersNameTheOpenPlacesAndShowTheTileTried(t *testing.T) {
	v := drawnView(t)
	got := show.LettersOf(v, domain.Sketch{
		Open: []domain.Spot{{Key: "0,-2", Name: "0,-2"}, {Key: "-1,-1", Name: "-1,-1"},
			{Key: "1,-10", Name: "-11,-10"}}}).Text
	require.Regexp(t, `(?m)^ +-2 +0,-2$`, got, "a name stands on one line")
	require.Regexp(t, `(?m)^ +-1 +-1,-1 .*[#.]`, got, "and touches nothing beside it")
	require.Regexp(t, `(?m)^ -10 .* -11,-10$`, got)
	// when the tile is tried with a follower, then it lies there, and no longer beside the map
	panels := Rulebook.Draw(v, domain.Sketch{Chosen: []string{"0,-2", "180", "city.S"}})
	require.Len(t, panels, 1)
	require.Contains(t, panels[0].Text, ".#B#.")
	require.NotContains(t, panels[0].Text, "[")
}

// Where names of places need more columns than a tile, each tile is drawn out: what leads to a side still leads there,
// whoever stands on it.
func TestLettersDrawATileOutToItsSides(t *testing.T) {
	const name, margin, wide, left = "-10,-10", 4, 9, 2
	for i := range table.Tiles {
		for q := range 4 {
			tile := state.ViewTile{Tile: table.TileID(i), Turn: 90 * q}
			bare := show.GlyphOf(&tile)
			for _, on := range append(placesOf(tile.Tile.Tile(), q), table.Place{}) {
				if tile.Figures = nil; on.Kind != table.NoKind {
					tile.Figures = []state.Stands{{On: on}}
				}
				v := drawnView(t)
				v.Tiles = []state.ViewTile{tile}
				lines := strings.Split(show.LettersOf(v, domain.Sketch{
					Open: []domain.Spot{{Key: "0,-1", Name: name}}}).Text, "\n")
				require.Contains(t, lines[1], name)
				for r, short := range show.GlyphOf(&tile) {
					to := func(side int) string {
						c := bare[r][side]
						switch {
						case r == 1 && c == show.GlyphPennant:
							return "#"
						case c == '#', r == 1 && strings.ContainsRune("~─", c):
							return string(c)
						}
						return "."
					}
					want := string(short[0]) + strings.Repeat(to(0), left) + string(short[1:4]) +
						strings.Repeat(to(4), wide-5-left) + string(short[4])
					require.Equal(t, want, string([]rune(lines[2+r])[margin:]), "tile %s turned %d, %v", tile.Tile,
						tile.Turn, on)
				}
			}
		}
	}
}

func TestLettersCutAWideBoardToWhereOneMayAct(t *testing.T) {
	// given a road of thirty tiles with one open place at its west end
	v := drawnView(t)
	v.Tiles = nil
	for x := range 30 {
		v.Tiles = append(v.Tiles, state.ViewTile{Tile: tileID(t, "U"), X: x})
	}
	sketch := domain.Sketch{Open: []domain.Spot{{Key: "-1,0", Name: "-1,0"}}}
	// when it is written, then the lines fit, show that place, and say that the board continues
	l := show.LettersOf(v, sketch)
	require.Regexp(t, `(?m)^ +0  -1, ─.*\n +0   \.`, l.Text, "on two lines, as there is no room")
	require.Contains(t, l.Text, ">")
	for _, line := range strings.Split(l.Text, "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(line), show.TextWide)
	}
	says := l.Says()
	require.Equal(t, domain.S("board.cut", "from", -1, "to", 11), says[len(says)-1])
	// and for the place in the east they show the other end
	l = show.LettersOf(v, domain.Sketch{Open: []domain.Spot{{Key: "30,0", Name: "1"}}})
	require.Equal(t, 30, l.To)
	require.Contains(t, l.Text, "<")
}

func TestEveryTileInCharactersHasItsEdges(t *testing.T) {
	for i := range table.Tiles {
		for turn := 0; turn < 360; turn += 90 {
			// given a tile as it lies, when it is written
			g := show.GlyphOf(&state.ViewTile{Tile: table.TileID(i), Turn: turn})
			// then the middle of each edge shows what the edge is
			for e, at := range show.GlyphEdges {
				kind := table.TileID(i).Tile().Edges[(e-turn/90+4)%4]
				want := map[table.Kind]string{table.City: "#%", table.Road: "│─", table.River: "~",
					table.Field: ".*"}[kind]
				require.Contains(t, want, string(g[at[0]][at[1]]), "%s turned %d, edge %s:\n%s\n%s\n%s",
					table.TileID(i), turn, table.EdgeNames[e], string(g[0][:]), string(g[1][:]), string(g[2][:]))
			}
			// and cloisters, gardens and pennants appear
			all := string(g[0][:]) + string(g[1][:]) + string(g[2][:])
			tile := table.TileID(i).Tile()
			require.Equal(t, tile.Shrine == table.Cloister, strings.ContainsRune(all, show.GlyphCloister),
				"%s turned %d", tile.Letter, turn)
			require.Equal(t, tile.Shrine == table.Garden, strings.ContainsRune(all, show.GlyphGarden), "%s turned %d",
				tile.Letter, turn)
			require.Equal(t, show.PlanOf(table.TileID(i)).Pennant != nil, strings.ContainsRune(all, show.GlyphPennant),
				"%s turned %d", tile.Letter, turn)
		}
	}
}

func TestAFigureInCharactersIsSeenWhereverItStands(t *testing.T) {
	for i := range table.Tiles {
		tile := table.TileID(i).Tile()
		for q := range 4 {
			for _, on := range placesOf(tile, q) {
				g := show.GlyphOf(&state.ViewTile{Tile: table.TileID(i), Turn: 90 * q,
					Figures: []state.Stands{{Seat: 2, On: on}}})
				want := "C"
				if on.Kind == table.Field {
					want = "c"
				}
				require.Contains(t, string(g[0][:])+string(g[1][:])+string(g[2][:]), want, "%s on %s", tile.Letter, on)
			}
		}
	}
}

// placesOf lists where figures may stand on a tile turned by quarters.
func placesOf(t *table.Tile, quarters int) (list []table.Place) {
	for _, p := range t.Parts {
		switch p.Kind {
		case table.Field:
			list = append(list, table.Place{Kind: table.Field, At: (p.At[0] + uint8(2*quarters)) % 8})
		case table.Road, table.City:
			list = append(list, table.Place{Kind: p.Kind, At: (p.At[0] + uint8(quarters)) % 4})
		}
	}
	if t.Shrine == table.Cloister {
		list = append(list, table.Place{Kind: table.Cloister})
	}
	if t.Shrine == table.Garden {
		list = append(list, table.Place{Kind: table.Garden})
	}
	return list
}

func TestDescribeTellsHandsPlacesAndWhatIsLeft(t *testing.T) {
	d := Rulebook.Describe(drawnView(t))
	requireDescribed(t, drawnView(t))
	lines := map[string][]domain.Say{}
	for _, l := range d.Lines {
		lines[l.Key] = append(lines[l.Key], l)
	}
	require.Equal(t, "board.alt", d.Alt.Key)
	require.Equal(t, domain.S("board.last", "x", 1, "y", 0), lines["board.last"][0])
	require.Equal(t, domain.Seat(0), lines["board.hand-abbot"][0].Args["who"])
	require.Equal(t, domain.Seat(1), lines["board.hand"][0].Args["who"])
	require.Len(t, lines["board.stands"][1].Args["where"], 2)
	require.Equal(t, domain.S("board.tiles", "n", 3), lines["board.left"][0].Args["tiles"])
	require.Len(t, lines["board.aid.remaining"][0].Args["kinds"], 2)

	// and an empty board has no picture in characters, but a description
	empty := Rulebook.Describe(&state.View{Tile: table.NoTile})
	require.Empty(t, Rulebook.Draw(&state.View{Tile: table.NoTile}, domain.Sketch{})[0].Text)
	require.Equal(t, "board.alt-empty", empty.Alt.Key)
}

func TestTheLegendHasTheCharactersThatAreThere(t *testing.T) {
	signs := func(v *state.View) (keys []string) {
		for _, s := range show.LettersOf(v, domain.Sketch{}).Says()[0].Args["signs"].([]domain.Say) {
			keys = append(keys, s.Key)
		}
		return keys
	}
	v := drawnView(t)
	require.Equal(t, []string{"board.sign.city", "board.sign.pennant", "board.sign.cloister", "board.sign.farmer"},
		signs(v))
	v.Tiles = v.Tiles[:1]
	require.NotContains(t, signs(v), "board.sign.cloister")
}
