package show

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// A badge shows the number of a place where a piece was put. It hides no piece, and is not hidden by a piece, another
// badge or, while there are few pieces, anything that can be pressed.
func TestBadgesOfTheNewestMoveLieClearOfPiecesAndOfEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 42))
	for round := range 400 {
		few := round%2 == 0
		s, order := crowded(r, few)
		sketch := domain.Sketch{Last: newestOf(r, order)}
		for c := range int8(table.CornerCount) { // every other corner can be chosen
			if few && !slices.ContainsFunc(order, func(x state.Piece) bool { return x.Sort != state.RoadPiece && x.At == c }) {
				sketch.Open = append(sketch.Open, domain.Spot{Spot: cornerSpot(c), Name: strconv.Itoa(int(c))})
			}
		}
		d := drawing{v: s.View(domain.Referee), sketch: sketch}
		d.lastPieces()
		var badges []domain.Point
		for _, shape := range d.scene.Shapes {
			for _, of := range shape.Group {
				if of.Text != "" {
					badges = append(badges, of.At)
				}
			}
		}
		require.Len(t, badges, len(d.newest()))
		for i, at := range badges {
			for _, x := range order {
				for _, rim := range d.piece(x) {
					if near := nearestTo(rim.Path, at) - rim.Width/2; near < badgeSize {
						t.Fatalf("position %d: badge %d lies on piece %+v (%.1f)", round, i, x, near)
					}
				}
			}
			for k, other := range badges[:i] {
				require.Greater(t, math.Hypot(at.X-other.X, at.Y-other.Y), 2*badgeSize, "position %d: badges %d and %d", round, k, i)
			}
			for _, m := range targets(sketch.Open) {
				require.Greater(t, math.Hypot(at.X-m.at.X, at.Y-m.at.Y), badgeSize+14.3, "position %d: badge %d and choice %s", round, i, m.name)
			}
			require.True(t, math.Abs(at.X) < seaX-badgeSize && math.Abs(at.Y) < seaTop-badgeSize)
		}
	}
}

// crowded returns a position with pieces anywhere, no building next to another, and its pieces.
func crowded(r *rand.Rand, few bool) (*state.State, []state.Piece) {
	s := state.NewGame(table.Isle.Beginner, nil, 4, 0)
	s.Robber = int8(r.IntN(table.HexCount))
	roads, homes := 4+r.IntN(50), 2+r.IntN(20)
	if few {
		roads, homes = 1+r.IntN(8), 1+r.IntN(8)
	}
	taken := map[int8]bool{}
	var list []state.Piece
	for i, p := range r.Perm(table.PathCount)[:roads] {
		list = append(list, state.Piece{Colour: int8(i % 4), Sort: state.RoadPiece, At: int8(p)})
	}
	for i, c := range r.Perm(table.CornerCount)[:homes] {
		near := slices.ContainsFunc(table.Isle.Ends[:], func(e [2]int8) bool {
			return e[0] == int8(c) && taken[e[1]] || e[1] == int8(c) && taken[e[0]]
		})
		if !near {
			taken[int8(c)] = true
			list = append(list, state.Piece{Colour: int8(i % 4), Sort: state.SettlementPiece + state.Sort(r.IntN(2)), At: int8(c)})
		}
	}
	for _, x := range list {
		if x.Sort == state.CityPiece {
			s.Place(state.Piece{Colour: x.Colour, Sort: state.SettlementPiece, At: x.At})
		}
		s.Place(x)
	}
	return &s, list
}

// newestOf returns moves that put some of the pieces and moved the robber.
func newestOf(r *rand.Rand, list []state.Piece) (last []*domain.Event) {
	for _, i := range r.Perm(len(list))[:min(len(list), 1+r.IntN(5))] {
		last = append(last, &domain.Event{Body: &state.Played{Pieces: state.Pieces{list[i]}, Robber: state.None}})
	}
	if r.IntN(2) == 0 {
		last = append(last, &domain.Event{Body: &state.Played{Robber: state.OrNone(r.IntN(table.HexCount))}})
	}
	return last
}

// nearestTo returns how far a point is from the sides of an outline.
func nearestTo(path domain.Path, p domain.Point) float64 {
	least := math.Inf(1)
	for i, s := range path {
		if s.Op != 'M' && i > 0 {
			from, to := path[i-1].To, s.To
			if s.Op == 'Z' {
				to = path[0].To
			}
			for k := range 41 {
				on := toward(from, to, float64(k)/40)
				least = min(least, math.Hypot(p.X-on.X, p.Y-on.Y))
			}
		}
	}
	return least
}
