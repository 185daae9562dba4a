package carcassonne

import (
	"sync"

	"posthorn/domain"
)

// boxes holds the moves of the middle of the board ready as interface values. A simulation
// lists fifty legal moves for each it plays, and making an interface of each anew was a fifth
// of its time. It is a table of constants: filled once, never changed.
type boxes [boxSide][boxSide][4]boxRow

// boxRow is every choice of the second step, for one place and turn.
type boxRow [Recall + 1]domain.Move

// boxSide is how many places each way, about the start tile: one legal move in a hundred of a
// game with the river lies beyond, and one in three thousand of a base game.
const boxSide = 24

var allBoxes = sync.OnceValue(func() *boxes {
	b := &boxes{}
	for y := range b {
		for x := range b[y] {
			for k := range b[y][x] {
				b[y][x][k].fill(int16(x-boxSide/2), int16(y-boxSide/2), uint8(k))
			}
		}
	}
	return b
})

func (r *boxRow) fill(x, y int16, quarter uint8) {
	for c := range r {
		r[c] = Move{X: x, Y: y, Quarter: quarter, Follower: Choice(c)}
	}
}

// of gives the moves of a place and turn, or nil far from the middle.
func (b *boxes) of(x, y int16, quarter uint8) *boxRow {
	i, k := uint16(x+boxSide/2), uint16(y+boxSide/2)
	if i < boxSide && k < boxSide {
		return &b[k][i][quarter]
	}
	return nil
}

// spot is a place and turn that moves are made for.
type spot struct {
	row     *boxRow // nil far from the middle
	x, y    int16
	quarter uint8
}

func (p *spot) move(c Choice) domain.Move {
	if p.row != nil {
		return p.row[c]
	}
	return Move{X: p.x, Y: p.y, Quarter: p.quarter, Follower: c}
}
