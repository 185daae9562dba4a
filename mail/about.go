package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// about writes a mail about a table.
func (c *Composer) about(ctx context.Context, l Letter, r Recipient) (content, []inline, error) {
	m, err := c.Maker.Turn(ctx, l.Table,
		turn.Asker{Person: l.Person, Seat: l.Open.Seat, Lang: r.Lang, Zone: r.Zone, Reply: replyOf(l.Notice)})
	if err != nil {
		return content{}, nil, err
	}
	l, again, err := c.remind(ctx, m, l)
	if err != nil {
		return content{}, nil, err
	}
	body := content{Lang: m.Lang(), Receipt: strings.TrimSpace(m.Receipt + "\n" + m.TableReceipt),
		ReceiptIs: m.Text("mail.receipt")}
	if body.Subject, err = c.subject(ctx, m, l); err != nil {
		return body, nil, err
	}
	token, err := c.Passes.Act(ctx, l.Notice)
	if err != nil {
		return body, nil, fmt.Errorf("pass: %w", err)
	}
	body.Footer = []link{{m.Text("mail.table"), c.Links.Table(l.Table)}}
	body.Told = l.Told
	if !l.Kind.optional() && l.Kind != KindReply {
		return body, nil, c.told(ctx, &body, m, r, l, token)
	}
	if l.Kind == KindReply {
		if seen, err := c.Desk.SeenBy(ctx, l.Table, l.Person); err != nil || !seen {
			return unseen(body, l), nil, err
		}
	}
	lines, err := c.news(ctx, &body, m, l)
	if err != nil {
		return body, nil, err
	}
	if m.HasBoard() {
		body.Shown = Shown{m.Line.String(), m.Version}
	}
	body.Seats = seats(m)
	if m.Branch != nil {
		body.Intro = append(body.Intro, m.Text("mail.branch."+string(m.Branch.Kind), "n", int(m.Branch.Version)))
	}
	if whom := playing(m); whom != "" && (l.Kind == KindTurn || l.Kind == KindReply) {
		body.Intro = append(body.Intro, m.Text("mail.turn.for", "who", whom))
	}
	if l.Kind == KindTurn && m.Orders != nil && m.Orders.Rests {
		body.Intro = append(body.Intro, m.Text("mail.orders.rest"))
	}
	switch l.Kind {
	case KindTurn:
		err = c.turn(ctx, &body, m, l, token)
	case KindConsent:
		err = c.consent(ctx, &body, m, l, token)
	case KindInvitation:
		err = c.invitation(ctx, &body, m, l, r, token)
	case KindOver:
		c.over(&body, m, token)
	case KindReply:
		err = c.answer(ctx, &body, m, l)
	case KindNews:
		err = c.aboutNews(&body, m, l, lines, token)
	default:
		err = fmt.Errorf("no mail of kind %q", l.Kind)
	}
	if err == nil && l.Kind != KindReply {
		err = c.answerable(ctx, &body, m, l.Notice)
	}
	if err != nil {
		return body, nil, err
	}
	if again != "" {
		body.Preheader, body.Headline = again+" "+body.Headline, again+" "+body.Headline
	}
	c.talk(&body, m, l, lines)
	if l.Kind == KindTurn || l.Kind == KindReply || l.Kind == KindNews {
		if err := c.beside(ctx, &body, m, l); err != nil {
			return body, nil, err
		}
	}
	if l.Kind != KindOver {
		body.Intro = append(body.Intro, m.Time.Lines...)
	}
	if body.Played, err = c.played(ctx, m, r); err != nil {
		return body, nil, err
	}
	if body.Played != "" {
		body.Played += " " + m.Text("mail.played.not")
	}
	pictures, err := c.board(&body, m, l)
	return body, pictures, err
}

// playing returns the name of the seat that is asked, if its person plays several seats here; otherwise "".
func playing(m *turn.Model) string {
	if m.Decision == nil || !m.Players[m.Decision.Seat].You ||
		len(slices.DeleteFunc(slices.Clone(m.Players), func(p turn.Player) bool { return !p.You })) < 2 {
		return ""
	}
	return m.Players[m.Decision.Seat].Name
}

