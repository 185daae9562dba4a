package mail

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
)

// A queue grows with what is due, not with what was ever sent. A letter goes a day after it went out or was dropped,
// unless what it asks is still asked; what came back of it counts for a month. Digests of keys and Message-IDs stay for
// ever, so that nothing is written twice.
const (
	lettersLast = 24 * time.Hour
	tracesLast  = scoreLasts
	repliesLast = sameSpan // the longest that one counts
	tidyEvery   = time.Hour
	tidyAtOnce  = 200 // letters in one transaction
)

// What a digest that stays is of.
const (
	pastKey     = "key"
	pastMessage = "message"
	pastReply   = "reply"
	pastCall    = "call"
	pastSigned  = "signature"
)

// digestOf returns what stays of a key or a Message-ID.
func digestOf(what, of string) []byte {
	sum := sha256.Sum256([]byte(what + " " + of))
	return sum[:16]
}

// isPast reports whether something is over and only its digest is left.
func isPast(ctx context.Context, from database.Reader, what, of string) (bool, error) {
	return database.Value[bool](from.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM past WHERE digest = ?)`,
		digestOf(what, of)))
}

func keepDigest(ctx context.Context, tx *sql.Tx, what, of string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO past (digest) VALUES (?) ON CONFLICT DO NOTHING`, digestOf(what, of))
	return err
}

// tidy takes out of the queue what it no longer needs. asked reports whether what a letter asks is still asked.
func (o *Outbox) tidy(ctx context.Context, asked func(context.Context, Letter) (bool, error)) error {
	if err := o.tidyLetters(ctx, asked); err != nil {
		return err
	}
	now := o.now()
	for _, t := range []struct{ what, from, where string }{
		{pastReply, "reply", fmt.Sprintf(`made <= %d`, now.Add(-repliesLast).UnixMilli())},
		{pastCall, "call", fmt.Sprintf(`state <> 'new' AND made <= %d AND id < (SELECT max(id) FROM call)`,
			now.Add(-lettersLast).UnixMilli())},
	} {
		if err := o.tidyKeys(ctx, t.what, t.from, t.where); err != nil {
			return err
		}
	}
	_, err1 := o.db.ExecContext(ctx, `DELETE FROM mailed WHERE done <= ?`, now.Add(-tracesLast).UnixMilli())
	_, err2 := o.db.ExecContext(ctx, `DELETE FROM held WHERE made <= ?`, now.Add(-heldLasts).UnixMilli())
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("mail queue: %w", err)
	}
	return o.shrink(ctx)
}

// tidyLetters takes out letters that are over. It leaves the newest, so that no number is given twice; the last one
// sent to each person, from which their rhythm counts; and a digest as long as a letter that it stands for.
func (o *Outbox) tidyLetters(ctx context.Context, asked func(context.Context, Letter) (bool, error)) error {
	before := o.now().Add(-lettersLast).UnixMilli()
	for last := int64(0); ; {
		some, err := o.list(ctx, `WHERE state IN ('sent','dropped') AND done <= ? AND id > ?
			AND id < (SELECT max(id) FROM outbox)
			AND NOT (state = 'sent' AND person <> '' AND id = (SELECT max(p.id) FROM outbox p
				WHERE p.person = outbox.person AND p.state = 'sent' AND p.kind IN (`+listed(kindRow.optional)+`)))
			AND NOT (kind IN (`+listed(kindRow.bundles)+`) AND EXISTS (SELECT 1 FROM outbox b
				WHERE b.person = outbox.person AND b.note = '`+inOneMail+`' AND b.id < outbox.id))
			ORDER BY id LIMIT ?`, before, last, tidyAtOnce)
		if err != nil || len(some) == 0 {
			return err
		}
		var over []Letter
		for _, l := range some {
			last = l.ID
			still, err := asked(ctx, l)
			if err != nil {
				return err
			}
			if !still {
				over = append(over, l)
			}
		}
		if err := o.change(ctx, "letters that are over", func(tx *sql.Tx) error {
			return takeOut(ctx, tx, over)
		}); err != nil {
			return err
		}
	}
}

