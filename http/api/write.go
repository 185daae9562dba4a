package api

import (
	nethttp "net/http"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
)

// doneJSON is the result of a command.
type doneJSON struct {
	Table   string `json:"table"`
	Stream  string `json:"stream"`
	Version uint64 `json:"version"`
	Receipt string `json:"receipt"`
	Again   bool   `json:"again"`
	Rest    string `json:"then,omitempty"`
}

// done answers with a command's result, if it was not refused.
func (c *call) done(ans desk.Answer, err error) (any, error) {
	return c.played(desk.Played{Answer: ans}, err)
}

func (c *call) played(ans desk.Played, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	status := nethttp.StatusOK
	if ans.Record.Version == 1 && ans.Record.Stream == ans.Table && !ans.Again {
		status = nethttp.StatusCreated
		c.Response().Header().Set("Location", Base+"/tables/"+ans.Table.String())
	}
	return nil, c.json(status, doneJSON{ans.Table.String(), ans.Record.Stream.String(), ans.Record.Version, ans.Receipt,
		ans.Again, ans.Rest})
}

// at returns where, for whom and with which id the caller gives the command with a name.
func (c *call) at(name string) (door.At, error) {
	id, err := c.key(name)
	return door.At{Table: c.Table, By: c.Me, ID: id}, err
}

// command gives a command that both doors accept.
func (c *call) command(f door.Action) (any, error) {
	var in door.Input
	if err := c.read(&in, append(strings.Fields(f.Members), "id")...); err != nil {
		return nil, err
	}
	at, err := c.at(in.ID)
	if err != nil {
		return nil, err
	}
	return c.done(c.Commands().Do(at, f, in))
}

// play plays a press. It names the decision that its first move answers, as the list of moves gave it.
func play(c *call, in door.Move) (any, error) {
	at, err := c.at(in.ID)
	if err != nil {
		return nil, err
	}
	return c.played(c.Commands().PlayAll(at, in, nil))
}

// newTable holds what every request to open a table has in common.
type newTable struct {
	ID    string          `json:"id"`
	Pace  string          `json:"pace"`
	Out   string          `json:"time_out"` // "" for no deadlines
	Seats []door.SeatWish `json:"seats"`
	Name  string          `json:"name"`
	Words string          `json:"words"` // to those invited
	Undo  *bool           `json:"undo"`  // false: no step is taken back without consent
	// minutes in which a step may be taken back so even after it has passed the turn on
	Grace int `json:"grace"`
}

// An unnamed type, because an error about malformed input would show its name.
type newGame = struct {
	newTable
	Game    string            `json:"game"`
	Options map[string]string `json:"options"`
	Listed  bool              `json:"listed"` // strangers may find the table
}

// open opens a table and invites everybody named.
func open(c *call, in newGame) (any, error) {
	rb, ok := c.Rulebook(in.Game)
	if !ok {
		return nil, domain.Refuse("no-game", "game", in.Game)
	}
	return c.open(in.newTable, door.TableWish{
		NewTable: desk.NewTable{Rulebook: rb.Name(), Choices: in.Options, Pace: in.Pace, Listed: in.Listed}})
}

type newBranch = struct {
	newTable
	Line    string `json:"line"`
	Version uint64 `json:"version"`
	Kind    string `json:"kind"`
}

// branch opens a table that goes on from a moment of the one in the address.
func branch(c *call, in newBranch) (any, error) {
	look, b, err := c.History().Branching(in.Line, in.Version, in.Kind)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(door.BranchKinds, in.Kind) {
		return nil, door.ErrMalformed
	}
	return c.open(in.newTable, door.Branch(look, b, in.Pace))
}

func (c *call) open(in newTable, w door.TableWish) (any, error) {
	c.Set(gameKey, w.Rulebook)
	w.Grace, w.Words = in.Grace, in.Words
	w.Name, w.Seats, w.Clock, w.NoUndo = in.Name, in.Seats, domain.ClockOf(in.Pace, domain.TimeOut(in.Out)),
		in.Undo != nil && !*in.Undo
	return c.done(c.NewTables().Open(func() (events.CommandID, error) { return c.key(in.ID) }, w))
}

type newOrders = struct {
	ID     string     `json:"id"`
	Seat   *door.Seat `json:"seat"`
	Since  uint64     `json:"since"`
	Orders []string   `json:"orders"`
}

// setOrders replaces the list of standing orders.
func setOrders(c *call, in newOrders) (any, error) {
	id, err := c.key(in.ID)
	if err != nil {
		return nil, err
	}
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	names, err := c.Commands().SeatNames(c.Ctx(), look.Table)
	if err != nil {
		return nil, err
	}
	return c.done(c.Desk.SetOrders(c.Ctx(), c.Actor(c.Me), c.Table, in.Seat.At(), id, in.Since, in.Orders, names))
}
