package door

import (
	"cmp"
	"context"
	"errors"
	nethttp "net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/guard"
	"posthorn/projections/words"
)

// Who is the reader, as far as they are signed in.
type Who struct {
	Me      domain.PersonID // "" for nobody
	Name    string          // what they are called; their address's first part until they said
	Ref     string          // of their session
	Seated  bool            // known by a seat that this browser keeps, at its table alone
	Until   time.Time       // how long it keeps it
	Account Account         // somebody else who is signed in here
}

// Account is somebody who is signed in where another's seat or link is used; the zero value is nobody.
type Account struct {
	ID    domain.PersonID
	Name  string
	Print words.Printer // their language
}

// SignedIn reports whether somebody is: with all that is theirs, not with one seat.
func (w Who) SignedIn() bool { return w.Me != "" && !w.Seated }

// Visit is one request: who asks, in which language.
type Visit struct {
	echo.Context
	*House
	Print words.Printer
	Lang  string
	Zone  *time.Location // the reader's; UTC if nil
	Who
	Door  string      // by which commands come, as events name doors
	Table events.Name // that the address is about
}

// Visit finds out who asks, in which language. It changes nothing.
func (h *House) Visit(c echo.Context) (*Visit, error) {
	v := h.Stranger(c)
	cookie, err := c.Cookie(h.SessionCookie())
	if err != nil || cookie.Value == "" {
		return v, nil
	}
	session, err := h.People.Session(v.Ctx(), cookie.Value)
	if errors.Is(err, people.ErrSession) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	p, known, err := v.Person(session.Person)
	if err != nil || !known {
		return v, err
	}
	v.Who = Who{Me: p.ID, Name: called(p), Ref: session.Ref}
	v.Use(p.Language)
	v.zoned(p)
	return v, nil
}

// called is what a person is called on their own pages.
func called(p people.Person) string {
	name, _, _ := strings.Cut(string(p.Address), "@")
	return cmp.Or(p.Name, name)
}

// Nobody is a visit of which no cookie is read, in the language that the browser prefers.
func (h *House) Nobody(c echo.Context) *Visit {
	v := &Visit{Context: c, House: h}
	v.Use(h.Book.Match(c.Request().Header.Get("Accept-Language")))
	return v
}

// Stranger is a visit of nobody known: in the language chosen before in this browser, or the
// one it prefers.
func (h *House) Stranger(c echo.Context) *Visit {
	v := &Visit{Context: c, House: h}
	lang := h.Book.Match(c.Request().Header.Get("Accept-Language"))
	if cookie, err := c.Cookie("lang"); err == nil && Known(cookie.Value) {
		lang = cookie.Value
	}
	v.Use(lang)
	return v
}

// Known reports whether there are words in a language.
func Known(lang string) bool { return slices.Contains(words.Languages, lang) }

// Use changes to a language.
func (v *Visit) Use(lang string) {
	v.Print = v.Book.Printer(lang, "", nil)
	v.Lang = v.Print.Lang()
}

// Speak changes to the language of a person a pass acts for.
func (v *Visit) Speak(id domain.PersonID) error {
	p, known, err := v.Person(id)
	if known {
		v.Use(p.Language)
		v.zoned(p)
	}
	return err
}

// T is a text of the pages' or the house's catalogue.
func (v *Visit) T(key string, pairs ...any) string { return v.Print.Text(key, pairs...) }

// Ctx ends with the request.
func (v *Visit) Ctx() context.Context { return v.Request().Context() }

// Network is where the reader is, as limits count it.
func (v *Visit) Network() string { return guard.Network(v.RealIP()) }

// Names reports whether a request may be somebody's in particular: whether it brings a session, a seat or a token, good or not.
func (h *House) Names(r *nethttp.Request) bool {
	return r.Header.Get("Authorization") != "" || slices.ContainsFunc(r.Cookies(), func(c *nethttp.Cookie) bool {
		return c.Name == h.SessionCookie() || c.Name == h.SeatCookie()
	})
}

// SessionLasts is how long a browser stays signed in.
const SessionLasts = 90 * 24 * time.Hour

// SessionCookie is the cookie's name: with https it is tied to this host and to https.
func (h *House) SessionCookie() string {
	if h.Public.Scheme == "https" {
		return "__Host-posthorn"
	}
	return "posthorn"
}

// Keep sets a cookie that pages of other sites do not send and scripts do not read. Without a
// value it takes the browser's away.
func (v *Visit) Keep(name, value string, lasts time.Duration) { v.keep(name, value, "/", lasts) }

func (v *Visit) keep(name, value, path string, lasts time.Duration) {
	c := &nethttp.Cookie{Name: name, Value: value, Path: path, HttpOnly: true, SameSite: nethttp.SameSiteLaxMode,
		Secure: v.Public.Scheme == "https", MaxAge: int(lasts / time.Second)}
	if value == "" {
		c.MaxAge = -1
	}
	v.SetCookie(c)
}
