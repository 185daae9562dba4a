package mail

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/projections/turn"
)

// Post is what the browser's door needs from this one.
type Post struct{ Outbox *Outbox }

// SignIn mails a sign-in link to an address, which need not belong to anybody yet. The token is the text of the link;
// the queue keeps it sealed and wipes it once the mail is sent. If a game is named, the link also opens a first game of
// it, and the mail says so.
func (p Post) SignIn(ctx context.Context, address, token, lang, game string) error {
	lines := []string{lang, address, token}
	if game != "" {
		lines = append(lines, aboutTry+game)
	}
	return p.signsIn(ctx, "sign-in "+token, lines...)
}

// Address mails a link that gives a person another address, to that address.
func (p Post) Address(ctx context.Context, address, token, lang string) error {
	return p.signsIn(ctx, "address "+token, lang, address, token, aboutAddress)
}

// Forget mails a person, at their address, the link by which they have themselves forgotten.
func (p Post) Forget(ctx context.Context, address, token, lang string) error {
	return p.signsIn(ctx, "forget "+token, lang, address, token, aboutForget)
}

// Taken tells an address, once a day, that somebody wanted to add it, and that it has an account of its own.
func (p Post) Taken(ctx context.Context, address, lang string) error {
	today := p.Outbox.now().UTC().Format(time.DateOnly)
	return p.signsIn(ctx, "taken "+address+" "+today, lang, address, "", aboutTaken)
}

// Changed tells one of a person's addresses what became of one of theirs, which it shows only in part.
func (p Post) Changed(ctx context.Context, to people.Told, c people.Change) error {
	made := p.Outbox.now().UTC().Format(time.RFC3339Nano)
	return p.signsIn(ctx, "changed "+string(to.Address)+" "+made, c.Language, string(to.Address), to.Back,
		aboutChanged, c.What, c.Address.Short())
}

// Lost sends a mail about somebody's lost address.
func (p Post) Lost(ctx context.Context, m people.LostMail) error {
	return p.signsIn(ctx, "lost "+string(m.To)+" "+m.When.UTC().Format(time.RFC3339Nano)+m.Token, m.Language,
		string(m.To), m.Token, aboutLost, string(m.What), oneLine(m.Who), m.Address.Short(),
		m.When.UTC().Format(time.RFC3339))
}

// Afresh has a person mailed anew what they are still asked.
func (p Post) Afresh(ctx context.Context, person domain.PersonID) error {
	return p.Outbox.Afresh(ctx, person)
}

func (p Post) signsIn(ctx context.Context, key string, lines ...string) error {
	if strings.ContainsAny(strings.Join(lines, ""), "\r\n") {
		return errors.New("a mail to an address of several lines")
	}
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindSignIn, Secret: []byte(strings.Join(lines, "\n")),
		Head: events.Hash(sha256.Sum256([]byte(key)))})
}

// What a sign-in mail can be about apart from signing in.
const (
	aboutTry     = "try "    // precedes the game that its link opens
	aboutAddress = "address" // an address to be added
	aboutForget  = "forget"  // an account to be deleted
	aboutTaken   = "taken"   // an address that cannot be
	aboutLost    = "lost"    // somebody's lost address; what, whose, the new one and when follow
	aboutChanged = "changed" // what became of an address; what, and which, follow
	aboutMoved   = "moved"   // the same, of an older program: which is in the token's place
)

// A fresh link is valid for a day. Asking again within linkAgain gives the same mail.
const (
	linkLasts = 24 * time.Hour
	linkAgain = time.Hour
)

// Link mails a person a link that lets a browser take up their seat at a table.
func (p Post) Link(ctx context.Context, person domain.PersonID, table events.Name) error {
	now := p.Outbox.now()
	return p.tell(ctx, Notice{Kind: KindLink, Person: person, Table: table, Stream: table},
		now.Add(linkLasts).UTC().Format(time.RFC3339Nano), now.Truncate(linkAgain))
}

