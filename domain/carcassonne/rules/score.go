package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// due is a feature that a tile completes and somebody stands in: the third step of a turn scores it (S1, scoring).
type due struct {
	code     uint8 // as in an Order
	what     table.Kind
	on       table.Place
	x, y     int16
	tiles    int
	pennants int
	worth    int
	men      [table.MaxOwners]uint8
	group    int // of the join; -1 for a cloister or garden
	tile     int // of a cloister or garden; the new tile is number NTiles
}

// dues is every due of one tile: at most four edges and nine cloisters.
type dues struct {
	list [state.OrderMost]due
	n    int
}

func (d *dues) add(x due) {
	d.list[d.n] = x
	d.n++
}

// claim adds a figure to the features of a placing.
func claim(p *state.Placing, part int, o state.Owner) {
	if part == table.ShrinePart {
		return
	}
	g := &p.J.Group[p.J.Of[part]]
	g.Men[o]++
	g.All++
}

// find lists what a tile completes: roads and cities by their first edge clockwise, then cloisters and gardens by
// rows. choice is the figure placed on the tile itself.
func (d *dues) find(p *state.Placing, choice table.Choice) {
	var seen uint8
	for e, part := range p.R.PartOf[:table.HalfLinks] {
		if part < 0 {
			continue
		}
		n := int(p.J.Of[part])
		g := &p.J.Group[n]
		if !g.Complete() || g.All == 0 || seen>>n&1 == 1 {
			continue
		}
		seen |= 1 << n
		x := due{
			code: state.OrderCode(g.Kind, uint8(e), 0, 0), what: g.Kind, on: table.Place{Kind: g.Kind, At: uint8(e)},
			x: p.Cell.X, y: p.Cell.Y, tiles: g.Size(), men: g.Men, group: n, tile: -1,
		}
		x.worth = x.tiles
		if g.Kind == table.City {
			x.pennants = int(g.Pennants)
			x.worth = cityPays(p.S, x.tiles, x.pennants)
		}
		d.add(x)
	}
	d.findShrines(p, choice)
}

// cityPays returns 2 a tile and 2 a pennant (S1, cities). A city of two tiles, which never has a pennant, pays 2
// where the option selects the rule of old editions (point 20).
func cityPays(s *state.State, tiles, pennants int) int {
	if s.TinyPays2 && tiles == 2 {
		return 2
	}
	return 2*tiles + 2*pennants
}

// findShrines adds the cloisters and gardens that this tile completes (point 23), including its own.
func (d *dues) findShrines(p *state.Placing, choice table.Choice) {
	s := p.S
	var standing [9]*state.Figure // around the tile, by rows
	found := false
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		if f.Part != table.ShrinePart || s.Tiles[f.Tile].Around != 7 || choice == table.Recall && f.Abbot &&
			f.Owner == s.ToMove {
			continue
		}
		t := &s.Tiles[f.Tile]
		if dx, dy := t.X-p.Cell.X, t.Y-p.Cell.Y; dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 {
			standing[(dy+1)*3+dx+1], found = f, true
		}
	}
	if choice.Shrine() && countAround(s, p.Cell.X, p.Cell.Y) == 8 {
		standing[4], found = &state.Figure{Tile: s.NTiles, Owner: s.ToMove}, true
	}
	for i := 0; found && i < len(standing); i++ {
		if f := standing[i]; f != nil {
			k := p.Sh.Shrine
			if f.Tile < s.NTiles {
				k = s.Tiles[f.Tile].Shape().Shrine
			}
			dx, dy := int16(i%3-1), int16(i/3-1)
			x := due{
				code: state.OrderCode(k, 0, dx, dy), what: k, on: table.Place{Kind: k},
				x: p.Cell.X + dx, y: p.Cell.Y + dy, tiles: 9, worth: 9, group: -1, tile: int(f.Tile),
			}
			x.men[f.Owner] = 1
			d.add(x)
		}
	}
}

func countAround(s *state.State, x, y int16) (n int) {
	for i := range table.StepX {
		if s.TileAt(x+table.StepX[i], y+table.StepY[i]) >= 0 {
			n++
		}
	}
	return n
}

// Points holds all owners' scores while they are being worked out.
type Points [table.MaxOwners]int32

// pay gives a feature's worth to whoever has the most men in it, to all of them on a tie (S1, points 24). A solo game
// pays only if one of them is the lowest colour or tied for lowest (S0, scoring; points 58 to 60). It returns the
// bits of those who were paid.
func pay(s *state.State, to *Points, men *[table.MaxOwners]uint8, worth int) (paid uint8) {
	paid = majority(men)
	if s.Solo && paid&Lowest(s, to) == 0 {
		return 0
	}
	for o := range men {
		if paid>>o&1 == 1 {
			to[o] += int32(worth)
		}
	}
	return paid
}

// payRecall pays for a recalled abbot: its tile and those around it (S1, the abbot).
func payRecall(s *state.State, to *Points, c *state.Cell) (tile, worth int, paid uint8) {
	t, ok := s.AbbotOut(s.ToMove)
	if !ok {
		return -1, 0, 0
	}
	var men [table.MaxOwners]uint8
	men[s.ToMove] = 1
	worth = 1 + s.AroundWith(t, c)
	return t, worth, pay(s, to, &men, worth)
}

