package show

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// facts is a card in one sentence: its name, kind, cost, points and effect.
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
	return domain.S(key, "card", c.Word(), "kind_word", "kind."+row.Kind.String(), "cost", cost, "points", points, "text", c.Text())
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

// Describe is the board in words: who has what, what is awaited, every card in play and in
// the viewer's hand.
func (r Room) Describe(v *state.View) domain.Description {
	d := domain.Description{Lines: situation(v)}
	d.Alt = domain.S("board.alt", "play_word", "option.play."+v.Play.String(), "n", int(v.Turn), "goal", int(v.Goal), "a", v.Victory(0), "b", v.Victory(1))
	for seat := range domain.Seat(2) {
		d.Lines = append(d.Lines, sideLines(v, seat)...)
		d.Lines = append(d.Lines, handLines(v, seat, r.why(v))...)
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
		list = append(list, domain.S("board.turn", "seat", v.Active, "n", int(v.Turn), "phase_word", "phase."+v.Phase.String()))
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
		list = append(list, domain.S("board."+town.Level.String(), "seat", seat, "at", t-table.Origin))
		for at, c := range r.Cards() {
			if at.Town() == t {
				list = append(list, domain.S("board.card", "where", table.SiteSay(at), "facts", facts(c)))
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
	list := []domain.Say{domain.S("board.centre", "roads", int(v.Roads), "settlements", int(v.Settlements), "cities", int(v.Cities))}
	for i := range v.Decks[:v.DecksN] {
		d := &v.Decks[i]
		list = append(list, domain.S("board.stack", "stack", i+1, "n", int(d.N), "back", domain.S("back."+d.Set.String())))
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
	textCell = 9 // the width of a column
	textW    = 72
)

// bandOf is how many columns of a principality stand beside each other in characters, of seven at most.
func bandOf(r *state.Realm) int {
	columns := 2*int(r.Right-r.Left+1) + 1
	bands := (columns + 6) / 7
	return (columns + bands - 1) / bands
}

// realmText is a principality: from above the outer sites, places by name, what lies there, the centre
// line, and the same below in reverse.
func realmText(v *state.View, seat domain.Seat) string {
	r := &v.Realms[seat]
	var rows [7][]string
	for i := range rows {
		rows[i] = make([]string, 2*(r.Right-r.Left+1)+1)
	}
	gap := func(gap int) int { return 2 * (gap - int(r.Left)) }
	put := func(row, col int, text string) {
		if col >= 0 && col < len(rows[row]) {
			rows[row][col] = text
		}
	}
	for p := range table.Place(table.RegionsN) {
		if q := r.Regions[p]; q.Number != 0 {
			put(1+4*p.Side(), gap(p.Gap()), p.Name())
			put(2+2*p.Side(), gap(p.Gap()), strings.ToUpper(q.Terrain.Terrain()[:2])+strconv.Itoa(int(q.Number))+" "+storedText(q.Stored))
		}
	}
	if p := r.Cache; p != table.NoPlace {
		put(6*p.Side(), gap(p.Gap()), "GOLD "+storedText(r.CacheGold))
	}
	for at := range table.Columns {
		if r.Roads&(1<<at) != 0 {
			put(3, gap(at+1), strings.Repeat("-", textCell-1))
		}
	}
	for t, town := range r.EachTown() {
		put(3, gap(t)+1, strings.ToUpper(town.Level.String()[:1])+strconv.Itoa(t-table.Origin))
		for side := range 2 {
			put(1+4*side, gap(t)+1, table.SiteAt(t, side, 0).Name())
			for slot, c := range town.Sites[side][:town.Slots()] {
				text := "( )"
				if c != table.NoCard {
					text = abbreviated(c)
				}
				put([2][2]int{{2, 0}, {4, 6}}[side][slot], gap(t)+1, text)
			}
		}
	}
	var out strings.Builder
	band := bandOf(r)
	for from := 0; from < len(rows[0]); from += band {
		for _, row := range rows {
			line := ""
			for _, text := range row[from:min(from+band, len(row))] {
				line += fmt.Sprintf("%-*s", textCell, text)
			}
			if line = strings.TrimRight(line, " "); line != "" {
				out.WriteString(line + "\n")
			}
		}
	}
	return out.String()
}

func storedText(n uint8) string {
	return strings.Repeat("o", int(n)) + strings.Repeat(".", table.Capacity-int(n))
}

// abbreviated is a card's name in eight characters.
func abbreviated(c table.Card) string {
	name := strings.ReplaceAll(c.Name(), "_", "")
	return name[:min(textCell-1, len(name))]
}

// middleText lists the stacks with their backs and sizes, and what lies open.
func middleText(v *state.View) string {
	var items []string
	for i := range v.Decks[:v.DecksN] {
		items = append(items, fmt.Sprintf("%d %s x%d", i+1, v.Decks[i].Set, v.Decks[i].N))
	}
	if v.OpenN > 0 {
		items = append(items, fmt.Sprintf("%s x%d", v.Open.Name(), v.OpenN))
	}
	if v.DiscardN > 0 {
		items = append(items, fmt.Sprintf("(%s x%d)", v.DiscardTop().Name(), v.DiscardN))
	}
	switch {
	case v.Event != table.NoCard:
		items = append(items, v.Event.Name())
	case v.Die > 0:
		items = append(items, strings.TrimSpace(strconv.Itoa(int(v.Die))+" "+v.Face.String()))
	}
	return wrapped(items)
}

// wrapped lists items in lines.
func wrapped(items []string) string {
	out, width := "", 0
	for i, item := range items {
		switch {
		case i == 0:
		case width+2+len(item)+1 > textW: // a comma may follow
			out, width = out+",\n", 0
		default:
			out, width = out+", ", width+2
		}
		out, width = out+item, width+len(item)
	}
	return out
}
