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
