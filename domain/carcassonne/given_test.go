package carcassonne

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func setUp(o domain.Choices, seats int, given string) (*State, error) {
	line := domain.NewLine(Rules{}, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: withDefaults(o), Seats: seats, Given: json.RawMessage(given)})
	if err != nil {
		return nil, err
	}
	line.Apply(&e)
	return line.State.(*State), nil
}

func TestWhatStatePrintsCanBeGivenBackAndIsTheSamePosition(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for seed := range uint64(long(1, 20)) {
				p := newPlayout(t, v.o, v.seats, seed+40)
				for i := 0; ; i++ {
					if i%7 == 0 || p.over() {
						printed, err := json.Marshal(Rules{}.View(p.state(), domain.Referee))
						require.NoError(t, err)
						again, err := setUp(v.o, v.seats, string(printed))
						require.NoError(t, err, "%s", printed)
						require.Equal(t, p.state().view(), again.view())
						require.Equal(t, Rules{}.Standing(p.state(), 0), Rules{}.Standing(again, 0))
						require.Equal(t, listed(p.state()), listed(again))
					}
					if p.over() {
						break
					}
					p.random()
				}
			}
		})
	}
}

func listed(s *State) (list []domain.Move) {
	for m := range (Rules{}).Legal(s, s.seatToMove()) {
		list = append(list, m)
	}
	return list
}

func TestAnySubsetOfAPositionMayBeGiven(t *testing.T) {
	p := newPlayout(t, nil, 2, 3)
	for range 20 {
		p.random()
	}
	printed, err := json.Marshal(p.state().view())
	require.NoError(t, err)
	var whole map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(printed, &whole))
	for key := range whole {
		one, err := json.Marshal(map[string]json.RawMessage{key: whole[key]})
		require.NoError(t, err)
		if _, err := setUp(nil, 2, string(one)); key != "followers" && key != "tile" {
			require.NoError(t, err, "%s alone", key)
		}
		delete(whole, key)
		rest, err := json.Marshal(whole)
		require.NoError(t, err)
		_, err = setUp(nil, 2, string(rest))
		_, refused := domain.AsRefusal(err)
		require.True(t, err == nil || refused, "without %s: %v", key, err)
		require.NoError(t, json.Unmarshal(printed, &whole))
	}
}

func TestGivenTilesLeaveTheBagAndStandInsteadOfTheStartTile(t *testing.T) {
	s, err := setUp(nil, 2, `{"tiles":[{"tile":"V","x":3,"y":-2,"turn":90},{"tile":"Vg","x":4,"y":-2,"turn":270}]}`)
	require.NoError(t, err)
	s.bag[s.current]++
	want := (&choices{}).fullBag()
	v, _ := TileNamed("V")
	want[v] -= 2
	require.Equal(t, want, s.bag)
	require.Equal(t, uint8(2), s.nTiles)
}

func TestWithoutTheAbbotAPlainIDStandsForEitherKind(t *testing.T) {
	s, err := setUp(nil, 2, "")
	require.NoError(t, err)
	v, _ := TileNamed("V")
	vg, _ := TileNamed("Vg")
	require.Zero(t, s.bag[vg])
	s.bag[s.current]++
	require.Equal(t, uint8(9), s.bag[v])
	require.NoError(t, newLineFrom(t, "", "Vg"))
	require.NoError(t, newLineFrom(t, "", "v"))
	require.Error(t, newLineFrom(t, "", "RA"))
	require.Error(t, newLineFrom(t, "", "RL"), "without the river there is no lake to pass over")
	require.Error(t, newLineFrom(t, "", "banana"))
}

