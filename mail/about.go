package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// draft is a letter about a table while it is written.
type draft struct {
	Letter // the one that it repeats, if it repeats one
	content
	m     *turn.Model
	r     Recipient
	token string           // opens what it asks for
	lines []turn.Happening // what people did and said since the letter before it
	brief bool             // it shows only what somebody holds who knows the board
	about *Notice          // what an answer to it is about; nil if it takes none
}

// draft begins a letter about a table. again is the sentence with which it repeats another.
func (c *Composer) draft(ctx context.Context, l Letter, r Recipient) (d *draft, again string, err error) {
	d = &draft{Letter: l, r: r}
	if d.m, err = c.Maker.Turn(ctx, l.Table, turn.Asker{Person: l.Person, Seat: l.Open.Seat, Lang: r.Lang,
		Zone: r.Zone, Reply: replyOf(l.Notice)}); err != nil {
		return nil, "", err
	}
	d.content = content{Lang: d.m.Lang(), Receipt: strings.TrimSpace(d.m.Receipt + "\n" + d.m.TableReceipt),
		ReceiptIs: d.m.Text("mail.receipt"), Footer: []link{{d.m.Text("mail.table"), c.Links.Table(l.Table)}}}
	d.content.Told = l.Told
	if again, err = c.remind(ctx, d); err != nil {
		return nil, "", err
	}
	if d.Thread, err = c.thread(ctx, d.m, d.Letter); err != nil {
		return nil, "", err
	}
	if d.token, err = c.Passes.Act(ctx, d.Notice); err != nil {
		return nil, "", fmt.Errorf("pass: %w", err)
	}
	return d, again, nil
}

