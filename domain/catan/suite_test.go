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
		Long: long, Seats: []int{2, 3, 4}, Deep: deep, Games: games, Truths: truths, Leads: leads,
		Variants: []domain.Choices{
			nil,
			{"founding": "beginner", "points": "8"},
			{"tokens": "random", "harbours": "shuffled", "friendly-robber": "on", "trade-first": "on", "points": "9"},
			{"board": "beginner", "neutral-building": "one", "token-actions": "any", "points": "12"},
			{"neutral-building": "literal", "points": "8"},
		},
	})
}

// leads says where the rules about each move stand.
var leads = &rulebooktest.Leads{
	Now: "not-your-turn not-now-found not-now-roll not-now-main not-now-discard not-now-robber not-now-neutral " +
		"not-now-give trade-over",
	Moves: map[string]string{
		"settle": "begin settlement build island", "road": "road build island", "city": "city build island",
		"buy": "cards build", "knight": "cards robber island", "roads": "cards road build island", "plenty": "cards",
		"monopoly": "cards",
		"rob":      "robber island", "discard": "seven", "bank": "bank", "offer": "trade", "counter": "trade",
		"accept":  "trade",
		"decline": "trade", "confirm": "trade", "withdraw": "trade",
		"token": "tokens two", "give": "tokens two", "refill": "tokens two",
		"neutral": "neutral two road settlement island",
	},
}
