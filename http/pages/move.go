package pages

import (
	nethttp "net/http"
	"strconv"

	"posthorn/domain"
	"posthorn/events"

	"posthorn/http/door"
)

// move plays what a form confirms.
func (v *visit) move() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	_, refused, err := v.play(name, v.Me)
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showTable(name, nethttp.StatusConflict, refused, kept{typed: v.FormValue("move")})
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
	m.Text, m.Names = v.FormValue("move"), v.SeatNames
	ans, err = v.Desk.Play(v.Ctx(), events.Actor{Person: who, Door: events.DoorPage}, m)
	if r, ok := domain.AsRefusal(err); ok {
		return ans, r, nil
	}
	if err == nil {
		_ = v.Desk.Settle(v.Ctx(), table) // the move stands whatever becomes of the orders; the runner tells the host
	}
	return ans, nil, err
}

// wish reads which decision a form answers.
func (v *visit) wish(table events.Name) (events.Move, error) {
	m := events.Move{Table: table, Seat: v.formSeat()}
	var err error
	if m.ID, err = v.commandID(); err != nil {
		return m, err
	}
	if m.Line, err = events.ParseName(v.FormValue("line")); err != nil {
		return m, door.ErrMalformed
	}
	serial, err1 := strconv.Atoi(v.FormValue("serial"))
	since, err2 := strconv.ParseUint(v.FormValue("since"), 10, 64)
	if err1 != nil || err2 != nil || m.Seat == domain.Nobody {
		return m, door.ErrMalformed
	}
	m.Decision = domain.Open{Decision: domain.Decision{Seat: m.Seat, Kind: v.FormValue("kind"), Serial: serial}, Since: since}
	return m, nil
}

// command runs a command at a table for a person: nil, or a refusal to be shown.
func (v *visit) command(table events.Name, who domain.PersonID, c events.Command) (*domain.Refusal, error) {
	id, err := v.commandID()
	if err != nil {
		return nil, err
	}
	_, err = v.Desk.Do(v.Ctx(), events.Actor{Person: who, Door: events.DoorPage}, table, id, c)
	if r, ok := domain.AsRefusal(err); ok {
		return r, nil
	}
	return nil, err
}

// atTable runs a command of somebody signed in and comes back to the table's page.
func (v *visit) atTable(c events.Command, done string, k kept) error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
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

func (v *visit) agree() error {
	since, err := v.answering()
	if err != nil {
		return err
	}
	return v.atTable(events.Agree{Since: since}, "agreed", kept{})
}

func (v *visit) refuse() error {
	since, err := v.answering()
	if err != nil {
		return err
	}
	return v.atTable(events.Refuse{Since: since}, "refused", kept{})
}

// answering reads which proposal a form answers.
func (v *visit) answering() (since uint64, err error) {
	since, err = strconv.ParseUint(v.FormValue("since"), 10, 64)
	if err != nil {
		return 0, door.ErrMalformed
	}
	return since, nil
}

// refusal tells a refusal, which a page shows, from what went wrong.
func refusal(err error) (*domain.Refusal, error) {
	if r, ok := domain.AsRefusal(err); ok {
		return r, nil
	}
	return nil, err
}
