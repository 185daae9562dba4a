package door

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// MailKinds are the kinds of mail that can be switched off.
var MailKinds = []string{"turn", "consent", "invitation", "over", "news", "reminder", "nudge"}

// SetMails turns kinds of mail on and off for the reader; what is not named stays as it is.
func (v *Visit) SetMails(wanted map[string]bool) error {
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil || len(wanted) == 0 {
		return err
	}
	none := slices.Contains(p.MailsOff, people.AllMails)
	if none {
		if err := v.People.SetMails(v.Ctx(), p.ID, people.AllMails, true); err != nil {
			return err
		}
		p.MailsOff = nil
	}
	for _, k := range MailKinds {
		on, named := wanted[k]
		if !named {
			on = p.Wants(k) && !none
		}
		if on != p.Wants(k) {
			if err := v.People.SetMails(v.Ctx(), p.ID, k, on); err != nil {
				return err
			}
		}
	}
	return nil
}

// TurnMailsAt is the turn mails of a table, as they are switched off there.
func TurnMailsAt(table events.Name) string { return people.AtTable("turn", table) }

// SaveNote keeps what the reader notes for themselves at the table of the address.
func (v *Visit) SaveNote(text string) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if !look.Table.Knows(v.Me) {
		return domain.Refuse("not-a-player")
	}
	return v.People.SetNote(v.Ctx(), v.Me, v.Table, strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"))
}
