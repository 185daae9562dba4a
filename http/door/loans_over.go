package door

import (
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
)

// over reports whether what a letter lent this browser is over: a later one was acted on, or has come; its person acted
// otherwise; or it was pressed in another browser since.
func (v Loans) over(look desk.Look, f pass.Facts, lent bool) (bool, error) {
	if !lent || look.Table == nil {
		return true, nil
	}
	return v.Desk.Called(v.Ctx(), look, f.Person, CameUp(f.Since))
}

// LetterOver reports whether a letter no longer shows what its person may see, in whatever browser: they were asked
// anew or acted otherwise, a later one was acted on, or as long as a loan lasts has passed since what it is about came
// up.
func (v Loans) LetterOver(look desk.Look, p domain.PersonID, letter uint64) (bool, error) {
	if !v.Now().Before(CameUp(letter).Add(SeatLasts)) {
		return true, nil
	}
	press, err := v.People.Pressed(v.Ctx(), p, v.Table)
	if err != nil || press.Letter > letter { // what is done signed in counts as a letter of that time
		return err == nil, err
	}
	return v.Desk.Called(v.Ctx(), look, p, CameUp(letter))
}

// CameUp returns when what a letter is about came up.
func CameUp(letter uint64) time.Time { return time.UnixMilli(int64(letter)) } // #nosec G115 -- see LetterOf

// LetterOf orders letters about what an event brought up.
func LetterOf(rec *events.Record) uint64 { return uint64(rec.At.UnixMilli()) } // #nosec G115 -- after 1970

// sits reports whether a person still has a seat that a browser can be lent, or is asked to take one.
func sits(t *domain.Table, id domain.PersonID) bool {
	_, invited := t.InvitedTo(id)
	return len(t.SeatsOf(id)) > 0 || t.Status == domain.TableOpen && invited
}

// looks reads a table for what was lent there; the zero Look if it cannot be read, which its page says.
func (v Loans) looks(table events.Name) (desk.Look, error) {
	look, err := v.Desk.Glance(v.Ctx(), table)
	if errors.Is(err, events.ErrNoStream) || errors.As(err, new(*desk.Unreadable)) {
		return desk.Look{}, nil
	}
	return look, err
}

// Elsewhere reports whether a move of a table's main line is the reader's, but was not made in this browser since it
// was lent their seat: that it does not take back.
func (v Loans) Elsewhere(line events.Name, version uint64) (bool, error) {
	rec, err := events.LoadOne(v.Ctx(), v.Desk.Log(), line, version)
	if err != nil {
		return false, err
	}
	meta, err := events.ReadMeta(&rec)
	i := slices.IndexFunc(v.Lent, func(l Lent) bool { return v.Seated && l.ID == v.Me })
	return err == nil && meta.By == v.Me && i >= 0 && (meta.Door != domain.DoorPage || rec.At.Before(v.Lent[i].since)),
		err
}
