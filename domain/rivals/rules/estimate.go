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

// likelyTable weighs the sides in the introduction, a line each: its word, and what it counts as the game begins and
// as it ends. A side that is not in it counts nothing.
//
// By these weights the winners were told best (a logit of the differences between the seats, fitted to positions at
// the beginning of turns) of 12,000 games of players who played at once what Value liked best on a fresh deal, half of
// them one move in thirty at random. What counts in several ways has several weights, so that one alone may have the
// other sign.
//
//go:embed likely.txt
var likelyTable string

// likely are the weights, read.
var likely = func() *weights {
	w, err := readWeights(likelyTable)
	if err != nil {
		panic("rivals: likely.txt: " + err.Error())
	}
	return w
}()

// weights are those of the sides, and of having the turn, as the game begins and as it ends.
type weights struct {
	side   [2]sides
	inTurn [2]float64
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
		k := slices.Index(sideNames[:], words[0])
		if k < 0 && words[0] != "in-turn" {
			return nil, fmt.Errorf("no side is called %s", words[0])
		}
		for i, word := range words[1:] {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", words[0], err)
			}
			if k < 0 {
				w.inTurn[i] = x
			} else {
				w.side[i][k] = x
			}
		}
	}
	return w, nil
}

// Throughout implements domain.Estimator: the sides were fitted to positions at the beginning of turns, and what a move
// within a turn is good for Value knows. Who chose by the estimate won 26 of 100 games.
func (*Room) Throughout() bool { return false }

// Turn implements domain.Turns.
func (*Room) Turn(s *state.State) (number int, whose domain.Seat) {
	if s.TasksN > 0 || s.Turn == 0 {
		return int(s.Turn), domain.Nobody
	}
	return int(s.Turn), s.Active
}

// stretched makes of the logarithm of the chances of winning what is about as steep as victory points: a lead of so
// many counts the less the larger it is, as chances do.
const stretched = 10.0 / 3

// Estimate tells how likely a seat is to win, as the logarithm of its chances against the other's: a finer Value for
// the introduction. The other plays stand as Value says.
func (r *Room) Estimate(s *state.State, seat domain.Seat) float64 {
	if s.Phase == state.Over || s.Play != table.Intro {
		return r.Value(s, seat)
	}
	if s.TasksN > 0 {
		s = settled(s)
	}
	late := min(1, max(0, float64(max(s.Victory(0), s.Victory(1))-2)/5))
	mine, theirs := sidesOf(s, seat), sidesOf(s, state.Other(seat))
	v := likely.inTurn[0]*(1-late) + likely.inTurn[1]*late
	if s.Active != seat {
		v = -v
	}
	for k := range mine {
		v += (mine[k] - theirs[k]) * (likely.side[0][k]*(1-late) + likely.side[1][k]*late)
	}
	return stretched * v
}
