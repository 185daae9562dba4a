package kit_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/kit"
)

func TestABoardNamesItsCellsAndKnowsWhatLiesBesideThem(t *testing.T) {
	hex, square := kit.Board{Columns: 4, Rows: 3, Hex: true}, kit.Board{Columns: 4, Rows: 3}
	names := hex.Names()
	require.Equal(t, []string{"a1", "b1", "c1", "d1", "a2"}, names[:5])
	require.Len(t, names, 12)
	for i, name := range names {
		cell, ok := hex.Cell(name)
		require.True(t, ok, name)
		require.Equal(t, i, cell, name)
	}
	for _, name := range []string{"", "a", "a0", "a4", "e1", "1a", "A1", "swap"} {
		_, ok := hex.Cell(name)
		require.False(t, ok, name)
	}
	around := func(b kit.Board, name string) (list []string) {
		for _, cell := range b.Around(slices.Index(names, name)) {
			list = append(list, names[cell])
		}
		return list
	}
	require.ElementsMatch(t, []string{"b1", "c1", "a2", "c2", "a3", "b3"}, around(hex, "b2"))
	require.ElementsMatch(t, []string{"b1", "a2", "c2", "b3"}, around(square, "b2"))
	require.ElementsMatch(t, []string{"b1", "a2"}, around(hex, "a1"))
	require.ElementsMatch(t, []string{"c1", "c2", "d2"}, around(hex, "d1"))
	for cell := range names {
		for _, other := range hex.Around(cell) {
			require.Contains(t, hex.Around(other), cell, "whatever lies beside a cell has it beside itself")
		}
	}
}

func TestABoardDrawsWhatLiesOnItAndWhatMayBeChosen(t *testing.T) {
	b := kit.Board{Columns: 3, Rows: 2, Hex: true, Edges: [4]domain.Color{1: 7}}
	look := func(cell int) kit.Cell { return kit.Cell{Letter: "A"[:min(cell, 1)], Last: cell == 2} }
	p := b.Panel("board", domain.Sketch{Open: []domain.Spot{{Key: "b2", Spot: "b2", Name: "b2"}}}, look)
	require.Equal(t, strings.Join([]string{"   a b c", "1  . A A #", "2   A A A #"}, "\n"), p.Text,
		"and what runs along it")
	var texts, spots, last, edges []string
	for _, s := range p.Scene.Shapes {
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
		if s.Spot != "" {
			spots = append(spots, s.Spot)
		}
		if s.Class == "last" {
			last = append(last, s.Class)
		}
		if s.Fill == 7 {
			edges = append(edges, "right")
		}
		for _, at := range s.Path {
			require.True(t, at.To.X >= 0 && at.To.Y >= 0 && at.To.X <= p.Scene.W && at.To.Y <= p.Scene.H,
				"it lies within the picture")
		}
	}
	require.Equal(t, []string{"a1", "A", "A", "A", "A", "b2", "A"}, texts,
		"an empty cell has its name, and one that may be chosen too")
	require.Equal(t, []string{"b2"}, spots)
	require.Len(t, last, 1)
	require.Len(t, edges, 2, "of both rows")
	require.Equal(t, domain.Step{Key: "b2", Place: "b2", Spot: "b2", Label: domain.S("lay", "place", "b2")},
		kit.Place("b2", "lay"))
}

// Each side shows its colour on all of its cells, including those at the corners.
func TestTheSidesOfABoardMeetAtItsCorners(t *testing.T) {
	colours := [4]domain.Color{domain.SeatColor(0), domain.SeatColor(1), domain.SeatColor(2), domain.SeatColor(3)}
	// The colours beyond an edge of a cell: its outward directions in degrees, clockwise from the right.
	for _, c := range []struct {
		hex  bool
		text string
		seen map[string]map[float64]int
	}{
		{true, "     a b\n     A A\n1  D . . B\n2   D . . B\n      C C", map[string]map[float64]int{
			"a1": {120: 3, 180: 3, 240: 0, 300: 0}, "b1": {240: 0, 290: 0, 310: 1, 0: 1},
			"a2": {60: 2, 110: 2, 130: 3, 180: 3}, "b2": {300: 1, 0: 1, 60: 2, 120: 2},
		}},
		{false, "     a b\n     A A\n1  D . . B\n2  D . . B\n     C C", map[string]map[float64]int{
			"a1": {180: 3, 270: 0}, "b1": {270: 0, 0: 1}, "a2": {90: 2, 180: 3}, "b2": {0: 1, 90: 2},
		}},
	} {
		p := kit.Board{Columns: 2, Rows: 2, Hex: c.hex, Edges: colours}.Panel("board", domain.Sketch{},
			func(int) kit.Cell { return kit.Cell{} })
		require.Equal(t, c.text, p.Text)
		names := map[string]domain.Point{}
		for _, s := range p.Scene.Shapes {
			names[s.Text] = s.At
		}
		for name, ways := range c.seen {
			for degrees, side := range ways {
				sin, cos := math.Sincos(degrees * math.Pi / 180)
				far := 23.0 // beyond the side of a square
				if c.hex {
					far = 20.5
				}
				seen := seenAt(p.Scene.Shapes, domain.Point{X: names[name].X + far*cos, Y: names[name].Y + far*sin})
				require.Equal(t, colours[side], seen, "hexagons: %t: %s at %v degrees", c.hex, name, degrees)
			}
		}
	}
}

