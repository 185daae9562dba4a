package show

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Describe describes the board of a view in words.
func (Room) Describe(v *state.View) domain.Description {
	var d domain.Description
	lead, points := ahead(v)
	d.Alt = domain.S("alt", "hex", int(v.Robber), "what", v.Board.HexSay(v.Robber, table.Plain), "who", lead, "n",
		points)
	switch {
	case v.Winner != state.NoColour:
		d.Lines = append(d.Lines, domain.S("line.won", "who", domain.Seat(v.Winner)))
	case v.Phase == state.PhaseOver:
		d.Lines = append(d.Lines, domain.S("result.standstill"))
	default:
		d.Lines = append(d.Lines, domain.S(phaseLine(v.Phase, v.Rolls), "who", domain.Seat(v.Active), "turn",
			int(v.Turn)))
	}
	for _, dice := range v.Dice {
		if dice[0] != 0 {
			d.Lines = append(d.Lines, domain.S("line.dice", "a", int(dice[0]), "b", int(dice[1]), "total",
				int(dice[0]+dice[1])))
		}
	}
	for c := range v.Seats {
		lines := describePlayer(v, c)
		d.Lines, d.Brief = append(d.Lines, lines...), append(d.Brief, lines[0])
	}
	for c := v.Seats; c < v.Colours; c++ {
		d.Lines = append(d.Lines, domain.S("line.neutral", "letter", v.ColourWord(c),
			"roads", domain.S("count.roads", "n", v.Roads[c].Len()), "settlements",
			domain.S("count.settlements", "n", table.BitCount(v.Settlements[c]))))
		d.Lines = append(d.Lines, placesSay(v, c)...)
	}
	offers := describeOffers(v)
	d.Lines, d.Brief = slices.Concat(d.Lines, describeTable(v), offers), append(d.Brief, offers...)
	return d
}

// phaseLine returns the key of the sentence about a phase. Some phases share their word with another line.
func phaseLine(phase state.Phase, rolls int8) string {
	switch {
	case phase == state.PhaseRobber || phase == state.PhaseNeutral:
		return "line." + phase.String() + "-due"
	case phase == state.PhaseRoll && rolls > 0:
		return "line.roll-again"
	}
	return "line." + phase.String()
}

// ahead returns the seat with the most points in this view, the first among equals.
func ahead(v *state.View) (seat domain.Seat, points int) {
	seat, points = domain.Nobody, -1
	for c := range v.Seats {
		if v.Counted[c] > points {
			seat, points = domain.Seat(c), v.Counted[c]
		}
	}
	return seat, points
}

func describePlayer(v *state.View, c int8) []domain.Say {
	who := domain.Seat(c)
	has := []domain.Say{domain.S("count.hand", "n", int(v.Size[c]))}
	add := func(key string, is bool, n int) {
		if is {
			has = append(has, domain.S(key, "n", n))
		}
	}
	settlements, cities, roads, knights := table.BitCount(v.Settlements[c]), table.BitCount(v.Cities[c]),
		v.Roads[c].Len(), int(v.Knights[c])
	add("count.settlements", settlements > 0, settlements)
	add("count.cities", cities > 0, cities)
	add("count.roads", roads > 0, roads)
	add("count.cards", v.CardCount[c] > 0, v.CardCount[c])
	add("count.knights", knights > 0, knights)
	if v.Two() {
		add("count.tokens", true, int(v.Tokens[c]))
	}
	add("cause.longest", v.Longest == c, int(v.Length[c]))
	add("cause.army", v.Army == c, knights)
	list := []domain.Say{domain.S("line.player", "who", who, "points", domain.S("count.points", "n", v.Counted[c]),
		"has", has)}
	list = append(append(list, placesSay(v, c)...), cardLines(v, c)...)
	if can := affordable(v.Hand[c]); len(can) > 0 && v.Phase == state.PhaseMain && v.Active == c {
		list = append(list, domain.S("line.can", "who", who, "list", can))
	}
	if v.Owes[c] > 0 {
		list = append(list, domain.S("tell.owes", "who", who, "n", int(v.Owes[c])))
	}
	return list
}

