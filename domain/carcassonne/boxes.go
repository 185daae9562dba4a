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

const boxSide = 32 // places each way about the start tile; few games leave them

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

// of gives the moves of a place and turn.
func (b *boxes) of(x, y int16, quarter uint8) *boxRow {
	i, k := uint16(x+boxSide/2), uint16(y+boxSide/2)
	if i < boxSide && k < boxSide {
		return &b[k][i][quarter]
	}
	far := &boxRow{}
	far.fill(x, y, quarter)
	return far
}
