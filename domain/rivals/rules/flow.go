package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Goods that flow: a payment leaves the places that its seat chooses, a gain is stored at such places. A demand ends
// when nothing more is there, and what finds no room is lost. Who chooses the kind of a gain may choose one of
// which they have no room: then it is lost, too, and they name no place, but [table.LostPlace].

// isGain reports whether a task stores goods; the other flows take them away.
func isGain(t *state.Task) bool { return t.Kind == state.TaskGain }

// holds returns how much of a task's goods a place can give, or has room for.
func holds(r *state.Realm, t *state.Task, p table.Place) uint8 {
	if p == table.LostPlace {
		return t.N
	}
	if isGain(t) {
		return r.Space(p)
	}
	return r.Store(p)
}

// flows returns the resources that a task still pays or gains.
func flows(t *state.Task) table.ResMask {
	m := table.MaskOf(t.Need)
	switch {
	case t.N > 0 && isGain(t):
		m |= t.Res
	case t.N > 0:
		m = table.AnyRes
	}
	return m
}

// openTo returns the places where a payment may come from next, or where a gain may go.
func openTo(s *state.State, t *state.Task) (m uint64) {
	if isGain(t) {
		m = s.Realms[t.Seat].Free(flows(t))
	} else {
		m = s.Realms[t.Seat].Filled(flows(t))
	}
	if t.Mask != 0 {
		m &= t.Mask
	}
	if m != 0 && s.Realms[t.Seat].MayLose(t) {
		m |= 1 << table.LostPlace
	}
	return m
}

// has reports whether a place is in a set.
func has(m uint64, p table.Place) bool { return p <= table.LostPlace && m&(1<<p) != 0 }

// stored returns the places of a single resource that comes for a payment, if one answer says both: the payment is
// the seat's own, and does not make room for the gain. It returns none if the gain is a separate question, or not a
// question at all.
func stored(s *state.State) uint64 {
	pay, gain := &s.Tasks[0], &s.Tasks[1]
	if s.TasksN < 2 || !isGain(gain) || gain.Seat != pay.Seat || pay.N > 0 || gain.Arg == state.OneKind ||
		int(gain.N)+gain.Need.Total() != 1 ||
		flows(pay)&flows(gain) != 0 {
		return 0
	}
	open := openTo(s, gain)
	if open&(open-1) == 0 {
		return 0
	}
	return open
}

// flow lists the ways to pay or to store: if one place is enough, that place.
func (l *lister) flow(t *state.Task) {
	into := uint64(0)
	if !isGain(t) {
		into = stored(l.s)
	}
	verb, gain := kinds[t.Kind].verb, isGain(t)
	one := func(named []state.PlaceWord) *state.Move {
		m := l.next(verb)
		if gain {
			copy(m.Into[:], named)
		} else {
			copy(m.Pay[:], named)
		}
		return m
	}
	put := func(named []state.PlaceWord) {
		if into == 0 {
			one(named)
		}
		for p := range table.In[table.Place](into) {
			one(named).Into[0] = state.WordPlace(p)
		}
	}
	if int(t.N)+t.Need.Total() == 1 || !isGain(t) && t.Arg == state.FromOne {
		for p := range table.In[table.Place](openTo(l.s, t)) {
			l.x.buf[0] = state.WordPlace(p)
			put(l.x.buf[:1])
		}
		return
	}
	l.x.of(l.s, t)
	l.x.ways(put)
}

// moveAll pays from the named places or stores there, one unit each time a place is named; it refuses fewer or
// more than asked.
func (g *deciding) moveAll(t *state.Task, named []state.PlaceWord, count string) *domain.Refusal {
	var x spread
	x.of(g.s, t)
	asked := x.asked(named)
	if len(named) > asked {
		return domain.Refuse(count, "n", asked)
	}
	if p, wrong := x.wrong(named); wrong {
		return notThere(g.s, t, p)
	}
	if len(named) < asked {
		return domain.Refuse(count, "n", asked)
	}
	for len(named) > 0 {
		n := 1
		for n < len(named) && named[n] == named[0] {
			n++
		}
		g.move(named[0].Place(), uint8(n))
		named = named[n:]
	}
	return nil
}

