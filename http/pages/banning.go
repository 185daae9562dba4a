package pages

import (
	"errors"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// mostPeople is how many people the host's page lists.
const mostPeople = 500

// hostPeople is what the host's page shows about people, and its forms for them.
type hostPeople struct {
	Bans    []banRow
	All     []personRow
	Who     string // the person the form is already about
	Signups []choice
	Pinned  bool // fixed by the program's settings
}

type banRow struct {
	ID                  domain.PersonID
	Name, Address, When string
	Why                 string
}

type personRow struct {
	ID            domain.PersonID
	Name, Address string // the address is shortened
	Host, Asked   bool
	Banned        bool
}

// hostPeople lists who is here and who is banned.
func (v hostPages) hostPeople() (*hostPeople, error) {
	page := &hostPeople{Who: v.FormValue("who")}
	now, pinned, err := v.People.Signup(v.Ctx())
	if err != nil {
		return nil, err
	}
	page.Pinned = pinned
	for _, p := range people.Signups {
		page.Signups = append(page.Signups,
			choice{Value: string(p), Label: v.T("page.host.signup." + string(p)), Selected: p == now})
	}
	bans, err := v.People.Bans(v.Ctx())
	if err != nil {
		return nil, err
	}
	out := map[domain.PersonID]bool{}
	for _, b := range bans {
		row := banRow{ID: b.Person, When: v.Ago(b.Since), Name: v.T("page.host.ban.gone")}
		if p, known, err := v.Person(b.Person); err != nil {
			return nil, err
		} else if known {
			row.Name, row.Address, row.Why = p.Display(), p.Address.Short(), v.Opened(b.Person, b.Reason)
		}
		out[b.Person] = true
		page.Bans = append(page.Bans, row)
	}
	all, err := v.People.List(v.Ctx(), mostPeople)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		page.All = append(page.All, personRow{p.ID, p.Display(), p.Address.Short(), p.Host, p.Confirmed.IsZero(),
			out[p.ID]})
	}
	return page, nil
}

// asHost lets in only the hosts; for everybody else the address does not exist.
func asHost(do func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if !v.IsHost() || v.Hosting == nil {
			return events.ErrNoStream
		}
		return do(v)
	}
}

// meant returns the person that a form names, by account name or by address. It creates the person of an address if
// there is none.
func (v hostPages) meant(text string) (domain.PersonID, error) {
	text = strings.TrimSpace(text)
	if _, err := events.ParseName(text); err == nil {
		p, known, err := v.Person(domain.PersonID(text))
		if err == nil && !known {
			err = domain.Refuse("nobody-such")
		}
		return p.ID, err
	}
	a, err := people.ParseAddress(text)
	if err != nil {
		return "", err
	}
	p, err := v.People.Ensure(v.Ctx(), a, v.Lang)
	return p.ID, err
}

// ban bans somebody.
func (v hostPages) ban() error {
	who, err := v.meant(v.FormValue("who"))
	if err == nil {
		err = v.Hosting.Ban(v.Ctx(), v.Actor(v.Me), who, v.FormValue("reason"))
	}
	return v.after(err, "/host", "banned")
}

// unban lifts somebody's ban.
func (v hostPages) unban() error {
	err := v.Hosting.Unban(v.Ctx(), v.Actor(v.Me), domain.PersonID(v.FormValue("who")))
	if errors.Is(err, people.ErrNobody) {
		err = nil
	}
	return v.after(err, "/host", "unbanned")
}

// letIn lets an address sign in and open tables.
func (v hostPages) letIn() error {
	a, err := people.ParseAddress(v.FormValue("address"))
	if err == nil {
		err = v.People.InviteOpener(v.Ctx(), a)
	}
	return v.after(err, "/host", "letin")
}

// setSignup sets who may sign up at this house.
func (v hostPages) setSignup() error {
	return v.after(v.People.SetSignup(v.Ctx(), people.Signup(v.FormValue("signup"))), "/host", "saved")
}

// Signup tells strangers who may sign in here; "" if everybody may. It is the same for every address.
func (v *visit) Signup() (string, error) {
	switch now, _, err := v.People.Signup(v.Ctx()); {
	case err != nil || now == people.SignupOpen:
		return "", err
	case now == people.SignupClosed:
		return v.T("page.signup.closed"), nil
	default:
		return v.T("page.signup.invited"), nil
	}
}
