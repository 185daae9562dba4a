package show

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// handPanel shows the viewer's hand, with a word under each card that says whether it can be used now. A page has one
// row, however many cards there are: people swipe along it, and none of it lies below the question. A card that lies
// open beside the stacks appears here too while it can be built or its site is being chosen: people press it where
// they press their hand cards.
func (r Room) handPanel(v *state.View, own domain.Seat, sketch domain.Sketch) domain.Panel {
	hand, why := v.Realms[own].Held(), r.why(v)
	p := newPicture(sketch)
	chosen, _, _ := tried(sketch)
	held := len(hand)
	if p.offers(v) || v.OpenN > 0 && v.Open == chosen && v.Realms[own].InHand(chosen) < 0 {
		hand = append(slices.Clone(hand), state.Slot{Card: v.Open})
	}
	under := 0.0
	if len(why) > 0 || len(hand) > held {
		under = 22
	}
	var names []table.Card
	for i, a := range p.cardRows(len(hand), under, sketch.Narrow) {
		slot := hand[i]
		face := p.small(slot.Card)
		if slot.Card == chosen {
			face = append(face, chosenEdge())
		}
		spot := "h-" + slot.Card.Name()
		if i == held {
			spot = openSpot(v.Open)
		} else {
			names = append(names, slot.Card)
		}
		p.readable(spot, a, slot.Card, face, sketch.Narrow)
		switch {
		case i == held && slot.Card == chosen:
			p.under(a, domain.S("hand.chosen"), hue("accent"))
		case i == held:
			p.under(a, domain.S("pile.open", "n", int(v.OpenN)), hue("accent"))
		case i < len(why):
			p.stateWord(r, v, own, slot.Card, why[i], slot.Card == chosen, a)
		}
	}
	return p.besides(domain.PanelHand, names, sketch.Narrow)
}

// stateWord says under a hand card whether it can be used now, and if not, what it lacks, in short.
func (p *picture) stateWord(r Room, v *state.View, own domain.Seat, c table.Card, why *domain.Say, chosen bool,
	a area) {
	say, fill := domain.S("hand.now"), hue("accent")
	switch {
	case chosen:
		say = domain.S("hand.chosen")
	case why != nil:
		say, fill = domain.S("hand.not"), hue("missing")
		for _, not := range r.Hinders(&v.State, own, c) {
			if lacks := lacking(v.Realms[own].Stock(), c.Row().Cost); strings.HasPrefix(not.Key, "not.missing") &&
				lacks.Total() > 0 {
				p.lacks(lacks, a)
				return
			}
			if key, known := short[not.Key]; known {
				say = domain.Say{Key: key, Args: not.Args}
				break
			}
		}
	}
	p.under(a, say, fill)
}

// under writes a text below a hand card.
func (p *picture) under(a area, say domain.Say, fill domain.Color) {
	p.add(words(a.x+a.w/2, a.y+a.h+12, 12.5, cardW+2, 2, say, fill))
}

// openSpot is the spot of a card lying open beside the stacks.
func openSpot(c table.Card) string { return "o-" + c.Name() }

// offers reports whether the card that lies open beside the stacks can be built now, or could be instead of what is
// chosen.
func (p *picture) offers(v *state.View) bool {
	spot := openSpot(v.Open)
	return v.OpenN > 0 && (p.open[spot] != "" || p.other[spot])
}

// short puts hindrances in a word or two.
var short = map[string]string{"not.needs": "hand.needs", "refuse.one-only": "hand.one",
	"refuse.no-place": "hand.no-place", "refuse.site-taken": "hand.no-place"}

// lacking returns what somebody is short of to pay a cost.
func lacking(have, cost table.Goods) (g table.Goods) {
	for i, n := range cost {
		g[i] = n - min(n, have[i])
	}
	return g
}