// company lists who is at the table: stand-ins included, open seats left out. Subjects carry the list and never change;
// somebody who plays several seats is named once for each.
func company(m *turn.Model) []string {
	var out []string
	for _, p := range m.Players {
		if len(p.People)+len(p.Invited) > 0 || p.StandIn {
			out = append(out, words.Isolated(p.Called))
		}
	}
	return out
}

// subject returns the thread's subject so far, or else one that names the game, its people and the table. A thread's
// subject is not reused once it names somebody who was forgotten.
func (c *Composer) subject(ctx context.Context, m *turn.Model, l Letter) (string, error) {
	p := c.Book.Printer(m.Lang(), "", nil)
	for _, seat := range m.Players {
		for _, id := range slices.Concat(seat.People, seat.Invited) {
			name, err := c.Maker.Name(ctx, p, id)
			if err != nil {
				return "", err
			}
			if name == p.Text("house.forgotten") || guested(l.Subject, p, id, name) {
				l.Subject = ""
			}
		}
	}
	if l.Subject != "" {
		return l.Subject, nil
	}
	game := m.Game
	if m.Branch != nil { // in a list of mails, nobody should mistake it for the game it branched from
		game += " (" + m.Text("mail.branch.short."+string(m.Branch.Kind)) + ")"
	}
	return game + ": " + strings.Join(company(m), ", ") + " #" + l.Table.String()[:6], nil
}

// guested reports whether a thread began while somebody who now has a name had none. Such a thread is renamed once.
func guested(subject string, p words.Printer, id domain.PersonID, name string) bool {
	guest, here := people.Guest(id), turn.Called(p, id, people.Guest(id))
	return name != here && (strings.Contains(subject, guest) || strings.Contains(subject, here))
}

func (c *Composer) turn(ctx context.Context, body *content, m *turn.Model, l Letter, token string) error {
	if m.Decision == nil || *m.Decision != l.Open {
		// Somebody has just moved, or the seat has several decisions to make and the model has the other one.
		if err := c.StillNeeded(ctx, l.Notice); err != nil {
			return err
		}
		if m.Decision == nil {
			return errors.New("the table changed while the letter was written")
		}
	}
	m.Answer(latest(m, l.Open))
	body.Headline = m.Sentence
	body.Preheader = m.Sentence
	m.Answer(l.Open)
	if n := len(m.Since); n > 0 && len(m.Since[n-1].Sentences) > 0 {
		body.Preheader = body.Headline + " " + m.Since[n-1].Sentences[0]
	}
	c.choices(body, m, token)
	c.story(body, m)
	if a, ok := AnswerOf(l.Notice); ok { // their own move, made by mail, brought this decision up
		body.Intro, body.Headline, body.Preheader, body.InReplyTo = append(a.Lines, body.Headline), a.Headline,
			a.Headline, a.Message
		c.rules(body, m, a)
	}
	return nil
}

// latest returns the last of the decisions that one mail asks for: a turn comes before what must be answered in it.
func latest(m *turn.Model, open domain.Open) domain.Open {
	i := slices.IndexFunc(m.Asks, func(a events.Ask) bool { return a.Kind == events.AskTurn && a.Open == open })
	if i < 0 {
		return open
	}
	for _, a := range m.Asks[i:] {
		if a.Beside(m.Asks[i]) {
			open = a.Open
		}
	}
	return open
}

