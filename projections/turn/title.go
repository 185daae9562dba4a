package turn

import (
	"slices"

	"posthorn/domain"
	"posthorn/projections/words"
)

// title is the game and its people, who need no seat to be told from themselves. Who plays all seats alone stands there once, and a study says that it is one.
func title(p words.Printer, t *domain.Table, names []string) string {
	s := p.Text("name") + ": "
	switch {
	case TitledStudy(t):
		return s + p.Text("title.study", "who", names[0])
	case sole(t):
		names = names[:1]
	}
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += words.Isolated(n)
	}
	return s
}

// TitledStudy reports whether the title of a table says that it is a study, and whose: one of a single person.
func TitledStudy(t *domain.Table) bool { return t.Branch != nil && t.Branch.Kind == "study" && sole(t) }

// sole reports whether one person has all of several seats, or is asked to all of them.
func sole(t *domain.Table) bool {
	if len(t.Places) < 2 || len(peopleOf(t.Places[0])) != 1 {
		return false
	}
	return !slices.ContainsFunc(t.Places, func(p domain.TablePlace) bool {
		return !p.Humans() || !slices.Equal(peopleOf(p), peopleOf(t.Places[0]))
	})
}

// Alone reports whether the asker is the only person at the table, and nobody else is asked to it: at other seats a stand-in plays.
func (mod *Model) Alone() bool {
	return !slices.ContainsFunc(mod.Players, func(p Player) bool {
		return slices.ContainsFunc(slices.Concat(p.People, p.Invited), func(id domain.PersonID) bool { return id != mod.me })
	})
}

// Sole is the player of the first of several seats where one person plays them all; nil anywhere else.
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
	first.Name = first.Called // there is nobody else to be told apart from
	return &first
}
