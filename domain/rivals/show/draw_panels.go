package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// headH is the height of the line with a seat's letter, its points and tokens, and the backs of its
// hand.
const headH = 52.0

// realmPicture is a principality being drawn. Gaps and towns are its columns; its centre line lies
// between two rows of regions and sites, with one more row on a side where cities or the Gold
// Cache need it. A wide one is broken into bands, so that a phone shows its cards large enough.
type realmPicture struct {
	*picture
	v      *state.View
	r      *state.Realm
	seat   domain.Seat
	band   int     // columns in a band
	bandH  float64 // its height
	left   float64 // the middle of its first column
	centre float64 // of the first band
}

// bandOf is how many columns of a principality stand beside each other, of seven at most.
func bandOf(r *state.Realm) (band, bands int) {
	columns := 2*int(r.Right-r.Left+1) + 1
	bands = (columns + 6) / 7
	return (columns + bands - 1) / bands, bands
}

// realmPanel shows a principality.
func realmPanel(v *state.View, name string, seat domain.Seat, sketch domain.Sketch) domain.Panel {
	r := &v.Realms[seat]
	outer := [2]bool{r.HasCity(), r.HasCity()}
	if r.Cache != table.NoPlace {
		outer[r.Cache.Side()] = true
	}
	band, bands := bandOf(r)
	w := max(float64(band)*gridStep+2*margin, leastW)
	d := &realmPicture{v: v, r: r, seat: seat, band: band, left: (w - float64(band-1)*gridStep) / 2, centre: headH + 1.5*gridStep, bandH: 3*gridStep + margin}
	for side, row := range [2]float64{gridStep, 0} {
		if outer[side] {
			d.centre, d.bandH = d.centre+row, d.bandH+gridStep
		}
	}
	d.picture = newPicture(w, headH+float64(bands)*d.bandH+margin)
	d.head()
	for at := range table.Columns {
		if r.Roads&(1<<at) != 0 {
			d.put(d.gap(at+1, 0), 0, domain.Say{}, rounded(-cardSize/2, -14, cardSize, 28, 6, domain.RGB(0xC9B48A)), kit.Line(8-cardSize/2, 0, cardSize/2-8, 0, 3, paper))
		}
	}
	d.spot("road-"+seat.Letter()+"-left", d.gap(int(r.Left), 0))
	d.spot("road-"+seat.Letter()+"-right", d.gap(int(r.Right)+1, 0))
	for p := range table.Place(table.RegionsN) {
		if q := r.Regions[p]; q.Number != 0 {
			at := d.gap(p.Gap(), float64(2*p.Side()-1))
			d.spot("r-"+seat.Letter()+"-"+p.Name(), at)
			d.region(p, q, at)
		}
	}
	if p := r.Cache; p != table.NoPlace {
		at := d.gap(p.Gap(), float64(4*p.Side()-2))
		d.spot("r-"+seat.Letter()+"-cache", at)
		draw(table.GoldCache, d.picture, at, 0, false)
		d.add(stored(at.X, at.Y+cardSize/2-14, r.CacheGold)...)
	}
	for t, town := range r.EachTown() {
		d.town(t, town)
	}
	d.open(sketch)
	return domain.Panel{Name: name, Weight: domain.PanelMain, Scene: d.scene, Lines: []domain.Say{domain.S("legend.realm")}, Text: realmText(v, seat)}
}

// gap is a place in the column of a gap, so many rows below the centre line.
func (d *realmPicture) gap(gap int, row float64) domain.Point {
	return d.column(2*(gap-int(d.r.Left)), row)
}

// at is a place in the column of a town.
func (d *realmPicture) at(town int, row float64) domain.Point {
	return d.column(2*(town-int(d.r.Left))+1, row)
}

func (d *realmPicture) column(n int, row float64) domain.Point {
	return domain.Point{X: d.left + float64(n%d.band)*gridStep, Y: d.centre + float64(n/d.band)*d.bandH + row*gridStep}
}