// autoFlow pays or stores whatever allows only one way, and what the move named.
func (g *deciding) autoFlow() bool {
	t := &g.s.Tasks[0]
	open := openTo(g.s, t)
	if open == 0 {
		g.drop()
		return true
	}
	named, used := g.mv.Pay[:], &g.paid
	if isGain(t) {
		named, used = g.mv.Into[:], &g.stored
	}
	if t.Seat == g.seat && *used < len(named) && named[*used] != 0 && g.takes(t, open, named[*used].Place()) {
		word := named[*used]
		for *used++; !isGain(t) && t.Arg == state.FromOne && *used < len(named) && named[*used] == word; {
			*used++
		}
		g.move(word.Place(), 1)
		return true
	}
	if t.Arg != state.FromOne { // and not OneKind, which is the same number
		return g.forced(open)
	}
	if open&(open-1) != 0 {
		return false
	}
	p := table.Place(bits.TrailingZeros64(open))
	g.move(p, min(t.N, holds(&g.s.Realms[t.Seat], t, p)))
	return true
}

// takes reports whether a task's next goods may come from a place, or go there.
func (g *deciding) takes(t *state.Task, open uint64, p table.Place) bool {
	return has(open, p) && (p != table.LostPlace || g.s.Realms[t.Seat].Full(t.Res, table.Goods{}))
}

// forced pays from a place, or stores there, what the others together cannot handle; everything if there is only one
// way. The game asks about the rest.
func (g *deciding) forced(open uint64) (some bool) {
	if has(open, table.LostPlace) {
		return false
	}
	t := &g.s.Tasks[0]
	r := &g.s.Realms[t.Seat]
	var spare [table.Resources]int // what the places of each kind could spare
	tight := uint64(0)             // the places that may not be able to spare one of them
	all := together(r, t, open) - int(t.N)
	for res, at := range r.Lands {
		if spare[res] = all; t.N == 0 {
			spare[res] = together(r, t, open&at) - int(t.Need[res])
		}
		if spare[res] < table.Capacity {
			tight |= open & at
		}
	}
	for p := range table.In[table.Place](tight) {
		left := spare[r.Yields(p)]
		if n := int(holds(r, t, p)); n > left {
			g.move(p, uint8(n-max(0, left)))
			some = true
		}
	}
	return some
}

// together returns how much of a task's goods some places can give, or have room for.
func together(r *state.Realm, t *state.Task, places uint64) int {
	if isGain(t) {
		return r.SpaceAt(places)
	}
	return r.StoredAt(places)
}

