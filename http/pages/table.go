package pages

import (
	"cmp"
	"maps"
	nethttp "net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// tablePath returns the address of a table's page on this server.
func tablePath(t events.Name) string { return "/t/" + t.String() }

func momentPath(t, line events.Name, version uint64) string {
	return tablePath(t) + "/line/" + line.String() + "/" + strconv.FormatUint(version, 10)
}

// table shows a table: before the start who sits there, afterwards the game.
func (v tablePages) table() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if back, err := v.links().late(look); err != nil || back != "" {
		return v.after(err, back, v.QueryParam("done"))
	}
	self := v.Home()
	if look.Table.Status == domain.TableOpen || look.Table.Status == domain.TableEnded && look.LineName.IsZero() {
		return v.opening().showGathering(look, self, "", v.Asker())
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	g := &gamePage{M: m, Self: self, Act: self}
	if seat := v.QueryParam("seat"); seat != "" {
		g.Self += "?" + url.Values{"seat": {seat}}.Encode()
	}
	return v.showGame(g)
}

// move plays what a form confirms.
func (v tablePages) move() error {
	in, at, err := v.readMove(v.Me)
	if err != nil {
		return err
	}
	if in.Decision.Seat.At() == domain.Nobody {
		return door.ErrMalformed
	}
	to, done, err := v.press(at, in, v.way(), v.Loans().Letter())
	return v.after(err, to, done)
}

// press plays what a form sends, with a word to the table if there is one. It returns where to go on, and what to say
// there.
func (v tablePages) press(at door.At, in door.Move, way string, letter uint64) (to, done string, err error) {
	p, err := v.Commands().PlayAll(at, in, func() error { return v.Commands().Word(at, v.FormValue("word")) })
	if err != nil {
		return "", "", err
	}
	if p.Made > 0 { // a press that comes again is no news
		if way == people.WaySession { // it ends what letters lent before
			letter = door.LetterOf(&p.Record)
		}
		err = v.People.Move(v.Ctx(), at.By, v.Table, letter, way, browser(v.Request()))
		if err == nil && way != people.WayLink { // see settle
			err = v.links().warn(at.By, false, false)
		}
	}
	to, done = v.afterPress(p)
	return to, cmp.Or(done, "moved"), err
}

// afterPress returns the page that asks what comes before the rest of a press, and what to say if some of it was
// dropped.
func (v tablePages) afterPress(p desk.Played) (to, done string) {
	to = v.Home()
	if p.Rest != "" {
		to += "?" + url.Values{"then": {p.Rest}}.Encode()
	}
	if p.Dropped {
		done = "part"
	}
	return to, done
}

// undo takes the reader's last step back. Where they were lent their seat, only what was played there since.
func (v tablePages) undo() error {
	if v.Seated {
		var in door.Input
		if err := v.read(&in, "to"); err != nil {
			return err
		}
		if other, err := v.elsewhere(in.To); err != nil || other {
			return cmp.Or[error](err, domain.Refuse("undo-elsewhere"))
		}
	}
	return v.back(v.command(v.Me, door.ActionOf("undo"), "to"), v.Me, "", "undone")
}

// elsewhere reports whether the move after a version of the main line is the reader's, but not of the browser that was
// lent their seat.
func (v tablePages) elsewhere(to uint64) (bool, error) {
	look, err := v.Look()
	if err != nil || look.Line == nil || to >= look.Line.Version {
		return false, err
	}
	return v.Loans().Elsewhere(look.LineName, to+1)
}

// way says what proves who the reader is.
func (v tablePages) way() string {
	if v.Seated {
		return people.WayLent
	}
	return people.WaySession
}

// readMove reads which decision a form answers, and how.
func (v tablePages) readMove(by domain.PersonID) (in door.Move, at door.At, err error) {
	if err := v.read(&in, "line", "serial", "since"); err != nil {
		return in, at, err
	}
	if _, err := events.ParseName(in.Line); err != nil {
		return in, at, door.ErrMalformed
	}
	at, err = v.at(by)
	return in, at, err
}

// showGame writes a game's page from its model, its addresses and what a pass says.
func (v tablePages) showGame(g *gamePage) error {
	m := g.M
	if v.Seated { // see lent
		m.Orders = nil
		if m.Proposal != nil {
			m.Proposal.MayAgree, m.Proposal.Mine = false, false
		}
		if m.Undo > 0 {
			if other, err := v.elsewhere(m.Undo); err != nil {
				return err
			} else if other {
				m.Undo, m.UndoUntil = 0, time.Time{}
			}
		}
	}
	if err := v.trying(g); err != nil {
		return err
	}
	if err := v.tour(g); err != nil {
		return err
	}
	if err := v.talk(g); err != nil {
		return err
	}
	if err := v.consent().time(g); err != nil {
		return err
	}
	g.Tries = g.Member && m.Version > 0 && !g.Ended && g.As == "" && v.SignedIn()
	var err error
	if g.Unmailed, err = v.unmailed(m); err != nil {
		return err
	}
	if g.Share, err = v.Studies().Sharing(); err != nil {
		return err
	}
	if g.Origin, err = v.History().Origin(m.Branch); err != nil {
		return err
	}
	if v.SignedIn() && v.refused == nil && v.QueryParam("done") == "moved" {
		next, err := v.public().another(m.Table)
		if err != nil {
			return err
		}
		g.Next = next
	}
	sh := sheet{Title: m.Title}
	if g.Ended {
		look, err := v.Look()
		if err != nil {
			return err
		}
		sh.Styles, g.Rematch, sh.Summary = frontStyles, v.past().mayRematch(look), outcome(m)
		if sh.Card, err = v.shared(look, m); err != nil {
			return err
		}
		g.Others = v.NewTables().Others(look)
		if err := v.past().barred(g); err != nil {
			return err
		}
	}
	sh.Mine, sh.Wide, sh.Told = m.Asked(desk.AskTurn, desk.AskConsent), true, g.News() != nil
	sh.Body, sh.say = g, m.Say
	return v.render("game", sh)
}

// unmailed reports whether no mail tells the reader what the table asks of them, because they are at its page.
func (v tablePages) unmailed(m *turn.Model) (bool, error) {
	if v.Mails == nil || v.Reader() == "" {
		return false, nil
	}
	until, err := v.site.live.Here(v.Ctx(), v.Me, m.Table)
	if err != nil || until.IsZero() {
		return false, err
	}
	p, known, err := v.Person(v.Me)
	if err != nil || !known {
		return false, err
	}
	for _, a := range m.Asks {
		kind := string(a.Kind)
		shown := a.Kind == desk.AskTurn || a.Kind == desk.AskConsent
		if !shown || !p.Wants(kind) || !p.Wants(people.AtTable(kind, m.Table)) {
			continue
		}
		if mailed, err := v.Mails.GoneOut(v.Ctx(), a); err != nil || !mailed {
			return err == nil, err
		}
	}
	return false, nil
}

// trying fills in a game's page with what the reader has chosen or typed on it. The page says what is wrong with that.
func (v tablePages) trying(g *gamePage) error {
	q := v.QueryParams()
	try := tryingOf(q)
	if g.M.Decision != nil {
		rest := q.Get("then")
		left, at := v.Desk.Left(g.M.Table, g.M.Line, g.M.Decision.Seat, rest)
		if left != "" && at == g.M.Version {
			g.keep("then", rest)
			g.Later, g.Waits = rest, strings.ReplaceAll(left, "_", " ")
		}
	}
	put, whole, err := g.trade(q)
	if err != nil {
		return err
	}
	g.Trade = put
	if text, ok := formOf(g.M.Forms, q); ok && (put == nil || whole) {
		try.typed, try.form = text, true
	}
	if typed := v.Kept("move"); typed != "" {
		try.typed, try.form = typed, true // the form's own canonical notation comes back
	}
	wrong, err := v.game(g, try)
	if v.refused != nil || try.form { // do not offer what a form wrote as typed text
		v.write = ""
	}
	if v.refused == nil && wrong != nil {
		v.refused = wrong
		if v.status == nethttp.StatusOK {
			v.status = nethttp.StatusUnprocessableEntity
		}
	}
	return err
}

// talk adds what was said at the table, for people who know it.
func (v tablePages) talk(g *gamePage) error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	me := v.Me
	if !look.Table.Knows(me) && len(look.Table.SeatsOf(me)) == 0 {
		me = ""
	}
	g.MayTalk = me != "" && g.As == ""
	text := func(id domain.PersonID, cipher []byte) string {
		if cipher != nil {
			g.Spoken = true
		}
		return v.Opened(id, cipher)
	}
	// A link's mail has the reason, too.
	if p := g.M.Proposal; p != nil && len(p.Proposal.Reason) > 0 && (me != "" || g.As != "") {
		g.Reason = text(p.By, p.Proposal.Reason)
	}
	if err := v.consent().undoing(g); err != nil {
		return err
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
	g.Talk = part.Happenings
	g.Word, g.Refused = g.lastWord(me), g.lastRefusal(me)
	if part.Before > 0 {
		g.Earlier = v.talkFrom(strconv.FormatUint(part.Before, 10))
	}
	if g.Older {
		g.Latest = v.talkFrom("")
	}
	return nil
}

// lastWord returns what somebody else said last, if the reader has neither answered nor moved since; otherwise nil.
func (g *gamePage) lastWord(me domain.PersonID) *turn.Happening {
	i := slices.IndexFunc(g.Talk, func(h turn.Happening) bool { return h.Spoken })
	if i < 0 || g.Older || g.Talk[i].By == me || g.M.Moved.After(g.Talk[i].At) {
		return nil
	}
	return &g.Talk[i]
}

// lastRefusal returns the failure of the reader's own proposal, if they have done nothing at the table since; otherwise
// nil.
func (g *gamePage) lastRefusal(me domain.PersonID) *turn.Happening {
	if g.Older || g.M.Proposal != nil {
		return nil
	}
	i := slices.IndexFunc(g.Talk, func(h turn.Happening) bool { return h.Dismissed || h.By == me })
	if i < 0 || g.Talk[i].By == me || g.M.Moved.After(g.Talk[i].At) {
		return nil
	}
	if j := slices.IndexFunc(g.Talk[i:], func(h turn.Happening) bool { return h.Proposed }); j < 0 ||
		g.Talk[i+j].By != me {
		return nil
	}
	return &g.Talk[i]
}

// talkPart is how many versions of a table a page searches for what was said and done there, so that a page does not
// cost more the more people say.
const talkPart = 40

// talkFrom returns the address of this page with another part of what was said and done at the table.
func (v tablePages) talkFrom(before string) string {
	q := maps.Clone(v.QueryParams())
	q.Del("done")
	q.Del("talk")
	if before != "" {
		q.Set("talk", before)
	}
	return (&url.URL{Path: v.Path(), RawQuery: q.Encode(), Fragment: "talk"}).String()
}