// head is a seat's letter in its colour, its points, the tokens it holds, and the backs of a hand that
// is not the viewer's.
func (d *realmPicture) head() {
	y := headH/2 + 2
	d.add(disc(margin+22, y, 20, domain.SeatColor(d.seat), paper), label(margin+22, y, 24, d.seat.Letter(), paper))
	x := margin + 66
	for _, m := range marks(d.v.PointsOf(d.seat)) {
		d.add(domain.Shape{Use: m.symbol, At: domain.Point{X: x, Y: y}, Scale: 1.15}, label(x+24, y, 25, strconv.Itoa(m.n), ink))
		x += 58
	}
	for _, token := range [...]struct {
		held        bool
		symbol, key string
	}{{d.v.Strongest() == d.seat, "axe", "title.hero"}, {d.v.Busiest() == d.seat, "scales", "title.trade"}} {
		if token.held {
			d.put(domain.Point{X: x, Y: y}, 0, domain.S(token.key), disc(0, 0, 20, domain.RGB(0xF0D98A), ink), domain.Shape{Use: token.symbol})
			x += 44
		}
	}
	if hand := d.r.Held(); d.seat != d.v.Viewer.Seat() && len(hand) > 0 {
		step := min(34, (d.scene.W-margin-x)/float64(len(hand)))
		for i, slot := range hand {
			draw(slot.Card, d.picture, domain.Point{X: d.scene.W - margin - 16 - float64(len(hand)-1-i)*step, Y: y}, 0.42, false)
		}
	}
}

func (d *realmPicture) town(t int, town *state.Town) {
	letter, at := d.seat.Letter(), d.at(t, 0)
	d.spot("t-"+letter+"-"+strconv.Itoa(t-table.Origin), at)
	d.put(at, 0, domain.S("title.town", "at", t-table.Origin), rounded(-cardSize/2, -cardSize/2, cardSize, cardSize, 8, domain.RGB(0xE8DDC3)),
		domain.Shape{Use: town.Level.String(), Fill: domain.SeatColor(d.seat)}, label(0, 37, 20, strconv.Itoa(t-table.Origin), ink))
	for side := range 2 {
		for slot, c := range town.Sites[side][:town.Slots()] {
			site := table.SiteAt(t, side, slot)
			at := d.at(t, float64((2*side-1)*(slot+1)))
			if c != table.NoCard {
				d.spot(site.Spot(d.seat), at)
				draw(c, d.picture, at, 0, false)
				continue
			}
			if free := "s-" + letter + "-" + site.Key(); d.spots[free].w == 0 {
				d.spot(free, at)
			}
			frame := kit.Edged(rounded(at.X-cardSize/2+3, at.Y-cardSize/2+3, cardSize-6, cardSize-6, 8, 0), faint, 2)
			frame.Dash = 7
			d.add(frame, label(at.X, at.Y, 17, site.Name(), faint))
		}
	}
}

// region is a square of its land: its number large, what it stores as dots on its upper edge, and
// its place below.
func (d *realmPicture) region(p table.Place, q state.Region, at domain.Point) {
	group := []domain.Shape{kit.Edged(rounded(-cardSize/2, -cardSize/2, cardSize, cardSize, 6, resColors[q.Terrain]), ink, 1),
		{Use: "land-" + q.Terrain.Terrain(), At: domain.Point{X: 0, Y: 4}},
		disc(0, 6, 21, paper, ink), label(0, 6, 28, strconv.Itoa(int(q.Number)), ink),
		rounded(-22, 28, 44, 18, 5, paper.Alpha(200)), label(0, 37, 18, p.Name(), ink)}
	d.put(at, 0, domain.S("title.region", "terrain_word", "terrain."+q.Terrain.Terrain(), "number", int(q.Number), "stored", int(q.Stored)),
		append(group, stored(0, -cardSize/2+15, q.Stored)...)...)
}

