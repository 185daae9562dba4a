package mail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// Complained tells a person that a complaint about a letter stopped its kind of mail. Whoever the letter was passed on
// to can send that complaint, too, and nothing shows whose it is.
func (p Post) Complained(ctx context.Context, l Letter) error {
	return p.stopped(ctx, l.Person, l.Kind.Switch(), fmt.Sprintf("stopped %d", l.ID))
}

// stoppedEvery is how often a person is told at most that a link stopped one kind of mail.
const stoppedEvery = 7 * 24 * time.Hour

// Stopped tells a person that the unsubscribe link of one of their letters stopped a kind of mail, everywhere or at a
// table: once in each week. Whoever the letter was passed on to can press it, too.
func (p Post) Stopped(ctx context.Context, person domain.PersonID, kind string) error {
	week := p.Outbox.now().UTC().Truncate(stoppedEvery).Format(time.DateOnly)
	return p.stopped(ctx, person, kind+" "+stoppedByLink, "stopped by link "+kind+" "+week)
}

// stoppedByLink follows the kind, in what a letter tells, that a link stopped rather than a complaint.
const stoppedByLink = "link"

func (p Post) stopped(ctx context.Context, person domain.PersonID, what, key string) error {
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindStopped, Person: person, Secret: []byte(what),
		Head: events.Hash(sha256.Sum256([]byte(key)))})
}

// stopped says which mails a complaint or a link stopped, with the link that turns them on again by a press.
func (c *Composer) stopped(ctx context.Context, l Letter, r Recipient) (body content, _ []inline, err error) {
	what, how, _ := strings.Cut(string(l.Secret), " ")
	kind, at, here := strings.Cut(what, "@")
	p := c.Book.Printer(r.Lang, "", nil)
	body = content{Lang: p.Lang(), Subject: p.Text("mail.stopped.subject"), Ask: true}
	name, intro, table := "mails."+cmp.Or(kind, "all"), "mail.stopped.intro", events.Name{}
	if kind == people.AllMails {
		kind, name = "", "mails.all"
	}
	if how == stoppedByLink {
		intro = "mail.stopped.link"
	}
	if here {
		if table, err = events.ParseName(at); err != nil {
			return body, nil, fmt.Errorf("which table's mails stopped: %w", err)
		}
		name, body.Footer = "mail.stopped.here."+kind, []link{{p.Text("mail.table"), c.Links.Table(table)}}
	}
	token, err := c.Passes.Unsubscribe(ctx, l.Person, Kind(kind), table)
	if err != nil {
		return body, nil, fmt.Errorf("unsubscribe pass: %w", err)
	}
	body.Headline = p.Text("mail.stopped.headline", "kind", p.Text(name))
	body.Preheader, body.Intro = body.Headline, []string{p.Text(intro)}
	body.Button = link{p.Text("mail.stopped.button"), c.Links.Unsubscribe(token)}
	return body, nil, nil
}

// wantedSince reports whether a complaint about a letter is about what its reader has asked for since: an earlier one
// stopped that kind after the letter was sent, and they turned it on again.
func (o *Outbox) wantedSince(ctx context.Context, l Letter) (yes bool, err error) {
	err = o.db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM returns r WHERE r.person = ?1 AND r.kind = ?2 AND r.letter <> ?3
		AND (r.letter > ?3 OR abs(r.at) >=
			coalesce((SELECT done FROM outbox WHERE id = ?3), (SELECT done FROM mailed WHERE letter = ?3)))
		AND ?4 IN (SELECT kind FROM outbox WHERE id = r.letter
			UNION ALL SELECT kind FROM mailed WHERE letter = r.letter))`,
		string(l.Person), string(ReturnComplaint), l.ID, string(l.Kind)).Scan(&yes)
	if err != nil {
		return false, fmt.Errorf("mail queue: earlier complaints: %w", err)
	}
	return yes, nil
}
