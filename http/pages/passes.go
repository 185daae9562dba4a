package pages

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"net/url"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/projections/turn"

	"posthorn/http/door"
	"posthorn/http/guard"
)

// carried is the pass in an address: what it lets whom do, and whether it is still valid.
type carried struct {
	pass.Facts
	path  string // "/p/TOKEN"
	stale string // key of the text that says why it is no longer valid, or ""
}

// carry reads the pass of an address and its table. It returns a pass that is no longer valid too, so that the page can
// say what happened; for one that never was, it returns door.ErrGone.
func (v *visit) carry(text string) (p carried, err error) {
	p.path = "/p/" + text
	p.Facts, err = v.Passes.Open(v.Ctx(), text, v.Now(), v.People)
	switch {
	case errors.Is(err, pass.ErrExpired):
		p.stale = "page.pass.expired"
	case errors.Is(err, pass.ErrRevoked):
		p.stale = "page.pass.revoked"
	case errors.Is(err, pass.ErrPass):
		return p, door.ErrGone
	case err != nil:
		return p, err
	}
	switch p.Purpose {
	case pass.Play, pass.View, pass.Answer, pass.Join, pass.Seat:
	default:
		return p, door.ErrGone
	}
	stream, err := v.Desk.Log().Stream(v.Ctx(), p.Stream)
	if errors.Is(err, events.ErrNoStream) {
		return p, door.ErrGone
	}
	if err != nil {
		return p, fmt.Errorf("stream of a pass: %w", err)
	}
	v.Table = stream.Table
	if p.stale == "" && p.Since > 0 && p.At != (pass.Mark{}) {
		recs, err := v.Desk.Log().Load(v.Ctx(), p.Stream, p.Since-1, p.Since)
		if err != nil {
			return p, fmt.Errorf("history of a pass: %w", err)
		}
		if len(recs) != 1 || pass.MarkOf(recs[0].Hash) != p.At { // its history is no longer the one here
			p.stale = "page.pass.overtaken"
		}
	}
	if p.stale != "" {
		return p, nil // the table's own page knows who may see it
	}
	who := p.Person
	if who == "" {
		who = v.Me
	}
	err = v.MaySee(v.Table, who)
	if errors.Is(err, events.ErrNoStream) {
		err = door.ErrGone
	}
	return p, err
}

// leadOn redirects from a link that is no longer valid, or good only for looking, to the page of its table. There its
// person, known by their seat or session, goes on, and everybody else is told what happened.
func (v *visit) leadOn(p carried) error {
	return v.see(v.Home()+"?"+url.Values{"link": {p.path[len("/p/"):]}}.Encode(), "")
}

// late reads the link that led to a table's page: what became of it and, if the reader is not its person, that the
// person can be mailed a fresh one. If the link is still valid, late returns its address to go back to.
func (v *visit) late(look events.Look) (back string, err error) {
	text := v.QueryParam("link")
	if text == "" {
		return "", nil
	}
	here := v.Table
	p, err := v.carry(text)
	v.Table = here
	if errors.Is(err, door.ErrGone) {
		return "", nil
	}
	stream, err := v.Desk.Log().Stream(v.Ctx(), p.Stream)
	if err != nil || stream.Table != here || p.Person == "" {
		return "", err
	}
	if p.stale == "" {
		if p.stale, err = v.passed(look, p.Facts); err != nil {
			return "", err
		}
	}
	mine := p.Person == v.Me
	switch {
	case p.stale == "" && !mine && p.Purpose != pass.View:
		return p.path, nil
	case p.stale != "":
		v.stale = v.T(p.stale)
	case !mine:
		v.stale = v.T("page.pass.view")
	}
	if !mine {
		v.fresh = p.path + "/fresh"
		if p.stale != "" && v.status == nethttp.StatusOK && v.QueryParam("done") == "" {
			v.status = nethttp.StatusGone
		}
	}
	return "", nil
}

// onward redirects to the table after a pass was used, unless something went wrong. The browser keeps the seat of the
// pass's person there.
func (v *visit) onward(err error, p carried, done string) error {
	if err == nil {
		err = v.settle(p)
	}
	return v.after(err, v.then.address(v.Home()), done)
}

// settle stores the seat of a pass's person in this browser, unless they are signed in here. It tells them if the
// browser is new to them.
func (v *visit) settle(p carried) error {
	news, err := v.Introduce(p.Person)
	if err != nil || v.Me == p.Person {
		return err
	}
	if err := v.Keeps(v.Table, p.Person, p.Epoch); err != nil || !news {
		return err
	}
	return v.Post.Used(v.Ctx(), p.Person, v.Table, browser(v.Request()))
}

