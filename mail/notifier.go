// Package mail is the mailbox's door: the notifier, which finds out from the log who is awaited; the outbox, which
// writes each mail once and sends it until it is accepted; the built-in mailbox, a real SMTP server on loopback for a
// house without a mail server.
//
// One mail per awaited decision and person, and one more each time it comes back to them, unless they are at the
// table's page while it is asked: none lost, none stale, at most one duplicate after a crash, with the same bytes and
// the same Message-ID. What must not live here: rules, pages, and whether something is still awaited — only the log
// knows that.
package mail

import (
	"context"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/projections/views"
)

// Notifier finds out from the log who should get mail.
type Notifier struct {
	Desk   *desk.Desk
	Outbox *Outbox
	// Patience is how long a mail waits if its person's own move brought up what it is about. A page has led them on to
	// it, and they are mostly still there: if they leave, the mail goes out after that time; if they play, it is
	// dropped. If the move came by mail, its answer says both and nothing waits.
	Patience time.Duration
	// Hooks returns a person's webhooks, which get the same news posted; nil if nobody has any.
	Hooks func(ctx context.Context, id domain.PersonID) ([]people.Hook, error)
	// Wants reports what people have not switched off; if nil, each letter checks that when it is written.
	Wants func(ctx context.Context, id domain.PersonID, k Kind, table events.Name) (bool, error)
	// Due lists whom it is time to remind, since one moment and up to another. It may be wrong: their tables are asked.
	Due  func(ctx context.Context, since, upTo time.Time) ([]views.Reminder, error)
	Rest time.Duration // how often it looks whom to remind; 0 means longestWait
}

// Run follows the log until the context ends.
func (n *Notifier) Run(ctx context.Context, f events.Follower) error {
	pos, err := n.Outbox.Position(ctx)
	if err != nil {
		return err
	}
	return n.Desk.Follow(ctx, f, pos, func(ctx context.Context, b desk.Batch) error {
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
		return n.Outbox.want(ctx, b.Pos, notices, calls, 0)
	})
}

// worth leaves out notices that would be written at once and are not wanted: people whose programs play for them get no
// mail, and queueing, checking and dropping a letter costs more than a move. Notices that wait are checked when their
// time comes. Nothing records what was left out: people who want mails again hear of what is still open once more
// happens at their table.
func (n *Notifier) worth(ctx context.Context, notices []Notice) ([]Notice, error) {
	if n.Wants == nil {
		return notices, nil
	}
	out := notices[:0]
	for _, m := range notices {
		if row := m.Kind.row(); m.Wait == 0 && row.bundled() && !m.Kind.ToStrangers() && !m.answers() {
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

// Anew queues the mails about everything that is open at these tables now. The host asks for it after losing the mail
// queue; mails already in the queue are not queued again.
func (n *Notifier) Anew(ctx context.Context, tables []events.Name) error {
	notices, err := n.Wanted(ctx, tables...)
	if err != nil {
		return err
	}
	if err := n.Outbox.Want(ctx, 0, notices...); err != nil {
		return err
	}
	return n.Outbox.written(ctx)
}

// Wanted lists the mails that tables call for as they stand, whether or not they were already written.
func (n *Notifier) Wanted(ctx context.Context, tables ...events.Name) (out []Notice, err error) {
	err = n.Desk.Each(ctx, tables, func(look desk.Look) error {
		wanted, err := n.wanted(ctx, look)
		out = append(out, wanted...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("notifier: %w", err)
	}
	return out, nil
}

// openingWait is how long an invitation waits for its opener's words, unless something else happens at the table first.
const openingWait = 3 * time.Second

// asks lists what a table asks of people, each with a mail of its own: of decisions beside each other, which one mail
// lists, only the first.
func (n *Notifier) asks(ctx context.Context, look desk.Look) (out []desk.Ask, err error) {
	all, err := n.Desk.Asks(ctx, look)
	for i, a := range all {
		if !slices.ContainsFunc(all[:i], a.Beside) {
			out = append(out, a)
		}
	}
	return out, err
}

// wanted lists the mails that a table calls for as it stands: one for everything it asks of somebody.
func (n *Notifier) wanted(ctx context.Context, look desk.Look) ([]Notice, error) {
	asks, err := n.asks(ctx, look)
	if err != nil {
		return nil, err
	}
	held, err := n.Desk.Held(ctx, look)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for _, a := range asks {
		if a.Kind == desk.AskInvitation && a.Person == look.Table.Opener && a.Again == 0 {
			continue // they are on the page, looking at the commitment, and nobody waits for them alone
		}
		opened, err := events.LoadOne(ctx, n.Desk.Log(), a.Stream, a.Open.Since)
		if err != nil {
			return nil, err
		}
		rec := opened // what asks them now
		if a.Again > 0 {
			if rec, err = events.LoadOne(ctx, n.Desk.Log(), a.Stream, a.Again); err != nil {
				return nil, err
			}
		}
		notice := Notice{Kind: Kind(a.Kind), Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open,
			Head: rec.Hash, Again: a.Again > 0}
		cause, err := events.ReadMeta(&rec)
		if err != nil {
			return nil, &desk.Unreadable{Table: look.Name, Stream: rec.Stream, Version: rec.Version, Err: err}
		}
		if a.Kind == desk.AskInvitation && a.Again > 0 && cause.By == a.Person {
			// they filled the other seats, and are still there
			notice.Wait = n.Patience
		}
		if a.Kind == desk.AskInvitation && a.Again == 0 { // what its opener writes comes right after it
			if notice.Sooner = look.Table.Version > 1; !notice.Sooner {
				notice.Wait = min(n.Patience, openingWait)
			}
		}
		if a.Kind == desk.AskTurn {
			// In a team anybody may have moved, and is there to go on.
			if look.Table.Places[a.Open.Seat].Holds(cause.By) &&
				(cause.Door == domain.DoorPage || cause.Door == domain.DoorReply) {
				notice.Wait = n.Patience
			}
			if main, ok := look.Table.Main(); ok && main.Undo && a.Asked() == main.Fork+1 {
				// they just took a step back, and are still there
				notice.Wait = n.Patience
			}
			if !held.IsZero() && a.Asked() == look.Line.Version { // what brought this up may still be taken back
				notice.Wait = max(notice.Wait, held.Sub(n.Desk.Now()))
			}
			notice.Sooner = look.Table.Grace > 0 && look.Table.Proposal != nil
		}
		out = append(out, notice)
		nudge, err := n.nudge(ctx, look, a)
		if err != nil {
			return nil, err
		}
		out = append(out, nudge...)
	}
	return out, nil
}
