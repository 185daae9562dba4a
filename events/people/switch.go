package people

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// stoppedMark follows a kind of mail, in what is stored, that a link or a complaint switched off.
const stoppedMark = "!"

// switches reads which kinds of mail are off, and which of these a link or a complaint switched off.
func switches(text string) (off, stopped []string) {
	off = []string{}
	for _, k := range strings.Fields(text) {
		if kind, mark := strings.CutSuffix(k, stoppedMark); mark {
			stopped = append(stopped, kind)
		} else {
			off = append(off, k)
		}
	}
	return off, stopped
}

// SetMails turns a kind of mail on or off for a person; AllMails is every kind. Turning every kind on resets the
// single ones that were off. A kind is one word.
func (s *Store) SetMails(ctx context.Context, id domain.PersonID, kind string, on bool) error {
	return s.switchMails(ctx, id, kind, func(off, stopped []string) ([]string, []string) {
		switch {
		case on && kind == AllMails:
			return nil, nil
		case !on:
			off = append(off, kind)
		}
		return off, stopped
	})
}

// StopMails turns a kind of mail off for a person as a link in a mail does, or a complaint, which may be somebody
// else's. It reports whether the person wanted them until then.
func (s *Store) StopMails(ctx context.Context, id domain.PersonID, kind string) (wanted bool, err error) {
	p, err := s.Person(ctx, id)
	if err != nil || slices.Contains(p.MailsOff, kind) {
		return false, err
	}
	return p.Wants(kind), s.switchMails(ctx, id, kind, func(off, stopped []string) ([]string, []string) {
		return append(off, kind), append(stopped, kind)
	})
}

// ResumeMails turns a kind of mail on again if StopMails turned it off, as a link in a mail may. It reports whether it
// is on now. What a person set themselves stays.
func (s *Store) ResumeMails(ctx context.Context, id domain.PersonID, kind string) (on bool, err error) {
	p, err := s.Person(ctx, id)
	if err != nil || !slices.Contains(p.Stopped, kind) {
		return err == nil && !slices.Contains(p.MailsOff, kind), err
	}
	return true, s.switchMails(ctx, id, kind, func(off, stopped []string) ([]string, []string) { return off, stopped })
}

// switchMails changes which kinds of mail are off, given those that are apart from one.
func (s *Store) switchMails(ctx context.Context, id domain.PersonID, kind string,
	to func(off, stopped []string) ([]string, []string)) error {
	if len(strings.Fields(kind)) != 1 || strings.TrimSpace(kind) != kind {
		return fmt.Errorf("kind of mail %q: want one word", kind)
	}
	return s.change(ctx, "set a person's mails", func(tx *sql.Tx) error {
		text, err := value[string](tx.QueryRowContext(ctx, `SELECT mails_off FROM people WHERE id = ?`, key(id)),
			"which are off")
		if err != nil {
			return err
		}
		off, stopped := switches(text)
		off, stopped = to(slices.DeleteFunc(off, func(k string) bool { return k == kind }),
			slices.DeleteFunc(stopped, func(k string) bool { return k == kind }))
		for _, k := range stopped {
			off = append(off, k+stoppedMark)
		}
		slices.Sort(off)
		_, err = tx.ExecContext(ctx, `UPDATE people SET mails_off = ? WHERE id = ?`, strings.Join(off, " "), key(id))
		return err
	})
}
