package show

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// facts describes a card in one sentence: its name, kind, cost, points and effect.
func facts(c table.Card) domain.Say {
	row := c.Row()
	cost := domain.S("card.free")
	if row.Cost.Total() > 0 {
		cost = domain.S("card.cost", "goods", table.GoodsSay(row.Cost))
	}
	points := pointsSay(row)
	key := "card.facts"
	if len(points) > 0 {
		key = "card.facts-points"
	}
	return domain.S(key, "card", c.Word(), "kind_word", "kind."+row.Kind.String(), "cost", cost, "points", points,
		"text", c.Text())
}

// toldOf is what a text mail says of a card: what it costs and counts, and what it does.
func toldOf(c table.Card) domain.Told {
	row, short := c.Row(), c.Word()
	points := pointsSay(row)
	switch costs := row.Cost.Total() > 0; {
	case costs && len(points) > 0:
		short = domain.S("card.told-points", "card", c.Word(), "goods", table.GoodsSay(row.Cost), "points", points)
	case costs:
		short = domain.S("card.told", "card", c.Word(), "what", table.GoodsSay(row.Cost))
	case len(points) > 0:
		short = domain.S("card.told", "card", c.Word(), "what", points)
	}
	told := domain.Told{Line: domain.S("card.told-line", "short", short, "text", c.Text()), Short: short,
		Does: domain.S("card.told-line", "short", c.Word(), "text", c.Text())}
	if key := c.Text().Key; key == "text.hero" || key == "text.victory" { // which its points say
		told.Line = short
	}
	return told
}

// pointsSay lists a card's points, by kind.
func pointsSay(r *table.Row) (list []domain.Say) {
	for _, p := range marks(r.Points) {
		if p.n > 0 {
			list = append(list, domain.S("points."+p.word, "n", p.n))
		}
	}
	return list
}

// Describe puts the board into words: who has what, what is awaited, every card in play and in the viewer's hand.
func (r Room) Describe(v *state.View) domain.Description {
	d := domain.Description{Lines: situation(v)}
	d.Alt = domain.S("board.alt", "play_word", "option.play."+v.Play.String(), "n", int(v.Turn), "goal", int(v.Goal),
		"a", v.Victory(0), "b", v.Victory(1))
	for seat := range domain.Seat(2) {
		lines := sideLines(v, seat)
		d.Lines = append(d.Lines, lines...)
		d.Spelled = append(d.Spelled, domain.Say{Key: "map.points", Args: lines[0].Args})
		d.Lines = append(d.Lines, handLines(v, seat, r.why(v))...)
		if seat == v.Viewer.Seat() && v.Phase != state.Over {
			d.Have = domain.S("board.have", "goods", table.GoodsSay(v.Realms[seat].Stock()))
			if v.Realms[seat].Stock().Total() == 0 {
				d.Have = domain.S("board.have-none")
			}
		}
	}
	d.Lines = append(d.Lines, middleLines(v)...)
	return d
}

// situation says whose turn it is and what is being decided.
func situation(v *state.View) (list []domain.Say) {
	switch {
	case v.Phase == state.Over && v.Winner != domain.Nobody:
		return []domain.Say{domain.S("board.over", "seat", v.Winner)}
	case v.Phase == state.Over:
		return []domain.Say{domain.S("board.draw")}
	case v.Phase == state.Begin:
		list = append(list, domain.S("board.begin"))
	default:
		phase := v.Phase.String()
		if v.Phase == state.Rolling && v.Die > 0 { // and the effects of the dice are not finished
			phase = "rolled"
		}
		list = append(list, domain.S("board.turn", "seat", v.Active, "n", int(v.Turn), "phase_word", "phase."+phase))
	}
	if n := v.Still(); n >= state.StillTurns/2 {
		list = append(list, domain.S("board.still", "n", n))
	}
	if v.Die > 0 {
		face := v.Face.String()
		if v.Face == table.NoFace {
			face = "none"
		}
		list = append(list, domain.S("board.dice", "die", int(v.Die), "face_word", "face."+face))
	}
	if v.Event != table.NoCard {
		list = append(list, domain.S("board.event", "card", v.Event.Word(), "text", v.Event.Text()))
	}
	if t := &v.Tasks[0]; v.TasksN > 0 && t.Seat != domain.Nobody {
		key, card := "task."+state.TaskNames[t.Kind], domain.S("card.none")
		switch {
		case t.Card != table.NoCard:
			card = t.Card.Word()
		case t.Kind == state.TaskGain:
			key += "-plain"
		}
		list = append(list, domain.S(key, "seat", t.Seat, "n", int(t.N)+t.Need.Total(), "card", card))
	}
	return list
}

