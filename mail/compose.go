package mail

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// Recipient is somebody to write to.
type Recipient struct {
	ID      domain.PersonID
	Name    string
	Address string
	Lang    string
	Zone    *time.Location
	Wants   func(Kind, events.Name) bool // reports whether they have not switched off a kind of mail, at a table
}

// Directory knows who people are.
type Directory interface {
	// Next returns when a person last mailed at a given moment (zero: never) may be mailed again, and whether
	// everything waiting for them by then goes into one mail.
	Next(ctx context.Context, id domain.PersonID, now, last time.Time) (next time.Time, together bool, err error)
	// Recipient finds a person; ok is false for somebody who was forgotten or has no address.
	Recipient(ctx context.Context, id domain.PersonID) (r Recipient, ok bool, err error)
}

// Passes makes the tokens in mails, each from the notice that the mail is for. The same facts give the same token, so
// that a mail that is written again has the same bytes.
type Passes interface {
	// Act lets the notice's person do what it asks for: play the decision, answer the proposal, take the seat.
	Act(ctx context.Context, n Notice) (string, error)
	// Unsubscribe lets a person stop a kind of mail; if a table is named, only from there.
	Unsubscribe(ctx context.Context, p domain.PersonID, kind Kind, table events.Name) (string, error)
	// Reply returns the token for the address that answers to the notice's mail go to. pos is the log position of the
	// event that brought up its decision; ahead is how many versions later the mail is written.
	Reply(ctx context.Context, n Notice, pos, ahead uint64) (string, error)
	// MessageID is a mail's id, without angle brackets: another one each time that it is sent afresh, which it was so
	// often.
	MessageID(n Notice, afresh int, domain string) (string, error)
	// ThreadID is the id, without angle brackets, that all mails about a table to a person refer to.
	ThreadID(table events.Name, p domain.PersonID, domain string) string
}

// Composer writes letters.
type Composer struct {
	Desk      *desk.Desk
	Maker     *turn.Maker
	Book      *words.Book
	Directory Directory
	Passes    Passes
	Links     turn.Links
	From      string // the site's one address
	SiteName  string // the display name in From
	// Sign puts a signature before a message (see sign.Signer); nil leaves signing to the next server.
	Sign func(message []byte) ([]byte, error)
	// Opens reads what somebody wrote at a table, or returns "" if it can no longer be read. If Opens is nil, mails
	// leave such texts out.
	Opens func(ctx context.Context, id domain.PersonID, cipher []byte) string
	// Pressed tells how a person's last move at a table came in from a page. If it is nil, mails say less of that.
	Pressed func(ctx context.Context, id domain.PersonID, table events.Name) (people.Press, error)
	ReplyTo string   // the address that receives answers, without the "+" part; "" for none
	Hosts   []string // the addresses of those who run the house, for whoever asks
}

// errGone says why a letter is not written: it is no longer needed, or not wanted.
type errGone struct{ why string }

func (e errGone) Error() string { return e.why }

// switchedOff is the note on a letter that its person does not want.
const switchedOff = "switched off"

//go:embed templates/mail.html templates/mail.txt
var templates embed.FS

var (
	htmlTemplate = htmltemplate.Must(htmltemplate.ParseFS(templates, "templates/mail.html"))
	textTemplate = texttemplate.Must(texttemplate.New("mail.txt").Funcs(texttemplate.FuncMap{"wrap": wrap}).
			ParseFS(templates, "templates/mail.txt"))
)

// Written is a letter ready to go out.
type Written struct {
	To        string // the recipient's address
	MessageID string // without angle brackets
	Subject   string
	Thread    string // the subject of all turns at its table; "" for a letter about no table
	Told      uint64 // the version of its table up to which it tells what people did
	Shown     Shown
	Unmailed  bool // it says what was not mailed
	Message   []byte
}

// Compose writes a letter. It asks the log whether the letter is still needed, and returns an errGone if it is not, or
// if its person does not want it.
func (c *Composer) Compose(ctx context.Context, l Letter) (Written, error) {
	row := l.Kind.row()
	r, ok, err := c.reader(ctx, l.Notice)
	switch {
	case err != nil:
		return Written{}, fmt.Errorf("recipient: %w", err)
	case !ok:
		return Written{}, errGone{"no address"}
	case row.optional() && !l.wanted(r) && !l.answers():
		return Written{}, errGone{switchedOff}
	}
	if err := c.StillNeeded(ctx, l.Notice); err != nil {
		return Written{}, err
	}
	if row.write == nil {
		row.write = (*Composer).letter
	}
	c = c.calling(r)
	body, pictures, err := row.write(c, ctx, l, r)
	if err != nil {
		return Written{}, err
	}
	return c.seal(ctx, l, r, body, pictures)
}

