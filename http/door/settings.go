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
	return v.People.SetSettings(v.Ctx(), v.Me, people.Settings{Mails: TurnMails(wanted)})
}

// TurnMails turns kinds of mail on and off, given those that are off; what is not named stays as it is. Somebody who
// wanted none has those that are named on, and no others.
func TurnMails(wanted map[string]bool) func(off []string) []string {
	if len(wanted) == 0 {
		return nil
	}
	return func(off []string) []string {
		none := slices.Contains(off, people.AllMails)
		if none {
			off = nil
		}
		for _, k := range MailKinds {
			on, named := wanted[k]
			if !named {
				on = !none && !slices.Contains(off, k)
			}
			if off = slices.DeleteFunc(off, func(o string) bool { return o == k }); !on {
				off = append(off, k)
			}
		}
		return off
	}
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
