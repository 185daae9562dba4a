package turn

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/projections/words"
)

// NameAt is what a person is called at a table. Where somebody else there has a name that can
// be taken for theirs, both are told apart by their seats, whoever sat down first: names can be
// changed at any time.
func (m *Maker) NameAt(ctx context.Context, p words.Printer, t *domain.Table, id domain.PersonID) (string, error) {
	name, err := m.Name(ctx, p, id)
	if err != nil || name == p.Text("house.forgotten") {
		return name, err
	}
	seat, seated := seatedAt(t, id)
	if !seated {
		return name, nil
	}
	for _, place := range t.Places {
		for _, other := range slices.Concat(place.Holders, place.Invited) {
			if other == id {
				continue
			}
			n, err := m.Name(ctx, p, other)
			if err != nil {
				return "", err
			}
			if people.Alike(n, name) {
				return name + " (" + seat.Letter() + ")", nil
			}
		}
	}
	return name, nil
}

// seatedAt is the first seat that a person holds or is invited to.
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
