package kit

import (
	"slices"

	"posthorn/domain"
)

// Ranks returns the rank of each final score: 1 is the highest score, and equal scores share a rank.
func Ranks(scores []int) []int {
	ranks := make([]int, len(scores))
	for i, mine := range scores {
		ranks[i] = 1
		for _, other := range scores {
			if other > mine {
				ranks[i]++
			}
		}
	}
	return ranks
}

// Standing returns the standing of a game won by the highest score: final holds the scores if it ended now. Once the
// game has ended it includes ranks, and the result is the catalogue's "result", with the best seats as {seats} and
// their score as {n}.
func Standing(scores, final []int, ended bool) domain.Standing {
	st := domain.Standing{Scores: slices.Clone(scores), Final: slices.Clone(final), Ended: ended}
	if !ended {
		return st
	}
	st.Ranks = Ranks(final)
	var best []domain.Seat
	for i, r := range st.Ranks {
		if r == 1 {
			best = append(best, domain.Seat(i))
		}
	}
	st.Result = []domain.Say{domain.S("result", "seats", best, "n", slices.Max(final))}
	return st
}
