package door

import (
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/guard"
	"posthorn/projections/turn"
)

// A study is its maker's. Once no game that it goes on from has anything secret left, its maker may let whoever has its link
// look at it, and persons whom they name. Not before: its moves in the open show what its maker knew.

// mayShare reports whether a table is a study that the reader may share. Refused: "share-running" while a game that it goes on
// from runs, "share-others" where it is not theirs alone, or goes on from somebody's study.
func (v *Visit) mayShare(look events.Look) error {
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

// Share lets whoever has the link of the study of the address look at it, or no longer.
func (v *Visit) Share(on bool) error {
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

// Sharing is how the reader may share a study of theirs, and with whom they do.
type Sharing struct {
	On    bool     // with whoever has its link
	With  []Friend // with these
	Known []Friend // who sat at the game that it goes on from, and it is not shared with
}

// Friend is somebody by their name.
type Friend struct {
	ID   domain.PersonID `json:"person"`
	Name string          `json:"name"`
}

// Sharing is nil where the study of the address is not the reader's to share.
func (v *Visit) Sharing() (*Sharing, error) {
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
	return s, err
}

// satThere are the others of the game that a study goes on from.
func (v *Visit) satThere(study events.Look) ([]domain.PersonID, error) {
	name, err := events.ParseName(study.Table.Branch.Table)
	if err != nil {
		return nil, events.ErrNoStream
	}
	from, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(from.Table.People()), func(id domain.PersonID) bool { return id == v.Me }), nil
}

func (v *Visit) friends(ids []domain.PersonID) ([]Friend, error) {
	out := make([]Friend, len(ids))
	for i, id := range ids {
		name, err := v.Called(id)
		if err != nil {
			return nil, err
		}
		out[i] = Friend{id, name}
	}
	slices.SortStableFunc(out, func(a, b Friend) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Whom names somebody: one who sat at the game, or with whom a study is shared, by person; anybody by address.
type Whom struct {
	Person   string `json:"person" form:"person"`
	Address  string `json:"address" form:"address"`
	Language string `json:"language" form:"language"`
}

// shareLimit is with how many addresses somebody shares in an hour.
const shareLimit = 60

// ShareWith lets somebody look at the study of the address, or no longer. They find it in their list; nothing is mailed. Refused,
// besides what mayShare refuses: "share-whom", "share-many", and what is no address.
func (v *Visit) ShareWith(whom Whom, on bool) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	id := domain.PersonID(whom.Person)
	if !on { // whatever has become of the study
		if _, err := events.ParseName(whom.Person); err != nil {
			return domain.Refuse("share-whom")
		}
		return v.People.ShareNoMore(v.Ctx(), v.Me, look.Name, id)
	}
	if err := v.mayShare(look); err != nil {
		return err
	}
	if id == "" {
		if id, err = v.byAddress(whom); err != nil {
			return err
		}
	} else {
		known, err := v.satThere(look)
		if err != nil {
			return err
		}
		if !slices.Contains(known, id) {
			return domain.Refuse("share-whom")
		}
	}
	if id == v.Me {
		return domain.Refuse("share-whom")
	}
	return v.People.ShareWith(v.Ctx(), v.Me, look.Name, id)
}

// byAddress is the person of an address, whether they have been here or not: nobody is told which.
func (v *Visit) byAddress(whom Whom) (domain.PersonID, error) {
	a, err := people.ParseAddress(whom.Address)
	if err != nil {
		return "", err
	}
	wait, err := v.People.Take(v.Ctx(), people.Limit{What: "share\x00" + string(v.Me), Most: shareLimit, Per: time.Hour})
	if err == nil && wait > 0 {
		err = guard.Busy{Wait: wait}
	}
	if err != nil {
		return "", err
	}
	lang := whom.Language
	if !Known(lang) {
		lang = v.Lang
	}
	p, err := v.People.Ensure(v.Ctx(), a, lang)
	return p.ID, err
}

// SharedRow is a study that somebody shares with the reader.
type SharedRow struct {
	InboxRow
	By   string // its maker
	Said bool   // the title says that it is a study, and whose
}

// sharedTo lists the studies that others share with the reader, those that moved last on top.
func (v *Visit) sharedTo() (out []SharedRow, err error) {
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
		row := SharedRow{InboxRow: InboxRow{Table: study, Game: m.Rulebook, Version: m.Version, Title: m.Title, Sentence: m.Sentence, Since: m.At}}
		if row.By, err = v.Called(look.Table.Opener); err != nil {
			return nil, err
		}
		row.Said = turn.TitledStudy(look.Table)
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b SharedRow) int { return b.Since.Compare(a.Since) })
	return out, nil
}

// shown reports whether a study that somebody is no part of is shared with them, or with whoever has its link.
func (v *Visit) shown(study events.Name, who domain.PersonID) (bool, error) {
	on, err := v.People.Shared(v.Ctx(), study)
	if err == nil && !on && who != "" {
		var with []domain.PersonID
		with, err = v.People.SharedWith(v.Ctx(), study)
		on = slices.Contains(with, who)
	}
	if err != nil || !on {
		return false, err
	}
	look, err := v.Desk.Look(v.Ctx(), study)
	return err == nil && !look.Table.Waits, err
}