// move pays some from a place (everything owed if one place must pay all), or stores some there.
func (g *deciding) move(p table.Place, n uint8) {
	t := &g.s.Tasks[0]
	if p == table.LostPlace {
		g.letGo(n)
		return
	}
	res, code := g.s.Realms[t.Seat].Yields(p), state.OpPay
	switch {
	case isGain(t):
		if code = state.OpGain; t.Arg == state.OneKind {
			t.Res, t.Arg = table.Only(res), 0
		}
	case t.Arg == state.FromOne:
		n = t.Need[res]
	}
	if t.N > 0 {
		t.N -= min(n, t.N)
	} else {
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(state.Op{Code: code, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

// letGo lets goods go of which the player has no room; of one kind, all of them.
func (g *deciding) letGo(n uint8) {
	t := &g.s.Tasks[0]
	if t.Arg == state.OneKind {
		n = t.N
	}
	t.N -= min(n, t.N)
	g.do(state.Op{Code: state.OpLost, Seat: t.Seat, N: int16(n)})
	g.queued = true
}

// moveAny pays from the fullest place, or stores at the emptiest.
func (g *deciding) moveAny(t *state.Task) {
	best, most := table.NoPlace, uint8(0)
	for p := range table.In[table.Place](openTo(g.s, t) &^ (1 << table.LostPlace)) {
		if n := holds(&g.s.Realms[t.Seat], t, p); n > most {
			best, most = p, n
		}
	}
	g.move(best, 1)
}

// mostNamed is how many resources one move can name by kind.
const mostNamed = 2

// mostGains is how many gains one answer stores, so that the list of answers stays readable; a payment needs one
// answer, as far as a move has room for it.
const mostGains = 3

// spread is the ways to distribute resources over places: how much of each kind (or, in kind 0, of any) is due, and
// how much of it each place can give or hold.
type spread struct {
	n     int
	at    [table.Places + 1]table.Place
	most  [table.Places + 1]uint8
	kind  [table.Places + 1]table.Res
	want  table.Goods
	rest  table.Goods   // what the remaining places can take
	whole bool          // one kind only: any of them, as much as want says
	may   *state.Realm  // the realm, if what finds no room there may be chosen, too, and is lost; nil if not
	lost  table.ResMask // of which kinds
	buf   [len(state.Move{}.Pay)]state.PlaceWord
}

// of sets x to the ways to distribute a task's goods over the places open to it.
func (x *spread) of(s *state.State, t *state.Task) {
	r, most := &s.Realms[t.Seat], len(x.buf)
	x.n, x.rest, x.want, x.whole, x.may = 0, table.Goods{}, table.Goods{}, false, nil
	if isGain(t) {
		most, x.whole = mostGains, t.Arg == state.OneKind
	}
	for p := range table.In[table.Place](openTo(s, t)) {
		kind, n := table.Brick, holds(r, t, p)
		if p == table.LostPlace {
			if x.may, x.lost = r, t.Res; x.whole {
				continue
			}
		} else if t.N == 0 || x.whole {
			kind = r.Yields(p)
		}
		x.at[x.n], x.kind[x.n], x.most[x.n] = p, kind, n
		x.rest[kind] += n
		x.n++
	}
	if x.whole {
		for kind, room := range x.rest {
			x.want[kind] = min(t.N, room, uint8(most))
		}
		return
	}
	x.want = t.Need
	if t.N > 0 {
		x.want = table.Goods{t.N}
	}
	for kind := range x.want { // limited to what the places can take and one answer may name
		x.want[kind] = min(x.want[kind], x.rest[kind], uint8(most))
		most -= int(x.want[kind])
	}
}

// asked returns how many places an answer must name; where the answer also chooses a kind, the kind of its first
// place.
func (x *spread) asked(named []state.PlaceWord) int {
	switch {
	case !x.whole:
		return x.want.Total()
	case named[0].Place() == table.LostPlace:
		return 1
	}
	i := slices.Index(x.at[:x.n], named[0].Place())
	if i < 0 { // which is what is wrong
		return len(named)
	}
	return int(x.want[x.kind[i]])
}

// wrong returns a place that an answer names but must not.
func (x *spread) wrong(named []state.PlaceWord) (table.Place, bool) {
	most, want := x.most, x.want
	if x.whole && x.may != nil && named[0].Place() == table.LostPlace {
		return table.LostPlace, len(named) > 1
	}
	for k, w := range named {
		i := slices.Index(x.at[:x.n], w.Place())
		if i < 0 || most[i] == 0 || want[x.kind[i]] == 0 {
			return w.Place(), true
		}
		most[i]--
		want[x.kind[i]]--
		if x.whole && k == 0 { // the first decides the kind
			want = table.Goods{}
			want[x.kind[i]] = x.want[x.kind[i]] - 1
		}
	}
	return table.LostPlace, x.may != nil && !x.fits(named)
}

// fits reports whether what an answer lets go could be of one kind: no room for that is left, once the rest is stored.
func (x *spread) fits(named []state.PlaceWord) bool {
	var more table.Goods
	lost := false
	for _, w := range named {
		if lost = lost || w.Place() == table.LostPlace; w.Place() < table.Places {
			more[x.may.Yields(w.Place())]++
		}
	}
	return !lost || x.may.Full(x.lost, more)
}

// ways calls f with every answer: places in order, one for each resource.
func (x *spread) ways(f func([]state.PlaceWord)) {
	if !x.whole {
		if x.may == nil {
			x.fill(0, 0, f)
			return
		}
		x.fill(0, 0, func(named []state.PlaceWord) {
			if x.fits(named) {
				f(named)
			}
		})
		return
	}
	if x.may != nil {
		defer func() {
			x.buf[0] = state.WordPlace(table.LostPlace)
			f(x.buf[:1])
		}()
	}
	want := x.want
	for kind, n := range want {
		if x.want = (table.Goods{}); n > 0 {
			x.want[kind] = n
			rest := x.rest
			x.fill(0, 0, f)
			x.rest = rest
		}
	}
	x.want = want
}

// fill chooses for place i and those after it; k places are already named.
func (x *spread) fill(i, k int, f func([]state.PlaceWord)) {
	if i == x.n {
		f(x.buf[:k])
		return
	}
	kind := x.kind[i]
	most := min(x.most[i], x.want[kind])
	x.rest[kind] -= x.most[i]
	least := x.want[kind] - min(x.want[kind], x.rest[kind])
	for n := most; ; n-- {
		for j := range int(n) {
			x.buf[k+j] = state.WordPlace(x.at[i])
		}
		x.want[kind] -= n
		x.fill(i+1, k+int(n), f)
		x.want[kind] += n
		if n == least {
			break
		}
	}
	x.rest[kind] += x.most[i]
}
