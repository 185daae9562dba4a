package door

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events/people"
)

// Nameless tells whether a person has no name yet.
func (v *Visit) Nameless(id domain.PersonID) (bool, error) {
	p, err := v.People.Person(v.Ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return false, nil
	}
	return p.Name == "", err
}

// NameFirst gives a person who has no name yet the one they send.
func (v *Visit) NameFirst(id domain.PersonID, name string) error {
	none, err := v.Nameless(id)
	if err != nil || !none {
		return err
	}
	return v.People.SetName(v.Ctx(), id, name)
}

// Called is what a person is called.
func (v *Visit) Called(id domain.PersonID) (string, error) {
	return v.Maker.Name(v.Ctx(), v.Print, id)
}

// MayOpen tells whether the reader may open tables.
func (v *Visit) MayOpen() (bool, error) {
	if slices.Contains(v.Hosts, v.Me) {
		return true, nil
	}
	if v.Opening == OpenInvited {
		return v.People.Invited(v.Ctx(), v.Me)
	}
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil {
		return false, err
	}
	return !p.Confirmed.IsZero(), nil
}

// Friend finds the person of an address that the reader invites, within their quota. What
// depends on the address alone is not told.
func (v *Visit) Friend(address, language string) (domain.PersonID, error) {
	a, err := people.ParseAddress(address)
	if err != nil {
		return "", err
	}
	send, err := v.People.MayInvite(v.Ctx(), v.Me, a)
	if err != nil {
		return "", err
	}
	p, err := v.People.Ensure(v.Ctx(), a, language)
	if err != nil {
		return "", err
	}
	return p.ID, v.withhold(p.ID, send)
}

// AskAgain invites somebody the reader has played with, within their quota.
func (v *Visit) AskAgain(id domain.PersonID) error {
	if id == v.Me {
		return nil
	}
	p, err := v.People.Person(v.Ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return nil // forgotten: nobody is written to, and the opener can give the seat away
	}
	if err != nil {
		return err
	}
	send, err := v.People.MayInvite(v.Ctx(), v.Me, p.Address)
	if err != nil {
		return err
	}
	return v.withhold(id, send)
}

func (v *Visit) withhold(id domain.PersonID, send bool) error {
	if send || v.Withhold == nil {
		return nil
	}
	if err := v.Withhold(v.Ctx(), id); err != nil {
		return fmt.Errorf("withhold an invitation: %w", err)
	}
	return nil
}

// MaxText is the most octets of a reason or of chat.
const MaxText = 2000

// Sealed encrypts what the reader wrote with their key. Nothing is made of an empty text.
func (v *Visit) Sealed(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	for len(text) > MaxText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return v.People.Encrypt(v.Ctx(), v.Me, []byte(text))
}

// Opened reads what somebody wrote, or "" where that can no longer be read.
func (v *Visit) Opened(id domain.PersonID, cipher []byte) string {
	text, err := v.People.Decrypt(v.Ctx(), id, cipher)
	if err != nil {
		return ""
	}
	return string(text)
}

// TokenDays is how long a token of the API lasts whose maker does not say.
const TokenDays = 90
