// Package mail is the mailbox's door: the notifier, which finds out from the log who is
// awaited; the outbox, which writes each mail once and sends it until it is accepted; the
// built-in mailbox, a real SMTP server on loopback for whoever has none.
//
// One mail per awaited decision and person: none lost, none stale, at most one duplicate
// after a crash, with the same bytes and the same Message-ID. What may not live here: rules,
// pages, and whether something is still awaited — that is asked of the log.
package mail

import (
	"context"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// Notifier finds out from the log who is to be written to.
type Notifier struct {
	Desk   *events.Desk
	Outbox *Outbox
	// Patience is how long a mail waits about what its person's own move has brought up. A page has
	// led them on to it, and they are mostly still there: if they have gone, the mail goes out
	// then; if they play, it is dropped. Where the move came by mail, the answer to that says both,
	// and nothing waits.
	Patience time.Duration
	// Hooks are a person's webhooks, to which the same is posted; nil for nobody's.
	Hooks func(ctx context.Context, id domain.PersonID) ([]people.Hook, error)
	// Wants tells what people have not switched off; nil lets each letter be asked when it is written.
	Wants func(ctx context.Context, id domain.PersonID, k Kind, table events.Name) (bool, error)
}

// Run follows the log until the context ends.
func (n *Notifier) Run(ctx context.Context, f events.Follower) error {
	pos, err := n.Outbox.Position(ctx)
	if err != nil {
		return err
	}
	return n.Desk.Follow(ctx, f, pos, func(ctx context.Context, b events.Batch) error {
		notices, err := n.Wanted(ctx, b.Tables...)
		if err != nil {
			return err
		}
		news, err := n.news(ctx, b.Done)
		if err != nil {
			return err
		}
		notices = append(notices, news...)
		calls, err := n.calls(ctx, notices)
		if err != nil {
			return err
		}
		if notices, err = n.worth(ctx, notices); err != nil {
			return err
		}
		return n.Outbox.want(ctx, b.Pos, notices, calls)
	})
}

// worth leaves out what would be written at once and is not wanted: those whom programs play for are mailed nothing, and a letter
// that is kept, asked and dropped costs more than a move. What waits is asked when its time comes. Nothing is noted of what is
// left out: who wants mails again is told of what is still open once more happens at its table.
func (n *Notifier) worth(ctx context.Context, notices []Notice) ([]Notice, error) {
	if n.Wants == nil {
		return notices, nil
	}
	out := notices[:0]
	for _, m := range notices {
		if m.Wait == 0 && m.Kind != KindInvitation && m.Kind.bundled() && !m.answers() {
			wanted, err := n.Wants(ctx, m.Person, m.Kind, m.Table)
			if err != nil {
				return nil, err
			}
			if !wanted {
				continue
			}
		}
		out = append(out, m)
	}
	return out, nil
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
func (n *Notifier) Wanted(ctx context.Context, tables ...events.Name) (out []Notice, err error) {
	err = n.Desk.Each(ctx, tables, func(look events.Look) error {
		wanted, err := n.wanted(ctx, look)
		out = append(out, wanted...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("notifier: %w", err)
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
	held, err := n.Desk.Held(ctx, look)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for _, a := range asks {
		if a.Kind == events.AskInvitation && a.Person == look.Table.Opener {
			continue // they are on the page, looking at the commitment
		}
		rec, err := events.LoadOne(ctx, n.Desk.Log(), a.Stream, a.Open.Since)
		if err != nil {
			return nil, err
		}
		notice := Notice{Kind: Kind(a.Kind), Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open, Head: rec.Hash}
		if a.Kind == events.AskTurn {
			cause, err := events.ReadMeta(&rec)
			if err != nil {
				return nil, &events.Unreadable{Table: look.Name, Stream: rec.Stream, Version: rec.Version, Err: err}
			}
			// Of a team any may have moved, and is there to go on.
			if look.Table.Places[a.Open.Seat].Holds(cause.By) && (cause.Door == events.DoorPage || cause.Door == events.DoorReply) {
				notice.Wait = n.Patience
			}
			if main, ok := look.Table.Main(); ok && main.Undo && a.Open.Since == main.Fork+1 { // they took a step back, and are at it
				notice.Wait = n.Patience
			}
			if !held.IsZero() && a.Open.Since == look.Line.Version { // what asks this may be taken back yet
				notice.Wait = max(notice.Wait, held.Sub(n.Desk.Now()))
			}
			notice.Sooner = look.Table.Grace > 0 && look.Table.Proposal != nil
		}
		out = append(out, notice)
		again, err := n.reminders(ctx, look, a, &rec)
		if err != nil {
			return nil, err
		}
		out = append(out, again...)
	}
	return out, nil
}
