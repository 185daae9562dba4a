package api

import (
	"errors"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

func moment(c *call) (*turn.Model, error) {
	return c.History().Moment(c.Param("line"), c.Param("version"))
}

type moveJSON struct {
	Notation string   `json:"notation"`
	Words    string   `json:"words,omitempty"`
	Number   string   `json:"number"`
	Keys     []string `json:"keys"`
}

type movesJSON struct {
	Table    events.Name  `json:"table"`
	Line     events.Name  `json:"line,omitzero"`
	Version  uint64       `json:"version"`
	Decision *domain.Open `json:"decision,omitempty"`
	Moves    []moveJSON   `json:"moves"`
	Forms    []formJSON   `json:"forms"`
}

// moves lists every legal move of the seat that the table awaits from the caller, with the steps that lead to it on the
// page. Callers may leave out the words.
func moves(c *call, m *turn.Model) (any, error) {
	worded := c.QueryParam("words")
	if worded != "" && worded != "no" {
		return nil, door.ErrMalformed
	}
	out := movesJSON{Table: m.Table, Line: m.Line, Version: m.Version, Decision: m.Decision, Moves: []moveJSON{},
		Forms: []formJSON{}}
	if m.Decision == nil {
		return out, nil
	}
	for _, n := range m.List(worded == "") {
		move := moveJSON{Notation: n.Notation, Number: n.Name, Keys: list(n.Keys())}
		if worded == "" {
			move.Words = n.Label()
		}
		out.Moves = append(out.Moves, move)
	}
	out.Forms = formsOf(m, m.Forms)
	return out, nil
}

// orders lists the standing orders of the caller's seat.
func orders(c *call, m *turn.Model) (any, error) {
	o := m.Orders
	return ordersJSON{Table: m.Table, Seat: o.Seat, Version: o.Version, Rests: o.Rests, Refused: o.Refused,
		Orders: each(o.List, func(o turn.Order) orderJSON { return orderJSON{o.Text, list(o.Sentences)} }),
		Forms:  formsOf(m, o.Forms)}, nil
}

// number reads a whole number from the query; 0 if it is missing.
func (c *call) number(name string, most uint64) (uint64, error) {
	text := c.QueryParam(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n > most {
		return 0, door.ErrMalformed
	}
	return n, nil
}

type happenedJSON struct {
	Line   events.Name     `json:"line,omitzero"`
	Events []happeningJSON `json:"events"`
	Before uint64          `json:"before,omitempty"`
}

func timeline(c *call, look desk.Look) (_ any, err error) {
	line := look.LineName
	if text := c.QueryParam("line"); text != "" {
		if line, err = events.ParseName(text); err != nil || !door.Owns(look.Table, line) {
			return nil, events.ErrNoStream
		}
	}
	after, err1 := c.number("after", anyNumber)
	to, err2 := c.number("to", anyNumber)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if line.IsZero() || line == look.LineName && look.Line == nil {
		return happenedJSON{Events: []happeningJSON{}}, nil
	}
	story, err := c.Maker.Timeline(c.Ctx(), c.Table, line, c.Asker(), after, to)
	return happenedJSON{Line: line, Events: happenedOf(story)}, err
}

// chat lists what was said and done at a table besides moves, for people who know the table.
func chat(c *call, look desk.Look) (any, error) {
	if !look.Table.Knows(c.Me) {
		return nil, domain.Refuse("not-a-player")
	}
	before, err1 := c.number("before", anyNumber)
	most, err2 := c.number("most", maxChatPart)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if most == 0 {
		most = chatPart
	}
	part, err := c.Maker.TableTimeline(c.Ctx(), c.Table, c.Asker(), before, most, c.Opened)
	return happenedJSON{Events: happenedOf(part.Happenings), Before: part.Before}, err
}

// How many versions of a table one call searches for what was said and done there.
const (
	chatPart    = 100
	maxChatPart = 500
)

// anyNumber is the maximum for a number in a query that has no other limit.
const anyNumber = 1<<63 - 1
