package catan

import (
	"strings"

	"posthorn/domain"
)

// describe is the board in words, for a view.
func describe(v *View) domain.Description {
	var d domain.Description
	lead, points := ahead(v)
	d.Alt = domain.S("alt", "hex", *v.Robber, "who", seatOf(lead), "n", points)
	switch {
	case v.Winner != "":
		d.Lines = append(d.Lines, domain.S("line.won", "who", seatOf(v.Winner)))
	case v.Phase == PhaseOver.String():
		d.Lines = append(d.Lines, domain.S("result.standstill"))
	default:
		d.Lines = append(d.Lines, domain.S(phaseLine(v.Phase, v.Rolls), "who", seatOf(v.Active), "turn", v.Turn))
	}
	for _, dice := range v.Dice {
		d.Lines = append(d.Lines, domain.S("line.dice", "a", int(dice[0]), "b", int(dice[1]), "total", int(dice[0]+dice[1])))
	}
	for i := range v.Players {
		d.Lines = append(d.Lines, describePlayer(v, &v.Players[i])...)
	}
	for i, n := range v.Neutrals {
		d.Lines = append(d.Lines, domain.S("line.neutral", "letter", n.Name,
			"roads", domain.S("count.roads", "n", len(n.Roads)), "settlements", domain.S("count.settlements", "n", len(n.Settlements))))
		d.Lines = append(d.Lines, placesSay(colourSay(int8(i)+2, 2), n.Roads, n.Settlements, nil)...)
	}
	d.Lines = append(d.Lines, describeTable(v)...)
	return d
}

// phaseLine is the key of the sentence about a phase. Some share their word with another line.
func phaseLine(phase string, rolls int) string {
	switch {
	case phase == PhaseRobber.String() || phase == PhaseNeutral.String():
		return "line." + phase + "-due"
	case phase == PhaseRoll.String() && rolls > 0:
		return "line.roll-again"
	}
	return "line." + phase
}

// ahead is who has most points in this view, the first of equals.
func ahead(v *View) (seat string, points int) {
	points = -1
	for _, p := range v.Players {
		if p.Points > points {
			seat, points = p.Seat, p.Points
		}
	}
	return seat, points
}

func seatOf(letter string) domain.Seat {
	if len(letter) != 1 {
		return domain.Nobody
	}
	return domain.Seat(letter[0] - 'A')
}

func describePlayer(v *View, p *PlayerView) []domain.Say {
	who := seatOf(p.Seat)
	has := []domain.Say{domain.S("count.hand", "n", p.HandSize)}
	for _, x := range []struct {
		key string
		n   int
	}{
		{"count.settlements", len(p.Settlements)}, {"count.cities", len(p.Cities)}, {"count.roads", len(p.Roads)},
		{"count.cards", p.CardCount}, {"count.knights", p.Knights},
	} {
		if x.n > 0 {
			has = append(has, domain.Say{Key: x.key, Args: domain.Args{"n": x.n}})
		}
	}
	if p.Tokens != nil {
		has = append(has, domain.S("count.tokens", "n", *p.Tokens))
	}
	if v.Longest != nil && *v.Longest == p.Seat {
		has = append(has, domain.S("cause.longest", "n", p.RoadLength))
	}
	if v.Army != nil && *v.Army == p.Seat {
		has = append(has, domain.S("cause.army", "n", p.Knights))
	}
	list := []domain.Say{domain.S("line.player", "who", who, "points", domain.S("count.points", "n", p.Points), "has", has)}
	list = append(list, placesSay(who, p.Roads, p.Settlements, p.Cities)...)
	if p.Hand != nil && *p.Hand != (HandView{}) {
		list = append(list, domain.S("line.hand", "who", who, "cards", handSay(Hand(*p.Hand))))
	}
	if p.Cards != nil && *p.Cards != (CardsView{}) {
		list = append(list, domain.S("line.cards", "who", who, "cards", cardsSay(Cards(*p.Cards))))
	}
	if can := affordable(p); len(can) > 0 && v.Phase == PhaseMain.String() && v.Active == p.Seat {
		list = append(list, domain.S("line.can", "who", who, "list", can))
	}
	if p.Owes > 0 {
		list = append(list, domain.S("tell.owes", "who", who, "n", p.Owes))
	}
	return list
}

// affordable is what a hand that the viewer knows can pay for.
func affordable(p *PlayerView) []domain.Say {
	if p.Hand == nil {
		return nil
	}
	var list []domain.Say
	for _, x := range []struct {
		kind Kind
		cost Hand
	}{{KindRoad, roadCost}, {KindSettle, settlementCost}, {KindCity, cityCost}, {KindBuy, cardCost}} {
		if Hand(*p.Hand).Covers(x.cost) {
			list = append(list, domain.S("step."+x.kind.String()))
		}
	}
	return list
}

