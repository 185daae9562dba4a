package carcassonne

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func tileID(t testing.TB, letter string) table.TileID {
	t.Helper()
	id, ok := table.TileNamed(letter)
	require.True(t, ok, letter)
	return id
}

// drawnView is a small board: the start tile, a city to its north with a knight, a cloister to the south with an
// abbot, a farmer; B must place tile E.
func drawnView(t testing.TB) *state.View {
	v := &state.View{
		Options: domain.Choices{"solo": "off"}, Phase: state.PhaseLand, Turn: 4, ToMove: 1, Tile: tileID(t, "E"),
		Tiles: []state.ViewTile{
			{Tile: tileID(t, "D"), X: 0, Y: 0},
			{Tile: tileID(t, "M"), X: 0, Y: -1, Turn: 180,
				Figures: []state.Stands{{Seat: 0, On: table.Place{Kind: table.City, At: 2}}}},
			{Tile: tileID(t, "A"), X: 0, Y: 1, Turn: 90,
				Figures: []state.Stands{{Seat: 1, Abbot: true, On: table.Place{Kind: table.Cloister, At: 0}}}},
			{Tile: tileID(t, "U"), X: 1, Y: 0,
				Figures: []state.Stands{{Seat: 1, On: table.Place{Kind: table.Field, At: 0}}}},
		},
		Scores: []int{0, 3}, Followers: []int{6, 6}, Abbots: []int{1, 0},
	}
	v.Remaining[tileID(t, "V")] = 2
	v.Remaining[tileID(t, "C")] = 1
	return v
}

// drawnShapes lists all shapes of a scene, including those in groups.
func drawnShapes(list []domain.Shape) (all []domain.Shape) {
	for _, s := range list {
		all = append(all, s)
		for _, in := range drawnShapes(s.Group) {
			in.At = domain.Point{X: in.At.X + s.At.X, Y: in.At.Y + s.At.Y}
			all = append(all, in)
		}
	}
	return all
}

func usesOf(s domain.Scene, prefix string) (list []domain.Shape) {
	for _, x := range drawnShapes(s.Shapes) {
		if strings.HasPrefix(x.Use, prefix) {
			list = append(list, x)
		}
	}
	return list
}

func withClass(s domain.Scene, class string) (list []domain.Shape) {
	for _, x := range drawnShapes(s.Shapes) {
		if x.Class == class {
			list = append(list, x)
		}
	}
	return list
}

// requireSound checks what holds for every scene: each symbol is defined once, its texts are only letters, digits and
// signs, and all of it lies within the scene.
func requireSound(t testing.TB, s domain.Scene) {
	t.Helper()
	known := map[string]bool{}
	for _, sym := range s.Symbols {
		require.False(t, known[sym.ID], sym.ID)
		require.Regexp(t, `^[A-Za-z0-9-]+$`, sym.ID)
		known[sym.ID] = true
	}
	out := 0.0
	if s.W < 3*2*show.HalfTile { // seen from near: the neighbours are cut
		out = show.HalfTile
	}
	for _, x := range drawnShapes(s.Shapes) {
		if x.Use != "" {
			require.True(t, known[x.Use], x.Use)
			require.True(t, x.At.X >= s.X-out && x.At.Y >= s.Y-out && x.At.X <= s.X+s.W+out && x.At.Y <= s.Y+s.H+out,
				"%s lies off the sheet", x.Use)
		}
		if x.Text != "" {
			require.Regexp(t, regexp.MustCompile(`^[+-]?[A-Za-z0-9,-]+$`), x.Text)
		}
	}
}

func TestDrawLaysEveryTileWhereItLiesAndTurned(t *testing.T) {
	v := drawnView(t)
	s := show.MapScene(v, domain.Sketch{})
	requireSound(t, s)
	tiles := usesOf(s, "tile-")
	require.Len(t, tiles, 4)
	for i, x := range tiles {
		require.Equal(t, "tile-"+v.Tiles[i].Tile.String(), x.Use)
		require.Equal(t, domain.Point{X: 100 * float64(v.Tiles[i].X), Y: 100 * float64(v.Tiles[i].Y)}, x.At)
		require.InDelta(t, float64(v.Tiles[i].Turn), x.Turn, 0)
	}
	// the pennant hangs upright on its turned tile
	pennants := usesOf(s, "pennant")
	require.Len(t, pennants, 1)
	require.Zero(t, pennants[0].Turn)
	// the last tile is framed
	require.Len(t, withClass(s, "last"), 1)
}

