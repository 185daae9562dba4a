package pages

import (
	"cmp"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/url"
	"strconv"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"

	"posthorn/http/door"
	"posthorn/http/guard"
)

// carried is the pass in an address: what it lets whom do, and whether it is still valid.
type carried struct {
	pass.Facts
	path   string // "/p/TOKEN"
	stale  string // key of the text that says why it is no longer valid, or ""
	letter uint64 // orders the letters to its person about the table: when what it is about came up, in milliseconds
	read   time.Time
}

// carry reads the pass of an address and its table. It returns a pass that is no longer valid too, so that the page can
// say what happened; for one that never was, it returns door.ErrGone.
func (v linkPages) carry(text string) (p carried, err error) {
	p.path, p.read = "/p/"+text, v.Now()
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
	if p.stale == "" {
		if err := v.dates(&p); err != nil {
			return p, err
		}
	}
	err = v.MaySee(v.Table, cmp.Or(p.Person, v.Me))
	if p.stale != "" && errors.Is(err, events.ErrNoStream) {
		err = v.MaySee(v.Table, v.Me) // it leads to the table's own page, whose reader may be somebody else
	}
	if errors.Is(err, events.ErrNoStream) {
		err = door.ErrGone
	}
	return p, err
}

// dates finds out when what a pass is about came up, and whether that still stands in the history.
func (v linkPages) dates(p *carried) error {
	if p.Purpose == pass.Seat {
		p.letter = p.Since
		last, err := v.People.Pressed(v.Ctx(), p.Person, v.Table)
		if p.letter == 0 || last.Letter > p.letter { // it is older than this, or another letter was pressed since
			p.stale = "page.pass.later"
		}
		return err
	}
	if p.Since == 0 {
		return nil
	}
	recs, err := v.Desk.Log().Load(v.Ctx(), p.Stream, p.Since-1, p.Since)
	if err != nil {
		return fmt.Errorf("history of a pass: %w", err)
	}
	if len(recs) == 1 {
		p.letter = door.LetterOf(&recs[0])
	}
	if p.At != (pass.Mark{}) && (len(recs) != 1 || pass.MarkOf(recs[0].Hash) != p.At) {
		// its history is no longer the one here
		p.stale = "page.pass.overtaken"
	}
	return nil
}

// toTable redirects from a link that is no longer valid, or that shows its person what they see anyway, to the page of
// its table. There its person, known by their seat or session, goes on, and everybody else is told what happened.
func (v linkPages) toTable(p carried) error {
	return v.see(v.Home()+"?"+url.Values{"link": {p.path[len("/p/"):]}}.Encode(), v.QueryParam("done"))
}

// late reads the link that led to a table's page: what became of it and, if the reader is not its person, that the
// person can be mailed a fresh one. If the link is still valid, late returns its address to go back to.
func (v linkPages) late(look desk.Look) (back string, err error) {
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
		if p.stale, err = v.passed(look, p); err != nil {
			return "", err
		}
	}
	mine := p.Person == v.Me
	if p.stale == "" && !mine {
		return p.path, nil
	}
	if p.stale != "" {
		v.stale = v.T(p.stale)
	}
	if !mine {
		v.fresh = p.path + "/fresh"
		if v.status == nethttp.StatusOK && v.QueryParam("done") == "" {
			v.status = nethttp.StatusGone
		}
	}
	return "", nil
}

// afterLink redirects to a page of the table after a pass was used, unless something went wrong. The browser is lent
// the seat of the pass's person there, or else, where a later letter was pressed, led back to the link; from a table
// that is hidden from its reader, to the front page, which says what was done.
func (v linkPages) afterLink(err error, p carried, to, done string) error {
	if err == nil {
		var sits bool
		if sits, err = v.settle(p); !sits {
			to = p.path
		}
		if err == nil && !sits {
			if err = v.MaySee(v.Table, v.Me); errors.Is(err, events.ErrNoStream) {
				to, err = "/", nil
			}
		}
	}
	return v.after(err, to, done)
}

// settle lends this browser the seat of a pass's person, unless they are signed in here or a later letter was pressed.
// It reports whether the reader is that person now, and tells them if the link was pressed in another browser before.
func (v linkPages) settle(p carried) (bool, error) {
	press, err := v.Loans().Pressed(v.Table, p.Person, p.letter, p.read) // what the press played came after that
	if err == nil && press.Other {
		err = v.Post.Used(v.Ctx(), p.Person, v.Table, door.UsedLink, browser(v.Request()))
	}
	if err == nil {
		err = v.warn(p.Person, v.Now().Before(press.Lost.Add(door.SeatLasts)), press.Other)
	}
	if err != nil || v.Me == p.Person {
		return true, err
	}
	if press.Letter != p.letter {
		return false, nil
	}
	return true, v.Loans().Lend(v.Table, p.Person, p.Epoch, p.letter, press.First)
}

