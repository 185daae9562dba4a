package mail

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"slices"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// Recipient is somebody who is written to.
type Recipient struct {
	ID      domain.PersonID
	Name    string
	Address string
	Lang    string
	Zone    *time.Location
	Wants   func(Kind, events.Name) bool // mails they have not switched off, at a table
}

// Directory knows who people are.
type Directory interface {
	// Next is when a person may be mailed who was mailed last at a moment (zero: never), and whether
	// what waits for them then is to be one mail.
	Next(ctx context.Context, id domain.PersonID, now, last time.Time) (next time.Time, together bool, err error)
	// Recipient finds a person; ok is false for somebody who was forgotten or has no address.
	Recipient(ctx context.Context, id domain.PersonID) (r Recipient, ok bool, err error)
}

// Passes makes the tokens that mails carry, each from the notice that the mail answers. The
// same facts give the same token, so that a mail which is written again has the same bytes.
type Passes interface {
	// Act lets the notice's person do what it asks for: play the decision, answer the
	// proposal, take the seat.
	Act(ctx context.Context, n Notice) (string, error)
	// Visit lets a person look at a table as themselves.
	Visit(ctx context.Context, p domain.PersonID, table events.Name) (string, error)
	// Unsubscribe lets a person stop a kind of mail.
	Unsubscribe(ctx context.Context, p domain.PersonID, kind Kind) (string, error)
	// Reply is the part of an address that answers to the notice's mail go to: pos is the log's
	// position of the event that brought its decision up, ahead how many versions later the mail
	// is written.
	Reply(ctx context.Context, n Notice, pos, ahead uint64) (string, error)
	// Mute lets a person stop a kind of mail from one table.
	Mute(ctx context.Context, p domain.PersonID, kind Kind, table events.Name) (string, error)
	// MessageID is a mail's id, without angle brackets.
	MessageID(n Notice, domain string) (string, error)
	// ThreadID is the id, without angle brackets, that all mails of a table to a person refer to.
	ThreadID(table events.Name, p domain.PersonID, domain string) string
}

// Composer writes letters.
type Composer struct {
	Desk      *events.Desk
	Maker     *turn.Maker
	Book      *words.Book
	Directory Directory
	Passes    Passes
	Links     turn.Links
	From      string // the site's one address
	SiteName  string // the display name in From
	// Sign puts a signature before a message (see sign.Signer); nil leaves that to the next server.
	Sign func(message []byte) ([]byte, error)
	// Opens reads what somebody wrote at a table, or "" where that can no longer be read; nil leaves it out.
	Opens   func(ctx context.Context, id domain.PersonID, cipher []byte) string
	ReplyTo string // the address that reads answers, without what stands behind its "+"; "" for none
}

// errGone is why a letter is not written: it is no longer needed, or not wanted.
type errGone struct{ why string }

func (e errGone) Error() string { return e.why }

//go:embed templates/mail.html templates/mail.txt
var templates embed.FS

var (
	htmlTemplate = htmltemplate.Must(htmltemplate.ParseFS(templates, "templates/mail.html"))
	textTemplate = texttemplate.Must(texttemplate.New("mail.txt").Funcs(texttemplate.FuncMap{"wrap": wrap}).ParseFS(templates, "templates/mail.txt"))
)

//go:embed words/*.json
var catalogue embed.FS

// Catalogue is the words of the mails, by language.
func Catalogue() map[string][]byte { return words.Read(catalogue, "words") }

// Written is a letter as it goes out.
type Written struct {
	To        string // the recipient's address
	MessageID string // without angle brackets
	Subject   string
	Told      uint64 // the version of its table up to which it tells what people did
	Message   []byte
}

// Compose writes a letter. The error is an errGone if it is no longer needed, which is asked
// of the log, or not wanted.
func (c *Composer) Compose(ctx context.Context, l Letter) (Written, error) {
	r, token, ok := signInOf(l.Notice)
	var err error
	if l.Kind != KindSignIn {
		r, ok, err = c.Directory.Recipient(ctx, l.Person)
	}
	switch {
	case err != nil:
		return Written{}, fmt.Errorf("recipient: %w", err)
	case !ok:
		return Written{}, errGone{"no address"}
	case l.Kind.optional() && !r.Wants(l.Kind, l.Table) && !l.answers(), l.Kind.reminds() && !r.Wants(KindTurn, l.Table):
		return Written{}, errGone{"switched off"}
	}
	if err := c.StillNeeded(ctx, l.Notice); err != nil {
		return Written{}, err
	}
	var body content
	var pictures []inline
	switch l.Kind {
	case KindSignIn:
		body = c.signIn(token, r, l.aboutAddress())
	case KindDigest:
		body, err = c.digest(ctx, l, r)
	default:
		body, pictures, err = c.about(ctx, l, r)
	}
	if err != nil {
		return Written{}, err
	}
	return c.seal(ctx, l, r, body, pictures)
}

