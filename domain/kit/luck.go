package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Shuffled is a list in an order that luck draws and nobody sees now. Where the order of the list itself
// is hidden it must be sorted before, or it would show.
func Shuffled[T any](luck *domain.Luck, purpose string, list []T) []T {
	out := make([]T, len(list))
	for i, j := range luck.Shuffle(purpose, len(list)) {
		out[i] = list[j]
	}
	return out
}

// Stack is a shuffled stack of cards, the next one first. A script's outcome of its kind says which
// cards lie on top: "17 3".
func Stack(luck *domain.Luck, kind string, cards []int) []int {
	stack := Shuffled(luck, kind, cards)
	o, _ := luck.Dictated(kind)
	var top []int
	for _, word := range strings.Fields(o.Words) {
		card, err := strconv.Atoi(word)
		if err != nil || !slices.Contains(cards, card) || slices.Contains(top, card) {
			luck.Reject(kind, o, "card "+word+" is not there")
			return stack
		}
		top = append(top, card)
	}
	return append(top, slices.DeleteFunc(stack, func(c int) bool { return slices.Contains(top, c) })...)
}

// OneOf draws one of some numbers, which all see, or takes the one that a script dictates.
func OneOf(luck *domain.Luck, kind string, numbers []int) int {
	return numbers[luck.Pick(kind, len(numbers), func(words string) (int, error) {
		n, err := strconv.Atoi(words)
		if i := slices.Index(numbers, n); err == nil && i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("one of these numbers belongs there: %v", numbers)
	})]
}
