package door

import (
	"context"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// TableName reads which table an address is about. One that the reader may not look at is to
// them as if it were not there.
func (v *Visit) TableName() (events.Name, error) {
	name, err := events.ParseName(v.Param("table"))
	if err != nil {
		return name, events.ErrNoStream
	}
	return name, v.MaySee(name, v.Me)
}

// MaySee is ErrNoStream for a table that is hidden from a person, or that does not exist.
func (v *Visit) MaySee(table events.Name, who domain.PersonID) error {
	seen, err := v.Desk.SeenBy(v.Ctx(), table, who)
	if err == nil && !seen {
		return events.ErrNoStream
	}
	return err
}

// Asker is how the reader looks at a table; a seat may be meant by number.
func (v *Visit) Asker() turn.Asker {
	seat := domain.Nobody
	if n, err := strconv.Atoi(v.QueryParam("seat")); err == nil && n >= 0 && n < domain.MaxSeats {
		seat = domain.Seat(n)
	}
	return turn.Asker{Person: v.Me, Seat: seat, Lang: v.Lang}
}

// SeatNames are the names of a table's seats in the reader's language.
func (v *Visit) SeatNames(ctx context.Context, t *domain.Table) ([]string, error) {
	_, names, err := v.Maker.Printer(ctx, events.Look{Table: t}, v.Lang)
	return names, err
}

// ModelAt is the model at a version of a line named in an address.
func (v *Visit) ModelAt(table events.Name, line string, version string) (*turn.Model, error) {
	name, err := events.ParseName(line)
	if err != nil {
		return nil, events.ErrNoStream
	}
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil || n == 0 {
		return nil, events.ErrNoStream
	}
	look, err := v.Desk.Look(v.Ctx(), table)
	if err != nil {
		return nil, err
	}
	head, err := v.Desk.Log().Head(v.Ctx(), name)
	if err != nil {
		return nil, err
	}
	if n > head.Version || !Owns(look.Table, name) {
		return nil, events.ErrNoStream
	}
	return v.Maker.At(v.Ctx(), table, name, n, v.Asker())
}

// Owns tells whether a line is one of a table's.
func Owns(t *domain.Table, line events.Name) bool {
	return slices.ContainsFunc(t.Lines, func(l domain.TableLine) bool { return l.Name == line.String() })
}

// Commitment is the digest that binds a table's luck.
func (v *Visit) Commitment(table events.Name) (string, error) {
	first, err := v.Desk.Log().Load(v.Ctx(), table, 0, 1)
	if err != nil || len(first) == 0 || len(first[0].Parts) == 0 {
		return "", err
	}
	return first[0].Parts[0].Digest.String(), nil
}

// MaxChance is the most bytes of chance one person may bring.
const MaxChance = 400

// MaxTeam is the most people invited to one seat at once.
const MaxTeam = 6

// BranchKinds are what can be made of a moment.
var BranchKinds = []string{"game", "study"}

// FullOr is the game's options with what was chosen, or as they are where that cannot be.
func FullOr(rb domain.Rulebook, given domain.Choices) domain.Choices {
	full, err := domain.Complete(rb, given)
	if err != nil {
		full, _ = domain.Complete(rb, nil) // the defaults are always allowed
	}
	return full
}

// GameChoice is a game as it is offered.
type GameChoice struct {
	Name, Label string
	Least, Most int
}

// GameChoice offers a game in the reader's language.
func (v *Visit) GameChoice(rb domain.Rulebook) GameChoice {
	full, err := domain.Complete(rb, nil)
	g := GameChoice{Name: rb.Name(), Label: v.Book.Printer(v.Lang, rb.Name(), nil).Text("name")}
	if err == nil {
		g.Least, g.Most = rb.Seats(full)
	}
	return g
}

// OptionWord is what a value of a game's option is called.
func (v *Visit) OptionWord(rb domain.Rulebook, o domain.Option, value string) string {
	p, key := v.Book.Printer(v.Lang, rb.Name(), nil), "option."+o.Key+"."+value
	if v.Book.Has(rb.Name() + "." + key) {
		return p.Text(key)
	}
	if value == "on" || value == "off" {
		return p.Text(value)
	}
	return value
}

// NoOrders says why no standing orders may be given at a table.
func (v *Visit) NoOrders(m *turn.Model) error {
	rb, _ := v.Rulebook(m.Rulebook)
	switch {
	case rb == nil || rb.Extras().Orders == nil:
		return domain.Refuse("orders-none")
	case m.Status != domain.TableStarted:
		return domain.Refuse("not-running")
	default:
		return domain.Refuse("not-a-player")
	}
}