// seal adds what every letter has, and makes the message.
func (c *Composer) seal(ctx context.Context, l Letter, r Recipient, body content, pictures []inline) (Written, error) {
	p := c.Book.Printer(r.Lang, "", nil)
	body.Why = p.Text("mail.why", "name", r.Name)
	if l.Kind == KindTurn {
		body.Why = p.Text("mail.turn.keep") + " " + body.Why
	}
	env := envelope{ReplyTo: body.ReplyTo, InReplyTo: body.InReplyTo, From: c.From, FromName: c.SiteName, To: r.Address, Subject: oneLine(body.Subject), Date: l.Made.In(r.Zone)}
	var err error
	if env.MessageID, err = c.Passes.MessageID(l.Notice, domainOf(c.From)); err != nil {
		return Written{}, fmt.Errorf("message id: %w", err)
	}
	if !l.Table.IsZero() {
		env.Root = c.Passes.ThreadID(l.Table, l.Person, domainOf(c.From))
		env.ListID = l.Table.String() + ".games." + domainOf(c.From)
	}
	if l.Kind.optional() {
		stop, err := c.stop(ctx, l)
		if err != nil {
			return Written{}, fmt.Errorf("unsubscribe pass: %w", err)
		}
		body.Footer = append(body.Footer, link{p.Text("mail.unsubscribe." + string(l.Kind)), c.Links.Unsubscribe(stop)})
		env.Unsubscribe = c.Links.Unsubscribe(stop)
	}
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
	return Written{To: r.Address, MessageID: env.MessageID, Subject: env.Subject, Told: body.Told, Message: message}, err
}

// stop is the pass that stops such mails: those of this table alone, where it will send more.
func (c *Composer) stop(ctx context.Context, l Letter) (string, error) {
	if l.Kind == KindTurn {
		return c.Passes.Mute(ctx, l.Person, l.Kind, l.Table)
	}
	return c.Passes.Unsubscribe(ctx, l.Person, l.Kind)
}

// StillNeeded asks the log whether a mail is still to the point; if not, an errGone.
func (c *Composer) StillNeeded(ctx context.Context, n Notice) error {
	if n.Kind.reminds() {
		return c.stillReminds(ctx, n)
	}
	if !n.Kind.asked() {
		return nil
	}
	look, err := c.Desk.Look(ctx, n.Table)
	if err != nil {
		return err
	}
	if moot := look.Moot(n.ask()); moot != events.MootNot {
		return errGone{string(moot)}
	}
	return nil
}

func (c *Composer) signIn(token string, r Recipient, address bool) content {
	p, key := c.Book.Printer(r.Lang, "", nil), "mail.signin"
	if address {
		key = "mail.address"
	}
	return content{Lang: p.Lang(), Subject: p.Text(key + ".subject"), Preheader: p.Text(key + ".preheader"),
		Headline: p.Text(key + ".headline"), Intro: []string{p.Text(key + ".intro")},
		Button: link{p.Text(key + ".button"), c.Links.SignIn(token)}}
}