func TestDrawShowsFiguresByColourLetterAndPosture(t *testing.T) {
	s := show.MapScene(drawnView(t), domain.Sketch{})
	for id, want := range map[string]string{"figure-A": "A", "abbot-B": "B", "farmer-B": "B"} {
		require.Len(t, usesOf(s, id), 1, id)
		for _, sym := range s.Symbols {
			if sym.ID != id {
				continue
			}
			var letter string
			colored := false
			for _, x := range drawnShapes(sym.Shapes) {
				letter += x.Text
				colored = colored || x.Fill == domain.SeatColor(domain.Seat(want[0]-'A'))
			}
			require.Equal(t, want, letter)
			require.True(t, colored)
		}
	}
}

func TestOpenPlacesBearTheirNamesInMails(t *testing.T) {
	open := []domain.Spot{{Key: "0,-2", Spot: "0,-2", Name: "1"}, {Key: "-1,-1", Spot: "-1,-1", Name: "2"},
		{Key: "2,0", Spot: "2,0"}}
	for _, mailed := range []bool{true, false} {
		s := show.MapScene(drawnView(t), domain.Sketch{Open: open, Narrow: mailed})
		requireSound(t, s)
		spots := withClass(s, "open")
		require.Len(t, spots, 3)
		for i, x := range spots {
			require.Equal(t, open[i].Spot, x.Spot)
			require.Len(t, x.Group, map[bool]int{true: 3, false: 2}[mailed && open[i].Name != ""])
			require.True(t, x.Group[0].Hidden)
			require.InDelta(t, 100, x.Group[0].Path[1].To.X-x.Group[0].Path[0].To.X, 0,
				"all of a square is pressed, up to its neighbours")
		}
		// the sheet covers them: from -1 to 2 across, from -2 to 1 down, with the coordinates around it in a mail
		rim := map[bool]float64{true: show.RimWide, false: show.BareWide}[mailed]
		require.InDelta(t, 400+2*rim, s.W, 0)
		require.InDelta(t, 400+2*rim, s.H, 0)
		numbers := 0
		for _, x := range s.Shapes {
			if x.Text != "" {
				numbers++
			}
		}
		require.Equal(t, map[bool]int{true: 16}[mailed], numbers)
	}
}

// A page shows the tile where it fits as it is held; where it has to be turned, the place is dashed and empty.
func TestTheTileIsSeenWhereItFitsAsHeld(t *testing.T) {
	s := show.MapScene(drawnView(t), domain.Sketch{Open: []domain.Spot{
		{Key: "0,-2", Spot: "0,-2", Then: []string{"180", "0"}}, {Key: "2,0", Spot: "2,0", Then: []string{"90"}}}})
	requireSound(t, s)
	held := usesOf(s, "tile-E")
	require.Len(t, held, 1)
	require.Equal(t, domain.Point{X: 0, Y: -200}, held[0].At)
	require.Zero(t, held[0].Turn)
	spots := withClass(s, "open")
	require.Zero(t, spots[0].Group[1].Dash)
	require.NotZero(t, spots[1].Group[1].Dash)
}

func TestDrawTriesTheTileAsAGhostWithWhatMayBeClaimed(t *testing.T) {
	v := drawnView(t)
	// given a place and a turn, and the figures that may follow
	sketch := domain.Sketch{Chosen: []string{"0,-2", "180"}, Open: []domain.Spot{
		{Key: "none"}, {Key: "city.S", Spot: "city.S", Name: "2"}, {Key: "field.Nw", Spot: "field.Nw", Name: "3"},
	}}
	s := show.MapScene(v, sketch)
	requireSound(t, s)
	// then the tile lies there in that turn, and the features are spots
	require.Len(t, withClass(s, "ghost"), 1)
	tried := usesOf(s, "tile-E")[0]
	require.InDelta(t, 180, tried.Turn, 0)
	require.Equal(t, domain.Point{X: 0, Y: -200}, tried.At)
	claims := withClass(s, "claim")
	require.Len(t, claims, 2)
	require.Equal(t, "city.S", claims[0].Spot)
	require.Greater(t, claims[0].At.Y, -200.0, "the city now lies south")

	// and with the figure chosen too, it stands there
	sketch = domain.Sketch{Chosen: []string{"0,-2", "180", "city.S"}}
	require.Len(t, usesOf(show.MapScene(v, sketch), "figure-B"), 1)
	// and before a turn is chosen, the first possible one is shown
	sketch = domain.Sketch{Chosen: []string{"0,-2"}, Open: []domain.Spot{{Key: "270"}, {Key: "0"}}}
	require.InDelta(t, 270, usesOf(show.MapScene(v, sketch), "tile-E")[0].Turn, 0)
}

