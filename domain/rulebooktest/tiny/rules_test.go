package tiny_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/domain/script"
)

// The rules, as scripts: given a position, when moves, then what the last one came to.
func TestTheRules(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		ok     bool   // of the last move
		why    string // its refusal
		scores []int
		final  []int
		state  map[string]any // some keys of the position then
	}{
		"the highest card takes as many points as the die shows": {
			script: `given {"hands":[3,9]}; chance die 4; A: keep; B: keep; A: roll`, ok: true,
			scores: []int{0, 4}, final: []int{2, 6}, state: map[string]any{"round": 2.0, "roller": "B", "laid": []any{3.0, 9.0}},
		},
		"with the option low an odd die favours the lowest": {
			script: `option low on; given {"hands":[3,9]}; chance die 5; A: keep; B: keep; A: roll`, ok: true,
			scores: []int{5, 0}, final: []int{7, 2},
		},
		"with the option low an even die favours the highest": {
			script: `option low on; given {"hands":[3,9]}; chance die 2; A: keep; B: keep; A: roll`, ok: true,
			scores: []int{0, 2}, final: []int{2, 4},
		},
		"a swapped card lies open, and the top of the stack takes its place": {
			script: `given {"hands":[3,9]}; chance stack 17; A: swap`, ok: true,
			scores: []int{0, 0}, final: []int{2, 2}, state: map[string]any{"hands": []any{17.0, 9.0}, "laid": []any{3.0}, "left": 21.0},
		},
		"who peeks knows the card, and loses the two points at the end": {
			script: `given {"hands":[3,9]}; A: peek B`, ok: true,
			scores: []int{0, 0}, final: []int{0, 2}, state: map[string]any{"known": []any{"A", "AB"}, "peeked": []any{true, false}},
		},
		"a peek is worth nothing once the card is swapped": {
			script: `A: peek B; B: swap`, ok: true,
			scores: []int{0, 0}, final: []int{0, 2}, state: map[string]any{"known": []any{"A", "B"}},
		},
		"nobody peeks at their own card":           {script: `A: peek A`, why: "known", scores: []int{0, 0}, final: []int{2, 2}},
		"nobody peeks where nobody sits":           {script: `A: peek D`, why: "no-seat", scores: []int{0, 0}, final: []int{2, 2}},
		"nobody chooses twice":                     {script: `A: keep; A: swap`, why: "not-awaited", scores: []int{0, 0}, final: []int{2, 2}},
		"the die waits for all to choose":          {script: `A: keep; B: roll`, why: "not-all-chose", scores: []int{0, 0}, final: []int{2, 2}},
		"nothing is chosen once the die is due":    {script: `A: keep; B: keep; A: swap`, why: "all-chose", scores: []int{0, 0}, final: []int{2, 2}},
		"one seat rolls, in turn":                  {script: `A: keep; B: keep; B: roll`, why: "not-awaited", scores: []int{0, 0}, final: []int{2, 2}},
		"an empty stack has nothing to swap":       {script: `given {"hands":[1,2],"stack":[]}; A: swap`, why: "stack-empty", scores: []int{0, 0}, final: []int{2, 2}},
		"the game is over after the last round":    {script: `given {"round":3,"hands":[3,9],"scores":[6,1]}; chance die 6; A: keep; B: keep; A: roll`, ok: true, scores: []int{6, 7}, final: []int{8, 9}, state: map[string]any{"over": true}},
		"it is over early if the stack runs short": {script: `given {"hands":[3,9],"stack":[5]}; chance die 6; A: keep; B: keep; A: roll`, ok: true, scores: []int{0, 6}, final: []int{2, 8}, state: map[string]any{"over": true}},
	} {
		t.Run(name, func(t *testing.T) {
			src := "game tiny\nseat A\nseat B\nseed 1\n" + strings.ReplaceAll(c.script, "; ", "\n")
			s, err := script.Parse([]byte(src), func(string) (domain.Rulebook, bool) { return tiny.Rules{}, true })
			require.NoError(t, err)
			var last script.Result
			for r, err := range s.Play(nil) {
				require.NoError(t, err)
				last = r
			}
			if !c.ok {
				refusal, is := domain.AsRefusal(last.Err)
				require.True(t, is, "%v", last.Err)
				require.Equal(t, c.why, refusal.Code)
			} else {
				require.NoError(t, last.Err)
			}
			require.Equal(t, c.scores, last.Standing.Scores)
			require.Equal(t, c.final, last.Standing.Final)
			line, err := json.Marshal(last.State)
			require.NoError(t, err)
			var state map[string]any
			require.NoError(t, json.Unmarshal(line, &state))
			for key, want := range c.state {
				require.Equal(t, want, state[key], key)
			}
		})
	}
}

func TestNotationIsReadInThreeLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"keep": "keep", "KEEP": "keep", "ficar": "keep", "Zostaw": "keep",
		"swap": "swap", "trocar": "swap", "wymień": "swap", "WYMIEŃ": "swap", "wymien": "swap",
		"peek Bo": "peek B", "espiar bo": "peek B", "espreitar b": "peek B", "podejrzyj  Bo": "peek B",
		"lançar": "roll", "lancar": "roll", "rzuć": "roll",
	} {
		m, err := tiny.Rules{}.ParseMove(text, []string{"Ana", "Bo"})
		require.NoError(t, err, text)
		require.Equal(t, want, tiny.Rules{}.FormatMove(m, nil), text)
	}
}

func FuzzParseMove(f *testing.F) {
	f.Add("peek Bo")
	f.Add("Wymień")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := tiny.Rules{}.ParseMove(text, []string{"Ana", "Bo"})
		if err != nil {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused)
			return
		}
		back, err := tiny.Rules{}.ParseMove(tiny.Rules{}.FormatMove(m, nil), nil)
		require.NoError(t, err)
		require.Equal(t, m, back)
	})
}
