package rules

import (
	"iter"
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

func (x *spread) add(p table.Place, kind table.Res, most uint8) {
	x.at[x.n], x.kind[x.n], x.most[x.n] = p, kind, most
	x.rest[kind] += most
	x.n++
}

// paySpread is the ways to pay a task.
func paySpread(s *state.State, t *state.Task) (x spread) {
	x.over(&s.Realms[t.Seat], t, payable(s, t), (*state.Realm).Store, len(x.buf))
	return x
}

// gainSpread is the ways to store what a task gains.
func gainSpread(s *state.State, t *state.Task) (x spread) {
	x.over(&s.Realms[t.Seat], t, gainable(s, t), (*state.Realm).Room, mostGains)
	return x
}

// over is the ways to lay a task's goods out over places, an answer naming at most so many.
func (x *spread) over(r *state.Realm, t *state.Task, open uint64, holds func(*state.Realm, table.Place) uint8, most int) {
	x.whole = t.Kind == state.TaskGain && t.Arg == state.OneKind
	for p := range table.In[table.Place](open) {
		kind := table.Brick
		if t.N == 0 || x.whole {
			kind = r.Yields(p)
		}
		x.add(p, kind, holds(r, p))
	}
	switch {
	case x.whole:
		for kind := range x.want {
			x.want[kind] = min(t.N, x.rest[kind], uint8(most))
		}
		return
	case t.N > 0:
		x.want = table.Goods{t.N}
	default:
		x.want = t.Need
	}
	x.limit(most)
}

// stored are the places of a single resource that comes for a payment, where one answer says
// both: the payment is the seat's own, and does not make room for what it brings. It is empty
// where the gain is a question of its own, or none.
func stored(s *state.State, i int) uint64 {
	if i+1 >= int(s.TasksN) {
		return 0
	}
	pay, gain := &s.Tasks[i], &s.Tasks[i+1]
	if gain.Kind != state.TaskGain || gain.Seat != pay.Seat || pay.N > 0 || gain.Arg == state.OneKind || int(gain.N)+gain.Need.Total() != 1 {
		return 0
	}
	for res, n := range pay.Need {
		if n > 0 && brings(gain, table.Res(res)) {
			return 0
		}
	}
	open := gainable(s, gain)
	if open&(open-1) == 0 {
		return 0
	}
	return open
}

// limit cuts down what is asked to what the places can take and one answer may name.
func (x *spread) limit(n int) {
	for kind := range x.want {
		x.want[kind] = min(x.want[kind], x.rest[kind], uint8(n))
		n -= int(x.want[kind])
	}
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

// runs yields where each run of equal places begins, and how long it is.
func runs(list []state.PlaceWord) iter.Seq2[int, uint8] {
	return func(yield func(int, uint8) bool) {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && list[to] == list[from] {
				to++
			}
			if !yield(from, uint8(to-from)) {
				return
			}
			from = to
		}
	}
}