// asker says how the reader looks at the table: as the person of a valid pass, and with a stale one as themselves if
// signed in, or as anybody.
func (p carried) asker(v *visit) turn.Asker {
	if p.stale != "" || p.Person == "" {
		return turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang, Zone: v.Zone}
	}
	return turn.Asker{Person: p.Person, Seat: p.Seat, Lang: v.Lang, Zone: v.Zone}
}

// showPass shows what a link in a mail is for. It changes nothing.
func (v *visit) showPass() (err error) {
	p, as := v.pass, ""
	own := v.Own()
	if p.stale != "" && v.refused == nil {
		return v.leadOn(p)
	}
	if p.stale == "" && p.Person != "" {
		if err := v.Speak(p.Person); err != nil {
			return err
		}
		if as, err = v.Called(p.Person); err != nil {
			return err
		}
		if own.ID != p.Person {
			v.Account, v.whose = own, as
		}
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	if p.stale == "" && p.Purpose == pass.Join && p.Kind == pass.KindClaim {
		return v.showClaim(look, p)
	}
	if p.Purpose == pass.Seat {
		v.sit, v.as = p.path+"/sit", as
	}
	if look.Table.Status == domain.TableOpen || look.LineName.IsZero() {
		if p.Purpose != pass.Join || as == "" { // only an invitation takes or declines a seat
			return v.showGathering(look, v.Home(), "", turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang, Zone: v.Zone})
		}
		return v.showGathering(look, p.path, as, p.asker(v))
	}
	if p.stale == "" {
		if p.stale, err = v.passed(look, p.Facts); err != nil {
			return err
		}
	}
	looks := p.stale == "" && p.Purpose == pass.View
	v.looks = looks
	if v.refused == nil && (p.stale != "" || looks && p.Person == v.Me) {
		return v.leadOn(p)
	}
	m, err := v.Maker.Turn(v.Ctx(), v.Table, p.asker(v))
	if err != nil {
		return err
	}
	if p.stale != "" {
		v.stale = v.T(p.stale)
		return v.showGame(&gamePage{M: m, Self: v.Home(), Act: v.Home()})
	}
	if looks && m.Asked(events.AskTurn, events.AskConsent) { // a link good only for looking says how to answer
		v.stale, v.fresh = v.T("page.pass.view"), p.path+"/fresh"
	}
	if p.Purpose == pass.Play && m.Decision != nil {
		if err := v.spent(look, p.Facts); err != nil {
			return err
		}
		m.Answer(domain.Open{Decision: domain.Decision{Seat: p.Seat, Kind: p.Kind, Serial: p.Serial}, Since: p.Since})
	} else {
		m.Decision, m.Forms, m.Chains = nil, nil, nil // this pass does not play
	}
	if p.Purpose != pass.Answer && m.Proposal != nil {
		m.Proposal.MayAgree, m.Proposal.Mine = false, false
	}
	return v.showGame(&gamePage{M: m, Self: p.path, Act: p.path, As: as, Shut: !look.Table.SeenBy(v.Me)})
}

// spent says so if the choice in a link's address answers what was asked before its person moved, and forgets the
// choice: it may mean something else now.
func (v *visit) spent(look events.Look, f pass.Facts) error {
	q := v.QueryParams()
	asked, err := strconv.ParseUint(q.Get("asked"), 10, 64)
	if err != nil || asked < f.Since || asked >= look.Line.Version {
		return nil
	}
	recs, err := v.Desk.Log().Load(v.Ctx(), f.Stream, asked, look.Line.Version)
	if err != nil {
		return fmt.Errorf("moves since a mail: %w", err)
	}
	for i := range recs {
		e, played, err := events.DecodePlay(look.Rulebook, &recs[i], nil, domain.Spectator)
		if err != nil {
			return fmt.Errorf("moves since a mail: %w", err)
		}
		if played && e.Seat == f.Seat {
			v.stale = v.T("page.pass.asked")
			q.Del("c")
			return nil
		}
	}
	return nil
}

// askKinds maps passes that are good for one answer to what they answer.
var askKinds = map[pass.Purpose]events.AskKind{
	pass.Play: events.AskTurn, pass.Answer: events.AskConsent, pass.Join: events.AskInvitation,
}

