package http

import (
	"context"
	nethttp "net/http"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// move plays what a form confirms.
func (s *Server) move(v *visit) error {
	name, err := v.tableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return errSignIn
	}
	_, refused, err := v.play(name, v.Me)
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showTable(name, nethttp.StatusConflict, refused, kept{typed: v.c.FormValue("move")})
	}
	return v.see(tablePath(name), "moved")
}

// play runs the move of a form for a person: the answer, or a refusal to be shown.
func (v *visit) play(table events.Name, who domain.PersonID) (events.Answer, *domain.Refusal, error) {
	var ans events.Answer
	m, err := v.wish(table)
	if err != nil {
		return ans, nil, err
	}
	m.Text, m.Names = v.c.FormValue("move"), v.seatNames
	ans, err = v.s.Desk.Play(v.ctx(), events.Actor{Person: who, Door: events.DoorPage}, m)
	if r, ok := domain.AsRefusal(err); ok {
		return ans, r, nil
	}
	if err == nil {
		_ = v.s.Desk.Settle(v.ctx(), table) // the move stands whatever becomes of the orders; the runner tells the host
	}
	return ans, nil, err
}

// seatNames are the names of a table's seats in the reader's language.
func (v *visit) seatNames(ctx context.Context, t *domain.Table) ([]string, error) {
	_, names, err := v.s.Maker.Printer(ctx, events.Look{Table: t}, v.Lang)
	return names, err
}

// wish reads which decision a form answers.
func (v *visit) wish(table events.Name) (events.Move, error) {
	m := events.Move{Table: table, Seat: v.formSeat()}
	var err error
	if m.ID, err = v.commandID(); err != nil {
		return m, err
	}
	if m.Line, err = events.ParseName(v.c.FormValue("line")); err != nil {
		return m, errMalformed
	}
	serial, err1 := strconv.Atoi(v.c.FormValue("serial"))
	since, err2 := strconv.ParseUint(v.c.FormValue("since"), 10, 64)
	if err1 != nil || err2 != nil || m.Seat == domain.Nobody {
		return m, errMalformed
	}
	m.Decision = domain.Open{Decision: domain.Decision{Seat: m.Seat, Kind: v.c.FormValue("kind"), Serial: serial}, Since: since}
	return m, nil
}

// command runs a command at a table for a person: nil, or a refusal to be shown.
func (v *visit) command(table events.Name, who domain.PersonID, c events.Command) (*domain.Refusal, error) {
	id, err := v.commandID()
	if err != nil {
		return nil, err
	}
	_, err = v.s.Desk.Do(v.ctx(), events.Actor{Person: who, Door: events.DoorPage}, table, id, c)
	if r, ok := domain.AsRefusal(err); ok {
		return r, nil
	}
	return nil, err
}

// atTable runs a command of somebody signed in and comes back to the table's page.
func (v *visit) atTable(c events.Command, done string, k kept) error {
	name, err := v.tableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return errSignIn
	}
	refused, err := v.command(name, v.Me, c)
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showTable(name, nethttp.StatusConflict, refused, k)
	}
	return v.see(tablePath(name), done)
}

func (s *Server) agree(v *visit) error {
	since, err := v.answering()
	if err != nil {
		return err
	}
	return v.atTable(events.Agree{Since: since}, "agreed", kept{})
}

func (s *Server) refuse(v *visit) error {
	since, err := v.answering()
	if err != nil {
		return err
	}
	return v.atTable(events.Refuse{Since: since}, "refused", kept{})
}

// answering reads which proposal a form answers.
func (v *visit) answering() (since uint64, err error) {
	since, err = strconv.ParseUint(v.c.FormValue("since"), 10, 64)
	if err != nil {
		return 0, errMalformed
	}
	return since, nil
}

// modelAt is the model at a version of a line named in an address.
func (v *visit) modelAt(table events.Name, line string, version string) (*turn.Model, error) {
	name, err := events.ParseName(line)
	if err != nil {
		return nil, events.ErrNoStream
	}
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil || n == 0 {
		return nil, events.ErrNoStream
	}
	look, err := v.s.Desk.Look(v.ctx(), table)
	if err != nil {
		return nil, err
	}
	head, err := v.s.Desk.Log().Head(v.ctx(), name)
	if err != nil {
		return nil, err
	}
	if n > head.Version || !owns(look.Table, name) {
		return nil, events.ErrNoStream
	}
	return v.s.Maker.At(v.ctx(), table, name, n, v.asker())
}

func owns(t *domain.Table, line events.Name) bool {
	for _, l := range t.Lines {
		if l.Name == line.String() {
			return true
		}
	}
	return false
}
