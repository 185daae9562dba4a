package state

import (
	"bytes"
	"encoding/json"
	"fmt"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/codec"
)

// Owner is the owner of a figure: a seat or, in the game for one person, a colour, counted from 0 in turn order. In
// JSON it is a letter, "A", "B", …
type Owner int8

// Seat returns the owner as a seat, which gives it a letter and a colour on the board.
func (o Owner) Seat() domain.Seat { return domain.Seat(o) }

// MarshalText writes the letter.
func (o Owner) MarshalText() ([]byte, error) { return []byte(o.Seat().Letter()), nil }

// UnmarshalText reads a letter.
func (o *Owner) UnmarshalText(b []byte) error {
	if len(b) != 1 || b[0]|0x20 < 'a' || b[0]|0x20 >= 'a'+table.MaxOwners {
		return fmt.Errorf("no seat %q", b)
	}
	*o = Owner(b[0] | 0x20 - 'a')
	return nil
}

// Phase is the phase of the game.
type Phase string

// The phases: drawing river tiles, drawing land tiles, game over.
const (
	PhaseRiver Phase = "river"
	PhaseLand  Phase = "land"
	PhaseOver  Phase = "over"
)

// View is the board as everybody may know it: Carcassonne hides nothing except what luck has not decided yet. It is
// the "state" of a script, and any subset of it is a position to start from (see docs/notation.md for the keys).
type View struct {
	Options domain.Choices `json:"options"`
	Phase   Phase          `json:"phase"`
	Turn    int            `json:"turn"`    // the number of the awaited turn, from 1
	ToMove  Owner          `json:"to_move"` // whose turn it is; in a solo game the colour
	Tile    table.TileID   `json:"tile"`    // the tile to be placed; "" once the game is over
	Tiles   []ViewTile     `json:"tiles"`   // on the board, in the order they were placed
	Scores  []int          `json:"scores"`  // by owner, without the final scoring

	Followers []int `json:"followers"` // in hand, by owner
	Abbots    []int `json:"abbots"`    // in hand, by owner: 1 or 0

	Remaining Counts         `json:"remaining"` // tiles still to be drawn, without Tile
	SetAside  []table.TileID `json:"set_aside"` // tiles that fitted nowhere, in order
	Piles     []int          `json:"piles"`     // in a solo game: tiles left in each colour's pile, without Tile
}

// ViewTile is a tile on the board. X grows to the east, Y to the south; Turn is 0, 90, 180 or 270 degrees clockwise
// from the tile as the table has it.
type ViewTile struct {
	Tile    table.TileID `json:"tile"`
	X       int          `json:"x"`
	Y       int          `json:"y"`
	Turn    int          `json:"turn"`
	Figures []Stands     `json:"figures,omitempty"`
}

// UnmarshalJSON reads a tile; a missing id means no tile, not the first of the table.
func (t *ViewTile) UnmarshalJSON(b []byte) error {
	type plainTile ViewTile
	p := plainTile{Tile: table.NoTile}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return fmt.Errorf("tile on the board: %w", err)
	}
	*t = ViewTile(p)
	return nil
}

// ReadJSON reads what the codec wrote.
func (t *ViewTile) ReadJSON(r *codec.Reader) {
	type plainTile ViewTile
	p := (*plainTile)(t)
	p.Tile = table.NoTile
	r.Value(p)
}

// Stands is a follower or an abbot on a tile.
type Stands struct {
	Seat  Owner       `json:"seat"`
	Abbot bool        `json:"abbot,omitempty"`
	On    table.Place `json:"on"` // as the tile lies: "road N", "field Es", "cloister", "garden"
}

// Counts is the number of tiles of each kind, by TileID. In JSON it is an object of those that are not 0:
// {"D":3,"V":9}.
type Counts [table.TileKinds]uint8

// Words returns the letters that stand for the kinds.
func (*Counts) Words() (letters []string) {
	for id := range table.TileID(table.TileKinds) {
		letters = append(letters, id.String())
	}
	return letters
}