// passed returns the key of a text that says why a pass has come too late, or "".
func (v *visit) passed(look events.Look, f pass.Facts) (string, error) {
	kind, ok := askKinds[f.Purpose]
	if !ok {
		return "", nil
	}
	moot, err := v.Desk.Moot(v.Ctx(), look, events.Ask{Kind: kind, Person: f.Person, Table: look.Name, Stream: f.Stream,
		Open: domain.Open{Decision: domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial}, Since: f.Since}})
	if err != nil || moot == events.MootNot {
		return "", err
	}
	return "page.pass." + string(moot), nil
}

// byPass makes the handler of a form that needs a pass for a purpose. If the pass is no longer valid, its page says so.
func byPass(purpose pass.Purpose, do func(v *visit, p carried) error) func(*visit) error {
	return func(v *visit) error {
		if v.pass.stale != "" || v.pass.Person == "" {
			return v.leadOn(v.pass)
		}
		if v.pass.Purpose != purpose {
			return door.ErrGone
		}
		return do(v, v.pass)
	}
}

// passCommand makes the handler of a form that gives a command without further input.
func passCommand(purpose pass.Purpose, done string, command func(pass.Facts) events.Command) func(*visit) error {
	return byPass(purpose, func(v *visit, p carried) error {
		at, err := v.at(p.Person)
		if err == nil {
			_, err = v.Command(at, command(p.Facts))
		}
		return v.onward(err, p, done)
	})
}

// passMove answers the decision of a pass.
func (v *visit) passMove(p carried) error {
	in, at, err := v.readMove(p.Person)
	if err != nil {
		return err
	}
	if d := in.Decision; d.Seat.At() != p.Seat || in.Line != p.Stream.String() || d.Kind != p.Kind || d.Serial != p.Serial || d.Since != p.Since {
		return door.ErrMalformed
	}
	err = v.press(at, in)
	return v.onward(err, p, v.moved())
}

// passJoin takes the seat that an invitation offers.
func (v *visit) passJoin(p carried) error {
	if err := v.Speak(p.Person); err != nil {
		return err
	}
	var seat struct {
		Seat *door.Seat `form:"seat"`
	}
	if v.read(&seat) != nil || seat.Seat.At() != p.Seat {
		return door.ErrMalformed
	}
	return v.onward(v.command(p.Person, door.ActionOf("join")), p, "joined")
}

// passDecline declines the seat that an invitation offers. The browser keeps no seat after that.
func (v *visit) passDecline(p carried) error {
	at, err := v.at(p.Person)
	if err == nil {
		_, err = v.Command(at, events.Decline{Seat: p.Seat, Person: p.Person})
	}
	if err == nil {
		err = v.Answered(p.Person)
	}
	return v.back(err, v.Me, "", "declined")
}

// passSit takes the seat up again, from a fresh link that its person asked for.
func (v *visit) passSit(p carried) error { return v.onward(nil, p, "") }

// passFresh mails the person of a link a fresh one, whoever asks and whatever became of the old one.
func (v *visit) passFresh() error {
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	if v.pass.Person == "" {
		return door.ErrGone
	}
	if err := v.MaySee(v.Table, v.pass.Person); err == nil {
		err = v.Post.Link(v.Ctx(), v.pass.Person, v.Table)
		if err != nil {
			return err
		}
	} else if !errors.Is(err, events.ErrNoStream) {
		return err
	}
	return v.back(nil, v.Me, "?"+url.Values{"link": {v.pass.path[len("/p/"):]}}.Encode(), "mailed")
}

// withdrawing reads the pass that withdraws all links of its person.
func (v *visit) withdrawing() (pass.Facts, error) {
	f, err := v.Passes.Open(v.Ctx(), v.Param("token"), v.Now(), v.People)
	if err != nil || f.Purpose != pass.Withdraw || f.Person == "" {
		return f, door.ErrGone
	}
	v.spoken = true
	return f, v.Speak(f.Person)
}

// withdrawForm shows a button.
func (v *visit) withdrawForm() error {
	if _, err := v.withdrawing(); err != nil {
		return err
	}
	return v.render("withdraw", sheet{Title: v.T("page.withdraw.title"), Body: true})
}

// withdraw revokes every link mailed to a person, and every seat of theirs that a browser keeps.
func (v *visit) withdraw() error {
	f, err := v.withdrawing()
	if err == nil {
		err = v.withdrawLinks(f.Person, f.Epoch+1)
	}
	if err != nil {
		return err
	}
	return v.render("withdraw", sheet{Title: v.T("page.withdraw.title"), Body: false})
}
