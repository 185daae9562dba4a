package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
)

// later is the rest of one press, still to be played after something else that is asked first. It is in the address of
// the page that asks, sealed by the house, so that nobody can send anybody an address that plays more than it shows.
type later struct {
	moves   string
	seat    domain.Seat
	line    events.Name // line of play: after a rewind, or in a branch, it is another line, which may reach the same version
	version uint64      // version of the line at which the question is asked
	sealed  string
}

// thenPlay plays on a line what is left of a form's press, then what the page kept of an earlier one, as answers to
// whatever the seat is asked now. It keeps what cannot be made yet for the page that asks. It never plays any of it on
// a line other than the one it was pressed for.
func (v *visit) thenPlay(at door.At, seat *door.Seat, line string, left []string) error {
	kept := v.FormValue("then")
	if kept == "" && len(left) == 0 {
		return nil
	}
	look, err := v.Desk.Look(v.Ctx(), at.Table)
	if err != nil || look.Line == nil {
		return err
	}
	if line != look.LineName.String() {
		left = nil
	}
	if l := v.laterOf(url.Values{"then": {kept}}, seat.At(), look.LineName); l.moves != "" {
		left = append(left, strings.Split(l.moves, "; ")...)
	}
	if len(left) == 0 {
		return nil
	}
	open := look.Line.Awaited()
	i := slices.IndexFunc(open, func(o domain.Open) bool { return o.Seat == seat.At() })
	if i < 0 {
		return nil // the turn is over
	}
	in := door.Move{Line: look.LineName.String()}
	in.Decision.Seat, in.Decision.Kind, in.Decision.Serial, in.Decision.Since = seat, open[i].Kind, open[i].Serial, open[i].Since
	at.ID = events.Derive("then", at.ID[:])
	left, err = v.goOn(at, in, left[:min(len(left), maxChain)])
	if err != nil || len(left) == 0 {
		return err
	}
	if look, err = v.Desk.Look(v.Ctx(), at.Table); err != nil {
		return err
	}
	for m := range look.Rulebook.Legal(look.Line.State, seat.At()) {
		if verbOf(look.Rulebook.FormatMove(m, nil)) == verbOf(left[0]) {
			return nil // this kind of move is being asked for, and was refused
		}
	}
	v.then = later{moves: strings.Join(left, "; "), seat: seat.At(), line: look.LineName, version: look.LineHead.Version}
	v.then.sealed = v.sealed(v.then)
	return nil
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
