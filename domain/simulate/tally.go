package simulate

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Tally adds games up. It takes them in the order of their numbers, so that its digest does
// not depend on who played which.
type Tally struct {
	Games, Moves, Refused, Unfinished int

	choices        int
	scores, firsts []float64 // by entry of Standing
	digest         hash.Hash
}

// NewTally is a tally of no games.
func NewTally() *Tally { return &Tally{digest: sha256.New()} }

// Add counts the next game.
func (t *Tally) Add(g Game) {
	t.Games++
	t.Moves += g.Moves
	t.Refused += g.Refused
	t.choices += g.Choices
	_, _ = t.digest.Write(g.Digest[:])
	for i, s := range g.Scores {
		if i == len(t.scores) {
			t.scores, t.firsts = append(t.scores, 0), append(t.firsts, 0)
		}
		t.scores[i] += float64(s)
	}
	if !g.Finished {
		t.Unfinished++
		return
	}
	first := 0
	for _, r := range g.Ranks {
		if r == 1 {
			first++
		}
	}
	for i, r := range g.Ranks[:min(len(g.Ranks), len(t.firsts))] {
		if r == 1 { // those who share it share the win
			t.firsts[i] += 1 / float64(first)
		}
	}
}

// Digest is the SHA-256, in hexadecimal, over the digests of the games in their order.
func (t *Tally) Digest() string { return hex.EncodeToString(t.digest.Sum(nil)) }

// MeanChoices is how many legal moves there were to choose from, on average.
func (t *Tally) MeanChoices() float64 { return ratio(float64(t.choices), t.Moves+t.Refused) }

// MeanScores are the scores at the end of all games, by entry of Standing; of an unfinished
// game, as if it had ended there.
func (t *Tally) MeanScores() []float64 { return means(t.scores, t.Games) }

// WinRates are the shares of the finished games won, by entry of Standing; a tie is divided.
func (t *Tally) WinRates() []float64 { return means(t.firsts, t.Games-t.Unfinished) }

func means(sums []float64, n int) []float64 {
	m := make([]float64, len(sums))
	for i, s := range sums {
		m[i] = ratio(s, n)
	}
	return m
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
