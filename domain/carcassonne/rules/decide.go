package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Decide judges a turn: the place, the figure, the order of scoring. It then scores what the tile completes, draws
// the next tile, and ends the game if there is none.
func (Room) Decide(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) (domain.Event, error) {
	if !awaits(s, seat) {
		return domain.Event{}, domain.Refuse("not-your-turn")
	}
	c, err := judgePlace(s, m)
	if err != nil {
		return domain.Event{}, err
	}
	var p state.Placing
	p.Lay(s, s.Current, m.Quarter, c)
	a := s.Look(c)
	step := stepOf(s)
	z, stops := step.zones(p.R, c, &a)
	part, err := judgeChoice(s, &p, z, m.Follower)
	if err != nil {
		return domain.Event{}, err
	}
	turn := &struct { // one allocation for all of it
		state.Played
		figure state.Stands
	}{Played: state.Played{
		By: s.ToMove, Tile: s.Current, X: int(m.X), Y: int(m.Y), Turn: int(m.Quarter) * 90, Stopped: stops && part < 0,
	}}
	b := &turn.Played
	if part >= 0 {
		_, abbot, _ := m.Follower.Place()
		turn.figure = state.Stands{Seat: s.ToMove, Abbot: abbot, On: p.Sh.Place(p.R, part)}
		b.Placed = &turn.figure
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

// judgePlace refuses placements that S1 forbids (points 7 and 44), and returns the open place.
func judgePlace(s *state.State, m state.Move) (*state.Cell, error) {
	c := s.OpenAt(m.X, m.Y)
	if c != nil && m.Quarter < 4 && s.Turns(s.Current, c, nil)>>m.Quarter&1 == 1 {
		return c, nil
	}
	at := func(code string, more ...any) (*state.Cell, error) {
		return nil, domain.Refuse(code, append([]any{"x", int(m.X), "y", int(m.Y)}, more...)...)
	}
	switch {
	case m.Quarter > 3:
		return nil, domain.Refuse("turn-unreadable")
	case s.TileAt(m.X, m.Y) >= 0:
		return at("place-taken")
	case c == nil:
		return at("place-alone")
	}
	r := &table.Shapes[s.Current].Turned[m.Quarter]
	for e := range 4 {
		if have, want := r.Edge(e), c.Asks.Edge(e); want != table.NoKind && have != want {
			return at("edge-differs", "edge_word", state.SideKey(table.EdgeNames[e]), "have_word",
				"kind."+have.String(), "want_word", "kind."+want.String())
		}
	}
	if _, ok := state.RiverEdge(c); !ok {
		return at("river-apart")
	}
	return at("river-turns-back")
}

// judgeChoice refuses a second step that is not allowed, and returns the part the figure goes on, -1 for none.
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
	case place.Kind.Shrine():
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
		return -1, noFollower(z)
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
		return -1, noFollower(z)
	}
	return table.ShrinePart, nil
}

