package door

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// invites returns the person whom somebody asks to take a seat, if the table lets them ask; else it refuses.
func (v Invitations) invites(at At, in Input, refusal string, may func(*domain.Table) bool) (domain.PersonID, error) {
	look, err := v.Desk.Look(v.Ctx(), at.Table)
	if err != nil {
		return "", err
	}
	if !may(look.Table) {
		return "", domain.Refuse(refusal)
	}
	_, again, err := v.Desk.Done(v.Ctx(), at.Table, at.ID)
	if err != nil {
		return "", err
	}
	return v.invitee(Invitee{in.Address, in.Language, in.Name}, again)
}

// invitee finds the person with an address, within the reader's quota. If again is set, the command was done before,
// and invitee counts and writes nothing.
func (v Invitations) invitee(who Invitee, again bool) (domain.PersonID, error) {
	a, err := people.ParseAddress(who.Address)
	if err == nil && who.Name != "" {
		_, err = people.ParseName(who.Name)
	}
	if err != nil {
		return "", err
	}
	if again {
		p, err := v.People.ByAddress(v.Ctx(), a)
		if errors.Is(err, people.ErrNobody) {
			return "", domain.Refuse("command-used")
		}
		return p.ID, err
	}
	send, err := v.People.MayInvite(v.Ctx(), v.Me, a)
	if err != nil {
		return "", err
	}
	p, err := v.People.Ensure(v.Ctx(), a, who.Language)
	if err == nil && who.Name != "" {
		err = v.People.Call(v.Ctx(), p.ID, who.Name)
	}
	if err != nil {
		return "", err
	}
	return p.ID, v.withhold(p.ID, send)
}

// InviteAgain sends another invitation to somebody who has not answered theirs, within the reader's quota.
func (v Invitations) InviteAgain(at At, seat domain.Seat, person domain.PersonID) (desk.Answer, error) {
	var none desk.Answer
	look, err := v.Desk.Look(v.Ctx(), at.Table)
	if err != nil {
		return none, err
	}
	if look.Table.Opener != at.By {
		return none, domain.Refuse("opener-only")
	}
	_, again, err := v.Desk.Done(v.Ctx(), at.Table, at.ID)
	if err != nil {
		return none, err
	}
	if !again {
		if !look.Table.Invites(seat, person) {
			return none, domain.Refuse("not-invited", "seat", seat)
		}
		if err := v.askAgain(person); err != nil {
			return none, err
		}
	}
	return v.Commands().Give(at, desk.Invite{Seat: seat, Person: person})
}

// Answered notes that a person has answered the opener of the table.
func (v Invitations) Answered(person domain.PersonID) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	p, known, err := v.Person(person)
	if err != nil || !known {
		return err
	}
	return v.People.Answered(v.Ctx(), p.Address, look.Table.Opener)
}

// askAgain invites somebody the reader has played with, within the reader's quota.
func (v Invitations) askAgain(id domain.PersonID) error {
	if id == v.Me {
		return nil
	}
	p, known, err := v.Person(id)
	if err != nil || !known {
		return err // forgotten: nobody gets a mail, and the opener can give the seat away
	}
	send, err := v.People.MayInvite(v.Ctx(), v.Me, p.Address)
	if err != nil {
		return err
	}
	return v.withhold(id, send)
}

// Closed reports whether the house accepts nobody new, so that invitations reach only people who are already here.
func (v Invitations) Closed() (bool, error) {
	now, _, err := v.People.Signup(v.Ctx())
	return now == people.SignupClosed, err
}

func (v Invitations) withhold(id domain.PersonID, send bool) error {
	if send || v.Withhold == nil {
		return nil
	}
	closed, err := v.Closed()
	if err != nil {
		return err
	}
	v.Unsent = !closed // where the house takes nobody new, this would reveal who is here
	if err := v.Withhold(v.Ctx(), id); err != nil {
		return fmt.Errorf("withhold an invitation: %w", err)
	}
	return nil
}

// Person is somebody at a table.
type Person struct {
	Ref  string          `json:"ref"`
	Name string          `json:"name"`
	You  bool            `json:"you"`
	ID   domain.PersonID `json:"-"`
}

// Persons returns people at the table of the address, with names as called returns them.
func (v Invitations) Persons(me domain.PersonID, ids []domain.PersonID,
	called func(domain.PersonID) (string, error)) ([]Person, error) {
	out := []Person{}
	for _, id := range ids {
		name, err := called(id)
		if err != nil {
			return nil, err
		}
		out = append(out, Person{Ref: v.ref(v.Table, id), Name: name, You: me != "" && id == me, ID: id})
	}
	return out, nil
}

// Refers finds the person at the table of the address that a ref names.
func (v Invitations) Refers(ref string) (id domain.PersonID, ok bool, err error) {
	look, err := v.Look()
	if err != nil {
		return "", false, err
	}
	id, ok = v.refers(look.Table, look.Name, ref)
	return id, ok, nil
}

// ref returns a name for a person at one table, for commands about them. It differs from table to table.
func (v Invitations) ref(table events.Name, id domain.PersonID) string {
	m := hmac.New(sha256.New, v.Desk.Keys().For("api person"))
	_, _ = m.Write(table[:])
	_, _ = m.Write([]byte(id))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// refers finds the person at a table that a ref names.
func (v Invitations) refers(t *domain.Table, table events.Name, ref string) (domain.PersonID, bool) {
	for _, p := range t.Places {
		for _, id := range slices.Concat(p.Holders, p.Invited) {
			if v.ref(table, id) == ref {
				return id, true
			}
		}
	}
	return "", false
}
