package carcassonne

import (
	"strings"

	"posthorn/domain"
)

// drawKind is the game's one kind of chance: the tile drawn next.
const drawKind = "tile"

// stack is what is still to be drawn, while a draw is worked out beside the state.
type stack struct {
	bag    Counts
	nLand  uint8
	nRiver uint8
	piles  [maxOwners]uint8
}

// drawNext draws the tile of the next turn and says whose turn it is. What fits nowhere is
// set aside and the same player draws again (S1, review of the rules; points 9 and 46); when
// nothing is left to draw the game is over (point 11).
func (s *State) drawNext(b *Played, p *placing, luck *domain.Luck) {
	b.Next, b.NextBy = NoTile, s.after(s.toMove)
	k := stack{bag: s.bag, nLand: s.nLand, nRiver: s.nRiver, piles: s.piles}
	if !b.Stopped {
		b.SetOff, b.Next, b.NextBy = s.draw(&k, b.NextBy, luck, p)
	}
	if s.solo {
		b.Piles = k.pileSizes(s.owners)
	}
}

func (k *stack) pileSizes(owners uint8) []int {
	list := make([]int, owners)
	for i := range list {
		list[i] = int(k.piles[i])
	}
	return list
}

// after is who comes after an owner, clockwise.
func (s *State) after(o Owner) Owner { return (o + 1) % Owner(s.owners) }

// draw takes tiles from a stack until one fits the board with the tile that is being placed,
// or the board as it is.
func (s *State) draw(k *stack, by Owner, luck *domain.Luck, p *placing) (aside []TileID, next TileID, who Owner) {
	for {
		id := NoTile
		switch {
		case k.nRiver > 0:
			id = k.takeRiver(s, luck)
		case k.nLand > 0:
			if s.solo {
				by = s.withPile(k, by)
				k.piles[by]--
			}
			id = k.takeLand(s, luck)
		}
		if id == NoTile || s.fitsAnywhere(id, p) {
			return aside, id, by
		}
		aside = append(aside, id)
	}
}

// withPile is the next colour that has a pile left, beginning with one. The rules are silent
// on piles that run out unevenly; a colour without tiles is passed over, and the game ends
// with the last tile of all (S0, end of the game).
func (s *State) withPile(k *stack, by Owner) Owner {
	for range s.owners {
		if k.piles[by] > 0 {
			return by
		}
		by = s.after(by)
	}
	return by
}

// takeRiver draws one of the shuffled river tiles, and the lake after the last of them.
func (k *stack) takeRiver(s *State, luck *domain.Luck) TileID {
	if k.nRiver == 1 && k.bag[lake] > 0 {
		return k.take(lake)
	}
	return k.take(k.pick(s, luck, Middle, k.nRiver-k.bag[lake]))
}

func (k *stack) takeLand(s *State, luck *domain.Luck) TileID {
	return k.take(k.pick(s, luck, Base, k.nLand))
}

func (k *stack) take(id TileID) TileID {
	k.bag[id]--
	if shapes[id].set == Base {
		k.nLand--
	} else {
		k.nRiver--
	}
	return id
}

// pick draws one of the n tiles of a set, every tile as likely, or takes the one that a
// script dictates. The lake is never a matter of chance, so a script that names it as an
// outcome is neither wrong nor needs to: it is passed over.
func (k *stack) pick(s *State, luck *domain.Luck, set Set, n uint8) TileID {
	for {
		o, ok := luck.Dictated(drawKind)
		if !ok {
			return k.at(luck.Draw(drawKind, int(n)), set)
		}
		id, known := TileNamed(strings.TrimSpace(o.Words))
		switch {
		case !known:
			luck.Reject(drawKind, o, "there is no such tile")
			return k.at(0, set)
		case id == lake && s.river && k.bag[lake] == 0:
			continue
		}
		if id = s.kind(id); shapes[id].set != set || k.bag[id] == 0 {
			luck.Reject(drawKind, o, "no such tile is left to draw")
			return k.at(0, set)
		}
		return id
	}
}

// at is the tile at an index among those of a set.
func (k *stack) at(i int, set Set) TileID {
	for id, n := range k.bag {
		if n == 0 || shapes[id].set != set {
			continue
		}
		if i < int(n) {
			return TileID(id)
		}
		i -= int(n)
	}
	panic("carcassonne: an index beyond the tiles left")
}

var (
	spring    = mustTile("RA")
	lake      = mustTile("RL")
	startTile = mustTile("D")
	plain     = plainTiles()
)

func mustTile(letter string) TileID {
	id, ok := TileNamed(letter)
	if !ok {
		panic("carcassonne: no tile " + letter)
	}
	return id
}

// plainTiles gives for each kind the same without its garden (tiles.md, no-garden reading).
func plainTiles() (p [tileKinds]TileID) {
	for i := range p {
		p[i] = TileID(i)
		if !tiles[i].Garden {
			continue
		}
		letter := tiles[i].Letter
		if letter == "RJg" {
			p[i] = mustTile("RG")
			continue
		}
		p[i] = mustTile(letter[:len(letter)-1])
	}
	return p
}

// kind is a tile as this game knows it: without the abbot gardens mean nothing, and a tile
// with one is the same as its plain fellow.
func (c *choices) kind(id TileID) TileID {
	if c.abbot {
		return id
	}
	return plain[id]
}

// fullBag is every tile of the game, and what of it is placed first.
func (c *choices) fullBag() (bag Counts) {
	for id := range tiles {
		if c.river || tiles[id].Set == Base {
			bag[c.kind(TileID(id))] += uint8(tiles[id].Copies)
		}
	}
	return bag
}

func (k *Counts) sums() (land, river uint8) {
	for id, n := range k {
		if shapes[id].set == Base {
			land += n
		} else {
			river += n
		}
	}
	return land, river
}
