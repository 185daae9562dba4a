package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// icon returns a scene of 28 by 28 units around its middle.
func icon(shapes ...domain.Shape) domain.Scene {
	return domain.Scene{X: -14, Y: -14, W: 28, H: 28, Shapes: shapes}
}

// The pictures of what is counted.
var (
	iconPoints = icon(developed(table.Point, domain.Point{})...)
	iconHand   = icon(round(-11, -9, 13, 19, 2.5).Drawn(colPaper, colInk, 1.6),
		round(-3, -11, 13, 19, 2.5).Drawn(colPaper, colInk, 1.6))
	iconCards  = icon(build{kind: state.KindBuy}.look(0)...)
	iconKnight = icon(developed(table.Knight, domain.Point{})...)
	iconRoad   = icon(build{kind: state.KindRoad}.look(colWood)...)
	iconToken  = icon(disc(domain.Point{}, 10).Drawn(domain.RGB(0xE3B93C), colInk, 1.4),
		domain.Path{}.M(-4, -2).L(4, -2).L(1, -5).M(4, 3).L(-4, 3).L(-1, 6).Stroked(colInk, 1.8))
)

// Tally counts what each player has on the table and in hand, and how many points they may have: a development card
// that the viewer does not know may be one.
func (Room) Tally(v *state.View) (t domain.Tally) {
	for c := range v.Seats {
		n := v.Counted[c]
		points := domain.Count{Name: "points", Scene: iconPoints, N: n,
			Words: domain.S("tally.points", "n", n, "target", int(v.Rules.Target))}
		if hidden := min(v.CardCount[c], int(table.FullDeck[table.Point])); !v.Known.Has(c) && hidden > 0 &&
			v.Phase != state.PhaseOver {
			points.Most = n + hidden
			points.Words = domain.S("tally.points-most", "n", n, "most", points.Most, "target", int(v.Rules.Target))
		}
		list := []domain.Count{
			points,
			{Name: "hand", Scene: iconHand, N: int(v.Size[c]), First: true,
				Words: domain.S("count.hand", "n", int(v.Size[c]))},
			{Name: "cards", Scene: iconCards, N: v.CardCount[c], Words: domain.S("count.cards", "n", v.CardCount[c])},
			{Name: "knights", Scene: iconKnight, N: int(v.Knights[c]), Held: v.Army == c,
				Words: domain.S("count.knights", "n", int(v.Knights[c]))},
			{Name: "road", Scene: iconRoad, N: int(v.Length[c]), Held: v.Longest == c,
				Words: domain.S("tally.road", "n", int(v.Length[c]))},
		}
		if v.Army == c {
			list[3].Words = domain.S("cause.army", "n", int(v.Knights[c]))
		}
		if v.Longest == c {
			list[4].Words = domain.S("cause.longest", "n", int(v.Length[c]))
		}
		if v.Two() {
			list = append(list, domain.Count{Name: "tokens", Scene: iconToken, N: int(v.Tokens[c]),
				Words: domain.S("count.tokens", "n", int(v.Tokens[c]))})
		}
		t.Each = append(t.Each, list)
	}
	t.All = []domain.Count{{Name: "deck", Scene: iconCards, N: v.DeckSize,
		Words: domain.S("count.deck", "n", v.DeckSize)}}
	return t
}

// Deeds returns what the viewer can build and buy, with what is missing, and the development cards in their hand.
func (Room) Deeds(v *state.View) (list []domain.Deed) {
	c := int8(v.Viewer.Seat())
	if c < 0 || c >= v.Seats || v.Phase == state.PhaseOver || v.Phase == state.PhaseFound {
		return nil
	}
	for _, b := range builds {
		d := domain.Deed{Key: b.kind.String(), Label: domain.S("deed." + b.kind.String()),
			Scene: icon(b.look(domain.SeatColor(domain.Seat(c)))...),
			Price: domain.S("deed.price", "cards", table.HandSay(b.cost)), Not: lacks(v, c, b)}
		for r, n := range b.cost {
			for range n {
				d.Cost = append(d.Cost, resourceIcon(table.Resource(r)))
			}
		}
		list = append(list, d)
	}
	list = append(list, bankDeed(v, c))
	for k, n := range v.Cards[c] {
		if n > 0 && table.Card(k) != table.Point {
			list = append(list, domain.Deed{Key: deedOf[k], Label: domain.S("card." + table.Card(k).String()),
				Scene: icon(developed(table.Card(k), domain.Point{})...),
				N:     int(n), Price: domain.S("deed.free"), Not: unplayable(v, c, table.Card(k))})
		}
	}
	return list
}

