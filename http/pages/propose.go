package pages

import (
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// asking is a page on which something grave is decided about a table.
type asking struct {
	M       *turn.Model
	To      uint64 // the version that is gone back to
	First   uint64 // that may be
	Fresh   bool
	Alone   bool // nobody else is to be asked
	Reveals []string
	Seats   []choice
	Team    bool // others hold the seat, too
}

// mine is a table that the reader plays at.
func (v *visit) mine() (events.Look, asking, error) {
	var a asking
	look, err := v.Look()
	if err != nil {
		return look, a, err
	}
	m, err := v.Model()
	if err != nil {
		return look, a, err
	}
	a.M = m
	people := look.Table.People()
	a.Alone = len(people) == 1 && people[0] == v.Me
	for _, s := range look.Table.SeatsOf(v.Me) {
		if p := look.Table.Places[s]; p.Humans() {
			a.Team = p.Team()
			a.Seats = append(a.Seats, choice{Value: strconv.Itoa(int(s)), Label: v.T("seat", "letter", s.Letter())})
		}
	}
	if len(a.Seats) == 0 {
		return look, a, domain.Refuse("not-a-player")
	}
	return look, a, nil
}

// rewindForm asks which moment to go back to, and says what was seen since.
func (v *visit) rewindForm() error {
	look, a, err := v.mine()
	if err != nil {
		return err
	}
	if look.Line == nil {
		return domain.Refuse("not-started")
	}
	a.First = 1
	if look.Table.Branch != nil {
		a.First = look.Table.Branch.Version + 1
	}
	to, err := strconv.ParseUint(v.value("to"), 10, 64)
	if err != nil || to < a.First || to >= a.M.Last {
		to = max(a.First, a.M.Last-1)
	}
	a.To, a.Fresh = to, v.value("luck") == "fresh"
	seen, err := v.Desk.Seen(v.Ctx(), look, to)
	if err != nil {
		return err
	}
	p, _, err := v.Maker.Printer(v.Ctx(), look, v.Lang)
	if err != nil {
		return err
	}
	a.Reveals = turn.Reveals(p, seen)
	return v.render("rewind", sheet{Title: a.M.Title, Body: a})
}

// value is a parameter of the address or of the form.
func (v *visit) value(name string) string {
	if s := v.QueryParam(name); s != "" {
		return s
	}
	return v.FormValue(name)
}

// endForm asks whether to propose an end.
func (v *visit) endForm() error { return v.ask("end") }

// resignForm asks whether to give up a seat.
func (v *visit) resignForm() error { return v.ask("resign") }

func (v *visit) ask(page string) error {
	_, a, err := v.mine()
	if err != nil {
		return err
	}
	return v.render(page, sheet{Title: a.M.Title, Body: a})
}
