package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/script"
	"posthorn/domain/sketch"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// sketchPage is a state that the reader tries out: a game's page whose moves are played nowhere.
type sketchPage struct {
	*gamePage
	S       *turn.Sketched
	L       *sketch.Line
	Lines   []sketchLine // all of the reader's lines, last first
	Chance  string       // what is dictated for the next move
	Prev    string       // the addresses of the moves before and after
	Next    string
	First   string
	End     string
	Asks    []sketchSeat // the seats the reader may choose for here, if there are several
	Gone    int          // how many moves the game has made since; -1 after it was rewound
	Alike   int          // how many of them match the line's
	Over    bool         // the game is over
	MyTurn  bool         // the game awaits the reader
	Orders  *sketchOrders
	Guessed string // whose hand is shown as dealt here; "" if it is the reader's own
	NoRoom  string // why no line can be added; "" if one can
}

// sketchLine is a line in the list of lines.
type sketchLine struct {
	Name, Href string
	Plies      int
	Version    uint64
	Here       bool
}

type sketchSeat struct {
	Seat domain.Seat
	Name string
	Href string
	On   bool
}

func (v sketchPages) sketchPath(id, at int) string {
	return v.Home() + "/sketch/" + strconv.Itoa(id) + "/" + strconv.Itoa(at)
}

// sketch redirects to what the reader tried last, or says what a sketch is.
func (v sketchPages) sketch() error {
	s, look, _, err := v.tries()
	if err != nil {
		return err
	}
	if l := s.Find(s.Last); l != nil {
		return v.see(v.sketchPath(l.ID, len(l.Plies)), "")
	}
	if _, err := v.fromNow(look); err != nil {
		if _, over := domain.AsRefusal(err); over {
			return v.see(v.Home(), "") // there is nothing to try and nothing to look at
		}
		return err
	}
	printer, _, err := v.Maker.Printer(v.Ctx(), look, v.Lang)
	if err != nil {
		return err
	}
	return v.render("sketches", sheet{Title: v.T("page.sketch.title"), say: printer.Say})
}

// beginSketch begins a line from where the game stands, unless there is one to go on with.
func (v sketchPages) beginSketch() error {
	to, done := "", ""
	err := v.keepSketch(func(s *sketch.Sketch, look desk.Look) error {
		if l := s.Find(s.Last); l != nil && v.FormValue("now") == "" {
			to = v.sketchPath(l.ID, len(l.Plies))
			if len(l.Plies) > 0 {
				return nil
			}
		}
		now, err := v.fromNow(look)
		if err != nil && to != "" {
			return nil // the game is over, but there is something to look at
		}
		if err != nil {
			return err
		}
		done = "begun"
		if l := s.Find(s.Last); l != nil && len(l.Plies) == 0 { // nothing was tried on it
			now.ID, now.Name = l.ID, l.Name
			*l, to = now, v.sketchPath(l.ID, 0)
			return nil
		}
		l, err := s.Add(now)
		if err == nil {
			to = v.sketchPath(l.ID, 0)
		}
		return err
	})
	if form, malformed := v.FormParams(); malformed == nil && done != "" && len(form["c"]) > 0 {
		to += "?" + url.Values{"c": form["c"]}.Encode() // what was chosen on the table's page is chosen here
	}
	return v.after(err, to, done)
}

// sketchAt returns the line of the address, and how far to follow it.
func (v sketchPages) sketchAt(s *sketch.Sketch) (*sketch.Line, int, error) {
	id, err1 := strconv.Atoi(v.Param("sketch"))
	at, err2 := strconv.Atoi(v.Param("at"))
	l := s.Find(id)
	if err1 != nil || err2 != nil || l == nil || at < 0 || at > len(l.Plies) {
		return nil, 0, events.ErrNoStream
	}
	return l, at, nil
}

// showSketch shows a state on a line.
func (v sketchPages) showSketch() error {
	s, look, _, err := v.tries()
	if err != nil {
		return err
	}
	l, at, err := v.sketchAt(&s)
	if err != nil {
		return err
	}
	as := domain.Nobody
	if n, err := strconv.Atoi(v.QueryParam("as")); err == nil {
		as = domain.Seat(n)
	}
	m, err := v.Maker.Sketch(v.Ctx(), look, l, at, as, v.Asker())
	if err != nil {
		return err
	}
	p := &sketchPage{gamePage: &gamePage{M: m.Model, Sketch: true}, S: m, L: l, Chance: v.chance(look.Rulebook, m.May)}
	p.Self, p.Act = v.sketchPath(l.ID, m.At), v.sketchPath(l.ID, m.At)
	p.Waits = strings.ReplaceAll(l.Waiting(m.At, m.Seat), "_", " ")
	if as != domain.Nobody {
		p.keep("as", strconv.Itoa(int(m.Seat)))
	}
	if p.Chance != "" {
		p.keep("chance", p.Chance)
	}
	if len(s.Lines) >= sketch.MaxLines {
		p.NoRoom = m.Say(domain.S("refuse.sketch-many", "n", sketch.MaxLines))
	}
	if p.NoRoom != "" && m.At < len(l.Plies) { // a move from here would begin another line
		m.Decision, m.Forms = nil, nil
	}
	v.asked(p, l)
	if err := v.play().trying(p.gamePage); err != nil {
		return err
	}
	if err := v.since(p, look); err != nil {
		return err
	}
	if err := v.sketchOrdered(p, look); err != nil {
		return err
	}
	p.lines(v.visit, &s)
	return v.render("sketch", sheet{Title: m.Title, Wide: true, Body: p, Notice: v.dictated(p.Chance), say: m.Say})
}

