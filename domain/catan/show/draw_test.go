package show

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func Test02NumbersRunInReadingOrder(t *testing.T) {
	for c := int8(1); c < table.CornerCount; c++ {
		a, b := cornerPoint(c-1), cornerPoint(c)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "intersections %d and %d", c-1, c)
	}
	for p := int8(1); p < table.PathCount; p++ {
		a, b := pathPoint(p-1), pathPoint(p)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "paths %d and %d", p-1, p)
	}
}

func TestPiecesLieWhereTheirNumbersAre(t *testing.T) {
	for p := range int8(table.PathCount) {
		a, b := cornerPoint(table.Isle.Ends[p][0]), cornerPoint(table.Isle.Ends[p][1])
		require.InDelta(t, hexSide, math.Hypot(a.X-b.X, a.Y-b.Y), 1e-9)
	}
	for h := range int8(table.HexCount) {
		for i, c := range table.Isle.Corners[h] {
			at := plus(hexCentre(h), hexCorner(i, hexSide))
			require.InDelta(t, at.X, cornerPoint(c).X, 1e-9)
			require.InDelta(t, at.Y, cornerPoint(c).Y, 1e-9)
		}
	}
}

// Given a move that built a city and moved the robber beside it, when the island is drawn, then the robber's hex is
// framed below the pieces, what was built is ringed above them, and neither writes a number beside those of the dice.
func TestTheNewestMoveIsMarkedAndHidesNoPiece(t *testing.T) {
	s := state.NewGame(table.Isle.Beginner, nil, 4, 0)
	home := state.Piece{Sort: state.SettlementPiece, At: table.Isle.Corners[4][0]}
	s.Place(home)
	city := state.Piece{Sort: state.CityPiece, At: home.At}
	s.Place(city)
	s.Robber = 4
	v := s.View(domain.Referee)
	shapes := func(last ...*domain.Event) []domain.Shape { return islandScene(v, domain.Sketch{Last: last}).Shapes }
	marked := shapes(&domain.Event{Body: &state.Played{Robber: 4, Pieces: state.Pieces{city}}})
	frame, ring, piece := -1, -1, -1
	for i, shape := range marked {
		switch {
		case shape.Class == "last" && frame < 0:
			frame = i
		case shape.Class == "last":
			ring = i
		case len(shape.Group) == 0 && shape.Text == "A" || len(shape.Group) > 0 &&
			shape.Group[len(shape.Group)-1].Text == "A":
			piece = i
		}
	}
	require.Less(t, -1, frame)
	require.Less(t, frame, piece, "the frame lies below the piece")
	require.Less(t, piece, ring, "the ring above it")
	texts := func(list []domain.Shape) (n int) {
		for _, shape := range list {
			for _, x := range append(shape.Group, shape) {
				if x.Text != "" {
					n++
				}
			}
		}
		return n
	}
	require.Equal(t, texts(shapes()), texts(marked))
}

// An offer names those it is to as people, so that the sentence can end with "and".
func TestAnOfferNamesPeople(t *testing.T) {
	o := &state.Offer{To: state.SeatSet(0).With(0).With(2)}
	require.Equal(t, []domain.Seat{0, 2}, offerSay(1, o).Args["to"])
}
