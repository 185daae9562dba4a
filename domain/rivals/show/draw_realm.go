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

// headH is the height of the line with a seat's letter, its points and tokens, and the backs of its hand.
const headH = 38.0

// The greatest widths of a row of columns in a mail, where nothing can be viewed part by part: of the viewer's own
// principality, which is shown as wide as a phone, and of the other's, which is shown half as wide.
const (
	widestOwn   = 1184.0
	widestOther = 888.0
)

// realmPicture is a principality being drawn. Its columns are gaps and towns, with three rows: above, along the
// middle and below. It grows only in width; for a mail it breaks into rows of columns, one below the other.
type realmPicture struct {
	*picture
	v      *state.View
	r      *state.Realm
	seat   domain.Seat
	sketch domain.Sketch
}

// column is a gap with its regions, or a town with its sites.
type column struct {
	gap, town int // one of them is -1
	x, w      float64
}

// columns returns a principality's columns, from the left.
func columns(r *state.Realm) (list []column) {
	for t := int(r.Left); t <= int(r.Right)+1; t++ {
		c := column{gap: t, town: -1, w: landW}
		if r.Cache != table.NoPlace && r.Cache.Gap() == t {
			c.w += between + cardW
		}
		if list = append(list, c); t <= int(r.Right) {
			c = column{gap: -1, town: t, w: cardW}
			if r.Towns[t].Level == state.CityTown {
				c.w = cityW
			}
			list = append(list, c)
		}
	}
	return list
}

// bands breaks columns into rows no wider than most, about equally wide; w is the width of the widest.
func bands(list []column, most float64) (rows [][]column, w float64) {
	lay := func(most float64) (rows [][]column, w float64) {
		x := 0.0
		for _, c := range list {
			if len(rows) == 0 || x+c.w > most && x > 0 {
				rows, x = append(rows, nil), 0
			}
			c.x = x
			rows[len(rows)-1] = append(rows[len(rows)-1], c)
			w, x = max(w, x+c.w), x+c.w+between
		}
		return rows, w
	}
	rows, w = lay(most)
	for narrower := w - 1; narrower > cityW; narrower = w - 1 {
		even, less := lay(narrower)
		if len(even) > len(rows) {
			break
		}
		rows, w = even, less
	}
	return rows, w
}

// realmPanel shows a principality.
func realmPanel(v *state.View, name string, seat domain.Seat, sketch domain.Sketch) domain.Panel {
	r := &v.Realms[seat]
	most := 1e6
	if sketch.Narrow {
		if most = widestOther; seat == v.Viewer.Seat() {
			most = widestOwn
		}
	}
	rows, w := bands(columns(r), most)
	const high = 2*cardH + rowH + 2*between
	d := &realmPicture{newPicture(sketch), v, r, seat, sketch}
	d.scene.W, d.scene.H = max(w+2*margin, 480), headH+float64(len(rows))*(high+between)+margin
	d.head()
	for i, row := range rows {
		last := row[len(row)-1]
		left := (d.scene.W - last.x - last.w) / 2
		for k := range row {
			row[k].x += left
		}
		d.row(row, headH+float64(i)*(high+between))
	}
	least := 0.94
	if seat != v.Viewer.Seat() {
		least = 0.86
	}
	text, cells := realmText(v, seat)
	panel := domain.Panel{Name: name, Theirs: domain.S("panel.realm", "seat", seat), Weight: domain.PanelMain,
		Scene: d.scene, Least: least * d.scene.W, Lines: []domain.Say{domain.S("legend.realm")}, Text: text,
		Cells: cells}
	if seat != v.Viewer.Seat() { // whose it is, wherever it stands
		panel.Called, panel.Theirs = panel.Theirs, domain.Say{}
	}
	return panel
}

