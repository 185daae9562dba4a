package door

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// TurnMails returns a function from the kinds that are off to those off afterwards; kinds that wanted does not name
// stay as they are. A person who wanted no mail at all gets only the kinds that wanted turns on.
func (v Settings) TurnMails(wanted map[string]bool) func(off []string) []string {
	if len(wanted) == 0 {
		return nil
	}
	return func(off []string) []string {
		none := slices.Contains(off, people.AllMails)
		if none {
			off = nil
		}
		for _, k := range v.People.MailKinds {
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

// SaveNote stores the reader's private note at the table of the address.
func (v Settings) SaveNote(text string) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if !look.Table.Knows(v.Me) {
		return domain.Refuse("not-a-player")
	}
	return v.People.SetNote(v.Ctx(), v.Me, v.Table, strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"))
}

// TokenDays is how many days an API token lasts if its maker does not say.
const TokenDays = 90

// TokenScopes are the scopes of tokens.
func TokenScopes() []string {
	out := make([]string, len(people.Scopes))
	for i, s := range people.Scopes {
		out[i] = string(s)
	}
	return out
}

// MakeToken makes a token for the reader, limited to one table if one is named.
func (v Settings) MakeToken(n people.NewToken, table string) (text string, t people.Token, err error) {
	if table != "" {
		if n.Table, err = events.ParseName(table); err != nil {
			return "", t, events.ErrNoStream
		}
		if err := v.MaySee(n.Table, v.Me); err != nil {
			return "", t, err
		}
	}
	return v.People.MakeToken(v.Ctx(), v.Me, n)
}
