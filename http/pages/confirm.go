package pages

import (
	"posthorn/events/pass"
	"posthorn/http/door"
)

// confirmPage asks whether an answer by mail is its reader's, or says what came of it.
type confirmPage struct {
	Held  door.Held
	Asks  bool
	Said  []string // what came of it; none if it waits no longer
	Table string   // the address of its table's page; "" if it waits no longer
}

// confirming reads the pass that says whose an answer by mail is.
func (v signInPages) confirming() (pass.Facts, error) {
	f, err := v.Passes.Open(v.Ctx(), v.Param("token"), v.Now(), v.People)
	if err != nil || f.Purpose != pass.Confirm || f.Person == "" || v.Answers == nil {
		return f, door.ErrGone
	}
	v.spoken = true
	return f, v.Speak(f.Person)
}

// confirmForm shows the answer and a button.
func (v signInPages) confirmForm() error {
	f, err := v.confirming()
	if err != nil {
		return err
	}
	held, ok, err := v.Answers.Held(v.Ctx(), f)
	if err != nil {
		return err
	}
	return v.confirms(confirmPage{Held: held, Asks: ok})
}

// confirm carries the answer out.
func (v signInPages) confirm() error {
	f, err := v.confirming()
	if err != nil {
		return err
	}
	held, ok, err := v.Answers.Held(v.Ctx(), f)
	if err != nil {
		return err
	}
	page := confirmPage{Held: held}
	if ok {
		page.Said, _, err = v.Answers.Confirm(v.Ctx(), f, v.FormValue("unsigned") != "")
	}
	if err != nil {
		return err
	}
	return v.confirms(page)
}

func (v signInPages) confirms(page confirmPage) error {
	if !page.Held.Table.IsZero() {
		v.Table = page.Held.Table
		page.Table = v.Home()
	}
	return v.render("confirm", sheet{Title: v.T("page.confirm.title"), Body: page})
}
