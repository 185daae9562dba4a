package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// need is one condition of a card: another card in play, points, an advantage …
type need struct {
	word string
	n    int8
	row  *Row // the card that must be in play, or nil
}

// readNeeds turns the table's conditions into values.
func (t *tables) readNeeds() {
	byID := map[string]*Row{}
	for _, r := range t.Cards {
		byID[r.ID] = r
	}
	for _, r := range t.Cards {
		for _, group := range r.Need {
			var alternatives []need
			for _, text := range group {
				word, num, _ := strings.Cut(text, " ")
				n, err := strconv.Atoi(num)
				if err != nil {
					n = 0
				}
				alternatives = append(alternatives, need{word: word, n: int8(n), row: byID[word]})
			}
			r.needs = append(r.needs, alternatives)
		}
	}
}

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
	switch n.word {
	case "city":
		return r.hasCity()
	case "commerce":
		return r.Points.Commerce >= n.n
	case "progress":
		return r.Points.Progress >= n.n
	case "strength-advantage":
		return s.strongest() == seat
	case "strong-hero":
		return r.countCards(func(c *Row) bool { return c.hero && c.Points.Strength > 0 }) > 0
	case "behind":
		return s.victory(seat) < s.victory(other(seat))
	}
	return false
}

func (r *Realm) hasRow(row *Row) bool {
	found := false
	r.cards(func(_ Site, c Card) bool {
		d := c.Row()
		found = d == row || d.ID == "town_hall" && row.ID == "parish_hall"
		return !found
	})
	return found
}

// needSay lists what a card asks for, alternatives side by side.
func (r *Row) needSay() (list []domain.Say) {
	for _, group := range r.needs {
		for i := range group {
			list = append(list, group[i].say())
		}
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
