package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
)

// later is the rest of one press, still to be played after something else that is asked first. It is in the address of
// the page that asks, sealed by the house, so that nobody can send anybody an address that plays more than it shows.
type later struct {
	moves string
	seat  domain.Seat
	// line of play: after a rewind, or in a branch, it is another line, which may reach the same version
	line    events.Name
	version uint64 // version of the line at which the question is asked
	sealed  string
}

// press plays what a form sends, with a word to the table if there is one, and then what an earlier press left.
func (v *visit) press(at door.At, in door.Move, way string, letter uint64) error {
	line, err := events.ParseName(in.Line)
	if err != nil {
		return door.ErrMalformed
	}
	if l := v.laterOf(url.Values{"then": {v.FormValue("then")}}, in.Decision.Seat.At(), line); l.moves != "" {
		in.Text += domain.PressSeparator + l.moves
	}
	ans, p, err := v.PlayAll(at, in, func() error { return v.Word(at, v.FormValue("word")) })
	if err != nil {
		return err
	}
	if p.Made > 0 { // a press that comes again is no news
		if way == people.WaySession { // it ends what letters lent before
			letter = door.LetterOf(&ans.Record)
		}
		if err := v.People.Move(v.Ctx(), at.By, v.Table, letter, way, browser(v.Request())); err != nil {
			return err
		}
		if way != people.WayLink { // see settle
			if err := v.tells(at.By, false, false); err != nil {
				return err
			}
		}
	}
	return v.wait(p, in.Decision.Seat.At())
}

// playRest plays what an earlier press left, as what it waited for has been answered otherwise.
func (v *visit) playRest(at door.At, seat domain.Seat) error {
	look, err := v.Desk.Look(v.Ctx(), at.Table)
	if err != nil || look.Line == nil {
		return err
	}
	l := v.laterOf(url.Values{"then": {v.FormValue("then")}}, seat, look.LineName)
	if l.moves == "" {
		return nil
	}
	m := desk.Move{ID: at.ID, Table: at.Table, Line: look.LineName, Seat: seat, Text: l.moves}
	p, err := v.Desk.PlayOn(v.Ctx(), v.Actor(at.By), m)
	if err != nil {
		return err
	}
	return v.wait(p, seat)
}

// wait keeps what a press left for the page that asks what comes first.
func (v *visit) wait(p domain.Pressed, seat domain.Seat) error {
	v.dropped = len(p.Dropped) > 0
	if len(p.Left) == 0 {
		return nil
	}
	look, err := v.Desk.Look(v.Ctx(), v.Table)
	if err != nil {
		return err
	}
	left := domain.WritePress(look.Rulebook, p.Left)
	v.then = later{moves: left, seat: seat, line: look.LineName, version: look.LineHead.Version}
	v.then.sealed = v.sealed(v.then)
	return nil
}

// moved is what a page says after a press.
func (v *visit) moved() string {
	if v.dropped {
		return "part"
	}
	return "moved"
}

// sealed returns the rest of a press as it appears in an address.
func (v *visit) sealed(l later) string {
	mac := hmac.New(sha256.New, v.Desk.Keys().For("rest of a press"))
	fmt.Fprintf(mac, "%s %d %s %d %s", v.Table, l.seat, l.line, l.version, l.moves)
	return fmt.Sprintf("%s %d %s", hex.EncodeToString(mac.Sum(nil)[:12]), l.version, l.moves)
}

// laterOf returns the rest in an address or a form, if this house sealed it for the seat and the line.
func (v *visit) laterOf(q url.Values, seat domain.Seat, line events.Name) later {
	sealed := q.Get("then")
	_, rest, _ := strings.Cut(sealed, " ")
	number, moves, _ := strings.Cut(rest, " ")
	version, err := strconv.ParseUint(number, 10, 64)
	l := later{moves: moves, seat: seat, line: line, version: version, sealed: sealed}
	if err != nil || moves == "" || !hmac.Equal([]byte(sealed), []byte(v.sealed(l))) {
		return later{}
	}
	return l
}

// address returns the address of a page that plays the rest after what it asks.
func (l later) address(page string) string {
	if l.moves == "" {
		return page
	}
	return page + "?" + url.Values{"then": {l.sealed}}.Encode()
}
