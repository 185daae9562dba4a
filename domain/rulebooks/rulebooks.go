// Package rulebooks registers the games, one line each. Nothing else in the house names a game.
package rulebooks

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne"
	"posthorn/domain/catan"
	"posthorn/domain/rivals"
)

var all = []domain.Rulebook{
	carcassonne.Rulebook,
	catan.Rulebook,
	rivals.Rulebook,
}

// All lists the games in the order in which people are offered them.
func All() []domain.Rulebook { return all }

// Named finds a game by its word; ok is false if there is none.
func Named(name string) (rb domain.Rulebook, ok bool) {
	for _, rb := range all {
		if rb.Name() == name {
			return rb, true
		}
	}
	return nil, false
}