func TestAPositionThatCannotBeIsRefused(t *testing.T) {
	d := `{"tile":"D","x":0,"y":0,"turn":0`
	on := domain.Choices{"abbot": "on"}
	for given, want := range map[string]string{
		`{`:          "given-unreadable",
		`[]`:         "given-unreadable",
		`{"til":[]}`: "given-unreadable",
		`{} {}`:      "given-unreadable",
		`{"tiles":[{"tile":"Z","x":0,"y":0,"turn":0}]}`:                                                      "given-unreadable",
		`{"tiles":[{"x":0,"y":0,"turn":0}]}`:                                                                 "given-no-tile",
		`{"tiles":[{"tile":"D","x":0,"y":0,"turns":0}]}`:                                                     "given-unreadable",
		`{"tiles":[{"tile":"","x":0,"y":0,"turn":0}]}`:                                                       "given-no-tile",
		`{"tiles":[{"tile":"RA","x":0,"y":0,"turn":0}]}`:                                                     "given-too-many",
		`{"tiles":[{"tile":"C","x":0,"y":0,"turn":0},{"tile":"C","x":1,"y":0,"turn":0}]}`:                    "given-too-many",
		`{"tiles":[` + d + `},` + d + `}]}`:                                                                  "given-twice",
		`{"tiles":[{"tile":"D","x":0,"y":0,"turn":45}]}`:                                                     "given-turn",
		`{"tiles":[{"tile":"D","x":0,"y":0,"turn":-90}]}`:                                                    "given-turn",
		`{"tiles":[{"tile":"D","x":0,"y":0,"turn":360}]}`:                                                    "given-turn",
		`{"tiles":[{"tile":"D","x":99999,"y":0,"turn":0}]}`:                                                  "given-far",
		`{"tiles":[` + d + `},{"tile":"D","x":501,"y":0,"turn":0}]}`:                                         "given-far",
		`{"tiles":[` + d + `},{"tile":"B","x":1,"y":0,"turn":0}]}`:                                           "given-edges",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city E"}]}]}`:                                      "given-no-part",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"cloister"}]}]}`:                                    "given-no-part",
		`{"tiles":[` + d + `,"figures":[{"seat":"C","on":"city N"}]}]}`:                                      "given-seat",
		`{"tiles":[` + d + `,"figures":[{"seat":"Z","on":"city N"}]}]}`:                                      "given-unreadable",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"tower N"}]}]}`:                                     "given-unreadable",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"},{"seat":"B","on":"road E"}]}]}`:           "given-two-figures",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","abbot":true,"on":"city N"}]}]}`:                         "given-abbot",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"}]},{"tile":"E","x":0,"y":-1,"turn":180}]}`: "given-scored",
		`{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"}]}],"followers":[7,7]}`:                    "given-hand",
		`{"followers":[8,7]}`:     "given-hand",
		`{"followers":[-1,7]}`:    "given-hand",
		`{"abbots":[1,0]}`:        "given-hand",
		`{"scores":[1]}`:          "given-length",
		`{"scores":[1,-1]}`:       "given-scores",
		`{"scores":[1,99999999]}`: "given-scores",
		`{"to_move":"C"}`:         "given-seat",
		`{"to_move":"AB"}`:        "given-unreadable",
		`{"turn":0}`:              "given-unreadable",
		`{"tile":"RB"}`:           "given-not-left",
		`{"tile":"C","tiles":[{"tile":"B","x":0,"y":0,"turn":0}]}`: "given-fits-nowhere",
		`{"set_aside":["C","C"]}`:                                  "given-not-left",
		`{"remaining":{"C":2}}`:                                    "given-not-left",
		`{"remaining":{"Q1":2}}`:                                   "given-unreadable",
		`{"phase":"river"}`:                                        "given-phase",
		`{"phase":"noon"}`:                                         "given-unreadable",
		`{"phase":"over","tile":"V"}`:                              "given-phase",
		`{"piles":[1,2]}`:                                          "given-piles",
		`{"options":{"farmers":"off"}}`:                            "given-options",
		`{"options":{"farmers":"maybe"}}`:                          "given-unreadable",
		`{"options":{"farmer":"off"}}`:                             "given-unreadable",
	} {
		_, err := setUp(nil, 2, given)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", given, err)
		require.Equal(t, want, refusal.Code, given)
	}
	for given, want := range map[string]string{
		`{"tiles":[{"tile":"Eg","x":0,"y":0,"turn":0,"figures":[{"seat":"A","on":"garden"}]}]}`:             "given-follower",
		`{"tiles":[{"tile":"E","x":0,"y":0,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"garden"}]}]}`: "given-no-part",
	} {
		_, err := setUp(on, 2, given)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", given, err)
		require.Equal(t, want, refusal.Code, given)
	}
}

