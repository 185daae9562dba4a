package door

import (
	"cmp"
	"context"
	"errors"
	"html/template"
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

// Who is the reader, if known.
type Who struct {
	Me      domain.PersonID // "" for nobody
	Name    string          // what they are called; the first part of their address until they choose a name
	Ref     string          // of their session
	Lost    bool            // somebody says that they read none of their mails
	Seated  bool            // known only by a seat that this browser was lent, and only at its table
	Account Account         // somebody else who is signed in here
}

// Account is the person signed in while another person's seat or link is used; the zero value is nobody.
type Account struct {
	ID    domain.PersonID
	Name  string
	Print words.Printer // in their language
}

// SignedIn reports whether somebody is signed in with their whole account, not just one seat.
func (w Who) SignedIn() bool { return w.Me != "" && !w.Seated }

// Visit is one request: who makes it, and in which language.
type Visit struct {
	echo.Context
	*Parts
	Print words.Printer
	Lang  string
	Zone  *time.Location // the reader's; UTC if nil
	// ZoneKnown says that the reader's zone is known; otherwise their browser should tell it.
	ZoneKnown bool
	Who
	Lent  []Lent      // the seats at the table of the address that this browser was lent, the one used last first
	Door  string      // the door that commands come by, as events name it
	Table events.Name // that the address is about
	// Unsent says that an invitation of this request is not mailed, and that its inviter may know.
	Unsent bool
}

// Visit finds out who makes a request, and in which language. It changes nothing.
func (h *Parts) Visit(c echo.Context) (*Visit, error) {
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
	v.Who = Who{Me: p.ID, Name: called(p), Ref: session.Ref, Lost: p.Lost.After(h.Now())}
	v.Use(p.Language)
	v.zoned(p)
	return v, nil
}

// called returns what a person is called on their own pages.
func called(p people.Person) string {
	name, _, _ := strings.Cut(string(p.Address), "@")
	return cmp.Or(p.Name, name)
}

// Nobody returns a visit that reads no cookies, in the browser's preferred language.
func (h *Parts) Nobody(c echo.Context) *Visit {
	v := &Visit{Context: c, Parts: h}
	v.Use(h.Book.Match(c.Request().Header.Get("Accept-Language")))
	return v
}

// Stranger returns a visit by nobody known, in the language chosen before in this browser, or the one it prefers.
func (h *Parts) Stranger(c echo.Context) *Visit {
	v := h.Nobody(c)
	v.UseChosen()
	return v
}

// UseChosen changes to the language that was chosen in this browser, if one was.
func (v *Visit) UseChosen() {
	if cookie, err := v.Cookie("lang"); err == nil && Known(cookie.Value) {
		v.Use(cookie.Value)
	}
}

// Known reports whether the server has words in a language.
func Known(lang string) bool { return slices.Contains(words.Languages, lang) }

// Use changes to a language.
func (v *Visit) Use(lang string) {
	v.Print = v.Book.Printer(lang, "", nil)
	v.Lang = v.Print.Lang()
}

// Speak changes to the language of the person that a pass acts for.
func (v *Visit) Speak(id domain.PersonID) error {
	p, known, err := v.Person(id)
	if known {
		v.Use(p.Language)
		v.zoned(p)
	}
	return err
}

// T returns a text from the pages' or the house's catalogue.
func (v *Visit) T(key string, pairs ...any) string { return v.Print.Text(key, pairs...) }

// Said is T for an element of a page: a text that is in another language than the page says so.
func (v *Visit) Said(key string, pairs ...any) any {
	text, in := v.T(key, pairs...), v.Print.LangOf(key)
	if in == v.Print.Lang() {
		return text
	}
	return template.HTML(`<span lang="` + in + `">` + template.HTMLEscapeString(text) + `</span>`) // #nosec: escaped
}

// Ctx returns the request's context.
func (v *Visit) Ctx() context.Context { return v.Request().Context() }

// Network returns the reader's network, as limits count it.
func (v *Visit) Network() string { return guard.Network(v.RealIP()) }

// Names reports whether a request may be from somebody in particular: whether it carries a session, a seat or a token,
// valid or not.
func (h *Parts) Names(r *nethttp.Request) bool {
	return r.Header.Get("Authorization") != "" || slices.ContainsFunc(r.Cookies(), func(c *nethttp.Cookie) bool {
		return c.Name == h.SessionCookie() || strings.HasPrefix(c.Name, h.seatCookie())
	})
}

// SessionLasts is how long a browser stays signed in.
const SessionLasts = 90 * 24 * time.Hour

// SessionCookie returns the cookie's name. With https it is tied to this host and to https.
func (h *Parts) SessionCookie() string {
	if h.Public.Scheme == "https" {
		return "__Host-posthorn"
	}
	return "posthorn"
}

// Keep sets a cookie that pages of other sites do not send and scripts cannot read. An empty value deletes it from the
// browser.
func (v *Visit) Keep(name, value string, lasts time.Duration) { v.keep(name, value, "/", lasts) }

func (v *Visit) keep(name, value, path string, lasts time.Duration) {
	c := &nethttp.Cookie{Name: name, Value: value, Path: path, HttpOnly: true, SameSite: nethttp.SameSiteLaxMode,
		Secure: v.Public.Scheme == "https", MaxAge: int(lasts / time.Second)}
	if value == "" {
		c.MaxAge = -1
	}
	v.SetCookie(c)
}

// Own returns the person who is signed in, before they act as somebody else at a table.
func (v *Visit) Own() (a Account) {
	if v.SignedIn() {
		a = Account{v.Me, v.Name, v.Print}
	}
	return a
}