// placesSay lists where a colour's pieces stand, by the numbers of the notation.
func placesSay(who any, roads, settlements, cities []int) []domain.Say {
	var list, buildings, paths []domain.Say
	for _, at := range settlements {
		buildings = append(buildings, domain.S("at", "at", at))
	}
	for _, at := range cities {
		buildings = append(buildings, domain.S("at.city", "at", at))
	}
	for _, at := range roads {
		paths = append(paths, domain.S("at", "at", at))
	}
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
	list := []domain.Say{domain.S("line.robber", "hex", *v.Robber)}
	switch {
	case v.Bank == nil:
	case *v.Bank == (HandView{}):
		list = append(list, domain.S("line.bank-empty", "deck", domain.S("count.deck", "n", *v.Deck)))
	default:
		list = append(list, domain.S("line.bank", "cards", handSay(Hand(*v.Bank)), "deck", domain.S("count.deck", "n", *v.Deck)))
	}
	if v.Supply != nil {
		list = append(list, domain.S("line.supply", "n", *v.Supply))
	}
	var harbours []domain.Say
	for i, h := range v.Board.Harbours {
		e := isle.ends[isle.harbourPath[i]]
		harbours = append(harbours, domain.S("harbour", "harbour_word", "harbour."+h.String(), "a", int(e[0]), "b", int(e[1])))
	}
	list = append(list, domain.S("line.harbours", "list", harbours))
	for _, o := range v.Offers {
		var to []domain.Say
		for _, w := range o.To {
			to = append(to, domain.S("seat", "who", seatOf(w)))
		}
		list = append(list, domain.S("line.offer", "who", seatOf(o.By), "to", to,
			"give", handSay(Hand(*o.Give)), "want", handSay(Hand(*o.Want))))
	}
	return list
}

// The board in characters: hexes with their number, what they yield and their token;
// intersections as + or the owner's letter, small for a settlement and large for a city;
// roads as the owner's letter in their middle. The robber's hex has a star.
const (
	textWide = 12 // columns from hex to hex
	textHigh = 4  // lines from row to row
)

func boardText(v *View) string {
	c := newCanvas(5*textWide+2, 5*textHigh+3)
	owners := ownersOf(v)
	for h := range hexCount {
		x, y := textCentre(h)
		points := [6][2]int{
			{x, y - 3}, {x + textWide/2, y - 1}, {x + textWide/2, y + 1}, {x, y + 3}, {x - textWide/2, y + 1}, {x - textWide/2, y - 1},
		}
		signs := [6]byte{'\\', '|', '/', '\\', '|', '/'}
		for i, p := range isle.sides[h] {
			a, b := points[i], points[(i+1)%6]
			sign := signs[i]
			if o := owners.path[p]; o != 0 {
				sign = o
			}
			c.put((a[0]+b[0])/2, (a[1]+b[1])/2, string(sign))
		}
		for i, p := range isle.corners[h] {
			sign := byte('+')
			if o := owners.corner[p]; o != 0 {
				sign = o
			}
			c.put(points[i][0], points[i][1], string(sign))
		}
		c.centre(x, y-1, numberText(h, *v.Robber == h))
		c.centre(x, y, hexWord(v.Board.Terrain[h], v.Board.Tokens[h]))
	}
	return c.String()
}

func numberText(h int, robber bool) string {
	text := hexSpot(int8(h))[1:]
	if robber {
		text = "*" + text + "*"
	}
	return text
}

func textCentre(h int) (x, y int) {
	return textWide/2*(2*isle.q[h]+isle.r[h]) + 5*textWide/2 + 1, textHigh*(isle.r[h]+2) + 3
}

type owners struct {
	path   [pathCount]byte
	corner [cornerCount]byte
}

func ownersOf(v *View) *owners {
	o := new(owners)
	stand := func(letter string, roads, settlements, cities []int) {
		for _, p := range roads {
			o.path[p] = letter[0]
		}
		for _, c := range settlements {
			o.corner[c] = strings.ToLower(letter)[0]
		}
		for _, c := range cities {
			o.corner[c] = letter[0]
		}
	}
	for i := range v.Players {
		p := &v.Players[i]
		stand(p.Seat, p.Roads, p.Settlements, p.Cities)
	}
	for _, n := range v.Neutrals {
		stand(n.Name, n.Roads, n.Settlements, nil)
	}
	return o
}

type canvas struct{ rows [][]byte }

func newCanvas(w, h int) *canvas {
	c := &canvas{rows: make([][]byte, h)}
	for y := range c.rows {
		c.rows[y] = []byte(strings.Repeat(" ", w))
	}
	return c
}

func (c *canvas) put(x, y int, text string) {
	copy(c.rows[y][x:], text)
}

func (c *canvas) centre(x, y int, text string) { c.put(x-len(text)/2, y, text) }

func (c *canvas) String() string {
	lines := make([]string, len(c.rows))
	for y, row := range c.rows {
		lines[y] = strings.TrimRight(string(row), " ")
	}
	return strings.Join(lines, "\n")
}
