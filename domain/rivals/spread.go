package rivals

import (
	"iter"
	"slices"
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
	at    [places]Place
	most  [places]uint8
	kind  [places]Res
	want  Goods
	rest  Goods // what the places still to come can take
	whole bool  // one kind alone: any of them, as much of it as want says
	buf   [len(Move{}.Pay)]placeWord
}

func (x *spread) add(p Place, kind Res, most uint8) {
	x.at[x.n], x.kind[x.n], x.most[x.n] = p, kind, most
	x.rest[kind] += most
	x.n++
}

// paySpread is the ways to pay a task.
func (s *State) paySpread(t *Task) spread {
	return s.spreadOver(t, s.payable(t), (*Realm).store, len(Move{}.Pay))
}

// gainSpread is the ways to store what a task gains.
func (s *State) gainSpread(t *Task) spread {
	return s.spreadOver(t, s.gainable(t), (*Realm).room, mostGains)
}

// spreadOver is the ways to lay a task's goods out over places, an answer naming at most so many.
func (s *State) spreadOver(t *Task, open uint64, holds func(*Realm, Place) uint8, most int) (x spread) {
	r := &s.Realms[t.Seat]
	x.whole = t.Kind == taskGain && t.Arg == oneKind
	for p := range in[Place](open) {
		kind := Brick
		if t.N == 0 || x.whole {
			kind = r.yields(p)
		}
		x.add(p, kind, holds(r, p))
	}
	switch {
	case x.whole:
		for kind := range x.want {
			x.want[kind] = min(t.N, x.rest[kind], uint8(most))
		}
		return x
	case t.N > 0:
		x.want = Goods{t.N}
	default:
		x.want = t.Need
	}
	x.limit(most)
	return x
}

// stored are the places of a single resource that comes for a payment, where one answer says
// both: the payment is the seat's own, and does not make room for what it brings. It is empty
// where the gain is a question of its own, or none.
func (s *State) stored(i int) uint64 {
	if i+1 >= int(s.TasksN) {
		return 0
	}
	pay, gain := &s.Tasks[i], &s.Tasks[i+1]
	if gain.Kind != taskGain || gain.Seat != pay.Seat || pay.N > 0 || gain.Arg == oneKind || int(gain.N)+gain.Need.total() != 1 {
		return 0
	}
	for res, n := range pay.Need {
		if n > 0 && gain.brings(Res(res)) {
			return 0
		}
	}
	open := s.gainable(gain)
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
func (x *spread) asked(named []placeWord) int {
	if !x.whole {
		return x.want.total()
	}
	return int(x.want[x.kind[slices.Index(x.at[:x.n], named[0].place())]])
}

// wrong finds a place that an answer names and may not.
func (x *spread) wrong(named []placeWord) (Place, bool) {
	most, want := x.most, x.want
	for k, w := range named {
		i := slices.Index(x.at[:x.n], w.place())
		if i < 0 || most[i] == 0 || want[x.kind[i]] == 0 {
			return w.place(), true
		}
		most[i]--
		want[x.kind[i]]--
		if x.whole && k == 0 { // the first decides the kind
			want = Goods{}
			want[x.kind[i]] = x.want[x.kind[i]] - 1
		}
	}
	return 0, false
}

// ways calls f with every answer: places in their order, one for each resource.
func (x *spread) ways(f func([]placeWord)) {
	if !x.whole {
		x.fill(0, 0, f)
		return
	}
	want := x.want
	for kind, n := range want {
		if x.want = (Goods{}); n > 0 {
			x.want[kind] = n
			rest := x.rest
			x.fill(0, 0, f)
			x.rest = rest
		}
	}
	x.want = want
}

// fill chooses for place i and those after it; k places are named already.
func (x *spread) fill(i, k int, f func([]placeWord)) {
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
			x.buf[k+j] = wordPlace(x.at[i])
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

// wordsIn are the places that a move names.
func wordsIn(list []placeWord) []placeWord {
	for i, w := range list {
		if w == 0 {
			return list[:i]
		}
	}
	return list
}

// runs yields where each run of equal places begins, and how long it is.
func runs(list []placeWord) iter.Seq2[int, uint8] {
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
