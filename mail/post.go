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
	"posthorn/projections/turn"
)

// Post is what the browser's door needs from this one.
type Post struct{ Outbox *Outbox }

// SignIn mails a sign-in link to an address, which need not belong to anybody yet. The token is the text of the link;
// the queue keeps it sealed and wipes it once the mail is sent. If a game is named, the link also opens a first game of
// it, and the mail says so.
func (p Post) SignIn(ctx context.Context, address, token, lang, game string) error {
	if strings.ContainsAny(address+token+lang+game, "\r\n") {
		return errors.New("a sign-in mail of several lines")
	}
	secret := lang + "\n" + address + "\n" + token
	if game != "" {
		secret += "\n" + aboutTry + game
	}
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindSignIn, Secret: []byte(secret),
		Head: events.Hash(sha256.Sum256([]byte("sign-in " + token)))})
}

// Address mails a link that gives a person a new address, to that address.
func (p Post) Address(ctx context.Context, address, token, lang string) error {
	if strings.ContainsAny(address+token+lang, "\r\n") {
		return errors.New("a mail about an address of several lines")
	}
	return p.Outbox.Want(ctx, 0, Notice{
		Kind: KindSignIn, Secret: []byte(lang + "\n" + address + "\n" + token + "\naddress"),
		Head: events.Hash(sha256.Sum256([]byte("address " + token)))})
}

// Moved tells an old address that its person now has another one, and names part of it.
func (p Post) Moved(ctx context.Context, old, now, lang string) error {
	if strings.ContainsAny(old+now+lang, "\r\n") {
		return errors.New("a mail about an address of several lines")
	}
	made := p.Outbox.now().UTC().Format(time.RFC3339Nano)
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindSignIn, Secret: []byte(lang + "\n" + old + "\n" + now + "\nmoved"),
		Head: events.Hash(sha256.Sum256([]byte("moved " + old + " " + now + " " + made)))})
}

// aboutTry precedes the game that a sign-in mail is about.
const aboutTry = "try "

// tries returns the game that a sign-in mail is about; "" for none.
func (n Notice) tries() string {
	f := strings.Split(string(n.Secret), "\n")
	if len(f) != 4 {
		return ""
	}
	game, ok := strings.CutPrefix(f[3], aboutTry)
	if !ok {
		return ""
	}
	return game
}

// aboutMove reports whether a sign-in mail is about an address that somebody gave up.
func (n Notice) aboutMove() bool { return strings.HasSuffix(string(n.Secret), "\nmoved") }

// aboutAddress reports whether a sign-in mail is about a new address.
func (n Notice) aboutAddress() bool { return strings.HasSuffix(string(n.Secret), "\naddress") }

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

// used says what a mail of KindUsed has to tell, a paragraph each.
func (c *Composer) used(ctx context.Context, m *turn.Model, r Recipient, l Letter) (out []string, err error) {
	for line := range strings.SplitSeq(string(l.Secret), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 { // of a program that told only of links, and of one browser
			f = []string{"link", l.Made.UTC().Format(time.RFC3339Nano), l.Table.String(), line}
		}
		at, err1 := time.Parse(time.RFC3339Nano, f[1])
		table, err2 := events.ParseName(f[2])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("what a mail tells: %w", err)
		}
		title := m.Title
		if table != l.Table {
			other, err := c.Maker.Listed(ctx, table, turn.Asker{Person: r.ID, Lang: r.Lang})
			if err != nil {
				return nil, fmt.Errorf("what a mail tells: %w", err)
			}
			title = other.Title
		}
		p := c.Book.Printer(m.Lang(), "", nil)
		out = append(out, p.Text("mail.used."+f[0], "when", p.Moment(at.In(r.Zone)), "title", title, "browser", f[3]))
	}
	return out, nil
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

// signInOf reads what SignIn put in a notice.
func signInOf(n Notice) (r Recipient, token string, ok bool) {
	f := strings.Split(string(n.Secret), "\n")
	if len(f) != 3 && len(f) != 4 {
		return r, "", false
	}
	return Recipient{Lang: f[0], Name: f[1], Address: f[1], Zone: time.UTC, Wants: func(Kind, events.Name) bool {
		return true
	}}, f[2], true
}

// told writes a mail about a table that no event there called for.
func (c *Composer) told(ctx context.Context, body *content, m *turn.Model, r Recipient, l Letter,
	token string) (err error) {
	key := "mail." + string(l.Kind)
	body.Headline = m.Text(key+".headline", "title", m.Title)
	body.Preheader = body.Headline
	body.Intro = []string{m.Text(key + ".intro")}
	if l.Kind == KindConfirm && l.Secret != nil {
		body.Intro = append(body.Intro, string(l.Secret))
	}
	body.Button, body.Ask = link{m.Text(key + ".button"), c.Links.Pass(token)}, true
	switch l.Kind {
	case KindUsed:
		body.Button.URL = c.Links.Withdraw(token)
		var lines []string
		if lines, err = c.used(ctx, m, r, l); err != nil {
			return err
		}
		body.Intro = append(lines, body.Intro...)
	case KindConfirm:
		body.Button.URL = c.Links.Confirm(token)
	}
	body.Receipt, body.ReceiptIs = "", ""
	return nil
}
