package door

import (
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// Person returns the person with an id; known is false if they were forgotten or were never here.
func (v *Visit) Person(id domain.PersonID) (p people.Person, known bool, err error) {
	p, err = v.People.Person(v.Ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return p, false, nil
	}
	return p, err == nil, err
}

// Nameless reports whether a person has no name yet.
func (v *Visit) Nameless(id domain.PersonID) (bool, error) {
	p, known, err := v.Person(id)
	return known && p.Name == "", err
}

// NameFirst gives a person who has no name yet the name they sent.
func (v *Visit) NameFirst(id domain.PersonID, name string) error {
	none, err := v.Nameless(id)
	if err != nil || !none {
		return err
	}
	return v.People.SetName(v.Ctx(), id, name)
}

// Called returns what a person is called.
func (v *Visit) Called(id domain.PersonID) (string, error) {
	return v.Maker.Name(v.Ctx(), v.Print, id)
}

// invitee finds the person with an address, within the reader's quota. If again is set, the command was done before,
// and invitee counts and writes nothing.
func (v *Visit) invitee(who Invitee, again bool) (domain.PersonID, error) {
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
func (v *Visit) InviteAgain(at At, seat domain.Seat, person domain.PersonID) (desk.Answer, error) {
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
	return v.Command(at, desk.Invite{Seat: seat, Person: person})
}

// Answered notes that a person has answered the opener of the table.
func (v *Visit) Answered(person domain.PersonID) error {
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
func (v *Visit) askAgain(id domain.PersonID) error {
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
func (v *Visit) Closed() (bool, error) {
	now, _, err := v.People.Signup(v.Ctx())
	return now == people.SignupClosed, err
}

func (v *Visit) withhold(id domain.PersonID, send bool) error {
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

// Opened decrypts what somebody wrote; it returns "" if that can no longer be read.
func (v *Visit) Opened(id domain.PersonID, cipher []byte) string {
	text, err := v.People.Decrypt(v.Ctx(), id, cipher)
	if err != nil {
		return ""
	}
	return string(text)
}

// TokenDays is how many days an API token lasts if its maker does not say.
const TokenDays = 90

// TokenScopes are the scopes of tokens.
func TokenScopes() []string {
	out := make([]string, len(people.Scopes))
	for i, s := range people.Scopes {
		out[i] = string(s)
	}
	return out
}

// MakeToken makes a token for the reader, limited to one table if one is named.
func (v *Visit) MakeToken(n people.NewToken, table string) (text string, t people.Token, err error) {
	if table != "" {
		if n.Table, err = events.ParseName(table); err != nil {
			return "", t, events.ErrNoStream
		}
		if err := v.MaySee(n.Table, v.Me); err != nil {
			return "", t, err
		}
	}
	return v.People.MakeToken(v.Ctx(), v.Me, n)
}