// head draws a seat's letter in its colour, its points, the tokens it holds, and the backs of a hand that is not the
// viewer's.
func (d *realmPicture) head() {
	y := headH/2 + 1
	d.add(kit.Edged(kit.Disc(margin+15, y, 15, domain.SeatColor(d.seat)), hue("onband"), 1.5),
		label(margin+15, y, 18, d.seat.Letter(), hue("onband")))
	x := margin + 38
	for _, m := range marks(d.v.PointsOf(d.seat)) {
		d.put(domain.Pt(x, y), domain.S("points."+m.word, "n", m.n),
			kit.Edged(rounded(0, -13, 50, 26, 13, hue("tab")), hue("ink"), 1),
			d.sign(m.word, 14, 0, 19), bold(35, 0, 16, strconv.Itoa(m.n), hue("number")))
		x += 55
	}
	for _, token := range [...]struct {
		held      bool
		sign, key string
	}{{d.v.Strongest() == d.seat, "strength", "title.hero"}, {d.v.Busiest() == d.seat, "commerce", "title.trade"}} {
		if token.held {
			d.put(domain.Pt(x+14, y), domain.S(token.key),
				kit.Edged(kit.Disc(0, 0, 15, hue("gold")), hue("ink"), 1.2), d.sign(token.sign, 0, 0, 20))
			x += 34
		}
	}
	hand := d.r.Held()
	if d.seat == d.v.Viewer.Seat() || len(hand) == 0 {
		return
	}
	step := min(20, (d.scene.W-margin-26-x)/float64(len(hand)))
	for i, slot := range hand {
		set := slot.Card.Set()
		d.put(domain.Pt(d.scene.W-margin-26-float64(len(hand)-1-i)*step, y-17), domain.Say{},
			d.back(set, 26, 34)...)
	}
	d.add(bold(d.scene.W-margin-13, y, 15, strconv.Itoa(len(hand)), hue("onband")))
}

// put adds a group of shapes around a point.
func (p *picture) put(at domain.Point, title domain.Say, group ...domain.Shape) {
	p.add(domain.Shape{Group: group, At: at, Title: title})
}

// row draws columns side by side, with their upper edge at y.
func (d *realmPicture) row(row []column, y float64) {
	middle, below := y+cardH+between, y+cardH+2*between+rowH
	d.landscape(row, middle)
	for i, c := range row {
		if c.gap >= 0 {
			d.beyond(c, middle)
			for side, at := range [2]float64{y, below} {
				d.regions(c, side, at)
			}
			if i > 0 && i < len(row)-1 {
				d.add(d.use([2]string{"c-wayside-cart", "c-wayside"}[c.gap%2], c.x, middle, 1))
			}
			continue
		}
		d.town(c, middle, [2]float64{y, below})
	}
}

// landscape draws the landscape around roads, settlements and cities.
func (d *realmPicture) landscape(row []column, y float64) {
	x, end := row[0].x, row[len(row)-1].x+row[len(row)-1].w
	hills, field := domain.Path{}.M(x, y+40), domain.Path{}.M(x, y+57).Q((x+end)/2, y+47, end, y+57).L(end, y+rowH).
		L(x, y+rowH).Z()
	for at, up := x, true; at < end; at, up = at+60, !up {
		top, to := 44.0, min(at+60, end)
		if up {
			top = 26
		}
		hills = hills.Q((at+to)/2, y+top, to, y+38)
	}
	d.add(kit.Filled(domain.Rect(x, y, end-x, rowH), hue("sky")),
		kit.Filled(hills.L(end, y+rowH).L(x, y+rowH).Z(), hue("far")), kit.Filled(field, hue("field")))
	way := domain.Path{}
	for i, c := range row {
		if i == 0 && c.town > int(d.r.Left) { // the road continues from the row above
			way = way.M(c.x+10, y+71).L(c.x+c.w/2, y+71)
		}
		if c.gap >= 1 && d.r.Roads&(1<<(c.gap-1)) != 0 {
			from, to := c.x, c.x+c.w
			if i > 0 && c.gap > int(d.r.Left) {
				from -= between + row[i-1].w/2
			} else if c.gap == int(d.r.Left) {
				from += 10
			}
			if i+1 < len(row) && c.gap <= int(d.r.Right) {
				to += between + row[i+1].w/2
			} else {
				to -= 10
			}
			way = way.M(from, y+71).L(to, y+71)
		}
	}
	if len(way) > 0 {
		d.add(way.Stroked(hue("roadside"), 14),
			way.Stroked(hue("road"), 10.5))
	}
}

// beyond draws the choices beyond the outermost towns: a road, or what is built at its end, and what has been chosen
// there.
func (d *realmPicture) beyond(c column, y float64) {
	for i, gap := range [2]int{int(d.r.Left), int(d.r.Right) + 1} {
		if c.gap != gap {
			continue
		}
		way := table.WayNames[i]
		if key := "road-" + d.seat.Letter() + "-" + way; d.open[key] != "" || d.other[key] {
			d.place(key, false, area{c.x, y, c.w, rowH}, domain.Say{})
		}
		if d.seat == d.v.Viewer.Seat() && len(d.sketch.Chosen) > 0 {
			d.tryWay(d.sketch.Chosen[0], way, c, y)
		}
	}
}

