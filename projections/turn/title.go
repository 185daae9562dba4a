package turn

import (
	"slices"

	"posthorn/domain"
	"posthorn/projections/words"
)

// title returns the game and its people, without the seats that tell a person's seats apart. Somebody who plays all
// seats alone appears once, and a study is called a study.
func title(p words.Printer, t *domain.Table, names []string) string {
	s := p.Text("name") + ": "
	switch {
	case TitledStudy(t):
		return s + p.Text("title.study", "who", names[0])
	case sole(t):
		names = names[:1]
	default:
		names = withoutOpen(p, t, names)
	}
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += words.Isolated(n)
	}
	return s
}

// withoutOpen returns the places' names, and counts several open seats instead of naming each.
func withoutOpen(p words.Printer, t *domain.Table, names []string) []string {
	var named []string
	for i, place := range t.Places {
		if !open(place) {
			named = append(named, names[i])
		}
	}
	if n := len(names) - len(named); n > 1 {
		return append(named, p.Text("house.opens", "n", n))
	}
	return names
}

// TitledStudy reports whether a table's title says that it is a study, and whose. Only a study by a single person does.
func TitledStudy(t *domain.Table) bool { return t.Branch != nil && t.Branch.Kind == "study" && sole(t) }

// sole reports whether one person holds all of several seats, or is invited to all of them.
func sole(t *domain.Table) bool {
	if len(t.Places) < 2 || len(peopleOf(t.Places[0])) != 1 {
		return false
	}
	return !slices.ContainsFunc(t.Places, func(p domain.TablePlace) bool {
		return !p.Humans() || !slices.Equal(peopleOf(p), peopleOf(t.Places[0]))
	})
}

// Alone reports whether the asker is the only person at the table, with nobody else invited: stand-ins play any other
// seats.
func (mod *Model) Alone() bool {
	return !slices.ContainsFunc(mod.Players, func(p Player) bool {
		return slices.ContainsFunc(slices.Concat(p.People, p.Invited), func(id domain.PersonID) bool {
			return id != mod.me
		})
	})
}

// Sole returns the player of the first seat if one person plays all of several seats; otherwise nil.
func (mod *Model) Sole() *Player {
	if len(mod.Players) < 2 || len(mod.Players[0].People) != 1 {
		return nil
	}
	first := mod.Players[0]
	if slices.ContainsFunc(mod.Players, func(p Player) bool {
		return p.StandIn || p.Called != first.Called || !slices.Equal(p.People, first.People)
	}) {
		return nil
	}
	first.Name = first.Called // there are no others to tell them apart from
	return &first
}