// usedEvery is how often somebody hears at most that browsers which may be somebody else's act for them.
const usedEvery = 7 * 24 * time.Hour

// Used tells a person of a browser that acts for them at a table and may be somebody else's, and why: at once, or else,
// a week after the last such mail, with whatever comes until then.
func (p Post) Used(ctx context.Context, person domain.PersonID, table events.Name, why, browser string) error {
	at := p.Outbox.now().UTC().Format(time.RFC3339Nano)
	line := strings.Join([]string{why, at, table.String(), oneLine(browser)}, "\t")
	return p.Outbox.gather(ctx, Notice{Kind: KindUsed, Person: person, Table: table,
		Head: events.Hash(sha256.Sum256([]byte(string(KindUsed) + " " + line)))}, line, usedEvery)
}

// used says which browsers act for its reader, a paragraph each, and lets them withdraw all links.
func (c *Composer) used(ctx context.Context, d *draft) error {
	m, r, l := d.m, d.r, d.Letter
	var out []string
	for line := range strings.SplitSeq(string(l.Secret), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 { // of a program that told only of links, and of one browser
			f = []string{"link", l.Made.UTC().Format(time.RFC3339Nano), l.Table.String(), line}
		}
		at, err1 := time.Parse(time.RFC3339Nano, f[1])
		table, err2 := events.ParseName(f[2])
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("what a mail tells: %w", err)
		}
		title := m.Title
		if table != l.Table {
			other, err := c.Maker.Listed(ctx, table, turn.Asker{Person: r.ID, Lang: r.Lang})
			if err != nil {
				return fmt.Errorf("what a mail tells: %w", err)
			}
			title = other.Title
		}
		p := c.Book.Printer(m.Lang(), "", nil)
		out = append(out, p.Text("mail.used."+f[0], "when", p.Moment(at.In(r.Zone)), "title", title, "browser", f[3]))
	}
	d.Button.URL, d.Intro = c.Links.Withdraw(d.token), append(out, d.Intro...)
	return nil
}

// tell queues a mail that no version of a table calls for: one for each kind, person, stream and span of time.
func (p Post) tell(ctx context.Context, n Notice, secret string, span time.Time) error {
	n.Secret, n.Head = []byte(secret),
		events.Hash(sha256.Sum256([]byte(string(n.Kind)+" "+span.UTC().Format(time.RFC3339))))
	return p.Outbox.Want(ctx, 0, n)
}

// expires returns when a fresh link expires.
func (n Notice) expires() time.Time {
	t, err := time.Parse(time.RFC3339, string(n.Secret))
	if err != nil {
		return time.Time{}
	}
	return t
}

// signInOf reads to whom a sign-in mail goes, its token and what it is about.
func signInOf(n Notice) (r Recipient, token string, about []string, ok bool) {
	f := strings.Split(string(n.Secret), "\n")
	if n.Kind != KindSignIn || len(f) < 3 {
		return r, "", nil, false
	}
	return Recipient{Lang: f[0], Name: f[1], Address: f[1], Zone: time.UTC, Wants: func(Kind, events.Name) bool {
		return true
	}}, f[2], append(f[3:], "", "", "", "", ""), true
}

// told writes a mail about a table that no event there called for.
func (c *Composer) told(ctx context.Context, d *draft) error {
	key := "mail." + string(d.Kind)
	d.Headline = d.m.Text(key+".headline", "title", d.m.Title)
	d.content.Subject = briefly(d.m.Text(key+".headline", "title", d.m.Game), mostSubject)
	d.Preheader, d.Intro = d.Headline, []string{d.m.Text(key + ".intro")}
	d.Button, d.content.Ask = link{d.m.Text(key + ".button"), c.Links.Pass(d.token)}, true
	d.Receipt, d.ReceiptIs = "", ""
	if says := d.Kind.row().says; says != nil {
		return says(c, ctx, d)
	}
	return nil
}
