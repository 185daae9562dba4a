package rivals

import "posthorn/domain"

// whyNot says, for each card of a seat's hand, why it cannot be used now; nil for one that
// can. It is empty unless the seat is in the action phase and nothing else is asked first.
func (s *State) whyNot(seat domain.Seat) []*domain.Say {
	if seat == domain.Nobody || s.Active != seat || s.Phase != Acting || s.TasksN > 0 {
		return nil
	}
	r := &s.Realms[seat]
	list := make([]*domain.Say, r.HandN)
	for i := range int(r.HandN) {
		c := r.Hand[i].Card
		if wrong := s.unusable(seat, c); wrong != "" {
			say := wrong.refusal("card", c.word(), "what", c.Row().needSay()).Say()
			list[i] = &say
		}
	}
	return list
}

// unusable tells what keeps a card of the hand from being played or built anywhere.
func (s *State) unusable(seat domain.Seat, c Card) check {
	if c.Row().Kind == ActionCard {
		return s.mayPlay(seat, c)
	}
	if wrong := s.mayBuild(seat, c); wrong != "" {
		return wrong
	}
	return s.nowhere(seat, c)
}

// nowhere tells why a card that is built finds no site; "" if it finds one.
func (s *State) nowhere(seat domain.Seat, c Card) check {
	if c.same(goldCache) {
		return ""
	}
	wrong := check("no-place")
	r := &s.Realms[seat]
	for t := int(r.Left); t <= int(r.Right); t++ {
		for side := range 2 {
			_, w := s.freeSite(seat, c, t, side)
			if w == "" {
				return ""
			}
			if w != "site-taken" {
				wrong = w
			}
		}
	}
	return wrong
}

// hindrances are all that keeps a seat from using a card of its hand or of the face-up stack
// now, whosever turn it is.
func (s *State) hindrances(seat domain.Seat, c Card) (list []domain.Say) {
	row, r := c.Row(), &s.Realms[seat]
	switch reacts := row.on("react"); {
	case row.Kind == ActionCard && reacts:
		if i := s.openTask(seat); i < 0 || s.Tasks[i].Kind != taskReact && s.Tasks[i].Kind != taskRiot {
			list = append(list, domain.S("not.reaction"))
		}
		return list
	case row.Kind == ActionCard && row.fixes:
		if s.Active != seat || s.Phase != Rolling || s.TasksN > 0 {
			list = append(list, domain.S("not.before-roll"))
		}
		return list
	case s.Active != seat || s.Phase != Acting:
		list = append(list, domain.S("not.action-phase"))
	case s.TasksN > 0:
		list = append(list, domain.S("not.answer-first"))
	}
	for _, group := range row.needs {
		if !s.meetsGroup(seat, group) {
			list = append(list, domain.S("not.needs", "what", groupSay(group)))
		}
	}
	if row.Kind == ActionCard {
		return append(list, s.idle(seat, c)...)
	}
	if row.One && r.has(c) {
		list = append(list, domain.S("refuse.one-only", "card", c.word()))
	}
	if missing, any := s.missing(seat, row); missing.total() > 0 {
		key := "not.missing"
		if any > 0 {
			key = "not.missing-less"
		}
		list = append(list, domain.S(key, "goods", goodsSay(missing), "n", int(any)))
	}
	if wrong := s.nowhere(seat, c); wrong != "" {
		list = append(list, wrong.refusal("card", c.word()).Say())
	}
	return list
}

// idle is what keeps an action card from doing anything, its conditions apart.
func (s *State) idle(seat domain.Seat, c Card) []domain.Say {
	row := c.Row()
	if row.on("settle") {
		return []domain.Say{domain.S("not.settling")}
	}
	for i := range row.play {
		if wrong := s.mayEffect(seat, &row.play[i]); wrong != "" {
			return []domain.Say{wrong.refusal("card", c.word()).Say()}
		}
	}
	return nil
}

// missing are the resources a seat lacks for a card, and how many of the cost a discount
// leaves out: nothing is missing if it covers them all.
func (s *State) missing(seat domain.Seat, row *Row) (g Goods, less int8) {
	have := s.Realms[seat].stock()
	less = s.discount(seat, row)
	if have.affords(row.Cost, less) {
		return g, less
	}
	for res, n := range row.Cost {
		if have[res] < n {
			g[res] = n - have[res]
		}
	}
	return g, less
}
