package rivals

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

func TestWhatNoMoveWritesIsRefusedWhereItIsRead(t *testing.T) {
	read := func(seat, body, hidden string) error {
		_, err := Rulebook.Codec().Decode(state.PlayedType, []byte(`{"seat":`+seat+`,"body":`+body+`}`),
			[]domain.SecretBytes{{To: 1, Data: []byte(hidden)}})
		return err
	}
	ops := func(op string) string { return `{"ops":[` + op + `]}` }
	for _, op := range []string{
		`["hidden",0]`, `["gain",1,"0a",1,"ore"]`, `["pay",0,"cache",1,"gold"]`, `["draw",1,5]`,
		`["build",0,"abbey",0]`, `["road",1,10]`, `["raze",0,"abbey",0,100]`,
		`["over",-1]`, `["land",0,"forest2","0a"]`, `["swap-regions",0,"0a","1b"]`,
	} {
		require.NoError(t, read("0", ops(op), ops(``)), op)
	}
	for _, op := range []string{
		`["hidden",1]`, `["hidden",-1]`, `["gain",-1,"0a",1,"ore"]`, `["gain",2,"0a",1,"ore"]`,
		`["pay",0,"99a",1,"ore"]`, `["pay",0,"0a",1,"gems"]`,
		`["draw",-1,0]`, `["draw",0,6]`, `["draw",0,-1]`, `["build",0,"abbey",48]`, `["build",0,"abbey",-1]`,
		`["swap-cards",0,48,0]`,
		`["road",1,11]`, `["road",1,-1]`, `["settle",1,12]`, `["city",1,-1]`, `["raze",0,"abbey",0,7]`,
		`["raze",0,"abbey",0,-1]`, `["under",0,"abbey",6,1]`, `["take",0,"abbey",-1]`,
		`["land",0,"forest2","cache"]`, `["swap-regions",0,"0a","cache"]`, `["land-at",0,"forest2",12]`,
		`["event-at",0,"yule",40]`, `["event-at",0,"yule",-1]`, `["events",0,41]`, `["events",0,-1]`,
	} {
		require.Error(t, read("0", ops(op), ops(``)), op)
	}
	require.NoError(t, read("1", `{"tasks":[{"kind":"pick","seat":"A","arg":5,"site":47}]}`,
		ops(`["saw",0,"abbey",0]`)))
	for _, odd := range [][3]string{
		{"-1", ops(``), ops(``)}, {"2", ops(``), ops(``)},
		{"0", ops(``), ops(`["hidden",0]`)}, {"0", ops(``), ops(`["draw",0,9]`)},
		{"0", `{"tasks":[{"kind":"pick","seat":"A","arg":6}]}`, ops(``)},
		{"0", `{"tasks":[{"kind":"hand","seat":"A","arg":-1}]}`, ops(``)},
		{"0", `{"tasks":[{"kind":"place","seat":"A","site":48}]}`, ops(``)},
		{"0", `{"tasks":[{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"},{"kind":"act"}]}`, ops(``)},
	} {
		require.ErrorIs(t, read(odd[0], odd[1], odd[2]), state.ErrOdd, "%s", odd)
	}
}

