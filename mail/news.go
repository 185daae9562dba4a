package mail

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// news lists the mails about what people did at a table that asks nobody for anything: the game has begun; somebody
// declined, resigned or agreed to go back; the table has moved to another server. They wait a while: if another mail
// tells somebody first, they get no mail of their own about it.
func (n *Notifier) news(ctx context.Context, recs []events.Record) (out []Notice, err error) {
	for i := range recs {
		var look desk.Look
		err := n.Desk.Each(ctx, []events.Name{recs[i].Stream}, func(l desk.Look) error {
			look = l
			return nil
		})
		if err != nil {
			return nil, err
		}
		if look.Table == nil {
			continue // it cannot be read; the host has been told
		}
		entries, err := n.Desk.TablePart(ctx, look.Name, recs[i].Version-1, recs[i].Version)
		if err != nil {
			return nil, err
		}
		for _, kind := range kindsThat[Kind](func(r kindRow) bool { return r.on != nil }) {
			for _, id := range kind.row().on(look.Table, entries[0].Event) {
				if id == entries[0].Meta.By {
					continue
				}
				open := domain.Open{Decision: domain.Decision{Kind: string(kind)}, Since: recs[i].Version}
				if seats := look.Table.SeatsOf(id); len(seats) > 0 {
					open.Seat = seats[0]
				}
				out = append(out, Notice{Kind: kind, Person: id, Table: look.Name, Stream: look.Name,
					Head: recs[i].Hash, Wait: n.Patience, Open: open})
			}
		}
	}
	return out, nil
}

// concerned lists the people who should hear of a table's event, whatever other mail they get.
func concerned(t *domain.Table, e domain.TableEvent) []domain.PersonID {
	switch e := e.(type) {
	case *domain.Declined, *domain.Expired:
		if t.Status == domain.TableOpen {
			return []domain.PersonID{t.Opener}
		}
	case *domain.Resigned:
		if e.End == "" {
			return t.People()
		}
	case *domain.Agreed:
		if e.Rewound != nil || e.Paused != nil {
			return t.People()
		}
	case *domain.Left, *domain.Dismissed, *domain.Carried, *domain.Unanswered, *domain.Lent, *domain.Returned:
		return t.People()
	case *domain.Substituted:
		all := t.People()
		if was := t.Places[e.Seat].Former; len(was) > 0 { // whose seat it was waits to hear of it
			all = append(slices.Clone(all), was[len(was)-1])
		}
		return all
	case *domain.TimedOut, *domain.HandedOver:
		return t.Everybody() // including the people whose time ran out, whoever plays there now
	case *domain.Started:
		return t.People()
	case *domain.Said:
		if t.Over > 0 && len(t.Lines) > 0 { // no other mail comes that would tell it
			return t.Everybody()
		}
	}
	return nil
}

// mostTold is how many lines of what people did and said a mail shows; the rest is on the page.
const mostTold = 12

// lately is how many versions of a table to search for them.
const lately = 200

// news finds what people other than the reader did and said at the table since the previous mail, or lately, and
// which steps that one had shown were taken back. It notes how far the mail has told it.
func (c *Composer) news(ctx context.Context, d *draft) error {
	m, l := d.m, d.Letter
	upTo := m.TableHead.Version
	d.content.Told = upTo
	if l.Told >= upTo {
		return nil
	}
	look, err := c.Desk.Look(ctx, l.Table)
	if err != nil {
		return err
	}
	text := func(id domain.PersonID, cipher []byte) string {
		if !look.Table.Knows(l.Person) || c.Opens == nil {
			return ""
		}
		return c.Opens(ctx, id, cipher)
	}
	part, err := c.Maker.TableTimeline(ctx, l.Table, turn.Asker{Person: l.Person, Seat: l.Open.Seat, Lang: m.Lang()},
		upTo+1, min(upTo-l.Told, lately), text)
	if err != nil {
		return err
	}
	back := look.Table.TakenBack(l.Shown.Line, l.Shown.Version)
	d.lines = slices.DeleteFunc(part.Happenings, func(h turn.Happening) bool {
		return h.By == l.Person || !h.News && !slices.Contains(back, h.Version)
	})
	return nil
}

// talk adds lines of what people did and said, other than what the mail is about.
func (c *Composer) talk(d *draft) {
	body, m := &d.content, d.m
	lines := slices.DeleteFunc(d.lines, func(h turn.Happening) bool {
		if h.Began && (len(m.Since) > 0 || m.Status == domain.TableEnded) { // later events say so
			return true
		}
		asked := d.Kind.row().on == nil && d.Stream == d.Table
		return h.Version == body.headed || asked && h.Version == d.Open.Since
	})
	if more := len(lines) - mostTold; more > 0 {
		lines = lines[more:]
		body.Talk = append(body.Talk, m.Text("mail.talk.more", "n", more))
	}
	for _, h := range lines {
		body.Talk = append(body.Talk, h.Sentences...)
	}
	body.TalkHead = m.Text("mail.talk")
}

