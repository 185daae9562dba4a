package mail

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/projections/turn"
)

// Repeated mails about what is still open: when half of the time has passed, when a tenth is left, and when another
// player asks for one. Each belongs to one deadline: if that moves, the mail is dropped and the new deadline has
// reminders of its own.
const (
	KindReminder = Kind("reminder") // part of the time has passed
	KindNudge    = Kind("nudge")    // somebody at the table asked for it
)

// reminds reports whether a mail repeats what an earlier one was about.
func (k Kind) reminds() bool { return k == KindReminder || k == KindNudge }

// leastSpan is the shortest time between a reminder and whatever comes before or after it, so that two never come
// together.
const leastSpan = 2 * time.Hour

// reminders lists the repeated mails about an ask: for its deadline, counted from when the ask came up, and for the
// last nudge.
func (n *Notifier) reminders(ctx context.Context, look events.Look, a events.Ask, opened *events.Record) (out []Notice,
	err error) {
	if !a.Due.IsZero() {
		if out, err = n.ofDeadline(ctx, look, a, opened); err != nil {
			return nil, err
		}
	}
	if a.Kind != events.AskTurn {
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
func (n *Notifier) ofDeadline(ctx context.Context, look events.Look, a events.Ask, opened *events.Record) (out []Notice,
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
func again(k Kind, a events.Ask, head events.Hash, why string) Notice {
	return Notice{Kind: k, Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open,
		Secret: []byte(string(a.Kind) + " " + why),
		Head:   events.Hash(sha256.Sum256(append(head[:], why...)))}
}

// reminded returns what kind of ask a mail reminds of and why: the part of its time that has passed and when that ends,
// or the version of a nudge and who asked for it.
func (n Notice) reminded() (kind events.AskKind, which, what string) {
	word, why, _ := strings.Cut(string(n.Secret), " ")
	which, what, _ = strings.Cut(why, " ")
	return events.AskKind(word), which, what
}

// ends returns when the time ends that a mail reminds of; zero for other mails.
func (n Notice) ends() time.Time {
	if n.Kind != KindReminder {
		return time.Time{}
	}
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
	err = n.Desk.Each(ctx, slices.Collect(maps.Keys(of)), func(look events.Look) error {
		for _, l := range of[look.Name] {
			if why := l.overtaken(look); why != "" {
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
	return o.list(ctx, `WHERE state = 'new' AND kind IN ('reminder', 'nudge') AND table_name IN (`+list+`)`, args...)
}

// overtaken returns why a reminder is no longer needed at a table as it stands; "" if it is: the table still asks for
// this, and the reminder's deadline or nudge is still the current one.
func (n Notice) overtaken(look events.Look) string {
	a := n.ask()
	if moot := look.Moot(a); moot != events.MootNot {
		return string(moot)
	}
	_, which, what := n.reminded()
	if n.Kind == KindNudge {
		version, _, ok := look.Table.Nudge(a.Stream.String(), a.Open.Seat, a.Open.Since)
		if !ok || strconv.FormatUint(version, 10) != which {
			return "answered"
		}
		return ""
	}
	for _, now := range look.Asks() {
		if now.Kind == a.Kind && now.Person == a.Person && now.Open == a.Open {
			if now.Due.UTC().Format(time.RFC3339) != what {
				return "moved"
			}
		}
	}
	return ""
}

// stillReminds checks whether a reminder that is due is still needed.
func (c *Composer) stillReminds(ctx context.Context, n Notice) error {
	look, err := c.Desk.Look(ctx, n.Table)
	if err != nil {
		return err
	}
	if why := n.overtaken(look); why != "" {
		return errGone{why}
	}
	return nil
}

// toldLately reports whether another mail about what a reminder is about went out so lately that the two would come
// together.
func (o *Outbox) toldLately(ctx context.Context, n Notice) (bool, error) {
	a := n.ask()
	told, err := database.Value[bool](o.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM outbox
		WHERE kind IN (?, 'reminder', 'nudge') AND (state = 'sent' OR note = '`+inOneMail+`') AND done > ? AND `+ofAsk+`)`,
		aboutAsk(a, string(a.Kind), o.now().Add(-leastSpan).UnixMilli())...))
	if err != nil {
		return false, fmt.Errorf("mail queue: what a reminder is about: %w", err)
	}
	return told, nil
}

// remind returns the letter that a reminder repeats, and the sentence that it begins with; for any other letter, the
// letter itself. Its links are those of the first letter about its decision.
func (c *Composer) remind(ctx context.Context, m *turn.Model, l Letter) (_ Letter, text string, err error) {
	if l.Kind.reminds() {
		kind, which, what := l.reminded()
		if l.Kind == KindNudge {
			who, err := c.Maker.Name(ctx, c.Book.Printer(m.Lang(), "", nil), domain.PersonID(what))
			if err != nil {
				return l, "", err
			}
			text = m.Text("mail.nudge", "who", who)
		} else {
			text = m.Text("mail.reminder." + which)
		}
		l.Kind, l.Secret = Kind(kind), nil
	} else if l.Kind != KindTurn && l.Kind != KindInvitation {
		return l, "", nil
	}
	l.Notice, err = c.opened(ctx, l.Notice)
	return l, text, err
}
