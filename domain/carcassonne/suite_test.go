package carcassonne

import (
	"iter"
	"testing"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/rulebooktest"
)

func TestTheRulebookKeepsThePromisesOfTheHouse(t *testing.T) {
	var all []domain.Choices
	for i, v := range variants {
		if i%long(3, 1) == 0 {
			all = append(all, v.o)
		}
	}
	rulebooktest.Run(t, Rulebook, rulebooktest.Config{
		Long: long(0, 1) == 1, Variants: all, Games: long(1, 8), Deep: long(1, 12), Conceivable: conceivable,
		Truths:    truths,
		HouseKeys: []string{"refuse.option-unknown", "refuse.option-value", "refuse.seats"},
	})
}

// conceivable yields every turn that the notation can express within a tile of the board, except for orders.
func conceivable(st domain.State, _ domain.Seat) iter.Seq[domain.Move] {
	s := st.(*state.State)
	return func(yield func(domain.Move) bool) {
		x0, x1, y0, y1 := extent(s)
		for x := x0 - 1; x <= x1+1; x++ {
			for y := y0 - 1; y <= y1+1; y++ {
				for k := range uint8(4) {
					for c := table.Nobody; c <= table.Recall; c++ {
						if !yield(state.Move{X: x, Y: y, Quarter: k, Follower: c}) {
							return
						}
					}
				}
			}
		}
	}
}

func extent(s *state.State) (x0, x1, y0, y1 int16) {
	for _, t := range s.Tiles[:s.NTiles] {
		x0, x1 = min(x0, t.X), max(x1, t.X)
		y0, y1 = min(y0, t.Y), max(y1, t.Y)
	}
	return x0, x1, y0, y1
}

func TestEveryGameEverRecordedFoldsToItsState(t *testing.T) {
	rulebooktest.Golden(t, Rulebook, disk,
		rulebooktest.Recording{File: "base-2.jsonl", Seats: 2, Seed: 1},
		rulebooktest.Recording{File: "river-abbot-4.jsonl", Seats: 4, Seed: 2,
			Choices: domain.Choices{"river": "on", "abbot": "on"}},
		rulebooktest.Recording{File: "solo-3.jsonl", Seats: 1, Seed: 3, Choices: domain.Choices{"solo": "on"}},
		// from here on, with the points after each event
		rulebooktest.Recording{File: "counted-3.jsonl", Seats: 3, Seed: 5,
			Choices: domain.Choices{"river": "on", "abbot": "on"}},
		rulebooktest.Recording{File: "counted-solo.jsonl", Seats: 1, Seed: 6, Choices: domain.Choices{"solo": "on"}},
		rulebooktest.Recording{File: "solo-4-seven.jsonl", Seats: 1, Seed: 4,
			Choices: domain.Choices{"solo": "on", "colours": "4", "followers": "7"}},
	)
}
