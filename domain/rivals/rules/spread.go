package rules

import (
	"slices"

	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// mostNamed is how many resources one move can name where it names them by kind.
const mostNamed = 2

// mostGains is how many gains one answer stores, so that the list of answers stays readable; a
// payment is answered whole, as far as a move has room for it.
const mostGains = 3

// spread is the ways to lay resources out over places: how much of each kind (or, in kind 0,
// of any) is asked, and what each place can give or hold of it.
type spread struct {
	n     int
	at    [table.Places]table.Place
	most  [table.Places]uint8
	kind  [table.Places]table.Res
	want  table.Goods
	rest  table.Goods // what the places still to come can take
	whole bool        // one kind alone: any of them, as much of it as want says
	buf   [len(state.Move{}.Pay)]state.PlaceWord
}

// spreadOf is the ways to lay a task's goods out over the places that are open to it.
func spreadOf(s *state.State, t *state.Task) (x spread) {
	r, most := &s.Realms[t.Seat], len(x.buf)
	if isGain(t) {
		most, x.whole = mostGains, t.Arg == state.OneKind
	}
	for p := range table.In[table.Place](openTo(s, t)) {
		kind, n := table.Brick, holds(r, t, p)
		if t.N == 0 || x.whole {
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
		return x
	}
	x.want = t.Need
	if t.N > 0 {
		x.want = table.Goods{t.N}
	}
	for kind := range x.want { // cut down to what the places can take and one answer may name
		x.want[kind] = min(x.want[kind], x.rest[kind], uint8(most))
		most -= int(x.want[kind])
	}
	return x
}

// asked is how many places an answer must name; where a kind is to be chosen, the kind of the
// first that it names.
func (x *spread) asked(named []state.PlaceWord) int {
	if !x.whole {
		return x.want.Total()
	}
	return int(x.want[x.kind[slices.Index(x.at[:x.n], named[0].Place())]])
}

// wrong finds a place that an answer names and may not.
func (x *spread) wrong(named []state.PlaceWord) (table.Place, bool) {
	most, want := x.most, x.want
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
	return 0, false
}

// ways calls f with every answer: places in their order, one for each resource.
func (x *spread) ways(f func([]state.PlaceWord)) {
	if !x.whole {
		x.fill(0, 0, f)
		return
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

// fill chooses for place i and those after it; k places are named already.
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
