package turn

import (
	"context"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/projections/words"
)

// called returns what seats are called at a table, a printer that uses those names, and what the seats' people are
// called. If several seats share a name, as in a study, each has its letter after it.
func (m *Maker) called(ctx context.Context, look desk.Look, lang string) (p words.Printer, seats, people []string,
	err error) {
	t := look.Table
	plain := m.book.Printer(lang, t.Rulebook, nil)
	people = make([]string, len(t.Places))
	for i, place := range t.Places {
		if people[i], err = m.placeName(ctx, plain, t, place, domain.Seat(i)); err != nil {
			return plain, nil, nil, err
		}
	}
	seats = slices.Clone(people)
	for i, name := range people {
		taken := func(from, to int) bool { return slices.Contains(people[from:to], name) }
		if t.Places[i].Kind != domain.SeatStandIn && len(peopleOf(t.Places[i])) > 0 &&
			(taken(0, i) || taken(i+1, len(people))) {
			seats[i] = lettered(name, domain.Seat(i))
		}
	}
	return m.book.Printer(lang, t.Rulebook, seats), seats, people, nil
}

// peopleOf returns the people who hold a place, or, until somebody does, those invited to it.
func peopleOf(p domain.TablePlace) []domain.PersonID {
	if len(p.Holders) > 0 {
		return p.Holders
	}
	return p.Invited
}

// open reports whether nobody sits at a place or is invited to it.
func open(p domain.TablePlace) bool { return p.Kind != domain.SeatStandIn && len(peopleOf(p)) == 0 }

// lettered returns a name with its seat's letter, to tell it from others like it, and more for those at the same seat.
func lettered(name string, seat domain.Seat, more ...string) string {
	return name + " (" + strings.Join(append([]string{seat.Letter()}, more...), " ") + ")"
}

func (m *Maker) placeName(ctx context.Context, p words.Printer, t *domain.Table, place domain.TablePlace,
	seat domain.Seat) (string, error) {
	people := peopleOf(place)
	switch {
	case place.Kind == domain.SeatStandIn:
		return p.Text("house.standin", "letter", seat.Letter()), nil
	case open(place):
		return p.Text("house.open"), nil
	case len(people) == 1:
		return m.nameAt(ctx, p, t, people[0], seat)
	}
	name := ""
	for i, id := range people {
		n, err := m.NameAt(ctx, p, t, id)
		if err != nil {
			return "", err
		}
		if i > 0 {
			n = p.Text("house.and", "a", name, "b", n)
		}
		name = n
	}
	return name, nil
}

// NameAt returns what a person is called at a table, told apart from others there (see [Maker.Apart]).
func (m *Maker) NameAt(ctx context.Context, p words.Printer, t *domain.Table, id domain.PersonID) (string, error) {
	seat, seated := seatedAt(t, id)
	if !seated {
		return m.Name(ctx, p, id)
	}
	return m.nameAt(ctx, p, t, id, seat)
}

// nameAt returns what a person on a seat is called.
func (m *Maker) nameAt(ctx context.Context, p words.Printer, t *domain.Table, id domain.PersonID,
	seat domain.Seat) (string, error) {
	name, err := m.Name(ctx, p, id)
	if err != nil || name == p.Text("house.forgotten") {
		return name, err
	}
	return m.apart(ctx, p, t, id, seat, name)
}

// Apart returns a name that is shown of a person as their table shows it: if somebody else there has one that could be
// mistaken for it, each is named with their seat, whoever sat down first, as names can change at any time; and where
// they share that seat, with what tells people without names apart, too.
func (m *Maker) Apart(ctx context.Context, p words.Printer, t *domain.Table, id domain.PersonID, name string) (string,
	error) {
	seat, seated := seatedAt(t, id)
	if !seated {
		return name, nil
	}
	return m.apart(ctx, p, t, id, seat, name)
}

func (m *Maker) apart(ctx context.Context, p words.Printer, t *domain.Table, id domain.PersonID, seat domain.Seat,
	name string) (string, error) {
	alike := false
	for i, place := range t.Places {
		for _, other := range slices.Concat(place.Holders, place.Invited) {
			if other == id {
				continue
			}
			n, err := m.Name(ctx, p, other)
			if err != nil {
				return "", err
			}
			if !people.Alike(n, name) {
				continue
			}
			if domain.Seat(i) == seat {
				return lettered(name, seat, people.Code(id)), nil
			}
			alike = true
		}
	}
	if alike {
		name = lettered(name, seat)
	}
	return name, nil
}

// missing returns what the people are called whom a table that has not begun waits for.
func (m *Maker) missing(ctx context.Context, p words.Printer, t *domain.Table) (out []string, err error) {
	if t.Status != domain.TableOpen {
		return nil, nil
	}
	for _, id := range t.Missing() {
		name, err := m.NameAt(ctx, p, t, id)
		if err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, nil
}

// seatedAt returns the first seat that a person holds or is invited to.
func seatedAt(t *domain.Table, id domain.PersonID) (domain.Seat, bool) {
	for _, held := range []bool{true, false} {
		for i, p := range t.Places {
			if held && slices.Contains(p.Holders, id) || !held && slices.Contains(p.Invited, id) {
				return domain.Seat(i), true
			}
		}
	}
	return domain.Nobody, false
}
