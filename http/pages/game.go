package pages

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// gamePage is a game as one reader sees it: the table's own page, the page of a pass, and
// any moment of its history.
type gamePage struct {
	M       *turn.Model
	Self    string           // the address of this page, without choices
	Act     string           // where its forms are sent: under /t/ or /p/
	As      string           // whom the reader acts for, on the page of a pass
	Stale   string           // why a pass is no longer good
	Whole   string           // the address with the whole board, where a part of it is shown
	Closer  string           // and the other way round
	Large   bool             // the board is drawn large, to be looked at part by part
	Resize  string           // the address where it is the other way
	Panels  []shownPanel     // the first is the main one
	Held    []turn.CardGroup // the reader's cards, in words
	Laid    []turn.CardGroup // the others that they see
	Picks   []pick
	Ready   *ready
	Typed   string // notation as the reader typed it
	Since   []happening
	Scores  []score
	Ended   bool
	Talk    []happening // a part of what was said and done, the latest first
	Earlier string      // the address with the part before; "" if this is the first
	Latest  string      // and the one with the last part, where this is not it
	Older   bool
	Spoken  bool // somebody said something, not only did
	MayTalk bool
	Member  bool   // the reader holds a seat that people decide for
	Reason  string // of the open proposal
	NewID   string // of the next command
	Past    *past
	Home    string // the table's own page
	Next    string // another table that awaits the reader, after a move
	Record  bool   // a record is offered
	Aids    bool   // helps are shown that a reader may turn off
}

// Lines is the situation in sentences, with the helps or without.
func (g *gamePage) Lines() []string {
	if g.Aids {
		return g.M.Lines
	}
	return g.M.Situation()
}

// Acting is whom the reader plays as, while there is something to play; "" otherwise.
func (g *gamePage) Acting() string {
	if g.Ended {
		return ""
	}
	return g.As
}

// Foresees tells whether the points would be others if the game ended now.
func (g *gamePage) Foresees() bool {
	for _, s := range g.Scores {
		if s.Score.Score != s.Final {
			return true
		}
	}
	return false
}

// pick is one level of the choices on the way to a move.
type pick struct {
	Options []pickOption
	Chosen  string // the label of what was chosen here
	Change  string // the address to choose again
	Many    bool   // so many that they are best chosen on the board
	Open    bool   // this is what is to be chosen next
	Ask     string // what is asked here, "" if the game does not say
}

// few is how many options that lie on the board are shown as buttons, too.
const few = 8

type pickOption struct {
	turn.Option
	Href     string
	Selected bool
}

// ready is a move that only needs to be confirmed.
type ready struct {
	ID       events.CommandID
	Line     string
	Seat     int
	Decision domain.Open
	Notation string
	Label    string
	Version  uint64
}

type happening struct {
	turn.Happening
	Href string
}

type score struct {
	door.Score
	Seat    int // -1 where the entry is no seat
	You     bool
	Awaited bool
	Kind    string // a text about the seat: "stand-in", "resigned"
}

// trying is what a reader has chosen on the page so far: steps, or a move they typed.
type trying struct {
	keys  []string
	typed string
	form  bool // typed was filled in by a form: seats stand by letter
	aids  bool
	hint  bool // show a sound move
	whole bool // the whole board, where it would show what is tried from near
	large bool // the board drawn large
}

func tryingOf(q url.Values) trying {
	t := trying{keys: q["c"], typed: strings.TrimSpace(q.Get("m")), aids: q.Get("aids") != "off", whole: q.Get("board") == "whole", large: q.Get("board") == "large", hint: q.Get("hint") == "1"}
	if len(t.keys) > maxSteps {
		t.keys = t.keys[:maxSteps]
	}
	return t
}

// maxSteps is the most choices on the way to a move that an address may carry.
const maxSteps = 32