func TestWhatNoDealWritesIsRefusedWhereItIsRead(t *testing.T) {
	line, err := setUpGiven("duel", `{}`)
	require.NoError(t, err)
	e := Rulebook.Blind(line.State, domain.Referee, domain.NewThrowaway(1).Begin())
	public, secrets, err := Rulebook.Codec().Encode(&e)
	require.NoError(t, err)
	read := func(text []byte, parts []domain.SecretBytes) error {
		_, err := Rulebook.Codec().Decode(e.Type, text, parts)
		return err
	}
	require.NoError(t, read(public, secrets))
	side := func(b map[string]any) map[string]any { return b["seats"].([]any)[0].(map[string]any) }
	town := func(b map[string]any) map[string]any { return side(b)["towns"].([]any)[0].(map[string]any) }
	region := func(b map[string]any) map[string]any { return side(b)["regions"].([]any)[0].(map[string]any) }
	for name, alter := range map[string]func(b map[string]any){
		"one seat":      func(b map[string]any) { b["seats"] = b["seats"].([]any)[1:] },
		"another game":  func(b map[string]any) { b["play"] = "whist" },
		"another phase": func(b map[string]any) { b["phase"] = "tea" },
		"nobody begins": func(b map[string]any) { b["first"] = "" },
		"nobody's turn": func(b map[string]any) { b["active"] = "C" },
		"seven stacks": func(b map[string]any) {
			b["stacks"] = append(b["stacks"].([]any), b["stacks"].([]any)[0])
		},
		"a back there is not":  func(b map[string]any) { b["stacks"].([]any)[0].(map[string]any)["back"] = "plaid" },
		"many regions":         func(b map[string]any) { b["centre"] = map[string]any{"regions": make([]string, 13)} },
		"many discards":        func(b map[string]any) { b["discard"] = make([]string, 81) },
		"many events":          func(b map[string]any) { b["events"] = make([]string, 41) },
		"many spare":           func(b map[string]any) { b["spare"] = make([]string, 17) },
		"many tasks":           func(b map[string]any) { b["tasks"] = make([]map[string]any, 17) },
		"a stack there is not": func(b map[string]any) { b["tasks"] = []any{map[string]any{"kind": "look", "arg": 6}} },
		"a task off the map": func(b map[string]any) {
			b["tasks"] = []any{map[string]any{"kind": "place", "site": 48}}
		},
		"a hand of 25":      func(b map[string]any) { side(b)["hand"] = make([]string, 25) },
		"no town":           func(b map[string]any) { side(b)["towns"] = []any{} },
		"a town far off":    func(b map[string]any) { town(b)["at"] = 99 },
		"three above":       func(b map[string]any) { town(b)["above"] = make([]string, 3) },
		"a road far off":    func(b map[string]any) { side(b)["roads"] = []int{-99} },
		"a region nowhere":  func(b map[string]any) { region(b)["at"] = "x" },
		"land there is not": func(b map[string]any) { region(b)["terrain"] = "sea" },
		"four stored":       func(b map[string]any) { region(b)["stored"] = 4 },
		"a cache nowhere":   func(b map[string]any) { side(b)["cache"] = map[string]any{"at": "x"} },
		"four in the cache": func(b map[string]any) { side(b)["cache"] = map[string]any{"at": "0a", "gold": 4} },
	} {
		var text map[string]any
		require.NoError(t, json.Unmarshal(public, &text))
		alter(text["body"].(map[string]any))
		odd, err := json.Marshal(text)
		require.NoError(t, err)
		require.ErrorIs(t, read(odd, secrets), state.ErrOdd, name)
	}
	for name, data := range map[string]string{
		"three hands known": `{"known":[[],[],[]]}`, "seven stacks": `{"stacks":[[],[],[],[],[],[],[]]}`,
		"a hand of 25": `{"seat":"A","hand":["","","","","","","","","","","","","","","","","","","","","","","","",""]}`,
	} {
		require.ErrorIs(t, read(public, []domain.SecretBytes{{Data: []byte(data)}}), state.ErrOdd, name)
	}
}

// Stacks, hands and stores stay within their limits, whatever an altered log puts there.
func TestNothingOverflowsOrRunsOut(t *testing.T) {
	line, err := setUpGiven("duel", `{}`)
	require.NoError(t, err)
	s := line.State.(*state.State)
	for range 300 {
		for _, op := range []state.Op{
			{Code: state.OpDraw}, {Code: state.OpDrawEvt}, {Code: state.OpGain, Place: 2, N: 2},
			{Code: state.OpSteal, Card: 3}, {Code: state.OpRaze, Card: 3}, {Code: state.OpRaze, Card: 3, To: 2},
			{Code: state.OpUnder, Card: 4, Stack: 1},
		} {
			s.Apply(&op)
		}
	}
	require.Zero(t, s.Decks[0].N)
	require.Zero(t, s.Events.N)
	require.EqualValues(t, table.MaxDeck, s.Decks[1].N)
	require.EqualValues(t, table.MaxHand, s.Realms[0].HandN)
	require.EqualValues(t, len(s.Discard), s.DiscardN)
	require.EqualValues(t, table.Capacity, s.Realms[0].Store(2))
	for range 3 {
		s.Apply(&state.Op{Code: state.OpPay, Place: 2, N: 2})
	}
	require.Zero(t, s.Realms[0].Store(2))
}