// letter writes a mail about a table.
func (c *Composer) letter(ctx context.Context, l Letter, r Recipient) (content, []inline, error) {
	if l.Kind.row().kind == "" {
		return content{}, nil, fmt.Errorf("no mail of kind %q", l.Kind)
	}
	d, again, err := c.draft(ctx, l, r)
	if err != nil {
		return content{}, nil, err
	}
	kind := d.Kind.row()
	if kind.told() {
		err = c.told(ctx, d)
		return d.content, nil, errors.Join(err, c.names(ctx, d, d.Headline, ""))
	}
	body, m := &d.content, d.m
	if err := c.news(ctx, d); err != nil {
		return *body, nil, err
	}
	if m.HasBoard() {
		body.Shown = Shown{m.Line.String(), m.Version}
	}
	body.Seats = seats(m)
	if m.Branch != nil {
		body.Intro = append(body.Intro, m.Text("mail.branch."+string(m.Branch.Kind), "n", int(m.Branch.Version)))
	}
	if whom := playing(m); whom != "" && kind.how == HowMoves {
		body.Intro = append(body.Intro, m.Text("mail.turn.for", "who", whom))
	}
	d.about = &d.Notice
	if a, ok := AnswerOf(l.Notice); ok { // what its reader has just seen is not shown again
		d.brief = (!a.Board || a.List) && d.Kind != KindOver
	}
	if err := kind.says(c, ctx, d); err != nil {
		return *body, nil, err
	}
	if err := errors.Join(c.answerable(ctx, d), c.dates(ctx, d)); err != nil {
		return *body, nil, err
	}
	if err := c.names(ctx, d, body.Headline, ""); err != nil {
		return *body, nil, err
	}
	if again != "" {
		body.Preheader, body.Headline = again+" "+body.Headline, again+" "+body.Headline
	}
	c.talk(d)
	if d.about == nil || d.about.how() != HowYesNo { // an answer's may be about the proposal itself
		if err := c.beside(ctx, d); err != nil {
			return *body, nil, err
		}
	}
	switch {
	case len(body.Best) > 0:
		body.Due = m.Time.Lines
	case d.Kind != KindOver:
		body.Intro = append(body.Intro, m.Time.Lines...)
	}
	if body.Played, err = c.played(ctx, m, r); err != nil {
		return *body, nil, err
	}
	if body.Played != "" {
		body.Played += " " + m.Text("mail.played.not")
	}
	c.unmailed(d)
	c.drops(d)
	if d.brief {
		body.Seats, body.Scores = nil, nil
	}
	if d.brief && m.Decision == nil {
		if body.Button.URL == c.Links.Table(l.Table) { // which is below, too
			body.Button = link{}
		}
		if a, _ := AnswerOf(l.Notice); a.Fruitless { // how it stands may say why
			body.Intro = append(body.Intro, m.Brief()...)
		}
		return *body, nil, nil
	}
	pictures, err := c.board(d)
	return *body, pictures, err
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

func (c *Composer) turn(ctx context.Context, d *draft) error {
	body, m, l := &d.content, d.m, d.Letter
	if m.Orders != nil && m.Orders.Rests {
		body.Intro = append(body.Intro, m.Text("mail.orders.rest"))
	}
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
	body.Preheader = cmp.Or(happened(m), m.Sentence)
	m.Answer(l.Open)
	asked, _ := AnswerOf(l.Notice)
	c.puts(body, m, d.token, asked.most())
	c.tells(body, m)
	c.answers(body, m, l)
	return c.namesTurn(ctx, d)
}

// latest returns the last of the decisions that one mail asks for: a turn comes before what must be answered in it.
func latest(m *turn.Model, open domain.Open) domain.Open {
	i := slices.IndexFunc(m.Asks, func(a desk.Ask) bool { return a.Kind == desk.AskTurn && a.Open == open })
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

func (c *Composer) consent(ctx context.Context, d *draft) (err error) {
	body, m, l := &d.content, d.m, d.Letter
	if m.Proposal == nil || m.Proposal.Since != l.Open.Since {
		return errGone{"answered"}
	}
	body.Headline, body.Preheader = m.Proposal.Sentence, m.Proposal.Sentence
	if reason := m.Proposal.Reason; len(reason) > 0 && c.Opens != nil {
		if text := c.Opens(ctx, m.Proposal.By, reason); text != "" {
			body.Quote = m.Text("mail.consent.reason", "text", text)
		}
	}
	if m.Proposal.Kind == domain.ProposeRewind {
		body.UndoHead = m.Text("mail.undo")
		if body.Undo, err = c.undone(ctx, m, l); err != nil {
			return err
		}
		m.Since = slices.DeleteFunc(m.Since, func(h turn.Happening) bool { return h.Version > m.Proposal.To })
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
	body.Button, body.Ask = link{m.Text("mail.consent.button"), c.Links.Pass(d.token)}, true
	body.Answers = []link{ // the button on the page that is named after the # stands out there
		{m.Text("mail.consent.agree"), body.Button.URL + "#agree"},
		{m.Text("mail.consent.refuse"), body.Button.URL + "#refuse"},
	}
	c.story(body, m)
	who, err := c.Maker.Name(ctx, c.Book.Printer(m.Lang(), "", nil), m.Proposal.By)
	return errors.Join(err, c.names(ctx, d, m.Text("mail.subject."+string(m.Proposal.Kind), "who", who,
		"n", int(m.Version-min(m.Version, m.Proposal.To))), m.Proposal.By))
}

// wordsVersion is the version of a table with its opener's words to those invited, if there are any.
const wordsVersion = 2

func (c *Composer) invitation(ctx context.Context, d *draft) error {
	body, m, l := &d.content, d.m, d.Letter
	if m.Status == domain.TableStarted {
		return c.offer(ctx, d)
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
	subject, by := m.Text("mail.subject.invitation", "who", opener, "game", m.Game), look.Table.Opener
	said := ""
	if c.Opens != nil && look.Table.Knows(l.Person) {
		if said, err = c.Maker.Words(ctx, l.Table, func(id domain.PersonID, cipher []byte) string {
			return c.Opens(ctx, id, cipher)
		}); err != nil {
			return err
		}
	}
	switch {
	case look.Again(l.ask()) > 0:
		body.Headline, subject, by = m.Sentence, m.Text("mail.subject.last", "game", m.Game), ""
	case said != "" && l.Person != look.Table.Opener:
		subject = m.Text("mail.subject.words", "subject", subject, "text", firstWords(said))
		body.headed = wordsVersion
		body.Intro = append([]string{m.Text("mail.invitation.words", "text", oneLine(said))}, body.Intro...)
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
			m.Text("mail.invitation.until", "when", c.Book.Printer(m.Lang(), "", nil).Moment(until.In(d.r.Zone))))
	}
	body.Button, body.Ask = link{m.Text("mail.invitation.button"), c.Links.Pass(d.token)}, true
	body.ReceiptIs = m.Text("mail.invitation.commitment")
	body.Receipt = first.Parts[0].Digest.String()
	return c.names(ctx, d, subject, by)
}

func (c *Composer) over(ctx context.Context, d *draft) error {
	body, m := &d.content, d.m
	says := append(slices.Clone(m.Result), m.Text("table.ended."+string(m.End))) // who won comes first
	body.Headline, body.Preheader = says[0], strings.Join(says, " ")
	body.Intro = append(body.Intro, says[1:]...)
	body.Button = link{m.Text("mail.over.button"), c.Links.Pass(d.token)}
	c.story(body, m)
	c.answers(body, m, d.Letter)
	if !m.Line.IsZero() {
		body.Story = link{m.Text("mail.over.story"), c.Links.Story(m.Table)}
	}
	return c.names(ctx, d, d.ended(), "")
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
				sc.IfEnded, key = domain.Number(final), "mail.scores.both"
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
