package door

import (
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
)

// SeatLasts is how long a browser that used a mail's link keeps its person's seat at that table.
const SeatLasts = 90 * 24 * time.Hour

// SeatCookie is the name of the cookie that a pressed link leaves, for one table's pages.
func (h *House) SeatCookie() string {
	if h.Public.Scheme == "https" {
		return "__Secure-posthorn-seat"
	}
	return "posthorn-seat"
}

// seatPath is where the browser shows the cookie: the pages of that table, and no others.
func seatPath(table events.Name) string { return "/t/" + table.String() }

// Sit makes the person whose seat this browser keeps the reader, at the table of the address and
// nowhere else. A cookie that is over, withdrawn or of another table makes nobody the reader.
// Whoever pressed a link last is who plays here, even where somebody else is signed in.
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
	if err != nil || f.Purpose != pass.Seat || f.Stream != table || f.Person == v.Me {
		return err
	}
	p, known, err := v.Person(f.Person)
	if err != nil || !known {
		return err
	}
	v.Who = Who{Me: p.ID, Name: called(p), Seated: true, Until: f.Expires, Account: v.Name}
	v.Use(p.Language)
	v.zoned(p)
	return nil
}

// Keeps leaves a person's seat at a table with this browser, until they withdraw their links.
func (v *Visit) Keeps(table events.Name, p domain.PersonID, epoch uint32) error {
	token, err := v.Passes.Make(pass.Facts{Purpose: pass.Seat, Person: p, Stream: table, Epoch: epoch, Expires: v.Now().Add(SeatLasts)})
	if err != nil {
		return err
	}
	v.keep(v.SeatCookie(), token.Text(), seatPath(table), SeatLasts)
	return nil
}

// Leaves takes the seat at the table of the address from this browser.
func (v *Visit) Leaves() { v.keep(v.SeatCookie(), "", seatPath(v.Table), 0) }

// browserCookie tells a browser from others, so that a person hears of a link that was used in one
// that is not theirs. It is set by a press alone, and says nothing to anybody else.
const browserCookie = "posthorn-browser"

// Introduce notes that a person's link was used in this browser. It is news where the person has
// used another one before, and never this one.
func (v *Visit) Introduce(p domain.PersonID) (news bool, err error) {
	id := ""
	if cookie, err := v.Cookie(browserCookie); err == nil && len(cookie.Value) <= 64 {
		id = cookie.Value
	}
	if id == "" {
		id = pass.Random().Text()
		v.Keep(browserCookie, id, 400*24*time.Hour)
	}
	known, err := v.People.Browser(v.Ctx(), p, id)
	return !known, err
}
