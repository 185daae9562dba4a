package mail

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
)

// Repeated mails about what is still open: when half of the time has passed, when a tenth is left, and when another
// player asks for one. Each belongs to one deadline: if that moves, the mail is dropped and the new deadline has
// reminders of its own.
// leastSpan is the shortest time between a reminder and whatever comes before or after it, so that two never come
// together.
const leastSpan = 2 * time.Hour

// reminders lists the repeated mails about an ask: for its deadline, counted from when the ask came up, and for the
// last nudge.
func (n *Notifier) reminders(ctx context.Context, look desk.Look, a desk.Ask, opened *events.Record) (out []Notice,
	err error) {
	if !a.Due.IsZero() {
		if out, err = n.ofDeadline(ctx, look, a, opened); err != nil {
			return nil, err
		}
	}
	if a.Kind != desk.AskTurn {
		return out, nil
	}
	version, by, ok := look.Table.Nudge(a.Stream.String(), a.Open.Seat, a.Open.Since)
	if !ok || by == a.Person {
		return out, nil
	}
	rec, err := events.LoadOne(ctx, n.Desk.Log(), look.Name, version)
	if err != nil {
		return nil, err
	}
	return append(out, again(KindNudge, a, rec.Hash, fmt.Sprintf("%d %s", version, by))), nil
}

// ofDeadline lists a deadline's reminders. It counts time as the person's own clock does, and puts none at night or
// while they are away.
func (n *Notifier) ofDeadline(ctx context.Context, look desk.Look, a desk.Ask, opened *events.Record) (out []Notice,
	err error) {
	c, err := n.Desk.TimeOf(ctx, look.Table, a.Person)
	if err != nil {
		return nil, err
	}
	now, counts := n.Desk.Now(), c.Counted(opened.At, a.Due)
	last := now
	for _, r := range []struct {
		part  string
		after time.Duration
	}{{"half", counts / 2}, {"tenth", counts - counts/10}} {
		at := c.Deadline(opened.At, r.after)
		if a.Due.Sub(at) < time.Hour { // the deadline follows a night or a day off
			at = c.AwakeBefore(a.Due.Add(-time.Hour))
		}
		if at.Sub(last) < leastSpan && (r.part == "half" || last != now) || !at.After(now) ||
			a.Due.Sub(at) < time.Hour {
			continue
		}
		about := r.part + " " + a.Due.UTC().Format(time.RFC3339)
		notice := again(KindReminder, a, opened.Hash, about)
		notice.Wait = at.Sub(now)
		out, last = append(out, notice), at
	}
	return out, nil
}

// again returns a mail about an ask for a reason. There is only one for each reason.
func again(k Kind, a desk.Ask, head events.Hash, why string) Notice {
	return Notice{Kind: k, Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open,
		Secret: []byte(string(a.Kind) + " " + why),
		Head:   events.Hash(sha256.Sum256(append(head[:], why...)))}
}

// reminded returns what kind of ask a mail reminds of and why: the part of its time that has passed and when that ends,
// or the version of a nudge and who asked for it.
func (n Notice) reminded() (kind desk.AskKind, which, what string) {
	word, why, _ := strings.Cut(string(n.Secret), " ")
	which, what, _ = strings.Cut(why, " ")
	return desk.AskKind(word), which, what
}

// ends returns when the time ends that a mail reminds of; zero for other mails.
func (n Notice) ends() time.Time {
	_, _, due := n.reminded()
	at, _ := time.Parse(time.RFC3339, due)
	return at
}

// overtaken returns the reminders that wait about some tables and that those, as they stand, no longer call for. Each
// is checked again when it is due, but until then it would be among what waits.
func (n *Notifier) overtaken(ctx context.Context, tables []events.Name) (map[int64]string, error) {
	waiting, err := n.Outbox.reminders(ctx, tables)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	out, of := map[int64]string{}, map[events.Name][]Letter{}
	for _, l := range waiting {
		of[l.Table] = append(of[l.Table], l)
	}
	err = n.Desk.Each(ctx, slices.Collect(maps.Keys(of)), func(look desk.Look) error {
		for _, l := range of[look.Name] {
			if why := l.Kind.row().stale(l.Notice, look); why != "" {
				out[l.ID] = why
			}
		}
		return nil
	})
	return out, err
}