// choices lists the moves for the decision.
func (c *Composer) choices(body *content, m *turn.Model, token string) {
	body.Button = link{m.Text("mail.turn.button"), c.Links.Pass(token)}
	more := false
	groups, of := m.Best(screenful)
	all := of <= screenful
	body.example = exampleOf(groups, m.Lang())
	body.MovesHead, body.LinksHead = m.Text("mail.turn.moves", "n", of), m.Text("mail.turn.links")
	if !all {
		body.MovesHead = m.Text("mail.turn.best", "n", screenful, "of", of)
	} else if len(m.Forms) > 0 { // the count leaves out offers
		body.MovesHead = m.Text("mail.turn.here")
	}
	if later := m.Choose(nil).Later(); len(later) > 0 {
		body.Later = m.Text("mail.turn.later", "list", strings.Join(later, ", "))
	}
	if body.Places, more = placesOf(groups, of, func(keys ...string) string {
		return c.Links.Choice(token, m.Version, keys...)
	}); more || !all || len(m.Forms) > 0 {
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
	intro := m.Text("mail.consent.intro." + string(m.Proposal.Kind))
	if m.Proposal.Kind == domain.ProposeRewind &&
		slices.ContainsFunc(m.Players, func(p turn.Player) bool { return p.StandIn }) {
		intro += " " + m.Text("mail.consent.waits")
	}
	body.Intro = append(body.Intro, intro)
	body.Button, body.Ask = link{m.Text("mail.consent.button"), c.Links.Pass(token)}, true
	c.story(body, m)
	return nil
}

func (c *Composer) invitation(ctx context.Context, body *content, m *turn.Model, l Letter, r Recipient,
	token string) error {
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
	if look.Again(l.ask()) > 0 {
		body.Headline = m.Sentence
	}
	body.Preheader = body.Headline
	body.Intro = append(body.Intro,
		m.Text("mail.invitation.people", "who", strings.Join(company(m), ", "), "pace_word", "mail.pace."+m.Pace),
		m.Text("mail.invitation.intro", "letter", l.Open.Seat.Letter()), m.Text("mail.invitation.chance"))
	if n := look.Table.Grace; n > 0 {
		body.Intro = append(body.Intro, m.Text("grace", "n", n))
	}
	if until := look.Table.AskedUntil(l.Open.Seat, l.Person); !until.IsZero() {
		body.Intro = append(body.Intro,
			m.Text("mail.invitation.until", "when", c.Book.Printer(m.Lang(), "", nil).Moment(until.In(r.Zone))))
	}
	body.Button, body.Ask = link{m.Text("mail.invitation.button"), c.Links.Pass(token)}, true
	body.ReceiptIs = m.Text("mail.invitation.commitment")
	body.Receipt = first.Parts[0].Digest.String()
	return nil
}

func (c *Composer) over(body *content, m *turn.Model, token string) {
	body.Headline = m.Text("table.ended." + string(m.End))
	body.Intro = append(body.Intro, m.Result...)
	body.Preheader = strings.Join(append([]string{body.Headline}, m.Result...), " ")
	body.Button = link{m.Text("mail.over.button"), c.Links.Pass(token)}
	c.story(body, m)
	if !m.Line.IsZero() {
		body.Story = link{m.Text("mail.over.story"), c.Links.Story(m.Table)}
	}
}

// story tells what happened since the recipient's last move, one line for each event, and how the game stands.
func (c *Composer) story(body *content, m *turn.Model) {
	body.SinceHead = m.Text("mail.since")
	for _, h := range m.Since {
		if len(h.Sentences) > 0 {
			body.Since = append(body.Since, strings.Join(h.Sentences, " "))
		}
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
		if body.Final {
			sc.Rank, sc.Causes = rank(m, i), causes(m, i)
		}
		body.Scores = append(body.Scores, sc)
	}
	if body.Final {
		key = "mail.scores.final"
		slices.SortStableFunc(body.Scores, better)
	}
	body.ScoreHead = m.Text(key)
}

// rank returns an entry's place once a game is over, as the table has it or else as the game does. It returns 0 if
// there is none, as in a game that was broken off.
func rank(m *turn.Model, i int) int {
	if m.Standing.Labels == nil && i < len(m.Players) && m.Players[i].Rank > 0 {
		return m.Players[i].Rank
	}
	if i < len(m.Standing.Ranks) {
		return m.Standing.Ranks[i]
	}
	return 0
}

// causes lists where an entry's points come from, so that they add up.
func causes(m *turn.Model, i int) []string {
	if i >= len(m.Causes) || len(m.Causes[i]) == 0 {
		return nil
	}
	if !m.Standing.Adds() {
		return m.Causes[i]
	}
	return append([]string{m.Text("mail.scores.played", "n", m.Standing.Scores[i])}, m.Causes[i]...)
}

// better puts the best entry first; without ranks, the one with the most points.
func better(a, b score) int {
	return cmp.Or(cmp.Compare(cmp.Or(a.Rank, math.MaxInt), cmp.Or(b.Rank, math.MaxInt)),
		cmp.Compare(b.Points, a.Points))
}
