package pages

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// gamePage is a game as one reader sees it: the table's own page, the page of a pass, and
// any moment of its history.
type gamePage struct {
	M      *turn.Model
	Self   string           // the address of this page, without choices
	Act    string           // where its forms are sent: under /t/ or /p/
	As     string           // whom the reader acts for, on the page of a pass
	Of     string           // whose hand is shown, where it is not the reader's own
	Whole  string           // the address with the whole board, where a part of it is shown
	Closer string           // and the other way round
	Across int              // how many fingers wide the board is on a phone; 0 where all of it is large enough
	Vast   bool             // even without scripts, which would bring up what matters, a phone shows a part of the board
	Sketch bool             // what is tried, below more lines than a game has: the board stands lower
	Large  bool             // the board is drawn large, to be looked at part by part
	Resize string           // the address where it is the other way
	Later  string           // what is still to be played of one press, once what is asked is answered
	Keeps  []kept           // what the address says besides choices, for forms to send along
	Panels []shownPanel     // the first is the main one
	Held   []turn.CardGroup // the reader's cards, in words
	Laid   []turn.CardGroup // the others that they see
	Full   []fullCard       // those that are drawn, in full
	question
	Typed   string // notation as the reader typed it
	Scores  []score
	Ended   bool
	Then    bool             // what is shown is no longer, or never was, how it stands
	Talk    []turn.Happening // a part of what was said and done, the latest first
	Earlier string           // the address with the part before; "" if this is the first
	Latest  string           // and the one with the last part, where this is not it
	Older   bool
	Spoken  bool // somebody said something, not only did
	MayTalk bool
	Word    *turn.Happening // what somebody else said last; nil once the reader has answered or moved
	Refused *turn.Happening // what became of the reader's own proposal, while they have done nothing since
	Member  bool            // the reader holds a seat that people decide for
	Reason  string          // of the open proposal
	Undoing turn.Undoing    // what it would undo
	Past    *past
	Next    string          // another table that awaits the reader, after a move
	Record  bool            // a record is offered
	Mails   *mailing        // of the reader's turn mails here; nil where there are none
	Rematch bool            // the reader may ask everybody to another game
	Share   *door.Sharing   // of a study of the reader's that others may be let look at
	Aids    bool            // helps are shown that a reader may turn off
	near    map[string]bool // the spots of the panels that are in sight together with what is asked
	glimpse
	timePage
}

// Lines is the situation in sentences, with the helps or without.
func (g *gamePage) Lines() []string {
	if g.Aids {
		return g.M.Lines
	}
	return g.M.Situation()
}

// Counted reports whether there is something to be counted.
func (g *gamePage) Counted() bool {
	return len(g.Supply) > 0 || slices.ContainsFunc(g.Scores, func(s score) bool { return len(s.Counts) > 0 })
}

// Acting is whom the reader plays as, while there is something to play; "" otherwise.
func (g *gamePage) Acting() string {
	if g.Ended {
		return ""
	}
	return g.As
}

// AtEnd reports whether what is shown is the end of the game: its points are the last and have places. Before
// it, in the past of a game that is over, points are those of then.
func (g *gamePage) AtEnd() bool {
	return g.Ended && !g.Then
}

// Placed reports whether the game has places: one that was broken off has none.
func (g *gamePage) Placed() bool {
	return slices.ContainsFunc(g.Scores, func(s score) bool { return s.Rank > 0 })
}

// Foresees reports whether the points would be others if the game ended now.
func (g *gamePage) Foresees() bool {
	return slices.ContainsFunc(g.Scores, func(s score) bool { return s.Score.Score != s.Final })
}

// News is the last thing that happened which says something: what the reader's own step did, or what the
// others did meanwhile; nil where nothing has.
func (g *gamePage) News() *turn.Happening {
	if n := len(g.M.Since); n > 0 {
		return &g.M.Since[n-1]
	}
	return nil
}

type score struct {
	door.Score
	Entry   int // its place in the standing: the best are shown first when the game is over
	Seat    int // -1 where the entry is no seat
	You     bool
	Awaited bool
	Muted   bool   // its people get no turn mails from this table
	Lost    bool   // the mails to its people come back
	Kind    string // a text about the seat: "stand-in", "resigned"
	Counts  []shownCount
}