// game fills a page of which the model and the addresses are known. It returns the refusal of a
// move that was typed.
func (v *visit) game(g *gamePage, try trying) (*domain.Refusal, error) {
	m := g.M
	g.Home, g.Ended, g.NewID = tablePath(m.Table), m.Status == domain.TableEnded, events.NewCommandID().String()
	g.Record, g.Aids = v.Export != nil, try.aids
	for _, p := range m.Players {
		g.Member = g.Member || p.You && !p.StandIn
	}
	g.Scores = v.scores(m)
	g.Since = happenings(m.Table, m.Line, m.Since)
	for _, c := range m.Cards() {
		if c.Hand {
			g.Held = append(g.Held, c)
		} else {
			g.Laid = append(g.Laid, c)
		}
	}
	choice, refused := v.choose(g, try)
	if m.HasBoard() {
		var err error
		href := func(key string) string { return g.with(append(choice.Keys[:len(choice.Keys):len(choice.Keys)], key)) }
		panels := m.Panels(choice, try.aids)
		scene := panels[0].Scene
		g.Large, g.Resize = try.large, g.at(choice.Keys, "board", "large")
		if g.Large {
			g.Resize = g.at(choice.Keys, "", "")
		}
		if near, ok := closer(scene); ok && !try.large {
			g.Whole, g.Closer = g.at(choice.Keys, "board", "whole"), g.at(choice.Keys, "", "")
			if !try.whole {
				scene, g.Closer = near, ""
			} else {
				g.Whole = ""
			}
		}
		panels[0].Scene = scene
		for i, p := range panels {
			shown := shownPanel{Panel: p}
			if shown.HTML, err = draw(m, p, i, choice, href); err != nil {
				return nil, err
			}
			g.Panels = append(g.Panels, shown)
		}
	}
	return refused, nil
}

// shownPanel is a panel as it stands on the page.
type shownPanel struct {
	turn.Panel
	HTML template.HTML
}

// Beside tells whether a panel stands by what is to be chosen.
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
	u.RawQuery, u.Fragment = q.Encode(), "turn"
	return u.String()
}

// choose goes along what the reader has chosen and lists, level by level, what else they
// could have.
func (v *visit) choose(g *gamePage, try trying) (turn.Choice, *domain.Refusal) {
	m := g.M
	if m.Decision == nil {
		return turn.Choice{}, nil
	}
	g.Typed = try.typed
	keys := try.keys
	if try.typed != "" {
		move, err := v.parsed(m, try)
		if r, ok := domain.AsRefusal(err); ok {
			return m.Choose(nil), r
		} else if err != nil {
			return m.Choose(nil), domain.Refuse("no-move")
		}
		found := false
		if keys, found = m.KeysOf(move); !found {
			// An open-ended move is in no list: it is shown in its canonical form and judged when it is sent.
			rb, _ := v.Rulebook(m.Rulebook)
			c := turn.Choice{Notation: rb.FormatMove(move, nil), Label: rb.FormatMove(move, namesOf(m))}
			g.Ready = v.ready(m, c)
			return c, nil
		}
	}
	if try.hint && len(keys) == 0 {
		keys = m.Hint()
	}
	choice := preset(m, m.Choose(keys))
	for d := 0; d <= len(choice.Keys); d++ {
		if p, ok := g.level(m, choice, d); ok {
			g.Picks = append(g.Picks, p)
		}
	}
	if choice.Move != nil {
		g.Ready = v.ready(m, choice)
	}
	return choice, nil
}

// preset takes the first option of a level that is neither the first nor the last and does
// not lie on the board (how a tile is turned): it is shown and can be changed, and saves a tap.
func preset(m *turn.Model, c turn.Choice) turn.Choice {
	for len(c.Keys) > 0 && c.Move == nil && len(c.Options) > 0 {
		for _, o := range c.Options {
			if o.Spot != "" {
				return c
			}
		}
		next := m.Choose(append(c.Keys[:len(c.Keys):len(c.Keys)], c.Options[0].Key))
		if len(next.Keys) <= len(c.Keys) || next.Move != nil {
			return c
		}
		c = next
	}
	return c
}

