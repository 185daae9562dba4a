package catan_test

import (
	"os"
	"testing"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/rulebooktest"
)

// The suite for all rulebooks, with every other value of each option in some variant.
func TestTheSuite(t *testing.T) {
	games, deep, long := 1, 2, os.Getenv("POSTHORN_LONG") == "1"
	if long {
		games, deep = 6, 12
	}
	rulebooktest.Run(t, catan.Rulebook, rulebooktest.Config{
		Long: long, Seats: []int{2, 3, 4}, Deep: deep, Games: games, Truths: truths,
		Variants: []domain.Choices{
			nil,
			{"founding": "beginner", "points": "8"},
			{"tokens": "random", "harbours": "shuffled", "friendly-robber": "on", "trade-first": "on", "points": "9"},
			{"board": "beginner", "neutral-building": "one", "token-actions": "any", "points": "12"},
			{"neutral-building": "literal", "points": "8"},
		},
	})
}
