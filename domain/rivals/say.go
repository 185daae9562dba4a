package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// word is the card as an argument of a sentence.
func (c Card) word() domain.Say {
	if c == NoCard {
		return domain.S("card.unknown")
	}
	return domain.S("card." + c.Row().ID)
}

// text is the card's effect in plain words: the text of its own, or the one its kind shares.
func (c Card) text() domain.Say {
	row := c.Row()
	switch {
	case row.doubles != noRes:
		return domain.S("text.booster", "terrain_word", "terrain."+row.doubles.Terrain(), "resource_word", "res."+row.doubles.String())
	case row.rate != noRes && row.ship:
		return domain.S("text.ship", "resource_word", "res."+row.rate.String())
	case row.hero && len(row.Effects) == 0:
		return domain.S("text.hero")
	case len(row.Effects) == 0 && row.Kind == CityCard && row.Points.Victory == 2:
		return domain.S("text.victory")
	}
	return domain.S("text." + row.ID)
}

// facts is a card in one sentence: its name, kind, cost, points and effect.
func (c Card) facts() domain.Say {
	row := c.Row()
	cost := domain.S("card.free")
	if row.Cost.total() > 0 {
		cost = domain.S("card.cost", "goods", goodsSay(row.Cost))
	}
	points := row.pointsSay()
	key := "card.facts"
	if len(points) > 0 {
		key = "card.facts-points"
	}
	return domain.S(key, "card", c.word(), "kind_word", "kind."+row.KindID, "cost", cost, "points", points, "text", c.text())
}

// pointsSay lists a card's points, by kind.
func (r *Row) pointsSay() (list []domain.Say) {
	for _, p := range [...]struct {
		word string
		n    int8
	}{{"victory", r.Points.Victory}, {"commerce", r.Points.Commerce}, {"strength", r.Points.Strength}, {"skill", r.Points.Skill}, {"progress", r.Points.Progress}} {
		if p.n > 0 {
			list = append(list, domain.S("points."+p.word, "n", int(p.n)))
		}
	}
	return list
}

// Describe is the board in words: who has what, what is awaited, every card in play and in
// the viewer's hand.
func (Rulebook) Describe(v domain.View) domain.Description {
	b, ok := v.(*Board)
	if !ok {
		return domain.Description{Alt: domain.S("board.none")}
	}
	d := domain.Description{Alt: domain.S("board.alt", "play_word", "option.play."+b.Play, "n", b.Turn, "goal", b.Goal,
		"a", b.Seats[0].Points.Victory, "b", b.Seats[1].Points.Victory)}
	d.Lines = append(d.Lines, b.situation()...)
	for i := range b.Seats {
		d.Lines = append(d.Lines, b.sideLines(domain.Seat(i))...)
	}
	d.Lines = append(d.Lines, b.middleLines()...)
	return d
}

// situation says whose turn it is and what is being decided.
func (b *Board) situation() (list []domain.Say) {
	switch {
	case b.Winner != "":
		return []domain.Say{domain.S("board.over", "seat", seatOf(b.Winner))}
	case b.Phase == phaseNames[Over]:
		return []domain.Say{domain.S("board.draw")}
	case b.Phase == "begin":
		list = append(list, domain.S("board.begin"))
	default:
		list = append(list, domain.S("board.turn", "seat", seatOf(b.Active), "n", b.Turn, "phase_word", "phase."+b.Phase))
	}
	if n := b.still(); n >= stillTurns/2 {
		list = append(list, domain.S("board.still", "n", n))
	}
	if b.Die > 0 {
		face := b.Face
		if face == "" {
			face = "none"
		}
		list = append(list, domain.S("board.dice", "die", b.Die, "face_word", "face."+face))
	}
	if c, ok := cardNamed[b.Event]; ok {
		list = append(list, domain.S("board.event", "card", c.word(), "text", c.text()))
	}
	if len(b.Tasks) > 0 && b.Tasks[0].Seat != "" {
		t := b.Tasks[0]
		n := t.N
		for _, more := range t.Need {
			n += more
		}
		pairs := []any{"seat", seatOf(t.Seat), "n", n, "card", domain.S("card.none")}
		if c, ok := cardNamed[t.Card]; ok {
			pairs[5] = c.word()
		}
		key := "task." + t.Kind
		if t.Kind == taskNames[taskGain] && t.Card == "" {
			key += "-plain"
		}
		list = append(list, domain.S(key, pairs...))
	}
	return list
}

