package pages

import (
	"context"
	"errors"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// addAddress mails a link to an address that the reader wants to add. Its answer is the same whether or not somebody
// else has that address: if so, the address alone is told.
func (v settingsPages) addAddress() error {
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	a, err := people.ParseAddress(v.FormValue("address"))
	if err != nil {
		return err
	}
	have, err := v.People.Addresses(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	if o, mine := people.Theirs(have, a); mine && o.Address == a && o.Until.IsZero() {
		return domain.Refuse("address-same")
	}
	if len(have) >= people.MaxAddresses {
		return domain.Refuse("addresses-many", "n", people.MaxAddresses)
	}
	me, lang, h := v.Me, v.Lang, v.Parts // the visit ends with the answer
	if !v.site.aside.do(func(ctx context.Context) {
		token, send, taken, err := h.People.AskAddress(ctx, me, a)
		if err == nil && send {
			err = h.Post.Address(ctx, string(a), token.Text(), lang)
		}
		if err == nil && taken {
			err = h.Post.Taken(ctx, string(a), lang)
		}
		if err != nil {
			h.Log.Error("a mail about another address was not written", "error", err)
		}
	}) {
		return guard.Busy{Wait: asideLasts}
	}
	return v.see("/settings", "address")
}

// addressLink shows what the link of a mail to an address that somebody wants to add does, and for whom. Whoever else
// opens it, perhaps because the address was mistyped, is only asked to sign in as that person.
func (v signInPages) addressLink(l people.Link) error {
	who, err := v.Called(l.Person)
	if err != nil {
		return err
	}
	return v.render("address", sheet{Title: v.T("page.link.address.title"),
		Body: map[string]any{"Who": who, "Address": string(l.Address), "Mine": v.SignedIn() && v.Me == l.Person}})
}

// addressAdded uses such a link, in a browser of the person whose it is.
func (v signInPages) addressAdded(l people.Link) error {
	if !v.SignedIn() || v.Me != l.Person {
		return v.addressLink(l)
	}
	main := v.FormValue("main") != ""
	c, err := v.People.AddAddress(v.Ctx(), v.Me, v.Param("token"), main)
	if errors.Is(err, people.ErrLink) {
		return v.linkOver()
	}
	return v.changed(c, err, "added")
}

// chooseAddress has the reader's mails go to another of their addresses.
func (v settingsPages) chooseAddress() error {
	c, err := v.People.SetMain(v.Ctx(), v.Me, people.Address(v.FormValue("address")))
	return v.changed(c, err, "saved")
}

// removeAddress takes one of the reader's addresses from them.
func (v settingsPages) removeAddress() error {
	c, err := v.People.RemoveAddress(v.Ctx(), v.Me, people.Address(v.FormValue("address")))
	return v.changed(c, err, "saved")
}

// changed tells the reader's other addresses what became of one, and leads to the settings.
func (v *visit) changed(c people.Change, err error, done string) error {
	for _, to := range c.Tell {
		if err == nil {
			err = v.Post.Changed(v.Ctx(), to, c)
		}
	}
	if err == nil && c.Removed {
		err = v.own().anew(v.Me)
	}
	if err == nil && c.What == people.AddressMain && v.Reached != nil {
		err = v.Reached(v.Ctx(), v.Me, string(c.Address))
	}
	return v.after(err, "/settings", done)
}

// anew withdraws what was mailed to a person until now, and has what they are still asked mailed to where mails go now.
func (v settingsPages) anew(person domain.PersonID) error {
	err := v.People.Withdraw(v.Ctx(), v.Desk, v.Actor(person), person)
	if err == nil {
		err = v.Post.Afresh(v.Ctx(), person)
	}
	return err
}

// backLink shows what takes a change of addresses back.
func (v settingsPages) backLink() error {
	l, err := v.People.BackLink(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return door.ErrGone
	}
	if err == nil {
		err = v.Speak(l.Person)
	}
	if err != nil {
		return err
	}
	v.spoken = true
	return v.showBack(l, false)
}

// takesBack takes it back: what the reader of that address did not want must not go on in any browser.
func (v settingsPages) takesBack() error {
	l, err := v.People.UseBackLink(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return door.ErrGone
	}
	if err != nil {
		return err
	}
	err = v.anew(l.Person)
	if err == nil && v.Reached != nil {
		err = v.Reached(v.Ctx(), l.Person, string(l.Address))
	}
	if err == nil {
		err = v.Speak(l.Person)
	}
	if err != nil {
		return err
	}
	v.spoken = true
	return v.showBack(l, true)
}

func (v settingsPages) showBack(l people.Link, done bool) error {
	return v.ofAccount("back", l.Person, map[string]any{"Address": string(l.Address), "Done": done})
}

// ofAccount shows a page about somebody's account, of which its body has the name, too.
func (v *visit) ofAccount(page string, who domain.PersonID, body map[string]any) (err error) {
	if body["Who"], err = v.Called(who); err != nil {
		return err
	}
	return v.render(page, sheet{Title: v.T("page." + page + ".title"), Body: body})
}

// addressRow is one of the reader's addresses, as their settings show it.
type addressRow struct {
	Address      string
	Main, Failed bool
	Until        string // until when it can take that back, if it was removed
}

func (v settingsPages) addresses(p people.Person) (out []addressRow, err error) {
	all, err := v.People.Addresses(v.Ctx(), p.ID)
	for _, o := range all {
		row := addressRow{Address: string(o.Address), Main: o.Main, Failed: !o.Failed.IsZero()}
		if !o.Until.IsZero() {
			row.Until = v.Print.Moment(o.Until.In(p.Location()))
		}
		out = append(out, row)
	}
	return out, err
}