func TestDrawMarksWhoEarnedWhat(t *testing.T) {
	v := drawnView(t)
	// given a last move in which A's city paid 8, and B had a knight too few there
	e := &domain.Event{Type: state.EventPlayed, Body: &state.Played{Scores: []state.Score{{
		What: table.City, X: 0, Y: 0, On: table.Place{Kind: table.City, At: 0},
		Figures: []state.Posted{{Seat: 0, X: 0, Y: 0, On: table.Place{Kind: table.City, At: 0}},
			{Seat: 1, X: 0, Y: -1, On: table.Place{Kind: table.City, At: 2}}},
		Points: []state.Awarded{{Seat: 0, Points: 8}},
	}}}}
	s := show.MapScene(v, domain.Sketch{Last: []*domain.Event{e, nil, {Body: &state.SetUp{}}}})
	requireSound(t, s)
	// then both returned figures are marked, and A's points
	var texts []string
	for _, x := range withClass(s, "earned") {
		for _, y := range x.Group {
			if y.Text != "" {
				texts = append(texts, y.Text)
			}
		}
	}
	require.Equal(t, []string{"A", "B", "+8"}, texts)
}

func TestDrawTriesARecallByRingingTheAbbot(t *testing.T) {
	s := show.MapScene(drawnView(t), domain.Sketch{Chosen: []string{"1,1", "180", "recall"}})
	requireSound(t, s)
	require.Empty(t, usesOf(s, "abbot-"))
	require.Len(t, withClass(s, "earned"), 1)
}

func TestDrawTileSceneShowsOneTileTurned(t *testing.T) {
	s := show.TileScene("Mg", 270)
	requireSound(t, s)
	require.InDelta(t, 270, usesOf(s, "tile-Mg")[0].Turn, 0)
	require.Len(t, usesOf(s, "pennant"), 1)
	require.Empty(t, usesOf(show.TileScene("nothing", 0), "tile-"))
}

func TestDrawAndDescribeWholeGamesOfEveryVariant(t *testing.T) {
	for _, x := range variants {
		t.Run(x.name, func(t *testing.T) {
			p := newPlayout(t, x.o, x.seats, 11)
			for i := 0; !p.over(); i++ {
				played := p.random()
				if i%9 != 0 && !p.over() {
					continue
				}
				v := Rulebook.View(p.state(), domain.Spectator)
				last := []*domain.Event{{Type: state.EventPlayed, Body: played}}
				s := show.MapScene(v.(*state.View), domain.Sketch{Last: last})
				requireSound(t, s)
				require.Len(t, usesOf(s, "tile-"), len(v.(*state.View).Tiles))
				require.Equal(t, s, show.MapScene(v.(*state.View), domain.Sketch{Last: last}))
				requireDescribed(t, v)
				if !p.over() {
					requireSteps(t, p, v)
				}
			}
		})
	}
}

// requireSteps draws every choice that the steps of the legal moves offer, as a page would.
func requireSteps(t *testing.T, p *playout, v domain.View) {
	t.Helper()
	m := p.legal()[p.below(len(p.legal()))]
	steps := Rulebook.Steps(p.state(), m)
	for n := range steps {
		sketch := domain.Sketch{Open: []domain.Spot{{Key: steps[n].Key, Spot: steps[n].Spot, Name: "1"}}}
		for _, s := range steps[:n] {
			sketch.Chosen = append(sketch.Chosen, s.Key)
		}
		scene := show.MapScene(v.(*state.View), sketch)
		requireSound(t, scene)
		// a choice with a spot lies on the board; others do not
		spots := 0
		for _, x := range drawnShapes(scene.Shapes) {
			if x.Spot != "" {
				require.Equal(t, steps[n].Spot, x.Spot)
				spots++
			}
		}
		require.Equal(t, steps[n].Spot != "", spots == 1, fmt.Sprint(steps[n]))
	}
}
