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

// gamePage is a game as one reader sees it: on the table's own page, on the page of a pass, or at any moment of its
// history.
type gamePage struct {
	M      *turn.Model
	Self   string           // the address of this page, without choices
	Act    string           // where its forms go: under /t/ or /p/
	As     string           // the person the reader acts for, on the page of a pass
	Of     string           // whose hand is shown, if not the reader's own
	Whole  string           // the address with the whole board, if part of it is shown
	Closer string           // the address with part of it, if the whole board is shown
	Across int              // how many fingers wide the board is on a phone; 0 if everything on it is large enough
	Vast   bool             // a phone shows part of the board even without the scripts that would bring up what matters
	Sketch bool             // a sketch, with more lines above than a game has: the board stands lower
	Large  bool             // the board is shown large, to be looked at part by part
	Resize string           // the address that switches Large
	Later  string           // the moves of one press still to be played once the question is answered, sealed
	Waits  string           // the same for people to read
	Keeps  []kept           // other parameters of the address, for forms to send along
	Panels []shownPanel     // the first is the main one
	Held   []turn.CardGroup // the reader's cards, in words
	Laid   []turn.CardGroup // the other cards they see
	Full   []fullCard       // the drawn ones, in full
	question
	Typed    string // notation as the reader typed it
	Scores   []score
	Decided  []great       // the moves that decided a finished game
	Sources  []turn.Source // what the points of a finished game come from
	Ended    bool
	Shut     bool             // the reader can open no other page of the table: it is for its people alone
	Then     bool             // what is shown is not, or never was, the current state
	Talk     []turn.Happening // part of what was said and done, latest first
	Earlier  string           // the address with the part before; "" if this is the first
	Latest   string           // the address with the last part, if this is not it
	Older    bool
	Spoken   bool // somebody said something, not just did
	MayTalk  bool
	Word     *turn.Happening // what somebody else said last; nil once the reader has answered or moved
	Refused  *turn.Happening // what became of the reader's own proposal, if they have done nothing since
	Member   bool            // the reader holds a seat that people decide for
	Reason   string          // of the open proposal
	Undoing  turn.Undoing    // what it would undo
	Past     *past
	Origin   *domain.Branch  // of a branch: where it forked off
	Next     string          // another table that awaits the reader, after a move
	Record   bool            // a record is offered
	Mails    *mailing        // the reader's turn mails here; nil if there are none
	Tries    bool            // the reader may try moves out
	Unmailed bool            // what the reader is asked was not mailed, because they are here
	Rematch  bool            // the reader may invite everybody to another game
	Others   []door.Word     // the other games that the same people can play
	Share    *door.Sharing   // for the reader's own study that others may be allowed to see
	Aids     bool            // show the aids that a reader may turn off
	Tour     *tour           // what to do, in somebody's first turn; nil for none
	near     map[string]bool // the spots of the panels that are in sight together with the question
	glimpse
	timePage
}

// Lines returns the situation in sentences, with or without the aids.
func (g *gamePage) Lines() []string {
	if g.Aids {
		return g.M.Lines
	}
	return g.M.Situation()
}

// Counted reports whether there is anything to count.
func (g *gamePage) Counted() bool {
	return len(g.Supply) > 0 || slices.ContainsFunc(g.Scores, func(s score) bool { return len(s.Counts) > 0 })
}

// Acting returns whom the reader plays as while there is something to play; "" otherwise.
func (g *gamePage) Acting() string {
	if g.Ended {
		return ""
	}
	return g.As
}

// AtEnd reports whether the page shows the end of the game, with final points and ranks. Earlier moments of a finished
// game show the points of the time.
func (g *gamePage) AtEnd() bool {
	return g.Ended && !g.Then && !g.M.GoesOn
}

// Framed reports whether a phone shows all that is asked in one window, and the rest behind "More".
func (g *gamePage) Framed() bool {
	return g.M.Decision != nil && !g.Sketch && (g.M.Proposal == nil || !g.M.Proposal.MayAgree)
}

// Results returns what the result says beside the headline.
func (g *gamePage) Results() []string {
	if g.AtEnd() && len(g.M.Result) > 0 {
		return g.M.Result[1:]
	}
	return g.M.Result
}

// Placed reports whether the game has ranks: an abandoned one has none.
func (g *gamePage) Placed() bool {
	return slices.ContainsFunc(g.Scores, func(s score) bool { return s.Rank > 0 })
}

// Foresees reports whether the points would be different if the game ended now.
func (g *gamePage) Foresees() bool {
	return slices.ContainsFunc(g.Scores, func(s score) bool { return s.Score.Score != s.Final })
}

// News returns the last thing that happened and says something: what the reader's own step did, or what the others did
// meanwhile; nil if nothing has.
func (g *gamePage) News() *turn.Happening {
	if n := len(g.M.Since); n > 0 {
		return &g.M.Since[n-1]
	}
	return nil
}