// reminders lists the reminders that wait about some tables.
func (o *Outbox) reminders(ctx context.Context, tables []events.Name) ([]Letter, error) {
	var args []any
	for _, t := range tables {
		args = append(args, t.String())
	}
	list := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	return o.list(ctx, `WHERE state = 'new' AND kind IN (`+listed(kindRow.reminds)+
		`) AND table_name IN (`+list+`)`, args...)
}

// nudgeAnswered returns why a nudge is not needed: the table no longer asks this, or it is not the latest nudge.
func nudgeAnswered(n Notice, look desk.Look) string {
	a := n.ask()
	_, which, _ := n.reminded()
	version, _, ok := look.Table.Nudge(a.Stream.String(), a.Open.Seat, a.Open.Since)
	if why := notAsked(n, look); why != "" || ok && strconv.FormatUint(version, 10) == which {
		return why
	}
	return "answered"
}

// deadlineMoved returns why a deadline's reminder is not needed: the table no longer asks this, or not by that time.
func deadlineMoved(n Notice, look desk.Look) string {
	if why := notAsked(n, look); why != "" {
		return why
	}
	a := n.ask()
	_, _, due := n.reminded()
	for _, now := range look.Asks() {
		if now.Kind == a.Kind && now.Person == a.Person && now.Open == a.Open &&
			now.Due.UTC().Format(time.RFC3339) != due {
			return "moved"
		}
	}
	return ""
}

// toldLately reports whether another mail about what a reminder is about went out so lately that the two would come
// together.
func (o *Outbox) toldLately(ctx context.Context, n Notice) (bool, error) {
	a := n.ask()
	told, err := database.Value[bool](o.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM outbox
		WHERE kind IN (?, `+listed(kindRow.reminds)+`) AND (state = 'sent' OR note = '`+inOneMail+
		`') AND done > ? AND `+ofAsk+`)`,
		aboutAsk(a, string(a.Kind), o.now().Add(-leastSpan).UnixMilli())...))
	if err != nil {
		return false, fmt.Errorf("mail queue: what a reminder is about: %w", err)
	}
	return told, nil
}

// remind makes a reminder's draft that of the letter that it repeats, and returns the sentence that it begins with. The
// links of a letter that asks are those of the first one about its decision.
func (c *Composer) remind(ctx context.Context, d *draft) (text string, err error) {
	if begins := d.Kind.row().begins; begins != nil {
		if text, err = begins(c, ctx, d); err != nil {
			return "", err
		}
		kind, _, _ := d.reminded()
		d.Kind, d.Secret = Kind(kind), nil
	}
	if d.Kind.row().asked {
		d.Notice, err = c.opened(ctx, d.Notice)
	}
	return text, err
}

func (c *Composer) partOver(ctx context.Context, d *draft) (string, error) {
	kind, which, _ := d.reminded()
	if err := c.names(ctx, d, left(d.m, d.ends().Sub(d.dated(c.Desk.Now())), Kind(kind)), ""); err != nil {
		return "", err
	}
	return d.m.Text("mail.reminder." + which), nil
}

func (c *Composer) nudgedBy(ctx context.Context, d *draft) (string, error) {
	_, _, what := d.reminded()
	who, err := c.Maker.Name(ctx, c.Book.Printer(d.m.Lang(), "", nil), domain.PersonID(what))
	return d.m.Text("mail.nudge", "who", who), errors.Join(err, c.names(ctx, d,
		d.m.Text("mail.subject.nudge", "who", who, "game", d.m.Game), domain.PersonID(what)))
}
