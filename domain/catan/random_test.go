package catan

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/simulate"
)

// playOut plays a random game to its end, or to the cap, and checks the state after every event. A few games of two
// reach the cap: their last point is a city, and a seat short of ore trades its cards away at random long before it has
// three ore and two grain together (four of 2,000 games, which ended after 22,500 to 339,000 moves). If nobody's points
// can rise at all, or nobody can win any more, the game ends, see StandsStill.
func playOut(t *testing.T, seats int, seed uint64, rng *rand.Rand, look func(*state.State),
	options ...string) *domain.Line {
	t.Helper()
	line := domain.NewLine(Rulebook, domain.NewThrowaway(seed))
	e, _, err := line.Setup(domain.Game{Choices: choices(t, options...), Seats: seats})
	require.NoError(t, err)
	line.Apply(&e)
	folded := &state.State{}
	refold(t, folded, &e)
	look(line.State.(*state.State))
	for n := 0; len(line.Awaited()) > 0 && n < simulate.DefaultCap; n++ {
		open := line.Awaited()
		seat := open[rng.IntN(len(open))].Seat
		var all []domain.Move
		for m := range line.Rulebook.Legal(line.State, seat) {
			all = append(all, m)
		}
		require.NotEmpty(t, all, "seat %d is awaited and cannot move", seat)
		e, _, err := line.Decide(seat, all[rng.IntN(len(all))])
		require.NoError(t, err)
		line.Apply(&e)
		refold(t, folded, &e)
		look(line.State.(*state.State))
	}
	require.Equal(t, line.State.(*state.State), folded, "the same state from the log as in memory")
	return line
}

// refold writes an event, reads it back and folds it.
func refold(t *testing.T, s *state.State, e *domain.Event) {
	t.Helper()
	public, secrets, err := Rulebook.Codec().Encode(e)
	require.NoError(t, err)
	back, err := Rulebook.Codec().Decode(e.Type, public, secrets)
	require.NoError(t, err)
	Rulebook.Evolve(s, &back)
}

// randomGames returns how many games to play with each number of seats.
func randomGames() int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return 2_000
	}
	return 4
}

// In random games no card is made or lost, no piece too many is built, and what is stored beside the pieces matches
// what follows from them.
func TestRandomGamesConserveCardsAndPieces(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		for i := range randomGames() {
			rng := rand.New(rand.NewPCG(uint64(seats), uint64(i)))
			playOut(t, seats, uint64(i), rng, func(s *state.State) {
				conserved(t, s)
				consistent(t, s)
			})
		}
	}
}

func consistent(t *testing.T, s *state.State) {
	t.Helper()
	var fresh state.State
	for c := range s.Colours {
		for left := s.Settlements[c]; left != 0; {
			fresh.Place(state.Piece{Colour: c, Sort: state.SettlementPiece, At: table.NextCorner(&left)})
		}
		for left := s.Cities[c]; left != 0; {
			fresh.Place(state.Piece{Colour: c, Sort: state.CityPiece, At: table.NextCorner(&left)})
		}
		for left := s.Roads[c]; !left.Empty(); {
			fresh.Place(state.Piece{Colour: c, Sort: state.RoadPiece, At: left.Next()})
		}
		if s.RoadsLeft(c) < 0 || s.SettlementsLeft(c) < 0 || s.CitiesLeft(c) < 0 {
			require.Fail(t, "more pieces than there are", "colour %d", c)
		}
	}
	if fresh.Built64 != s.Built64 || fresh.Shut != s.Shut || fresh.Laid != s.Laid || fresh.Reach != s.Reach {
		require.Equal(t, fresh, *s, "the sets beside the pieces")
	}
	if s.Tokens[0] < 0 || s.Tokens[1] < 0 || s.TokensLeft() < 0 {
		require.Fail(t, "tokens that are not there", "%v", s.Tokens)
	}
}

// Simulations refuse nothing and come to an end, whatever the options.
func TestSimulationsRefuseNothing(t *testing.T) {
	for _, options := range [][]string{
		nil, {"friendly-robber", "on"}, {"trade-first", "on"}, {"points", "8"},
		{"tokens", "random", "harbours", "shuffled"},
		{"neutral-building", "one", "token-actions", "any"},
	} {
		for seats := 2; seats <= 4; seats++ {
			p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices(t, options...), Seats: seats,
				Seed: 1})
			unfinished := 0
			for i := range randomGames() {
				g, err := p.Play(i)
				require.NoError(t, err)
				require.Zero(t, g.Refused)
				unfinished += oneIf(!g.Finished)
			}
			require.LessOrEqual(t, unfinished, 1+randomGames()/50, "%v, %d seats", options, seats)
		}
	}
}

func BenchmarkRandomGameOfFour(b *testing.B) {
	p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices(b), Seats: 4, Seed: 1})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := p.Play(i); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkFold reads and folds a whole game from its bytes.
func BenchmarkFold(b *testing.B) {
	type row struct {
		typ     string
		public  []byte
		secrets []domain.SecretBytes
	}
	var rows []row
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: choices(b), Seats: 4})
	require.NoError(b, err)
	rng := rand.New(rand.NewPCG(1, 1))
	for {
		line.Apply(&e)
		public, secrets, err := Rulebook.Codec().Encode(&e)
		require.NoError(b, err)
		rows = append(rows, row{e.Type, public, secrets})
		if len(line.Awaited()) == 0 {
			break
		}
		var all []domain.Move
		for m := range line.Rulebook.Legal(line.State, line.Awaited()[0].Seat) {
			all = append(all, m)
		}
		e, _, err = line.Decide(line.Awaited()[0].Seat, all[rng.IntN(len(all))])
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s := &state.State{}
		for _, r := range rows {
			e, err := Rulebook.Codec().Decode(r.typ, r.public, r.secrets)
			require.NoError(b, err)
			Rulebook.Evolve(s, &e)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/event")
}
