package door

import (
	"errors"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// ErrInvitedOnly is returned where only people whom a host has invited may open tables.
var ErrInvitedOnly = errors.New("only who was invited may open a table")

// MaxTeam is the maximum number of people invited to one seat at once.
const MaxTeam = 6

// BranchKinds are what a moment can be branched into.
var BranchKinds = []string{"game", "study"}

// Invitee is somebody to invite by mail, in a language. The name is used until they choose one themselves.
type Invitee struct {
	Address  string `json:"address"`
	Language string `json:"language"`
	Name     string `json:"name"`
}

// SeatWish says how a seat of a new table should be held.
type SeatWish struct {
	Kind    string    `json:"kind"` // "me", "open", "stand-in", "same" as before, "player" or "team"
	Invite  []Invitee `json:"invite"`
	WithMe  bool      `json:"with_me"`
	StandIn string    `json:"stand_in"`
}

// TableWish is a table that somebody wants to open.
type TableWish struct {
	Name  string // its opener's, if they have none yet
	Words string // of its opener to those invited: the table's first line of chat; "" for none
	Seats []SeatWish
	desk.NewTable
	Before []domain.TablePlace // the seats of the table it branches from
}

// MayOpen returns ErrInvitedOnly unless the reader may open tables.
func (v NewTables) MayOpen() error {
	if slices.Contains(v.Hosts, v.Me) {
		return nil
	}
	may, err := false, error(nil)
	if v.Opening == OpenInvited {
		may, err = v.People.Invited(v.Ctx(), v.Me)
	} else {
		var p people.Person
		p, err = v.People.Person(v.Ctx(), v.Me)
		may = !p.Confirmed.IsZero()
	}
	if err == nil && !may {
		return ErrInvitedOnly
	}
	return err
}

// Open opens a table and invites everybody named in it. Repeating the command invites nobody twice.
func (v NewTables) Open(key func() (events.CommandID, error), w TableWish) (ans desk.Answer, err error) {
	if err := v.MayOpen(); err != nil {
		return ans, err
	}
	id, err := key()
	if err != nil {
		return ans, err
	}
	if err := v.NameFirst(v.Me, w.Name); err != nil {
		return ans, err
	}
	if v.Door == domain.DoorAPI {
		if err := v.fits(w); err != nil {
			return ans, err
		}
	}
	_, again, err := v.Desk.Opened(v.Ctx(), v.Me, id)
	if err == nil {
		_, err = v.Commands().written(w.Words, false) // refused before anybody is invited
	}
	if err != nil {
		return ans, err
	}
	for i, s := range w.Seats {
		place, err := v.place(domain.Seat(i), s, w.Before, again)
		if err != nil {
			return ans, err
		}
		w.Places = append(w.Places, place)
	}
	if ans, err = v.Desk.Open(v.Ctx(), v.Actor(v.Me), id, w.NewTable); err != nil {
		return ans, err
	}
	return ans, v.Commands().Word(At{Table: ans.Table, By: v.Me, ID: id}, w.Words)
}

// fits refuses what the desk would refuse, before anybody is invited: a form offers only what fits, but a program may
// send anything.
func (v NewTables) fits(w TableWish) error {
	rb, _ := v.Rulebook(w.Rulebook)
	if least, most := rb.Seats(FullOr(rb, w.Choices)); len(w.Seats) < least || len(w.Seats) > most {
		return domain.Refuse("seats", "least", least, "most", most, "n", len(w.Seats))
	}
	if !slices.Contains(domain.Paces, w.Pace) {
		return domain.Refuse("pace", "pace", w.Pace)
	}
	return nil
}

// place returns one seat of a new table.
func (v NewTables) place(i domain.Seat, w SeatWish, before []domain.TablePlace, again bool) (p domain.TablePlace,
	err error) {
	switch w.Kind {
	case "me":
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{v.Me}}, nil
	case "open":
		return domain.TablePlace{Kind: domain.SeatOpen}, nil
	case "stand-in":
		return domain.TablePlace{Kind: domain.SeatStandIn, StandIn: w.StandIn}, nil
	case "same":
		return v.same(i, before, again)
	case "player":
		p.Kind = domain.SeatPlayer
	case "team":
		p.Kind = domain.SeatTeam
		if w.WithMe {
			p.Invited = append(p.Invited, v.Me)
		}
	default:
		return p, domain.Refuse("seat-kind", "seat", i, "kind", w.Kind)
	}
	if len(w.Invite) > MaxTeam {
		return p, domain.Refuse("one-player", "seat", i)
	}
	for _, who := range w.Invite {
		id, err := v.Invitations().invitee(who, again)
		if err != nil {
			return p, err
		}
		p.Invited = append(p.Invited, id)
	}
	return p, nil
}

// same invites whoever holds the seat at the table branched from.
func (v NewTables) same(i domain.Seat, before []domain.TablePlace, again bool) (p domain.TablePlace, err error) {
	if int(i) >= len(before) {
		return p, domain.Refuse("no-seat", "seat", i)
	}
	was := before[i]
	switch {
	case !was.Holds(v.Me) && (was.Kind == domain.SeatStandIn || was.Resigned):
		// whose seat a stand-in only keeps is invited, below
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
			if err := v.Invitations().askAgain(id); err != nil {
				return p, err
			}
		}
		p.Invited = append(p.Invited, id)
	}
	return p, nil
}

// Branch returns a wish for a table that goes on from a branch of another table.
func Branch(look desk.Look, b *domain.Branch, pace string) TableWish {
	return TableWish{Before: look.Table.Places,
		NewTable: desk.NewTable{Rulebook: look.Table.Rulebook, Choices: look.Table.Choices, Pace: pace, Branch: b}}
}

// FullOr returns the game's options with what was chosen, or the defaults if that choice is not possible.
func FullOr(rb domain.Rulebook, given domain.Choices) domain.Choices {
	full, err := domain.Complete(rb, given)
	if err != nil {
		full, _ = domain.Complete(rb, nil) // the defaults are always allowed
	}
	return full
}
