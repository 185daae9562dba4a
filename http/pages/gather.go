package pages

import (
	"bytes"
	"cmp"
	"encoding/hex"
	nethttp "net/http"
	"slices"
	"time"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// gathering is a table before its start.
type gathering struct {
	M          *turn.Model
	Origin     *domain.Branch // of a branch: where it forked off
	Act        string
	As         string
	Options    []choice
	Pace       string
	Seats      []gatherSeat
	Commitment string
	Chances    []chance
	Link       string // the table's address, if others may open it
	Opener     bool   // the reader opened the table, and may still change who sits where
	MayJoin    bool
	More       bool // the reader already sits, and no other seat is kept for them
	Alone      bool // the table waits only for its opener, who is the reader
	Sits       bool // and who has pressed to play: the browser adds its part of the luck and goes on automatically
	Own        bool // and who has said that they will add something of their own to the luck
	Foes       bool // and who plays against the computer
	NeedsName  bool
	Called     string // the reader's name as their inviter gave it; they need to choose one
	Over       bool
	OpenerName string
	Words      string // of the opener, to those invited
	Listed     bool
	Shut       bool // the reader came by a link to a seat, and may not look at the rest of the table
}

type gatherSeat struct {
	Seat     int
	Name     string
	State    string
	Invited  []invitedPerson
	Lost     bool // mails to its people bounce; shown to the opener
	MayJoin  bool
	MayGive  bool // the reader may give the seat up, or decline it
	MayAsk   bool // the opener may invite somebody
	MayFill  bool // the opener may give it to a stand-in, or open it again
	StandIn  bool
	Declines bool
}

// invitedPerson is somebody who was invited and, for the opener, how their invitation is doing.
type invitedPerson struct {
	door.Person
	Delivery string
	Until    string // until when the invitation is valid
}

type chance struct {
	Who, Text string
	Me        bool
}

// showGathering writes the page of a table that has not started.
func (v openPages) showGathering(look desk.Look, act, as string, who turn.Asker) error {
	m, err := v.Maker.Turn(v.Ctx(), look.Name, who)
	if err != nil {
		return err
	}
	g, err := v.gather(look, m, who.Person)
	if err != nil {
		return err
	}
	g.Act, g.As = act, as
	if as != "" {
		g.onlyInvited(who.Seat)
	}
	if who.Person != "" {
		p, known, err := v.Person(who.Person)
		if err != nil {
			return err
		}
		g.NeedsName, g.Called = known && p.Name == "", p.Called
	}
	if g.Alone = g.Opener && g.MayJoin && waitsForOne(look.Table); g.Alone {
		g.Foes = len(look.Table.Places) > 1
		g.Sits, g.Own = v.sits(look.Name) && !g.NeedsName, v.QueryParam("luck") == ownLuck
	}
	return v.render("gathering", sheet{Title: m.Title, Mine: g.MayJoin && !g.More && who.Person != "", Body: g,
		say: m.Say})
}

func (v openPages) gather(look desk.Look, m *turn.Model, me domain.PersonID) (*gathering, error) {
	t := look.Table
	g := &gathering{M: m, Pace: v.T("page.pace." + t.Pace),
		Listed: t.Listed, Over: t.Status == domain.TableEnded, Shut: !t.SeenBy(v.Me)}
	if !g.Over && t.SeenBy("") {
		g.Link = v.Links.Table(look.Name)
	}
	g.Opener = t.Status == domain.TableOpen && me != "" && t.Opener == me && !v.Seated
	var err error
	if g.OpenerName, err = v.Called(t.Opener); err != nil {
		return nil, err
	}
	if t.Knows(me) {
		if g.Words, err = v.Maker.Words(v.Ctx(), look.Name, v.Opened); err != nil {
			return nil, err
		}
	}
	if g.Origin, err = v.History().Origin(t.Branch); err != nil {
		return nil, err
	}
	if g.Commitment, err = v.Commitment(look.Name); err != nil {
		return nil, err
	}
	p := v.Book.Printer(v.Lang, look.Rulebook.Name(), nil)
	for _, o := range look.Rulebook.Options() {
		if !o.Applies(t.Choices, len(t.Places)) {
			continue
		}
		g.Options = append(g.Options, choice{Label: p.Text("option." + o.Key),
			Value: v.OptionWord(look.Rulebook, o, t.Choices[o.Key])})
	}
	for i := range t.Places {
		seat, err := v.gatherSeat(t, domain.Seat(i), me, m.Players[i].Name, g.Opener)
		if err != nil {
			return nil, err
		}
		g.MayJoin = g.MayJoin || seat.MayJoin
		g.Seats = append(g.Seats, seat)
	}
	g.More = len(t.SeatsOf(me)) > 0 &&
		!slices.ContainsFunc(g.Seats, func(s gatherSeat) bool { return s.MayJoin && s.Declines })
	for _, c := range t.Contributions {
		name, err := v.Called(c.Person)
		if err != nil {
			return nil, err
		}
		g.Chances = append(g.Chances, chance{Who: name, Text: chanceText(c.Bytes), Me: c.Person == me})
	}
	return g, nil
}

// waitsForOne reports whether a table waits only for one person's seat.
func waitsForOne(t *domain.Table) bool {
	people := 0
	for _, p := range t.Places {
		if p.Kind != domain.SeatStandIn {
			people++
		}
		if p.Kind == domain.SeatOpen || len(p.Invited) > 1 {
			return false
		}
	}
	return people == 1
}

// sitCookie names the table where a browser should sit down automatically. No address can ask for that, since opening a
// link does nothing: only a press sets it, and reading it deletes it.
const (
	ownLuck   = "own" // the alternative value: the page waits for what they add
	sitCookie = "sit"
	sitLasts  = 10 * time.Minute
)

// sits reports whether the reader has pressed to play at a table, so that its page goes on automatically.
func (v openPages) sits(table events.Name) bool {
	cookie, err := v.Cookie(sitCookie)
	if err != nil || cookie.Value != table.String() || v.Request().Method != nethttp.MethodGet {
		return false
	}
	v.Keep(sitCookie, "", 0)
	return true
}

// onlyInvited leaves only what an invitation is for: the seat kept for its person, who may be asked to others, too.
func (g *gathering) onlyInvited(seat domain.Seat) {
	g.MayJoin = false
	for i := range g.Seats {
		s := &g.Seats[i]
		its := s.Declines && s.Seat == int(seat)
		s.MayJoin, s.MayGive, s.MayAsk, s.MayFill = s.MayJoin && its, its && !g.Over, false, false
		g.MayJoin = g.MayJoin || s.MayJoin
	}
	g.Opener = false
}

func (v openPages) gatherSeat(t *domain.Table, seat domain.Seat, me domain.PersonID, name string,
	opener bool) (gatherSeat,
	error) {
	p := t.Places[seat]
	gs := gatherSeat{Seat: int(seat), Name: name, StandIn: p.Kind == domain.SeatStandIn}
	called := func(id domain.PersonID) (string, error) { return v.Maker.NameAt(v.Ctx(), v.Print, t, id) }
	open := t.Status == domain.TableOpen
	persons, err := v.Invitations().Persons(me, p.Invited, called)
	if err != nil {
		return gs, err
	}
	for _, person := range persons {
		asked := invitedPerson{Person: person}
		if until := t.AskedUntil(seat, person.ID); !until.IsZero() && open {
			asked.Until = v.T("page.invited.until", "when", v.Print.Moment(until.In(cmp.Or(v.Zone, time.UTC))))
		}
		if opener {
			if asked.Delivery, err = v.hosting().invitationState(t, person.ID); err != nil {
				return gs, err
			}
		}
		gs.Invited = append(gs.Invited, asked)
	}
	if opener {
		lost, err := v.Unreachable(slices.Concat(p.Invited, p.Holders)...)
		if err != nil {
			return gs, err
		}
		gs.Lost = len(lost) > 0
	}
	invited := slices.Contains(p.Invited, me)
	gs.MayJoin = open && !p.Holds(me) && (invited || p.Kind == domain.SeatOpen)
	gs.MayGive = open && me != "" && !v.Seated && (invited || p.Holds(me))
	gs.Declines = invited
	gs.MayAsk = opener && (p.Kind == domain.SeatOpen || p.Kind == domain.SeatTeam)
	gs.MayFill = opener && len(p.Holders) == 0 && (p.Kind == domain.SeatOpen || p.Kind == domain.SeatStandIn)
	switch {
	case gs.StandIn:
		gs.State = v.T("page.seat.standin." + p.StandIn)
	case p.Kind == domain.SeatTeam:
		gs.State = v.T("page.seat.team")
	case len(p.Holders) > 0:
		gs.State = v.T("page.seat.taken")
	case len(p.Invited) > 0:
		gs.State = v.T("page.seat.invited")
	default:
		gs.Name = v.T("page.seat.open") // it has no other name, and needs no tag that repeats this
	}
	return gs, nil
}

// chanceText returns a contribution as it was typed, or in hexadecimal if it is not text.
func chanceText(b []byte) string {
	if !utf8.Valid(b) || bytes.ContainsFunc(b, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return hex.EncodeToString(b)
	}
	return string(b)
}