// tryWay shows a road or settlement before it is built.
func (d *realmPicture) tryWay(chosen, way string, c column, y float64) {
	ring := kit.Edged(rounded(1, 1, c.w-2, rowH-2, 8, hue("accent").Alpha(26)), hue("accent"), 4)
	built := domain.Path{}.M(12, 71).L(c.w-12, 71).Stroked(hue("road"), 10.5)
	switch chosen {
	case state.VerbNames[state.Road] + "-" + way:
	case state.VerbNames[state.Settle] + "-" + way:
		built = d.use("c-town-settlement", (c.w-cardW)/2-2, 0, 1)
	default:
		return
	}
	d.add(domain.Shape{Group: []domain.Shape{ring, built}, At: domain.Pt(c.x, y), Class: "tried"})
}

// regions draws the regions of a gap on one side, and the Gold Cache beside one.
func (d *realmPicture) regions(c column, side int, y float64) {
	p := table.PlaceAt(c.gap, side)
	cache := d.r.Cache == p
	x := c.x
	if !cache {
		x += (c.w - landW) / 2
	}
	if q := d.r.Regions[p]; q.Number != 0 {
		d.region(p, q, x, y)
	}
	if cache {
		spot := "r-" + d.seat.Letter() + "-cache"
		face := append(d.small(table.GoldCache), rounded(4, 101, 88, 23, 3, hue("card")))
		d.place(spot, true, area{x + landW + between, y, cardW, cardH}, table.GoldCache.Word(),
			append(face, d.stores("gold", 22, 112.5, d.r.CacheGold)...)...)
	}
}

// region draws a region: its name, its number on a disc, and three places for what it stores.
func (d *realmPicture) region(p table.Place, q state.Region, x, y float64) {
	name := words(landW/2, 12, 13, 82, 1, domain.S("land."+q.Terrain.Terrain()), hue("onband"))
	group := []domain.Shape{d.use("c-"+q.Terrain.Terrain(), 0, 0, 1),
		kit.Filled(domain.Rect(0, 0, landW, 23), hue("shade").Alpha(184)),
		kit.Filled(domain.Rect(0, 99, landW, 29), hue("shade").Alpha(184)), name,
		kit.Edged(kit.Disc(44, 61, 19, hue("tab")), hue("ink"), 1.2),
		label(44, 61, 25, strconv.Itoa(int(q.Number)), hue("number"))}
	if d.v.Die == q.Number {
		group = append(group, domain.Ellipse(44, 61, 21.5, 21.5).Stroked(hue("onband"), 5.5),
			domain.Ellipse(44, 61, 21.5, 21.5).Stroked(domain.RGB(0x0B6E6E), 3.4))
	}
	group = append(group, d.stores(q.Terrain.String(), 18, 113.5, q.Stored)...)
	group = append(group, kit.Edged(kit.Filled(domain.Rect(.5, .5, landW-1, landH-1), 0), hue("ink"), 1.1))
	group = append(group, d.tryGoods(p, q)...)
	d.place("r-"+d.seat.Letter()+"-"+p.Name(), false, area{x, y, landW, landH},
		domain.S("title.region", "terrain_word", "terrain."+q.Terrain.Terrain(), "number", int(q.Number), "stored",
			int(q.Stored)), group...)
}

// tryGoods draws what has been chosen to come to a region, or to be paid from it.
func (d *realmPicture) tryGoods(p table.Place, q state.Region) (group []domain.Shape) {
	if d.seat != d.v.Viewer.Seat() {
		return nil
	}
	into, pay := 0, 0
	for _, key := range d.sketch.Chosen {
		key = strings.TrimLeft(key, "0123456789-") // of which unit
		switch key {
		case "into-" + p.Name():
			into++
		case "pay-" + p.Name():
			pay++
		}
	}
	ring := func(i int) domain.Shape { return kit.Disc(18+float64(i)*26, 113.5, 12, 0) }
	for i := range into {
		if at := int(q.Stored) + i; at < table.Capacity {
			group = append(group, kit.Edged(kit.Disc(18+float64(at)*26, 113.5, 11.5, hue("tab")), hue("ink"), 1),
				d.sign(q.Terrain.String(), 18+float64(at)*26, 113.5, 17), kit.Edged(ring(at), hue("accent"), 3))
		}
	}
	for i := range min(pay, int(q.Stored)) {
		at := int(q.Stored) - 1 - i
		group = append(group, kit.Disc(18+float64(at)*26, 113.5, 12, hue("shade").Alpha(150)),
			kit.Edged(ring(at), hue("accent"), 3))
	}
	if into+pay > 0 {
		group = append(group, kit.Edged(rounded(2, 2, landW-4, landH-4, 8, 0), hue("accent"), 4))
	}
	return group
}

