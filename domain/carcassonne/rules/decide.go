package rules

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Decide judges a turn: the place, the figure, the order of scoring; then scores what is
// completed, draws the next tile, and closes the game if there is none.
func (Room) Decide(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) (domain.Event, error) {
	if !awaits(s, seat) {
		return domain.Event{}, domain.Refuse("not-your-turn")
	}
	if err := judgePlace(s, m); err != nil {
		return domain.Event{}, err
	}
	var p state.Placing
	p.Lay(s, s.Current, m.Quarter, m.X, m.Y)
	a := s.Look(&p.Cell)
	step := secondOf(s)
	z, stops := step.zones(p.R, &p.Cell, &a)
	part, err := judgeChoice(s, &p, z, m.Follower)
	if err != nil {
		return domain.Event{}, err
	}
	b := &state.Played{By: s.ToMove, Tile: s.Current, X: int(m.X), Y: int(m.Y), Turn: int(m.Quarter) * 90}
	b.Stopped = stops && part < 0
	if part >= 0 {
		_, abbot, _ := m.Follower.Place()
		b.Placed = &state.Stands{Seat: s.ToMove, Abbot: abbot, On: p.Sh.Place(p.R, part)}
		claim(&p, part, s.ToMove)
	}
	now := Points(s.Scores)
	if m.Follower == table.Recall {
		scoreRecall(s, b, &now, &p.Cell)
	}
	if err := scoreDues(s, b, &now, &p, m.Follower, m.Order); err != nil {
		return domain.Event{}, err
	}
	s.DrawNext(b, &p, luck)
	if b.Over() {
		b.Final = finalAfter(s, b)
	}
	return domain.Event{Type: state.EventPlayed, Body: b}, nil
}

// judgePlace refuses what S1 does not allow of placing a tile (points 7 and 44).
func judgePlace(s *state.State, m state.Move) error {
	at := func(code string, more ...any) error {
		return domain.Refuse(code, append([]any{"x", int(m.X), "y", int(m.Y)}, more...)...)
	}
	c := s.OpenAt(m.X, m.Y)
	switch {
	case m.Quarter > 3:
		return domain.Refuse("turn-unreadable")
	case s.TileAt(m.X, m.Y) >= 0:
		return at("place-taken")
	case c == nil:
		return at("place-alone")
	case s.Turns(s.Current, c, nil)>>m.Quarter&1 == 1:
		return nil
	}
	sh := &table.Shapes[s.Current]
	r := &sh.Turned[m.Quarter]
	for e := range 4 {
		if have, want := r.Edge(e), c.Asks.Edge(e); want != table.NoKind && have != want {
			return at("edge-differs", "edge", table.EdgeNames[e], "have_word", "kind."+have.String(), "want_word", "kind."+want.String())
		}
	}
	if sh.Set != table.Base {
		in, ok := state.RiverEdge(c)
		switch {
		case !ok:
			return at("river-apart")
		case s.TurnsBack(r, c, in, nil):
			return at("river-turns-back")
		}
	}
	return nil
}

// judgeChoice refuses what may not be done in the second step, and gives the part that a
// figure goes on, -1 for none.
func judgeChoice(s *state.State, p *state.Placing, z zones, choice table.Choice) (part int, err error) {
	place, abbot, figure := choice.Place()
	switch {
	case choice == table.Recall:
		return -1, judgeRecall(s, p, z)
	case !figure && choice != table.Nobody:
		return -1, domain.Refuse("move-unreadable")
	case !figure && !z.has(zoneNobody):
		return -1, domain.Refuse("follower-due")
	case !figure:
		return -1, nil
	case place.Kind == table.River:
		return -1, domain.Refuse("river-unclaimed")
	case place.Kind == table.Cloister || place.Kind == table.Garden:
		return judgeShrine(s, p, z, place.Kind, abbot)
	}
	n := p.Sh.Part(p.R, place)
	switch {
	case n < 0:
		return -1, domain.Refuse("no-such-part", "place", state.PlaceSay(place))
	case place.Kind == table.Field && s.Solo:
		return -1, domain.Refuse("solo-no-farmer")
	case place.Kind == table.Field && !s.Farmers:
		return -1, domain.Refuse("farmers-off")
	case s.Hand[s.ToMove] == 0:
		return -1, domain.Refuse("no-follower")
	case !z.has(zonePart << n):
		return -1, domain.Refuse("feature-claimed", "place", state.PlaceSay(place))
	}
	return int(n), nil
}

func judgeShrine(s *state.State, p *state.Placing, z zones, k table.Kind, abbot bool) (int, error) {
	switch {
	case abbot && !s.Abbot:
		return -1, domain.Refuse("abbot-off")
	case p.Sh.Shrine != k:
		return -1, domain.Refuse("no-such-part", "place", state.PlaceSay(table.Place{Kind: k}))
	case abbot && !z.has(zoneAbbot):
		return -1, domain.Refuse("abbot-away")
	case !abbot && k == table.Garden:
		return -1, domain.Refuse("garden-abbot-only")
	case !abbot && !z.has(zoneShrine):
		return -1, domain.Refuse("no-follower")
	}
	return table.ShrinePart, nil
}

func judgeRecall(s *state.State, p *state.Placing, z zones) error {
	if z.has(zoneRecall) {
		return nil
	}
	if !s.Abbot {
		return domain.Refuse("abbot-off")
	}
	tile, ok := s.AbbotOut(s.ToMove)
	switch {
	case !ok:
		return domain.Refuse("abbot-home")
	case s.AroundWith(tile, &p.Cell) >= 8:
		return domain.Refuse("recall-complete")
	default:
		return domain.Refuse("follower-due")
	}
}

