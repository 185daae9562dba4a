package catan

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// What people call the resources and the development cards, folded.
var (
	resourceNames = kit.Meant(typed.Words("resources"), oneOf[Resource](resourceWords[:]))
	cardNames     = kit.Meant(typed.Words("cards"), oneOf[Card](cardWords[:]))
)

func (Resource) named(word string) (Resource, bool) { return resourceNamed(word) }
func (Card) named(word string) (Card, bool)         { return cardNamed(word) }

// resourceNamed finds a resource by what people call it.
func resourceNamed(word string) (Resource, bool) {
	r, ok := resourceNames[domain.Fold(word)]
	if !ok {
		return NoResource, false
	}
	return r, true
}

// cardNamed finds a development card by what people call it.
func cardNamed(word string) (Card, bool) {
	c, ok := cardNames[domain.Fold(strings.ReplaceAll(strings.TrimSpace(word), " ", "-"))]
	return c, ok
}

// oneOf finds which of some words a word is.
func oneOf[T ~int8](words []string) func(string) T {
	return func(word string) T { return T(slices.Index(words, word)) }
}
