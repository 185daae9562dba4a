package catan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/catan/state"
)

func TestWhatNoMoveWritesIsRefusedWhereItIsRead(t *testing.T) {
	read := func(seat, body string) error {
		_, err := catan.Rulebook.Codec().
			Decode("played.v1", []byte(`{"seat":`+seat+`,"body":`+body+`}`),
				[]domain.SecretBytes{{To: 1, Data: []byte(`{"card":1}`)}})
		return err
	}
	const road, settle = `{"did":"road","phase":"main","pieces":[[0,1,71]]}`,
		`{"did":"settle","phase":"main","pieces":[[3,2,53]],"robber":18}`
	require.NoError(t, read("0", road))
	require.NoError(t, read("3", settle))
	for _, odd := range [][2]string{
		{"-1", road}, {"4", road},
		{"0", strings.Replace(road, "71", "72", 1)}, {"0", strings.Replace(road, "71", "-1", 1)},
		{"0", strings.Replace(road, "0,1", "4,1", 1)}, {"0", strings.Replace(road, "0,1", "-1,1", 1)},
		{"0", strings.Replace(settle, "3,2,53", "3,4,53", 1)}, {"0", strings.Replace(settle, "53", "54", 1)},
		{"0", strings.Replace(settle, "53", "-1", 1)}, {"0", strings.Replace(settle, "18", "19", 1)},
		{"0", strings.Replace(settle, "18", "-2", 1)},
		{"0", `{"did":"end","phase":"roll","next":4}`}, {"0", `{"did":"end","phase":"roll","next":-2}`},
		{"0", `{"did":"knight","phase":"main","from":4}`},
		{"0", `{"did":"knight","phase":"main","cards":[4,0]}`}, {"0", `{"did":"knight","phase":"main","cards":[0,-2]}`},
		{"0", `{"did":"confirm","phase":"main","partner":4}`}, {"0", `{"did":"give","phase":"main"}`},
		{"0", `{"did":"end","phase":"over","won":[4,10]}`},
	} {
		require.Error(t, read(odd[0], odd[1]), odd[1])
	}
}

func TestAnUnseenCardIsOneThereIs(t *testing.T) {
	for card, fits := range map[string]bool{`0`: true, `5`: true, `6`: false, `-1`: false} {
		_, err := catan.Rulebook.Codec().Decode("played.v1", []byte(`{"seat":0,"body":{"did":"buy","phase":"main"}}`),
			[]domain.SecretBytes{{To: 1, Data: []byte(`{"card":` + card + `}`)}})
		require.Equal(t, fits, err == nil, "%s: %v", card, err)
	}
}

func TestWhatNoSetUpWritesIsRefusedWhereItIsRead(t *testing.T) {
	full, err := domain.Complete(catan.Rulebook, nil)
	require.NoError(t, err)
	e, _, err := domain.NewLine(catan.Rulebook, domain.NewThrowaway(1)).
		Setup(domain.Game{Choices: full, Seats: 2, First: 1,
			Given: json.RawMessage(`{"phase":"main","players":[{"settlements":[30],"roads":[35],"hand":{"ore":1}},{}],"neutrals":[{"name":"N","settlements":[17]}]}`)})
	require.NoError(t, err)
	public, secrets, err := catan.Rulebook.Codec().Encode(&e)
	require.NoError(t, err)
	read := func(text []byte) error {
		_, err := catan.Rulebook.Codec().Decode(e.Type, text, secrets)
		return err
	}
	require.NoError(t, read(public))
	for name, alter := range map[string]func(b, given map[string]any){
		"one seat":              func(b, _ map[string]any) { b["seats"] = 1 },
		"five seats":            func(b, _ map[string]any) { b["seats"] = 5 },
		"nobody begins":         func(b, _ map[string]any) { b["first"] = -1 },
		"a third of two begins": func(b, _ map[string]any) { b["first"] = 2 },
		"neutrals of three":     func(b, _ map[string]any) { b["seats"] = 3 },
		"more players": func(_, g map[string]any) {
			g["players"] = append(g["players"].([]any), g["players"].([]any)[1])
		},
		"more neutrals": func(_, g map[string]any) { g["neutrals"] = make([]any, 3) },
		"a corner off the map": func(_, g map[string]any) {
			g["players"].([]any)[0].(map[string]any)["settlements"] = []int{54}
		},
		"a city off the map": func(_, g map[string]any) {
			g["players"].([]any)[0].(map[string]any)["cities"] = []int{-1}
		},
		"a road off the map": func(_, g map[string]any) {
			g["players"].([]any)[0].(map[string]any)["roads"] = []int{72}
		},
		"a neutral off the map": func(_, g map[string]any) {
			g["neutrals"].([]any)[0].(map[string]any)["settlements"] = []int{-1}
		},
		"a neutral road": func(_, g map[string]any) {
			g["neutrals"].([]any)[0].(map[string]any)["roads"] = []int{99}
		},
		"the robber at sea": func(_, g map[string]any) { g["robber"] = 19 },
		"nobody's turn":     func(_, g map[string]any) { delete(g, "active") },
		"a neutral's turn":  func(_, g map[string]any) { g["active"] = "N" },
		"nobody was first":  func(_, g map[string]any) { g["first"] = "" },
		"three throws":      func(_, g map[string]any) { g["dice"] = [][2]int{{1, 2}, {1, 2}, {1, 2}} },
		"an offer of nothing": func(_, g map[string]any) {
			g["offers"] = []any{map[string]any{"by": "A", "want": map[string]int{"ore": 1}}}
		},
		"an offer for nothing": func(_, g map[string]any) {
			g["offers"] = []any{map[string]any{"by": "A", "give": map[string]int{"ore": 1}}}
		},
	} {
		var text map[string]any
		require.NoError(t, json.Unmarshal(public, &text))
		body := text["body"].(map[string]any)
		alter(body, body["given"].(map[string]any))
		odd, err := json.Marshal(text)
		require.NoError(t, err)
		require.ErrorContains(t, read(odd), "there is no", name)
	}
}

func TestAMoveOfASeatThatNobodySetUpChangesNothing(t *testing.T) {
	rb := catan.Rulebook
	e := domain.Event{Type: "played.v1", Seat: 3, Body: &state.Played{Did: state.KindRoad, Phase: state.PhaseMain}}
	state, want := rb.New(), rb.New()
	rb.Evolve(state, &e)
	require.Equal(t, want, state)
	rb.View(state, domain.Referee)
}
