package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Room is the rules, for kit.New.
type Room struct{}

// Setup makes a line's first event. Seat A is red, seat B blue.
func (Room) Setup(game domain.Game, luck *domain.Luck) (domain.Event, error) {
	given, err := state.ReadGiven(game.Given)
	if err != nil {
		return domain.Event{}, err
	}
	l := &layer{luck: luck, given: given}
	s, err := l.lay(game)
	if err != nil {
		return domain.Event{}, err
	}
	return s.Deal(), nil
}