// stores draws three places for a resource, filled with as many as there are.
func (d *realmPicture) stores(sign string, x, y float64, n uint8) (group []domain.Shape) {
	for i := range uint8(table.Capacity) {
		at := x + float64(i)*26
		if i < n {
			group = append(group, kit.Edged(kit.Disc(at, y, 11.5, hue("tab")), hue("ink"), 1), d.sign(sign, at, y, 17))
			continue
		}
		empty := kit.Edged(kit.Disc(at, y, 11, hue("shade").Alpha(40)), hue("onband").Alpha(150), 1)
		empty.Dash = 3
		group = append(group, empty)
	}
	return group
}

// town draws a settlement or city and its sites.
func (d *realmPicture) town(c column, middle float64, sides [2]float64) {
	town, letter := &d.r.Towns[c.town], d.seat.Letter()
	if town.Level == state.NoTown {
		return
	}
	at := strconv.Itoa(c.town - table.Origin)
	points := 1
	if town.Level == state.CityTown {
		points = 2
	}
	d.place("t-"+letter+"-"+at, false, area{c.x, middle, c.w, rowH},
		domain.S("title.town", "town", table.TownSay(c.town, "")), d.use("c-town-"+town.Level.String(), 0, 0, 1),
		kit.Edged(rounded(c.w-36, 4, 34, 19, 9.5, hue("tab")), hue("ink"), 1), d.sign("victory", c.w-25.5, 13.5, 14),
		bold(c.w-11, 13.5, 13, strconv.Itoa(points), hue("number")))
	if d.seat == d.v.Viewer.Seat() && slices.Contains(d.sketch.Chosen, "city-"+at) {
		d.add(domain.Shape{Group: []domain.Shape{kit.Edged(rounded(1, 1, c.w-2, rowH-2, 8, 0), hue("accent"), 4),
			d.use("c-town-city", c.w/2-50, rowH*.5, .5)}, At: domain.Pt(c.x, middle), Class: "tried"})
	}
	for side := range 2 {
		free := "s-" + letter + "-" + table.SiteAt(c.town, side, 0).Key()
		for slot, card := range town.Sites[side][:town.Slots()] {
			site, a := table.SiteAt(c.town, side, slot),
				area{c.x + float64(slot)*(cityW-cardW), sides[side], cardW, cardH}
			if card != table.NoCard {
				d.place(site.Spot(d.seat), true, a, card.Word(), d.small(card)...)
				continue
			}
			d.free(free, site, a)
			free = "" // a choice names the side of a town, and lies on its first free site
		}
	}
}

// free draws an empty site, or what is about to be built there.
func (d *realmPicture) free(spot string, site table.Site, a area) {
	card, verb, at := tried(d.sketch)
	if verb == "build" && spot != "" && at == site.Key() && d.seat == d.v.Viewer.Seat() {
		ring := kit.Edged(rounded(-2.5, -2.5, cardW+5, cardH+5, 9, 0), hue("accent"), 4)
		d.add(domain.Shape{Group: append(d.small(card), ring), At: domain.Pt(a.x, a.y), Class: "tried"})
		return
	}
	frame := kit.Edged(rounded(2, 2, a.w-4, a.h-4, 8, 0), hue("site"), 1.5)
	frame.Dash = 5
	if only, ok := table.CardNamed[d.ahead[spot]]; ok && spot != "" {
		d.place(spot, false, a, domain.S("title.site", "where", table.SiteSay(site)), frame,
			words(a.w/2, a.h/2, 13, a.w-12, 3, only.Word(), hue("accent")))
		return
	}
	d.place(spot, false, a, domain.S("title.site", "where", table.SiteSay(site)), frame,
		words(a.w/2, a.h/2, 13, a.w-12, 2, domain.S("site.free"), hue("feltquiet")))
}
