package api

import (
	"context"
	"fmt"
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"

	"posthorn/http/door"
)

// doneJSON is what a command came to.
type doneJSON struct {
	Table   string `json:"table"`
	Stream  string `json:"stream"`
	Version uint64 `json:"version"`
	Receipt string `json:"receipt"`
	Again   bool   `json:"again"`
}

func (c *call) done(ans events.Answer) error {
	status := nethttp.StatusOK
	if ans.Record.Version == 1 && ans.Record.Stream == ans.Table && !ans.Again {
		status = nethttp.StatusCreated
		c.Response().Header().Set("Location", Base+"/tables/"+ans.Table.String())
	}
	return c.json(status, doneJSON{ans.Table.String(), ans.Record.Stream.String(), ans.Record.Version, ans.Receipt, ans.Again})
}

// do runs a command at the table of the address.
func (c *call) do(id string, command events.Command) error {
	name, err := c.TableName()
	if err != nil {
		return err
	}
	key, err := c.key(id)
	if err != nil {
		return err
	}
	ans, err := c.Desk.Do(c.Ctx(), c.actor(), name, key, command)
	if err != nil {
		return err
	}
	return c.done(ans)
}

// seatNumber is a seat that a body names, or Nobody, which the table refuses.
func seatNumber(n *int) domain.Seat {
	if n == nil || *n < 0 || *n >= domain.MaxSeats {
		return domain.Nobody
	}
	return domain.Seat(*n)
}

// play plays a move. It names the decision that it answers, as the list of moves gave it.
func play(c *call) error {
	var in struct {
		ID       string       `json:"id"`
		Line     string       `json:"line"`
		Decision decisionJSON `json:"decision"`
		Move     string       `json:"move"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	name, err := c.TableName()
	if err != nil {
		return err
	}
	m := events.Move{Table: name, Seat: seatNumber(&in.Decision.Seat)}
	if m.ID, err = c.key(in.ID); err != nil {
		return err
	}
	if m.Line, err = events.ParseName(in.Line); err != nil {
		return domain.Refuse("no-line")
	}
	m.Decision = domain.Open{Decision: domain.Decision{Seat: m.Seat, Kind: in.Decision.Kind, Serial: in.Decision.Serial}, Since: in.Decision.Since}
	m.Text, m.Names = in.Move, c.SeatNames
	ans, err := c.Desk.Play(c.Ctx(), c.actor(), m)
	if err != nil {
		return err
	}
	_ = c.Desk.Settle(c.Ctx(), name) // the move stands whatever becomes of the orders; the runner tells the host
	return c.done(ans)
}

func join(c *call) error {
	var in struct {
		ID     string `json:"id"`
		Seat   *int   `json:"seat"`
		Chance string `json:"chance"`
		Name   string `json:"name"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	if err := c.NameFirst(c.Me, in.Name); err != nil {
		return err
	}
	chance := []byte(strings.TrimSpace(in.Chance))
	if len(chance) > door.MaxChance {
		chance = chance[:door.MaxChance]
	}
	return c.do(in.ID, events.Join{Seat: seatNumber(in.Seat), Chance: chance})
}

func decline(c *call) error {
	var in struct {
		ID     string `json:"id"`
		Seat   *int   `json:"seat"`
		Person string `json:"person"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, declining{c, seatNumber(in.Seat), in.Person})
}

// declining is an [events.Decline] of a person whom the caller names as the table does, or of
// the caller. Whom it means is asked of the table as it is judged: once the person is gone from
// there, the same command again still has its first answer.
type declining struct {
	c    *call
	seat domain.Seat
	ref  string
}

// Wish is the command in words.
func (d declining) Wish() string { return fmt.Sprintf("decline %d %s", d.seat, d.ref) }

// Decide judges it.
func (d declining) Decide(ctx context.Context, by domain.PersonID, r events.Room) (domain.TableEvent, error) {
	whom := by
	if d.ref != "" {
		var ok bool
		if whom, ok = d.c.refers(r.Table, r.Name, d.ref); !ok {
			return nil, domain.Refuse("not-invited", "seat", d.seat)
		}
	}
	return events.Decline{Seat: d.seat, Person: whom}.Decide(ctx, by, r)
}

// invite asks somebody to take a seat, by address. Whether the address is known, or will
// be written to, is told to nobody.
func invite(c *call) error {
	var in struct {
		ID       string `json:"id"`
		Seat     *int   `json:"seat"`
		Address  string `json:"address"`
		Language string `json:"language"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	name, err := c.TableName()
	if err != nil {
		return err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return err
	}
	key, err := c.key(in.ID)
	if err != nil {
		return err
	}
	if look.Table.Opener != c.Me {
		return domain.Refuse("opener-only")
	}
	_, again, err := c.Desk.Done(c.Ctx(), name, key)
	if err != nil {
		return err
	}
	whom, err := c.invitee(inviteeJSON{in.Address, in.Language}, again)
	if err != nil {
		return err
	}
	return c.do(in.ID, events.Invite{Seat: seatNumber(in.Seat), Person: whom})
}

func fill(c *call) error {
	var in struct {
		ID      string `json:"id"`
		Seat    *int   `json:"seat"`
		StandIn string `json:"stand_in"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, events.Fill{Seat: seatNumber(in.Seat), StandIn: in.StandIn})
}

type plainJSON struct {
	ID string `json:"id"`
}

func abandon(c *call) error {
	var in plainJSON
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, events.Abandon{})
}

// written seals what somebody wrote. Nothing is cut off without being said.
func (c *call) written(text string, must bool) ([]byte, error) {
	text = strings.TrimSpace(text)
	if text == "" && must || len(text) > door.MaxText {
		return nil, domain.Refuse("empty-text")
	}
	return c.Sealed(text)
}

func rewind(c *call) error {
	var in struct {
		ID     string `json:"id"`
		To     uint64 `json:"to"`
		Fresh  bool   `json:"fresh"`
		Reason string `json:"reason"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	reason, err := c.written(in.Reason, false)
	if err != nil {
		return err
	}
	return c.do(in.ID, events.ProposeRewind{To: in.To, Fresh: in.Fresh, Reason: reason})
}

func end(c *call) error {
	var in struct {
		ID     string `json:"id"`
		Reason string `json:"reason"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	reason, err := c.written(in.Reason, false)
	if err != nil {
		return err
	}
	return c.do(in.ID, events.ProposeEnd{Reason: reason})
}

type answerJSON struct {
	ID       string `json:"id"`
	Proposal uint64 `json:"proposal"`
}

func agree(c *call) error {
	var in answerJSON
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, events.Agree{Since: in.Proposal})
}

func refuse(c *call) error {
	var in answerJSON
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, events.Refuse{Since: in.Proposal})
}

func resign(c *call) error {
	var in struct {
		ID   string `json:"id"`
		Seat *int   `json:"seat"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	return c.do(in.ID, events.Resign{Seat: seatNumber(in.Seat)})
}

func say(c *call) error {
	var in struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	text, err := c.written(in.Text, true)
	if err != nil {
		return err
	}
	return c.do(in.ID, events.Say{Text: text})
}
