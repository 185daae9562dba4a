package http

import (
	"fmt"
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"
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
		c.c.Response().Header().Set("Location", apiBase+"/tables/"+ans.Table.String())
	}
	return c.json(status, doneJSON{ans.Table.String(), ans.Record.Stream.String(), ans.Record.Version, ans.Receipt, ans.Again})
}

// do runs a command at the table of the address.
func (c *call) do(id, wish string, decide func(events.Room) (domain.TableEvent, error)) error {
	name, err := c.tableName()
	if err != nil {
		return err
	}
	key, err := c.key(id)
	if err != nil {
		return err
	}
	ans, err := c.s.Desk.Do(c.ctx(), c.actor(), name, key, wish, decide)
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

// apiPlay plays a move. It names the decision that it answers, as the list of moves gave it.
func apiPlay(c *call) error {
	var in struct {
		ID       string       `json:"id"`
		Line     string       `json:"line"`
		Decision decisionJSON `json:"decision"`
		Move     string       `json:"move"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	name, err := c.tableName()
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
	look, err := c.s.Desk.Look(c.ctx(), name)
	if err != nil {
		return err
	}
	if m.Move, err = c.parse(look, in.Move); err != nil {
		return err
	}
	ans, err := c.s.Desk.Play(c.ctx(), c.actor(), m)
	if err != nil {
		return err
	}
	_ = c.s.Desk.Settle(c.ctx(), name) // the move stands whatever becomes of the orders; the runner tells the host
	return c.done(ans)
}

// parse reads notation, seats by letter or by name.
func (c *call) parse(look events.Look, text string) (domain.Move, error) {
	_, names, err := c.s.Maker.Printer(c.ctx(), look, c.Lang)
	if err != nil {
		return nil, err
	}
	m, err := readMove(look.Rulebook, text, names)
	if _, ok := domain.AsRefusal(err); err != nil && !ok {
		return nil, domain.Refuse("no-move")
	}
	return m, err
}

func apiJoin(c *call) error {
	var in struct {
		ID     string `json:"id"`
		Seat   *int   `json:"seat"`
		Chance string `json:"chance"`
		Name   string `json:"name"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	if err := c.named(in.Name); err != nil {
		return err
	}
	seat, chance, me := seatNumber(in.Seat), []byte(strings.TrimSpace(in.Chance)), c.Me
	if len(chance) > maxChance {
		chance = chance[:maxChance]
	}
	return c.do(in.ID, fmt.Sprintf("join %d %s", seat, chance), func(r events.Room) (domain.TableEvent, error) {
		return r.Table.Join(me, seat, chance)
	})
}

// named gives a caller who has no name yet the one they send.
func (c *call) named(name string) error {
	none, err := c.nameless(c.Me)
	if err != nil || !none {
		return err
	}
	return c.s.People.SetName(c.ctx(), c.Me, name)
}

func apiDecline(c *call) error {
	var in struct {
		ID     string `json:"id"`
		Seat   *int   `json:"seat"`
		Person string `json:"person"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	seat, me := seatNumber(in.Seat), c.Me
	return c.do(in.ID, fmt.Sprintf("decline %d %s", seat, in.Person), func(r events.Room) (domain.TableEvent, error) {
		whom := me
		if in.Person != "" {
			var ok bool
			if whom, ok = c.refers(r.Table, r.Name, in.Person); !ok {
				return nil, domain.Refuse("not-invited", "seat", seat)
			}
		}
		return r.Table.Decline(me, seat, whom)
	})
}

// apiInvite asks somebody to take a seat, by address. Whether the address is known, or will
// be written to, is told to nobody.
func apiInvite(c *call) error {
	var in struct {
		ID       string `json:"id"`
		Seat     *int   `json:"seat"`
		Address  string `json:"address"`
		Language string `json:"language"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	name, err := c.tableName()
	if err != nil {
		return err
	}
	look, err := c.s.Desk.Look(c.ctx(), name)
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
	_, again, err := c.s.Desk.Done(c.ctx(), name, key)
	if err != nil {
		return err
	}
	whom, err := c.invitee(inviteeJSON{in.Address, in.Language}, again)
	if err != nil {
		return err
	}
	seat, me := seatNumber(in.Seat), c.Me
	return c.do(in.ID, fmt.Sprintf("invite %d %s", seat, whom), func(r events.Room) (domain.TableEvent, error) {
		return r.Table.Invite(me, seat, whom)
	})
}

func apiFill(c *call) error {
	var in struct {
		ID      string `json:"id"`
		Seat    *int   `json:"seat"`
		StandIn string `json:"stand_in"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	seat, me := seatNumber(in.Seat), c.Me
	place := domain.TablePlace{Kind: domain.SeatOpen}
	if in.StandIn != "" {
		place = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: in.StandIn}
	}
	return c.do(in.ID, fmt.Sprintf("fill %d %s", seat, place.StandIn), func(r events.Room) (domain.TableEvent, error) {
		return r.Table.Fill(me, seat, place)
	})
}

type plainJSON struct {
	ID string `json:"id"`
}

func apiAbandon(c *call) error {
	var in plainJSON
	if err := c.read(&in); err != nil {
		return err
	}
	me := c.Me
	return c.do(in.ID, "abandon", func(r events.Room) (domain.TableEvent, error) { return r.Table.Abandon(me) })
}

// written seals what somebody wrote. Nothing is cut off without being said.
func (c *call) written(text string, must bool) ([]byte, error) {
	text = strings.TrimSpace(text)
	if text == "" && must || len(text) > maxText {
		return nil, domain.Refuse("empty-text")
	}
	return c.sealed(text)
}

func apiRewind(c *call) error {
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
	me := c.Me
	return c.do(in.ID, fmt.Sprintf("rewind %d %t", in.To, in.Fresh), func(r events.Room) (domain.TableEvent, error) {
		played, err := r.Played(in.To)
		if err != nil {
			return nil, err
		}
		return r.Table.ProposeRewind(me, in.To, in.Fresh, reason, played, r.NextLine())
	})
}

func apiEnd(c *call) error {
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
	me := c.Me
	return c.do(in.ID, "end", func(r events.Room) (domain.TableEvent, error) {
		played, err := r.Played(0)
		if err != nil {
			return nil, err
		}
		return r.Table.ProposeEnd(me, reason, played)
	})
}

type answerJSON struct {
	ID       string `json:"id"`
	Proposal uint64 `json:"proposal"`
}

func apiAgree(c *call) error {
	var in answerJSON
	if err := c.read(&in); err != nil {
		return err
	}
	me := c.Me
	return c.do(in.ID, fmt.Sprintf("agree %d", in.Proposal), func(r events.Room) (domain.TableEvent, error) { return agreeTo(r, me, in.Proposal) })
}

func apiRefuse(c *call) error {
	var in answerJSON
	if err := c.read(&in); err != nil {
		return err
	}
	me := c.Me
	return c.do(in.ID, fmt.Sprintf("refuse %d", in.Proposal), func(r events.Room) (domain.TableEvent, error) { return r.Table.Dismiss(me, in.Proposal) })
}

func apiResign(c *call) error {
	var in struct {
		ID   string `json:"id"`
		Seat *int   `json:"seat"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	seat, me := seatNumber(in.Seat), c.Me
	return c.do(in.ID, fmt.Sprintf("resign %d", seat), func(r events.Room) (domain.TableEvent, error) { return r.Table.Resign(me, seat) })
}

func apiSay(c *call) error {
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
	me := c.Me
	return c.do(in.ID, "say", func(r events.Room) (domain.TableEvent, error) { return r.Table.Chat(me, text) })
}
