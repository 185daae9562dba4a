package door

import (
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
)

// over reports whether what a letter lent is over: a later one was acted on, or has come.
func (v *Visit) over(table events.Name, f pass.Facts) (bool, error) {
	last, err := v.People.Pressed(v.Ctx(), f.Person, table)
	if err != nil || f.Since != last.Letter {
		return true, err
	}
	look, err := v.Desk.Glance(v.Ctx(), table)
	if errors.Is(err, events.ErrNoStream) || errors.As(err, new(*events.Unreadable)) {
		return true, nil // the page says so
	}
	if err != nil {
		return true, err
	}
	return v.askedAnew(look, f)
}

// LetterOf orders letters about what an event brought up.
func LetterOf(rec *events.Record) uint64 { return uint64(rec.At.UnixMilli()) } // #nosec G115 -- after 1970

// askedAnew reports whether a later letter has come than the one that lent a seat: its person was asked to decide since
// by what somebody else did, or their seat was played otherwise than on pages. What they bring up themselves on a page
// belongs to the same turn.
func (v *Visit) askedAnew(look events.Look, f pass.Facts) (bool, error) {
	if look.Line == nil {
		return false, nil
	}
	for _, a := range look.Asks() {
		if a.Kind != events.AskTurn || a.Person != f.Person {
			continue
		}
		rec, err := v.broughtUp(look, a)
		if err != nil || LetterOf(&rec) > f.Since && !byPage(&rec, f.Person) {
			return true, err
		}
	}
	for upTo := look.Line.Version; upTo > 0; {
		after := upTo - min(upTo, 64)
		recs, err := v.Desk.Log().Load(v.Ctx(), look.LineName, after, upTo)
		if err != nil {
			return false, fmt.Errorf("moves since a letter: %w", err)
		}
		for _, rec := range slices.Backward(recs) {
			if LetterOf(&rec) <= f.Since {
				return false, nil
			}
			if byPage(&rec, f.Person) || doorOf(&rec) == events.DoorForced {
				continue
			}
			e, played, err := events.DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
			if err != nil {
				return false, fmt.Errorf("moves since a letter: %w", err)
			}
			if played && e.Seat != domain.Nobody && look.Table.Places[e.Seat].Holds(f.Person) {
				return true, nil
			}
		}
		upTo = after
	}
	return false, nil
}

// broughtUp returns the event that brought up a decision: where a step was taken back, that; where the house made the only
// possible move first, the one before; and at a game's beginning what filled the table.
func (v *Visit) broughtUp(look events.Look, a events.Ask) (rec events.Record, err error) {
	stream, at := a.Stream, a.Open.Since
	main, _ := look.Table.Main()
	if main.Undo && at == main.Fork+1 {
		stream, at = look.Name, main.Since
	}
	for {
		if rec, err = events.LoadOne(v.Ctx(), v.Desk.Log(), stream, at); err != nil {
			return rec, fmt.Errorf("what brought a decision up: %w", err)
		}
		switch {
		case doorOf(&rec) == events.DoorForced && at > 1:
			at--
		case stream == look.LineName && main.Index == 0 && at == main.Fork+1 && main.Since > 1:
			stream, at = look.Name, main.Since-1
		default:
			return rec, nil
		}
	}
}

// byPage reports whether a person gave the command behind an event on a page.
func byPage(rec *events.Record, who domain.PersonID) bool {
	meta, err := events.ReadMeta(rec)
	return err == nil && meta.By == who && meta.Door == events.DoorPage
}

func doorOf(rec *events.Record) string {
	meta, err := events.ReadMeta(rec)
	if err != nil {
		return ""
	}
	return meta.Door
}
