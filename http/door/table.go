package door

import (
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// AtTable reads which table the address is about, if any. A table that the reader may not see looks to them as if it
// did not exist.
func (v *Visit) AtTable() (err error) {
	if !slices.Contains(v.ParamNames(), "table") {
		return nil
	}
	if v.Table, err = events.ParseName(v.Param("table")); err != nil {
		return events.ErrNoStream
	}
	return v.MaySee(v.Table, v.Me)
}

// MaySee returns ErrNoStream for a table that is hidden from a person or does not exist.
func (v *Visit) MaySee(table events.Name, who domain.PersonID) error {
	seen, err := v.Desk.SeenBy(v.Ctx(), table, who)
	if err == nil && !seen {
		seen, err = v.Studies().shown(table, who)
	}
	if err == nil && !seen {
		return events.ErrNoStream
	}
	return err
}

// Asker says how the reader looks at a table; the query may name a seat by number.
func (v *Visit) Asker() turn.Asker {
	seat := domain.Nobody
	if n, err := strconv.Atoi(v.QueryParam("seat")); err == nil && n >= 0 && n < domain.MaxSeats {
		seat = domain.Seat(n)
	}
	return turn.Asker{Person: v.Me, Seat: seat, Lang: v.Lang, Zone: v.Zone}
}

// Look returns the table of the address as it stands.
func (v *Visit) Look() (desk.Look, error) { return v.Desk.Look(v.Ctx(), v.Table) }

// Model returns the table of the address as the reader may know it.
func (v *Visit) Model() (*turn.Model, error) { return v.Maker.Turn(v.Ctx(), v.Table, v.Asker()) }

// Moves returns what the table of the address asks of the reader, and how they may answer.
func (v *Visit) Moves() (*turn.Model, error) { return v.Maker.Moves(v.Ctx(), v.Table, v.Asker()) }

// Commitment returns the digest that binds a table's luck.
func (v *Visit) Commitment(table events.Name) (string, error) {
	first, err := v.Desk.Log().Load(v.Ctx(), table, 0, 1)
	if err != nil || len(first) == 0 || len(first[0].Parts) == 0 {
		return "", err
	}
	return first[0].Parts[0].Digest.String(), nil
}

// Ordering returns the table of the address as seen by a reader who may give standing orders there.
func (v *Visit) Ordering() (*turn.Model, error) {
	m, err := v.Model()
	if err != nil || m.Orders != nil {
		return m, err
	}
	rb, _ := v.Rulebook(m.Rulebook)
	switch {
	case rb == nil || rb.Extras().Orders == nil:
		return nil, domain.Refuse("orders-none")
	case m.Status != domain.TableStarted:
		return nil, domain.Refuse("not-running")
	}
	look, err := v.Look()
	if err != nil {
		return nil, err
	}
	if look.Table.Due != "" {
		return nil, look.Table.Closed()
	}
	if err = look.Table.Player(v.Me); err == nil {
		err = look.Table.Plays(v.Me, m.Seat) // another seat of theirs may
	}
	if err == nil {
		err = domain.Refuse("not-running")
	}
	return nil, err
}
