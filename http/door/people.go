package door

import (
	"errors"

	"posthorn/domain"
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

// Opened decrypts what somebody wrote; it returns "" if that can no longer be read.
func (v *Visit) Opened(id domain.PersonID, cipher []byte) string {
	text, err := v.People.Decrypt(v.Ctx(), id, cipher)
	if err != nil {
		return ""
	}
	return string(text)
}
