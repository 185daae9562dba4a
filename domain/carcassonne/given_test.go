package carcassonne

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/rules"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func setUp(o domain.Choices, seats int, given string) (*state.State, error) {
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: withDefaults(o), Seats: seats, Given: json.RawMessage(given)})
	if err != nil {
		return nil, err
	}
	line.Apply(&e)
	return line.State.(*state.State), nil
}

func TestAPrintedPositionGivenBackIsTheSame(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for seed := range uint64(long(1, 20)) {
				p := newPlayout(t, v.o, v.seats, seed+40)
				for i := 0; ; i++ {
					if i%7 == 0 || p.over() {
						printed, err := json.Marshal(Rulebook.View(p.state(), domain.Referee))
						require.NoError(t, err)
						again, err := setUp(v.o, v.seats, string(printed))
						require.NoError(t, err, "%s", printed)
						require.Equal(t, p.state().View(), again.View())
						require.Equal(t, Rulebook.Standing(p.state(), 0), Rulebook.Standing(again, 0))
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

func listed(s *state.State) (list []domain.Move) {
	for m := range Rulebook.Legal(s, rules.SeatToMove(s)) {
		list = append(list, m)
	}
	return list
}

func TestAnySubsetOfAPositionMayBeGiven(t *testing.T) {
	p := newPlayout(t, nil, 2, 3)
	for range 20 {
		p.random()
	}
	printed, err := json.Marshal(p.state().View())
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

func TestGivenTilesLeaveTheBagAndReplaceTheStartTile(t *testing.T) {
	s, err := setUp(nil, 2, `{"tiles":[{"tile":"V","x":3,"y":-2,"turn":90},{"tile":"Vg","x":4,"y":-2,"turn":270}]}`)
	require.NoError(t, err)
	s.Bag[s.Current]++
	want := state.FullBag((&table.Choices{}))
	v, _ := table.TileNamed("V")
	want[v] -= 2
	require.Equal(t, want, s.Bag)
	require.Equal(t, uint8(2), s.NTiles)
}

func TestWithoutTheAbbotAPlainIDStandsForEitherKind(t *testing.T) {
	s, err := setUp(nil, 2, "")
	require.NoError(t, err)
	v, _ := table.TileNamed("V")
	vg, _ := table.TileNamed("Vg")
	require.Zero(t, s.Bag[vg])
	s.Bag[s.Current]++
	require.Equal(t, uint8(9), s.Bag[v])
	require.NoError(t, newLineFrom(t, "", "Vg"))
	require.NoError(t, newLineFrom(t, "", "v"))
	require.Error(t, newLineFrom(t, "", "RA"))
	require.Error(t, newLineFrom(t, "", "RL"), "without the river there is no lake to pass over")
	require.Error(t, newLineFrom(t, "", "banana"))
}

func TestAnImpossiblePositionIsRefusedWithPlaceAndWhy(t *testing.T) {
	d := `{"tile":"D","x":0,"y":0,"turn":0`
	garden := domain.Choices{"abbot": "on"}
	solo := domain.Choices{"solo": "on"}
	for _, c := range []struct {
		o                       domain.Choices
		given, path, value, why string
	}{
		{nil, `{`, "given", `…`, "json"},
		{nil, `[]`, "given", `[…]`, "object"},
		{nil, `{} {}`, "given", `{} {}`, "json"},
		{nil, `{"til":[]}`, "til", `"til"`, "unknown"},
		{nil, `{"tile":"D","tile":"D"}`, "tile", `…`, "twice"},
		{nil, `{"tiles":[{"tile":"Z","x":0,"y":0,"turn":0}]}`, "tiles[0].tile", `"Z"`, "tile"},
		{nil, `{"tiles":[{"x":0,"y":0,"turn":0}]}`, "tiles[0].tile", `""`, "tile"},
		{nil, `{"tiles":[{"tile":"","x":0,"y":0,"turn":0}]}`, "tiles[0].tile", `""`, "tile"},
		{nil, `{"tiles":[{"tile":"D","x":0,"y":0,"turns":0}]}`, "tiles[0].turns", `"turns"`, "unknown"},
		{nil, `{"tiles":[{"tile":"D","x":"0","y":0}]}`, "tiles[0].x", `"0"`, "number"},
		{nil, `{"tiles":[{"tile":"RA","x":0,"y":0,"turn":0}]}`, "tiles[0].tile", `"RA"`, "not-in-game"},
		{nil, `{"tiles":[{"tile":"C","x":0,"y":0,"turn":0},{"tile":"C","x":1,"y":0,"turn":0}]}`, "tiles[1].tile", `"C"`,
			"copies"},
		{nil, `{"tiles":[` + d + `},` + d + `}]}`, "tiles[1]", `"0,0"`, "place-taken"},
		{nil, `{"tiles":[{"tile":"D","x":0,"y":0,"turn":45}]}`, "tiles[0].turn", `45`, "turn"},
		{nil, `{"tiles":[{"tile":"D","x":0,"y":0,"turn":-90}]}`, "tiles[0].turn", `-90`, "number"},
		{nil, `{"tiles":[{"tile":"D","x":0,"y":0,"turn":360}]}`, "tiles[0].turn", `360`, "number"},
		{nil, `{"tiles":[{"tile":"D","x":99999,"y":0,"turn":0}]}`, "tiles[0].x", `99999`, "number"},
		{nil, `{"tiles":[` + d + `},{"tile":"D","x":0,"y":-501,"turn":0}]}`, "tiles[1].y", `-501`, "number"},
		{nil, `{"tiles":[` + d + `},{"tile":"B","x":1,"y":0,"turn":0}]}`, "tiles[1]", `"B 1,0 0"`, "edges"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city E"}]}]}`, "tiles[0].figures[0].on", `"city E"`,
			"part"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"cloister"}]}]}`, "tiles[0].figures[0].on", `"cloister"`,
			"part"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"river N"}]}]}`, "tiles[0].figures[0].on", `"river N"`,
			"river"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"tower N"}]}]}`, "tiles[0].figures[0].on", `"tower N"`,
			"place"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"C","on":"city N"}]}]}`, "tiles[0].figures[0].seat", `"C"`,
			"seat"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"Z","on":"city N"}]}]}`, "tiles[0].figures[0].seat", `"Z"`,
			"owner"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"},{"seat":"B","on":"road E"}]}]}`,
			"tiles[0].figures[1]", `{"seat":"B","on":"road E"}`, "one-figure"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","abbot":true,"on":"city N"}]}]}`, "tiles[0].figures[0].abbot",
			`true`, "no-abbot"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"}]},{"tile":"E","x":0,"y":-1,"turn":180}]}`,
			"tiles[0].figures[0].on", `"city N"`, "complete"},
		{nil, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"city N"}]}],"followers":[7,7]}`, "followers[0]", `7`,
			"in-hand"},
		{nil, `{"followers":[7,8]}`, "followers[1]", `8`, "number"},
		{nil, `{"followers":[-1,7]}`, "followers[0]", `-1`, "number"},
		{nil, `{"abbots":[1,0]}`, "abbots[0]", `1`, "in-hand"},
		{nil, `{"scores":[1]}`, "scores", `[1]`, "length"},
		{nil, `{"scores":[1,-1]}`, "scores[1]", `-1`, "number"},
		{nil, `{"scores":[1,99999999]}`, "scores[1]", `99999999`, "number"},
		{nil, `{"to_move":"C"}`, "to_move", `"C"`, "seat"},
		{nil, `{"to_move":"AB"}`, "to_move", `"AB"`, "owner"},
		{nil, `{"turn":0}`, "turn", `0`, "number"},
		{nil, `{"tile":"RB"}`, "tile", `"RB"`, "not-in-game"},
		{nil, `{"tile":"C","tiles":[{"tile":"B","x":0,"y":0,"turn":0}]}`, "tile", `"C"`, "fits-nowhere"},
		{nil, `{"set_aside":["C","C"]}`, "set_aside[1]", `"C"`, "left"},
		{nil, `{"set_aside":[""]}`, "set_aside[0]", `""`, "tile"},
		{nil, `{"remaining":{"C":2}}`, "remaining.C", `2`, "left"},
		{nil, `{"remaining":{"RB":2}}`, "remaining.RB", `2`, "not-in-game"},
		{nil, `{"remaining":{"RA":1}}`, "remaining.RA", `1`, "spring"},
		{nil, `{"remaining":{"Q1":2}}`, "remaining.Q1", `"Q1"`, "tile"},
		{nil, `{"phase":"river"}`, "phase", `"river"`, "phase"},
		{nil, `{"phase":"noon"}`, "phase", `"noon"`, "word"},
		{nil, `{"phase":"over","tile":"V"}`, "phase", `"over"`, "not-over"},
		{nil, `{"phase":"over","remaining":{"V":1}}`, "phase", `"over"`, "not-over"},
		{nil, `{"piles":[1,2]}`, "piles", `[1,2]`, "only-solo"},
		{nil, `{"options":{"farmers":"off"}}`, "options.farmers", `"off"`, "option"},
		{nil, `{"options":{"farmers":"maybe"}}`, "options.farmers", `"maybe"`, "word"},
		{nil, `{"options":{"farmer":"off"}}`, "options.farmer", `"farmer"`, "unknown"},
		{domain.Choices{"farmers": "off"}, `{"tiles":[` + d + `,"figures":[{"seat":"A","on":"field Nw"}]}]}`,
			"tiles[0].figures[0].on", `"field Nw"`, "no-farmers"},
		{garden, `{"tiles":[{"tile":"Eg","x":0,"y":0,"turn":0,"figures":[{"seat":"A","on":"garden"}]}]}`,
			"tiles[0].figures[0].on", `"garden"`, "garden"},
		{garden, `{"tiles":[{"tile":"E","x":0,"y":0,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"garden"}]}]}`,
			"tiles[0].figures[0].on", `"garden"`, "part"},
		{garden, `{"tiles":[{"tile":"E","x":0,"y":0,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"city N"}]}]}`,
			"tiles[0].figures[0].on", `"city N"`, "abbot-on"},
		{garden, `{"tiles":[{"tile":"B","x":0,"y":0,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"cloister"}]},{"tile":"B","x":9,"y":0,"turn":0,"figures":[{"seat":"A","abbot":true,"on":"cloister"}]}]}`, "tiles[1].figures[0].abbot", `true`, "one-abbot"},
		{solo, `{"piles":[1,2]}`, "piles", `[1,2]`, "length"},
		{solo, `{"piles":[1,2,3]}`, "piles", `[1,2,3]`, "piles"},
		{solo, `{"tiles":[` + cloisters(5) + `]}`, "tiles[4].figures[0].seat", `"A"`, "followers"},
	} {
		seats := 2
		if c.o.On("solo") {
			seats = 1
		}
		_, err := setUp(c.o, seats, c.given)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", c.given, err)
		why, ok := refusal.Args["why"].(domain.Say)
		require.True(t, ok, "%s: %v", c.given, refusal)
		require.Equal(t, [4]string{"given", c.path, c.value, "given." + c.why},
			[4]string{refusal.Code, refusal.Args["path"].(string), refusal.Args["value"].(string), why.Key}, c.given)
	}
}

// cloisters returns cloisters far apart, each with a follower of the first colour.
func cloisters(n int) string {
	var list []string
	for i, tile := range []string{"B", "B", "B", "B", "A"}[:n] {
		list = append(list, fmt.Sprintf(`{"tile":%q,"x":%d,"y":0,"turn":0,"figures":[{"seat":"A","on":"cloister"}]}`,
			tile, 3*i))
	}
	return strings.Join(list, ",")
}

func TestABoardMayBeInPiecesButNotInAGreatMany(t *testing.T) {
	apart := func(n int) string {
		var list []state.ViewTile
		for i := range n {
			id, _ := table.TileNamed(string("AABBBBCDDDDEEEEEFFGHHHIIJJJKKK"[i]))
			list = append(list, state.ViewTile{Tile: id, X: 3 * i})
		}
		text, err := json.Marshal(map[string]any{"tiles": list})
		require.NoError(t, err)
		return string(text)
	}
	s, err := setUp(nil, 2, apart(12))
	require.NoError(t, err)
	require.Equal(t, uint16(48), s.NOpen)
	_, err = setUp(nil, 2, apart(30))
	refusal, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "given.pieces", refusal.Args["why"].(domain.Say).Key)
}

func TestSetupRefusesWhatTheGameDoesNotHave(t *testing.T) {
	for _, g := range []domain.Game{
		{Seats: 1}, {Seats: 6}, {Seats: 2, Choices: domain.Choices{"solo": "on"}},
		{Seats: 2, Choices: domain.Choices{"colours": "9"}}, {Seats: 2, Choices: domain.Choices{"dragon": "on"}},
	} {
		_, err := Rulebook.Setup(g, domain.NewThrowaway(1).Begin())
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, "%+v", g)
	}
}

// FuzzGiven: any given position is refused, or can be played on and prints itself.
func FuzzGiven(f *testing.F) {
	p := newPlayout(f, domain.Choices{"abbot": "on", "river": "on"}, 2, 3)
	for i := range 40 {
		if i%13 == 0 {
			printed, err := json.Marshal(p.state().View())
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
		printed, err := json.Marshal(s.View())
		require.NoError(t, err)
		again, err := setUp(o, 2, string(printed))
		require.NoError(t, err, "%s", printed)
		require.Equal(t, s.View(), again.View())
		line := &domain.Line{Rulebook: Rulebook, State: s, Luck: domain.NewThrowaway(2), Version: 1}
		for n := 0; n < 200 && !s.Over; n++ {
			m := listed(s)[0]
			e, err := Rulebook.Decide(s, rules.SeatToMove(s), m, line.Luck.Begin())
			require.NoError(t, err)
			Rulebook.Evolve(s, &e)
		}
	})
}
