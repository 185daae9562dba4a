package pages

import (
	"strconv"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// asking is a page for a serious decision about a table.
type asking struct {
	M       *turn.Model
	To      uint64 // the version to go back to
	First   uint64 // the earliest possible version
	Fresh   bool
	Alone   bool // nobody else needs to be asked
	Undoing turn.Undoing
	Mine    uint64 // the version before the reader's own last move; 0 if there is none
	// Shuffled says why things cannot come out the same from there; "" if they can.
	Shuffled string
	Seats    []choice
	Team     bool // others hold the seat too
}

// mine returns a table that the reader plays at.
func (v consentPages) mine() (desk.Look, asking, error) {
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
		return look, a, look.Table.Player(v.Me)
	}
	return look, a, nil
}

// rewindForm asks which moment to go back to, and says what was seen since.
func (v consentPages) rewindForm() error {
	look, a, err := v.mine()
	if err != nil {
		return err
	}
	if look.Line == nil {
		return domain.Refuse("not-started")
	}
	if a.First = a.M.Branch.First(); a.M.Last <= a.First {
		return domain.Refuse("rewind-none")
	}
	if a.Mine, err = v.Desk.OwnLast(v.Ctx(), look, v.Me); err != nil {
		return err
	}
	to, err := strconv.ParseUint(v.value("to"), 10, 64)
	if err != nil || to < a.First || to >= a.M.Last {
		if v.value("to") != "" && v.refused == nil {
			v.refused = domain.Refuse("rewind-version", "first", int(a.First), "last", int(a.M.Last)-1)
		}
		if to = a.Mine; to == 0 {
			to = max(a.First, a.M.Last-1)
		}
	}
	if v.refused == nil {
		if err := v.Desk.Judge(v.Ctx(), v.Table, v.Me, desk.ProposeRewind{To: to, Fresh: true}); err != nil {
			return err
		}
	}
	a.To, a.Fresh = to, v.value("luck") == "fresh"
	if a.Undoing, err = v.Maker.Undoing(v.Ctx(), look, to, v.Asker(), mostUndone); err != nil {
		return err
	}
	if a.Undoing.Dealt > 0 {
		a.Fresh, a.Shuffled = true, a.M.Text("refuse.rewind-dealt", "to", int(a.Undoing.Dealt))
	}
	return v.render("rewind", sheet{Title: a.M.Title, Body: a})
}

// mostUndone is how many moves a page lists that a proposal would undo.
const mostUndone = 30

// value returns a parameter of the address or the form.
func (v consentPages) value(name string) string {
	if s := v.QueryParam(name); s != "" {
		return s
	}
	return v.FormValue(name)
}

// endForm asks whether to propose an end.
func (v consentPages) endForm() error {
	if err := v.Desk.Judge(v.Ctx(), v.Table, v.Me, desk.ProposeEnd{}); err != nil {
		return err
	}
	return v.ask("end")
}

// resignForm asks whether to give up a seat.
func (v consentPages) resignForm() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	for _, seat := range look.Table.SeatsOf(v.Me) {
		if err = v.Desk.Judge(v.Ctx(), v.Table, v.Me, desk.Resign{Seat: seat}); err == nil {
			return v.ask("resign")
		}
	}
	if err != nil {
		return err
	}
	return domain.Refuse("not-a-player")
}

func (v consentPages) ask(page string) error {
	_, a, err := v.mine()
	if err != nil {
		return err
	}
	return v.render(page, sheet{Title: a.M.Title, Body: a})
}

// undoing says what an open proposal would undo.
func (v consentPages) undoing(g *gamePage) error {
	p := g.M.Proposal
	if p == nil || p.Kind != domain.ProposeRewind {
		return nil
	}
	look, err := v.Look()
	if err != nil || look.Line == nil {
		return err
	}
	g.Undoing, err = v.Maker.Undoing(v.Ctx(), look, p.To, v.Asker(), mostUndone)
	return err
}