// Letter is the seat's.
func (s score) Letter() string { return domain.Seat(s.Seat).Letter() }

// game fills a page of which the model and the addresses are known. It returns the refusal of a
// move that was typed.
func (v *visit) game(g *gamePage, try trying) (*domain.Refusal, error) {
	m := g.M
	g.Ended, g.Record, g.Aids = m.Status == domain.TableEnded, v.Export != nil, try.aids
	g.Member = slices.ContainsFunc(m.Players, func(p turn.Player) bool { return p.You && !p.StandIn })
	var err error
	if g.Scores, err = v.scores(m); err != nil {
		return nil, err
	}
	if g.AtEnd() {
		slices.SortStableFunc(g.Scores, byRank)
	}
	if v.Me != "" && g.Member && !g.Ended {
		muted, err := v.muted(m.Table, v.Me)
		if err != nil {
			return nil, err
		}
		g.Mails = &mailing{Muted: muted}
	}
	g.cards()
	for i := range g.Held {
		if g.Of != "" {
			g.Held[i].Place = v.T("page.hand.of", "who", g.Of)
		}
	}
	choice, refused, err := v.choose(g, try)
	if err != nil {
		return nil, err
	}
	g.Headline = v.headline(g)
	if !m.HasBoard() {
		return refused, nil
	}
	if err := g.glance(); err != nil {
		return nil, err
	}
	g.compose()
	panels := v.named(g, m.Panels(choice, try.aids))
	here := g.at(choice.Keys, "", "")
	g.Large, g.Resize = try.large, g.at(choice.Keys, "board", "large")
	near, ok := picture.Closer(panels[0].Scene)
	switch {
	case try.large:
		g.Resize = here
	case ok && try.whole:
		g.Closer = here
	case ok:
		g.Whole, panels[0].Scene = g.at(choice.Keys, "board", "whole"), near
	}
	if panels[0].Least == 0 {
		g.Across = max(across(panels[0].Scene, g.Sketch), crowded(panels[0].Scene, choice, m.Ahead(choice)))
		g.Vast = vast(panels[0].Scene, g.Sketch)
	}
	drawn := map[string]bool{}
	for i, p := range panels {
		html, err := g.draw(p, i, choice, drawn)
		if err != nil {
			return nil, err
		}
		g.Panels = append(g.Panels, shownPanel{p, html})
		g.seen(p, i)
	}
	return refused, g.faces(drawn, choice)
}

// named gives what is somebody else's their name: the hand, and whatever else would be called the reader's.
func (v *visit) named(g *gamePage, panels []turn.Panel) []turn.Panel {
	if g.Of == "" {
		return panels
	}
	for i := range panels {
		p := &panels[i]
		own := p.Name
		if p.Key == "hand" {
			p.Name = v.T("page.hand.of", "who", g.Of)
		} else if p.Theirs != "" {
			p.Name = p.Theirs
		}
		p.Alt = strings.Replace(p.Alt, own, p.Name, 1)
	}
	return panels
}

// shownPanel is a panel as it stands on the page.
type shownPanel struct {
	turn.Panel
	HTML template.HTML
}

// Beside reports whether a panel stands by what is to be chosen.
func (p shownPanel) Beside() bool { return p.Weight == domain.PanelBeside }

// Main is the panel that the page is about; nil before there is any.
func (g *gamePage) Main() *shownPanel {
	if len(g.Panels) == 0 {
		return nil
	}
	return &g.Panels[0]
}

// Beside are the panels that stand by what is to be chosen, and Rest the others below the main one.
func (g *gamePage) Beside() []shownPanel { return g.others(true) }

// Rest are the panels that are neither the main one nor Beside.
func (g *gamePage) Rest() []shownPanel { return g.others(false) }

func (g *gamePage) others(beside bool) (out []shownPanel) {
	for i, p := range g.Panels {
		if i > 0 && beside == p.Beside() {
			out = append(out, p)
		}
	}
	return out
}

// with is the page's address with choices.
func (g *gamePage) with(keys []string) string { return g.at(keys, "", "") }