// majority returns the bits of those who have the most men, of all of them on a tie.
func majority(men *[table.MaxOwners]uint8) (who uint8) {
	most := uint8(1)
	for o, n := range men {
		if n > most {
			most, who = n, 0
		}
		if n == most {
			who |= 1 << o
		}
	}
	return who
}

// Lowest returns the bits of the owners with the fewest points.
func Lowest(s *state.State, p *Points) (who uint8) {
	least := p[0]
	for _, n := range p[1:s.Owners] {
		least = min(least, n)
	}
	for o, n := range p[:s.Owners] {
		if n == least {
			who |= 1 << o
		}
	}
	return who
}

// finalScores returns the scoring at the end of the game: features that somebody stands in, each once, in the order
// in which their first figure was placed (S1, end of the game).
func finalScores(s *state.State) []state.Score {
	if s.Solo {
		return finalSolo(s)
	}
	list := slices.Grow([]state.Score(nil), int(s.NFigures))
	var seen nodeSet
	now := Points(s.Scores)
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		if f.Part != table.ShrinePart && !seen.add(s.FeatureOf(f)) {
			continue
		}
		x, men := finalOf(s, f)
		if paid := pay(s, &now, &men, x.Worth); x.Worth > 0 {
			x.Points = awards(paid, x.Worth)
		}
		list = append(list, x)
	}
	return list
}

// finalAfter returns the final scoring once a turn is over, without changing the state.
func finalAfter(s *state.State, b *state.Played) []state.Score {
	after := *s
	after.Apply(b)
	return finalScores(&after)
}

// finalOf scores a figure's feature, and returns whose men stand in it.
func finalOf(s *state.State, f *state.Figure) (x state.Score, men [table.MaxOwners]uint8) {
	p := s.Posted(f)
	x = state.Score{What: p.On.Kind, X: p.X, Y: p.Y, On: p.On}
	if f.Part == table.ShrinePart {
		men[f.Owner] = 1
		x.Tiles, x.Figures = 1+int(s.Tiles[f.Tile].Around), []state.Posted{p}
	} else {
		id := s.FeatureOf(f)
		g := &s.Features[id]
		men, x.Tiles, x.Pennants = g.Men, g.Size(), int(g.Pennants)
		x.Figures = standing(s, func(f state.Figure) bool {
			return f.Part != table.ShrinePart && s.FeatureOf(&f) == id
		})
		if g.Kind == table.Field {
			x.Cities = completeAt(s, id)
			x.Worth = 3 * x.Cities
			return x, men
		}
	}
	x.Worth = x.Tiles + x.Pennants
	return x, men
}

// nodeSet is a set of features (by number) or of nodes.
type nodeSet [(table.MaxNodes + 63) / 64]uint64

// add adds an entry; it returns false if the set already has it.
func (n *nodeSet) add(id uint16) bool {
	bit := uint64(1) << (id & 63)
	if n[id>>6]&bit != 0 {
		return false
	}
	n[id>>6] |= bit
	return true
}

// eachCity calls see with the number of each city that a field touches, once each (S1, farmers; points 31 and 32).
func eachCity(s *state.State, field uint16, see func(city uint16)) {
	var seen nodeSet
	for n := field; ; {
		t := &s.Tiles[s.Owner[n]]
		for touches := t.Shape().Cities[n-t.Node]; touches != 0; touches &= touches - 1 {
			city := s.Feature[t.Node+uint16(bits.TrailingZeros8(touches))]
			if seen.add(city) {
				see(city)
			}
		}
		if n = s.Next[n]; n == field {
			return
		}
	}
}

// completeAt returns the number of completed cities that a field touches.
func completeAt(s *state.State, field uint16) (n int) {
	eachCity(s, field, func(city uint16) {
		if s.Features[city].Ends == 0 {
			n++
		}
	})
	return n
}

// finalSolo pays two points for each figure still on the board, one after the other, and only to a colour that is
// lowest at that moment (S0, end of the game; point 63). Paying a lowest colour for as long as one has figures left
// is the best any order can do.
func finalSolo(s *state.State) (list []state.Score) {
	now := Points(s.Scores)
	var left, fed [table.MaxOwners]int
	for i := range s.Figures[:s.NFigures] {
		left[s.Figures[i].Owner]++
	}
feeding:
	for {
		low := Lowest(s, &now)
		for o := range left {
			if low>>o&1 == 1 && left[o] > fed[o] {
				fed[o]++
				now[o] += 2
				continue feeding
			}
		}
		break
	}
	for o, n := range fed {
		if n == 0 {
			continue
		}
		mine := standing(s, func(f state.Figure) bool { return int(f.Owner) == o })
		list = append(list, state.Score{
			What: table.Figure, X: mine[0].X, Y: mine[0].Y, On: mine[0].On,
			Worth: 2 * n, Figures: mine[:n], Points: []state.Awarded{{Seat: state.Owner(o), Points: 2 * n}},
		})
	}
	return list
}

// finalPoints returns the scores with the final scoring included.
func finalPoints(s *state.State, list []state.Score) Points {
	p := Points(s.Scores)
	for i := range list {
		for _, a := range list[i].Points {
			p[a.Seat] += int32(a.Points)
		}
	}
	return p
}