// cardLines lists the cards that the viewer knows a seat holds.
func cardLines(v *state.View, c int8) (list []domain.Say) {
	if v.Hand[c] != (table.Hand{}) {
		list = append(list, domain.S("line.hand", "who", domain.Seat(c), "cards", table.HandSay(v.Hand[c])))
	}
	if v.Cards[c] != (table.Cards{}) {
		list = append(list, domain.S("line.cards", "who", domain.Seat(c), "cards", table.HandSay(v.Cards[c])))
	}
	return list
}

// heldLines lists the same under a heading that says whose they are.
func heldLines(v *state.View, c int8) (list []domain.Say) {
	if v.Hand[c] != (table.Hand{}) {
		list = append(list, domain.S("line.held", "cards", table.HandSay(v.Hand[c])))
	}
	if v.Cards[c] != (table.Cards{}) {
		list = append(list, domain.S("line.held-cards", "cards", table.HandSay(v.Cards[c])))
	}
	return list
}

// affordable lists what a hand can pay for; nothing for a hand that the viewer does not know.
func affordable(h table.Hand) []domain.Say {
	var list []domain.Say
	for _, x := range []struct {
		kind state.Kind
		cost table.Hand
	}{{state.KindRoad, table.RoadCost}, {state.KindSettle, table.SettlementCost}, {state.KindCity, table.CityCost},
		{state.KindBuy, table.CardCost}} {
		if h.Covers(x.cost) {
			list = append(list, domain.S("step."+x.kind.String()))
		}
	}
	return list
}

// placesSay lists where a colour's pieces stand, by their numbers in the notation and what lies around them.
func placesSay(v *state.View, c int8) (list []domain.Say) {
	var buildings, paths []domain.Say
	for _, x := range pieces(v) {
		key := "at.settlement"
		switch {
		case x.Colour != c:
			continue
		case x.Sort == state.RoadPiece:
			paths = append(paths, domain.S("at.settlement", "at", int(x.At), "around",
				pathAround(&v.Board, x.At, table.Plain)))
			continue
		case x.Sort == state.CityPiece:
			key = "at.city"
		}
		buildings = append(buildings, domain.S(key, "at", int(x.At), "around",
			cornerAround(&v.Board, x.At, table.Plain)))
	}
	who := table.ColourSay(c, v.Seats)
	if len(buildings) > 0 {
		list = append(list, domain.S("line.buildings", "who", who, "list", buildings))
	}
	if len(paths) > 0 {
		list = append(list, domain.S("line.roads", "who", who, "list", paths))
	}
	return list
}

func describeTable(v *state.View) []domain.Say {
	list := []domain.Say{domain.S("line.robber", "hex", int(v.Robber), "what", v.Board.HexSay(v.Robber, table.Plain))}
	deck := domain.S("count.deck", "n", v.DeckSize)
	if v.Bank == (table.Hand{}) {
		list = append(list, domain.S("line.bank-empty", "deck", deck))
	} else {
		list = append(list, domain.S("line.bank", "cards", table.HandSay(v.Bank), "deck", deck))
	}
	if v.Two() {
		list = append(list, domain.S("line.supply", "n", int(v.TokensLeft())))
	}
	return append(list, harboursSay(&v.Board))
}

// harboursSay lists the harbours, each with its two intersections.
func harboursSay(b *table.Board) domain.Say {
	var harbours []domain.Say
	for i, h := range b.Harbours {
		e := table.Isle.Ends[table.Isle.HarbourPath[i]]
		harbours = append(harbours, domain.S("harbour", "harbour_word", "harbour."+h.String(), "a", int(e[0]), "b",
			int(e[1])))
	}
	return domain.S("line.harbours", "list", harbours)
}

// describeOffers lists the open offers.
func describeOffers(v *state.View) (list []domain.Say) {
	for c, o := range v.Offers {
		if o.Open {
			list = append(list, offerSay(int8(c), &o))
			if int8(c) != v.Active {
				list = append(list, domain.S("line.counter"))
			}
		}
	}
	return list
}