type score struct {
	door.Score
	Entry   int // its place in the standing: once the game is over the best come first
	Seat    int // -1 if the entry is not a seat
	You     bool
	Awaited bool
	Muted   bool   // its people get no turn mails from this table
	Lost    bool   // mails to its people bounce
	Kind    string // a text about the seat: "stand-in", "resigned"
	Counts  []shownCount
	Bar     *sourceBar // what the points come from; nil if the page does not show it
}

// Letter returns the seat's letter.
func (s score) Letter() string { return domain.Seat(s.Seat).Letter() }

// game fills in a page whose model and addresses are set. It returns the refusal of a typed move.
func (v tablePages) game(g *gamePage, try trying) (*domain.Refusal, error) {
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
	if v.SignedIn() && g.Member && !g.Ended {
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
	g.chosen, g.instead = choice.Chosen, m.Others(choice)
	g.Does = g.doing()
	g.Headline = v.headline(g)
	if !m.HasBoard() {
		return refused, nil
	}
	v.draws(m.Rulebook)
	if err := g.glance(); err != nil {
		return nil, err
	}
	g.compose()
	panels := v.named(g, m.Panels(choice))
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
	if panels[0].Least == 0 && !g.AtEnd() { // nobody has to hit anything on a finished board: it is shown whole
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

// named labels what belongs to somebody else with their name: the hand, and anything else that would be called the
// reader's.
func (v tablePages) named(g *gamePage, panels []turn.Panel) []turn.Panel {
	if g.Of == "" {
		return panels
	}
	for i := range panels {
		p := &panels[i]
		own := p.Name
		if p.Key == domain.PanelHand {
			p.Name = v.T("page.hand.of", "who", g.Of)
		} else if p.Theirs != "" {
			p.Name = p.Theirs
		}
		p.Alt = strings.Replace(p.Alt, own, p.Name, 1)
	}
	return panels
}

// shownPanel is a panel as shown on the page.
type shownPanel struct {
	turn.Panel
	HTML template.HTML
}

// Beside reports whether a panel stands next to what can be chosen.
func (p shownPanel) Beside() bool { return p.Weight == domain.PanelBeside }

// Main returns the main panel of the page; nil if there is none yet.
func (g *gamePage) Main() *shownPanel {
	if len(g.Panels) == 0 {
		return nil
	}
	return &g.Panels[0]
}

// Beside returns the panels that stand next to what can be chosen.
func (g *gamePage) Beside() []shownPanel { return g.others(true) }

// Rest returns the panels below the main one that are not Beside.
func (g *gamePage) Rest() []shownPanel { return g.others(false) }

func (g *gamePage) others(beside bool) (out []shownPanel) {
	for i, p := range g.Panels {
		if i > 0 && beside == p.Beside() {
			out = append(out, p)
		}
	}
	return out
}

// with returns the page's address with choices.
func (g *gamePage) with(keys []string) string { return g.at(keys, "", "") }

// at returns the page's address with choices and one more parameter, if it has a name.
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

// kept is a parameter of a page's address that is sent along with its forms.
type kept struct{ Name, Value string }

// keep adds a parameter to the page's address.
func (g *gamePage) keep(name, value string) {
	g.Keeps = append(g.Keeps, kept{name, value})
	sep := "?"
	if strings.Contains(g.Self, "?") {
		sep = "&"
	}
	g.Self += sep + url.Values{name: {value}}.Encode()
}

// draw draws a panel as SVG, with links for what can be chosen next and what can be read. drawn holds the symbols
// already on the page.
func (g *gamePage) draw(p turn.Panel, i int, c turn.Choice, drawn map[string]bool) (template.HTML, error) {
	opt := picture.SVGOptions{Prefix: "b-", Label: p.Alt, Class: "board", Drawn: drawn}
	if i > 0 {
		opt.Class = "panel"
	}
	if len(c.Options)+len(g.instead)+len(g.Full)+len(g.Ahead) > 0 {
		opt.Words = g.M.Say
		opt.Link = func(spot string) (string, string) { return g.pressed(c, spot) }
	}
	var b strings.Builder
	parts := []domain.Scene{p.Scene}
	if p.Each > 0 {
		parts = picture.Parts(p.Scene, p.Each)
	}
	for i, part := range parts {
		if i > 0 {
			opt.Label = "" // the first describes them all
		}
		if err := picture.SVG(&b, part, opt); err != nil {
			return "", err
		}
	}
	return template.HTML(sized(p, b.String())), nil // #nosec: written by picture.SVG, which escapes all text
}

// scores combines the standing with the seats it is about.
func (v tablePages) scores(m *turn.Model) ([]score, error) {
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

// lost returns the people at a table whose mails bounce, for readers who sit there.
func (v tablePages) lost(m *turn.Model) (map[domain.PersonID]string, error) {
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

// mailing says whether the reader gets turn mails from a table.
type mailing struct{ Muted bool }

// muted reports whether a person has turned a table's turn mails off.
func (v tablePages) muted(table events.Name, id domain.PersonID) (bool, error) {
	p, known, err := v.Person(id)
	return known && !p.Wants(people.AtTable("turn", table)), err
}
