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

	choices  int
	decided  int
	scores   []float64
	firsts   []float64
	finished int
	digest   hash.Hash
}

// NewTally is a tally of no games.
func NewTally() *Tally { return &Tally{digest: sha256.New()} }

// Add counts the next game.
func (t *Tally) Add(g Game) {
	t.Games++
	t.Moves += g.Moves
	t.Refused += g.Refused
	t.choices += g.Choices
	t.decided += g.Moves + g.Refused
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
	t.finished++
	t.addFirsts(g.Ranks)
}

// addFirsts counts a game won; those who share the first rank share the win.
func (t *Tally) addFirsts(ranks []int) {
	n := 0
	for _, r := range ranks {
		if r == 1 {
			n++
		}
	}
	for i, r := range ranks {
		if r == 1 && i < len(t.firsts) {
			t.firsts[i] += 1 / float64(n)
		}
	}
}

// Digest is the SHA-256, in hexadecimal, over the digests of the games in their order.
func (t *Tally) Digest() string { return hex.EncodeToString(t.digest.Sum(nil)) }

// MeanChoices is how many legal moves there were to choose from, on average.
func (t *Tally) MeanChoices() float64 { return ratio(float64(t.choices), t.decided) }

// MeanScores are the scores at the end of all games, by entry of Standing; of an unfinished
// game, as if it had ended there.
func (t *Tally) MeanScores() []float64 { return means(t.scores, t.Games) }

// WinRates are the shares of the finished games won, by entry of Standing; a tie is divided.
func (t *Tally) WinRates() []float64 { return means(t.firsts, t.finished) }

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
