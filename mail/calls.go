package mail

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/people"
)

// KindTest is a trial post to a webhook, so that its person sees whether it works.
const KindTest = Kind("test")

// Call is a notice to post to a webhook. Like a letter, it is only ever queued once.
type Call struct {
	ID   int64
	Hook string // its Ref
	Notice
	Made time.Time
}

func (c Call) key() string { return c.Hook + "|" + c.Notice.key() }

// messageID returns an id that stays the same at every try and reveals nothing.
func (c Call) messageID() string {
	sum := sha256.Sum256([]byte("call " + c.key()))
	return "msg_" + hex.EncodeToString(sum[:16])
}

// mostCalls is how many calls may wait for one webhook; beyond that the oldest are dropped.
const mostCalls = 50

// calls returns the calls for some notices: one for each webhook of its person that wants them.
func (n *Notifier) calls(ctx context.Context, notices []Notice) (out []Call, err error) {
	if n.Hooks == nil {
		return nil, nil
	}
	known := map[domain.PersonID][]people.Hook{}
	for _, notice := range notices {
		if notice.Kind.row().reminds() {
			continue // a program knows the deadline
		}
		hooks, ok := known[notice.Person]
		if !ok {
			if hooks, err = n.Hooks(ctx, notice.Person); err != nil {
				return nil, fmt.Errorf("notifier: %w", err)
			}
			known[notice.Person] = hooks
		}
		for _, h := range hooks {
			if h.Wants(string(notice.Kind)) {
				out = append(out, Call{Hook: h.Ref, Notice: notice})
			}
		}
	}
	return out, nil
}

// Test queues a post to a webhook that is about nothing.
func (o *Outbox) Test(ctx context.Context, h people.Hook) error {
	n := Notice{Kind: KindTest, Person: h.Person,
		Head: events.Hash(sha256.Sum256([]byte("test " + o.now().UTC().Format(time.RFC3339Nano))))}
	err := o.change(ctx, "add a call", func(tx *sql.Tx) error {
		if err := o.call(ctx, tx, Call{Hook: h.Ref, Notice: n}); err != nil {
			return err
		}
		// Somebody trying out their webhook should not wait for the next try.
		_, err := tx.ExecContext(ctx, `UPDATE call SET due = not_before WHERE hook = ? AND state = 'new'`, h.Ref)
		return err
	})
	o.rouse()
	return err
}

func (o *Outbox) call(ctx context.Context, tx *sql.Tx, c Call) error {
	text, err := json.Marshal(c.Notice)
	if err != nil {
		return fmt.Errorf("a call: %w", err)
	}
	if past, err := isPast(ctx, tx, pastCall, c.key()); err != nil || past {
		return err
	}
	now := o.now()
	due := c.due(now)
	res, err := tx.ExecContext(ctx, `INSERT INTO call (key, hook, notice, state, not_before, due, made)
		VALUES (?, ?, ?, 'new', ?, max(?, coalesce((SELECT max(due) FROM call WHERE hook = ? AND state = 'new' AND due > not_before), 0)), ?) ON CONFLICT (key) DO NOTHING`,
		c.key(), c.Hook, o.close(text), due, due, c.Hook, now.UnixMilli())
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		if err == nil && c.Sooner { // even so, a call waits while its hook is failing
			_, err = tx.ExecContext(ctx, `UPDATE call SET due = CASE WHEN due > not_before THEN due ELSE min(due, ?) END, not_before = min(not_before, ?) WHERE key = ? AND state = 'new'`, due, due, c.key())
		}
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE call SET state = 'dropped', notice = NULL, note = 'too many' WHERE id IN
		(SELECT id FROM call WHERE hook = ? AND state = 'new' ORDER BY id DESC LIMIT -1 OFFSET ?)`, c.Hook, mostCalls)
	return err
}

// dueCalls returns the oldest due call of each webhook, and when the next call is due.
func (o *Outbox) dueCalls(ctx context.Context, limit int) ([]Call, time.Time, error) {
	list, err := database.All(ctx, o.db, o.scanCall, `SELECT id, hook, notice, made FROM call WHERE id IN
		(SELECT min(id) FROM call WHERE state = 'new' AND due <= ? GROUP BY hook) ORDER BY due, id LIMIT ?`, o.now().UnixMilli(), limit)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("calls: %w", err)
	}
	next, err := database.Value[sql.NullInt64](o.db.QueryRowContext(ctx,
		`SELECT min(due) FROM call WHERE state = 'new'`))
	if err != nil || !next.Valid {
		return list, time.Time{}, err
	}
	return list, time.UnixMilli(next.Int64), nil
}

func (o *Outbox) scanCall(row database.Row) (c Call, err error) {
	var sealed []byte
	var made int64
	if err := row.Scan(&c.ID, &c.Hook, &sealed, &made); err != nil {
		return c, err
	}
	c.Made = time.UnixMilli(made)
	text, err := o.open(sealed)
	if errors.Is(err, events.ErrSealed) {
		return c, nil // sealed under another key: with no kind, it will be dropped
	}
	if err == nil {
		err = json.Unmarshal(text, &c.Notice)
	}
	return c, err
}

// endCall notes what became of a call that will not be tried again.
func (o *Outbox) endCall(ctx context.Context, id int64, s State, note string) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE call SET state = ?, notice = NULL, note = ? WHERE id = ?`, string(s),
		note, id); err != nil {
		return fmt.Errorf("call %d: %w", id, err)
	}
	return nil
}

