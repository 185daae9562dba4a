package kit

import "posthorn/domain"

// Defaults are embedded by the rooms of a game for what it has not: no secrets, no forms, no cards in
// words. A method that a room has itself takes the place of the one here. (A table without options or
// chance is [Basics] that say nothing of them.)
type Defaults[S, V any] struct{}

// Forms are none: every move is a closed choice.
func (Defaults[S, V]) Forms(S, domain.Seat) []domain.Form { return nil }

// Cards are none.
func (Defaults[S, V]) Cards(V) []domain.CardText { return nil }

// Blind deals nothing, for nothing is hidden. The codec of the game lists [NothingDealt].
func (Defaults[S, V]) Blind(S, domain.Viewer, *domain.Luck) domain.Event {
	return domain.Event{Type: NothingDealt.Name, Seat: domain.Nobody, Body: NothingDealt.Body()}
}

// Nothing is a body without a word.
type Nothing struct{}

// NothingDealt is the type of event that Blind makes in a game without secrets; folding it changes
// nothing.
var NothingDealt = Type[Nothing]("dealt.v1")

// Type is a type of event without secret parts, whose body is a B.
func Type[B any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }}
}

// SecretType is a type of event whose body is a B and whose secret parts are Ps.
func SecretType[B, P any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }, Secret: func() any { return new(P) }}
}
