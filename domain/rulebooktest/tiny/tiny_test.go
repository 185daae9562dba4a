package tiny_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"posthorn/domain"
	"posthorn/domain/rulebooktest"
	"posthorn/domain/rulebooktest/tiny"
)

func TestTheSuite(t *testing.T) {
	rulebooktest.Run(t, tiny.Rulebook,
		rulebooktest.Config{Long: os.Getenv("POSTHORN_LONG") == "1", Seats: []int{2, 3, 4}, Truths: truths})
}

// truths says of each refusal when it is true.
var truths = rulebooktest.Truths{
	"all-chose":     func(r *rulebooktest.Refused) bool { return can(r, "roll") && !can(r, "keep") },
	"not-all-chose": func(r *rulebooktest.Refused) bool { return !can(r, "roll") && can(r, "keep") },
	"stack-empty":   func(r *rulebooktest.Refused) bool { return can(r, "keep") && !can(r, "swap") },
	"no-seat":       func(r *rulebooktest.Refused) bool { return r.Args["letter"].(string) > "B" && can(r, "keep") },
	"known": func(r *rulebooktest.Refused) bool {
		return can(r, "keep") && !can(r, "peek "+r.Args["seat"].(domain.Seat).Letter())
	},
	"unreadable": rulebooktest.Never, "given": rulebooktest.Never, "given-few": rulebooktest.Never,
}

func can(r *rulebooktest.Refused, text string) bool {
	return slices.ContainsFunc(r.Legal(), func(m domain.Move) bool { return r.Text(m) == text })
}

func TestGoldenGames(t *testing.T) {
	disk := rulebooktest.Disk[os.FileMode]{Glob: filepath.Glob, ReadFile: os.ReadFile, MkdirAll: os.MkdirAll,
		WriteFile: os.WriteFile}
	rulebooktest.Golden(t, tiny.Rulebook, disk,
		rulebooktest.Recording{File: "base-2.jsonl", Seats: 2, Seed: 1},
		rulebooktest.Recording{File: "low-4.jsonl", Choices: domain.Choices{"low": "on"}, Seats: 4, Seed: 2},
	)
}

// The rules, as scripts.
func TestTheRules(t *testing.T) {
	rulebooktest.Plays(t, tiny.Rulebook, map[string]rulebooktest.Case{
		"the highest card takes as many points as the die shows": {
			Script: `given {"hands":[3,9]}; chance die 4; A: keep; B: keep; A: roll`,
			Scores: []int{0, 4}, Final: []int{2, 6}, State: `{"round": 2, "roller": "B", "laid": [3, 9]}`,
		},
		"with the option low an odd die favours the lowest": {
			Script: `option low on; given {"hands":[3,9]}; chance die 5; A: keep; B: keep; A: roll`,
			Scores: []int{5, 0}, Final: []int{7, 2},
		},
		"with the option low an even die favours the highest": {
			Script: `option low on; given {"hands":[3,9]}; chance die 2; A: keep; B: keep; A: roll`,
			Scores: []int{0, 2}, Final: []int{2, 4},
		},
		"a swapped card lies open, and the top of the stack takes its place": {
			Script: `given {"hands":[3,9]}; chance stack 17; A: swap`,
			State:  `{"hands": [17, 9], "laid": [3], "left": 21}`,
			Final:  []int{2, 2},
		},
		"who peeks knows the card, and loses the two points at the end": {
			Script: `given {"hands":[3,9]}; A: peek B`, Final: []int{0, 2},
			State: `{"known": ["A", "AB"], "peeked": [true, false]}`,
		},
		"a peek is worth nothing once the card is swapped": {Script: `A: peek B; B: swap`,
			State: `{"known": ["A", "B"]}`, Final: []int{0, 2}},
		"nobody peeks at their own card": {Script: `A: peek A`, Refused: "known", Scores: []int{0, 0},
			Final: []int{2, 2}},
		"nobody peeks where nobody sits":        {Script: `A: peek D`, Refused: "no-seat"},
		"nobody chooses twice":                  {Script: `A: keep; A: swap`, Refused: "not-awaited"},
		"the die waits for all to choose":       {Script: `A: keep; B: roll`, Refused: "not-all-chose"},
		"nothing is chosen once the die is due": {Script: `A: keep; B: keep; A: swap`, Refused: "all-chose"},
		"one seat rolls, in turn": {Script: `A: keep; B: keep; B: roll`,
			Refused: "not-awaited"},
		"an empty stack has nothing to swap": {Script: `given {"hands":[1,2],"stack":[]}; A: swap`,
			Refused: "stack-empty"},
		"a card is there once": {Script: `given {"hands":[3,9],"stack":[7,9]}; A: keep`,
			Refused: "given.card"},
		"a position is one of this table": {Script: `given {"hands":[3,9,5]}`, Refused: "given.long"},
		"the game is over after the last round": {
			Script: `given {"round":3,"hands":[3,9],"scores":[6,1]}; chance die 6; A: keep; B: keep; A: roll`,
			Scores: []int{6, 7}, Final: []int{8, 9}, State: `{"over": true}`,
		},
		"it is over early if the stack runs short": {
			Script: `given {"hands":[3,9],"stack":[5]}; chance die 6; A: keep; B: keep; A: roll`,
			Scores: []int{0, 6}, Final: []int{2, 8}, State: `{"over": true}`,
		},
	})
}

func TestNotationIsReadInThreeLanguages(t *testing.T) {
	rulebooktest.Reads(t, tiny.Rulebook, []string{"Ana", "Bo"}, map[string]string{
		"keep": "keep", "KEEP": "keep", "ficar": "keep", "Zostaw": "keep",
		"swap": "swap", "trocar": "swap", "wymień": "swap", "WYMIEŃ": "swap", "wymien": "swap",
		"peek Bo": "peek B", "espiar bo": "peek B", "espreitar b": "peek B", "podejrzyj  Bo": "peek B",
		"lançar": "roll", "lancar": "roll", "rzuć": "roll",
	})
}

func FuzzParseMove(f *testing.F) {
	rulebooktest.FuzzNotation(f, tiny.Rulebook, []string{"Ana", "Bo"}, "peek Bo", "Wymień")
}