// aboutNews writes a mail about something that people did. The latest event is its headline: more may have happened
// while it waited. It returns an errGone if another mail has told it, or if its reader has played since the game began.
func (c *Composer) aboutNews(ctx context.Context, d *draft) error {
	body, m, l, lines := &d.content, d.m, d.Letter, d.lines
	i := slices.IndexFunc(lines, func(h turn.Happening) bool { return h.Version == l.Open.Since })
	if i < 0 || len(lines[i].Sentences) == 0 {
		return errGone{"told"}
	}
	if m.GoesOn {
		c.goesOn(body, m, d.token)
		return nil
	}
	head := lines[i]
	for _, h := range lines[i+1:] {
		if !h.Spoken && len(h.Sentences) > 0 {
			head = h
		}
	}
	body.Button = link{m.Text("mail.offer.button"), c.Links.Pass(d.token)}
	says := head.Sentences
	subject := cmp.Or(head.Subject, says[len(says)-1])
	if head.Began {
		subject = m.Text("mail.subject.begins", "title", d.Thread)
		if utf8.RuneCountInString(subject) > mostSubject {
			subject = m.Text("mail.subject.begins", "title", m.Game)
		}
	}
	by, err := c.begins(ctx, m, head, subject)
	if err = errors.Join(err, c.names(ctx, d, subject, by)); err != nil {
		return err
	}
	if head.Spoken {
		body.Headline, body.Preheader = m.Text("mail.talk.new"), m.Text("mail.talk.new")
		return nil
	}
	body.Headline, body.headed = says[len(says)-1], head.Version
	moves := slices.DeleteFunc(slices.Clone(m.Since), func(h turn.Happening) bool {
		return h.Move == "" || len(h.Sentences) == 0
	})
	switch {
	case head.Began && m.Own:
		return errGone{"told"}
	case head.Began && len(moves) > 0:
		body.Headline = moves[len(moves)-1].Sentences[0]
	default:
		body.Intro = append(body.Intro, says[:len(says)-1]...)
	}
	body.Preheader = body.Headline
	if m.HasBoard() {
		c.story(body, m)
	}
	return nil
}

// begins returns who did what happened, if a subject about it begins with their name.
func (c *Composer) begins(ctx context.Context, m *turn.Model, h turn.Happening, subject string) (domain.PersonID,
	error) {
	if h.By == "" {
		return "", nil
	}
	who, err := c.Maker.Name(ctx, c.Book.Printer(m.Lang(), "", nil), h.By)
	if err != nil || !strings.HasPrefix(subject, words.Isolated(who)) {
		return "", err
	}
	return h.By, nil
}

// goesOn says where a table that was handed over goes on, with the link by which the reader takes their seat up there.
func (c *Composer) goesOn(body *content, m *turn.Model, token string) {
	body.Headline, body.Preheader, body.headed = m.Sentence, m.Sentence, m.TableHead.Version
	switch {
	case m.Claim != "":
		body.Intro = append(body.Intro, m.Text("mail.elsewhere.mine"))
		body.Button = link{m.Text("mail.elsewhere.button"), m.Claim}
	default:
		body.Intro = append(body.Intro, m.Text("mail.elsewhere.unknown"))
		body.Button = link{m.Text("mail.offer.button"), c.Links.Pass(token)}
	}
	if m.HasBoard() {
		c.story(body, m)
	}
}

// seats lists who sits where, by letter.
func seats(m *turn.Model) (out []string) {
	if m.Standing.Labels != nil && len(m.Players) == 1 { // a solo player with several colours
		return m.Labels
	}
	for _, p := range m.Players {
		name := p.Called // its letter goes before it
		if p.You {
			name = m.Text("mail.seats.you", "who", name)
		}
		if !p.StandIn && (len(p.People) > 0 || len(p.Invited) > 0) || !lettered(p) {
			name = p.Letter + ": " + name
		}
		out = append(out, name)
	}
	return out
}

// lettered reports whether a seat is called by its letter, such as "Computer B": a seat where nobody has ever sat.
func lettered(p turn.Player) bool {
	parts := strings.FieldsFunc(p.Name, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.Contains(parts, p.Letter)
}

// mostUndone is how many of the moves that a proposal would undo a mail lists.
const mostUndone = 12

// undone lists the moves that going back would undo, the last first.
func (c *Composer) undone(ctx context.Context, m *turn.Model, l Letter) (out []string, err error) {
	all, err := c.Maker.Timeline(ctx, l.Table, m.Line, turn.Asker{Person: l.Person, Seat: l.Open.Seat, Lang: m.Lang()},
		m.Proposal.To, m.Version)
	if err != nil {
		return nil, err
	}
	for i, h := range slices.Backward(all) {
		if len(out) == mostUndone {
			return append(out, m.Text("mail.undo.more", "n", i+1)), nil
		}
		if len(h.Sentences) > 0 {
			out = append(out, h.Sentences[0])
		}
	}
	return out, nil
}
