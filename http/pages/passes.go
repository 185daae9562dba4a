package pages

import (
	"errors"
	"fmt"
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/projections/turn"

	"posthorn/http/door"
)

// carried is the pass in an address: what it lets whom do, and whether it still may.
type carried struct {
	pass.Facts
	path  string // "/p/TOKEN"
	stale string // key of the text that says why it is no longer good, or ""
}

// carry reads the pass of an address, and which table it is about. A pass that is no longer good
// is still told, so that the page can say what happened; one that never was is door.ErrGone.
func (v *visit) carry() (p carried, err error) {
	text := v.Param("token")
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
	case pass.Play, pass.View, pass.Answer, pass.Join:
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
	// A table may be hidden from whoever the pass is for, or, where that has ended or was
	// withdrawn, from whoever is signed in.
	who := p.Person
	if who == "" || p.stale != "" {
		who = v.Me
	}
	if p.stale == "" && p.Since > 0 && p.At != (pass.Mark{}) {
		recs, err := v.Desk.Log().Load(v.Ctx(), p.Stream, p.Since-1, p.Since)
		if err != nil {
			return p, fmt.Errorf("history of a pass: %w", err)
		}
		if len(recs) != 1 || pass.MarkOf(recs[0].Hash) != p.At { // its history is no longer the one here
			p.stale = "page.pass.overtaken"
		}
	}
	err = v.MaySee(v.Table, who)
	if errors.Is(err, events.ErrNoStream) {
		err = door.ErrGone
	}
	return p, err
}

// onward sends the browser on after a pass was used, unless something went wrong: to the table's
// page, or, where the table is hidden from a browser that is not signed in, to that of the pass itself.
func (v *visit) onward(err error, p carried, done string) error {
	if err != nil {
		return err
	}
	path := v.Home()
	if err = v.MaySee(v.Table, v.Me); errors.Is(err, events.ErrNoStream) {
		if path, err = p.path, v.MaySee(v.Table, p.Person); errors.Is(err, events.ErrNoStream) {
			return v.see("/", "") // a study that they have just declined
		}
	}
	return v.after(err, path, done)
}

// asker is whom a good pass acts for. Whoever holds a stale one sees what its holder may as
// somebody signed in, or what everybody may.
func (p carried) asker(v *visit) turn.Asker {
	if p.stale != "" || p.Person == "" {
		return turn.Asker{Person: v.Me, Seat: domain.Nobody, Lang: v.Lang}
	}
	return turn.Asker{Person: p.Person, Seat: p.Seat, Lang: v.Lang}
}

// showPass shows what a link in a mail is for. It changes nothing.
func (v *visit) showPass() (err error) {
	p, as := v.pass, ""
	if p.stale == "" && p.Person != "" {
		if !v.SignedIn() {
			if err := v.Speak(p.Person); err != nil {
				return err
			}
		}
		if as, err = v.Called(p.Person); err != nil {
			return err
		}
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	if p.stale == "" && p.Purpose == pass.Join && p.Kind == pass.KindClaim {
		return v.showClaim(look, p)
	}
	if look.Table.Status == domain.TableOpen || look.LineName.IsZero() {
		act := p.path
		if as == "" {
			act = v.Home()
		}
		return v.showGathering(look, act, as, p.asker(v))
	}
	if p.stale == "" {
		p.stale = passed(look, p.Facts)
	}
	m, err := v.Maker.Turn(v.Ctx(), v.Table, p.asker(v))
	if err != nil {
		return err
	}
	if p.stale != "" {
		if v.refused == nil && p.Purpose != pass.View {
			v.status = nethttp.StatusGone
		}
		return v.showGame(&gamePage{M: m, Self: v.Home(), Act: v.Home(), Stale: v.T(p.stale)})
	}
	if p.Purpose == pass.Play && m.Decision != nil {
		m.Answer(domain.Open{Decision: domain.Decision{Seat: p.Seat, Kind: p.Kind, Serial: p.Serial}, Since: p.Since})
	} else {
		m.Decision, m.Forms = nil, nil // this pass does not play
	}
	if p.Purpose != pass.Answer && m.Proposal != nil {
		m.Proposal.MayAgree, m.Proposal.Mine = false, false
	}
	return v.showGame(&gamePage{M: m, Self: p.path, Act: p.path, As: as})
}

// askKinds is what the passes ask for that are good for one answer.
var askKinds = map[pass.Purpose]events.AskKind{
	pass.Play: events.AskTurn, pass.Answer: events.AskConsent, pass.Join: events.AskInvitation,
}

// passed tells why a pass has come too late: the key of a text, or "".
func passed(look events.Look, f pass.Facts) string {
	kind, ok := askKinds[f.Purpose]
	if !ok {
		return ""
	}
	moot := look.Moot(events.Ask{Kind: kind, Person: f.Person, Table: look.Name, Stream: f.Stream,
		Open: domain.Open{Decision: domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial}, Since: f.Since}})
	if moot == events.MootNot {
		return ""
	}
	return "page.pass." + string(moot)
}

// byPass makes the handler of a form that a pass for something is good for. Where it is no
// longer good, its page says so.
func byPass(purpose pass.Purpose, do func(v *visit, p carried) error) func(*visit) error {
	return func(v *visit) error {
		if v.pass.stale != "" || v.pass.Person == "" {
			v.status = nethttp.StatusGone
			return v.showPass()
		}
		if v.pass.Purpose != purpose {
			return door.ErrGone
		}
		return do(v, v.pass)
	}
}

// passCommand makes the handler of a form that gives a command without more input.
func passCommand(purpose pass.Purpose, done string, command func(pass.Facts) events.Command) func(*visit) error {
	return byPass(purpose, func(v *visit, p carried) error {
		at, err := v.at(p.Person)
		if err == nil {
			_, err = v.Command(at, command(p.Facts))
		}
		return v.onward(err, p, done)
	})
}

// passMove plays the decision of a pass.
func (v *visit) passMove(p carried) error {
	in, at, err := v.readMove(p.Person)
	if err != nil {
		return err
	}
	if d := in.Decision; d.Seat.At() != p.Seat || in.Line != p.Stream.String() || d.Kind != p.Kind || d.Serial != p.Serial || d.Since != p.Since {
		return door.ErrMalformed
	}
	ans, err := v.Play(at, in)
	if err != nil {
		return err
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	if passed(look, p.Facts) == "" {
		return v.see(p.path, "moved") // a decision of several moves: the pass is good for the next one
	}
	if f, ok := following(look, p.Facts, ans.Record); ok && v.Me != p.Person {
		next, err := v.Passes.Make(f)
		if err != nil {
			return fmt.Errorf("pass of the next decision: %w", err)
		}
		return v.see("/p/"+next.Text(), "moved")
	}
	return v.onward(nil, p, "moved")
}

// following is the pass that goes on from one that has just been played: for what the very
// move brought up and awaits of the same seat (after a seven, where the robber goes). So one
// mail plays a whole turn. It lets the same person do no more than the next mail would, ends
// when theirs ends, and is withdrawn with it; whatever another seat's move, a rewind or an end
// of the game brings up has its own mail.
func following(look events.Look, played pass.Facts, move events.Record) (pass.Facts, bool) {
	for _, a := range look.Asks() {
		o := a.Open
		if a.Kind == events.AskTurn && a.Person == played.Person && a.Stream == played.Stream && o.Seat == played.Seat && o.Since == move.Version {
			f := played
			f.Kind, f.Serial, f.Since, f.At = o.Kind, o.Serial, o.Since, pass.MarkOf(move.Hash)
			return f, true
		}
	}
	return pass.Facts{}, false
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
