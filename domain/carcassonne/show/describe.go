package show

import (
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Describe puts the position into words. The line whose key begins with "board.aid" is a help text that a page may
// leave out.
func (Room) Describe(view *state.View) domain.Description {
	return domain.Description{Alt: altSay(view), Lines: boardSays(view), Brief: briefSays(view)}
}

func solo(v *state.View) bool { return len(v.Piles) > 0 || v.Options.On("solo") }

func altSay(v *state.View) domain.Say {
	n := len(v.Tiles)
	if n == 0 {
		return domain.S("board.alt-empty")
	}
	last := v.Tiles[n-1]
	args := []any{"tiles", domain.S("board.tiles", "n", n), "x", last.X, "y", last.Y}
	switch {
	case v.Tile == table.NoTile:
		return domain.S("board.alt-over", args...)
	case n == 1:
		return domain.S("board.alt-first", append(args, "parts", partSays(v.Tile, 0))...)
	}
	return domain.S("board.alt", append(args, "parts", partSays(v.Tile, 0))...)
}

func boardSays(v *state.View) (list []domain.Say) {
	solo := solo(v)
	if n := len(v.Tiles); n > 1 {
		t := v.Tiles[n-1]
		list = append(list, domain.S("board.last", "x", t.X, "y", t.Y))
	}
	if v.Tile != table.NoTile {
		list = append(list, domain.S("board.to-place", "who", state.OwnerSay(v.ToMove, solo), "parts",
			partSays(v.Tile, 0)))
	}
	for o := range v.Followers {
		list = append(list, handSay(v, state.Owner(o), solo))
		if at := standingSays(v, state.Owner(o)); len(at) > 0 {
			list = append(list, domain.S("board.stands", "who", state.OwnerSay(state.Owner(o), solo), "where", at))
		}
	}
	return append(list, supplySays(v, solo)...)
}

// briefSays says what the map does not show: who has how many figures in hand, and how many tiles are left.
func briefSays(v *state.View) (list []domain.Say) {
	var hands []domain.Say
	for o, n := range v.Followers {
		key := "board.has"
		if o < len(v.Abbots) && v.Abbots[o] > 0 {
			key = "board.has-abbot"
		}
		hands = append(hands, domain.S(key, "who", state.OwnerSay(state.Owner(o), solo(v)), "n", n))
	}
	list = append(list, domain.S("board.hands", "hands", hands))
	if left, _ := supply(v); v.Tile != table.NoTile {
		list = append(list, domain.S("board.left", "tiles", domain.S("board.tiles", "n", left)))
	}
	return list
}

func handSay(v *state.View, o state.Owner, solo bool) domain.Say {
	who, men := state.OwnerSay(o, solo), domain.S("board.followers", "n", v.Followers[o])
	if int(o) < len(v.Abbots) && v.Abbots[o] > 0 {
		return domain.S("board.hand-abbot", "who", who, "followers", men)
	}
	return domain.S("board.hand", "who", who, "followers", men)
}

// standingSays says where an owner's figures stand, tile by tile.
func standingSays(v *state.View, o state.Owner) (list []domain.Say) {
	for _, t := range v.Tiles {
		for _, f := range t.Figures {
			if f.Seat != o {
				continue
			}
			key := "board.stand"
			if f.Abbot {
				key = "board.stand-abbot"
			}
			list = append(list, domain.S(key, "x", t.X, "y", t.Y, "on", state.PlaceSay(f.On)))
		}
	}
	return list
}

// supplySays says what is still to be drawn, and what was set aside.
func supplySays(v *state.View, solo bool) (list []domain.Say) {
	left, kinds := supply(v)
	if v.Tile != table.NoTile {
		list = append(list, domain.S("board.left", "tiles", domain.S("board.tiles", "n", left)))
	}
	if solo && v.Tile != table.NoTile {
		var piles []domain.Say
		for o, n := range v.Piles {
			piles = append(piles, domain.S("board.pile", "who", state.OwnerSay(state.Owner(o), solo), "n", n))
		}
		if piles != nil {
			list = append(list, domain.S("board.piles", "piles", piles))
		}
	}
	if len(v.SetAside) > 0 {
		aside := make([]domain.Say, len(v.SetAside))
		for i, id := range v.SetAside {
			aside[i] = domain.S("tile-with", "what", hasSay(id))
		}
		list = append(list, domain.S("board.aside", "list", aside))
	}
	if kinds != nil && v.Tile != table.NoTile {
		list = append(list, domain.S("board.aid.remaining", "kinds", kinds))
	}
	return list
}

// supply returns how many tiles are still to be drawn, and which. Tiles with the same description, such as a bend and
// its mirror image, are counted together.
func supply(v *state.View) (left int, kinds []domain.Say) {
	var ids []table.TileID
	count := map[string]int{}
	for i, n := range v.Remaining {
		if n == 0 {
			continue
		}
		left += int(n)
		id := table.TileID(i) // #nosec G115: there are few kinds
		told := strings.Join(onTile(id), " ")
		if count[told] == 0 {
			ids = append(ids, id)
		}
		count[told] += int(n)
	}
	for _, id := range ids {
		kinds = append(kinds, kindSay(id, count[strings.Join(onTile(id), " ")]))
	}
	return left, kinds
}

// partSays lists a tile's parts in words, as it lies after some quarter turns: "city (north)", "road (east, west)".
func partSays(id table.TileID, quarter uint8) (list []domain.Say) {
	t := id.Tile()
	say := func(key string, at []uint8) {
		sides := make([]domain.Say, len(at))
		for i, e := range at {
			sides[i] = domain.S(state.SideKey(table.EdgeNames[(e+quarter)&3]))
		}
		list = append(list, domain.S(key, "edges", sides))
	}
	junction := isJunction(t)
	var arms []uint8
	for _, p := range t.Parts {
		key := "board.part." + p.Kind.String()
		switch {
		case p.Kind == table.Field:
			continue
		case p.Kind == table.Road && junction:
			arms = append(arms, p.At...)
			continue
		case p.Kind == table.Road && len(p.At) == 1:
			key += "-end"
		case p.Pennant:
			key += "-pennant"
		case t.Set == table.Spring:
			key = "board.part.spring"
		case t.Set == table.Lake:
			key = "board.part.lake"
		}
		say(key, p.At)
	}
	if arms != nil {
		say("board.part.junction", arms)
	}
	if t.Shrine != table.NoKind {
		list = append(list, domain.S("board.part."+t.Shrine.String()))
	}
	return list
}
