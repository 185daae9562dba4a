package notation

import (
	"slices"
	"strconv"

	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// What people call a town by, apart from its number, and what stands around that.
var (
	townWords  = table.WordsFor("towns", func(w string) string { return w })
	aroundTown = table.WordsFor("around", func(string) bool { return true })
	outermost  = table.WordsFor("outermost", func(string) bool { return true })
	beginning  = table.WordsFor("beginning", func(string) bool { return true })
	beyond     = table.WordsFor("beyond", func(string) bool { return true })
	ordinals   = table.WordsFor("ordinals", func(w string) int { n, _ := strconv.Atoi(w); return n })
)

// Described returns what is built where a text says: "gold ship above the left settlement", or below the one on the
// right, "city on the first town right of the starting two". Of several towns that may be meant by that, all are. Where
// something is to be paid, it returns every way to pay what a text says: "2 bricks", "with a wool and a grain".
func (Room) Described(s *state.State, text string) (fit, others []state.Move) {
	all := slices.DeleteFunc(table.Tokens(text), func(w string) bool { return called[w] })
	if t := &s.Tasks[0]; s.TasksN > 0 && t.Kind == state.TaskPay {
		return payments(&s.Realms[t.Seat], all), nil
	}
	for len(all) > 0 && (verbWords[all[0]] == state.Build || aroundTown[all[0]]) {
		all = all[1:]
	}
	if s.Active < 0 || len(all) == 0 {
		return nil, nil
	}
	m, n := state.Move{Verb: state.City}, 1
	if verbWords[all[0]] != state.City {
		at := slices.IndexFunc(all, func(w string) bool { return len(w) > 1 && sideWords[w] != 0 })
		if at < 1 {
			return nil, nil
		}
		r := &Reader{Words: all[:at]}
		m, n = state.Move{Verb: state.Build, Card: r.Card(), Side: sideWords[all[at]]}, at+1
		if r.Bad || r.More() {
			return nil, nil
		}
	}
	towns, sure := townsCalled(&s.Realms[s.Active], all[n:], m.Verb)
	for _, town := range towns {
		m.At = int8(town - table.Origin)
		fit = append(fit, m)
	}
	if !sure {
		return nil, fit
	}
	return fit, nil
}

// townsCalled returns the columns of the towns that words may mean: "the left settlement" is the left one of the
// beginning or the outermost, if one of them is a settlement. sure is false if none is.
func townsCalled(r *state.Realm, words []string, verb state.Verb) (towns []int, sure bool) {
	kind, way, ways, nth, far, home, more := "", false, 0, 0, false, false, false
	for i, w := range words {
		right, isWay := wayWords[w]
		behind := i > 0 && beginning[words[i-1]]
		switch {
		case isWay:
			way, ways, far = right, ways+1, far || outermost[w]
		case outermost[w]:
			far = true
		case beginning[w]:
			before := words[max(0, i-2):i] // "of the starting two", not "the left starting place"
			home, more = true, more || slices.ContainsFunc(before, func(w string) bool { return beyond[w] })
		case behind && (townWords[w] != "" || w == "2") && kind != "": // "of the starting two"
		case ordinals[w] != 0 && nth == 0 && (len(w) > 1 || i > 0 && words[i-1] == "nr"):
			nth = ordinals[w]
		case townWords[w] != "" && kind == "":
			kind = townWords[w]
		case !aroundTown[w] && !toward[w]:
			return nil, false
		}
	}
	if verb == state.City && kind != "city" {
		kind = "settlement"
	}
	if kind == "" || ways != 1 {
		return nil, false
	}
	first, last, step := table.Origin, int(r.Left), -1
	if way {
		first, last, step = table.Origin+1, int(r.Right), 1
	}
	switch {
	case nth > 0:
		towns = []int{first + step*nth}
	case far:
		towns = []int{last}
	case more:
		for at := first; (last-at)*step > 0; at += step {
			towns = append(towns, at+step)
		}
	case home:
		towns = []int{first}
	default:
		towns = slices.Compact([]int{first, last})
	}
	is := func(town int) bool {
		return kind == "town" || (kind == "city") == (r.Towns[town].Level == state.CityTown)
	}
	towns = slices.DeleteFunc(towns, func(town int) bool { return town < int(r.Left) || town > int(r.Right) })
	if !slices.ContainsFunc(towns, is) {
		return towns, false
	}
	return slices.DeleteFunc(towns, func(town int) bool { return !is(town) }), true
}

// payments returns the ways to pay the goods that words name; nil if they name anything else.
func payments(r *state.Realm, words []string) (list []state.Move) {
	if len(words) > 0 && verbWords[words[0]] == state.PayFrom {
		words = words[1:]
	}
	const most = len(state.Move{}.Pay)
	var pays table.Goods
	n := 0 // how many of the next resource; 0 for one
	for _, w := range words {
		count, err := strconv.Atoi(w)
		switch res, named := resWords[w]; {
		case named:
			pays[res] += uint8(max(1, n))
			n = 0
		case err == nil && n == 0 && count > 0 && count <= most:
			n = count
		case !rateWords[w] || n > 0:
			return nil
		}
		if pays.Total() > most {
			return nil
		}
	}
	if n > 0 || pays.Total() == 0 {
		return nil
	}
	return pay(r, 0, pays, state.Move{Verb: state.PayFrom}, 0)
}

// pay returns the ways to go on with a payment of which n units are decided, from a place on.
func pay(r *state.Realm, from table.Place, left table.Goods, m state.Move, n int) (list []state.Move) {
	if left.Total() == 0 {
		return []state.Move{m}
	}
	for p := from; p < table.Places; p++ {
		res := r.Yields(p)
		if res == table.NoRes || left[res] == 0 {
			continue
		}
		next, rest := m, left
		for k := range min(r.Store(p), left[res]) {
			next.Pay[n+int(k)] = state.WordPlace(p)
			rest[res]--
			list = append(list, pay(r, p+1, rest, next, n+int(k)+1)...)
		}
	}
	return list
}
