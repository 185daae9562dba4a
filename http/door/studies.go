package door

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/guard"
	"posthorn/projections/turn"
)

// A study belongs to its maker. Once no game that it goes on from has any secrets left, its maker may let anybody with
// its link look at it, and people they name. Not before: its open moves show what its maker knew.

// mayShare refuses unless a table is a study that the reader may share: with "share-running" while a game that it goes
// on from is running, with "share-others" if it is not the reader's alone, or goes on from somebody's study.
func (v Studies) mayShare(look desk.Look) error {
	t := look.Table
	switch {
	case !t.Private || t.Branch == nil || t.Opener != v.Me || len(t.People()) != 1:
		return domain.Refuse("share-others")
	case t.Waits:
		return domain.Refuse("share-running")
	}
	name, err := events.ParseName(t.Branch.Table)
	if err != nil {
		return events.ErrNoStream
	}
	from, err := v.Desk.Look(v.Ctx(), name)
	if err == nil && from.Table.Private {
		err = domain.Refuse("share-others")
	}
	return err
}

// Share lets anybody with its link look at the study of the address, or stops that.
func (v Studies) Share(on bool) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if on {
		if err := v.mayShare(look); err != nil {
			return err
		}
	}
	return v.People.SetShared(v.Ctx(), v.Me, look.Name, on)
}

// Sharing is how a study of the reader's is shared.
type Sharing struct {
	On    bool     // with anybody who has its link
	With  []Friend // the people it is shared with
	Known []Friend // people who sat at the game that it goes on from, and with whom it is not shared
}

// Friend is a person and their name, or an address.
type Friend struct {
	ID      domain.PersonID `json:"person,omitempty"`
	Address people.Address  `json:"address,omitempty"` // as the reader typed it, who learns nothing of whose it is
	Name    string          `json:"name"`
}

// Ref names a friend to [Studies.ShareNoMore].
func (f Friend) Ref() string { return cmp.Or(string(f.ID), string(f.Address)) }

// Sharing returns nil if the reader may not share the study of the address.
func (v Studies) Sharing() (*Sharing, error) {
	look, err := v.Look()
	if err != nil || !look.Table.Private || !v.SignedIn() || look.Table.Opener != v.Me {
		return nil, err
	}
	err = v.mayShare(look)
	if _, refused := domain.AsRefusal(err); refused {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Sharing{With: []Friend{}, Known: []Friend{}}
	if s.On, err = v.People.Shared(v.Ctx(), look.Name); err != nil {
		return nil, err
	}
	with, err := v.People.SharedWith(v.Ctx(), look.Name)
	if err != nil {
		return nil, err
	}
	known, err := v.satThere(look)
	if err != nil {
		return nil, err
	}
	known = slices.DeleteFunc(known, func(id domain.PersonID) bool { return slices.Contains(with, id) })
	if s.With, err = v.friends(with); err == nil {
		s.Known, err = v.friends(known)
	}
	if err != nil {
		return nil, err
	}
	addresses, err := v.People.SharedWithAddresses(v.Ctx(), look.Name)
	for _, a := range addresses {
		s.With = append(s.With, Friend{Address: a, Name: string(a)})
	}
	return s, err
}

// satThere returns the other people at the game that a study goes on from.
func (v Studies) satThere(study desk.Look) ([]domain.PersonID, error) {
	name, err := events.ParseName(study.Table.Branch.Table)
	if err != nil {
		return nil, events.ErrNoStream
	}
	from, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(from.Table.People()), func(id domain.PersonID) bool { return id == v.Me }),
		nil
}