// lacks shows what somebody is short of for a card.
func (p *picture) lacks(g table.Goods, a area) {
	const size = 14.0
	kinds, w := 0, 0.0
	for _, n := range g {
		kinds += table.BoolInt(n > 0)
	}
	single := g.Total() <= 4
	if w = float64(g.Total()) * size; !single {
		w = float64(kinds) * size * 1.55
	}
	word := min(46, cardW+6-w-3)
	x, y := a.x+a.w/2-(word+3+w)/2, a.y+a.h+12
	p.add(words(x+word/2, y, 12.5, word, 1, domain.S("hand.lacks"), hue("missing")))
	x += word + 3
	for res, n := range g {
		for k := range n {
			if !single && k > 0 {
				continue
			}
			if !single {
				p.add(bold(x+size*.3, y, 12.5, strconv.Itoa(int(n)), hue("missing")))
				x += size * .55
			}
			p.add(p.sign(table.Res(res).String(), x+size/2, y, size))
			x += size
		}
	}
}

// Sizes of the things in the middle.
const (
	stackW, stackH = 52.0, 70.0
	dieSize        = 48.0
	captionSize    = 12.0 // for what the event die shows
)

// middlePanel shows the stacks by their backs and sizes, the dice, the event, the open stack and the discard pile's
// top.
func middlePanel(v *state.View, sketch domain.Sketch) domain.Panel {
	p := newPicture(sketch)
	p.scene.W = 452
	all := make([]pileOf, 0, len(v.Decks)+1)
	for i := range v.Decks[:v.DecksN] {
		d := &v.Decks[i]
		name := domain.S("back." + d.Set.String())
		all = append(all, pileOf{"k-" + strconv.Itoa(i+1), strconv.Itoa(i + 1), d.Set, int(d.N), name,
			domain.S("title.stack", "n", i+1, "back", name, "size", int(d.N))})
	}
	all = append(all, pileOf{"", "", table.Sets, int(v.Events.N), domain.S("pile.events"), domain.S("pile.events")})
	rows := (len(all) + stacksARow - 1) / stacksARow
	y := margin
	for row := range slices.Chunk(all, (len(all)+rows-1)/rows) {
		p.stacks(row, y)
		y += stackH + 38
	}
	p.scene.H = y
	p.piles(v, y)
	return domain.Panel{Name: "middle", Weight: domain.PanelStrip, Scene: p.scene, Items: middleItems(v)}
}

// stacksARow is how many stacks stand side by side at most, so that the names below them are readable on a phone too.
const stacksARow = 5

// pileOf is a stack as drawn, with its back and its size.
type pileOf struct {
	spot, number string
	set          table.Set
	size         int
	name, title  domain.Say
}

// stacks draws a row of stacks, with their names below; identical ones share a name.
func (p *picture) stacks(row []pileOf, y float64) {
	step := min(stackW+34, (p.scene.W-2*margin)/float64(len(row)))
	x := (p.scene.W - float64(len(row)-1)*step - stackW) / 2
	for from := 0; from < len(row); {
		to := from + 1
		for to < len(row) && row[to].set == row[from].set {
			to++
		}
		left := x + float64(from)*step
		for i := from; i < to; i++ {
			p.stack(row[i], x+float64(i)*step, y)
		}
		wide := float64(to-from-1)*step + stackW
		if to-from > 1 {
			p.add(kit.Line(left, y+stackH+6, left+wide, y+stackH+6, 1, hue("feltquiet")))
		}
		p.add(words(left+wide/2, y+stackH+18, 13.4, wide+step-stackW+2, 2, row[from].name, hue("feltink")))
		from = to
	}
}

// stack draws a stack by its back, with its number and how many cards it has.
func (p *picture) stack(s pileOf, x, y float64) {
	back := p.back(s.set%table.Sets, stackW, stackH)
	if s.set == table.Sets {
		back[0].Fill = hue("event")
	}
	under := kit.Edged(rounded(3.5, 3.5, stackW-1, stackH-1, 4, back[0].Fill), hue("ink"), 1)
	group, ink := append([]domain.Shape{under}, back...), hue("onband")
	if s.size == 0 {
		back[0].Fill, back[0].Stroke, back[0].Dash, ink = 0, hue("feltquiet"), 5, hue("feltink")
		group = back[:1]
	}
	if group = append(group, label(stackW/2, stackH*.48, 23, strconv.Itoa(s.size), ink)); s.number != "" {
		group = append(group, kit.Disc(stackW/2, stackH*.8, 9, hue("onband")),
			bold(stackW/2, stackH*.8, 12.5, s.number, hue("number")))
	}
	p.place(s.spot, false, area{x, y, stackW, stackH}, s.title, group...)
}