// about writes what concerns a table.
func (c *Composer) about(ctx context.Context, l Letter, r Recipient) (content, []inline, error) {
	m, err := c.Maker.Turn(ctx, l.Table, turn.Asker{Person: l.Person, Seat: l.Open.Seat, Lang: r.Lang, Zone: r.Zone})
	if err != nil {
		return content{}, nil, err
	}
	l, again, err := c.remind(ctx, m, l)
	if err != nil {
		return content{}, nil, err
	}
	body := content{Lang: m.Lang(), Receipt: m.Receipt, ReceiptIs: m.Text("mail.receipt")}
	if body.Subject, err = c.subject(ctx, m, l); err != nil {
		return body, nil, err
	}
	visit, err := c.Passes.Visit(ctx, l.Person, l.Table)
	if err != nil {
		return body, nil, fmt.Errorf("pass: %w", err)
	}
	token, err := c.Passes.Act(ctx, l.Notice)
	if err != nil {
		return body, nil, fmt.Errorf("pass: %w", err)
	}
	body.Footer = []link{{m.Text("mail.table"), c.Links.Pass(visit)}}
	body.Told = l.Told
	if !l.Kind.optional() && l.Kind != KindReply {
		c.told(&body, m, l, token)
		return body, nil, nil
	}
	lines, err := c.news(ctx, &body, m, l)
	if err != nil {
		return body, nil, err
	}
	body.Seats = seats(m)
	if m.Branch != nil {
		body.Intro = append(body.Intro, m.Text("mail.branch."+string(m.Branch.Kind), "n", int(m.Branch.Version)))
	}
	switch l.Kind {
	case KindTurn:
		err = c.turn(ctx, &body, m, l, token)
	case KindConsent:
		err = c.consent(ctx, &body, m, l, token)
	case KindInvitation:
		err = c.invitation(ctx, &body, m, l, token)
	case KindOver:
		c.over(&body, m, visit)
	case KindReply:
		err = c.answer(ctx, &body, m, l, visit)
	case KindNews:
		err = c.aboutNews(&body, m, l, lines, visit)
	default:
		err = fmt.Errorf("no mail of kind %q", l.Kind)
	}
	if err != nil {
		return body, nil, err
	}
	if again != "" {
		body.Preheader, body.Headline = again+" "+body.Headline, again+" "+body.Headline
	}
	c.talk(&body, m, l, lines)
	if l.Kind != KindOver {
		body.Intro = append(body.Intro, m.Time.Lines...)
	}
	pictures, err := c.board(&body, m, l)
	return body, pictures, err
}

// company is who is at the table, stand-ins included and open seats not.
func company(m *turn.Model) []string {
	var out []string
	for _, p := range m.Players {
		if len(p.People)+len(p.Invited) > 0 || p.StandIn {
			out = append(out, words.Isolated(p.Name))
		}
	}
	return out
}

// subject is that of the thread so far, or else names the game, its people and the table. The
// name of somebody who was forgotten does not stay in it.
func (c *Composer) subject(ctx context.Context, m *turn.Model, l Letter) (string, error) {
	p := c.Book.Printer(m.Lang(), "", nil)
	for _, seat := range m.Players {
		for _, id := range slices.Concat(seat.People, seat.Invited) {
			name, err := c.Maker.Name(ctx, p, id)
			if err != nil {
				return "", err
			}
			if name == p.Text("house.forgotten") || guested(l.Subject, id, name) {
				l.Subject = ""
			}
		}
	}
	if l.Subject != "" {
		return l.Subject, nil
	}
	return m.Game + ": " + strings.Join(company(m), ", ") + " #" + l.Table.String()[:6], nil
}

// guested tells whether a thread began while somebody had no name who has one now: it is renamed once.
func guested(subject string, id domain.PersonID, name string) bool {
	guest := people.Guest(id)
	return name != guest && strings.Contains(subject, guest)
}

func (c *Composer) turn(ctx context.Context, body *content, m *turn.Model, l Letter, token string) error {
	if m.Decision == nil || *m.Decision != l.Open {
		// Somebody has just moved, or the seat is asked for several decisions at once and the
		// model has the other one.
		if err := c.StillNeeded(ctx, l.Notice); err != nil {
			return err
		}
		if m.Decision == nil {
			return errors.New("the table changed while the letter was written")
		}
		m.Answer(l.Open)
	}
	body.Headline = m.Sentence
	body.Preheader = m.Sentence
	if n := len(m.Since); n > 0 && len(m.Since[n-1].Sentences) > 0 {
		body.Preheader = m.Sentence + " " + m.Since[n-1].Sentences[0]
	}
	c.choices(body, m, token)
	c.story(body, m)
	if a, ok := AnswerOf(l.Notice); ok { // their own move has brought it up, by mail
		body.Intro, body.Headline, body.Preheader, body.InReplyTo = append(a.Lines, body.Headline), a.Headline, a.Headline, a.Message
	}
	return c.answerable(ctx, body, m, l.Notice)
}

// choices lists what the decision's person may play.
func (c *Composer) choices(body *content, m *turn.Model, token string) {
	body.Button = link{m.Text("mail.turn.button"), c.Links.Pass(token)}
	body.MovesHead, body.LinksHead = m.Text("mail.turn.moves", "n", m.Legal()), m.Text("mail.turn.links")
	more := false
	groups, all := m.Best(screenful)
	if !all {
		body.MovesHead = m.Text("mail.turn.best", "n", screenful, "of", m.Legal())
	}
	if body.Places, more = placesOf(groups, m.Legal(), func(keys ...string) string { return c.Links.Pass(token, keys...) }); more || !all || len(m.Forms) > 0 {
		body.More = link{m.Text("mail.turn.more"), c.Links.Pass(token)}
	}
}