// taken notes that a webhook took a call: its other calls are no longer put off.
func (o *Outbox) taken(ctx context.Context, c Call) error {
	return o.change(ctx, "a call", func(tx *sql.Tx) error {
		_, err1 := tx.ExecContext(ctx, `UPDATE call SET state = 'sent', notice = NULL WHERE id = ?`, c.ID)
		_, err2 := tx.ExecContext(ctx, `UPDATE call SET due = not_before WHERE hook = ? AND state = 'new'`, c.Hook)
		_, err3 := tx.ExecContext(ctx,
			`INSERT INTO hook_fare (hook, done) VALUES (?, ?) ON CONFLICT DO UPDATE SET done = excluded.done, failing = 0, tries = 0, why = ''`, c.Hook, o.now().UnixMilli())
		return errors.Join(err1, err2, err3)
	})
}

// missed notes that a webhook did not take a call. It puts off all the webhook's calls, by the pause for the number of
// tries so far.
func (o *Outbox) missed(ctx context.Context, c Call, why string, pause func(tries int) time.Duration) (f HookState,
	err error) {
	err = o.change(ctx, "a call", func(tx *sql.Tx) error {
		now := o.now()
		if _, err := tx.ExecContext(ctx, `INSERT INTO hook_fare (hook, failing, tries, why) VALUES (?, ?, 1, ?)
			ON CONFLICT DO UPDATE SET failing = iif(failing = 0, excluded.failing, failing), tries = tries + 1, why = excluded.why`, c.Hook, now.UnixMilli(), why); err != nil {
			return err
		}
		if f, err = stateOf(ctx, tx, c.Hook); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE call SET due = max(due, ?) WHERE hook = ? AND state = 'new'`,
			now.Add(pause(f.tries)).UnixMilli(), c.Hook)
		return err
	})
	return f, err
}

// endCalls gives up all calls waiting for a webhook.
func (o *Outbox) endCalls(ctx context.Context, hook string) error {
	return o.change(ctx, "calls", func(tx *sql.Tx) error {
		_, err1 := tx.ExecContext(ctx,
			`UPDATE call SET state = 'failed', notice = NULL WHERE hook = ? AND state = 'new'`, hook)
		_, err2 := tx.ExecContext(ctx, `DELETE FROM hook_fare WHERE hook = ?`, hook)
		return errors.Join(err1, err2)
	})
}

// HookState says how a webhook is doing.
type HookState struct {
	Done    time.Time // when it last took something; zero for never
	Failing time.Time // since when it has taken nothing; zero if it works
	Why     string    // one of the words of whyNot
	Waiting int       // how many calls
	tries   int
}

// HookState returns how a webhook is doing.
func (o *Outbox) HookState(ctx context.Context, ref string) (HookState, error) {
	return stateOf(ctx, o.db, ref)
}

func stateOf(ctx context.Context, from database.Reader, ref string) (f HookState, err error) {
	var done, failing int64
	err = from.QueryRowContext(ctx, `SELECT done, failing, tries, why FROM hook_fare WHERE hook = ?`, ref).
		Scan(&done, &failing, &f.tries, &f.Why)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return f, fmt.Errorf("the state of a webhook: %w", err)
	}
	if done > 0 {
		f.Done = time.UnixMilli(done)
	}
	if failing > 0 {
		f.Failing = time.UnixMilli(failing)
	}
	f.Waiting, err = database.Value[int](from.QueryRowContext(ctx,
		`SELECT count(*) FROM call WHERE hook = ? AND state = 'new'`, ref))
	return f, err
}