// stored is what a place holds, as dots.
func stored(x, y float64, n uint8) (dots []domain.Shape) {
	for i := range uint8(table.Capacity) {
		fill := paper.Alpha(110)
		if i < n {
			fill = ink
		}
		dots = append(dots, disc(x+(float64(i)-1)*24, y, 9, fill, ink))
	}
	return dots
}

// handPanel shows the viewer's hand, five cards in a row. A card that cannot be used is dimmed, and
// says why.
func handPanel(v *state.View, own domain.Seat, why []*domain.Say) domain.Panel {
	hand := v.Realms[own].Held()
	rows := max(1, (len(hand)+4)/5)
	p := newPicture(leastW, float64(rows)*gridStep+2*margin)
	var names []string // as the notation has them
	for i, slot := range hand {
		names = append(names, slot.Card.Name())
		at := domain.Point{X: margin + (float64(i%5)+0.5)*gridStep, Y: margin + (float64(i/5)+0.5)*gridStep}
		draw(slot.Card, p, at, 0, true)
		if i < len(why) && why[i] != nil {
			face := &p.scene.Shapes[len(p.scene.Shapes)-1]
			face.Group = append(face.Group, rounded(-cardSize/2, -cardSize/2, cardSize, cardSize, 7, felt.Alpha(150)))
			face.Title = domain.S("title.card-not", "facts", facts(slot.Card), "why", *why[i])
		}
	}
	return domain.Panel{Name: "hand", Weight: domain.PanelBeside, Scene: p.scene, Text: wrapped(names)}
}

// middlePanel shows the stacks by their backs and sizes, the open stack, the discard pile's top, the
// dice or the event.
func middlePanel(v *state.View, sketch domain.Sketch) domain.Panel {
	const cell, y = 66.0, 54.0
	items := int(v.DecksN) + 3
	p := newPicture(max(leastW, float64(items)*cell+2*margin), 2*y)
	x := p.scene.W/2 - cell*float64(items-1)/2
	for i := range v.Decks[:v.DecksN] {
		d, at := &v.Decks[i], domain.Point{X: x, Y: y}
		p.spots["k-"+strconv.Itoa(i+1)] = spot{at, cell - 4, 92}
		p.put(at, 0, domain.S("title.stack", "n", i+1, "back", domain.S("back."+d.Set.String()), "size", int(d.N)),
			kit.Edged(rounded(-cell/2+4, -42, cell-8, 84, 6, backColors[d.Set]), paper, 2), label(0, -14, 32, strconv.Itoa(i+1), paper), label(0, 22, 22, "×"+strconv.Itoa(int(d.N)), paper))
		x += cell
	}
	for _, pile := range [...]struct {
		top table.Card
		n   uint8
	}{{v.Open, v.OpenN}, {v.DiscardTop(), v.DiscardN}} {
		if pile.n > 0 {
			draw(pile.top, p, domain.Point{X: x, Y: y - 10}, 0.62, false)
			p.add(label(x, y+34, 20, "×"+strconv.Itoa(int(pile.n)), ink))
		}
		x += cell
	}
	dice(v, p, x, y)
	p.open(sketch)
	return domain.Panel{Name: "middle", Weight: domain.PanelStrip, Scene: p.scene, Text: middleText(v)}
}

// dice shows the roll of this turn, or the event card being resolved.
func dice(v *state.View, p *picture, x, y float64) {
	if v.Event != table.NoCard {
		draw(v.Event, p, domain.Point{X: x, Y: y}, 0.66, false)
		return
	}
	if v.Die == 0 {
		return
	}
	p.add(kit.Edged(rounded(x-20, y-42, 40, 40, 6, paper), ink, 1.5), label(x, y-22, 28, strconv.Itoa(int(v.Die)), ink))
	if use := [table.FacesN]string{table.Brigand: "swords", table.Trade: "scales", table.Celebration: "harp", table.Harvest: "res-grain", table.EventFace: "bolt"}[v.Face]; use != "" {
		p.add(domain.Shape{Use: use, At: domain.Point{X: x, Y: y + 22}})
	}
}