// warn has a person hear of this browser if it acts for them from a network that is new to them, while another one is
// lent their seat or they are signed in; unless they do already.
func (v linkPages) warn(p domain.PersonID, lent, told bool) error {
	strange, err := v.Loans().Came(p, lent)
	if err == nil && strange && !told {
		err = v.Post.Used(v.Ctx(), p, v.Table, door.UsedNetwork, browser(v.Request()))
	}
	return err
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
func (v linkPages) showPass() error {
	p := v.pass
	if p.stale != "" && v.refused == nil {
		return v.toTable(p)
	}
	look, as, err := v.passes(p)
	if err != nil {
		return err
	}
	switch {
	case p.stale == "" && p.Purpose == pass.Join && p.Kind == pass.KindClaim:
		return v.opening().showClaim(look, p)
	case p.Purpose == pass.Seat:
		v.sit, v.as = p.path+"/sit", as
	}
	if look.Table.Status == domain.TableOpen || look.LineName.IsZero() {
		if p.Purpose != pass.Join || as == "" { // only an invitation takes or declines a seat
			return v.opening().showGathering(look, v.Home(), "",
				turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang, Zone: v.Zone})
		}
		return v.opening().showGathering(look, p.path, as, p.asker(v.visit))
	}
	if p.stale == "" {
		if p.stale, err = v.passed(look, p); err != nil {
			return err
		}
		if v.looks, err = v.latest(look, p); err != nil {
			return err
		}
		v.looks = v.looks && (p.stale != "" || p.Purpose == pass.View)
	}
	if v.refused == nil && (p.stale != "" && !v.looks || v.looks && p.Person == v.Me) {
		return v.toTable(p)
	}
	return v.showPassed(look, p, as)
}

// passes speaks the language of a pass's person, if it still passes for them, and returns what they are called.
func (v linkPages) passes(p carried) (look desk.Look, as string, err error) {
	mine := p.stale == "" && p.Person != ""
	own := v.Own()
	if mine {
		if err := v.speak(p.Person); err != nil {
			return look, "", err
		}
	}
	if look, err = v.Look(); err != nil || !mine {
		return look, "", err
	}
	as, err = v.Maker.NameAt(v.Ctx(), v.Print, look.Table, p.Person)
	if err == nil && own.ID != p.Person {
		v.Account, v.linkFor = own, as
	}
	return look, as, err
}

// showPassed shows the game to whom a pass lets see it, with what it lets them answer.
func (v linkPages) showPassed(look desk.Look, p carried, as string) error {
	late := p.stale
	if v.looks {
		p.stale = ""
	}
	m, err := v.Maker.Turn(v.Ctx(), v.Table, p.asker(v.visit))
	if err != nil {
		return err
	}
	if p.stale != "" {
		v.stale = v.T(p.stale)
		return v.play().showGame(&gamePage{M: m, Self: v.Home(), Act: v.Home()})
	}
	if v.looks && (late != "" || m.Asked(desk.AskTurn, desk.AskConsent)) { // it says how to answer
		v.stale, v.fresh = v.T(cmp.Or(late, "page.pass.view")), p.path+"/fresh"
	}
	if p.Purpose == pass.Play && !v.looks && m.Decision != nil {
		if err := v.spent(look, p.Facts); err != nil {
			return err
		}
		m.Answer(domain.Open{Decision: domain.Decision{Seat: p.Seat, Kind: p.Kind, Serial: p.Serial}, Since: p.Since})
	} else {
		m.Decision, m.Forms, m.Chains = nil, nil, nil // this pass does not play
	}
	if (p.Purpose != pass.Answer || v.looks) && m.Proposal != nil {
		m.Proposal.MayAgree, m.Proposal.Mine = false, false
	}
	return v.play().showGame(&gamePage{M: m, Self: p.path, Act: p.path, As: as, Shut: !look.Table.SeenBy(v.Me)})
}

