package rivals

import "posthorn/domain"

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
	return domain.S(key, "card", c.word(), "kind_word", "kind."+row.Kind.String(), "cost", cost, "points", points, "text", c.text())
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
func (r showRoom) Describe(v *View) domain.Description {
	d := domain.Description{Alt: domain.S("board.alt", "play_word", "option.play."+v.Play.String(), "n", int(v.Turn), "goal", int(v.Goal),
		"a", v.victory(0), "b", v.victory(1))}
	d.Lines = append(d.Lines, v.situation()...)
	for seat := range domain.Seat(2) {
		d.Lines = append(d.Lines, v.sideLines(seat)...)
		d.Lines = append(d.Lines, v.handLines(seat, r.why(v))...)
	}
	d.Lines = append(d.Lines, v.middleLines()...)
	return d
}

// situation says whose turn it is and what is being decided.
func (v *View) situation() (list []domain.Say) {
	switch {
	case v.Phase == Over && v.Winner != domain.Nobody:
		return []domain.Say{domain.S("board.over", "seat", v.Winner)}
	case v.Phase == Over:
		return []domain.Say{domain.S("board.draw")}
	case v.Phase == Begin:
		list = append(list, domain.S("board.begin"))
	default:
		list = append(list, domain.S("board.turn", "seat", v.Active, "n", int(v.Turn), "phase_word", "phase."+v.Phase.String()))
	}
	if n := v.still(); n >= stillTurns/2 {
		list = append(list, domain.S("board.still", "n", n))
	}
	if v.Die > 0 {
		face := v.Face.String()
		if v.Face == NoFace {
			face = "none"
		}
		list = append(list, domain.S("board.dice", "die", int(v.Die), "face_word", "face."+face))
	}
	if v.Event != NoCard {
		list = append(list, domain.S("board.event", "card", v.Event.word(), "text", v.Event.text()))
	}
	if t := &v.Tasks[0]; v.TasksN > 0 && t.Seat != domain.Nobody {
		key, card := "task."+taskNames[t.Kind], domain.S("card.none")
		switch {
		case t.Card != NoCard:
			card = t.Card.word()
		case t.Kind == taskGain:
			key += "-plain"
		}
		list = append(list, domain.S(key, "seat", t.Seat, "n", int(t.N)+t.Need.total(), "card", card))
	}
	return list
}

func (v *View) sideLines(seat domain.Seat) []domain.Say {
	r := &v.Realms[seat]
	p := &r.Points
	list := []domain.Say{domain.S("board.points", "seat", seat, "victory", v.victory(seat), "commerce", int(p.Commerce),
		"strength", int(p.Strength), "skill", int(p.Skill), "progress", int(p.Progress))}
	if v.strongest() == seat {
		list = append(list, domain.S("board.hero", "seat", seat))
	}
	if v.busiest() == seat {
		list = append(list, domain.S("board.trade", "seat", seat))
	}
	var regions []domain.Say
	for p, q := range r.Regions {
		if q.Number != 0 {
			regions = append(regions, v.placeSay(seat, Place(p)))
		}
	}
	if r.Cache != noPlace {
		regions = append(regions, v.placeSay(seat, cachePlace))
	}
	list = append(list, domain.S("board.regions", "seat", seat, "regions", regions))
	for t, town := range r.towns() {
		list = append(list, domain.S("board."+town.Level.String(), "seat", seat, "at", t-origin))
		for side := range 2 {
			for slot, c := range town.Sites[side] {
				if c != NoCard {
					list = append(list, domain.S("board.card", "where", siteSay(siteAt(t, side, slot)), "facts", c.facts()))
				}
			}
		}
	}
	return list
}

func (v *View) handLines(seat domain.Seat, why []*domain.Say) (list []domain.Say) {
	hidden := 0
	if seat != v.Viewer.Seat() {
		why = nil
	}
	for i, slot := range v.Realms[seat].hand() {
		switch c := slot.Card; {
		case c.hidden():
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

func (v *View) middleLines() []domain.Say {
	list := []domain.Say{domain.S("board.centre", "roads", int(v.Roads), "settlements", int(v.Settlements), "cities", int(v.Cities))}
	for i := range v.Decks[:v.DecksN] {
		d := &v.Decks[i]
		list = append(list, domain.S("board.stack", "stack", i+1, "n", int(d.N), "back", domain.S("back."+d.Set.String())))
		var known []domain.Say
		cards, _ := d.write()
		for j, c := range cards {
			if c != NoCard {
				known = append(known, domain.S("board.at", "n", j+1, "card", c.word()))
			}
		}
		if len(known) > 0 {
			list = append(list, domain.S("board.known", "stack", i+1, "cards", known))
		}
	}
	if v.OpenN > 0 {
		list = append(list, domain.S("board.open", "n", int(v.OpenN), "facts", v.Open.facts()))
	}
	if c := v.discardTop(); c != NoCard {
		list = append(list, domain.S("board.discard", "n", int(v.DiscardN), "card", c.word()))
	}
	return list
}
