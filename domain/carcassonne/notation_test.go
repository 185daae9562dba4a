package carcassonne

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func TestNotationIsReadAsPeopleTypeIt(t *testing.T) {
	for text, want := range map[string]string{
		"1,0 90 road W":          "1,0 90 road W",
		"  1 , 0   90  ROAD  w ": "1,0 90 road W",
		"1,0 90 estrada W":       "1,0 90 road W",
		"1,0 90 droga W":         "1,0 90 road W",
		"1,0 90 trakt W":         "1,0 90 road W",
		"(1,0) 90° cidade N":     "1,0 90 city N",
		"-3,-12 180 miasto s":    "-3,-12 180 city S",
		"−3,12 180":              "-3,12 180",
		"0,1 270 campo es":       "0,1 270 field Es",
		"0,1 270 pole Wn":        "0,1 270 field Wn",
		"0,1 0 mosteiro":         "0,1 0 cloister",
		"0,1 0 klasztor":         "0,1 0 cloister",
		"0,1 0 abade jardim":     "0,1 0 abbot garden",
		"0,1 0 opat ogród":       "0,1 0 abbot garden",
		"0,1 0 abbot cloister":   "0,1 0 abbot cloister",
		"0,1 0 recall":           "0,1 0 recall",
		"0,1 0 recolher abade":   "0,1 0 recall",
		"0,1 0 odwołaj opata":    "0,1 0 recall",
		"1,0 90 thief W":         "1,0 90 road W",
		"1,0 90 camponês Es":     "1,0 90 field Es",
		"0,1 0 odwołaj opat":     "0,1 0 recall",
		"0,1 360":                "",
		"2,-1 0 road S score road " +
			"E, city N, cloister 3,-1": "2,-1 0 road S score road E, city N, cloister 3,-1",
		"2,-1 0 estrada S pontuar estrada E, " +
			"cidade N, mosteiro 3,-1": "2,-1 0 road S score road E, city N, cloister 3,-1",
		"2,-1 0 punktuj droga E , ogród 1,-2": "2,-1 0 score road E, garden 1,-2",
		"":                                    "",
		"pass":                                "",
		"1 0 90":                              "",
		"1,0":                                 "",
		"1,0 45":                              "",
		"1,0 -90":                             "",
		"1,0 90 road":                         "",
		"1,0 90 road Es":                      "",
		"1,0 90 field E":                      "",
		"1,0 90 cloister N":                   "",
		"1,0 90 abbot road N":                 "",
		"1,0 90 road W road W":                "",
		"99999,0 90":                          "",
		"1,0 90 score":                        "",
		"1,0 90 score road E,":                "",
		"1,0 90 score field Es":               "",
		"1,0 90 score cloister 5,5":           "",
	} {
		m, err := Rulebook.ParseMove(text, nil)
		if want == "" {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%q: %v, %v", text, m, err)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, Rulebook.FormatMove(m, nil), "%q", text)
		for _, typed := range []string{strings.ToUpper(text), norm.NFD.String(text),
			strings.ReplaceAll(text, " ", "\u202f"), strings.ReplaceAll(text, "-", "−"),
			strings.ReplaceAll(text, "-", "\u2011")} {
			again, err := Rulebook.ParseMove(typed, nil)
			require.NoError(t, err, "%q", typed)
			require.Equal(t, m, again, "%q", typed)
		}
	}
}

func TestAnyEdgeOfAFeatureNamesIt(t *testing.T) {
	play(t, `
		board B 0,0 0
		chance U
		Ana: 0,1 0 field Ws # scores 0 0
	`)
	p := newPlayout(t, nil, 2, 1)
	s := p.state()
	s.Current = state.MustTile("Q")
	for _, edge := range []string{"N", "E", "W"} {
		m, err := Rulebook.ParseMove("0,-1 180 city "+edge, nil) // as it lies: S, W and E
		require.NoError(t, err)
		e, err := Rulebook.Decide(s, 0, m, domain.NewThrowaway(1).Begin())
		if edge == "N" {
			require.Error(t, err, "its field lies north")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "city E", e.Body.(*state.Played).Placed.On.String(), "the first edge clockwise is kept")
	}
}

func genMove(t *rapid.T) state.Move {
	m := state.Move{
		X: int16(rapid.IntRange(-9999, 9999).Draw(t, "x")), Y: int16(rapid.IntRange(-9999, 9999).Draw(t, "y")),
		Quarter:  uint8(rapid.IntRange(0, 3).Draw(t, "turn")),
		Follower: table.Choice(rapid.IntRange(0, int(table.Recall)).Draw(t, "choice")),
	}
	if m.X > -9999 && m.X < 9999 && m.Y > -9999 && m.Y < 9999 && rapid.Bool().Draw(t, "ordered") {
		codes := rapid.SliceOfN(rapid.Uint8Range(1, 26), 1, state.OrderMost).Draw(t, "order")
		m.Order = state.PackOrder(codes)
	}
	return m
}

func TestNotationIsReadBackAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genMove(t)
		text := Rulebook.FormatMove(m, nil)
		back, err := Rulebook.ParseMove(text, nil)
		require.NoError(t, err, text)
		require.Equal(t, m, back, text)
	})
}

// FuzzParseMove: any text is refused, or is a move that reads the same once written.
func FuzzParseMove(f *testing.F) {
	for _, seed := range []string{
		"1,0 90 road W", "-1,-2 270 abbot garden", "0,1 0 recall", "2,-1 0 road S score road E, city N, cloister 3,-1",
		"1,0 90 estrada w", "1,0 90 pole Ws", "", "1,,0", "1,0 90 score score",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Rulebook.ParseMove(text, nil)
		if err != nil {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused)
			return
		}
		written := Rulebook.FormatMove(m, nil)
		back, err := Rulebook.ParseMove(written, nil)
		require.NoError(t, err, "%q from %q", written, text)
		require.Equal(t, m, back)
	})
}
