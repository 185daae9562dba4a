package inbound

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/reply"
)

// Own takes the mails to the house's own addresses, from which it writes and which name no seat: it says what they are
// and how to reach a game and the host. It says so once a day to each sender, and only to somebody who is known here,
// as the mail proves, or who answers a mail of this house: everybody else may be forged, and would get what they never
// asked for.
type Own struct {
	Addresses []string
	Keys      *events.Keys
	People    Known
	Outbox    Told
	Checker   authentic.Checker
	Log       *slog.Logger
	Now       func() time.Time
}

// Known finds people by their address.
type Known interface {
	ByAddress(ctx context.Context, a people.Address) (people.Person, error)
	Banned(ctx context.Context, id domain.PersonID) (bool, error)
	// SignedBy lists the domains that sign a person's mails from an address.
	SignedBy(ctx context.Context, id domain.PersonID, from people.Address) ([]string, error)
}

// Told knows the letters of this house, and queues one about its address (*mail.Outbox).
type Told interface {
	// Made reports whether a letter of this house has the Message-ID.
	Made(ctx context.Context, messageID string) (bool, error)
	// TellOnce queues the letter that says what the house's address is, unless one of the keys was used before.
	TellOnce(ctx context.Context, keys []string, s mail.Stranger) (told bool, err error)
}

// Takes reports whether an address is one of the house's own.
func (o *Own) Takes(rcpt string) bool {
	return slices.ContainsFunc(o.Addresses, func(a string) bool { return strings.EqualFold(a, rcpt) })
}

// Handle answers a mail, or drops it. It logs what became of it.
func (o *Own) Handle(ctx context.Context, _, sender string, raw []byte) error {
	err := o.handle(ctx, sender, raw)
	var dropped errDropped
	if errors.As(err, &dropped) {
		o.Log.Info("a mail to the house was dropped", "why", string(dropped.why))
		return nil
	}
	if err != nil {
		return fmt.Errorf("a mail to the house: %w", err)
	}
	o.Log.Info("a mail to the house", "outcome", "told")
	return nil
}

func (o *Own) handle(ctx context.Context, sender string, raw []byte) error {
	head, err := written(raw, sender)
	if err != nil {
		return err
	}
	if made, err := o.Outbox.Made(ctx, head.MessageID()); made || err != nil {
		return dropIf(made, dropOwn, err)
	}
	from := head.From()
	if len(from) != 1 {
		return errDropped{dropSenders}
	}
	to, err := people.ParseAddress(from[0])
	if err != nil || o.Takes(string(to)) {
		return errDropped{dropSenders}
	}
	s := mail.Stranger{Address: string(to), Message: head.MessageID()}
	keys := []string{o.key(string(to))}
	p, err := o.People.ByAddress(ctx, to)
	proved := false
	switch {
	case err == nil:
		s.Person, s.Lang = p.ID, p.Language
		if out, err := o.People.Banned(ctx, p.ID); out || err != nil {
			return dropIf(out, dropForgotten, err)
		}
		w := authentic.Writer{Address: string(to)}
		if w.Domains, err = o.People.SignedBy(ctx, p.ID, to); err != nil {
			return err
		}
		proved = o.Checker.Read(ctx, head, raw).Proves(w, o.Now())
	case !errors.Is(err, people.ErrNobody):
		return err
	default:
		s.Lang = head.Languages()
	}
	if !proved {
		quoted, err := o.quoted(ctx, head)
		if err != nil || quoted == "" {
			return dropIf(quoted == "", dropStranger, err)
		}
		keys = append(keys, o.key(quoted)) // so that one letter of ours makes us write to one address a day
	}
	told, err := o.Outbox.TellOnce(ctx, keys, s)
	return dropIf(!told, dropToday, err)
}

// key returns the key for what happens once a day.
func (o *Own) key(what string) string {
	day := binary.BigEndian.AppendUint64(nil, uint64(o.Now().Unix()/int64(24*time.Hour/time.Second)))
	return hex.EncodeToString(digest(o.Keys, "house", day, []byte(what)))
}

// quoted returns the Message-ID of a letter of this house that a mail answers; "" for none.
func (o *Own) quoted(ctx context.Context, head reply.Head) (string, error) {
	for _, id := range head.Answers() {
		if made, err := o.Outbox.Made(ctx, id); made || err != nil {
			return id, err
		}
	}
	return "", nil
}