// takeOut leaves of letters what must stay.
func takeOut(ctx context.Context, tx *sql.Tx, over []Letter) error {
	for _, l := range over {
		mark := refOf(l.ID, l.MessageID).mark
		_, err1 := tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO mailed (letter, kind, person, table_name, mailbox, state, mark, made, done)
			SELECT id, kind, person, table_name, mailbox, state, ?, made, done FROM outbox WHERE id = ?`, mark[:], l.ID)
		var key string
		err2 := tx.QueryRowContext(ctx, `SELECT key FROM outbox WHERE id = ?`, l.ID).Scan(&key)
		err := errors.Join(err1, err2, keepDigest(ctx, tx, pastKey, key))
		if l.MessageID != "" {
			err = errors.Join(err, keepDigest(ctx, tx, pastMessage, l.MessageID))
		}
		_, err3 := tx.ExecContext(ctx, `DELETE FROM outbox WHERE id = ?`, l.ID)
		if err = errors.Join(err, err3); err != nil {
			return err
		}
	}
	return nil
}

// tidyKeys leaves digests of rows whose key alone is still needed.
func (o *Outbox) tidyKeys(ctx context.Context, what, from, where string) error {
	for {
		keys, err := database.All(ctx, o.db, database.Value[string], `SELECT key FROM `+from+` WHERE `+where+` LIMIT ?`,
			tidyAtOnce)
		if err != nil || len(keys) == 0 {
			return err
		}
		err = o.change(ctx, "what is over", func(tx *sql.Tx) error {
			for _, key := range keys {
				_, gone := tx.ExecContext(ctx, `DELETE FROM `+from+` WHERE key = ?`, key)
				if err := errors.Join(gone, keepDigest(ctx, tx, what, key)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// shrink gives the space of what was taken out back to the disk.
func (o *Outbox) shrink(ctx context.Context) error {
	if _, err := o.db.ExecContext(ctx, `PRAGMA incremental_vacuum`); err != nil {
		return fmt.Errorf("mail queue: give space back: %w", err)
	}
	return nil
}

// shrinks lets a file from before give space back, which takes writing it anew once. If that fails now (the disk is
// full, or somebody reads), the next start tries again.
func (o *Outbox) shrinks(ctx context.Context) error {
	mode, err := database.Value[int](o.db.QueryRowContext(ctx, `PRAGMA auto_vacuum`))
	if err != nil || mode == incremental {
		return err
	}
	if err := o.narrow(ctx); err != nil {
		return err
	}
	for _, text := range []string{`PRAGMA auto_vacuum = INCREMENTAL`, `VACUUM`} {
		if _, err := o.db.ExecContext(ctx, text); err != nil {
			return ctx.Err()
		}
	}
	return nil
}

// narrow seals the subjects of threads anew that were padded to 1 kB.
func (o *Outbox) narrow(ctx context.Context) error {
	type thread struct {
		table, person string
		subject       []byte
	}
	wide, err := database.All(ctx, o.db, func(row database.Row) (t thread, err error) {
		return t, row.Scan(&t.table, &t.person, &t.subject)
	}, `SELECT table_name, person, subject FROM thread WHERE length(subject) >= ?`, shortPad)
	if err != nil || len(wide) == 0 {
		return err
	}
	return o.change(ctx, "subjects", func(tx *sql.Tx) error {
		for _, t := range wide {
			plain, err := o.open(t.subject)
			if err != nil {
				continue // sealed under another key: a new thread begins anyway
			}
			if _, err := tx.ExecContext(ctx, `UPDATE thread SET subject = ? WHERE table_name = ? AND person = ?`,
				o.closeIn(plain, subjectPad), t.table, t.person); err != nil {
				return err
			}
		}
		return nil
	})
}

// incremental is the number of SQLite's mode of that name.
const incremental = 2

// sentTo calls each with what is left of the letters to a person that were taken out, oldest first.
func (o *Outbox) sentTo(ctx context.Context, person domain.PersonID, each func(Letter)) error {
	left, err := database.All(ctx, o.db, func(row database.Row) (l Letter, err error) {
		var table string
		var made int64
		if err := row.Scan(&l.ID, &l.Kind, &l.Person, &table, &l.State, &made); err != nil {
			return l, err
		}
		l.Made = time.UnixMilli(made)
		return l, l.Table.UnmarshalText([]byte(table))
	}, `SELECT letter, kind, person, table_name, state, made FROM mailed WHERE person = ? ORDER BY letter`,
		string(person))
	if err != nil {
		return fmt.Errorf("mail queue: %w", err)
	}
	for _, l := range left {
		each(l)
	}
	return nil
}

// tidies takes what is over out of the queue, once an hour.
func (s *Sender) tidies(ctx context.Context) error {
	if now := s.Now(); now.Sub(s.tidied) >= tidyEvery || now.Before(s.tidied) {
		s.tidied = now
		return s.Outbox.tidy(ctx, s.asked)
	}
	return nil
}

// asked reports whether what a letter asks is still asked of its reader, or cannot be known: the clock asks when they
// were told (see Told), and their inviter how it is doing.
func (s *Sender) asked(ctx context.Context, l Letter) (bool, error) {
	if row := l.Kind.row(); !row.asked || row.how == HowWords {
		return false, nil
	}
	look, err := s.Composer.Desk.Glance(ctx, l.Table)
	switch {
	case errors.Is(err, events.ErrNoStream):
		return false, nil
	case errors.As(err, new(*desk.Unreadable)):
		return true, nil
	case err != nil:
		return true, err
	}
	return look.Stale(l.ask()) == desk.StillAsked, nil
}
