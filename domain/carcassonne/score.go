package carcassonne

// due is a feature that a tile completes and somebody stands in: what the third step of a
// turn scores (S1, scoring).
type due struct {
	code     uint8 // as in an Order
	what     Kind
	on       Place
	x, y     int16
	tiles    int
	pennants int
	worth    int
	men      [maxOwners]uint8
	group    int // of the join; -1 of a cloister or garden
	tile     int // of a cloister or garden; the new tile has the number nTiles
}

// dues is every due of one tile; four edges and nine cloisters are the most there can be.
type dues struct {
	list [orderMost]due
	n    int
}

func (d *dues) add(x due) {
	d.list[d.n] = x
	d.n++
}

// placing is a tile that is about to lie, with what follows for the features about it.
type placing struct {
	s       *State
	id      TileID
	sh      *shape
	r       *turned
	quarter uint8
	cell    cell
	j       joined
}

// claim adds a figure to the features of a placing.
func (p *placing) claim(part int, o Owner) {
	if part == shrinePart {
		return
	}
	g := &p.j.group[p.j.of[part]]
	g.men[o]++
	g.all++
}

// find lists what a tile completes: roads and cities by their first edge clockwise, then
// cloisters and gardens by rows. choice is what stands on the tile itself.
func (d *dues) find(p *placing, choice Choice) {
	for e := range 4 {
		part := p.r.edgePart[e]
		if part < 0 {
			continue
		}
		n := int(p.j.of[part])
		g := &p.j.group[n]
		if !g.complete() || g.all == 0 || p.firstEdge(n) != e {
			continue
		}
		x := due{
			code: orderCode(g.kind, uint8(e), 0, 0), what: g.kind, on: Place{g.kind, uint8(e)},
			x: p.cell.x, y: p.cell.y, tiles: g.size(), men: g.men, group: n, tile: -1,
		}
		x.worth = x.tiles
		if g.kind == City {
			x.pennants = int(g.pennants)
			x.worth = p.s.cityPays(x.tiles, x.pennants)
		}
		d.add(x)
	}
	p.dueShrines(d, choice)
}

// cityPays is 2 a tile and 2 a pennant (S1, cities). A city of two tiles, which never has a
// pennant, pays 2 where the option asks for the rule of old editions (point 20).
func (s *State) cityPays(tiles, pennants int) int {
	if s.tinyPays2 && tiles == 2 {
		return 2
	}
	return 2*tiles + 2*pennants
}

func (p *placing) firstEdge(group int) int {
	for e := range 4 {
		if part := p.r.edgePart[e]; part >= 0 && int(p.j.of[part]) == group {
			return e
		}
	}
	return -1
}

// dueShrines adds the cloisters and gardens that this tile surrounds (point 23), itself too.
func (p *placing) dueShrines(d *dues, choice Choice) {
	s := p.s
	var standing [9]*figure // about the tile, by rows
	for i := range s.figures[:s.nFigures] {
		f := &s.figures[i]
		t := &s.tiles[f.tile]
		if f.part != shrinePart || t.around != 7 || choice == Recall && f.abbot && f.owner == s.toMove {
			continue
		}
		if dx, dy := t.x-p.cell.x, t.y-p.cell.y; dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 {
			standing[(dy+1)*3+dx+1] = f
		}
	}
	for i, f := range standing {
		dx, dy := int16(i%3-1), int16(i/3-1)
		switch {
		case f != nil:
			p.addShrine(d, s.tiles[f.tile].shape().shrine, int(f.tile), f.owner, dx, dy)
		case dx == 0 && dy == 0 && choice.shrine() && s.countAround(p.cell.x, p.cell.y) == 8:
			p.addShrine(d, p.sh.shrine, int(s.nTiles), s.toMove, 0, 0)
		}
	}
}

func (p *placing) addShrine(d *dues, k Kind, tile int, o Owner, dx, dy int16) {
	x := due{
		code: orderCode(k, 0, dx, dy), what: k, on: Place{Kind: k},
		x: p.cell.x + dx, y: p.cell.y + dy, tiles: 9, worth: 9, group: -1, tile: tile,
	}
	x.men[o] = 1
	d.add(x)
}

func (s *State) countAround(x, y int16) (n int) {
	for i := range stepX {
		if s.tileAt(x+stepX[i], y+stepY[i]) >= 0 {
			n++
		}
	}
	return n
}

// points is the scores of all owners while they are being worked out.
type points [maxOwners]int32

// pay gives a feature's worth to whoever has the most men in it, all of them on a tie (S1,
// points 24). In a solo game only if one of them is lowest of all colours, or lowest with
// others (S0, scoring; points 58 to 60). It returns the bits of who was paid.
func (s *State) pay(to *points, men *[maxOwners]uint8, worth int) (paid uint8) {
	most := uint8(0)
	for _, n := range men {
		most = max(most, n)
	}
	for o, n := range men {
		if n == most && n > 0 {
			paid |= 1 << o
		}
	}
	if s.solo && paid&s.lowest(to) == 0 {
		return 0
	}
	for o := range men {
		if paid>>o&1 == 1 {
			to[o] += int32(worth)
		}
	}
	return paid
}

// lowest gives the bits of the owners who have the fewest points.
func (s *State) lowest(p *points) (who uint8) {
	least := p[0]
	for _, n := range p[1:s.owners] {
		least = min(least, n)
	}
	for o, n := range p[:s.owners] {
		if n == least {
			who |= 1 << o
		}
	}
	return who
}
