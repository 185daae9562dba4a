package catan

import (
	"testing"

	"posthorn/domain"
)

// asks returns what is asked of the first awaited seat.
func (g *game) asks() string {
	return domain.WhatIsAsked(Rulebook, g.line.State, g.line.Awaited()[0].Decision)
}

func TestWhatIsAskedIsTheStepOfTheTurn(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[8],"hand":{"ore":1}},{"settlements":[0]}]}`)
	g.then("await.turn.roll", g.asks())
	g.chance("dice", "1 1").play("Ana: roll").then("await.turn.main", g.asks())

	g = given(t, 4, seven4)
	g.chance("dice", "3 4").play("Ana: roll").then("await.discard", g.asks())
}
