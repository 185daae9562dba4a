package mail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
	"posthorn/events/watch"
)

// Repeated mails about what is still open: when half of the time has passed, when a tenth is left, and when another
// player asks for one. Each belongs to one deadline: if that moves, the mail is dropped and the new deadline has
// reminders of its own. Nothing is queued before it is due.

// Remind reminds people when it is time, until the context ends.
func (n *Notifier) Remind(ctx context.Context) error {
	for {
		err := n.RemindNow(ctx)
		if err == nil {
			err = watch.Pause(ctx, cmp.Or(n.Rest, longestWait))
		}
		if err != nil {
			return err
		}
	}
}

// standsStill is how long reminders are tried of a table that cannot be read.
const standsStill = 24 * time.Hour

// RemindNow queues the reminders that have come due since it last queued some.
func (n *Notifier) RemindNow(ctx context.Context) error {
	now := n.Desk.Now()
	since, err := n.Outbox.reminded(ctx)
	if err != nil {
		return err
	}
	due, unread, err := n.Reminders(ctx, since, now)
	if err == nil {
		due, err = n.worth(ctx, due)
	}
	if err != nil || len(due) == 0 && !unread {
		return err
	}
	if unread {
		now = slices.MaxFunc([]time.Time{since, now.Add(-standsStill)}, time.Time.Compare)
	}
	return n.Outbox.want(ctx, 0, due, nil, now.UnixMilli())
}

// Reminders lists the reminders that came due since one moment and up to another, if their tables still call for them.
// It also reports whether some table could not be read.
func (n *Notifier) Reminders(ctx context.Context, since, upTo time.Time) (out []Notice, unread bool, err error) {
	due, err := n.Due(ctx, since, upTo)
	for _, r := range due {
		read := false
		err = errors.Join(err, n.Desk.Each(ctx, []events.Name{r.Table}, func(look desk.Look) error {
			read = true
			asks, err := n.asks(ctx, look)
			i := slices.IndexFunc(asks, r.Of)
			if i < 0 || err != nil {
				return err
			}
			opened, err := events.LoadOne(ctx, n.Desk.Log(), asks[i].Stream, r.Since)
			out = append(out, again(KindReminder, asks[i], opened.Hash, r.Part+" "+r.Due.Format(time.RFC3339)))
			return err
		}))
		unread = unread || !read
	}
	return out, unread, err
}

// nudge lists the mail about an ask that another player reminded of, if it was the last to be reminded of.
func (n *Notifier) nudge(ctx context.Context, look desk.Look, a desk.Ask) ([]Notice, error) {
	version, by, ok := look.Table.Nudge(a.Stream.String(), a.Open.Seat, a.Open.Since)
	if !ok || by == a.Person || a.Kind != desk.AskTurn {
		return nil, nil
	}
	rec, err := events.LoadOne(ctx, n.Desk.Log(), look.Name, version)
	return []Notice{again(KindNudge, a, rec.Hash, fmt.Sprintf("%d %s", version, by))}, err
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
		aboutAsk(a, string(a.Kind), o.now().Add(-desk.LeastSpan).UnixMilli())...))
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
