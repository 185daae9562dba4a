package pages

import (
	"errors"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// stays says why the reader cannot delete their account now; "" if they can.
func (v settingsPages) stays() (string, error) {
	err := v.People.MayForget(v.Ctx(), v.Me)
	if r, refused := domain.AsRefusal(err); refused {
		return v.T("refuse." + r.Code), nil
	}
	return "", err
}

// askForget mails the reader the link by which they delete their account: a browser that was left signed in is not
// enough.
func (v settingsPages) askForget() error {
	if v.Forget == nil {
		return door.ErrGone
	}
	token, to, send, err := v.People.AskForget(v.Ctx(), v.Me)
	switch {
	case err == nil && send:
		err = v.Post.Forget(v.Ctx(), string(to), token.Text(), v.Lang)
	case err == nil:
		err = guard.Busy{Wait: people.LinkLasts}
	}
	return v.after(err, "/settings", "forget")
}

// forgetting reads the link that deletes an account.
func (v settingsPages) forgetting() (people.Link, error) {
	l, err := v.People.ForgetLink(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) || v.Forget == nil {
		return l, door.ErrGone
	}
	if err == nil {
		v.spoken = true
		err = v.Speak(l.Person)
	}
	return l, err
}

// forgetLink shows a button, and whose account it deletes.
func (v settingsPages) forgetLink() error {
	l, err := v.forgetting()
	if err != nil {
		return err
	}
	return v.showForget(l.Person, false)
}

// forgets deletes the account.
func (v settingsPages) forgets() error {
	l, err := v.forgetting()
	if err != nil {
		return err
	}
	if err := v.Forget(v.Ctx(), v.Actor(l.Person), l.Person); err != nil {
		return err
	}
	if v.Me == l.Person {
		v.Keep(v.SessionCookie(), "", 0)
		v.Who = door.Who{}
	}
	return v.showForget(l.Person, true)
}

func (v settingsPages) showForget(who domain.PersonID, done bool) error {
	return v.ofAccount("forget", who, map[string]any{"Done": done})
}