// piles draws the dice of this turn and the cards that lie face up: the event being resolved, the open stack, the
// discard pile.
func (p *picture) piles(v *state.View, y float64) {
	type pile struct {
		spot string
		top  table.Card
		n    uint8
		name string
	}
	var list []pile
	if v.Event != table.NoCard {
		list = append(list, pile{"e-event", v.Event, 0, "pile.event"})
	}
	if v.OpenN > 0 {
		spot := openSpot(v.Open)
		if p.offers(v) { // people press it beside the hand
			spot = ""
		}
		list = append(list, pile{spot, v.Open, v.OpenN, "pile.open"})
	}
	if v.DiscardN > 0 {
		list = append(list, pile{"d-discard", v.DiscardTop(), v.DiscardN, "pile.discard"})
	}
	dice := 0.0
	if v.Die > 0 {
		dice = 2*dieSize + 12
	}
	if len(list) == 0 && dice == 0 {
		return
	}
	wide := dice + float64(len(list))*(cardW+12) - 12
	if len(list) > 0 && dice > 0 {
		wide += 12
	}
	x := (p.scene.W - wide) / 2
	p.scene.H = y + dieSize + 12 + 1.6*captionSize + margin // the event die's caption is below it, in two lines at most
	if len(list) > 0 {
		p.scene.H = y + cardH + 24
	}
	if dice > 0 {
		p.dice(v, x, y+max(0, (p.scene.H-y-margin-dieSize)/2-10))
		x += dice + 12
	}
	for _, q := range list {
		switch a := (area{x, y, cardW, cardH}); {
		case q.top.Hidden():
			p.place(q.spot, false, a, domain.S(q.name), p.back(q.top.Set(), cardW, cardH)...)
		default:
			p.place(q.spot, q.spot != "", a, q.top.Word(), p.small(q.top)...)
		}
		p.add(words(x+cardW/2, y+cardH+11, 12, cardW+10, 1, domain.S(q.name, "n", int(q.n)), hue("feltink")))
		x += cardW + 12
	}
}

// dice draws the roll of this turn: pips, and what the event die shows.
func (p *picture) dice(v *state.View, x, y float64) {
	die := func(x float64, fill domain.Color) domain.Shape {
		return kit.Edged(rounded(x, y, dieSize, dieSize, 10, fill), hue("ink"), 1.6)
	}
	group := []domain.Shape{die(x, hue("tab"))}
	for _, at := range [7][][2]float64{1: {{0, 0}}, 2: {{-1, -1}, {1, 1}}, 3: {{-1, -1}, {0, 0}, {1, 1}},
		4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}, 5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
		6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}}}[v.Die%7] {
		group = append(group, kit.Disc(x+dieSize/2+at[0]*12, y+dieSize/2+at[1]*12, 4.6, hue("number")))
	}
	p.add(group...)
	sign := [table.FacesN]string{table.Brigand: "strength", table.Trade: "commerce", table.Celebration: "skill",
		table.Harvest: "grain", table.EventFace: "hand"}[v.Face]
	if sign == "" {
		return
	}
	p.put(domain.Point{}, domain.S("face."+v.Face.String()), die(x+dieSize+8, hue("gold")),
		p.sign(sign, x+dieSize*1.5+8, y+dieSize/2, 34))
	caption := words(x+dieSize+4, y+dieSize+12, captionSize, 2*dieSize+20, 2, domain.S("face."+v.Face.String()),
		hue("feltink"))
	caption.Under = true // equally far below the dice with one line or two
	p.add(caption)
}
