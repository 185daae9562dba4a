package carcassonne

import (
	"sort"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// legal lists the moves, derived from the rulebook's words.
func (b *slowBoard) legal(v *state.View) (list []state.Move) {
	places := map[slowAt]bool{}
	for at := range b.tiles {
		for e := range 4 {
			if _, ok := b.tiles[beside(at, e)]; !ok {
				places[beside(at, e)] = true
			}
		}
	}
	for at := range places {
		for turn := range 4 {
			if t := (slowTile{v.Tile.Tile(), turn}); b.matches(t, at) {
				list = append(list, b.choicesAt(v, t, at)...)
			}
		}
	}
	return list
}

func (b *slowBoard) matches(t slowTile, at slowAt) bool {
	for e := range 4 {
		if there, ok := b.tiles[beside(at, e)]; ok && there.edge((e+2)%4) != t.edge(e) {
			return false
		}
	}
	if t.tile.Set == table.Base {
		return true
	}
	if at != b.next || t.edge(b.enters) != table.River {
		return false
	}
	for e := range 4 {
		if e != b.enters && t.edge(e) == table.River && b.curved && (e-b.enters+4)%4 == b.bent {
			return false
		}
	}
	return true
}

// choicesAt lists what a player may do with a figure on a tile placed there.
func (b *slowBoard) choicesAt(v *state.View, t slowTile, at slowAt) (list []state.Move) {
	b.tiles[at] = t
	defer delete(b.tiles, at)
	me := v.ToMove
	move := func(c table.Choice) {
		list = append(list, state.Move{X: int16(at.x), Y: int16(at.y), Quarter: uint8(t.turn), Follower: c})
	}
	free := 0
	for i, p := range t.tile.Parts {
		if p.Kind == table.River || p.Kind == table.Field && !b.choices.Farmers {
			continue
		}
		feature, _ := b.flood(slowPart{at, i})
		if len(b.within(feature)) > 0 {
			continue
		}
		if v.Followers[me] > 0 {
			free++
			move(table.Put(false, table.Place{Kind: p.Kind, At: firstEdge(t, i)}))
		}
	}
	if t.tile.Shrine == table.Cloister && v.Followers[me] > 0 {
		free++
		move(table.OnCloister)
	}
	if b.choices.Abbot && v.Abbots[me] > 0 {
		if t.tile.Shrine == table.Cloister {
			free++
			move(table.AbbotOnCloister)
		} else if t.tile.Shrine == table.Garden {
			free++
			move(table.AbbotOnGarden)
		}
	}
	if b.choices.Solo && free > 0 {
		return list
	}
	move(table.Nobody)
	if b.choices.Abbot && v.Abbots[me] == 0 {
		for _, f := range b.figures {
			if f.abbot && f.seat == me && b.neighbours(f.at) < 8 {
				move(table.Recall)
			}
		}
	}
	return list
}

func firstEdge(t slowTile, part int) uint8 {
	var ats []int
	for _, a := range t.tile.Parts[part].At {
		if t.tile.Parts[part].Kind == table.Field {
			ats = append(ats, (int(a)+2*t.turn)%8)
		} else {
			ats = append(ats, (int(a)+t.turn)%4)
		}
	}
	sort.Ints(ats)
	return uint8(ats[0])
}
