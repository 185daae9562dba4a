package carcassonne

import (
	"bytes"
	"encoding/json"
	"fmt"

	"posthorn/domain"
	"posthorn/domain/codec"
)

// Owner is whose a figure is: a seat, or in the game for one person a colour, counted from
// 0 in the order in which they take turns. In JSON it is a letter, "A", "B", …
type Owner int8

// Seat is the owner as a seat: of its letter and its colour on the board.
func (o Owner) Seat() domain.Seat { return domain.Seat(o) }

// MarshalText writes the letter.
func (o Owner) MarshalText() ([]byte, error) { return []byte(o.Seat().Letter()), nil }

// UnmarshalText reads a letter.
func (o *Owner) UnmarshalText(b []byte) error {
	if len(b) != 1 || b[0]|0x20 < 'a' || b[0]|0x20 >= 'a'+maxOwners {
		return fmt.Errorf("no seat %q", b)
	}
	*o = Owner(b[0] | 0x20 - 'a')
	return nil
}

// Phase is how far the game is.
type Phase string

// The phases: river tiles are being drawn, land tiles are, the game is over.
const (
	PhaseRiver Phase = "river"
	PhaseLand  Phase = "land"
	PhaseOver  Phase = "over"
)

// View is the board as everybody may know it: nothing is hidden in Carcassonne but what
// luck has not decided yet. It is the "state" of a script, and any subset of it is a
// position to start from (see docs/notation.md for the keys).
type View struct {
	Options domain.Choices `json:"options"`
	Phase   Phase          `json:"phase"`
	Turn    int            `json:"turn"`    // the number of the turn that is awaited, from 1
	ToMove  Owner          `json:"to_move"` // whose turn it is; in a solo game the colour
	Tile    TileID         `json:"tile"`    // the tile to be placed; "" once the game is over
	Tiles   []ViewTile     `json:"tiles"`   // on the board, in the order they were placed
	Scores  []int          `json:"scores"`  // by owner, without the final scoring

	Followers []int `json:"followers"` // in hand, by owner
	Abbots    []int `json:"abbots"`    // in hand, by owner: 1 or 0

	Remaining Counts   `json:"remaining"` // tiles still to be drawn, without Tile
	SetAside  []TileID `json:"set_aside"` // tiles that fitted nowhere, in their order
	Piles     []int    `json:"piles"`     // of a solo game: tiles left in each colour's pile, without Tile
}

// ViewTile is a tile on the board. X grows to the east, Y to the south; Turn is 0, 90, 180
// or 270 degrees clockwise from the tile as the table has it.
type ViewTile struct {
	Tile    TileID   `json:"tile"`
	X       int      `json:"x"`
	Y       int      `json:"y"`
	Turn    int      `json:"turn"`
	Figures []Stands `json:"figures,omitempty"`
}

// UnmarshalJSON reads a tile; one without an id is no tile, not the first of the table.
func (t *ViewTile) UnmarshalJSON(b []byte) error {
	type plainTile ViewTile
	p := plainTile{Tile: NoTile}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return fmt.Errorf("tile on the board: %w", err)
	}
	*t = ViewTile(p)
	return nil
}

// Stands is a follower or an abbot on a tile.
type Stands struct {
	Seat  Owner `json:"seat"`
	Abbot bool  `json:"abbot,omitempty"`
	On    Place `json:"on"` // as the tile lies: "road N", "field Es", "cloister", "garden"
}

// Counts is how many tiles of each kind there are, by TileID. In JSON it is an object of
// those that are not 0: {"D":3,"V":9}.
type Counts [tileKinds]uint8

// tileKinds is the number of lines in the table; a test holds it against the table.
const tileKinds = 43

// Words are the letters that the kinds are written under.
func (*Counts) Words() (letters []string) {
	for id := range TileID(tileKinds) {
		letters = append(letters, id.String())
	}
	return letters
}

// MarshalJSON writes the kinds that are not 0, in the table's order.
func (c Counts) MarshalJSON() ([]byte, error) { return codec.Marshal(&c) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Counts) UnmarshalJSON(b []byte) error {
	return codec.UnmarshalCounts(b, c[:], func(letter string) (int, bool) {
		id, ok := TileNamed(letter)
		return int(id), ok
	})
}

// maxOwners is the most players or colours there can be.
const maxOwners = 5