// MarshalJSON writes the kinds that are not 0, in the table's order.
func (c Counts) MarshalJSON() ([]byte, error) { return codec.Marshal(&c) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Counts) UnmarshalJSON(b []byte) error {
	return codec.UnmarshalCounts(b, c[:], func(letter string) (int, bool) {
		id, ok := table.TileNamed(letter)
		return int(id), ok
	})
}

// View returns the view, which is the same for everybody.
func (Room) View(s *State, _ domain.Viewer) *View { return s.View() }

// Stopped returns a view without the tile that nobody will place any more.
func (Room) Stopped(v *View) *View {
	out := *v
	out.Tile, out.Phase = table.NoTile, PhaseOver
	return &out
}

// View returns the state as everybody may know it.
func (s *State) View() *View {
	v := &View{
		Options: s.AsChoices(), Phase: s.Phase(), Turn: int(s.Turn), ToMove: s.ToMove, Tile: s.Current,
		Tiles: make([]ViewTile, s.NTiles), Remaining: s.Bag,
		SetAside: append([]table.TileID{}, s.Aside[:s.NAside]...), Piles: []int{},
		Scores: ints(s.Scores[:s.Owners]), Followers: ints(s.Hand[:s.Owners]), Abbots: ints(s.AbbotsHome[:s.Owners]),
	}
	for i := range v.Tiles {
		t := &s.Tiles[i]
		v.Tiles[i] = ViewTile{Tile: t.ID, X: int(t.X), Y: int(t.Y), Turn: 90 * int(t.turn)}
	}
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		t := &v.Tiles[f.Tile]
		t.Figures = append(t.Figures, Stands{Seat: f.Owner, Abbot: f.Abbot, On: s.Posted(f).On})
	}
	if s.Solo {
		v.Piles = ints(s.Piles[:s.Owners])
	}
	return v
}

func ints[T uint8 | int32](list []T) []int {
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}

// Phase returns the phase of the game.
func (s *State) Phase() Phase {
	switch {
	case s.Over:
		return PhaseOver
	case s.Current != table.NoTile && table.Shapes[s.Current].Set != table.Base:
		return PhaseRiver
	}
	return PhaseLand
}

// load makes the state that a view shows; its contents were judged when the event was made. It reports whether that
// works, with a place for every tile and an owner for every figure; it leaves out what does not fit.
func (s *State) load(v *View) bool {
	whole := true
	*s = State{}
	s.Choices, s.Current, s.ToMove = table.ChoicesOf(v.Options, len(v.Scores)), v.Tile, v.ToMove
	s.Ready, s.Over, s.Turn, s.Bag = true, v.Phase == PhaseOver, uint16(v.Turn), v.Remaining
	s.NLand, s.NRiver = s.Bag.Sums()
	for o := range v.Scores {
		s.Hand[o], s.AbbotsHome[o] = table.FullHand, 1
	}
	for i := range v.Tiles {
		t := &v.Tiles[i]
		quarter, x, y := uint8(t.Turn/90), int16(t.X), int16(t.Y)
		if !s.lies(t.Tile, quarter, x, y) {
			whole = false
			continue
		}
		s.Put(t.Tile, quarter, x, y)
		for k := range t.Figures {
			if !s.posts(t.Tile, quarter, &t.Figures[k]) {
				whole = false
				continue
			}
			s.Post(int(s.NTiles)-1, &t.Figures[k])
		}
	}
	for o := range v.Scores {
		s.Scores[o] = int32(v.Scores[o])
		s.Hand[o], s.AbbotsHome[o] = uint8(v.Followers[o]), uint8(v.Abbots[o])
		if s.Solo {
			s.Piles[o] = uint8(v.Piles[o])
		}
	}
	s.NAside = uint8(copy(s.Aside[:], v.SetAside))
	return whole
}