func (v Studies) friends(ids []domain.PersonID) ([]Friend, error) {
	out := make([]Friend, len(ids))
	for i, id := range ids {
		name, err := v.Called(id)
		if err != nil {
			return nil, err
		}
		out[i] = Friend{ID: id, Name: name}
	}
	slices.SortStableFunc(out, func(a, b Friend) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Whom names somebody: by person if they sat at the game, anybody by address.
type Whom struct {
	Person   string `json:"person"`
	Address  string `json:"address"`
	Language string `json:"language"` // programs may say it; it counts for nothing
}

// shareLimit is the number of addresses a person may share with in an hour.
const shareLimit = 60

// ShareWith lets somebody look at the study of the address. They find it in their list; no mail is sent. Besides what
// mayShare refuses, it refuses with "share-whom" or "share-many", and refuses invalid addresses.
func (v Studies) ShareWith(whom Whom) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if err := v.mayShare(look); err != nil {
		return err
	}
	if whom.Person == "" {
		return v.shareWithAddress(look.Name, whom.Address)
	}
	known, err := v.satThere(look)
	if err != nil {
		return err
	}
	id := domain.PersonID(whom.Person)
	if !slices.Contains(known, id) {
		return domain.Refuse("share-whom")
	}
	return v.People.ShareWith(v.Ctx(), v.Me, look.Name, id)
}

// shareWithAddress does the same whether or not anybody here has the address: nobody learns which.
func (v Studies) shareWithAddress(study events.Name, address string) error {
	a, err := people.ParseAddress(address)
	if err != nil {
		return err
	}
	if p, err := v.People.ByAddress(v.Ctx(), a); err == nil && p.ID == v.Me {
		return domain.Refuse("share-whom")
	} else if err != nil && !errors.Is(err, people.ErrNobody) {
		return err
	}
	wait, err := v.People.Take(v.Ctx(),
		people.Limit{What: "share\x00" + string(v.Me), Most: shareLimit, Per: time.Hour})
	if err != nil {
		return err
	}
	if wait > 0 {
		return guard.Busy{Wait: wait}
	}
	return v.People.ShareWithAddress(v.Ctx(), v.Me, study, a)
}

// ShareNoMore stops sharing the study of the address with a person or an address (see [Friend.Ref]), whatever has
// become of it. It refuses with "share-whom" for what is neither.
func (v Studies) ShareNoMore(ref string) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if a, err := people.ParseAddress(ref); err == nil {
		return v.People.ShareWithAddressNoMore(v.Ctx(), v.Me, look.Name, a)
	}
	if _, err := events.ParseName(ref); err != nil {
		return domain.Refuse("share-whom")
	}
	return v.People.ShareNoMore(v.Ctx(), v.Me, look.Name, domain.PersonID(ref))
}

// SharedRow is a study that somebody shares with the reader.
type SharedRow struct {
	InboxRow
	By   string // its maker
	Said bool   // the title says that it is a study, and whose
}

// sharedTo lists the studies that others share with the reader, most recently moved first.
func (v Studies) sharedTo() (out []SharedRow, err error) {
	studies, err := v.People.SharedTo(v.Ctx(), v.Me)
	if err != nil {
		return nil, err
	}
	for _, study := range studies {
		if err := v.MaySee(study, v.Me); errors.Is(err, events.ErrNoStream) {
			continue
		} else if err != nil {
			return nil, err
		}
		m, err := v.Maker.Turn(v.Ctx(), study, v.Asker())
		if err != nil {
			continue // it cannot be read; its own page says so
		}
		look, err := v.Desk.Look(v.Ctx(), study)
		if err != nil {
			return nil, err
		}
		row := SharedRow{InboxRow: InboxRow{Table: study, Game: m.Rulebook, Version: m.Version, Title: m.Title,
			Sentence: m.Sentence, Since: m.At}}
		if row.By, err = v.Called(look.Table.Opener); err != nil {
			return nil, err
		}
		row.Said = turn.TitledStudy(look.Table)
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b SharedRow) int { return b.Since.Compare(a.Since) })
	return out, nil
}

// shown reports whether a study is shared with a person who has no part in it, or with anybody who has its link.
func (v Studies) shown(study events.Name, who domain.PersonID) (bool, error) {
	on, err := v.People.Shared(v.Ctx(), study)
	if err == nil && !on && who != "" {
		on, err = v.People.IsSharedWith(v.Ctx(), study, who)
	}
	if err != nil || !on {
		return false, err
	}
	look, err := v.Desk.Look(v.Ctx(), study)
	return err == nil && !look.Table.Waits, err
}