// noFollower refuses a follower that nobody has any more; alone or as a team the abbot may still have to be placed.
func noFollower(z zones) error {
	if !z.has(zoneNobody) {
		return domain.Refuse("no-follower-abbot")
	}
	return domain.Refuse("no-follower")
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

// scoreDues scores what the tile completes, in the given order or, where the order changes nothing, in the order
// found.
func scoreDues(s *state.State, b *state.Played, now *Points, p *state.Placing, choice table.Choice,
	given state.Order) error {
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

// orderOf turns the given order into one of all dues. Dues it leaves out are scored in the order found, unless that
// would change somebody's points.
func orderOf(s *state.State, from Points, d *dues, p *state.Placing, given state.Order) (order [state.OrderMost]uint8,
	err error) {
	fixed := order[:0]
	for _, code := range given.All() {
		k, err := named(p, d, code)
		switch {
		case err != nil:
			return order, err
		case k >= 0 && slices.Contains(fixed, uint8(k)):
			return order, domain.Refuse("order-twice")
		case k >= 0:
			fixed = append(fixed, uint8(k))
		}
	}
	if s.Solo && d.n > 1 {
		found := outcomes(s, from, *d, fixed)
		if len(found) > 1 {
			return order, domain.Refuse("order-needed", "features",
				state.OrderSays(p.Cell.X, p.Cell.Y, d.pack(&found[0].order)))
		}
		return found[0].order, nil
	}
	for k := range uint8(d.n) {
		if !slices.Contains(fixed, k) {
			fixed = append(fixed, k)
		}
	}
	return order, nil
}

// named returns the due that an entry of an order names: by any edge of the tile that the feature crosses. An entry
// may also name a completed feature that nobody stands in; it returns -1 then.
func named(p *state.Placing, d *dues, code uint8) (int, error) {
	k, edge, dx, dy := state.OrderNamed(code)
	group := -1
	if !k.Shrine() {
		part := p.Sh.Part(p.R, table.Place{Kind: k, At: edge})
		if part < 0 {
			return -1, domain.Refuse("order-not-scored")
		}
		group = int(p.J.Of[part])
	}
	for i := range d.list[:d.n] {
		if x := &d.list[i]; x.what == k && x.group == group && x.x == p.Cell.X+dx && x.y == p.Cell.Y+dy {
			return i, nil
		}
	}
	if group >= 0 && p.J.Group[group].Complete() {
		return -1, nil
	}
	return -1, domain.Refuse("order-not-scored")
}

// figuresIn lists the figures in a due, the one just placed last.
func figuresIn(p *state.Placing, x *due, placed *state.Stands) []state.Posted {
	list := standing(p.S, func(f state.Figure) bool {
		if f.Part == table.ShrinePart {
			return int(f.Tile) == x.tile
		}
		return x.group >= 0 && slices.Contains(p.J.Group[x.group].Taken(), p.S.FeatureOf(&f))
	})
	if placed == nil {
		return list
	}
	if part := p.Sh.Part(p.R, placed.On); part == table.ShrinePart && x.tile == int(p.S.NTiles) ||
		part != table.ShrinePart && x.group == int(p.J.Of[part]) {
		list = append(list, state.Posted{Seat: placed.Seat, Abbot: placed.Abbot, X: int(p.Cell.X), Y: int(p.Cell.Y),
			On: placed.On})
	}
	return list
}

// standing lists the figures on the board that pass a test, in the order they were placed.
func standing(s *state.State, admit func(state.Figure) bool) (list []state.Posted) {
	for i := range s.Figures[:s.NFigures] {
		if admit(s.Figures[i]) {
			list = append(list, s.Posted(&s.Figures[i]))
		}
	}
	return list
}

func awards(paid uint8, worth int) (list []state.Awarded) {
	for ; paid != 0; paid &= paid - 1 {
		list = append(list, state.Awarded{Seat: state.Owner(bits.TrailingZeros8(paid)), Points: worth})
	}
	return list
}

// A solo game scores each completed feature separately, and looks again for the lowest colour before each one, so the
// order decides who is paid (S0, scoring; point 57). Players are not asked for an order that changes nothing.

// outcome is the scores that some order of the dues leads to, and the first order that does.
type outcome struct {
	points Points
	order  [state.OrderMost]uint8 // indexes into the dues
}

// outcomes lists the distinct results that orders of the dues can have, starting from what is already fixed. It tries
// the orders in the dues' own order, so the first to reach an outcome is the first of all that do.
func outcomes(s *state.State, from Points, d dues, fixed []uint8) []outcome {
	w := orderWalk{s: s, d: &d, seen: map[orderState]bool{}}
	var path [state.OrderMost]uint8
	mask := uint16(0)
	for i, k := range fixed {
		pay(s, &from, &d.list[k].men, d.list[k].worth)
		path[i] = k
		mask |= 1 << k
	}
	w.walk(from, mask, path, len(fixed))
	return w.found
}

type orderState struct {
	points Points
	mask   uint16
}

type orderWalk struct {
	s     *state.State
	d     *dues
	seen  map[orderState]bool
	found []outcome
}

func (w *orderWalk) walk(now Points, mask uint16, path [state.OrderMost]uint8, n int) {
	if n == w.d.n {
		if !slices.ContainsFunc(w.found, func(o outcome) bool { return o.points == now }) {
			w.found = append(w.found, outcome{now, path})
		}
		return
	}
	step := orderState{now, mask}
	if w.seen[step] {
		return
	}
	w.seen[step] = true
	for k := range w.d.n {
		if mask>>k&1 == 1 {
			continue
		}
		then := now
		pay(w.s, &then, &w.d.list[k].men, w.d.list[k].worth)
		path[n] = uint8(k)
		w.walk(then, mask|1<<k, path, n+1)
	}
}

var noOrder = []state.Order{0}

// ordersFor lists the orders the mover can choose from once a figure stands on a part, one for each outcome; only the
// empty one where the order changes nothing.
func ordersFor(s *state.State, m state.Move, c *state.Cell, part int) []state.Order {
	var p state.Placing
	p.Lay(s, s.Current, m.Quarter, c)
	if part >= 0 {
		claim(&p, part, s.ToMove)
	}
	from := Points(s.Scores)
	if m.Follower == table.Recall {
		payRecall(s, &from, c)
	}
	var d dues
	d.find(&p, m.Follower)
	if d.n < 2 {
		return noOrder
	}
	found := outcomes(s, from, d, nil)
	if len(found) < 2 {
		return noOrder
	}
	list := make([]state.Order, len(found))
	for i := range found {
		list[i] = d.pack(&found[i].order)
	}
	return list
}

func (d *dues) pack(order *[state.OrderMost]uint8) state.Order {
	var codes [state.OrderMost]uint8
	for i, k := range order[:d.n] {
		codes[i] = d.list[k].code
	}
	return state.PackOrder(codes[:d.n])
}
