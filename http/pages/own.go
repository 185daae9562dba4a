package pages

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
