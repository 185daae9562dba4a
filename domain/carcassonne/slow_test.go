package carcassonne

import (
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// The slow scorer: a second version of the rules, from the table of tiles alone, which floods the whole board for
// every question. It shares nothing with the engine except the tile table and the notation's types; read it against
// the rulebook.

type slowAt struct{ x, y int }

type slowTile struct {
	tile *table.Tile
	turn int // quarter turns
}

type slowFigure struct {
	seat  state.Owner
	abbot bool
	at    slowAt
	on    table.Place
}

type slowBoard struct {
	choices table.Choices
	tiles   map[slowAt]slowTile
	figures []slowFigure
	scores  []int
	bent    int // river: how the last curve turned, 1 or 3
	curved  bool
	next    slowAt // river: where the next river tile goes
	enters  int    // and by which edge
}

func slowFrom(v *state.View) *slowBoard {
	b := &slowBoard{choices: table.ChoicesOf(v.Options, len(v.Scores)), tiles: map[slowAt]slowTile{},
		scores: append([]int(nil), v.Scores...)}
	for _, t := range v.Tiles {
		at := slowAt{t.X, t.Y}
		b.tiles[at] = slowTile{t.Tile.Tile(), t.Turn / 90}
		for _, f := range t.Figures {
			b.figures = append(b.figures, slowFigure{f.Seat, f.Abbot, at, f.On})
		}
	}
	b.next, b.enters = slowAt{1, 0}, 3 // the spring lies at 0,0 and its river leaves to the east
	return b
}

// partAt returns the part of a tile on an edge (roads, cities, rivers) or half-edge (fields), as the tile lies; -1 if
// there is none.
func (t slowTile) partAt(k table.Kind, at int) int {
	for i, p := range t.tile.Parts {
		if p.Kind != k {
			continue
		}
		for _, a := range p.At {
			if k == table.Field && (int(a)+2*t.turn)%8 == at || k != table.Field && (int(a)+t.turn)%4 == at {
				return i
			}
		}
	}
	return -1
}

func (t slowTile) edge(e int) table.Kind { return t.tile.Edges[((e-t.turn)%4+4)%4] }

func beside(at slowAt, e int) slowAt {
	return [4]slowAt{{at.x, at.y - 1}, {at.x + 1, at.y}, {at.x, at.y + 1}, {at.x - 1, at.y}}[e]
}

// slowPart is one part of one tile.
type slowPart struct {
	at   slowAt
	part int
}

// flood finds the whole feature that a part belongs to, and how many of its edges lead nowhere.
func (b *slowBoard) flood(from slowPart) (feature map[slowPart]bool, openEnds int) {
	feature = map[slowPart]bool{from: true}
	rest := []slowPart{from}
	for len(rest) > 0 {
		p := rest[0]
		rest = rest[1:]
		t := b.tiles[p.at]
		kind := t.tile.Parts[p.part].Kind
		for _, a := range t.tile.Parts[p.part].At {
			var e, meets int
			if kind == table.Field {
				h := (int(a) + 2*t.turn) % 8
				e = h / 2
				// Nw meets Sw and Ne meets Se of the tile to the north, En meets Wn and so on.
				meets = map[int]int{0: 5, 1: 4, 2: 7, 3: 6, 4: 1, 5: 0, 6: 3, 7: 2}[h]
			} else {
				e = (int(a) + t.turn) % 4
				meets = (e + 2) % 4
			}
			there, ok := b.tiles[beside(p.at, e)]
			if !ok {
				openEnds++
				continue
			}
			q := slowPart{beside(p.at, e), there.partAt(kind, meets)}
			if q.part >= 0 && !feature[q] {
				feature[q] = true
				rest = append(rest, q)
			}
		}
	}
	return feature, openEnds
}

func (b *slowBoard) partOf(f slowFigure) slowPart {
	return slowPart{f.at, b.tiles[f.at].partAt(f.on.Kind, int(f.on.At))}
}

func isShrine(k table.Kind) bool { return k == table.Cloister || k == table.Garden }

// within lists the figures in a feature.
func (b *slowBoard) within(feature map[slowPart]bool) (list []slowFigure) {
	for _, f := range b.figures {
		if !isShrine(f.on.Kind) && feature[b.partOf(f)] {
			list = append(list, f)
		}
	}
	return list
}

func slowCount(feature map[slowPart]bool) int {
	tiles := map[slowAt]bool{}
	for p := range feature {
		tiles[p.at] = true
	}
	return len(tiles)
}

func (b *slowBoard) pennants(feature map[slowPart]bool) (n int) {
	for p := range feature {
		if b.tiles[p.at].tile.Parts[p.part].Pennant {
			n++
		}
	}
	return n
}

func (b *slowBoard) neighbours(at slowAt) (n int) {
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if _, ok := b.tiles[slowAt{at.x + dx, at.y + dy}]; ok && (dx != 0 || dy != 0) {
				n++
			}
		}
	}
	return n
}

// majority lists those with the most figures.
func majority(figures []slowFigure) (who []state.Owner) {
	count := map[state.Owner]int{}
	most := 0
	for _, f := range figures {
		count[f.seat]++
		most = max(most, count[f.seat])
	}
	for o := range state.Owner(table.MaxOwners) {
		if most > 0 && count[o] == most {
			who = append(who, o)
		}
	}
	return who
}

