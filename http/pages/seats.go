package pages

import (
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"

	"posthorn/http/door"
)

// join seats somebody signed in, with the chance they bring.
func (v *visit) join() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	refused, err := v.sit(name, v.Me)
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showTable(name, nethttp.StatusConflict, refused, v.keptJoin())
	}
	return v.see(tablePath(name), "joined")
}

func (v *visit) keptJoin() kept {
	return kept{chance: v.FormValue("chance"), name: v.FormValue("name")}
}

// sit takes a seat for a person: nil, or a refusal to be shown.
func (v *visit) sit(table events.Name, who domain.PersonID) (*domain.Refusal, error) {
	if err := v.NameFirst(who, v.FormValue("name")); err != nil {
		return refusal(err)
	}
	seat, bytes := v.formSeat(), []byte(strings.TrimSpace(v.FormValue("chance")))
	if len(bytes) > door.MaxChance {
		bytes = bytes[:door.MaxChance]
	}
	return v.command(table, who, events.Join{Seat: seat, Chance: bytes})
}

// decline says no to a seat, gives one up, or takes an invitation back.
func (v *visit) decline() error {
	whom := domain.PersonID(v.FormValue("person"))
	if whom == "" {
		whom = v.Me
	}
	return v.atTable(events.Decline{Seat: v.formSeat(), Person: whom}, "declined", kept{})
}

// invite asks somebody to take a seat, by address.
func (v *visit) invite() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return err
	}
	k := kept{address: v.FormValue("address")}
	if look.Table.Opener != v.Me {
		return v.showTable(name, nethttp.StatusConflict, domain.Refuse("opener-only"), k)
	}
	whom, err := v.Friend(k.address, v.FormValue("language"))
	if r, ok := domain.AsRefusal(err); ok {
		return v.showTable(name, nethttp.StatusConflict, r, k)
	}
	if err != nil {
		return err
	}
	return v.atTable(events.Invite{Seat: v.formSeat(), Person: whom}, "invited", k)
}

// fill makes an empty seat a stand-in's, or open again.
func (v *visit) fill() error {
	return v.atTable(events.Fill{Seat: v.formSeat(), StandIn: v.FormValue("standin")}, "filled", kept{})
}

// abandon gives up a table that has not started.
func (v *visit) abandon() error {
	return v.atTable(events.Abandon{}, "ended", kept{})
}