// reader finds whom a mail is for: among the people of the house, or else as it says itself.
func (c *Composer) reader(ctx context.Context, n Notice) (r Recipient, ok bool, err error) {
	if n.Person != "" {
		return c.Directory.Recipient(ctx, n.Person)
	}
	if r, _, _, ok = signInOf(n); ok {
		return r, true, nil
	}
	s, ok := strangerOf(n)
	return Recipient{Lang: c.Book.Match(s.Lang), Name: s.Address, Address: s.Address, Zone: time.UTC}, ok, nil
}

// calling returns a composer that calls somebody who has given no name, and whom nobody has called anything, by the
// beginning of their address, which in a mail to them is nobody's secret.
func (c *Composer) calling(r Recipient) *Composer {
	if name, _, ok := strings.Cut(r.Address, "@"); ok && r.Name == people.Guest(r.ID) {
		own := *c
		own.Maker = c.Maker.Calling(r.ID, oneLine(name))
		return &own
	}
	return c
}

// seal adds what every letter has, and makes the message.
func (c *Composer) seal(ctx context.Context, l Letter, r Recipient, body content, pictures []inline) (Written, error) {
	p := c.Book.Printer(r.Lang, "", nil)
	row := l.Kind.row()
	name := r.Name
	if r.ID != "" {
		var err error
		if name, err = c.Maker.Name(ctx, p, r.ID); err != nil {
			return Written{}, err
		}
	}
	body.Why = p.Text("mail.why", "name", name)
	if row.purpose == pass.Play {
		body.Keep, body.Why = p.Text("mail.turn.keep"), ""
	}
	env := envelope{ReplyTo: body.ReplyTo, InReplyTo: body.InReplyTo, From: c.From, House: c.SiteName,
		FromName: cmp.Or(body.Sender, c.SiteName), To: r.Address, ToName: bearable(p, r.ID, r.Name), Kind: l.Kind,
		Calendar: body.calendar, Subject: oneLine(body.Subject), Date: l.dated(c.Desk.Now()).In(r.Zone)}
	var err error
	if env.MessageID, err = c.Passes.MessageID(l.Notice, l.afresh, domainOf(c.From)); err != nil {
		return Written{}, fmt.Errorf("message id: %w", err)
	}
	if !l.Table.IsZero() {
		env.Root = c.Passes.ThreadID(l.Table, l.Person, domainOf(c.From))
		env.ListID = l.Table.String() + ".games." + domainOf(c.From)
	}
	kind := l.Kind
	if a, ok := AnswerOf(l.Notice); ok && a.Stops {
		kind = KindTurn
	}
	if row := kind.row(); row.optional() {
		at := events.Name{}
		if row.stops == stopsTable {
			at = l.Table
		}
		stop, err := c.Passes.Unsubscribe(ctx, l.Person, kind, at)
		if err != nil {
			return Written{}, fmt.Errorf("unsubscribe pass: %w", err)
		}
		body.Footer = append(body.Footer, link{p.Text("mail.unsubscribe." + string(kind)), c.Links.Unsubscribe(stop)})
		env.Unsubscribe = c.Links.Unsubscribe(stop)
	}
	body.begins(env.Subject)
	var html, text bytes.Buffer
	if err := htmlTemplate.Execute(&html, body); err != nil {
		return Written{}, fmt.Errorf("html part: %w", err)
	}
	if err := textTemplate.Execute(&text, body); err != nil {
		return Written{}, fmt.Errorf("text part: %w", err)
	}
	message, err := env.write(tidy(text.String()), html.String(), pictures)
	if err == nil && c.Sign != nil {
		message, err = c.Sign(message)
	}
	return Written{To: r.Address, MessageID: env.MessageID, Subject: env.Subject, Thread: oneLine(body.Thread),
		Told: body.Told, Shown: body.Shown, Unmailed: body.unmailed, Message: message}, err
}

// StillNeeded asks the log whether a mail is still needed, and returns an errGone if not.
func (c *Composer) StillNeeded(ctx context.Context, n Notice) error {
	row := n.Kind.row()
	if row.stale == nil {
		return nil
	}
	look, err := c.Desk.Glance(ctx, n.Table)
	if err != nil {
		return err
	}
	if why := row.stale(n, look); why != "" {
		return errGone{why}
	}
	if !row.asked {
		return nil
	}
	return c.stillBack(ctx, look, n)
}

