package desk

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// What may be wrong with a kept receipt when it is checked against the log.
var (
	// ErrElsewhere is returned for a receipt of another table.
	ErrElsewhere = errors.New("a receipt of another table")
	// ErrCutOff is returned for a receipt of an event that the log does not hold: something was removed, or a backup
	// was restored.
	ErrCutOff = errors.New("the log does not reach as far as the receipt")
	// ErrRewritten is returned for a receipt of a history that differs from the log's.
	ErrRewritten = errors.New("the log says otherwise than the receipt")
	// ErrStayed is returned for a receipt of something that a former server wrote at a table while this log's events
	// of the table were on their way here, or later, such as the event that closed the table there. That event is not
	// here, so nothing was compared.
	ErrStayed = errors.New("the event stayed at the server that the table came from")
)

// CheckReceipt checks a table's receipt against the log and returns what it says. It returns [ErrReceipt] if neither
// this server nor one that had the table before signed it, or [ErrElsewhere], [ErrCutOff], [ErrRewritten] or
// [ErrStayed].
func (d *Desk) CheckReceipt(ctx context.Context, look Look, line string) (events.Receipt, error) {
	r, stayed, err := d.signed(look.Table, line)
	switch {
	case err != nil:
		return r, err
	case r.Table != look.Name:
		return r, ErrElsewhere
	case stayed && r.Stream == look.Name:
		return r, ErrStayed
	}
	rec, err := events.LoadOne(ctx, d.log, r.Stream, r.Version)
	switch {
	case errors.Is(err, events.ErrNoRecord), errors.Is(err, events.ErrNoStream):
		return r, ErrCutOff
	case err != nil:
		return r, fmt.Errorf("check a receipt: %w", err)
	case rec.Hash != r.Hash:
		return r, ErrRewritten
	}
	return r, nil
}

// signed reads a receipt with the key of this server, or of one that had the table before. stayed says that its
// version is another event here, which came from no other server.
func (d *Desk) signed(t *domain.Table, line string) (r events.Receipt, stayed bool, err error) {
	if r, err = events.ReadReceipt(d.keys.PublicKey(), line); err == nil {
		return r, false, nil
	}
	for _, former := range t.Former {
		if r, err := events.ReadReceipt(former.Key, line); err == nil {
			return r, r.Version >= former.Since, nil
		}
	}
	return r, false, err
}
