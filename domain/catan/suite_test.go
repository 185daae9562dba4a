package catan_test

import (
	"testing"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/rulebooktest"
)

// The suite of every rulebook, with each option's other value in some variant.
func TestTheSuite(t *testing.T) {
	rulebooktest.Run(t, catan.Rulebook{}, rulebooktest.Config{
		Seats: []int{2, 3, 4}, Deep: 2, Games: 1,
		Variants: []domain.Choices{
			nil,
			{"founding": "beginner", "points": "8"},
			{"tokens": "random", "harbours": "shuffled", "friendly-robber": "on", "trade-first": "on", "points": "9"},
			{"board": "beginner", "neutral-building": "one", "token-actions": "any", "points": "12"},
		},
	})
}