// bankDeed returns the trade with the bank, for which the seat needs enough of one kind.
func bankDeed(v *state.View, c int8) domain.Deed {
	d := domain.Deed{Key: state.KindBank.String(), Label: domain.S("deed.bank"), Scene: iconBank,
		Price: domain.S("step.bank")}
	least, enough := int8(4), false
	for r := range table.Resource(len(table.ResourceWords)) {
		rate := v.Rate(c, r)
		least, enough = min(least, rate), enough || v.Hand[c][r] >= rate
	}
	if !enough {
		d.Not = []domain.Say{domain.S("deed.alike", "n", int(least))}
	}
	return d
}

// iconBank is a chest.
var iconBank = icon(domain.Path{}.M(-12, 11).L(-12, -3).Q(-12, -10, -5, -10).L(5, -10).
	Q(12, -10, 12, -3).L(12, 11).Z().Drawn(colWood, colInk, 1.5),
	domain.Path{}.M(-12, 0).L(12, 0).Stroked(colInk, 1.5),
	round(-4, -4, 8, 9, 2).Drawn(domain.RGB(0xE3B93C), colInk, 1.3))

// deedOf holds the words of the moves that play each development card.
var deedOf = func() (words [table.CardKinds]string) {
	for card, kind := range map[table.Card]state.Kind{table.Knight: state.KindKnight, table.Roads: state.KindRoads,
		table.Plenty: state.KindPlenty, table.Monopoly: state.KindMonopoly} {
		words[card] = kind.String()
	}
	return words
}()

// lacks returns what keeps a seat from building something: a resource, a piece, a place.
func lacks(v *state.View, c int8, b build) (list []domain.Say) {
	if missing := v.Hand[c].Lacks(b.cost); missing != (table.Hand{}) {
		list = append(list, domain.S("deed.needs", "cards", table.HandSay(missing)))
	}
	left, place := 1, true
	switch b.kind {
	case state.KindRoad:
		left, place = v.RoadsLeft(c), v.OpenPaths(c) != table.PathSet{}
	case state.KindSettle:
		left, place = v.SettlementsLeft(c), v.OpenHomes(c) != 0
	case state.KindCity:
		left, place = v.CitiesLeft(c), v.Settlements[c] != 0
	case state.KindBuy:
		if v.DeckSize == 0 {
			list = append(list, domain.S("refuse.deck-empty"))
		}
	}
	if left == 0 {
		list = append(list, domain.S("deed.no-piece"))
	} else if !place {
		list = append(list, domain.S("deed.no-place"))
	}
	return list
}

// unplayable returns what keeps a seat from playing a development card that it holds.
func unplayable(v *state.View, c int8, k table.Card) []domain.Say {
	switch {
	case v.Cards[c][k] == v.Fresh[c][k]:
		return []domain.Say{domain.S("deed.fresh")}
	case v.CardPlayed && v.Active == c:
		return []domain.Say{domain.S("deed.played")}
	}
	return nil
}

// Pictured returns the picture of a resource, by its word.
func (Room) Pictured(word string) domain.Scene {
	r, ok := table.ResourceNamed(word)
	if !ok {
		return domain.Scene{}
	}
	s := resourceIcon(r)
	return domain.Scene{X: -20, Y: -27, W: 40, H: 54, Shapes: []domain.Shape{
		round(-19, -26, 38, 52, 5).Drawn(colPaper, colInk, 1.4),
		round(-16, -23, 32, 46, 3).Filled(colTerrain[r]),
		{Group: s.Shapes, Scale: 1.12},
	}}
}

// resourceIcon returns a stand-alone picture of a resource.
func resourceIcon(r table.Resource) domain.Scene {
	for _, s := range icons {
		if s.ID == "icon-"+r.String() {
			return icon(s.Shapes...)
		}
	}
	return domain.Scene{}
}