// level lists what can be chosen after the first d steps of a choice; ok is false where
// there was nothing to choose.
func (g *gamePage) level(m *turn.Model, c turn.Choice, d int) (p pick, ok bool) {
	at := m.Choose(c.Keys[:d])
	if len(at.Keys) != d || len(at.Options) == 0 {
		return p, false
	}
	p.Open, p.Ask = d == len(c.Keys), at.Ask
	for _, o := range at.Options {
		po := pickOption{Option: o, Href: g.with(append(c.Keys[:d:d], o.Key))}
		if !p.Open && o.Key == c.Keys[d] {
			po.Selected, p.Chosen = true, o.Label
		}
		p.Many = p.Many || o.Spot != "" && len(at.Options) > few
		p.Options = append(p.Options, po)
	}
	p.Change = g.with(c.Keys[:d])
	return p, true
}

// parsed parses what a reader typed, or what a form made of it.
func (v *visit) parsed(m *turn.Model, try trying) (domain.Move, error) {
	if !try.form {
		return m.Parse(try.typed)
	}
	rb, _ := v.Rulebook(m.Rulebook)
	return rb.ParseMove(try.typed, nil)
}

func namesOf(m *turn.Model) []string {
	names := make([]string, len(m.Players))
	for i, p := range m.Players {
		names[i] = p.Name
	}
	return names
}

func (v *visit) ready(m *turn.Model, c turn.Choice) *ready {
	return &ready{ID: events.NewCommandID(), Line: m.Line.String(), Seat: int(m.Decision.Seat), Decision: *m.Decision,
		Notation: c.Notation, Label: c.Label, Version: m.Version}
}

// draw draws a panel as SVG, what can be chosen next as links.
func draw(m *turn.Model, p turn.Panel, i int, c turn.Choice, href func(key string) string) (template.HTML, error) {
	opt := picture.SVGOptions{Prefix: "b-", Label: p.Alt, Class: "board"}
	if i > 0 {
		opt.Prefix, opt.Class = "b"+strconv.Itoa(i)+"-", "panel"
	}
	if len(c.Options) > 0 {
		options := map[string]turn.Option{}
		for _, o := range c.Options {
			if o.Spot != "" {
				options[o.Spot] = o
			}
		}
		opt.Link = func(spot string) (string, string) {
			if o, ok := options[spot]; ok {
				return href(o.Key), o.Title()
			}
			return "", ""
		}
		opt.Words = m.Say
	}
	var b strings.Builder
	if err := picture.SVG(&b, p.Scene, opt); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil // #nosec: written by picture.SVG, which escapes all text
}

func happenings(table, line events.Name, list []turn.Happening) []happening {
	out := make([]happening, len(list))
	for i, h := range list {
		out[i] = happening{Happening: h}
		if !h.Table {
			out[i].Href = momentPath(table, line, h.Version)
		}
	}
	return out
}

// scores joins the standing with the seats it is about.
func (v *visit) scores(m *turn.Model) []score {
	var out []score
	for i, entry := range door.Scores(m) {
		sc := score{Score: entry, Seat: -1}
		if m.Standing.Labels == nil && i < len(m.Players) {
			v.seatScore(&sc, m.Players[i])
		}
		out = append(out, sc)
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range m.Players { // before the first event nobody has a score
		sc := score{Score: door.Score{Label: p.Name}}
		v.seatScore(&sc, p)
		out = append(out, sc)
	}
	return out
}

func (v *visit) seatScore(sc *score, p turn.Player) {
	sc.Seat, sc.You, sc.Awaited = int(p.Seat), p.You, p.Awaited
	if p.Rank > 0 {
		sc.Rank = p.Rank
	}
	switch {
	case p.Resigned:
		sc.Kind = v.T("page.seat.resigned")
	case p.Kind == domain.SeatTeam:
		sc.Kind = v.T("page.seat.team")
	}
}
