package mail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"

	"posthorn/events"
	"posthorn/events/people"
)

// Stopped tells a person that a complaint about a letter stopped its kind of mail. Whoever the letter was passed on to
// can send that complaint, too, and nothing shows whose it is.
func (p Post) Stopped(ctx context.Context, l Letter) error {
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindStopped, Person: l.Person, Secret: []byte(l.Kind.Switch()),
		Head: events.Hash(sha256.Sum256([]byte(fmt.Sprintf("stopped %d", l.ID))))})
}

// stopped says which mails a complaint stopped, with the link that turns them on again by a press.
func (c *Composer) stopped(ctx context.Context, l Letter, r Recipient) (content, error) {
	kind := string(l.Secret)
	if kind == people.AllMails {
		kind = ""
	}
	token, err := c.Passes.Unsubscribe(ctx, l.Person, Kind(kind))
	if err != nil {
		return content{}, fmt.Errorf("unsubscribe pass: %w", err)
	}
	p := c.Book.Printer(r.Lang, "", nil)
	head := p.Text("mail.stopped.headline", "kind", p.Text("mail.stopped.kind."+cmp.Or(kind, "all")))
	return content{Lang: p.Lang(), Subject: p.Text("mail.stopped.subject"), Headline: head, Preheader: head,
		Intro:  []string{p.Text("mail.stopped.intro")},
		Button: link{p.Text("mail.stopped.button"), c.Links.Unsubscribe(token)}, Ask: true}, nil
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