func (b *Board) sideLines(seat domain.Seat) (list []domain.Say) {
	s := &b.Seats[seat]
	list = append(list, domain.S("board.points", "seat", seat, "victory", s.Points.Victory, "commerce", s.Points.Commerce,
		"strength", s.Points.Strength, "skill", s.Points.Skill, "progress", s.Points.Progress))
	if s.Hero {
		list = append(list, domain.S("board.hero", "seat", seat))
	}
	if s.Trade {
		list = append(list, domain.S("board.trade", "seat", seat))
	}
	var regions []domain.Say
	for _, q := range s.Regions {
		regions = append(regions, domain.S("place.region", "at", q.At, "terrain_word", "terrain."+q.Terrain, "number", q.Number, "stored", q.Stored))
	}
	if s.Cache != nil {
		regions = append(regions, domain.S("place.cache", "stored", s.Cache.Gold))
	}
	list = append(list, domain.S("board.regions", "seat", seat, "regions", regions))
	for _, t := range s.Towns {
		list = append(list, domain.S("board."+t.Kind, "seat", seat, "at", t.At))
		for side, cards := range [2][]string{t.Above, t.Below} {
			for _, name := range cards {
				if c, ok := cardNamed[name]; ok {
					list = append(list, domain.S("board.card", "where", domain.S("place."+[...]string{"above", "below"}[side], "at", t.At), "facts", c.facts()))
				}
			}
		}
	}
	hidden := 0
	var why []*domain.Say
	if seat.Letter() == b.Viewer {
		why = b.whyNot()
	}
	for i, name := range s.Hand {
		c, ok := cardNamed[name]
		switch {
		case !ok:
			hidden++
		case i < len(why) && why[i] != nil:
			list = append(list, domain.S("board.hand-not", "seat", seat, "facts", c.facts(), "why", *why[i]))
		default:
			list = append(list, domain.S("board.hand", "seat", seat, "facts", c.facts()))
		}
	}
	if hidden > 0 {
		list = append(list, domain.S("board.hidden", "seat", seat, "n", hidden))
	}
	return list
}

func (b *Board) middleLines() (list []domain.Say) {
	list = append(list, domain.S("board.centre", "roads", b.Centre.Roads, "settlements", b.Centre.Settlements, "cities", b.Centre.Cities))
	for i, p := range b.Stacks {
		list = append(list, domain.S("board.stack", "stack", i+1, "n", len(p.Cards), "back", domain.S("back."+p.Back)))
		var known []domain.Say
		for j, name := range p.Cards {
			if c, ok := cardNamed[name]; ok {
				known = append(known, domain.S("board.at", "n", j+1, "card", c.word()))
			}
		}
		if len(known) > 0 {
			list = append(list, domain.S("board.known", "stack", i+1, "cards", known))
		}
	}
	if len(b.Open) > 0 {
		if c, ok := cardNamed[b.Open[0]]; ok {
			list = append(list, domain.S("board.open", "n", len(b.Open), "facts", c.facts()))
		}
	}
	if len(b.Discard) > 0 {
		if c, ok := cardNamed[b.Discard[0]]; ok {
			list = append(list, domain.S("board.discard", "n", len(b.Discard), "card", c.word()))
		}
	}
	return list
}

// sketch is both principalities in characters: regions as two letters, number and stored
// amount, towns as S and C, cards by their first letters.
func (b *Board) sketch() string {
	var out strings.Builder
	for i := range b.Seats {
		b.Seats[i].sketch(&out)
		if i == 0 {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

const cell = 8

func (s *Side) sketch(out *strings.Builder) {
	low, high := 0, 0
	for _, t := range s.Towns {
		low, high = min(low, t.At), max(high, t.At)
	}
	width := (2*(high-low+1) + 1) * cell
	rows := [7][]byte{}
	for r := range rows {
		rows[r] = []byte(strings.Repeat(" ", width))
	}
	put := func(row, col int, text string) { copy(rows[row][col*cell:min(width, col*cell+cell-1)], text) }
	for _, q := range s.Regions {
		p, _ := placeNamed(q.At)
		col := 2 * (p.gap() - origin - low)
		row := [2]int{2, 4}[p.side()]
		if col >= 0 && (col+1)*cell <= width {
			put(row, col, strings.ToUpper(q.Terrain[:2])+strconv.Itoa(q.Number)+" "+strings.Repeat("o", q.Stored)+strings.Repeat(".", capacity-q.Stored))
		}
	}
	for _, at := range s.Roads {
		if col := 2 * (at + 1 - low); col >= 0 && (col+1)*cell <= width {
			put(3, col, "-------")
		}
	}
	for _, t := range s.Towns {
		col := 2*(t.At-low) + 1
		put(3, col, map[string]string{"city": "C", "settlement": "S"}[t.Kind]+strconv.Itoa(t.At))
		for side, cards := range [2][]string{t.Above, t.Below} {
			for k, name := range cards {
				put([2][2]int{{2, 1}, {4, 5}}[side][k], col, short(name))
			}
		}
	}
	for _, row := range rows[1:6] {
		out.WriteString(strings.TrimRight(string(row), " "))
		out.WriteByte('\n')
	}
}

// short is a card's name in seven characters.
func short(name string) string {
	name = strings.ReplaceAll(name, "_", "")
	return name[:min(7, len(name))]
}
