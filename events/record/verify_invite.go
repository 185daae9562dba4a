package record

import (
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// lasts checks how long the invitations that an event makes are good: as long as everywhere, or forever, as older
// programs had it.
func (v *verifier) lasts(i int, until time.Time) error {
	if until.IsZero() {
		return nil
	}
	if left := until.Sub(time.UnixMilli(v.f.Events[i].At)); left < domain.InvitationLasts-slack {
		return errors.New("its invitations are good for less time than any are")
	}
	return nil
}

func (v *verifier) inviteAgain(i int, t *domain.Table, e *domain.Invited, meta events.Meta) (domain.TableEvent, error) {
	if err := v.lasts(i, e.Until); err != nil {
		return nil, err
	}
	again, err := t.Invite(meta.By, e.Seat, e.Person)
	if invited, ok := again.(*domain.Invited); ok && err == nil {
		invited.Until = e.Until
	}
	return again, err
}

func (v *verifier) expireAgain(i int, t *domain.Table, e *domain.Expired, meta events.Meta) (domain.TableEvent, error) {
	if time.UnixMilli(v.f.Events[i].At).Before(t.AskedUntil(e.Seat, e.Person).Add(-slack)) {
		return nil, errors.New("an invitation ends before its time is over")
	}
	return byHouse(meta, events.DoorClock, func() (domain.TableEvent, error) { return t.Expire(e.Seat, e.Person) })
}