func sideLines(v *state.View, seat domain.Seat) []domain.Say {
	r := &v.Realms[seat]
	pairs := []any{"seat", seat}
	for _, p := range marks(v.PointsOf(seat)) {
		pairs = append(pairs, p.word, p.n)
	}
	list := []domain.Say{domain.S("board.points", pairs...)}
	for i, holder := range [...]domain.Seat{v.Strongest(), v.Busiest()} {
		if holder == seat {
			list = append(list, domain.S([...]string{"board.hero", "board.trade"}[i], "seat", seat))
		}
	}
	var regions []domain.Say
	for p := range table.Place(table.Places) {
		if r.Yields(p) != table.NoRes {
			regions = append(regions, placeSay(&v.State, seat, p))
		}
	}
	list = append(list, domain.S("board.regions", "seat", seat, "regions", regions))
	for t, town := range r.EachTown() {
		list = append(list, domain.S("board."+town.Level.String(), "seat", seat, "town", table.TownSay(t, "")))
		for at, c := range r.Cards() {
			if at.Town() == t {
				list = append(list, domain.S([...]string{"board.card.above", "board.card.below"}[at.Side()], "town",
					table.TownSay(at.Town(), ".by"), "facts", facts(c)))
			}
		}
	}
	return list
}

func handLines(v *state.View, seat domain.Seat, why []*domain.Say) (list []domain.Say) {
	hidden := 0
	if seat != v.Viewer.Seat() {
		why = nil
	}
	for i, slot := range v.Realms[seat].Held() {
		switch c := slot.Card; {
		case c.Hidden():
			hidden++
		case i < len(why) && why[i] != nil:
			list = append(list, domain.S("board.hand-not", "seat", seat, "facts", facts(c), "why", *why[i]))
		default:
			list = append(list, domain.S("board.hand", "seat", seat, "facts", facts(c)))
		}
	}
	if hidden > 0 {
		list = append(list, domain.S("board.hidden", "seat", seat, "n", hidden))
	}
	return list
}

func middleLines(v *state.View) []domain.Say {
	list := []domain.Say{domain.S("board.centre", "roads", int(v.Roads), "settlements", int(v.Settlements), "cities",
		int(v.Cities))}
	for i := range v.Decks[:v.DecksN] {
		d := &v.Decks[i]
		list = append(list, domain.S("board.stack", "stack", i+1, "n", int(d.N), "back",
			domain.S("back."+d.Set.String())))
		var known []domain.Say
		cards, _ := d.Write()
		for j, c := range cards {
			if c != table.NoCard {
				known = append(known, domain.S("board.at", "n", j+1, "card", c.Word()))
			}
		}
		if len(known) > 0 {
			list = append(list, domain.S("board.known", "stack", i+1, "cards", known))
		}
	}
	list = append(list, domain.S("board.events", "n", int(v.Events.N)))
	if v.OpenN > 0 {
		list = append(list, domain.S("board.open", "n", int(v.OpenN), "facts", facts(v.Open)))
	}
	if c := v.DiscardTop(); c != table.NoCard {
		list = append(list, domain.S("board.discard", "n", int(v.DiscardN), "card", c.Word()))
	}
	return list
}

// Panels in characters, for mails without pictures: lines of at most 72 columns.
const (
	regionW = 8  // the width of a column of regions
	townW   = 12 // the width of a column of towns, which holds the names of cards
)

// bandOf returns how many columns of a principality, at most seven, stand side by side in characters.
func bandOf(r *state.Realm) int {
	columns := 2*int(r.Right-r.Left+1) + 1
	bands := (columns + 6) / 7
	return (columns + bands - 1) / bands
}

// written is something in characters: as the notation writes it, or as people say it in their language.
type written struct {
	text string
	say  domain.Say
}

// word is what people say in their language.
func word(say domain.Say) written { return written{say: say} }