// seenAt returns the colour of the last straight outline that contains a point.
func seenAt(shapes []domain.Shape, at domain.Point) (seen domain.Color) {
	for _, s := range shapes {
		inside := false
		for i, last := 0, len(s.Path)-2; i < len(s.Path)-1; last, i = i, i+1 {
			a, b := s.Path[last].To, s.Path[i].To
			if (a.Y > at.Y) != (b.Y > at.Y) && at.X < a.X+(b.X-a.X)*(at.Y-a.Y)/(b.Y-a.Y) {
				inside = !inside
			}
		}
		if inside {
			seen = s.Fill
		}
	}
	return seen
}

func TestARowOfSeatsShowsTheirCards(t *testing.T) {
	p := kit.Seats("table", 2, domain.Sketch{Open: []domain.Spot{{Spot: "B"}}}, func(i int) (string, string) {
		return []string{"?", ""}[i], "7"
	})
	require.Equal(t, "A [?] 7\nB [] 7\n", p.Text)
	require.Equal(t, "B", p.Scene.Shapes[4].Spot)
	require.Len(t, p.Scene.Shapes, 7, "a box, a letter, a card and a number each, and no empty text")
}

func TestWhatIsHiddenTravelsInPartsAndIsDealtAfresh(t *testing.T) {
	hidden := func() kit.Hidden {
		return kit.Hidden{Known: []domain.Audience{domain.To(0), domain.To(0, 1), domain.To(2)}, Cards: []int{7, 0, 9},
			Stack: []int{3, 1, 2}}
	}
	h, now := hidden(), kit.Hidden{Known: hidden().Known}
	require.Equal(t, []int{7, 0, -1}, h.Seen(0, -1))
	require.Equal(t, []int{7, 0, 9}, h.Seen(domain.Referee, -1))
	require.Equal(t, []int{0, 0, 9}, (&kit.Hidden{Cards: []int{7, 0, 9}}).Seen(2, 0), "each knows their own")
	e := domain.Event{Secrets: h.Unload()}
	require.Empty(t, h.Cards, "it is in the event alone")
	require.Equal(t, domain.To(0, 1), e.Secrets[2].To)
	now.Load(&e)
	require.Equal(t, hidden(), now)
	require.Panics(t, func() { now.Load(&domain.Event{Secrets: []domain.Secret{kit.Hold(3, 9, 0)}}) },
		"there are three seats")
	require.Panics(t, func() { new(kit.Hidden).Load(&domain.Event{Secrets: []domain.Secret{kit.Hold(1, 9, 0)}}) },
		"a seat is missing")
	require.Equal(t, hidden(), now)
	card, ok := kit.HeldBy(&e, 2)
	require.True(t, ok)
	require.Equal(t, 9, card)
	redacted := e.Redact(0)
	_, ok = kit.HeldBy(&redacted, 2)
	require.False(t, ok)

	fresh := map[int]bool{}
	for seed := range uint64(60) {
		luck := domain.NewThrowaway(seed).Begin()
		h := hidden()
		h.Deal(0, luck, nil)
		require.ElementsMatch(t, []int{9, 1, 2, 3}, append(h.Stack, h.Cards[2]), "one pile")
		require.Equal(t, []int{7, 0}, h.Cards[:2], "what is known stays, and what is not there")
		fresh[h.Cards[2]] = true
		h = hidden()
		h.Deal(0, luck, func(domain.Seat) []int { return []int{4, 5} })
		require.Contains(t, []int{4, 5}, h.Cards[2])
		require.ElementsMatch(t, []int{1, 2, 3}, h.Stack)
		h = hidden()
		h.Deal(domain.Referee, luck, nil)
		require.Equal(t, hidden(), h)
	}
	require.Len(t, fresh, 4)
}

type holds struct {
	List  [][]int
	Named map[string]int
	To    *holds
	Two   [2][]int
}

type plain struct {
	kit.Open[*holds]
}

func TestACopyOfAStateSharesNothingWithIt(t *testing.T) {
	whole := func() *holds {
		return &holds{List: [][]int{{1}, {2}}, Named: map[string]int{"a": 1}, To: &holds{List: [][]int{{3}}},
			Two: [2][]int{{4}, {5}}}
	}
	s := whole()
	c := plain{}.Clone(s)
	require.Equal(t, whole(), c)
	c.List[0][0], c.Named["a"], c.To.List[0][0], c.Two[1][0] = 9, 9, 9, 9
	require.Equal(t, whole(), s)
	require.Equal(t, new(holds), plain{}.New())
	require.Same(t, s, plain{}.View(s, domain.Spectator))
}

func TestALegalMoveIsOneOfAll(t *testing.T) {
	even := kit.Legal([]int{1, 2, 3, 4}, func(m int) bool { return m%2 == 0 })
	require.Equal(t, []int{2, 4}, slices.Collect(even))
	for m := range even {
		require.Equal(t, 2, m)
		break
	}
}