// chance returns what the reader dictates for the next move. If it cannot be read, it is refused, and the page says so.
func (v sketchPages) chance(rb domain.Rulebook, forms []domain.Form) string {
	text := strings.TrimSpace(v.QueryParam("chance"))
	for _, f := range forms {
		if f.Key == v.QueryParam("luck") {
			text = filled(f, v.QueryParams())
		}
	}
	if v.Request().Method == "POST" {
		text = strings.TrimSpace(v.FormValue("chance"))
	}
	for _, words := range strings.Split(text, ";") {
		if words = strings.TrimSpace(words); words == "" {
			continue
		}
		if _, _, err := script.Chance(rb, words); err != nil || len(text) > sketch.MaxChance {
			if v.refused == nil {
				v.refused = domain.Refuse("sketch-chance", "text", words)
			}
			return ""
		}
	}
	return text
}

// dictated says what chance brings with the next move, if the reader has just set that.
func (v sketchPages) dictated(chance string) string {
	q := v.QueryParams()
	switch {
	case v.refused != nil || !q.Has("chance") && !q.Has("luck"):
		return ""
	case chance == "":
		return v.T("page.sketch.chance.drawn")
	}
	return v.T("page.sketch.chance.set", "text", chance)
}

// asked finds out whose choice it is here.
func (v sketchPages) asked(p *sketchPage, l *sketch.Line) {
	m := p.M
	switch {
	case m.Decision == nil && p.NoRoom != "":
		m.Sentence = p.NoRoom
	case m.Decision == nil:
		m.Sentence = v.T("page.sketch.ended")
	case m.Seat == l.Seat:
		m.Sentence = m.Yours()
	default:
		m.Sentence = v.T("page.sketch.for", "who", m.Players[m.Seat].Name, "what", m.What())
		p.Guessed = m.Players[m.Seat].Name
		p.Of = p.Guessed
	}
	if len(p.S.Opens) < 2 {
		return
	}
	for _, seat := range p.S.Opens {
		p.Asks = append(p.Asks, sketchSeat{Seat: seat, Name: m.Players[seat].Name, On: seat == m.Seat,
			Href: v.sketchPath(l.ID, p.S.At) + "?as=" + strconv.Itoa(int(seat))})
	}
}

// since compares what the game has done since with the line.
func (v sketchPages) since(p *sketchPage, look desk.Look) error {
	p.Over = look.Table.Status != domain.TableStarted
	p.MyTurn = !p.Over && look.Line != nil && look.Line.Awaits(p.L.Seat)
	if p.L.Stream != look.LineName.String() || look.Line == nil {
		p.Gone = -1
		return nil
	}
	if look.Line.Version <= p.L.Version {
		return nil
	}
	entries, err := v.Desk.History(v.Ctx(), look, look.LineName, domain.ViewOf(p.L.Seat), p.L.Version, 0)
	if err != nil {
		return err
	}
	p.Gone = len(entries)
	for i, e := range entries {
		if i >= len(p.S.Plies) || e.Event.Seat != p.S.Plies[i].Seat || e.Event.Move != p.S.Plies[i].Public {
			break
		}
		p.Alike++
	}
	return nil
}

// Now returns the address of the game's own page with the line's first move, if that is the reader's to make now.
func (p *sketchPage) Now() string {
	if p.Over || p.Gone != 0 || !p.MyTurn || len(p.S.Plies) == 0 || p.S.Plies[0].Seat != p.L.Seat {
		return ""
	}
	return tablePath(p.M.Table) + "?" +
		url.Values{"m": {p.S.Plies[0].Move}, "seat": {strconv.Itoa(int(p.L.Seat))}}.Encode() + "#now"
}

// lines lists the reader's lines, and the moves along this one.
func (p *sketchPage) lines(v *visit, s *sketch.Sketch) {
	for _, l := range slices.Backward(s.Lines) {
		p.Lines = append(p.Lines, sketchLine{Name: v.sketches().lineName(&l),
			Href:  v.sketches().sketchPath(l.ID, len(l.Plies)),
			Plies: len(l.Plies), Version: l.Version, Here: l.ID == p.L.ID})
	}
	if p.S.At > 0 {
		p.First, p.Prev = v.sketches().sketchPath(p.L.ID, 0), v.sketches().sketchPath(p.L.ID, p.S.At-1)
	}
	if p.S.At < len(p.S.Plies) {
		p.Next, p.End = v.sketches().sketchPath(p.L.ID, p.S.At+1), v.sketches().sketchPath(p.L.ID, len(p.S.Plies))
	}
}

// lineName returns the name of one of the reader's lines.
func (v sketchPages) lineName(l *sketch.Line) string {
	if l.Name != "" {
		return l.Name
	}
	return v.T("page.sketch.line", "n", l.ID)
}

// Name returns the line's name.
func (p *sketchPage) Name() string {
	for _, l := range p.Lines {
		if l.Here {
			return l.Name
		}
	}
	return ""
}

// Carried reports whether the rest of the line can be moved to where the game stands now.
func (p *sketchPage) Carried() bool { return p.Gone > 0 && p.Alike == p.Gone && !p.Over }