func scoreRecall(s *state.State, b *state.Played, now *Points, c *state.Cell) {
	tile, worth, paid := payRecall(s, now, c)
	t := &s.Tiles[tile]
	k := t.Shape().Shrine
	b.Scores = append(b.Scores, state.Score{
		What: k, Recalled: true, X: int(t.X), Y: int(t.Y), On: table.Place{Kind: k}, Tiles: worth, Worth: worth,
		Figures: []state.Posted{{Seat: s.ToMove, Abbot: true, X: int(t.X), Y: int(t.Y), On: table.Place{Kind: k}}},
		Points:  awards(paid, worth),
	})
}

// scoreDues scores what the tile completes, in the order that was given or, where the order
// changes nothing, as it comes.
func scoreDues(s *state.State, b *state.Played, now *Points, p *state.Placing, choice table.Choice, given state.Order) error {
	var d dues
	d.find(p, choice)
	order, err := orderOf(s, *now, &d, p, given)
	if err != nil {
		return err
	}
	for _, k := range order[:d.n] {
		x := &d.list[k]
		paid := pay(s, now, &x.men, x.worth)
		b.Scores = append(b.Scores, state.Score{
			What: x.what, X: int(x.x), Y: int(x.y), On: x.on,
			Tiles: x.tiles, Pennants: x.pennants, Worth: x.worth,
			Figures: figuresIn(p, x, b.Placed), Points: awards(paid, x.worth),
		})
	}
	return nil
}

// orderOf turns the order that was given into one of all dues. What it leaves open is done
// as it comes, unless that would change somebody's points.
func orderOf(s *state.State, from Points, d *dues, p *state.Placing, given state.Order) (order [state.OrderMost]uint8, err error) {
	codes, n := given.List()
	var fixed []uint8
	for _, code := range codes[:n] {
		k, err := named(p, d, code)
		if err != nil {
			return order, err
		}
		if k < 0 {
			continue
		}
		for _, have := range fixed {
			if have == uint8(k) {
				return order, domain.Refuse("order-twice")
			}
		}
		fixed = append(fixed, uint8(k))
	}
	if !s.Solo || d.n < 2 {
		return completeOrder(fixed, d.n), nil
	}
	found := outcomes(s, from, *d, fixed)
	if len(found) > 1 {
		says := state.OrderSays(p.Cell.X, p.Cell.Y, d.pack(&found[0].order))
		return order, domain.Refuse("order-needed", "features", says)
	}
	return found[0].order, nil
}

func completeOrder(fixed []uint8, n int) (order [state.OrderMost]uint8) {
	k := copy(order[:], fixed)
	for i := range uint8(n) {
		have := false
		for _, f := range fixed {
			have = have || f == i
		}
		if !have {
			order[k] = i
			k++
		}
	}
	return order
}

// named finds the due that an entry of an order names: by any edge of the tile that the
// feature leaves it by. A completed feature nobody stands in may be named too; it is -1.
func named(p *state.Placing, d *dues, code uint8) (int, error) {
	k, edge, dx, dy := state.OrderNamed(code)
	x, y := p.Cell.X+dx, p.Cell.Y+dy
	if k == table.Cloister || k == table.Garden {
		for i := range d.list[:d.n] {
			if q := &d.list[i]; q.group < 0 && q.what == k && q.x == x && q.y == y {
				return i, nil
			}
		}
		return -1, domain.Refuse("order-not-scored")
	}
	part := p.R.EdgePart[edge]
	if part < 0 || p.Sh.Kind[part] != k {
		return -1, domain.Refuse("order-not-scored")
	}
	g := int(p.J.Of[part])
	for i := range d.list[:d.n] {
		if d.list[i].group == g {
			return i, nil
		}
	}
	if p.J.Group[g].Complete() {
		return -1, nil
	}
	return -1, domain.Refuse("order-not-scored")
}

// figuresIn lists who stands in a due, the figure just placed last.
func figuresIn(p *state.Placing, x *due, placed *state.Stands) (list []state.Posted) {
	for i := range p.S.Figures[:p.S.NFigures] {
		if f := &p.S.Figures[i]; standsIn(p, x, f) {
			list = append(list, p.S.Posted(f))
		}
	}
	if placed != nil && stoodIn(p, x, placed.On) {
		list = append(list, state.Posted{
			Seat: placed.Seat, Abbot: placed.Abbot, X: int(p.Cell.X), Y: int(p.Cell.Y), On: placed.On,
		})
	}
	return list
}

func standsIn(p *state.Placing, x *due, f *state.Figure) bool {
	if x.group < 0 || f.Part == table.ShrinePart {
		return x.group < 0 && int(f.Tile) == x.tile && f.Part == table.ShrinePart
	}
	g := &p.J.Group[x.group]
	have := featureOf(p.S, f)
	for _, id := range g.Feats[:g.NFeats] {
		if id == have {
			return true
		}
	}
	return false
}

func stoodIn(p *state.Placing, x *due, on table.Place) bool {
	if on.Kind == table.Cloister || on.Kind == table.Garden {
		return x.group < 0 && x.tile == int(p.S.NTiles)
	}
	part := p.Sh.Part(p.R, on)
	return part >= 0 && x.group == int(p.J.Of[part])
}

// standing lists the figures on the board that a test admits, in the order they were placed.
func standing(s *state.State, admit func(state.Figure) bool) []state.Posted {
	var list []state.Posted
	for i, f := range s.Figures[:s.NFigures] {
		if admit(f) {
			list = append(list, s.Posted(&s.Figures[i]))
		}
	}
	return list
}

func awards(paid uint8, worth int) []state.Awarded {
	var list []state.Awarded
	for o := range state.Owner(table.MaxOwners) {
		if paid>>o&1 == 1 {
			list = append(list, state.Awarded{Seat: o, Points: worth})
		}
	}
	return list
}
