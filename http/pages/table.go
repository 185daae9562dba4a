package pages

import (
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

	"posthorn/http/door"
)

func (v *visit) actor() events.Actor { return events.Actor{Person: v.Me, Door: events.DoorPage} }

// table shows a table: who sits there before the start, the game after it.
func (v *visit) table() error {
	name, err := v.TableName()
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
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return err
	}
	if look.Table.Status == domain.TableOpen || look.Table.Status == domain.TableEnded && look.LineName.IsZero() {
		return v.showGathering(look, tablePath(name), "", v.Asker(), status, refused, k)
	}
	m, err := v.Maker.Turn(v.Ctx(), name, v.Asker())
	if err != nil {
		return err
	}
	self := tablePath(name)
	if seat := v.QueryParam("seat"); seat != "" {
		self += "?" + url.Values{"seat": {seat}}.Encode()
	}
	return v.showGame(m, self, tablePath(name), "", "", status, refused, k)
}

// showGame writes a game's page from a model.
func (v *visit) showGame(m *turn.Model, self, act, as, stale string, status int, refused *domain.Refusal, k kept) error {
	try := tryingOf(v.QueryParams())
	if text, ok := formOf(m, v.QueryParams()); ok {
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
	if done := v.QueryParam("done"); done != "" && refused == nil {
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
	look, err := v.Desk.Look(v.Ctx(), g.M.Table)
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
		return v.Opened(id, cipher)
	}
	if p := g.M.Proposal; p != nil && len(p.Proposal.Reason) > 0 {
		g.Reason = text(p.By, p.Proposal.Reason)
	}
	if me == "" {
		return nil
	}
	before, err := strconv.ParseUint(v.QueryParam("talk"), 10, 63)
	g.Older = err == nil && before > 0
	part, err := v.Maker.TableTimeline(v.Ctx(), g.M.Table, v.Asker(), before, talkPart, text)
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
	q := v.QueryParams()
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
	m, err := v.Maker.Turn(v.Ctx(), look.Name, who)
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
		if g.NeedsName, err = v.Nameless(who.Person); err != nil {
			return err
		}
	}
	sh := sheet{Title: m.Title, Mine: g.MayJoin && who.Person != "", Body: g}
	if refused != nil {
		sh.Error = m.Refusal(refused)
	}
	if done := v.QueryParam("done"); done != "" && refused == nil {
		sh.Notice = v.done(done)
	}
	return v.render(status, "gathering", sh)
}

func (v *visit) gather(look events.Look, m *turn.Model, me domain.PersonID) (*gathering, error) {
	t := look.Table
	g := &gathering{Table: look.Name, Game: m.Game, Sentence: m.Sentence, Self: tablePath(look.Name), Pace: v.T("page.pace." + t.Pace),
		Link: v.Links.Table(look.Name), Opener: me != "" && t.Opener == me, NewID: events.NewCommandID().String(),
		Over: t.Status == domain.TableEnded, Copy: t.Branch}
	var err error
	if g.OpenerName, err = v.Called(t.Opener); err != nil {
		return nil, err
	}
	first, err := v.Desk.Log().Load(v.Ctx(), look.Name, 0, 1)
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
		name, err := v.Called(c.Person)
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
		name, err := v.Maker.NameAt(v.Ctx(), v.Print, t, id)
		if err != nil {
			return nil, err
		}
		out = append(out, person{ID: id, Name: name, Me: me != "" && id == me})
	}
	return out, nil
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
	p := v.Book.Printer(v.Lang, rb.Name(), nil)
	var out []choice
	for _, o := range rb.Options() {
		out = append(out, choice{Label: p.Text("option." + o.Key), Value: v.OptionWord(rb, o, choices[o.Key])})
	}
	return out
}

// commandID reads the id that a form was rendered with.
func (v *visit) commandID() (events.CommandID, error) {
	id, err := events.ParseCommandID(v.FormValue("id"))
	if err != nil || id == (events.CommandID{}) {
		return id, door.ErrMalformed
	}
	return id, nil
}

func (v *visit) formSeat() domain.Seat {
	n, err := strconv.Atoi(v.FormValue("seat"))
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
	return v.Redirect(nethttp.StatusSeeOther, path)
}
