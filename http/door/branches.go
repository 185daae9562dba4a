package door

import (
	"errors"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/views"
)

// Branched is a table that was branched from another one.
type Branched struct {
	views.Item
	From  *domain.Branch // where it forked
	Who   string         // who opened it
	Moves int            // since the fork
	Over  bool
}

// Branches lists the tables branched from the given one that the reader may see, each with its fork.
func (v History) Branches(table events.Name) ([]Branched, error) {
	items, err := v.Views.Branches(v.Ctx(), table, v.Me)
	if err != nil {
		return nil, err
	}
	out := make([]Branched, 0, len(items))
	for _, it := range items {
		from, err := v.fork(it)
		if err != nil {
			return nil, err
		}
		if from == nil {
			continue // the table itself says it is not a branch
		}
		b := Branched{Item: it, From: from, Over: it.Status == domain.TableEnded}
		if it.Version > b.From.Version {
			b.Moves = int(it.Version-b.From.Version) - 1 // not counting the event that opened its line
		}
		if b.Who, err = v.Called(it.Opener); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// fork returns where a branch forked off. List entries written before forks were noted do not have it.
func (v History) fork(it views.Item) (*domain.Branch, error) {
	if it.Fork != nil {
		return it.Fork, nil
	}
	first, err := v.Desk.TablePart(v.Ctx(), it.Table, 0, 1)
	if err != nil {
		return nil, err
	}
	if opened, ok := first[0].Event.(*domain.Opened); ok {
		return opened.Branch, nil
	}
	return nil, nil
}

// Origin returns where a branch forked off, without the table and its line if the reader may not look at those:
// somebody may be asked to go on from another person's study that they never saw. It returns nil for a table that is no
// branch.
func (v History) Origin(b *domain.Branch) (*domain.Branch, error) {
	if b == nil {
		return nil, nil
	}
	from, err := events.ParseName(b.Table)
	if err == nil {
		err = v.MaySee(from, v.Me)
	}
	switch {
	case err == nil:
		return b, nil
	case errors.Is(err, events.ErrNoStream), errors.As(err, new(*desk.Unreadable)):
		return &domain.Branch{Version: b.Version, Kind: b.Kind}, nil
	}
	return nil, err
}

// Branching returns the moment that a branch should go on from. It refuses with "no-line" or "no-version".
func (v History) Branching(line string, version uint64, kind string) (desk.Look, *domain.Branch, error) {
	look, err := v.Look()
	if err != nil {
		return look, nil, err
	}
	if _, err := v.LineAt(look, line, version); err != nil {
		return look, nil, err
	}
	return look, &domain.Branch{Table: v.Table.String(), Line: line, Version: version, Kind: kind}, nil
}
