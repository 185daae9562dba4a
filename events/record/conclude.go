package record

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// ErrUnfinished is returned if the record of a table handed over from here does not prove its end.
var ErrUnfinished = errors.New("the record does not prove that the table has ended")

// Conclude notes the end of a table after it was handed over from here, as its finished record proves it, so that
// whatever waits here for that end may open. The record must be complete and valid, and its events must match those
// in this log, as far as the log goes. Calling it twice changes nothing.
func Conclude(ctx context.Context, d *desk.Desk, f *File, named func(string) (domain.Rulebook, bool)) (*Report,
	error) {
	table := f.Header.Table
	look, err := d.Look(ctx, table)
	if errors.Is(err, events.ErrNoStream) || err == nil && look.Table.End != domain.EndHanded {
		return nil, domain.Refuse("not-handed-over")
	}
	if err != nil {
		return nil, err
	}
	v := newVerifier(f)
	report := v.report
	if err := v.all(named, nil); err != nil {
		return report, err
	}
	if !report.Judged || report.Hidden > 0 {
		return report, fmt.Errorf("%w: its luck and legality cannot be judged", ErrUnfinished)
	}
	if err := v.continues(ctx, d.Log(), look); err != nil {
		return report, err
	}
	end, at := v.end()
	if end == nil {
		return report, ErrUnfinished
	}
	if end.Seed != look.Table.Seed {
		return report, f.fault(at, "its seed is not the one that was committed to here")
	}
	if look.Table.Revealed {
		return report, nil // it is noted already
	}
	hash := f.Events[at].Hash
	_, err = d.DoCaused(ctx, events.Actor{Door: domain.DoorHost}, table,
		events.Because("ended-elsewhere", table[:], hash[:]), desk.Conclude{End: *end, Hash: hash})
	return report, err
}

// continues checks that a record goes on from what was here when its table was handed over.
func (v *verifier) continues(ctx context.Context, log events.Log, look desk.Look) error {
	streams, err := log.Streams(ctx, look.Name)
	if err != nil {
		return fmt.Errorf("streams of table %s: %w", look.Name, err)
	}
	for _, s := range streams {
		if s.Kind != events.KindTable && s.Kind != events.KindLine {
			continue
		}
		recs, err := log.Load(ctx, s.Name, s.Fork, 0)
		if err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
		for i := range recs {
			if recs[i].Type == domain.TableEventType(&domain.HandedOver{}) {
				break // what stands here from then on was not handed over
			}
			if !v.holds(recs[i].Stream, recs[i].Version, recs[i].Hash) {
				return &Fault{Line: 1, Stream: recs[i].Stream, Version: recs[i].Version,
					What: "the record is of another history than the one that was handed over from here"}
			}
		}
	}
	return nil
}

// end returns the event that ended the record's table, and its index; nil if none did.
func (v *verifier) end() (end *domain.Ended, at int) {
	for n, fact := range v.facts {
		i, _ := v.tableEvent(uint64(n + 1))
		switch e := fact.(type) {
		case *domain.Ended:
			end, at = e, i
		case *domain.EndedElsewhere: // it was handed on, and its end came back to where it was handed on from
			end, at = &domain.Ended{Reason: e.Reason, Line: e.Line, Version: e.Version, Ranks: e.Ranks,
				Points: e.Points, Seed: e.Seed}, i
		}
	}
	return end, at
}