// spent says so if the choice in a link's address answers what was asked before its person moved, and forgets the
// choice: it may mean something else now.
func (v linkPages) spent(look desk.Look, f pass.Facts) error {
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
var askKinds = map[pass.Purpose]desk.AskKind{
	pass.Play: desk.AskTurn, pass.Answer: desk.AskConsent, pass.Join: desk.AskInvitation,
}

// passed returns the key of a text that says why a pass has come too late, or "".
func (v linkPages) passed(look desk.Look, p carried) (string, error) {
	if p.Purpose == pass.View {
		latest, err := v.latest(look, p)
		if err != nil || latest {
			return "", err
		}
		return "page.pass.later", nil
	}
	a, ok := v.askOf(p)
	if !ok {
		return "", nil
	}
	stale, err := v.Desk.Stale(v.Ctx(), look, a)
	if err != nil || stale == desk.StillAsked {
		return "", err
	}
	return "page.pass." + string(stale), nil
}

// askOf returns what a pass is about, and whether it is good for one answer to that.
func (v linkPages) askOf(p carried) (desk.Ask, bool) {
	kind, ok := askKinds[p.Purpose]
	return desk.Ask{Kind: kind, Person: p.Person, Table: v.Table, Stream: p.Stream,
		Open: domain.Open{Decision: domain.Decision{Seat: p.Seat, Kind: p.Kind, Serial: p.Serial}, Since: p.Since}}, ok
}

// latest reports whether a pass is of the latest letter to its person about the table, and still shows what they may
// see, after its question was answered, too: it does until what it lends is over. That the letter is the latest is not
// enough, as the next may wait, or not be wanted.
func (v linkPages) latest(look desk.Look, p carried) (bool, error) {
	if v.Mails == nil || p.Since == 0 || p.Purpose == pass.Seat || p.Purpose == pass.Join {
		return false, nil
	}
	a, _ := v.askOf(p)
	latest, err := v.Mails.Latest(v.Ctx(), a)
	if err != nil || !latest {
		return false, err
	}
	over, err := v.Loans().LetterOver(look, p.Person, p.letter)
	return !over, err
}

// speak changes to the language of a link's person, or to the one that was chosen in this browser, where nobody is
// signed in: a link sets nothing of its person's.
func (v linkPages) speak(id domain.PersonID) error {
	err := v.Speak(id)
	if !v.SignedIn() {
		v.UseChosen()
	}
	return err
}

// byPass makes the handler of a form that needs a pass for a purpose. If the pass is no longer valid, its page says so.
func byPass(purpose pass.Purpose, do func(linkPages, carried) error) func(*visit) error {
	return of(func(v linkPages) error {
		if v.pass.stale != "" || v.pass.Person == "" {
			return v.toTable(v.pass)
		}
		if v.pass.Purpose != purpose {
			return door.ErrGone
		}
		return do(v, v.pass)
	})
}

// passAnswer makes the handler of a form that answers the proposal of a pass.
func passAnswer(a door.Action) func(*visit) error {
	return byPass(pass.Answer, func(v linkPages, p carried) error {
		at, err := v.at(p.Person)
		if err == nil {
			_, err = v.Commands().Do(at, a, door.Input{Proposal: p.Since})
		}
		return v.after(err, p.path, a.Done) // a question is answered, and nothing else is lent
	})
}

// passMove answers the decision of a pass.
func (v linkPages) passMove(p carried) error {
	in, at, err := v.play().readMove(p.Person)
	if err != nil {
		return err
	}
	if d := in.Decision; d.Seat.At() != p.Seat || in.Line != p.Stream.String() || d.Kind != p.Kind ||
		d.Serial != p.Serial || d.Since != p.Since {
		return door.ErrMalformed
	}
	to, done, err := v.play().press(at, in, people.WayLink, 0)
	return v.afterLink(err, p, to, done)
}

// passJoin takes the seat that an invitation offers.
func (v linkPages) passJoin(p carried) error {
	if err := v.speak(p.Person); err != nil {
		return err
	}
	var seat struct {
		Seat *door.Seat `form:"seat"`
	}
	if v.read(&seat) != nil || seat.Seat.At() != p.Seat {
		return door.ErrMalformed
	}
	return v.afterLink(v.command(p.Person, door.ActionOf("join")), p, v.Home(), "joined")
}

// passDecline declines the seat that an invitation offers. The browser is lent no seat by that.
func (v linkPages) passDecline(p carried) error {
	at, err := v.at(p.Person)
	if err == nil {
		_, err = v.Commands().Give(at, desk.Decline{Seat: p.Seat, Person: p.Person})
	}
	if err == nil {
		err = v.Invitations().Answered(p.Person)
	}
	return v.back(err, v.Me, "", "declined")
}

// passSit takes the seat up again, from a fresh link that its person asked for.
func (v linkPages) passSit(p carried) error { return v.afterLink(nil, p, v.Home(), "") }

// passFresh mails the person of a link a fresh one, whoever asks and whatever became of the old one.
func (v linkPages) passFresh() error {
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
func (v linkPages) withdrawing() (pass.Facts, error) {
	f, err := v.Passes.Open(v.Ctx(), v.Param("token"), v.Now(), v.People)
	if err != nil || f.Purpose != pass.Withdraw || f.Person == "" {
		return f, door.ErrGone
	}
	v.spoken = true
	return f, v.Speak(f.Person)
}

// withdrawForm shows a button.
func (v linkPages) withdrawForm() error {
	if _, err := v.withdrawing(); err != nil {
		return err
	}
	return v.render("withdraw", sheet{Title: v.T("page.withdraw.title"), Body: true})
}

// withdraw revokes every link mailed to a person, and every seat of theirs that a browser keeps.
func (v linkPages) withdraw() error {
	f, err := v.withdrawing()
	if err == nil {
		err = v.People.Withdraw(v.Ctx(), v.Desk, v.Actor(f.Person), f.Person)
	}
	if err != nil {
		return err
	}
	return v.render("withdraw", sheet{Title: v.T("page.withdraw.title"), Body: false})
}
