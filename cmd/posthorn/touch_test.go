package main

import (
	"os"
	"testing"

	"posthorn/domain"
	"posthorn/events"
)

// turns is how many turns of a game a test in the browser plays; in the long form all of them.
func turns(some int) int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return 1000
	}
	return some
}

// Each game is played by touch on a phone, and nothing that is to be pressed next is ever off the screen:
// not when the page is opened, nor after any press.
func TestByTouchNothingAskedForIsOffTheScreen(t *testing.T) {
	standIn := domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"}
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			f := sitting(t, game, events.NewTable{Rulebook: game, Pace: "weekly", Places: []domain.TablePlace{{}, standIn}})
			f.play(turns(5))
			t.Log("presses, by turn:", f.presses)
		})
	}
}
