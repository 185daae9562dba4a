package rivals

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// grown is a position with a principality of eleven columns, as large as some are at the end.
const grown = `{"phase":"act","die":2,"face":"harvest","seats":[{"towns":["-1 settlement above storehouse below brick_factory","0 settlement above parish_hall below abbey",
"1 city above grain_ship marketplace below harald lumber_camp","2 settlement above candamir","3 settlement"],"roads":[-1,0,1,2],"hand":["goldsmith","weavers_shop","osmund","ore_ship","brigitta"],
"regions":["-1a fields1 1","-1b hills5 2","0a forest2 2","0b hills3 0","1a gold_field1 3","1b pasture4 1","2a fields6 1","2b mountains5 0","3a forest4 1","3b pasture6 1","4a gold_field2 1","4b mountains2 0"]},{}]}`

// A principality grows only in width, and on a page its letters keep their size, since a page shows a part of it. The
// same goes for a hand.
func TestLettersStayLargeInALargePrincipality(t *testing.T) {
	view := aLargePrincipality(t)
	for _, p := range Rulebook.Draw(view, domain.Sketch{}) {
		unit := min(1, phone/p.Scene.W)
		if p.Least > 0 {
			unit = p.Least / p.Scene.W
		}
		require.GreaterOrEqual(t, smallest(p.Scene.Shapes, unit), 8.5, "panel %s", p.Name)
		require.Less(t, countShapes(p.Scene.Shapes), 700, "a picture is painted fast: panel %s", p.Name)
		require.LessOrEqual(t, p.Least, max(p.Scene.W, 1))
	}
	require.Greater(t, Rulebook.Draw(view, domain.Sketch{})[0].Least, 800.0, "the widest is scrolled")
}

// A mail shows all of a principality, as wide as a phone and low: which region a die brings
// can be read there, up to eleven columns; the names of cards stand in the mail's text.
func TestAMailShowsALargePrincipalityWhole(t *testing.T) {
	for _, p := range Rulebook.Draw(aLargePrincipality(t), domain.Sketch{Narrow: true}) {
		require.Less(t, countShapes(p.Scene.Shapes), 700, "a picture is painted fast: panel %s", p.Name)
		if p.Name == "own" {
			unit := phone / p.Scene.W
			require.LessOrEqual(t, p.Scene.H*unit, 150.0)
			require.GreaterOrEqual(t, largest(p.Scene.Shapes, unit), 7.8)
			continue
		}
		width := domain.PanelWidth
		if p.Weight == domain.PanelBeside {
			width = domain.PanelBesideWidth
		}
		unit := min(domain.PanelUnit, width/p.Scene.W)
		require.GreaterOrEqual(t, smallest(p.Scene.Shapes, unit), 8.5, "panel %s", p.Name)
	}
}

// phone is how wide a page or a mail is on a phone, in pixels.
const phone = 374.0

func aLargePrincipality(t *testing.T) domain.View {
	t.Helper()
	line, err := setUpGiven("intro", grown)
	require.NoError(t, err)
	return Rulebook.View(line.State, 0)
}

// largest is how many pixels high the largest letters are, and smallest the smallest.
func largest(list []domain.Shape, unit float64) (most float64) {
	for i := range list {
		scale := unit * cmp.Or(list[i].Scale, 1)
		most = max(most, list[i].Size*scale, largest(list[i].Group, scale))
	}
	return most
}

func smallest(list []domain.Shape, unit float64) float64 {
	least := 100.0
	for i := range list {
		s := &list[i]
		scale := unit * cmp.Or(s.Scale, 1)
		if s.Text != "" || s.Words.Key != "" {
			least = min(least, s.Size*scale)
		}
		least = min(least, smallest(s.Group, scale))
	}
	return least
}

func countShapes(list []domain.Shape) (n int) {
	for i := range list {
		n += 1 + countShapes(list[i].Group)
	}
	return n
}

// The card that lies open beside the stacks is pressed with the hand cards while it can be built, and nowhere else.
func TestACardThatLiesOpenIsPressedWithTheHand(t *testing.T) {
	const spot = "o-university"
	for _, hand := range []string{"", `"goldsmith"`} {
		line, err := setUpGiven("progress",
			`{"phase":"act","open":["university"],"seats":[{"towns":["0 city above library","1 settlement"],"hand":[`+
				hand+`]},{}]}`)
		require.NoError(t, err)
		for _, c := range []struct {
			sketch domain.Sketch
			panel  string
		}{
			{domain.Sketch{}, "middle"},
			{domain.Sketch{Open: []domain.Spot{{Key: "build-university", Spot: spot, Name: "a"}}}, "hand"},
			{domain.Sketch{Other: []domain.Spot{{Key: "build-university", Spot: spot, Name: "a"}}}, "hand"},
			{domain.Sketch{Chosen: []string{"build-university"},
				Other: []domain.Spot{{Key: "build-university", Spot: spot, Name: "a"}}}, "hand"},
		} {
			var on []string
			for _, p := range Rulebook.Draw(Rulebook.View(line.State, 0), c.sketch) {
				for _, s := range p.Scene.Shapes {
					if s.Spot == spot {
						on = append(on, p.Name)
					}
				}
			}
			require.Equal(t, []string{c.panel}, on, "%s %v", hand, c.sketch)
		}
	}
}

