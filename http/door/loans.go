package door

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/http/guard"
)

// SeatLasts is how long a browser in which the link of a mail was pressed is lent its person's seat at that table at
// most.
const SeatLasts = 7 * 24 * time.Hour

// mostLent is how many seats of one table a browser is lent at once: people may share a tablet.
const mostLent = 4

// seatCookie is what the names of the cookies begin with that using a link sets, for one table's pages: one for each
// person whose seat this browser was lent there.
func (h *Parts) seatCookie() string {
	if h.Public.Scheme == "https" {
		return "__Secure-posthorn-seat-"
	}
	return "posthorn-seat-"
}

// seatPath is where the browser sends the cookie: to the pages of that table and no others.
func seatPath(table events.Name) string { return "/t/" + table.String() }

// Lent is a seat that this browser was lent.
type Lent struct {
	ID     domain.PersonID
	Name   string
	Mark   string // names it in a form, and its person only to whoever knows them
	Over   bool   // see over
	letter uint64
	since  time.Time // when this browser took the letter up
}

// lent reads the seats of a table that this browser was lent, the one that was used last first. It leaves out what has
// expired or was withdrawn, and seats that their person no longer holds.
func (v Loans) lent(table events.Name) (list []Lent, err error) {
	var look desk.Look
	for _, c := range v.Cookies() {
		mark, ok := strings.CutPrefix(c.Name, v.seatCookie())
		if !ok || len(list) == mostLent {
			continue
		}
		f, err := v.Passes.Open(v.Ctx(), c.Value, v.Now(), v.People)
		if errors.Is(err, pass.ErrPass) || errors.Is(err, pass.ErrExpired) || errors.Is(err, pass.ErrRevoked) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if f.Purpose != pass.Lent || f.Stream != table || seatMark(table, f.Person) != mark {
			continue
		}
		p, known, err := v.Person(f.Person)
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		if look.Table == nil {
			if look, err = v.looks(table); err != nil {
				return nil, err
			}
		}
		if look.Table != nil && !sits(look.Table, p.ID) {
			continue
		}
		since, stands, err := v.People.Lends(v.Ctx(), p.ID, table, f.Since, v.browser())
		if err != nil {
			return nil, err
		}
		over, err := v.over(look, f, stands)
		if err != nil {
			return nil, err
		}
		name := called(p)
		if look.Table != nil {
			if name, err = v.Maker.Apart(v.Ctx(), v.Print, look.Table, p.ID, name); err != nil {
				return nil, err
			}
		}
		list = append(list, Lent{p.ID, name, mark, over, f.Since, since})
	}
	for _, k := range v.keeping() {
		if i := slices.IndexFunc(list, func(l Lent) bool { return k.table == table && k.mark == l.Mark }); i > 0 {
			list[0], list[i] = list[i], list[0]
		}
	}
	return list, nil
}

// Sit makes a person whose seat this browser was lent the reader, at the table of the address only: the last one whose
// link was pressed here, or whom the reader chose since, even if somebody else is signed in.
func (v Loans) Sit() error {
	table, err := events.ParseName(v.Param("table"))
	if err != nil {
		return nil
	}
	list, err := v.lent(table)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		v.Table = table // even on a page that says what went wrong
	}
	own := v.Who
	v.Lent = slices.DeleteFunc(list, func(l Lent) bool { return l.ID == own.Me })
	i := slices.IndexFunc(v.Lent, func(l Lent) bool { return !l.Over })
	if i < 0 {
		return nil
	}
	p, known, err := v.Person(v.Lent[i].ID)
	if err != nil || !known {
		return err
	}
	v.Who = Who{Me: p.ID, Name: v.Lent[i].Name, Seated: true, Account: v.Own()}
	v.Use(p.Language)
	if own.Me == "" {
		v.UseChosen()
	}
	v.zoned(p)
	return nil
}

// Letter returns which letter lent the reader their seat.
func (v Loans) Letter() uint64 {
	for _, l := range v.Lent {
		if v.Seated && l.ID == v.Me {
			return l.letter
		}
	}
	return 0
}

// Lend lends this browser a person's seat at a table by a letter that was first pressed at some time. Pressing it
// again makes that no longer.
func (v Loans) Lend(table events.Name, p domain.PersonID, epoch uint32, letter uint64, pressed time.Time) error {
	token, err := v.Passes.Make(pass.Facts{Purpose: pass.Lent, Person: p, Stream: table, Epoch: epoch, Since: letter,
		Expires: pressed.Add(SeatLasts)})
	if err != nil {
		return err
	}
	v.keep(v.seatCookie()+seatMark(table, p), token.Text(), seatPath(table), pressed.Add(SeatLasts).Sub(v.Now()))
	v.uses(table, seatMark(table, p))
	return nil
}

