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
	"posthorn/events/pass"
	"posthorn/events/people"
)

// SeatLasts is how long a browser in which the link of a mail was pressed is lent its person's seat at that table, unless
// the link of a later mail is pressed elsewhere.
const SeatLasts = 7 * 24 * time.Hour

// SeatCookie is the name of the cookie that using a link sets, for one table's pages.
func (h *House) SeatCookie() string {
	if h.Public.Scheme == "https" {
		return "__Secure-posthorn-seat"
	}
	return "posthorn-seat"
}

// seatPath is where the browser sends the cookie: to the pages of that table and no others.
func seatPath(table events.Name) string { return "/t/" + table.String() }

// Sit makes the person whose seat this browser was lent the reader, at the table of the address only. It ignores a
// cookie that has expired, was withdrawn, belongs to another table, or is not of the latest letter that was pressed. The
// last person to use a link plays here, even if somebody else is signed in.
func (v *Visit) Sit() error {
	table, err := events.ParseName(v.Param("table"))
	if err != nil {
		return nil
	}
	cookie, err := v.Cookie(v.SeatCookie())
	if err != nil || cookie.Value == "" {
		return nil
	}
	f, err := v.Passes.Open(v.Ctx(), cookie.Value, v.Now(), v.People)
	if errors.Is(err, pass.ErrPass) || errors.Is(err, pass.ErrExpired) || errors.Is(err, pass.ErrRevoked) {
		return nil
	}
	if err != nil || f.Purpose != pass.Lent || f.Stream != table || f.Person == v.Me {
		return err
	}
	if last, err := v.People.Pressed(v.Ctx(), f.Person, table); err != nil || f.Since != last.Letter {
		return err
	}
	p, known, err := v.Person(f.Person)
	if err != nil || !known {
		return err
	}
	v.Table = table // even on a page that says what went wrong
	chosen := !v.SignedIn()
	v.Who = Who{Me: p.ID, Name: called(p), Seated: true, Until: f.Expires, Account: v.Own()}
	v.Use(p.Language)
	if chosen {
		v.UseChosen()
	}
	v.zoned(p)
	return nil
}

// Own returns the person who is signed in, before they act as somebody else at a table.
func (v *Visit) Own() (a Account) {
	if v.SignedIn() {
		a = Account{v.Me, v.Name, v.Print}
	}
	return a
}

// Lends lends this browser a person's seat at a table by a letter that was first pressed at some time. Pressing it again
// makes that no longer.
func (v *Visit) Lends(table events.Name, p domain.PersonID, epoch uint32, letter uint64, pressed time.Time) error {
	until := pressed.Add(SeatLasts)
	token, err := v.Passes.Make(pass.Facts{Purpose: pass.Lent, Person: p, Stream: table, Epoch: epoch, Since: letter, Expires: until})
	if err != nil {
		return err
	}
	v.keep(v.SeatCookie(), token.Text(), seatPath(table), until.Sub(v.Now()))
	v.notes(slices.Concat([]keptSeat{{table, seatMark(table, p)}}, v.others(table)))
	return nil
}

// Leaves removes the seat at the table of the address from this browser.
func (v *Visit) Leaves() {
	v.keep(v.SeatCookie(), "", seatPath(v.Table), 0)
	if kept := v.keeping(); slices.ContainsFunc(kept, keptSeat{table: v.Table}.at) {
		v.notes(v.others(v.Table))
	}
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

// notes writes seats to seatsCookie.
func (v *Visit) notes(seats []keptSeat) {
	names := make([]string, 0, mostSeats)
	for _, k := range seats[:min(len(seats), mostSeats)] {
		names = append(names, k.table.String()+":"+k.mark)
	}
	v.Keep(seatsCookie, strings.Join(names, "."), SeatLasts)
}

// others returns the seats that this browser keeps, except those at one table.
func (v *Visit) others(table events.Name) []keptSeat {
	return slices.DeleteFunc(v.keeping(), keptSeat{table: table}.at)
}

// keeping returns the seats that this browser claims to keep.
func (v *Visit) keeping() (list []keptSeat) {
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
func (v *Visit) Keeping(table events.Name) bool {
	return slices.ContainsFunc(v.keeping(), func(k keptSeat) bool { return k.table == table && k.mark != seatMark(table, v.Me) })
}

// browserCookie tells browsers apart, so that a person hears when the link of one letter is pressed in two. It is set
// only when a link is pressed, and means nothing to anybody else.
const browserCookie = "posthorn-browser"

// Pressed notes that a person's letter about a table was pressed in this browser, and returns what holds then.
func (v *Visit) Pressed(table events.Name, p domain.PersonID, letter uint64) (people.Press, error) {
	id := ""
	if cookie, err := v.Cookie(browserCookie); err == nil && len(cookie.Value) <= 64 {
		id = cookie.Value
	}
	if id == "" {
		id = pass.Random().Text()
		v.Keep(browserCookie, id, 400*24*time.Hour)
	}
	return v.People.Press(v.Ctx(), p, table, letter, id)
}
