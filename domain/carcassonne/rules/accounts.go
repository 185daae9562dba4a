package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Chances returns the cloisters and city sides each player drew, counting land tiles only: river tiles are few, and
// all of them come first. A tile that fitted nowhere counts for nobody.
func (Room) Chances(s *state.State, e *domain.Event) []domain.Chance {
	b, ok := e.Body.(*state.Played)
	if !ok || b.Over() || table.Shapes[b.Next].Set != table.Base {
		return nil
	}
	bag, n := s.Bag, 0
	for _, id := range b.SetOff {
		bag[id]--
	}
	cloister, city := domain.Chance{Name: "cloisters", Entry: int(b.NextBy)},
		domain.Chance{Name: "cities", Entry: int(b.NextBy)}
	for i, copies := range bag {
		if table.Shapes[i].Set != table.Base {
			continue
		}
		shrines, sides := counted(table.TileID(i))
		n += int(copies)
		cloister.Expected += shrines * float64(copies)
		city.Expected += sides * float64(copies)
	}
	if n == 0 {
		return nil
	}
	cloister.Expected, city.Expected = cloister.Expected/float64(n), city.Expected/float64(n)
	cloister.Got, city.Got = counted(b.Next)
	return []domain.Chance{cloister, city}
}

// counted returns how many cloisters and city sides a tile has.
func counted(id table.TileID) (shrines, sides float64) {
	t := id.Tile()
	if t.Shrine == table.Cloister {
		shrines = 1
	}
	for _, k := range t.Edges {
		if k == table.City {
			sides++
		}
	}
	return shrines, sides
}

// Goods returns the followers in hand.
func (Room) Goods(v *state.View) (g domain.Goods) {
	g.Kinds = []domain.Say{domain.S("goods.followers")}
	for _, n := range v.Followers {
		g.Each = append(g.Each, []int{n})
	}
	return g
}

// sources are what points come from; the last is what a position began with, as the colours of a solo game do.
var sources = []string{"road", "city", "cloister", "garden", "field", "follower", "start"}

// Sources adds what the features that an event scored brought.
func (Room) Sources(s *state.State, e *domain.Event, so domain.Sources) domain.Sources {
	if so.Kinds == nil {
		so.Kinds = sources
		for o := range s.Owners {
			row := make([]int, len(sources))
			row[len(row)-1] = int(s.Scores[o])
			so.Each = append(so.Each, row)
		}
		return so
	}
	if b, ok := e.Body.(*state.Played); ok {
		for _, list := range [2][]state.Score{b.Scores, b.Final} {
			for i := range list {
				for _, a := range list[i].Points {
					so.Each[a.Seat][slices.Index(sources, list[i].What.String())] += a.Points
				}
			}
		}
	}
	return so
}
