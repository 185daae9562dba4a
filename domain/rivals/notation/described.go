package notation

import (
	"slices"

	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// What people call a town by, apart from its number, and what stands around that.
var (
	townWords  = table.WordsFor("towns", func(w string) string { return w })
	aroundTown = table.WordsFor("around", func(string) bool { return true })
)

// Described returns the card built where a text says: "gold ship above the left settlement", or below the one on the
// right. Of several towns that may be meant by that, all are.
func (Room) Described(s *state.State, text string) (fit, others []state.Move) {
	all := slices.DeleteFunc(table.Tokens(text), func(w string) bool { return called[w] })
	at := slices.IndexFunc(all, func(w string) bool { return len(w) > 1 && sideWords[w] != 0 })
	if at < 1 || s.Active < 0 {
		return nil, nil
	}
	r := &Reader{Words: all[:at]}
	for verbWords[r.Peek()] == state.Build || aroundTown[r.Peek()] {
		r.next()
	}
	c := r.Card()
	towns, sure := townsCalled(&s.Realms[s.Active], all[at+1:])
	if r.Bad || r.More() || len(towns) == 0 {
		return nil, nil
	}
	for _, town := range towns {
		side := sideWords[all[at]]
		fit = append(fit, state.Move{Verb: state.Build, Card: c, At: int8(town - table.Origin), Side: side})
	}
	if !sure {
		return nil, fit
	}
	return fit, nil
}

// townsCalled returns the columns of the towns that words may mean: "the left settlement" is the left one of the
// beginning or the outermost, if one of them is a settlement. sure is false if none is.
func townsCalled(r *state.Realm, words []string) (towns []int, sure bool) {
	kind, way, ways := "", false, 0
	for _, w := range words {
		right, isWay := wayWords[w]
		switch {
		case isWay:
			way, ways = right, ways+1
		case townWords[w] != "" && kind == "":
			kind = townWords[w]
		case !aroundTown[w] && !toward[w]:
			return nil, false
		}
	}
	if kind == "" || ways != 1 {
		return nil, false
	}
	towns = []int{table.Origin, int(r.Left)}
	if way {
		towns = []int{table.Origin + 1, int(r.Right)}
	}
	towns = slices.Compact(towns)
	is := func(town int) bool {
		return kind == "town" || (kind == "city") == (r.Towns[town].Level == state.CityTown)
	}
	if !slices.ContainsFunc(towns, is) {
		return towns, false
	}
	return slices.DeleteFunc(towns, func(town int) bool { return !is(town) }), true
}
