package house

import (
	"context"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/mail"
)

// mailStates tells pages what became of mails.
type mailStates struct{ queue *mail.Outbox }

// Invitation returns what became of a person's newest invitation to a table.
func (f mailStates) Invitation(ctx context.Context, table events.Name, person domain.PersonID) (door.MailState, bool,
	error) {
	l, back, ok, err := f.queue.Invitation(ctx, table, person)
	if err != nil || !ok {
		return door.MailState{}, false, err
	}
	switch l.State {
	case mail.StateSent:
		if back.Kind != "" {
			return door.MailState{State: "returned", Why: strings.TrimSpace(back.Status + " " + back.Why)}, true, nil
		}
		return door.MailState{State: "sent"}, true, nil
	case mail.StateFailed:
		return door.MailState{State: "refused", Why: l.Note}, true, nil
	case mail.StateDropped:
		return door.MailState{State: "withheld"}, true, nil
	}
	s, err := f.queue.Standing(ctx)
	if s.Stopped() {
		return door.MailState{State: "waiting", Why: s.Why}, true, err
	}
	return door.MailState{State: "waiting", Why: l.Note}, true, err
}

// Unreachable returns the people whose mails come back, with the reason.
func (f mailStates) Unreachable(ctx context.Context, of ...domain.PersonID) (map[domain.PersonID]string, error) {
	all, err := f.queue.Unreachable(ctx, of...)
	out := map[domain.PersonID]string{}
	for _, r := range all {
		out[r.Person] = strings.TrimSpace(r.Status + " " + r.Why)
	}
	return out, err
}

// Latest reports whether the latest mail to a person about a table was about an ask.
func (f mailStates) Latest(ctx context.Context, a desk.Ask) (bool, error) {
	return f.queue.Latest(ctx, a)
}

// GoneOut reports whether a letter about an ask is on its way, or has gone out.
func (f mailStates) GoneOut(ctx context.Context, a desk.Ask) (bool, error) {
	return f.queue.GoneOut(ctx, a)
}

// Queue returns the state of the mail queue.
func (f mailStates) Queue(ctx context.Context) (door.Queue, error) {
	s, err := f.queue.Standing(ctx)
	if err != nil {
		return door.Queue{}, err
	}
	q := door.Queue{Stopped: s.Stopped(), Since: s.Since, Why: s.Why, Next: s.Next, Letters: s.Letters,
		Tables: s.Tables}
	failed, err := f.queue.Failed(ctx)
	for _, l := range failed {
		q.Failed = append(q.Failed, door.FailedLetter{ID: l.ID, Kind: string(l.Kind), Table: l.Table, Made: l.Made,
			Why: l.Note})
	}
	return q, err
}

// Letters calls each for every mail written to a person.
func (f mailStates) Letters(ctx context.Context, person domain.PersonID, each func(door.LetterMade)) error {
	return f.queue.To(ctx, person, func(l mail.Letter) {
		made := door.LetterMade{Kind: string(l.Kind), Made: l.Made.UTC(), State: string(l.State)}
		if !l.Table.IsZero() {
			made.Table = l.Table.String()
		}
		each(made)
	})
}

// hookStates tells pages how webhooks are doing.
type hookStates struct{ queue *mail.Outbox }

// Delivery returns how a webhook is doing.
func (f hookStates) Delivery(ctx context.Context, ref string) (door.HookState, error) {
	h, err := f.queue.HookState(ctx, ref)
	return door.HookState{Done: h.Done, Failing: h.Failing, Why: h.Why, Waiting: h.Waiting}, err
}

// Test posts a message about nothing to a webhook.
func (f hookStates) Test(ctx context.Context, h people.Hook) error { return f.queue.Test(ctx, h) }