// uses notes which of the seats at a table is used in this browser; none if the mark is empty.
func (v Loans) uses(table events.Name, mark string) {
	rest := slices.DeleteFunc(v.keeping(), keptSeat{table: table}.at)
	if mark != "" {
		rest = slices.Insert(rest, 0, keptSeat{table, mark})
	}
	v.notes(rest)
}

// Leave removes the reader's seat at the table of the address from this browser; where somebody is signed in, who
// plays themselves then, every seat.
func (v Loans) Leave() {
	next := ""
	for _, l := range v.Lent {
		if v.Seated && v.Account.ID == "" && l.ID != v.Me {
			next = l.Mark
			continue
		}
		v.keep(v.seatCookie()+l.Mark, "", seatPath(v.Table), 0)
	}
	v.uses(v.Table, next)
}

// Change makes another seat that this browser was lent at the table the reader's; false if there is none of that mark.
func (v Loans) Change(mark string) bool {
	if !slices.ContainsFunc(v.Lent, func(l Lent) bool { return l.Mark == mark }) {
		return false
	}
	v.uses(v.Table, mark)
	return true
}

// seatsCookie names the tables at which this browser keeps a seat, so that a list of somebody's own games, whose pages
// do not receive the seat cookies, can link to their own seats. It has no other use.
const seatsCookie = "posthorn-seats"

// mostSeats is how many tables it names, latest first.
const mostSeats = 20

// keptSeat is a table at which this browser claims to keep a seat.
type keptSeat struct {
	table events.Name
	mark  string // shows whose it is
}

func (k keptSeat) at(o keptSeat) bool { return k.table == o.table }

// seatMark returns a mark that tells whether a seat belongs to a given person, without revealing who to anybody else.
func seatMark(table events.Name, p domain.PersonID) string {
	sum := sha256.Sum256([]byte(table.String() + "/" + string(p)))
	return hex.EncodeToString(sum[:4])
}

// Mark names the reader in a page of the table, as seatMark does; "" for nobody.
func (v *Visit) Mark() string {
	if v.Me == "" {
		return ""
	}
	return seatMark(v.Table, v.Me)
}

// notes writes seats to seatsCookie.
func (v Loans) notes(seats []keptSeat) {
	names := make([]string, 0, mostSeats)
	for _, k := range seats[:min(len(seats), mostSeats)] {
		names = append(names, k.table.String()+":"+k.mark)
	}
	v.Keep(seatsCookie, strings.Join(names, "."), SeatLasts)
}

// keeping returns the seats that this browser claims to keep.
func (v Loans) keeping() (list []keptSeat) {
	cookie, err := v.Cookie(seatsCookie)
	if err != nil || len(cookie.Value) > 4096 {
		return nil
	}
	for text := range strings.SplitSeq(cookie.Value, ".") {
		name, mark, _ := strings.Cut(text, ":")
		if t, err := events.ParseName(name); err == nil && len(list) < mostSeats {
			list = append(list, keptSeat{t, mark})
		}
	}
	return list
}

// Keeping reports whether this browser claims to keep a seat at a table that is not the reader's own.
func (v Loans) Keeping(table events.Name) bool {
	return slices.ContainsFunc(v.keeping(), func(k keptSeat) bool {
		return k.table == table && k.mark != seatMark(table, v.Me)
	})
}

// browserCookie tells browsers apart: a letter lends the seat to the one in which its link was pressed last, and its
// person hears when that was two. It is set only when a link is pressed, and is good for nothing else.
const browserCookie = "posthorn-browser"

// browser returns what tells this browser apart; "" if no link was pressed in it.
func (v Loans) browser() string {
	cookie, err := v.Cookie(browserCookie)
	if err != nil || len(cookie.Value) > 64 {
		return ""
	}
	return cookie.Value
}

// Came notes from which network this browser acts for a person, and reports whether they should hear of that: it is new
// to them, and another browser, as lent says, has their seat, or they are signed in somewhere.
func (v Loans) Came(p domain.PersonID, lent bool) (bool, error) {
	strange, err := v.People.Came(v.Ctx(), p, guard.Region(v.RealIP()))
	if err != nil || !strange || v.SignedIn() && v.Me == p {
		return false, err
	}
	sessions, err := v.People.Sessions(v.Ctx(), p)
	return lent || len(sessions) > 0, err
}

// Pressed notes that a person's letter about a table was pressed in this browser at a time, and returns what holds
// then.
func (v Loans) Pressed(table events.Name, p domain.PersonID, letter uint64, at time.Time) (people.Press, error) {
	id := v.browser()
	if id == "" {
		id = pass.Random().Text()
		v.Keep(browserCookie, id, 400*24*time.Hour)
	}
	return v.People.Press(v.Ctx(), p, table, letter, id, at)
}
