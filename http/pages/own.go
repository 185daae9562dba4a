package pages

import (
	"context"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/http/guard"
)

// changeAddress mails a link to the reader's new address. Its answer is the same whether or not somebody else has that
// address.
func (v settingsPages) changeAddress() error {
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	a, err := people.ParseAddress(v.FormValue("address"))
	if err != nil {
		return err
	}
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	if a == p.Address {
		return domain.Refuse("address-same")
	}
	me, lang, h := v.Me, v.Lang, v.Parts // the visit ends with the answer
	if !v.site.aside.do(func(ctx context.Context) {
		token, send, err := h.People.AskAddress(ctx, me, a)
		if err == nil && send {
			err = h.Post.Address(ctx, string(a), token.Text(), lang)
		}
		if err != nil {
			h.Log.Error("a mail about a new address was not written", "error", err)
		}
	}) {
		return guard.Busy{Wait: asideLasts}
	}
	return v.see("/settings", "address")
}

// saveNote stores the reader's private note at a table.
func (v settingsPages) saveNote() error {
	return v.after(v.Settings().SaveNote(v.FormValue("note")), v.Home(), "saved")
}

// note returns the reader's private note at a page's table; ok is false if they cannot keep notes there. A seat that a
// browser keeps gives no access to notes.
func (v settingsPages) note(g *gamePage) (text string, ok bool, err error) {
	if !v.SignedIn() || g.As != "" || g.Past != nil || !g.Noted {
		return "", false, nil
	}
	text, err = v.People.Note(v.Ctx(), v.Me, g.M.Table)
	return text, err == nil, err
}