// realmText draws a principality: from above the outer sites, places by name, what lies there, the centre line, and
// the same below in reverse.
func realmText(v *state.View, seat domain.Seat) (string, []domain.Cell) {
	r := &v.Realms[seat]
	var rows [7][][]written
	for i := range rows {
		rows[i] = make([][]written, 2*(r.Right-r.Left+1)+1)
	}
	gap := func(gap int) int { return 2 * (gap - int(r.Left)) }
	put := func(row, col int, parts ...written) {
		if col >= 0 && col < len(rows[row]) {
			rows[row][col] = parts
		}
	}
	as := func(text string) written { return written{text: text} }
	for p := range table.Place(table.RegionsN) {
		if q := r.Regions[p]; q.Number != 0 {
			put(1+4*p.Side(), gap(p.Gap()), as(p.Name()))
			put(2+2*p.Side(), gap(p.Gap()), word(domain.S("map."+q.Terrain.Terrain())),
				as(strconv.Itoa(int(q.Number))+" "+storedText(q.Stored)))
		}
	}
	if p := r.Cache; p != table.NoPlace {
		put(6*p.Side(), gap(p.Gap()), word(domain.S("map.gold")), as(" "+storedText(r.CacheGold)))
	}
	for at := range table.Columns {
		if r.Roads&(1<<at) != 0 {
			put(3, gap(at+1), as(strings.Repeat("-", regionW-1)))
		}
	}
	for t, town := range r.EachTown() {
		put(3, gap(t)+1, word(domain.S("map."+town.Level.String())), as(strconv.Itoa(t-table.Origin)))
		for side := range 2 {
			put(1+4*side, gap(t)+1, word(domain.S([2]string{"map.above", "map.below"}[side], "at",
				strconv.Itoa(t-table.Origin))))
			for slot, c := range town.Sites[side][:town.Slots()] {
				what := as("( )")
				if c != table.NoCard {
					what = word(c.Word())
				}
				put([2][2]int{{2, 0}, {4, 6}}[side][slot], gap(t)+1, what)
			}
		}
	}
	return inBands(rows[:], bandOf(r))
}

// mapW is the width of the short word of a region or town.
const mapW = 2

// inBands writes rows of columns, regions and towns in turn, this many side by side.
func inBands(rows [][][]written, band int) (string, []domain.Cell) {
	var lines []string
	var cells []domain.Cell
	for from := 0; from < len(rows[0]); from += band {
		for _, row := range rows {
			line := ""
			for i, parts := range row[from:min(from+band, len(row))] {
				wide := regionW
				if (from+i)%2 == 1 {
					wide = townW
				}
				at := utf8.RuneCountInString(line)
				for _, p := range parts {
					if p.say.Key != "" {
						n := mapW
						if len(parts) == 1 {
							n = wide - 1
						}
						cells = append(cells, domain.Cell{Row: len(lines), Col: utf8.RuneCountInString(line), Width: n,
							Say: p.say})
						p.text = strings.Repeat(".", n) // something is here, whatever its name
					}
					line += p.text
				}
				line += strings.Repeat(" ", at+wide-utf8.RuneCountInString(line))
			}
			if line = strings.TrimRight(line, " "); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n"), cells
}

func storedText(n uint8) string {
	return strings.Repeat("o", int(n)) + strings.Repeat(".", table.Capacity-int(n))
}

// middleItems lists the stacks with their backs and sizes, and what lies open.
func middleItems(v *state.View) (items []domain.Say) {
	for i := range v.Decks[:v.DecksN] {
		items = append(items, domain.S("title.stack", "n", i+1, "back", domain.S("back."+v.Decks[i].Set.String()),
			"size", int(v.Decks[i].N)))
	}
	items = append(items, domain.S("map.events", "n", int(v.Events.N)))
	if v.OpenN > 0 {
		items = append(items, domain.S("map.open", "card", v.Open.Word(), "n", int(v.OpenN)))
	}
	if v.DiscardN > 0 {
		items = append(items, domain.S("map.discard", "card", v.DiscardTop().Word(), "n", int(v.DiscardN)))
	}
	switch {
	case v.Event != table.NoCard:
		items = append(items, domain.S("map.event", "card", v.Event.Word()))
	case v.Die > 0 && v.Face.String() != "":
		items = append(items, domain.S("map.dice", "n", int(v.Die), "face_word", "face."+v.Face.String()))
	case v.Die > 0:
		items = append(items, domain.S("map.die", "n", int(v.Die)))
	}
	return items
}
