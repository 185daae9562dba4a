package door

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
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
		seen, err = v.shown(table, who)
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

// Then says how the reader looks at the past. Once nothing at a table is secret, the query may ask for what a seat or a
// stranger (-1) knew then.
func (v *Visit) Then(look desk.Look) turn.Asker {
	who := v.Asker()
	if n, err := strconv.Atoi(v.QueryParam("as")); err == nil && n >= int(domain.Spectator) &&
		n < len(look.Table.Places) {
		as := domain.Viewer(n)
		who.As = &as
	}
	return who
}

// Look returns the table of the address as it stands.
func (v *Visit) Look() (desk.Look, error) { return v.Desk.Look(v.Ctx(), v.Table) }

// Model returns the table of the address as the reader may know it.
func (v *Visit) Model() (*turn.Model, error) { return v.Maker.Turn(v.Ctx(), v.Table, v.Asker()) }

// Moves returns what the table of the address asks of the reader, and how they may answer.
func (v *Visit) Moves() (*turn.Model, error) { return v.Maker.Moves(v.Ctx(), v.Table, v.Asker()) }

// LineAt returns a line of a table if it has reached a version. It refuses with "no-line" or "no-version".
func (v *Visit) LineAt(look desk.Look, text string, version uint64) (line events.Name, err error) {
	if line, err = events.ParseName(text); err != nil || !Owns(look.Table, line) {
		return line, domain.Refuse("no-line")
	}
	head, err := v.Desk.Log().Head(v.Ctx(), line)
	if err == nil && (version == 0 || version > head.Version) {
		err = domain.Refuse("no-version", "last", int(head.Version))
	}
	return line, err
}

// Moment returns the table of the address at a version of one of its lines, without what only the present has.
func (v *Visit) Moment(line, version string) (*turn.Model, error) {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return nil, events.ErrNoStream
	}
	look, err := v.Look()
	if err != nil {
		return nil, err
	}
	name, err := v.LineAt(look, line, n)
	if _, refused := domain.AsRefusal(err); refused {
		return nil, events.ErrNoStream
	}
	if err != nil {
		return nil, err
	}
	m, err := v.Maker.At(v.Ctx(), v.Table, name, n, v.Then(look))
	if err == nil {
		m.Decision, m.Forms, m.Proposal = nil, nil, nil
	}
	return m, err
}

// Owns reports whether a line is one of a table's.
func Owns(t *domain.Table, line events.Name) bool {
	return slices.ContainsFunc(t.Lines, func(l domain.TableLine) bool { return l.Name == line.String() })
}

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

// ref returns a name for a person at one table, for commands about them. It differs from table to table.
func (v *Visit) ref(table events.Name, id domain.PersonID) string {
	m := hmac.New(sha256.New, v.Desk.Keys().For("api person"))
	_, _ = m.Write(table[:])
	_, _ = m.Write([]byte(id))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// refers finds the person at a table that a ref names.
func (v *Visit) refers(t *domain.Table, table events.Name, ref string) (domain.PersonID, bool) {
	for _, p := range t.Places {
		for _, id := range slices.Concat(p.Holders, p.Invited) {
			if v.ref(table, id) == ref {
				return id, true
			}
		}
	}
	return "", false
}

// Refers finds the person at the table of the address that a ref names.
func (v *Visit) Refers(ref string) (id domain.PersonID, ok bool, err error) {
	look, err := v.Look()
	if err != nil {
		return "", false, err
	}
	id, ok = v.refers(look.Table, look.Name, ref)
	return id, ok, nil
}

// Person is somebody at a table.
type Person struct {
	Ref  string          `json:"ref"`
	Name string          `json:"name"`
	You  bool            `json:"you"`
	ID   domain.PersonID `json:"-"`
}

// Persons returns people at the table of the address, with names as called returns them.
func (v *Visit) Persons(me domain.PersonID, ids []domain.PersonID,
	called func(domain.PersonID) (string, error)) ([]Person, error) {
	out := []Person{}
	for _, id := range ids {
		name, err := called(id)
		if err != nil {
			return nil, err
		}
		out = append(out, Person{Ref: v.ref(v.Table, id), Name: name, You: me != "" && id == me, ID: id})
	}
	return out, nil
}
