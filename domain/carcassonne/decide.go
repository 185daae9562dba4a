package carcassonne

import (
	"posthorn/domain"
)

// Decide judges a turn: the place, the figure, the order of scoring; then scores what is
// completed, draws the next tile, and closes the game if there is none.
func (rulesRoom) Decide(s *State, seat domain.Seat, m Move, luck *domain.Luck) (domain.Event, error) {
	if !s.awaits(seat) {
		return domain.Event{}, domain.Refuse("not-your-turn")
	}
	if err := s.judgePlace(m); err != nil {
		return domain.Event{}, err
	}
	var p placing
	p.lay(s, s.current, m.Quarter, m.X, m.Y)
	a := s.look(&p.cell)
	step := s.second()
	z, stops := step.zones(p.r, &p.cell, &a)
	part, err := s.judgeChoice(&p, z, m.Follower)
	if err != nil {
		return domain.Event{}, err
	}
	b := &Played{By: s.toMove, Tile: s.current, X: int(m.X), Y: int(m.Y), Turn: int(m.Quarter) * 90}
	b.Stopped = stops && part < 0
	if part >= 0 {
		_, abbot, _ := m.Follower.Place()
		b.Placed = &Stands{Seat: s.toMove, Abbot: abbot, On: p.sh.place(p.r, part)}
		p.claim(part, s.toMove)
	}
	now := points(s.scores)
	if m.Follower == Recall {
		s.scoreRecall(b, &now, &p.cell)
	}
	if err := s.scoreDues(b, &now, &p, m.Follower, m.Order); err != nil {
		return domain.Event{}, err
	}
	s.drawNext(b, &p, luck)
	if b.Over() {
		b.Final = s.finalAfter(b)
	}
	return domain.Event{Type: eventPlayed, Body: b}, nil
}

// judgePlace refuses what S1 does not allow of placing a tile (points 7 and 44).
func (s *State) judgePlace(m Move) error {
	at := func(code string, more ...any) error {
		return domain.Refuse(code, append([]any{"x", int(m.X), "y", int(m.Y)}, more...)...)
	}
	c := s.openAt(m.X, m.Y)
	switch {
	case m.Quarter > 3:
		return domain.Refuse("turn-unreadable")
	case s.tileAt(m.X, m.Y) >= 0:
		return at("place-taken")
	case c == nil:
		return at("place-alone")
	case s.turns(s.current, c, nil)>>m.Quarter&1 == 1:
		return nil
	}
	sh := &shapes[s.current]
	r := &sh.turned[m.Quarter]
	for e := range 4 {
		if have, want := r.edge(e), c.asks.edge(e); want != NoKind && have != want {
			return at("edge-differs", "edge", edgeNames[e], "have_word", "kind."+have.String(), "want_word", "kind."+want.String())
		}
	}
	if sh.set != Base {
		in, ok := riverEdge(c)
		switch {
		case !ok:
			return at("river-apart")
		case s.turnsBack(r, c, in, nil):
			return at("river-turns-back")
		}
	}
	return nil
}

// judgeChoice refuses what may not be done in the second step, and gives the part that a
// figure goes on, -1 for none.
func (s *State) judgeChoice(p *placing, z zones, choice Choice) (part int, err error) {
	place, abbot, figure := choice.Place()
	switch {
	case choice == Recall:
		return -1, s.judgeRecall(p, z)
	case !figure && choice != Nobody:
		return -1, domain.Refuse("move-unreadable")
	case !figure && !z.has(zoneNobody):
		return -1, domain.Refuse("follower-due")
	case !figure:
		return -1, nil
	case place.Kind == River:
		return -1, domain.Refuse("river-unclaimed")
	case place.Kind == Cloister || place.Kind == Garden:
		return s.judgeShrine(p, z, place.Kind, abbot)
	}
	n := p.sh.part(p.r, place)
	switch {
	case n < 0:
		return -1, domain.Refuse("no-such-part", "place", placeSay(place))
	case place.Kind == Field && s.solo:
		return -1, domain.Refuse("solo-no-farmer")
	case place.Kind == Field && !s.farmers:
		return -1, domain.Refuse("farmers-off")
	case s.hand[s.toMove] == 0:
		return -1, domain.Refuse("no-follower")
	case !z.has(zonePart << n):
		return -1, domain.Refuse("feature-claimed", "place", placeSay(place))
	}
	return int(n), nil
}

func (s *State) judgeShrine(p *placing, z zones, k Kind, abbot bool) (int, error) {
	switch {
	case abbot && !s.abbot:
		return -1, domain.Refuse("abbot-off")
	case p.sh.shrine != k:
		return -1, domain.Refuse("no-such-part", "place", placeSay(Place{Kind: k}))
	case abbot && !z.has(zoneAbbot):
		return -1, domain.Refuse("abbot-away")
	case !abbot && k == Garden:
		return -1, domain.Refuse("garden-abbot-only")
	case !abbot && !z.has(zoneShrine):
		return -1, domain.Refuse("no-follower")
	}
	return shrinePart, nil
}

func (s *State) judgeRecall(p *placing, z zones) error {
	if z.has(zoneRecall) {
		return nil
	}
	if !s.abbot {
		return domain.Refuse("abbot-off")
	}
	tile, ok := s.abbotOut(s.toMove)
	switch {
	case !ok:
		return domain.Refuse("abbot-home")
	case s.aroundWith(tile, &p.cell) >= 8:
		return domain.Refuse("recall-complete")
	default:
		return domain.Refuse("follower-due")
	}
}

