package api

import (
	"errors"
	nethttp "net/http"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"

	"posthorn/http/door"
)

type inviteeJSON struct {
	Address  string `json:"address"`
	Language string `json:"language"`
}

// seatWish is how a seat is to be held at a new table.
type seatWish struct {
	Kind    string        `json:"kind"`
	Invite  []inviteeJSON `json:"invite"`
	WithMe  bool          `json:"with_me"`
	StandIn string        `json:"stand_in"`
}

// open opens a table and asks everybody named to it.
func open(c *call) error {
	var in struct {
		ID      string            `json:"id"`
		Game    string            `json:"game"`
		Options map[string]string `json:"options"`
		Pace    string            `json:"pace"`
		Seats   []seatWish        `json:"seats"`
		Name    string            `json:"name"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	rb, ok := c.Rulebook(in.Game)
	if !ok {
		return domain.Refuse("no-game", "game", in.Game)
	}
	return c.open(in.ID, in.Name, events.NewTable{Rulebook: rb.Name(), Choices: in.Options, Pace: in.Pace}, in.Seats, nil)
}

// branch opens a table that goes on from a moment of the one in the address.
func branch(c *call) error {
	var in struct {
		ID      string     `json:"id"`
		Line    string     `json:"line"`
		Version uint64     `json:"version"`
		Kind    string     `json:"kind"`
		Pace    string     `json:"pace"`
		Seats   []seatWish `json:"seats"`
		Name    string     `json:"name"`
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
	line, err := events.ParseName(in.Line)
	if err != nil || !door.Owns(look.Table, line) {
		return domain.Refuse("no-line")
	}
	head, err := c.Desk.Log().Head(c.Ctx(), line)
	if err != nil {
		return err
	}
	if in.Version == 0 || in.Version > head.Version {
		return domain.Refuse("no-version", "last", int(head.Version))
	}
	if !slices.Contains(door.BranchKinds, in.Kind) {
		return door.ErrMalformed
	}
	n := events.NewTable{Rulebook: look.Table.Rulebook, Choices: look.Table.Choices, Pace: in.Pace,
		Branch: &domain.Branch{Table: name.String(), Line: line.String(), Version: in.Version, Kind: in.Kind}}
	return c.open(in.ID, in.Name, n, in.Seats, look.Table.Places)
}

// open opens a table with the seats as they are wished. Before are those of the table that
// is branched from.
func (c *call) open(id, name string, n events.NewTable, seats []seatWish, before []domain.TablePlace) error {
	c.Set(gameKey, n.Rulebook)
	ok, err := c.MayOpen()
	if err != nil {
		return err
	}
	if !ok {
		return &problem{nethttp.StatusForbidden, "invited-only", "page.new.invited-only", nil}
	}
	key, err := c.key(id)
	if err != nil {
		return err
	}
	if err := c.NameFirst(c.Me, name); err != nil {
		return err
	}
	rb, _ := c.Rulebook(n.Rulebook)
	if least, most := rb.Seats(door.FullOr(rb, n.Choices)); len(seats) < least || len(seats) > most {
		return domain.Refuse("seats", "least", least, "most", most, "n", len(seats))
	}
	if !slices.Contains(domain.Paces, n.Pace) {
		return domain.Refuse("pace", "pace", n.Pace)
	}
	_, again, err := c.Desk.Opened(c.Ctx(), c.Me, key)
	if err != nil {
		return err
	}
	for i, w := range seats {
		place, err := c.seat(domain.Seat(i), w, before, again)
		if err != nil {
			return err
		}
		n.Places = append(n.Places, place)
	}
	ans, err := c.Desk.Open(c.Ctx(), c.actor(), key, n)
	if err != nil {
		return err
	}
	return c.done(ans)
}

// seat is one seat of a new table. Nobody is asked twice by a command that is tried again.
func (c *call) seat(i domain.Seat, w seatWish, before []domain.TablePlace, again bool) (p domain.TablePlace, err error) {
	switch w.Kind {
	case "me":
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{c.Me}}, nil
	case "open":
		return domain.TablePlace{Kind: domain.SeatOpen}, nil
	case "stand-in":
		return domain.TablePlace{Kind: domain.SeatStandIn, StandIn: w.StandIn}, nil
	case "same":
		return c.sameSeat(i, before, again)
	case "player":
		p.Kind = domain.SeatPlayer
	case "team":
		p.Kind = domain.SeatTeam
		if w.WithMe {
			p.Invited = append(p.Invited, c.Me)
		}
	default:
		return p, domain.Refuse("seat-kind", "seat", i, "kind", w.Kind)
	}
	if len(w.Invite) > door.MaxTeam {
		return p, domain.Refuse("one-player", "seat", i)
	}
	for _, who := range w.Invite {
		id, err := c.invitee(who, again)
		if err != nil {
			return p, err
		}
		p.Invited = append(p.Invited, id)
	}
	return p, nil
}

// sameSeat asks whoever holds the seat at the table that is branched from.
func (c *call) sameSeat(i domain.Seat, before []domain.TablePlace, again bool) (p domain.TablePlace, err error) {
	if int(i) >= len(before) {
		return p, domain.Refuse("no-seat", "seat", i)
	}
	was := before[i]
	switch {
	case !was.Humans():
		return domain.TablePlace{Kind: domain.SeatStandIn, StandIn: was.StandIn}, nil
	case len(was.Holders) == 0:
		return domain.TablePlace{Kind: domain.SeatOpen}, nil
	case len(was.Holders) == 1:
		p.Kind = domain.SeatPlayer
	default:
		p.Kind = domain.SeatTeam
	}
	for _, id := range was.Holders {
		if !again {
			if err := c.AskAgain(id); err != nil {
				return p, err
			}
		}
		p.Invited = append(p.Invited, id)
	}
	return p, nil
}

// invitee finds the person of an address, within the caller's quota. Again says that the
// command was done before, and nothing is to be counted or written.
func (c *call) invitee(who inviteeJSON, again bool) (domain.PersonID, error) {
	if again {
		a, err := people.ParseAddress(who.Address)
		if err != nil {
			return "", err
		}
		p, err := c.People.ByAddress(c.Ctx(), a)
		if errors.Is(err, people.ErrNobody) {
			return "", domain.Refuse("command-used")
		}
		return p.ID, err
	}
	return c.Friend(who.Address, who.Language)
}