// at is the page's address with choices and one more parameter, if it has a name.
func (g *gamePage) at(keys []string, name, value string) string {
	u, err := url.Parse(g.Self)
	if err != nil {
		return g.Self
	}
	q := u.Query()
	q["c"] = keys
	if len(keys) == 0 {
		q.Del("c")
	}
	if name != "" {
		q.Set(name, value)
	}
	u.RawQuery, u.Fragment = q.Encode(), "now"
	return u.String()
}

// kept is something that stands in a page's address and goes along with its forms.
type kept struct{ Name, Value string }

// keep has something stand in the page's address.
func (g *gamePage) keep(name, value string) {
	g.Keeps = append(g.Keeps, kept{name, value})
	sep := "?"
	if strings.Contains(g.Self, "?") {
		sep = "&"
	}
	g.Self += sep + url.Values{name: {value}}.Encode()
}

// draw draws a panel as SVG, what can be chosen next and what can be read as links. Drawn are the symbols that the
// page has.
func (g *gamePage) draw(p turn.Panel, i int, c turn.Choice, drawn map[string]bool) (template.HTML, error) {
	opt := picture.SVGOptions{Prefix: "b-", Label: p.Alt, Class: "board", Drawn: drawn}
	if i > 0 {
		opt.Class = "panel"
	}
	others := g.M.Others(c)
	if len(c.Options)+len(others)+len(g.Full)+len(g.Ahead) > 0 {
		opt.Words = g.M.Say
		opt.Link = func(spot string) (string, string) { return g.pressed(c, others, spot) }
	}
	var b strings.Builder
	parts := []domain.Scene{p.Scene}
	if p.Each > 0 {
		parts = picture.Parts(p.Scene, p.Each)
	}
	for i, part := range parts {
		if i > 0 {
			opt.Label = "" // the first says what all of them are
		}
		if err := picture.SVG(&b, part, opt); err != nil {
			return "", err
		}
	}
	return template.HTML(sized(p, b.String())), nil // #nosec: written by picture.SVG, which escapes all text
}

// scores joins the standing with the seats it is about.
func (v *visit) scores(m *turn.Model) ([]score, error) {
	entries := door.Scores(m)
	if len(entries) == 0 { // before the first event nobody has a score
		for _, p := range m.Players {
			entries = append(entries, door.Score{Label: p.Name})
		}
	}
	lost, err := v.lost(m)
	if err != nil {
		return nil, err
	}
	out := make([]score, len(entries))
	for i, entry := range entries {
		sc := score{Score: entry, Entry: i, Seat: -1}
		if m.Standing.Labels == nil && i < len(m.Players) {
			p := m.Players[i]
			sc.Seat, sc.You, sc.Awaited = int(p.Seat), p.You, p.Awaited
			if p.Rank > 0 {
				sc.Rank = p.Rank
			}
			for _, id := range p.People {
				muted, err := v.muted(m.Table, id)
				if err != nil {
					return nil, err
				}
				sc.Muted = sc.Muted || muted && !p.You
			}
			sc.Lost = slices.ContainsFunc(p.People, func(id domain.PersonID) bool { return lost[id] != "" })
			switch {
			case p.Lent:
				sc.Kind = v.T("page.seat.lent")
			case p.Resigned:
				sc.Kind = v.T("page.seat.resigned")
			case p.Kind == domain.SeatTeam:
				sc.Kind = v.T("page.seat.team")
			}
		}
		out[i] = sc
	}
	return out, nil
}

// lost are the people at a table whose mails come back, for those who sit there.
func (v *visit) lost(m *turn.Model) (map[domain.PersonID]string, error) {
	var all []domain.PersonID
	sits := false
	for _, p := range m.Players {
		all, sits = append(all, p.People...), sits || p.You
	}
	if !sits {
		return nil, nil
	}
	return v.Unreachable(all...)
}

// mailing is whether the reader gets turn mails from a table.
type mailing struct{ Muted bool }

// muted reports whether a person has turned a table's turn mails off.
func (v *visit) muted(table events.Name, id domain.PersonID) (bool, error) {
	p, known, err := v.Person(id)
	return known && !p.Wants(people.AtTable("turn", table)), err
}