func (s *State) scoreRecall(b *Played, now *points, c *cell) {
	tile, worth, paid := s.payRecall(now, c)
	t := &s.tiles[tile]
	k := t.shape().shrine
	b.Scores = append(b.Scores, Score{
		What: k, Recalled: true, X: int(t.x), Y: int(t.y), On: Place{Kind: k}, Tiles: worth, Worth: worth,
		Figures: []Posted{{Seat: s.toMove, Abbot: true, X: int(t.x), Y: int(t.y), On: Place{Kind: k}}},
		Points:  awards(paid, worth),
	})
}

// scoreDues scores what the tile completes, in the order that was given or, where the order
// changes nothing, as it comes.
func (s *State) scoreDues(b *Played, now *points, p *placing, choice Choice, given Order) error {
	var d dues
	d.find(p, choice)
	order, err := s.orderOf(*now, &d, p, given)
	if err != nil {
		return err
	}
	for _, k := range order[:d.n] {
		x := &d.list[k]
		paid := s.pay(now, &x.men, x.worth)
		b.Scores = append(b.Scores, Score{
			What: x.what, X: int(x.x), Y: int(x.y), On: x.on,
			Tiles: x.tiles, Pennants: x.pennants, Worth: x.worth,
			Figures: p.figuresIn(x, b.Placed), Points: awards(paid, x.worth),
		})
	}
	return nil
}

// orderOf turns the order that was given into one of all dues. What it leaves open is done
// as it comes, unless that would change somebody's points.
func (s *State) orderOf(from points, d *dues, p *placing, given Order) (order [orderMost]uint8, err error) {
	codes, n := given.list()
	var fixed []uint8
	for _, code := range codes[:n] {
		k, err := p.named(d, code)
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
	if !s.solo || d.n < 2 {
		return completeOrder(fixed, d.n), nil
	}
	found := s.outcomes(from, *d, fixed)
	if len(found) > 1 {
		says := orderSays(p.cell.x, p.cell.y, d.pack(&found[0].order))
		return order, domain.Refuse("order-needed", "features", says)
	}
	return found[0].order, nil
}

func completeOrder(fixed []uint8, n int) (order [orderMost]uint8) {
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
func (p *placing) named(d *dues, code uint8) (int, error) {
	k, edge, dx, dy := orderNamed(code)
	x, y := p.cell.x+dx, p.cell.y+dy
	if k == Cloister || k == Garden {
		for i := range d.list[:d.n] {
			if q := &d.list[i]; q.group < 0 && q.what == k && q.x == x && q.y == y {
				return i, nil
			}
		}
		return -1, domain.Refuse("order-not-scored")
	}
	part := p.r.edgePart[edge]
	if part < 0 || p.sh.kind[part] != k {
		return -1, domain.Refuse("order-not-scored")
	}
	g := int(p.j.of[part])
	for i := range d.list[:d.n] {
		if d.list[i].group == g {
			return i, nil
		}
	}
	if p.j.group[g].complete() {
		return -1, nil
	}
	return -1, domain.Refuse("order-not-scored")
}

// figuresIn lists who stands in a due, the figure just placed last.
func (p *placing) figuresIn(x *due, placed *Stands) (list []Posted) {
	for i := range p.s.figures[:p.s.nFigures] {
		if f := &p.s.figures[i]; p.standsIn(x, f) {
			list = append(list, p.s.posted(f))
		}
	}
	if placed != nil && p.stoodIn(x, placed.On) {
		list = append(list, Posted{
			Seat: placed.Seat, Abbot: placed.Abbot, X: int(p.cell.x), Y: int(p.cell.y), On: placed.On,
		})
	}
	return list
}

func (p *placing) standsIn(x *due, f *figure) bool {
	if x.group < 0 || f.part == shrinePart {
		return x.group < 0 && int(f.tile) == x.tile && f.part == shrinePart
	}
	g := &p.j.group[x.group]
	have := p.s.featureOf(f)
	for _, id := range g.feats[:g.nFeats] {
		if id == have {
			return true
		}
	}
	return false
}

func (p *placing) stoodIn(x *due, on Place) bool {
	if on.Kind == Cloister || on.Kind == Garden {
		return x.group < 0 && x.tile == int(p.s.nTiles)
	}
	part := p.sh.part(p.r, on)
	return part >= 0 && x.group == int(p.j.of[part])
}

// standing lists the figures on the board that a test admits, in the order they were placed.
func (s *State) standing(admit func(figure) bool) []Posted {
	var list []Posted
	for i, f := range s.figures[:s.nFigures] {
		if admit(f) {
			list = append(list, s.posted(&s.figures[i]))
		}
	}
	return list
}

func (s *State) posted(f *figure) Posted {
	t := &s.tiles[f.tile]
	return Posted{
		Seat: f.owner, Abbot: f.abbot, X: int(t.x), Y: int(t.y),
		On: t.shape().place(t.turned(), int(f.part)),
	}
}

func awards(paid uint8, worth int) []Awarded {
	var list []Awarded
	for o := range Owner(maxOwners) {
		if paid>>o&1 == 1 {
			list = append(list, Awarded{Seat: o, Points: worth})
		}
	}
	return list
}