// stillBack checks that the person of a letter about a decision that came back to them has not moved since, and that
// the person of one about the last open seat is still the only one missing.
func (c *Composer) stillBack(ctx context.Context, look desk.Look, n Notice) error {
	first, err := c.opened(ctx, n)
	if err != nil || first.Head == n.Head {
		return err
	}
	if at := look.Again(n.ask()); at > 0 {
		rec, err := events.LoadOne(ctx, c.Desk.Log(), n.Stream, at)
		if err != nil || rec.Hash == n.Head {
			return err
		}
	}
	return errGone{string(desk.StalePlayed)}
}

// opened returns the notice of a decision as it came up: a letter has the links of the first one about its decision.
func (c *Composer) opened(ctx context.Context, n Notice) (Notice, error) {
	rec, err := events.LoadOne(ctx, c.Desk.Log(), n.Stream, n.Open.Since)
	n.Head = rec.Hash
	return n, err
}

func (c *Composer) signIn(_ context.Context, l Letter, r Recipient) (body content, _ []inline, _ error) {
	_, token, about, _ := signInOf(l.Notice)
	p, key := c.Book.Printer(r.Lang, "", nil), "mail.signin"
	game, _ := strings.CutPrefix(about[0], aboutTry)
	switch {
	case about[0] == aboutMoved:
		return c.changed(p, "", people.AddressMain, token), nil, nil
	case about[0] == aboutChanged:
		return c.changed(p, token, about[1], about[2]), nil, nil
	case about[0] == aboutLost:
		return c.lost(p, token, about[1:])
	case about[0] == aboutTaken, about[0] == aboutAddress, about[0] == aboutForget:
		key = "mail." + about[0]
	case c.Book.Has(game + ".name"):
		name := c.Book.Printer(r.Lang, game, nil).Text("name")
		return content{Lang: p.Lang(), Subject: p.Text(key + ".subject"), Preheader: p.Text(key + ".preheader"),
			Headline: p.Text(key+".try.headline", "game", name),
			Intro:    []string{p.Text(key+".try.intro", "game", name), p.Text(key + ".try.once")},
			Button:   link{p.Text(key+".try.button", "game", name), c.Links.Try(token, game)}}, nil, nil
	}
	body = content{Lang: p.Lang(), Subject: p.Text(key + ".subject"), Preheader: p.Text(key + ".preheader"),
		Headline: p.Text(key + ".headline"), Intro: []string{p.Text(key + ".intro")},
		Button: link{p.Text(key + ".button"), c.Links.SignIn(token)}}
	switch {
	case token == "":
		body.Button.URL = c.Links.Home()
	case about[0] == aboutForget:
		body.Button.URL = c.Links.Forget(token)
	}
	return body, nil, nil
}

// lost is what a mail about somebody's lost address says.
func (c *Composer) lost(p words.Printer, token string, about []string) (body content, _ []inline, _ error) {
	when, err := time.Parse(time.RFC3339, about[3])
	if err != nil {
		return body, nil, fmt.Errorf("when an address changes: %w", err)
	}
	text := func(part string) string {
		return p.Text("mail.lost."+about[0]+"."+part, "who", about[1], "address", about[2], "when",
			p.Moment(when.UTC()))
	}
	body = content{Lang: p.Lang(), Subject: text("subject"), Headline: text("subject"), Preheader: text("subject"),
		Intro: []string{text("intro")}, Button: link{text("button"), c.Links.Lost(token)}}
	if token == "" {
		body.Button.URL = c.Links.Home()
	}
	return body, nil, nil
}

// changed tells what became of one of its reader's addresses and, if back is not empty, what takes it back.
func (c *Composer) changed(p words.Printer, back, what, address string) content {
	body := content{Lang: p.Lang(), Subject: p.Text("mail.moved.subject"),
		Headline: p.Text("mail.moved."+what, "address", address), Intro: []string{p.Text("mail.moved.intro")},
		Button: link{p.Text("mail.moved.button"), c.Links.Home()}}
	if back != "" {
		body.Intro = []string{p.Text("mail.moved.back")}
		body.Button = link{p.Text("mail.moved.back.button"), c.Links.Back(back)}
	}
	body.Preheader = body.Headline
	return body
}
