package kit

import "posthorn/domain"

// Shuffled is a list in an order that luck draws and nobody sees now. Where the order of the list itself
// is hidden it must be sorted before, or it would show.
func Shuffled[T any](luck *domain.Luck, purpose string, list []T) []T {
	out := make([]T, len(list))
	for i, j := range luck.Shuffle(purpose, len(list)) {
		out[i] = list[j]
	}
	return out
}
