package carcassonne

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// opened returns the bytes of a set-up, and of the first turn of the game it opens.
func opened(t *testing.T) (setUp, played string) {
	p := newPlayout(t, nil, 2, 1)
	e, _, err := domain.NewLine(Rulebook, domain.NewThrowaway(1)).
		Setup(domain.Game{Choices: withDefaults(nil), Seats: 2, First: 0})
	require.NoError(t, err)
	public, _, err := Rulebook.Codec().Encode(&e)
	require.NoError(t, err)
	body := p.random()
	turn := domain.Event{Type: state.EventPlayed, Seat: 0, Body: body}
	line, _, err := Rulebook.Codec().Encode(&turn)
	require.NoError(t, err)
	return string(public), string(line)
}

func TestWhatNoTurnWritesIsRefusedWhereItIsRead(t *testing.T) {
	const whole = `{"seat":0,"body":{"by":"A","tile":"D","x":0,"y":-1,"turn":90,"placed":{"seat":"A","on":"road N"},"next":"V","next_by":"B"}}`
	read := func(text string) error {
		_, err := Rulebook.Codec().Decode(state.EventPlayed, []byte(text), nil)
		return err
	}
	require.NoError(t, read(whole))
	for _, odd := range [][2]string{
		{`"x":0`, `"x":1000`}, {`"y":-1`, `"y":-169`}, {`"turn":90`, `"turn":45`}, {`"turn":90`, `"turn":360`},
		{`"turn":90`, `"turn":-90`},
		{`"tile":"D"`, `"tile":""`}, {`"by":"A"`, `"by":"G"`}, {`"next_by":"B"`, `"next_by":"G"`},
		{`"next":"V"`, `"next":"ZZ"`},
		{`"on":"road N"`, `"on":"road E"`}, {`"on":"road N"`, `"on":"river N"`}, {`"seat":"A"`, `"seat":"G"`},
		{`"next":"V"`, `"set_off":[""],"next":"V"`}, {`"next":"V"`, `"piles":[1,1,1,1,1,1,1],"next":"V"`},
		{`"next":"V"`, `"scores":[{"what":"road","on":"road N","worth":1,"figures":[{"seat":"G","on":"road N"}]}],"next":"V"`},
		{`"next":"V"`, `"scores":[{"what":"road","on":"road N","worth":1,"figures":[],"points":[{"seat":"G","points":1}]}],"next":"V"`},
	} {
		text := strings.Replace(whole, odd[0], odd[1], 1)
		require.NotEqual(t, whole, text)
		require.Error(t, read(text), odd[1])
	}
}

func TestWhatNoSetUpWritesIsRefusedWhereItIsRead(t *testing.T) {
	setUp, played := opened(t)
	read := func(text string) error {
		_, err := Rulebook.Codec().Decode(state.EventSetUp, []byte(text), nil)
		return err
	}
	require.NoError(t, read(setUp))
	for _, odd := range [][2]string{
		{`"scores":[0,0]`, `"scores":[]`}, {`"scores":[0,0]`, `"scores":[0,0,0]`},
		{`"scores":[0,0]`, `"scores":[0,0,0,0,0,0,0]`},
		{`"followers":[7,7]`, `"followers":[7]`}, {`"abbots":[0,0]`, `"abbots":[]`}, {`"to_move":"A"`, `"to_move":"C"`},
		{`"piles":[]`, `"piles":[1]`}, {`"solo":"off"`, `"solo":"on"`},
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":0,"y":0,"turn":0},{`},  // two in one place
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":0,"y":1,"turn":90},{`}, // a city beside a road or field
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":9,"y":9,"turn":1},{`},
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":9,"y":9,"turn":0,"figures":[{"seat":"C","on":"city E"}]},{`},
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":9,"y":9,"turn":0,"figures":[{"seat":"A","on":"river E"}]},{`},
		{`"tiles":[{`, `"tiles":[{"tile":"D","x":9,"y":9,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"field Nw"},{"seat":"A","abbot":true,"on":"field Nw"}]},{`},
	} {
		text := strings.Replace(setUp, odd[0], odd[1], 1)
		require.NotEqual(t, setUp, text, odd[0])
		require.Error(t, read(text), odd[1])
	}
	_, err := Rulebook.Codec().Decode(state.EventPlayed, []byte(played), nil)
	require.NoError(t, err)
}

func TestATurnThatCannotBeTakenChangesNothing(t *testing.T) {
	p := newPlayout(t, nil, 2, 1)
	turn := *p.random()
	before := *p.state()
	for name, alter := range map[string]func(b *state.Played){
		"on another tile":    func(*state.Played) {},
		"beside other edges": func(b *state.Played) { b.Tile, b.X, b.Y, b.Turn = mismatched(t, p.state()) },
		"an owner nobody is": func(b *state.Played) { b.X, b.NextBy = 50, 4 },
		"a figure of nobody": func(b *state.Played) {
			b.X, b.Placed = 50, &state.Stands{Seat: 3, On: table.Place{Kind: table.Field}}
		},
		"points for nobody": func(b *state.Played) {
			b.X, b.Scores = 50, []state.Score{{Points: []state.Awarded{{Seat: 3, Points: 1}}}}
		},
		"an abbot that nobody has": func(b *state.Played) {
			b.X, b.Placed = 50, &state.Stands{Seat: 0, Abbot: true, On: table.Place{Kind: table.Field}}
		},
		"more piles than there are": func(b *state.Played) { b.X, b.Piles = 50, []int{1, 2, 3} },
		"more set aside than there are tiles": func(b *state.Played) {
			b.X, b.SetOff = 50, make([]table.TileID, table.MaxTiles+1)
		},
	} {
		b := turn
		b.Placed, b.Scores = nil, nil
		alter(&b)
		Rulebook.Evolve(p.line.State, &domain.Event{Type: state.EventPlayed, Body: &b})
		require.Equal(t, before, *p.state(), name)
	}
	b := turn
	b.X, b.Placed, b.Scores = 50, nil, nil
	Rulebook.Evolve(p.line.State, &domain.Event{Type: state.EventPlayed, Body: &b})
	require.NotEqual(t, before, *p.state(), "the same turn in a free place is taken")
}

// mismatched returns a tile, an open place and a turn in which its edges do not match.
func mismatched(t *testing.T, s *state.State) (id table.TileID, x, y, turn int) {
	for _, o := range s.Open[:s.NOpen] {
		c := &s.Cells[o.Cell()]
		for k := range 4 {
			if table.Fitting[0][c.Asks]>>k&1 == 0 {
				return 0, int(c.X), int(c.Y), 90 * k
			}
		}
	}
	require.Fail(t, "every turn fits everywhere")
	return
}
