package pages

import (
	"posthorn/events"
)

// front is the inbox of whoever is signed in, and otherwise a welcome.
func (v *visit) front() error {
	if !v.SignedIn() {
		return v.render("front", sheet{})
	}
	box, err := v.Inbox()
	if err != nil {
		return err
	}
	return v.render("inbox", sheet{Title: v.T("page.nav.inbox"), Mine: len(box.Awaits)+len(box.Invited) > 0, Body: box})
}

// another is the table, after this one, that has awaited the reader longest; "" if none does.
func (v *visit) another(table events.Name) (string, error) {
	items, err := v.Views.Inbox(v.Ctx(), v.Me)
	if err != nil {
		return "", err
	}
	for _, it := range items {
		if len(it.Awaited) == 0 || it.Table == table {
			continue
		}
		m, err := v.Listed(it)
		if err != nil {
			return "", err
		}
		if m != nil && m.Asked(events.AskTurn) {
			return tablePath(it.Table), nil
		}
	}
	return "", nil
}
