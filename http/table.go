package http

import (
	"context"
	"encoding/hex"
	nethttp "net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// tableName reads which table an address is about. One that the reader may not look at is to
// them as if it were not there.
func (v *visit) tableName() (events.Name, error) {
	name, err := events.ParseName(v.c.Param("table"))
	if err != nil {
		return name, events.ErrNoStream
	}
	return name, v.maySee(name, v.Me)
}

// maySee is ErrNoStream for a table that is hidden from a person, or that does not exist.
func (v *visit) maySee(table events.Name, who domain.PersonID) error {
	seen, err := v.s.Desk.SeenBy(v.ctx(), table, who)
	if err == nil && !seen {
		return events.ErrNoStream
	}
	return err
}

// asker is how the reader looks at a table; a seat may be meant by number.
func (v *visit) asker() turn.Asker {
	seat := domain.Nobody
	if n, err := strconv.Atoi(v.c.QueryParam("seat")); err == nil && n >= 0 && n < domain.MaxSeats {
		seat = domain.Seat(n)
	}
	return turn.Asker{Person: v.Me, Seat: seat, Lang: v.Lang}
}

func (v *visit) actor() events.Actor { return events.Actor{Person: v.Me, Door: events.DoorPage} }

func (v *visit) ctx() context.Context { return v.c.Request().Context() }

// table shows a table: who sits there before the start, the game after it.
func (s *Server) table(v *visit) error {
	name, err := v.tableName()
	if err != nil {
		return err
	}
	return v.showTable(name, nethttp.StatusOK, nil, kept{})
}

// kept is what a reader had written in a form that was refused.
type kept struct {
	chance, name, address, said, typed string
}

// showTable writes a table's page, with a refusal if there is one.
func (v *visit) showTable(name events.Name, status int, refused *domain.Refusal, k kept) error {
	look, err := v.s.Desk.Look(v.ctx(), name)
	if err != nil {
		return err
	}
	if look.Table.Status == domain.TableOpen || look.Table.Status == domain.TableEnded && look.LineName.IsZero() {
		return v.showGathering(look, tablePath(name), "", v.asker(), status, refused, k)
	}
	m, err := v.s.Maker.Turn(v.ctx(), name, v.asker())
	if err != nil {
		return err
	}
	self := tablePath(name)
	if seat := v.c.QueryParam("seat"); seat != "" {
		self += "?" + url.Values{"seat": {seat}}.Encode()
	}
	return v.showGame(m, self, tablePath(name), "", "", status, refused, k)
}

// showGame writes a game's page from a model.
func (v *visit) showGame(m *turn.Model, self, act, as, stale string, status int, refused *domain.Refusal, k kept) error {
	try := tryingOf(v.c.QueryParams())
	if text, ok := formOf(m, v.c.QueryParams()); ok {
		try.typed, try.form = text, true
	}
	if k.typed != "" {
		try.typed, try.form = k.typed, true // a form's own canonical notation comes back
	}
	g, wrong, err := v.game(m, self, act, try)
	if err != nil {
		return err
	}
	g.As, g.Stale, g.Said = as, stale, k.said
	if refused == nil {
		refused = wrong
	}
	if err := v.talk(g); err != nil {
		return err
	}
	sh := sheet{Title: m.Title, Mine: m.Asked(events.AskTurn, events.AskConsent), Wide: true, Body: g}
	if refused != nil {
		sh.Error = m.Refusal(refused)
		if status == nethttp.StatusOK {
			status = nethttp.StatusUnprocessableEntity
		}
	}
	if done := v.c.QueryParam("done"); done != "" && refused == nil {
		sh.Notice = v.done(done)
		if v.SignedIn() && done == "moved" {
			if g.Next, err = v.another(m.Table); err != nil {
				return err
			}
		}
	}
	return v.render(status, "game", sh)
}

// done is what a page says after something was done; only what the house itself says.
func (v *visit) done(what string) string {
	switch what {
	case "moved", "joined", "declined", "agreed", "refused", "proposed", "resigned", "invited", "saved", "ended", "filled":
		return v.T("page.done." + what)
	}
	return ""
}

// talk adds what was said at the table, for those who know it.
func (v *visit) talk(g *gamePage) error {
	look, err := v.s.Desk.Look(v.ctx(), g.M.Table)
	if err != nil {
		return err
	}
	me := v.Me
	if !look.Table.Knows(me) && len(look.Table.SeatsOf(me)) == 0 {
		me = ""
	}
	g.MayTalk = me != "" && g.As == ""
	text := func(id domain.PersonID, cipher []byte) string {
		if me == "" {
			return ""
		}
		if cipher != nil {
			g.Spoken = true
		}
		return v.opened(id, cipher)
	}
	if p := g.M.Proposal; p != nil && len(p.Proposal.Reason) > 0 {
		g.Reason = text(p.By, p.Proposal.Reason)
	}
	if me == "" {
		return nil
	}
	before, err := strconv.ParseUint(v.c.QueryParam("talk"), 10, 63)
	g.Older = err == nil && before > 0
	part, err := v.s.Maker.TableTimeline(v.ctx(), g.M.Table, v.asker(), before, talkPart, text)
	if err != nil {
		return err
	}
	slices.Reverse(part.Happenings)
	g.Talk = happenings(g.M.Table, g.M.Line, part.Happenings)
	if part.Before > 0 {
		g.Earlier = v.talkFrom(strconv.FormatUint(part.Before, 10))
	}
	if g.Older {
		g.Latest = v.talkFrom("")
	}
	return nil
}

// talkPart is how many versions of a table a page looks through for what was said and done
// there: what a page costs must not grow with how much people have to say.
const talkPart = 40

// talkFrom is this page with another part of what was said and done at the table.
func (v *visit) talkFrom(before string) string {
	q := v.c.QueryParams()
	q.Del("done")
	q.Del("talk")
	if before != "" {
		q.Set("talk", before)
	}
	return (&url.URL{Path: v.Path(), RawQuery: q.Encode(), Fragment: "talk"}).String()
}

// gathering is a table before its start.
type gathering struct {
	Table      events.Name
	Game       string
	Sentence   string
	Self, Act  string
	As         string
	Options    []choice
	Pace       string
	Seats      []gatherSeat
	Commitment string
	Chances    []chance
	Link       string
	Opener     bool
	MayJoin    bool
	NeedsName  bool
	NewID      string
	Chance     string
	Kept       map[string]string
	Over       bool
	Copy       *domain.Branch
	OpenerName string
}

type gatherSeat struct {
	Seat     int
	Name     string
	State    string
	Holders  []person
	Invited  []person
	MayJoin  bool
	MayGive  bool // up, or decline
	MayAsk   bool // the opener may invite somebody
	MayFill  bool // the opener may make it a stand-in's, or open again
	StandIn  bool
	Declines bool
}

type person struct {
	ID   domain.PersonID
	Name string
	Me   bool
}

type chance struct {
	Who, Text string
	Me        bool
}

// showGathering writes the page of a table that has not started.
func (v *visit) showGathering(look events.Look, act, as string, who turn.Asker, status int, refused *domain.Refusal, k kept) error {
	m, err := v.s.Maker.Turn(v.ctx(), look.Name, who)
	if err != nil {
		return err
	}
	g, err := v.gather(look, m, who.Person)
	if err != nil {
		return err
	}
	g.Act, g.As = act, as
	if as != "" {
		g.onlyInvited()
	}
	g.Kept = map[string]string{"address": k.address, "name": k.name}
	g.Chance = k.chance
	if who.Person != "" {
		if g.NeedsName, err = v.nameless(who.Person); err != nil {
			return err
		}
	}
	sh := sheet{Title: m.Title, Mine: g.MayJoin && who.Person != "", Body: g}
	if refused != nil {
		sh.Error = m.Refusal(refused)
	}
	if done := v.c.QueryParam("done"); done != "" && refused == nil {
		sh.Notice = v.done(done)
	}
	return v.render(status, "gathering", sh)
}

func (v *visit) gather(look events.Look, m *turn.Model, me domain.PersonID) (*gathering, error) {
	t := look.Table
	g := &gathering{Table: look.Name, Game: m.Game, Sentence: m.Sentence, Self: tablePath(look.Name), Pace: v.T("page.pace." + t.Pace),
		Link: v.s.links.Table(look.Name), Opener: me != "" && t.Opener == me, NewID: events.NewCommandID().String(),
		Over: t.Status == domain.TableEnded, Copy: t.Branch}
	var err error
	if g.OpenerName, err = v.called(t.Opener); err != nil {
		return nil, err
	}
	first, err := v.s.Desk.Log().Load(v.ctx(), look.Name, 0, 1)
	if err != nil {
		return nil, err
	}
	if len(first) == 1 && len(first[0].Parts) > 0 {
		g.Commitment = first[0].Parts[0].Digest.String()
	}
	g.Options = v.optionWords(look.Rulebook, t.Choices)
	for i := range t.Places {
		seat, err := v.gatherSeat(t, domain.Seat(i), me, m.Players[i].Name, g.Opener)
		if err != nil {
			return nil, err
		}
		g.MayJoin = g.MayJoin || seat.MayJoin
		g.Seats = append(g.Seats, seat)
	}
	for _, c := range t.Contributions {
		name, err := v.called(c.Person)
		if err != nil {
			return nil, err
		}
		g.Chances = append(g.Chances, chance{Who: name, Text: chanceText(c.Bytes), Me: c.Person == me})
	}
	return g, nil
}

// onlyInvited leaves what an invitation is for: the seats that are kept for its person.
func (g *gathering) onlyInvited() {
	g.MayJoin = false
	for i := range g.Seats {
		s := &g.Seats[i]
		s.MayJoin, s.MayGive, s.MayAsk, s.MayFill = s.MayJoin && s.Declines, s.Declines, false, false
		g.MayJoin = g.MayJoin || s.MayJoin
	}
	g.Opener = false
}

func (v *visit) gatherSeat(t *domain.Table, seat domain.Seat, me domain.PersonID, name string, opener bool) (gatherSeat, error) {
	p := t.Places[seat]
	gs := gatherSeat{Seat: int(seat), Name: name, StandIn: p.Kind == domain.SeatStandIn}
	var err error
	if gs.Holders, err = v.persons(t, p.Holders, me); err != nil {
		return gs, err
	}
	if gs.Invited, err = v.persons(t, p.Invited, me); err != nil {
		return gs, err
	}
	invited := false
	for _, x := range gs.Invited {
		invited = invited || x.Me
	}
	open := t.Status == domain.TableOpen
	gs.MayJoin = open && !p.Holds(me) && (invited || p.Kind == domain.SeatOpen)
	gs.MayGive = open && me != "" && (invited || p.Holds(me))
	gs.Declines = invited
	gs.MayAsk = open && opener && (p.Kind == domain.SeatOpen || p.Kind == domain.SeatTeam)
	gs.MayFill = open && opener && len(p.Holders) == 0 && (p.Kind == domain.SeatOpen || p.Kind == domain.SeatStandIn)
	switch {
	case gs.StandIn:
		gs.State = v.T("page.seat.standin." + p.StandIn)
	case p.Kind == domain.SeatTeam:
		gs.State = v.T("page.seat.team")
	case len(p.Holders) > 0:
		gs.State = v.T("page.seat.taken")
	case len(p.Invited) > 0:
		gs.State = v.T("page.seat.invited")
	default:
		gs.State = v.T("page.seat.open")
	}
	return gs, nil
}

func (v *visit) persons(t *domain.Table, ids []domain.PersonID, me domain.PersonID) ([]person, error) {
	var out []person
	for _, id := range ids {
		name, err := v.s.Maker.NameAt(v.ctx(), v.print, t, id)
		if err != nil {
			return nil, err
		}
		out = append(out, person{ID: id, Name: name, Me: me != "" && id == me})
	}
	return out, nil
}

// called is what a person is called on pages.
func (v *visit) called(id domain.PersonID) (string, error) {
	return v.s.Maker.Name(v.ctx(), v.print, id)
}

// chanceText repeats a contribution as it was typed, or in digits where it is no text.
func chanceText(b []byte) string {
	if !utf8.Valid(b) {
		return hex.EncodeToString(b)
	}
	for _, r := range string(b) {
		if r < 0x20 || r == 0x7f {
			return hex.EncodeToString(b)
		}
	}
	return string(b)
}

// optionWords says what a table's options are set to.
func (v *visit) optionWords(rb domain.Rulebook, choices domain.Choices) []choice {
	p := v.s.Book.Printer(v.Lang, rb.Name(), nil)
	var out []choice
	for _, o := range rb.Options() {
		out = append(out, choice{Label: p.Text("option." + o.Key), Value: optionWord(p.Text, v.s.Book.Has, rb, o, choices[o.Key])})
	}
	return out
}

func optionWord(text func(string, ...any) string, has func(string) bool, rb domain.Rulebook, o domain.Option, value string) string {
	key := "option." + o.Key + "." + value
	if has(rb.Name() + "." + key) {
		return text(key)
	}
	if value == "on" || value == "off" {
		return text(value)
	}
	return value
}

// commandID reads the id that a form was rendered with.
func (v *visit) commandID() (events.CommandID, error) {
	id, err := events.ParseCommandID(v.c.FormValue("id"))
	if err != nil || id == (events.CommandID{}) {
		return id, errMalformed
	}
	return id, nil
}

func (v *visit) formSeat() domain.Seat {
	n, err := strconv.Atoi(v.c.FormValue("seat"))
	if err != nil || n < 0 || n >= domain.MaxSeats {
		return domain.Nobody
	}
	return domain.Seat(n)
}

// see sends the browser to a page, after something was done.
func (v *visit) see(path, done string) error {
	if done != "" {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		path += sep + "done=" + done
	}
	return v.c.Redirect(nethttp.StatusSeeOther, path)
}
