package state

import (
	"reflect"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// Stack is the tiles still to be drawn.
type Stack struct {
	Bag    Counts
	NLand  uint8 // the part that is not river
	NRiver uint8
	Piles  [table.MaxOwners]uint8 // in a solo game
}

// DrawNext draws the tile of the next turn and says whose turn it is. A tile that fits nowhere is set aside and the
// same player draws again (S1, review of the rules; points 9 and 46); when no tiles are left the game is over (point
// 11).
func (s *State) DrawNext(b *Played, p *Placing, luck *domain.Luck) {
	b.Next, b.NextBy = table.NoTile, s.After(s.ToMove)
	k := s.Stack // the draw must not change the state
	if !b.Stopped {
		b.SetOff, b.Next, b.NextBy = k.Draw(s, b.NextBy, luck, p)
	}
	if s.Solo {
		b.Piles = ints(k.Piles[:s.Owners])
	}
}

// After returns the owner who comes after another, clockwise.
func (s *State) After(o Owner) Owner { return (o + 1) % Owner(s.Owners) }

// Draw takes tiles from a stack until one fits the board with the tile being placed, or the board as it is. The lake
// comes after the last of the shuffled river tiles.
func (k *Stack) Draw(s *State, by Owner, luck *domain.Luck, p *Placing) (aside []table.TileID, next table.TileID,
	who Owner) {
	for {
		id := lake
		switch {
		case k.NRiver == 1 && k.Bag[lake] > 0:
		case k.NRiver > 0:
			id = k.pick(s, luck, table.Middle, k.NRiver-k.Bag[lake])
		case k.NLand > 0:
			if s.Solo {
				by = s.withPile(k, by)
				k.Piles[by]--
			}
			id = k.pick(s, luck, table.Base, k.NLand)
		default:
			return aside, table.NoTile, by
		}
		k.take(id)
		if s.FitsAnywhere(id, p) {
			return aside, id, by
		}
		aside = append(aside, id)
	}
}

// withPile returns the next colour that has a pile left, starting with by. The rules are silent on piles that run out
// unevenly; we pass over a colour without tiles, and the game ends with the very last tile (S0, end of the game).
func (s *State) withPile(k *Stack, by Owner) Owner {
	for range s.Owners {
		if k.Piles[by] > 0 {
			return by
		}
		by = s.After(by)
	}
	return by
}

// take takes out a tile; it ignores one that is not there.
func (k *Stack) take(id table.TileID) {
	switch {
	case k.Bag[id] == 0:
		return
	case table.Shapes[id].Set == table.Base:
		k.NLand--
	default:
		k.NRiver--
	}
	k.Bag[id]--
}

// pick draws one of the n tiles of a set, each equally likely, or takes the one that a script dictates. The lake is
// never a matter of chance: a script may name it as an outcome but need not, so pick passes over it.
func (k *Stack) pick(s *State, luck *domain.Luck, set table.Set, n uint8) table.TileID {
	for {
		o, ok := luck.Dictated(table.DrawKind)
		if !ok {
			return k.at(luck.Draw(table.DrawKind, int(n)), set)
		}
		id, known := table.TileNamed(strings.TrimSpace(o.Words))
		switch alike := table.TilesLike(strings.TrimSpace(o.Words)); {
		case len(alike) > 1:
			luck.Reject(table.DrawKind, o, "two tiles are called that: "+strings.Join(alike, ", "))
			return k.at(0, set)
		case !known:
			luck.Reject(table.DrawKind, o, "there is no such tile")
			return k.at(0, set)
		case id == lake && s.River && k.Bag[lake] == 0:
			continue
		case id == lake && s.River:
			luck.Reject(table.DrawKind, o, "the lake is drawn once the other river tiles are")
			return k.at(0, set)
		}
		if id = Kind(&s.Choices, id); table.Shapes[id].Set != set || k.Bag[id] == 0 {
			luck.Reject(table.DrawKind, o, "no such tile is left to draw")
			return k.at(0, set)
		}
		return id
	}
}

// at returns the tile at an index among those of a set.
func (k *Stack) at(i int, set table.Set) table.TileID {
	for id, n := range k.Bag {
		if n == 0 || table.Shapes[id].Set != set {
			continue
		}
		if i < int(n) {
			return table.TileID(id)
		}
		i -= int(n)
	}
	panic("carcassonne: an index beyond the tiles left")
}

var (
	Spring    = MustTile("RA")
	lake      = MustTile("RL")
	StartTile = MustTile("D")
)

// MustTile returns a tile of the table by its letter.
func MustTile(letter string) table.TileID {
	id, ok := table.TileNamed(letter)
	if !ok {
		panic("carcassonne: no tile " + letter)
	}
	return id
}

// plain gives, for each kind, the same tile without its garden (tiles.md, no-garden reading): the first in the table
// that has these parts.
var plain = func() (p [table.TileKinds]table.TileID) {
	for i := range p {
		p[i] = table.TileID(slices.IndexFunc(table.Tiles, func(t table.Tile) bool {
			return reflect.DeepEqual(t.Parts, table.Tiles[i].Parts)
		}))
	}
	return p
}()

// Kind returns a tile as this game knows it: without the abbot, gardens mean nothing, and a tile with one equals its
// plain version.
func Kind(c *table.Choices, id table.TileID) table.TileID {
	if c.Abbot {
		return id
	}
	return plain[id]
}

// FullBag returns every tile of the game, including those placed first.
func FullBag(c *table.Choices) (bag Counts) {
	for id := range table.Tiles {
		if c.River || table.Tiles[id].Set == table.Base {
			bag[Kind(c, table.TileID(id))] += uint8(table.Tiles[id].Copies)
		}
	}
	return bag
}

// Sums returns how many land and river tiles there are.
func (k *Counts) Sums() (land, river uint8) {
	for id, n := range k {
		if table.Shapes[id].Set == table.Base {
			land += n
		} else {
			river += n
		}
	}
	return land, river
}