func TestAPositionThatCannotBeReadSaysWhereAndWhatIsAllowed(t *testing.T) {
	for given, want := range map[string][3]string{
		`{"til":[]}`: {"til", `"til"`, "given.unknown"},
		`{"tiles":[{"tile":"D","x":0,"y":0,"turns":0}]}`:                               {"tiles[0].turns", `"turns"`, "given.unknown"},
		`{"tiles":[{"tile":"Z","x":0,"y":0,"turn":0}]}`:                                {"tiles[0].tile", `"Z"`, "given.tile"},
		`{"tiles":[{"tile":"D","x":"0","y":0}]}`:                                       {"tiles[0].x", `"0"`, "given.number"},
		`{"tiles":[{"tile":"D","x":0,"y":0,"figures":[{"seat":"A","on":"tower N"}]}]}`: {"tiles[0].figures[0].on", `"tower N"`, "given.place"},
		`{"remaining":{"Q1":2}}`:                                                       {"remaining.Q1", `"Q1"`, "given.tile"},
		`{"phase":"noon"}`:                                                             {"phase", `"noon"`, "given.word"},
		`{"to_move":"AB"}`:                                                             {"to_move", `"AB"`, "given.owner"},
		`{"tile":"D","tile":"D"}`:                                                      {"tile", "…", "given.twice"},
	} {
		_, err := setUp(nil, 2, given)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", given, err)
		why, ok := refusal.Args["why"].(domain.Say)
		require.True(t, ok, given)
		require.Equal(t, want, [3]string{refusal.Args["path"].(string), refusal.Args["value"].(string), why.Key}, given)
	}
}

func TestABoardMayBeInPiecesButNotInAGreatMany(t *testing.T) {
	apart := func(n int) string {
		var list []ViewTile
		for i := range n {
			id, _ := TileNamed(string("AABBBBCDDDDEEEEEFFGHHHIIJJJKKK"[i]))
			list = append(list, ViewTile{Tile: id, X: 3 * i})
		}
		text, err := json.Marshal(map[string]any{"tiles": list})
		require.NoError(t, err)
		return string(text)
	}
	s, err := setUp(nil, 2, apart(12))
	require.NoError(t, err)
	require.Equal(t, uint16(48), s.nOpen)
	_, err = setUp(nil, 2, apart(30))
	refusal, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "given-far", refusal.Code)
}

func TestSetupRefusesWhatTheGameDoesNotHave(t *testing.T) {
	for _, g := range []domain.Game{
		{Seats: 1}, {Seats: 6}, {Seats: 2, Choices: domain.Choices{"solo": "on"}},
		{Seats: 2, Choices: domain.Choices{"colours": "9"}}, {Seats: 2, Choices: domain.Choices{"dragon": "on"}},
	} {
		_, err := Rules{}.Setup(g, domain.NewThrowaway(1).Begin())
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, "%+v", g)
	}
}

// FuzzGiven: whatever is given is refused, or is a position that plays on and prints itself.
func FuzzGiven(f *testing.F) {
	p := newPlayout(f, domain.Choices{"abbot": "on", "river": "on"}, 2, 3)
	for i := range 40 {
		if i%13 == 0 {
			printed, err := json.Marshal(p.state().view())
			require.NoError(f, err)
			f.Add(string(printed), true)
		}
		p.random()
	}
	f.Add(`{"tiles":[{"tile":"D","x":0,"y":0,"turn":0}]}`, false)
	f.Add(`{"remaining":{"E":1},"scores":[1,2],"to_move":"B","set_aside":["C"]}`, false)
	f.Fuzz(func(t *testing.T, given string, more bool) {
		o := domain.Choices{}
		if more {
			o = domain.Choices{"abbot": "on", "river": "on"}
		}
		s, err := setUp(o, 2, given)
		if err != nil {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%v", err)
			return
		}
		printed, err := json.Marshal(s.view())
		require.NoError(t, err)
		again, err := setUp(o, 2, string(printed))
		require.NoError(t, err, "%s", printed)
		require.Equal(t, s.view(), again.view())
		line := &domain.Line{Rulebook: Rules{}, State: s, Luck: domain.NewThrowaway(2), Version: 1}
		for n := 0; n < 200 && !s.over; n++ {
			m := listed(s)[0]
			e, err := Rules{}.Decide(s, s.seatToMove(), m, line.Luck.Begin())
			require.NoError(t, err)
			Rules{}.Evolve(s, &e)
		}
	})
}
