package http

import (
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// join seats somebody signed in, with the chance they bring.
func (s *Server) join(v *visit) error {
	name, err := v.tableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return errSignIn
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
	return kept{chance: v.c.FormValue("chance"), name: v.c.FormValue("name")}
}

// sit takes a seat for a person: nil, or a refusal to be shown.
func (v *visit) sit(table events.Name, who domain.PersonID) (*domain.Refusal, error) {
	if refused, err := v.nameFirst(who); refused != nil || err != nil {
		return refused, err
	}
	seat, bytes := v.formSeat(), []byte(strings.TrimSpace(v.c.FormValue("chance")))
	if len(bytes) > maxChance {
		bytes = bytes[:maxChance]
	}
	return v.command(table, who, events.Join{Seat: seat, Chance: bytes})
}

// maxChance is the most bytes of chance one person may bring.
const maxChance = 400

// decline says no to a seat, gives one up, or takes an invitation back.
func (s *Server) decline(v *visit) error {
	whom := domain.PersonID(v.c.FormValue("person"))
	if whom == "" {
		whom = v.Me
	}
	return v.atTable(events.Decline{Seat: v.formSeat(), Person: whom}, "declined", kept{})
}

// invite asks somebody to take a seat, by address.
func (s *Server) invite(v *visit) error {
	name, err := v.tableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return errSignIn
	}
	look, err := s.Desk.Look(v.ctx(), name)
	if err != nil {
		return err
	}
	k := kept{address: v.c.FormValue("address")}
	if look.Table.Opener != v.Me {
		return v.showTable(name, nethttp.StatusConflict, domain.Refuse("opener-only"), k)
	}
	whom, refused, err := v.friend(k.address, v.c.FormValue("language"))
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showTable(name, nethttp.StatusConflict, refused, k)
	}
	return v.atTable(events.Invite{Seat: v.formSeat(), Person: whom}, "invited", k)
}

// fill makes an empty seat a stand-in's, or open again.
func (s *Server) fill(v *visit) error {
	return v.atTable(events.Fill{Seat: v.formSeat(), StandIn: v.c.FormValue("standin")}, "filled", kept{})
}

// abandon gives up a table that has not started.
func (s *Server) abandon(v *visit) error {
	return v.atTable(events.Abandon{}, "ended", kept{})
}
