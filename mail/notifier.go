package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/events"
)

// Notifier finds out from the log who is to be written to.
type Notifier struct {
	Desk   *events.Desk
	Outbox *Outbox
	// Patience is how long a mail waits about what its person's own move on a page has brought
	// up: the page has led them on to it, and they are mostly still there. If they have gone,
	// the mail goes out then; if they play, it is dropped.
	Patience time.Duration
}

// Run follows the log until the context ends.
func (n *Notifier) Run(ctx context.Context, f events.Follower) error {
	pos, err := n.Outbox.Position(ctx)
	if err != nil {
		return err
	}
	return f.Follow(ctx, pos, func(ctx context.Context, recs []events.Record) error {
		tables, err := events.Touched(ctx, n.Desk.Log(), recs)
		if err != nil {
			return fmt.Errorf("notifier: %w", err)
		}
		notices, err := n.Wanted(ctx, tables...)
		if err != nil {
			return err
		}
		return n.Outbox.Want(ctx, recs[len(recs)-1].Pos, notices...)
	})
}

// Remind wants the mails about everything that is open at these tables now. The host asks
// for it after the mail queue was lost; what was written already is not written again.
func (n *Notifier) Remind(ctx context.Context, tables []events.Name) error {
	notices, err := n.Wanted(ctx, tables...)
	if err != nil {
		return err
	}
	return n.Outbox.Want(ctx, 0, notices...)
}

// Wanted lists the mails that tables as they stand call for, written already or not.
func (n *Notifier) Wanted(ctx context.Context, tables ...events.Name) ([]Notice, error) {
	var out []Notice
	for _, name := range tables {
		var wanted []Notice
		err := n.Desk.Guard(name, func() error {
			look, err := n.Desk.Look(ctx, name)
			if err == nil {
				wanted, err = n.wanted(ctx, look)
			}
			return err
		})
		if errors.As(err, new(*events.Unreadable)) {
			continue // nobody can be told how it stands; the host is, by the desk
		}
		if err != nil {
			return nil, fmt.Errorf("notifier: table %s: %w", name, err)
		}
		out = append(out, wanted...)
	}
	return out, nil
}

// wanted lists the mails that a table as it stands calls for: one for everything it asks of
// somebody.
func (n *Notifier) wanted(ctx context.Context, look events.Look) ([]Notice, error) {
	asks, err := n.Desk.Asks(ctx, look)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for _, a := range asks {
		if a.Kind == events.AskInvitation && a.Person == look.Table.Opener {
			continue // they are on the page, looking at the commitment
		}
		rec, err := n.recordAt(ctx, a.Stream, a.Open.Since)
		if err != nil {
			return nil, err
		}
		notice := Notice{Kind: Kind(a.Kind), Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open, Head: rec.Hash}
		if a.Kind == events.AskTurn {
			cause, err := events.ReadMeta(&rec)
			if err != nil {
				return nil, &events.Unreadable{Table: look.Name, Stream: rec.Stream, Version: rec.Version, Err: err}
			}
			if cause.By == a.Person && cause.Door == events.DoorPage {
				notice.Wait = n.Patience
			}
		}
		out = append(out, notice)
	}
	return out, nil
}

func (n *Notifier) recordAt(ctx context.Context, stream events.Name, version uint64) (events.Record, error) {
	recs, err := n.Desk.Log().Load(ctx, stream, version-1, version)
	if err != nil {
		return events.Record{}, fmt.Errorf("version %d of %s: %w", version, stream, err)
	}
	if len(recs) != 1 {
		return events.Record{}, fmt.Errorf("version %d of %s: %w", version, stream, events.ErrNoRecord)
	}
	return recs[0], nil
}