func (c *Composer) consent(ctx context.Context, body *content, m *turn.Model, l Letter, token string) error {
	if m.Proposal == nil || m.Proposal.Since != l.Open.Since {
		return errGone{"answered"}
	}
	body.Headline, body.Preheader = m.Proposal.Sentence, m.Proposal.Sentence
	if reason := m.Proposal.Reason; len(reason) > 0 && c.Opens != nil {
		if text := c.Opens(ctx, m.Proposal.By, reason); text != "" {
			body.Intro = append(body.Intro, m.Text("mail.consent.reason", "text", text))
		}
	}
	if m.Proposal.Kind == domain.ProposeRewind {
		var err error
		body.UndoHead = m.Text("mail.undo")
		if body.Undo, err = c.undone(ctx, m, l); err != nil {
			return err
		}
	}
	body.Intro = append(body.Intro, m.Proposal.Reveals...)
	if m.Proposal.Luck != "" {
		body.Intro = append(body.Intro, m.Proposal.Luck)
	}
	body.Intro = append(body.Intro, m.Text("mail.consent.intro."+string(m.Proposal.Kind)))
	body.Button, body.Ask = link{m.Text("mail.consent.button"), c.Links.Pass(token)}, true
	c.story(body, m)
	return nil
}

func (c *Composer) invitation(ctx context.Context, body *content, m *turn.Model, l Letter, token string) error {
	if m.Status == domain.TableStarted {
		return c.offer(ctx, body, m, l)
	}
	first, err := events.LoadOne(ctx, c.Desk.Log(), l.Table, 1)
	if err != nil || len(first.Parts) == 0 {
		return fmt.Errorf("commitment of table %s: %w", l.Table, cmp.Or(err, events.ErrNoRecord))
	}
	look, err := c.Desk.Look(ctx, l.Table)
	if err != nil {
		return err
	}
	opener, err := c.Maker.Name(ctx, c.Book.Printer(m.Lang(), "", nil), look.Table.Opener)
	if err != nil {
		return err
	}
	body.Headline = m.Text("mail.invitation.headline", "who", opener, "game", m.Game)
	body.Preheader = body.Headline
	body.Intro = append(body.Intro, m.Text("mail.invitation.people", "who", strings.Join(company(m), ", "), "pace_word", "mail.pace."+m.Pace),
		m.Text("mail.invitation.intro", "letter", l.Open.Seat.Letter()), m.Text("mail.invitation.chance"))
	body.Button, body.Ask = link{m.Text("mail.invitation.button"), c.Links.Pass(token)}, true
	body.ReceiptIs = m.Text("mail.invitation.commitment")
	body.Receipt = first.Parts[0].Digest.String()
	return nil
}

func (c *Composer) over(body *content, m *turn.Model, visit string) {
	body.Headline = m.Text("table.ended." + string(m.End))
	body.Intro = append(body.Intro, m.Result...)
	body.Preheader = strings.Join(append([]string{body.Headline}, m.Result...), " ")
	body.Button = link{m.Text("mail.over.button"), c.Links.Pass(visit)}
	c.story(body, m)
	if m.End == domain.EndFinished {
		return // the last move has told what the end was worth
	}
	for i, causes := range m.Causes {
		for _, cause := range causes {
			body.Since = append(body.Since, m.Labels[i]+": "+cause)
		}
	}
}

// story is what happened since the recipient's last move, and how the game stands.
func (c *Composer) story(body *content, m *turn.Model) {
	body.SinceHead = m.Text("mail.since")
	for _, h := range m.Since {
		body.Since = append(body.Since, h.Sentences...)
	}
	body.Final = m.Status == domain.TableEnded
	key := "mail.scores"
	for i, s := range m.Standing.Scores {
		sc := score{Label: m.Labels[i], Points: s}
		if i < len(m.Standing.Final) && m.Standing.Final[i] != s {
			if final := m.Standing.Final[i]; body.Final {
				sc.Points = final
			} else {
				sc.IfEnded, key = strconv.Itoa(final), "mail.scores.both"
			}
		}
		body.Scores = append(body.Scores, sc)
	}
	if body.Final {
		key = "mail.scores.final"
	}
	body.ScoreHead = m.Text(key)
}
