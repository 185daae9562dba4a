package mail

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail/hook"
)

// Caller posts to people's own addresses what they want posted there.
type Caller struct {
	Outbox   *Outbox
	Composer *Composer
	Hooks    Hooks
	Client   Postman
	Now      func() time.Time
	Alarm    func(error) // gets errors about calls that could not be written
}

// Hooks knows people's webhooks.
type Hooks interface {
	// Hook returns a webhook by its Ref, or people.ErrHook.
	Hook(ctx context.Context, ref string) (people.Hook, error)
	// GiveUpHook notes that a webhook can no longer be posted to, and why.
	GiveUpHook(ctx context.Context, ref, why string) error
}

// Postman posts a message (see hook.Client).
type Postman interface {
	Post(ctx context.Context, m hook.Message) error
}

// How long to keep trying a webhook that takes nothing.
const (
	callsAtOnce   = 8
	giveUpCall    = 3 * 24 * time.Hour // a call; after that it is old news
	giveUpHook    = 5 * 24 * time.Hour // the webhook
	whyUnreadable = "unreadable"
)

// callPauses are the pauses between tries; the last one repeats.
var callPauses = []time.Duration{5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
	5 * time.Hour, 10 * time.Hour}

func callPause(tries int) time.Duration { return callPauses[min(max(tries, 1), len(callPauses))-1] }

// Run posts until the context ends. A call that was under way when the program stopped is posted again under the same
// id.
func (c *Caller) Run(ctx context.Context) error {
	for {
		next, err := c.flush(ctx)
		if err != nil {
			return err
		}
		pause := longestWait
		if !next.IsZero() {
			pause = min(pause, max(next.Sub(c.Now()), time.Millisecond))
		}
		t := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-c.Outbox.ring:
		case <-t.C:
		}
		t.Stop()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// Flush posts everything that is due now, and returns.
func (c *Caller) Flush(ctx context.Context) error {
	_, err := c.flush(ctx)
	return err
}

// flush posts what is due, and returns when the next call is due.
func (c *Caller) flush(ctx context.Context) (time.Time, error) {
	for {
		list, next, err := c.Outbox.dueCalls(ctx, callsAtOnce)
		if err != nil || len(list) == 0 {
			return next, err
		}
		g, each := errgroup.WithContext(ctx)
		for _, call := range list {
			g.Go(func() error { return c.handle(each, call) })
		}
		if err := g.Wait(); err != nil {
			return time.Time{}, err
		}
	}
}

// handle takes a call as far as it gets.
func (c *Caller) handle(ctx context.Context, call Call) error {
	h, err := c.Hooks.Hook(ctx, call.Hook)
	switch {
	case errors.Is(err, people.ErrHook):
		return c.Outbox.endCalls(ctx, call.Hook)
	case err != nil:
		return err
	case call.Kind != KindTest && !h.Wants(string(call.Kind)):
		return c.Outbox.endCall(ctx, call.ID, StateDropped, switchedOff)
	}
	body, err := c.Composer.ComposeCall(ctx, call)
	var gone errGone
	switch {
	case errors.As(err, &gone):
		return c.Outbox.endCall(ctx, call.ID, StateDropped, gone.why)
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(*desk.Unreadable)): // the desk has reported the table
		return c.Outbox.endCall(ctx, call.ID, StateFailed, whyUnreadable)
	case err != nil:
		c.Alarm(fmt.Errorf("compose call %d: %w", call.ID, err))
		return c.Outbox.endCall(ctx, call.ID, StateFailed, "broken")
	}
	err = c.Client.Post(ctx, hook.Message{Address: h.Address, Secret: h.Secret, ID: call.messageID(), Body: body})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return c.Outbox.taken(ctx, call)
	}
	return c.missed(ctx, h, call, err)
}

func (c *Caller) missed(ctx context.Context, h people.Hook, call Call, why error) error {
	state, err := c.Outbox.missed(ctx, call, whyNot(why), callPause)
	if err != nil {
		return err
	}
	var refused *hook.Refused
	if errors.As(why, &refused) && refused.Gone() || c.Now().Sub(state.Failing) > giveUpHook {
		if err := c.Hooks.GiveUpHook(ctx, h.Ref, whyNot(why)); err != nil {
			return err
		}
		return c.Outbox.endCalls(ctx, h.Ref)
	}
	if c.Now().Sub(call.Made) > giveUpCall || call.Kind == KindTest {
		return c.Outbox.endCall(ctx, call.ID, StateFailed, whyNot(why))
	}
	return nil
}

// whyNot returns why something could not be posted, as shown to its person: the answer's status, or one of a few words.
// It never shows what the network said, which may name machines near this one.
func whyNot(err error) string {
	var refused *hook.Refused
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return strconv.Itoa(refused.Status)
	case errors.Is(err, hook.ErrPrivate), errors.As(err, &dns):
		return "private" // both the same: nobody asks here which names of a network behind this one exist
	case errors.As(err, &certificate):
		return "certificate"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	}
	return "connection"
}

// callBody is the posted message. It says less than the mail about the same thing: no hand, no board, no link that
// acts.
type callBody struct {
	Type      Kind      `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      callData  `json:"data"`
}

type callData struct {
	Table    string       `json:"table,omitempty"`
	Link     string       `json:"link,omitempty"`
	Game     string       `json:"game,omitempty"`
	Title    string       `json:"title,omitempty"`
	Text     string       `json:"text,omitempty"`
	Line     string       `json:"line,omitempty"`
	Decision *domain.Open `json:"decision,omitempty"`
	Due      time.Time    `json:"due,omitzero"`
}

// ComposeCall writes the body to post. It asks the log whether the call is still needed, and returns an errGone if not.
func (c *Composer) ComposeCall(ctx context.Context, call Call) ([]byte, error) {
	if call.Kind == KindTest {
		return json.Marshal(callBody{Type: KindTest, Timestamp: call.Made.UTC()})
	}
	var data callData
	err := c.Desk.Guard(call.Table, func() (err error) {
		data, err = c.call(ctx, call.Notice)
		return err
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(callBody{call.Kind, call.Made.UTC(), data})
}

// call returns what to post about a table: a sentence from the mail about the same thing.
func (c *Composer) call(ctx context.Context, n Notice) (d callData, err error) {
	r, ok, err := c.Directory.Recipient(ctx, n.Person)
	switch {
	case err != nil:
		return d, fmt.Errorf("recipient: %w", err)
	case !ok:
		return d, errGone{"nobody"}
	}
	e, err := c.entry(ctx, n, r)
	if err != nil {
		return d, err
	}
	if e.line == "" {
		return d, errGone{"nothing to tell"}
	}
	d = callData{Table: n.Table.String(), Link: c.Links.Table(n.Table), Game: e.model.Rulebook, Title: e.model.Title,
		Text: e.line, Due: e.due}
	if n.Stream != n.Table {
		d.Line, d.Decision = n.Stream.String(), &n.Open
	}
	return d, nil
}
