package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Catan for two: building for the neutrals, colours 2 and 3.

// settleDuty notes what is still due after some pieces were built: a duty that no legal piece can meet lapses.
func (d *decision) settleDuty(after *state.State) {
	d.out.Due = [2]int8{}
	if NeutralsCan(after) {
		d.out.Due, d.out.Phase = [2]int8{after.DueRoads, after.DueHomes}, state.PhaseNeutral
	} else if d.s.Phase == state.PhaseNeutral {
		d.out.Phase = d.s.Back
	}
}

// placesFor returns where a neutral may build a piece of a sort to meet the next duty.
func placesFor(s *state.State, c int8, sort state.Sort) table.PathSet {
	switch {
	case sort == state.SettlementPiece && s.DueHomes > 0 && s.SettlementsLeft(c) > 0:
		return table.PathSet{s.OpenHomes(c)}
	case sort == state.RoadPiece && s.RoadsLeft(c) > 0:
		return s.OpenPaths(c)
	}
	return table.PathSet{}
}

// NeutralPlaces returns where a neutral may build to meet the next duty: a settlement if one is due and any is legal,
// otherwise a road. By option, and always where one neutral alone builds, it builds no road while the other can settle
// (A3).
func NeutralPlaces(s *state.State, c int8) (state.Sort, table.PathSet) {
	if open := placesFor(s, c, state.SettlementPiece); !open.Empty() {
		return state.SettlementPiece, open
	}
	if open := placesFor(s, c, state.RoadPiece); !open.Empty() && !otherSettles(s, c) {
		return state.RoadPiece, open
	}
	return state.NoPiece, table.PathSet{}
}

// otherSettles reports whether a neutral builds no road because the other can build the settlement that is due.
func otherSettles(s *state.State, c int8) bool {
	return s.Rules.RoadLast && !placesFor(s, 5-c, state.SettlementPiece).Empty()
}

// NeutralPair is what each of the neutrals builds.
type NeutralPair [2]state.NeutralPiece

// NeutralChoices returns the ways to meet the next duty. With neutral-building each, both neutrals build, in the order
// the builder chooses: one may take the only place left for a settlement. With one, either of them builds, and a
// settlement while either can (A1, A3).
func NeutralChoices(s *state.State) []NeutralPair {
	if s.DueRoads == 0 && s.DueHomes == 0 {
		return nil
	}
	if !s.Rules.NeutralEach {
		return choicesOfOne(s)
	}
	list := pairs(s, 0, nil)
	if orderMatters(s) {
		list = pairs(s, 1, list)
	}
	return list
}

// orderMatters reports whether it can matter which of the neutrals builds first. With two roads it matters only if one
// neutral has a single place, which the other might take.
func orderMatters(s *state.State) bool {
	return s.DueHomes > 0 || s.OpenPaths(2).Len() == 1 || s.OpenPaths(3).Len() == 1
}

// pairs adds what both build if one of the neutrals (0 or 1) goes first, except for pairs already listed.
func pairs(s *state.State, first int, listed []NeutralPair) []NeutralPair {
	o := openingOf(s, first)
	list, places := slices.Grow(listed, max(1, o.places.Len())*max(1, o.others.Len())), o.places
	for more := true; more; more = !places.Empty() {
		one := state.NeutralPiece{Sort: o.sort, At: places.NextOrZero()}
		then, rest := o.after(one)
		for more := true; more; more = !rest.Empty() {
			var p NeutralPair
			p[first], p[1-first] = one, state.NeutralPiece{Sort: then, At: rest.NextOrZero()}
			if p != (NeutralPair{}) && !slices.Contains(listed, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// opening says where both neutrals may build if one of them (0 or 1) goes first, before either has built.
type opening struct {
	s      *state.State
	first  int
	sort   state.Sort // what the first builds
	places table.PathSet
	then   state.Sort // what the other builds
	others table.PathSet
}

func openingOf(s *state.State, first int) (o opening) {
	o.s, o.first = s, first
	o.sort, o.places = NeutralPlaces(s, int8(first)+2)
	o.then, o.others = NeutralPlaces(s, 3-int8(first))
	return o
}

// after returns where the other may build once the first has: a road takes only its path away, a settlement may take
// much.
func (o *opening) after(one state.NeutralPiece) (state.Sort, table.PathSet) {
	if one.Sort == state.SettlementPiece {
		after := *o.s
		after.Place(state.Piece{Colour: int8(o.first) + 2, Sort: one.Sort, At: one.At})
		sort, places := NeutralPlaces(&after, 3-int8(o.first))
		if sort == state.RoadPiece && o.s.Rules.RoadLast { // the first could settle
			return state.NoPiece, table.PathSet{}
		}
		return sort, places
	}
	rest := o.others
	if one.Sort == state.RoadPiece && o.then == state.RoadPiece {
		rest.Remove(one.At)
	}
	if rest.Empty() {
		return state.NoPiece, rest
	}
	return o.then, rest
}

// allows reports whether the pair may be built in this order.
func (o *opening) allows(p NeutralPair) bool {
	one, other := p[o.first], p[1-o.first]
	if p == (NeutralPair{}) || !fits(one, o.sort, o.places) {
		return false
	}
	then, rest := o.after(one)
	return fits(other, then, rest)
}

// fits reports whether a neutral's piece is of the sort and at one of the places; if there are no places, whether there
// is no piece.
func fits(x state.NeutralPiece, sort state.Sort, places table.PathSet) bool {
	if sort == state.NoPiece {
		return x == state.NeutralPiece{}
	}
	return x.Sort == sort && places.Has(x.At)
}

// meetsDuty reports whether the pair is among the choices.
func (p NeutralPair) meetsDuty(s *state.State) bool {
	switch {
	case s.DueRoads+s.DueHomes == 0:
		return false
	case !s.Rules.NeutralEach:
		return slices.Contains(choicesOfOne(s), p)
	}
	one, other := openingOf(s, 0), openingOf(s, 1)
	return one.allows(p) || other.allows(p)
}

// NeutralsCan reports whether there is any way to meet the next duty.
func NeutralsCan(s *state.State) bool {
	n, _ := NeutralPlaces(s, 2)
	m, _ := NeutralPlaces(s, 3)
	return s.DueRoads+s.DueHomes > 0 && n|m != state.NoPiece
}

func choicesOfOne(s *state.State) (list []NeutralPair) {
	for i := range 2 {
		for sort, open := NeutralPlaces(s, int8(i)+2); !open.Empty(); {
			var p NeutralPair
			p[i] = state.NeutralPiece{Sort: sort, At: open.Next()}
			list = append(list, p)
		}
	}
	return list
}

func (d *decision) neutral() error {
	want := NeutralPair(d.m.Neutral)
	swapped := NeutralPair{want[1], want[0]}
	asSaid, other := want.meetsDuty(d.s), d.m.Loose && want != swapped && swapped.meetsDuty(d.s)
	switch {
	case !asSaid && !other:
		return whyNeutralsCannot(d.s, want, d.m.Loose)
	case asSaid && other:
		return domain.Refuse("neutral-which")
	case other:
		want = swapped
	}
	built := d.out.Pieces[:0]
	for i, x := range want {
		if x.Sort != state.NoPiece {
			built = append(built, state.Piece{Colour: int8(i) + 2, Sort: x.Sort, At: x.At})
		}
	}
	after := d.recount()
	if after.DueRoads > 0 {
		after.DueRoads--
	} else {
		after.DueHomes--
	}
	d.settleDuty(&after)
	return nil
}
