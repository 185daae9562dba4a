package mail

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// best is a move that a turn mail puts first.
type best struct {
	Name    string // what plays it, written in an answer
	Label   string // it in words, as far as its name does not say it
	More    string // the rest of it, if it is long, and what lies at its places
	Brings  string // the points that it brings at once, "+4"; "" for none
	URL     string
	Picture shown // a small one of it, made; none if its ID is ""

	move turn.Named
}

// Line is the move in one line of text, apart from its name.
func (b best) Line() string {
	line := b.Label
	if b.More != "" {
		line += ", " + b.More
	}
	if b.Brings != "" {
		line += ": " + b.Brings
	}
	return line
}

// mostBest is how many moves a turn mail puts first, and mostListed how many an answer lists to somebody who asks for
// all; the others are on the page.
const (
	mostBest   = 3
	mostListed = 60
)

// puts lists this many moves, the best first, with the way to all others.
func (c *Composer) puts(body *content, m *turn.Model, token string, most int) {
	body.Button = link{m.Text("mail.turn.button"), c.Links.Pass(token)}
	top, of := m.Top(most)
	for _, n := range top {
		b := best{Name: cmp.Or(n.Short, n.Name), move: n, URL: c.Links.Choice(token, m.Version, n.Keys()...)}
		b.Label, b.More = told(n)
		if n.Whole != "" && !slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Place }) {
			b.Name, b.Label = b.Label, "" // a hand of cards is spelled out
		} else if m.Lang() != "en" && slices.ContainsFunc(n.Path, worded) {
			b.Name, b.Label, b.More = n.Label(), "", "" // its name has a word of the notation's, which is English
		}
		if points, ok := m.Brings(n.Move); ok && points != 0 {
			b.Brings = signed(points)
		}
		body.Best = append(body.Best, b)
	}
	first := top[:min(len(top), mostBest)]
	if example := exampleOf(first, m.Lang(), m.Quiet); example != "" {
		body.examples = append(body.examples, example)
	}
	for _, n := range first {
		name := exampleOf([]turn.Named{n}, m.Lang(), m.Quiet)
		if name != "" && name != body.examples[0] && (n.Whole != "" || name != n.Label()) {
			body.examples = append(body.examples, name)
		}
	}
	if n, ok := m.Out(); ok && !slices.ContainsFunc(top, func(t turn.Named) bool { return t.Move == n.Move }) {
		body.out = typed{Write: n.Label(), Does: m.Text("mail.reply.move.does")}
		if head, does, ok := strings.Cut(n.Label(), ": "); ok {
			body.out.Write, body.out.Does = head, does
		} else if m.Lang() != "en" && len(body.examples) == 1 && worded(top[0].Path[len(top[0].Path)-1]) {
			body.examples, body.out = []string{n.Label()}, typed{} // shorter than what is spelled out
		}
	}
	switch {
	case of > len(top) && most > mostBest:
		body.BestHead = m.Text("mail.turn.best", "n", len(top), "of", of)
		body.Button.Label = m.Text("mail.turn.all", "n", of)
	case of > len(top):
		body.BestHead = m.Text("mail.turn.first", "of", of)
		body.Button.Label = m.Text("mail.turn.all", "n", of)
	case len(m.Forms) > 0:
		body.BestHead = m.Text("mail.turn.here")
	default:
		body.BestHead = m.Text("mail.turn.moves", "n", of)
	}
}

// top lists the moves that the mail puts first.
func (c *content) top() (list []turn.Named) {
	for _, b := range c.Best {
		list = append(list, b.move)
	}
	return list
}

// signed returns points with their sign.
func signed(points int) string {
	if points > 0 {
		return "+" + domain.Number(points)
	}
	return domain.Number(points)
}

// mostLabel is how long a move's words may be to stand together.
const mostLabel = 36

// told returns a move in words, in two parts: its choices, but not a place that its name begins with, and what lies at
// its places; of many words, the first choice alone is the first part.
func told(n turn.Named) (label, more string) {
	path := slices.DeleteFunc(slices.Clone(n.Path), func(o turn.Option) bool { return o.None })
	if len(path) == 0 {
		return n.Label(), ""
	}
	var labels, at []string
	for i, o := range path {
		if i > 0 || !o.Place || !slices.ContainsFunc(path, func(o turn.Option) bool { return !o.Place }) {
			labels = append(labels, o.Label)
		}
		if o.Where != "" {
			at = append(at, o.Where)
		}
	}
	if label = strings.Join(labels, ", "); utf8.RuneCountInString(label) > mostLabel {
		label, at = labels[0], append(labels[1:], at...)
	}
	return label, strings.Join(at, "; ")
}

// Bounds on what happened, in characters: of the latest, which stands first, and of all in its order, which stands
// below the moves if there is no room for it above. What neither has room for is on the page.
const (
	mostNews  = 240
	mostStory = 720
)

// tells says in one paragraph what happened last since the reader's last move, and in one line how the game stands. If
// that begins in the middle, all is told in its order in a paragraph of its own.
func (c *Composer) tells(body *content, m *turn.Model) {
	c.story(body, m)
	before, news := lastOf(body.Since, mostNews)
	body.News = strings.Join(news, " ")
	if len(before) > 0 {
		body.News = "… " + body.News
		left, told := lastOf(body.Since, mostStory)
		if len(left) > 0 {
			told = append([]string{m.Text("mail.turn.before", "n", len(left))}, told...)
		}
		body.Before = m.Text("mail.turn.earlier", "text", strings.Join(told, " "))
	}
	var all []string
	for i, s := range body.Scores {
		if m.Standing.Labels == nil && i < len(body.Seats) {
			s.Label = body.Seats[i]
		}
		all = append(all, s.Short())
	}
	body.Points = m.Text("mail.points", "list", strings.Join(all, ", "))
	if slices.ContainsFunc(body.Scores, func(s score) bool { return s.IfEnded != "" }) {
		body.Points = m.Text("mail.points.both", "list", strings.Join(all, ", "))
	}
	if m.Standing.Labels == nil {
		body.Seats = nil
	}
	body.Since, body.Scores = nil, nil
}

// lastOf parts sentences into the first and the last, of which there are this many characters, or one sentence.
func lastOf(list []string, most int) (first, last []string) {
	from, size := len(list), 0
	for from > 0 && (size == 0 || size+utf8.RuneCountInString(list[from-1]) <= most) {
		from--
		size += utf8.RuneCountInString(list[from])
	}
	return list[:from], list[from:]
}