// Every card whose face is visible lies on a panel, where people press it to read it.
func TestEveryVisibleCardIsLargeAndCanBePressed(t *testing.T) {
	line, err := setUpGiven("intro", grown)
	require.NoError(t, err)
	for _, viewer := range []domain.Viewer{0, 1, domain.Spectator} {
		view := Rulebook.View(line.State, viewer)
		spots := map[string]bool{}
		for _, p := range Rulebook.Draw(view, domain.Sketch{}) {
			for _, s := range p.Scene.Shapes {
				spots[s.Spot] = true
			}
		}
		cards := Rulebook.Cards(view)
		require.NotEmpty(t, cards)
		for _, c := range cards {
			require.NotZero(t, c.Face.W, c.Key)
			if !strings.HasPrefix(c.Key, "other-") { // the other hand shows only backs
				require.True(t, spots[c.Spot] && c.Spot != "", "%s at %q", c.Key, c.Spot)
			}
			require.False(t, viewer == domain.Spectator && c.Hand, "a hand is its seat's")
		}
	}
}

// The mark for reading a card that costs five covers none of its cost.
func TestWhereACardIsReadItsPriceIsSeen(t *testing.T) {
	line, err := setUpGiven("gold", strings.Replace(grown, `"goldsmith"`, `"moneylender"`, 1))
	require.NoError(t, err)
	at, signs := map[string]domain.Point{}, []domain.Shape(nil)
	for _, p := range Rulebook.Draw(Rulebook.View(line.State, 0),
		domain.Sketch{Open: []domain.Spot{{Name: "a", Key: "build-moneylender", Spot: "h-moneylender"},
			{Name: "b", Key: "build-osmund", Spot: "h-osmund"}}}) {
		if p.Name != "hand" {
			continue
		}
		for _, s := range p.Scene.Shapes {
			if card, ok := strings.CutPrefix(s.Spot, domain.ReadSpot+"h-"); ok {
				at[card] = s.At
			}
			for _, in := range s.Group {
				if strings.HasPrefix(in.Use, "i-") {
					in.At = domain.Point{X: in.At.X + s.At.X, Y: in.At.Y + s.At.Y}
					signs = append(signs, in)
				}
			}
		}
	}
	require.Len(t, at, 2)
	require.Greater(t, len(signs), 8)
	for card, at := range at {
		for _, s := range signs {
			require.True(t, max(s.At.X-at.X, at.X-s.At.X) >= 9+13*s.Scale ||
				max(s.At.Y-at.Y, at.Y-s.At.Y) >= 9+13*s.Scale, "%s: %s", card, s.Use)
		}
	}
}

// A player choosing a first hand presses its cards, either of two identical ones, and sees which they have.
func TestTheCardsOfAFirstHandArePressedWhereShown(t *testing.T) {
	w := watch(t, "duel", 1, map[string]int{})
	seat := w.line.Awaited()[0].Seat
	e, _, err := w.line.Decide(seat, state.Move{Verb: state.Stack, N: 1})
	require.NoError(t, err)
	w.apply(&e)
	var open []domain.Spot
	there := map[string]int{}
	for _, slot := range w.state().Decks[0].All() {
		there["f-"+slot.Card.Name()]++
	}
	known := map[string]bool{}
	for m := range Rulebook.Legal(w.state(), seat) {
		steps := Rulebook.Steps(w.state(), m)
		require.Len(t, steps, 3)
		require.True(t, steps[0].Any, "whichever is pressed first")
		for _, s := range steps {
			require.Positive(t, there[s.Spot], "%s", s.Spot)
			if !known[s.Key] {
				known[s.Key] = true
				open = append(open, domain.Spot{Key: s.Key, Spot: s.Spot, Name: "a"})
			}
		}
	}
	require.Len(t, open, len(there))
	found := func(sketch domain.Sketch) (pressed map[string]int, chosen int) {
		pressed = map[string]int{}
		for _, p := range Rulebook.Draw(Rulebook.View(w.state(), domain.Viewer(seat)), sketch) {
			for _, s := range p.Scene.Shapes {
				if p.Name == "found" && s.Class == "open" {
					pressed[s.Spot]++
				}
				if p.Name == "found" && s.Words.Key == "hand.chosen" {
					chosen++
				}
			}
		}
		return pressed, chosen
	}
	pressed, chosen := found(domain.Sketch{Open: open})
	require.Equal(t, there, pressed)
	require.Zero(t, chosen)
	first := open[0]
	pressed, chosen = found(domain.Sketch{Open: open[1:], Chosen: []string{first.Key}})
	require.NotContains(t, pressed, first.Spot)
	require.Len(t, pressed, len(there)-1)
	require.Equal(t, 1, chosen)
}

// The other's principality is called by their name, no matter whose place the viewer looks from.
func TestAnothersPrincipalityIsCalledByItsSeat(t *testing.T) {
	line, err := setUpGiven("intro", grown)
	require.NoError(t, err)
	for viewer, want := range map[domain.Viewer][]domain.Say{
		0: {domain.S("panel.own"), domain.S("panel.realm", "seat", domain.Seat(1))},
		domain.Spectator: {domain.S("panel.realm", "seat", domain.Seat(0)),
			domain.S("panel.realm", "seat", domain.Seat(1))}} {
		var called []domain.Say
		for _, p := range Rulebook.Draw(Rulebook.View(line.State, viewer), domain.Sketch{}) {
			if p.Weight == domain.PanelMain {
				called = append(called, p.Heading())
			}
		}
		require.Equal(t, want, called)
	}
}
