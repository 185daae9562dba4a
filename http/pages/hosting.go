package pages

import (
	"maps"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
)

// hosting is the page of those who run the house: how its mails fare.
type hosting struct {
	Queue       door.Queue
	Unreachable []unreached
}

type unreached struct{ Name, Address, Why string }

// host shows how the mails of the house fare, to those who run it.
func (v *visit) host() error {
	if !v.IsHost() || v.Mails == nil {
		return events.ErrNoStream // for everybody else there is no such page
	}
	q, err := v.Mails.Queue(v.Ctx())
	if err != nil {
		return err
	}
	page := hosting{Queue: q}
	all, err := v.Mails.Unreachable(v.Ctx())
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		p, known, err := v.Person(id)
		if err != nil {
			return err
		}
		if known {
			page.Unreachable = append(page.Unreachable, unreached{p.Name, string(p.Address), all[id]})
		}
	}
	return v.render("hosting", sheet{Title: v.T("page.host.title"), Body: page})
}

// fare says to the opener how the invitation of somebody fares, with the address that they typed. A table that
// was branched asks people whose address its opener need not know.
func (v *visit) fare(t *domain.Table, id domain.PersonID) (string, error) {
	if v.Mails == nil || id == v.Me {
		return "", nil
	}
	f, ok, err := v.Mails.Invitation(v.Ctx(), v.Table, id)
	if err != nil || !ok {
		return "", err
	}
	p, known, err := v.Person(id)
	if err != nil || !known {
		return "", err
	}
	to := string(p.Address)
	if t.Branch != nil {
		if to, err = v.Called(id); err != nil {
			return "", err
		}
	}
	return v.T("page.fare."+f.State, "to", to, "why", f.Why), nil
}

// inviteAgain sends an invitation once more that was not answered.
func (v *visit) inviteAgain() error {
	var in door.Input
	if err := v.read(&in, "person"); err != nil {
		return err
	}
	at, err := v.at(v.Me)
	if err == nil {
		_, err = v.InviteAgain(at, in.Seat.At(), domain.PersonID(in.Person))
	}
	return v.after(err, v.Home(), "invited")
}
