package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// weightTable weighs the features in the introduction, one per line, in any order: its word, and its weight at the
// beginning of the game and at the end. A side not in the table, such as a card that was added after the weights were
// fitted, has the weight 0: it counts by what it brings (points, goods, its site), not by itself.
//
// These weights best predicted the winners (a logit of the differences between the seats, fitted to positions at the
// beginning of turns) of 12,000 games, whose players played straight away what Value liked best on a fresh deal, half
// of them with one move in thirty at random. What counts in several ways has several weights, so a single one may
// have the opposite sign.
//
//go:embed weights.txt
var weightTable string

// fitted holds the parsed weights.
var fitted = func() *weights {
	w, err := readWeights(weightTable)
	if err != nil {
		panic("rivals: weights.txt: " + err.Error())
	}
	return w
}()

// weight is what one of a side counts, at the beginning of the game and at the end.
type weight [2]float64

// at returns the weight at a moment between the beginning (0) and the end (1).
func (w *weight) at(late float64) float64 { return w[0]*(1-late) + w[1]*late }

// weights are the weights of the features, of each card built and held by its row, and of having the turn.
type weights struct {
	side        [featureCount]weight
	built, held [table.RowsMost]weight
	inTurn      weight
}

// readWeights reads a table of weights.
func readWeights(text string) (*weights, error) {
	w, seen := &weights{}, map[string]bool{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("%q is not a word and two weights", line)
		}
		if seen[words[0]] {
			return nil, fmt.Errorf("%s stands twice", words[0])
		}
		seen[words[0]] = true
		to := w.named(words[0])
		if to == nil {
			return nil, fmt.Errorf("no side is called %s", words[0])
		}
		for i, word := range words[1:] {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", words[0], err)
			}
			to[i] = x
		}
	}
	return w, nil
}

// named returns the weight that a word of the table names, or nil.
func (w *weights) named(word string) *weight {
	if word == "in-turn" {
		return &w.inTurn
	}
	if k := slices.Index(featureNames[:], word); k >= 0 {
		return &w.side[k]
	}
	where, id, _ := strings.Cut(word, "-")
	row := table.Table.Card(id)
	switch {
	case row != nil && where == "built":
		return &w.built[row.Number]
	case row != nil && where == "held":
		return &w.held[row.Number]
	}
	return nil
}

// Turn implements domain.Turns.
func (*Room) Turn(s *state.State) (number int, whose domain.Seat) {
	if s.TasksN > 0 || s.Turn == 0 {
		return int(s.Turn), domain.Nobody
	}
	return int(s.Turn), s.Active
}

// stretched scales the logarithm of the chances of winning to roughly the slope of victory points. As with chances,
// the larger a lead is, the less each further point counts.
const stretched = 10.0 / 3

// Estimate returns how likely a seat is to win, as the logarithm of its chances against the other's: a finer Value
// for the introduction. In the other plays it returns Value. It was fitted to positions at the start of turns: a player
// who chose moves within a turn by it won 26 of 100 games.
func (r *Room) Estimate(s *state.State, seat domain.Seat) float64 {
	if s.Phase == state.Over || s.Play != table.Intro {
		return r.Value(s, seat)
	}
	if s.TasksN > 0 {
		s = settled(s)
	}
	late := min(1, max(0, float64(max(s.Victory(0), s.Victory(1))-2)/5))
	mine, theirs := featuresOf(s, seat), featuresOf(s, state.Other(seat))
	v := fitted.inTurn.at(late)
	if s.Active != seat {
		v = -v
	}
	for k := range mine.of {
		v += (mine.of[k] - theirs.of[k]) * fitted.side[k].at(late)
	}
	for row := range table.Table.Cards {
		v += float64(mine.built[row]-theirs.built[row]) * fitted.built[row].at(late)
	}
	for row := range table.Table.Cards {
		v += float64(mine.held[row]-theirs.held[row]) * fitted.held[row].at(late)
	}
	return stretched * v
}
