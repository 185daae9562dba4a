package catan

import (
	"posthorn/domain"
)

// Describe is the board in words, for a view.
func (showRoom) Describe(v *View) domain.Description {
	var d domain.Description
	lead, points := ahead(v)
	d.Alt = domain.S("alt", "hex", int(v.robber), "what", v.board.hexSay(v.robber), "who", lead, "n", points)
	switch {
	case v.winner != noColour:
		d.Lines = append(d.Lines, domain.S("line.won", "who", domain.Seat(v.winner)))
	case v.phase == PhaseOver:
		d.Lines = append(d.Lines, domain.S("result.standstill"))
	default:
		d.Lines = append(d.Lines, domain.S(phaseLine(v.phase, v.rolls), "who", domain.Seat(v.active), "turn", int(v.turn)))
	}
	for _, dice := range v.dice {
		if dice[0] != 0 {
			d.Lines = append(d.Lines, domain.S("line.dice", "a", int(dice[0]), "b", int(dice[1]), "total", int(dice[0]+dice[1])))
		}
	}
	for c := range v.seats {
		d.Lines = append(d.Lines, describePlayer(v, c)...)
	}
	for c := v.seats; c < v.colours; c++ {
		d.Lines = append(d.Lines, domain.S("line.neutral", "letter", v.colourWord(c),
			"roads", domain.S("count.roads", "n", v.roads[c].len()), "settlements", domain.S("count.settlements", "n", bitCount(v.settlements[c]))))
		d.Lines = append(d.Lines, placesSay(v, c)...)
	}
	d.Lines = append(d.Lines, describeTable(v)...)
	return d
}

// phaseLine is the key of the sentence about a phase. Some share their word with another line.
func phaseLine(phase Phase, rolls int8) string {
	switch {
	case phase == PhaseRobber || phase == PhaseNeutral:
		return "line." + phase.String() + "-due"
	case phase == PhaseRoll && rolls > 0:
		return "line.roll-again"
	}
	return "line." + phase.String()
}

// ahead is who has most points in this view, the first of equals.
func ahead(v *View) (seat domain.Seat, points int) {
	seat, points = domain.Nobody, -1
	for c := range v.seats {
		if v.counted[c] > points {
			seat, points = domain.Seat(c), v.counted[c]
		}
	}
	return seat, points
}

func describePlayer(v *View, c int8) []domain.Say {
	who := domain.Seat(c)
	has := []domain.Say{domain.S("count.hand", "n", int(v.size[c]))}
	for _, x := range []struct {
		key string
		n   int
	}{
		{"count.settlements", bitCount(v.settlements[c])}, {"count.cities", bitCount(v.cities[c])}, {"count.roads", v.roads[c].len()},
		{"count.cards", v.cardCount[c]}, {"count.knights", int(v.knights[c])},
	} {
		if x.n > 0 {
			has = append(has, domain.Say{Key: x.key, Args: domain.Args{"n": x.n}})
		}
	}
	if v.two() {
		has = append(has, domain.S("count.tokens", "n", int(v.tokens[c])))
	}
	if v.longest == c {
		has = append(has, domain.S("cause.longest", "n", int(v.length[c])))
	}
	if v.army == c {
		has = append(has, domain.S("cause.army", "n", int(v.knights[c])))
	}
	list := []domain.Say{domain.S("line.player", "who", who, "points", domain.S("count.points", "n", v.counted[c]), "has", has)}
	list = append(list, placesSay(v, c)...)
	list = append(list, cardLines(v, c)...)
	if can := affordable(v.hand[c]); len(can) > 0 && v.phase == PhaseMain && v.active == c {
		list = append(list, domain.S("line.can", "who", who, "list", can))
	}
	if v.owes[c] > 0 {
		list = append(list, domain.S("tell.owes", "who", who, "n", int(v.owes[c])))
	}
	return list
}

// cardLines are the cards that the viewer knows a seat to hold.
func cardLines(v *View, c int8) (list []domain.Say) {
	if v.hand[c] != (Hand{}) {
		list = append(list, domain.S("line.hand", "who", domain.Seat(c), "cards", handSay(v.hand[c])))
	}
	if v.cards[c] != (Cards{}) {
		list = append(list, domain.S("line.cards", "who", domain.Seat(c), "cards", cardsSay(v.cards[c])))
	}
	return list
}

// affordable is what a hand can pay for; one that the viewer does not know, nothing.
func affordable(h Hand) []domain.Say {
	var list []domain.Say
	for _, x := range []struct {
		kind Kind
		cost Hand
	}{{KindRoad, roadCost}, {KindSettle, settlementCost}, {KindCity, cityCost}, {KindBuy, cardCost}} {
		if h.Covers(x.cost) {
			list = append(list, domain.S("step."+x.kind.String()))
		}
	}
	return list
}

// placesSay lists where a colour's pieces stand, by the numbers of the notation and what lies about them.
func placesSay(v *View, c int8) []domain.Say {
	var list, buildings, paths []domain.Say
	stand := func(key string, corners []int) {
		for _, at := range corners {
			buildings = append(buildings, domain.S(key, "at", at, "around", v.around(isle.hexesAt[at], int8(at), int8(at))))
		}
	}
	stand("at.settlement", cornerList(v.settlements[c]))
	stand("at.city", cornerList(v.cities[c]))
	for _, at := range v.roads[c].list() {
		paths = append(paths, domain.S("at", "at", at))
	}
	who := colourSay(c, v.seats)
	if len(buildings) > 0 {
		list = append(list, domain.S("line.buildings", "who", who, "list", buildings))
	}
	if len(paths) > 0 {
		list = append(list, domain.S("line.roads", "who", who, "list", paths))
	}
	return list
}

func cardsSay(c Cards) []domain.Say {
	var list []domain.Say
	for k, n := range c {
		if n > 0 {
			list = append(list, domain.S("cards."+cardWords[k], "n", int(n)))
		}
	}
	return list
}

func describeTable(v *View) []domain.Say {
	list := []domain.Say{domain.S("line.robber", "hex", int(v.robber))}
	deck := domain.S("count.deck", "n", v.deckSize)
	if v.bank == (Hand{}) {
		list = append(list, domain.S("line.bank-empty", "deck", deck))
	} else {
		list = append(list, domain.S("line.bank", "cards", handSay(v.bank), "deck", deck))
	}
	if v.two() {
		list = append(list, domain.S("line.supply", "n", int(v.tokensLeft())))
	}
	var harbours []domain.Say
	for i, h := range v.board.Harbours {
		e := isle.ends[isle.harbourPath[i]]
		harbours = append(harbours, domain.S("harbour", "harbour_word", "harbour."+h.String(), "a", int(e[0]), "b", int(e[1])))
	}
	list = append(list, domain.S("line.harbours", "list", harbours))
	for c, o := range v.offers {
		if o.Open {
			list = append(list, domain.S("line.offer", "who", domain.Seat(c), "to", seatsSay(o.To),
				"give", handSay(o.Give), "want", handSay(o.Want)))
		}
	}
	return list
}