func (b *slowBoard) lowest(o state.Owner) bool {
	for _, n := range b.scores {
		if n < b.scores[o] {
			return false
		}
	}
	return true
}

// award pays a feature's worth to the majority; in a solo game only if it includes a lowest colour.
func (b *slowBoard) award(figures []slowFigure, worth int) {
	who := majority(figures)
	if b.choices.Solo {
		some := false
		for _, o := range who {
			some = some || b.lowest(o)
		}
		if !some {
			return
		}
	}
	for _, o := range who {
		b.scores[o] += worth
	}
}

func (b *slowBoard) takeBack(figures []slowFigure) {
	gone := map[slowFigure]bool{}
	for _, f := range figures {
		gone[f] = true
	}
	kept := b.figures[:0:0]
	for _, f := range b.figures {
		if !gone[f] {
			kept = append(kept, f)
		}
	}
	b.figures = kept
}

// play makes a turn: the tile, the figure, then the scoring in the order of the event.
func (b *slowBoard) play(e *state.Played, recalled bool) {
	at := slowAt{e.X, e.Y}
	b.tiles[at] = slowTile{e.Tile.Tile(), e.Turn / 90}
	if e.Placed != nil {
		b.figures = append(b.figures, slowFigure{e.Placed.Seat, e.Placed.Abbot, at, e.Placed.On})
	}
	if recalled {
		for _, f := range b.figures {
			if f.abbot && f.seat == e.By {
				b.award([]slowFigure{f}, 1+b.neighbours(f.at))
				b.takeBack([]slowFigure{f})
				break
			}
		}
	}
	for _, x := range e.Scores { // take only the order from the event
		if !x.Recalled {
			b.scoreAt(slowAt{x.X, x.Y}, x.On)
		}
	}
	b.scoreRest(at)
	b.flow(at)
}

func (b *slowBoard) scoreAt(at slowAt, on table.Place) {
	if isShrine(on.Kind) {
		for _, f := range b.figures {
			if f.at == at && isShrine(f.on.Kind) && b.neighbours(at) == 8 {
				b.award([]slowFigure{f}, 9)
				b.takeBack([]slowFigure{f})
				return
			}
		}
		return
	}
	feature, open := b.flood(slowPart{at, b.tiles[at].partAt(on.Kind, int(on.At))})
	if open > 0 || on.Kind == table.Field {
		return
	}
	figures := b.within(feature)
	worth := slowCount(feature)
	if on.Kind == table.City {
		switch {
		case b.choices.TinyPays2 && worth == 2:
		default:
			worth = 2*worth + 2*b.pennants(feature)
		}
	}
	b.award(figures, worth)
	b.takeBack(figures)
}

// scoreRest scores whatever is complete and still occupied: nothing, if the event was complete.
func (b *slowBoard) scoreRest(at slowAt) {
	for _, f := range append([]slowFigure(nil), b.figures...) {
		if f.on.Kind != table.Field {
			b.scoreAt(f.at, f.on)
		}
	}
}

// final returns the scores with the final scoring included.
func (b *slowBoard) final() []int {
	c := *b
	c.scores = append([]int(nil), b.scores...)
	if b.choices.Solo {
		c.finalSolo()
		return c.scores
	}
	done := map[slowPart]bool{}
	for _, f := range b.figures {
		if isShrine(f.on.Kind) {
			c.award([]slowFigure{f}, 1+b.neighbours(f.at))
			continue
		}
		if done[b.partOf(f)] {
			continue
		}
		feature, _ := b.flood(b.partOf(f))
		for p := range feature {
			done[p] = true
		}
		worth := slowCount(feature)
		switch f.on.Kind {
		case table.City:
			worth += b.pennants(feature)
		case table.Field:
			worth = 3 * b.citiesBeside(feature)
		}
		c.award(b.within(feature), worth)
	}
	return c.scores
}

func (b *slowBoard) finalSolo() {
	left := map[state.Owner]int{}
	for _, f := range b.figures {
		left[f.seat]++
	}
	for fed := true; fed; {
		fed = false
		for o := range b.scores {
			if left[state.Owner(o)] > 0 && b.lowest(state.Owner(o)) {
				b.scores[o] += 2
				left[state.Owner(o)]--
				fed = true
				break
			}
		}
	}
}

// citiesBeside counts the completed cities that a field touches inside its tiles.
func (b *slowBoard) citiesBeside(field map[slowPart]bool) (n int) {
	counted := map[slowPart]bool{}
	for p := range field {
		for _, c := range b.tiles[p.at].tile.Parts[p.part].Cities {
			q := slowPart{p.at, c}
			if counted[q] {
				continue
			}
			city, open := b.flood(q)
			for r := range city {
				counted[r] = true
			}
			if open == 0 {
				n++
			}
		}
	}
	return n
}

// flow follows the river to where it continues.
func (b *slowBoard) flow(at slowAt) {
	t := b.tiles[at]
	if t.tile.Set != table.Middle {
		return
	}
	for e := range 4 {
		if e == b.enters || t.edge(e) != table.River {
			continue
		}
		d := (e - b.enters + 4) % 4
		switch {
		case d != 2:
			b.bent, b.curved = d, true
		case !b.choices.TurnsAny:
			b.curved = false
		}
		b.next, b.enters = beside(at, e), (e+2)%4
		return
	}
}
