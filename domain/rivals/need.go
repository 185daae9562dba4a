package rivals

import (
	"posthorn/domain"
)

// need is one condition of a card: another card in play, points, an advantage …
type need struct {
	word string
	kind needKind
	n    int8
	row  *Row // the card that must be in play, or nil
}

// needKind is what a condition asks for that is no card.
type needKind uint8

const (
	needCard needKind = iota
	needCity
	needCommerce
	needProgress
	needStrength // the advantage
	needStrongHero
	needBehind
)

var needWords = [...]string{needCard: "", needCity: "city", needCommerce: "commerce", needProgress: "progress",
	needStrength: "strength-advantage", needStrongHero: "strong-hero", needBehind: "behind"}

// meets tells whether a seat fulfils a card's conditions: one of every group.
func (s *State) meets(seat domain.Seat, row *Row) bool {
	for _, group := range row.needs {
		if !s.meetsGroup(seat, group) {
			return false
		}
	}
	return true
}

// meetsGroup tells whether a seat fulfils one of the conditions side by side.
func (s *State) meetsGroup(seat domain.Seat, group []need) bool {
	for i := range group {
		if s.meetsOne(seat, &group[i]) {
			return true
		}
	}
	return false
}

func (s *State) meetsOne(seat domain.Seat, n *need) bool {
	r := &s.Realms[seat]
	if n.row != nil {
		return r.hasRow(n.row)
	}
	switch n.kind {
	case needCity:
		return r.hasCity()
	case needCommerce:
		return r.Points.Commerce >= n.n
	case needProgress:
		return r.Points.Progress >= n.n
	case needStrength:
		return s.strongest() == seat
	case needStrongHero:
		return r.countCards(func(c *Row) bool { return c.hero && c.Points.Strength > 0 }) > 0
	case needBehind:
		return s.victory(seat) < s.victory(other(seat))
	}
	return false
}

// hasRow tells whether a card of that row is in play; a Parish Hall under a Town Hall is.
func (r *Realm) hasRow(row *Row) bool { return r.InPlay.has(row) }

// needSay lists what a card asks for, alternatives with "or" between.
func (r *Row) needSay() (list []domain.Say) {
	for _, group := range r.needs {
		list = append(list, groupSay(group))
	}
	return list
}

func (n *need) say() domain.Say {
	if n.row != nil {
		return domain.S("card." + n.row.ID)
	}
	return domain.S("need."+n.word, "n", int(n.n))
}

// groupSay says conditions of which one is enough: one after the other, with "or" between.
func groupSay(group []need) domain.Say {
	say := group[0].say()
	for i := range group[1:] {
		say = domain.S("need.or", "a", say, "b", group[i+1].say())
	}
	return say
}
