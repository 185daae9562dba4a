package mail

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// mostSubject is how many signs of a subject a phone's list of mails shows; mostInvited is how many an invitation may
// have, which quotes its opener.
const (
	mostSubject = 39
	mostInvited = 80
)

// names gives a letter its subject, and as its sender the person who did what that says, if it has none yet.
func (c *Composer) names(ctx context.Context, d *draft, subject string, by domain.PersonID) error {
	if d.content.Subject != "" {
		return nil
	}
	most := mostSubject
	if d.Kind == KindInvitation {
		most = mostInvited
	}
	d.content.Subject = briefly(subject, most)
	if by == "" {
		return nil
	}
	p := c.Book.Printer(d.m.Lang(), "", nil)
	who, err := c.Maker.Name(ctx, p, by)
	if who = bearable(p, by, who); err == nil && who != "" {
		d.Sender = p.Text("mail.from.by", "who", who, "house", c.SiteName)
	}
	return err
}

// bearable returns a person's name as it may stand beside an address; "" for none that this house would let somebody
// have today, so that nobody's name is taken for an address, for the house or for a header of its own.
func bearable(p words.Printer, id domain.PersonID, name string) string {
	if clean, err := people.ParseName(name); err != nil || clean != oneLine(name) ||
		!strings.ContainsFunc(name, unicode.IsLetter) || name == turn.Called(p, id, people.Guest(id)) ||
		name == p.Text("house.forgotten") {
		return ""
	}
	return name
}

// namesTurn gives a turn's mail the subject of all turns at its table. If it is about what somebody has just offered or
// answered, it says that.
func (c *Composer) namesTurn(ctx context.Context, d *draft) error {
	m := d.m
	if !d.answers() {
		look, err := c.Desk.Glance(ctx, d.Table)
		if err != nil {
			return err
		}
		at := max(d.Open.Since, look.Again(d.ask()))
		for _, h := range m.Since {
			if h.Version == at && h.Subject != "" && h.Seat != domain.Nobody && !m.Players[h.Seat].You {
				by := domain.PersonID("")
				if who := m.Players[h.Seat].People; len(who) == 1 {
					by = who[0]
				}
				return c.names(ctx, d, h.Subject, by)
			}
		}
	}
	if d.content.Subject == "" {
		d.content.Subject, d.Sender = d.Thread, m.Text("mail.from.turn", "house", c.SiteName)
	}
	return nil
}

// thread returns the subject that the turns at a table have had so far, or else one that names the game and who else is
// there. It is not used again once it names somebody who was forgotten.
func (c *Composer) thread(ctx context.Context, m *turn.Model, l Letter) (string, error) {
	p := c.Book.Printer(m.Lang(), "", nil)
	var others []string
	for _, seat := range m.Players {
		for _, id := range slices.Concat(seat.People, seat.Invited) {
			name, err := c.Maker.Name(ctx, p, id)
			if err != nil {
				return "", err
			}
			if name == p.Text("house.forgotten") || guested(l.Subject, p, id, name) {
				l.Subject = ""
			}
			if id != l.Person && !slices.Contains(others, name) {
				others = append(others, name)
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
	subject := threadOf(m, game, others)
	if !slices.Contains(l.Others, subject) {
		return subject, nil
	}
	for n := 2; ; n++ { // programs that go by subjects alone would mix their mails
		if numbered := subject + " #" + strconv.Itoa(n); !slices.Contains(l.Others, numbered) {
			return numbered, nil
		}
	}
}

// threadOf names a game and who else is at its table.
func threadOf(m *turn.Model, game string, others []string) string {
	switch n := len(others); {
	case n == 0 && slices.ContainsFunc(m.Players, func(p turn.Player) bool { return p.StandIn }):
		return m.Text("mail.subject.computer", "game", game)
	case n == 0:
		return game
	case n > 2 && utf8.RuneCountInString(strings.Join(others, ", ")) > mostSubject/2:
		return m.Text("mail.subject.many", "game", game, "who", others[0], "n", n-1)
	}
	return m.Text("mail.subject.with", "game", game, "who", others)
}

// firstWords returns the first sentence of what somebody wrote, and no more than its first line.
func firstWords(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	for i, r := range text {
		if strings.ContainsRune(".?!…", r) && strings.HasPrefix(text[i+utf8.RuneLen(r):], " ") {
			return strings.TrimSuffix(text[:i+utf8.RuneLen(r)], ".")
		}
	}
	return text
}

// guested reports whether a thread began while somebody who now has a name had none. Such a thread is renamed once.
func guested(subject string, p words.Printer, id domain.PersonID, name string) bool {
	guest, here := people.Guest(id), turn.Called(p, id, people.Guest(id))
	return name != here && (strings.Contains(subject, guest) || strings.Contains(subject, here))
}

// left names how much time a letter's reader has, in days or hours.
func left(m *turn.Model, span time.Duration, ask Kind) string {
	unit, n := "hours", max(1, int(span/time.Hour))
	if n >= 48 {
		unit, n = "days", n/24
	}
	return m.Text("mail.subject."+unit, "n", n, "for_word", "mail.subject.for."+string(ask), "game", m.Game)
}

// ended names a game, who won it, and by what.
func (d *draft) ended() string {
	m := d.m
	won := slices.DeleteFunc(slices.Clone(d.Scores), func(s score) bool { return s.Rank != 1 })
	if m.End != domain.EndFinished || len(d.Scores) < 2 || len(won) == 0 || m.Standing.Labels != nil {
		return m.Text("mail.subject.over", "game", m.Game)
	}
	var points []string
	for _, s := range d.Scores {
		points = append(points, s.Number())
	}
	list := strings.Join(points, ", ")
	if len(won) > 1 {
		return m.Text("mail.subject.tied", "game", m.Game, "points", list)
	}
	if i := slices.Index(m.Labels, won[0].Label); i >= 0 && m.Players[i].You {
		return m.Text("mail.subject.won.you", "game", m.Game, "points", list)
	}
	return m.Text("mail.subject.won", "who", won[0].Label, "game", m.Game, "points", list)
}

// happened says in one line what happened last, for the lists in which mails are shown with their first words.
func happened(m *turn.Model) string {
	var out []string
	for _, h := range m.Since {
		if len(h.Sentences) > 0 {
			out = append(out, h.Sentences[0])
		}
	}
	return strings.Join(out[max(0, len(out)-2):], " ")
}

// briefly returns a text with at most so many signs: its first sentence or clause, if that says enough, or else what
// fits.
func briefly(text string, most int) string {
	text = strings.TrimSuffix(oneLine(text), ".")
	size := utf8.RuneCountInString
	if size(text) <= most {
		return text
	}
	quotes := strings.ContainsAny(text, "“„")
	for _, end := range []string{". ", "; ", ": "} {
		if first, _, cut := strings.Cut(text, end); cut && !quotes && size(first) >= most/3 && size(first) <= most {
			return first
		}
	}
	tail := "…"
	if quotes {
		tail = "…”"
	}
	out := string([]rune(text)[:most-size(tail)+1])
	if at := strings.LastIndex(out, " "); at > len(out)/2 {
		out = out[:at]
	} else {
		out = string([]rune(out)[:most-size(tail)])
	}
	return strings.TrimRight(out, " ,.;:") + tail
}
