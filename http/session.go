package http

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/projections/words"
)

// who is the reader of a page, as far as their browser is signed in.
type who struct {
	Me      domain.PersonID // "" for nobody
	Name    string          // what they are called; their address's first part until they said
	Ref     string          // of their session
	hasName bool
}

// SignedIn tells whether somebody is.
func (w who) SignedIn() bool { return w.Me != "" }

// sessionLasts is how long a browser stays signed in.
const sessionLasts = 90 * 24 * time.Hour

// sessionCookie is the cookie's name: with https it is tied to this host and to https.
func (s *Server) sessionCookie() string {
	if s.public.Scheme == "https" {
		return "__Host-posthorn"
	}
	return "posthorn"
}

func (s *Server) cookie(name, value string, lasts time.Duration) *nethttp.Cookie {
	c := &nethttp.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: nethttp.SameSiteLaxMode,
		Secure: s.public.Scheme == "https", MaxAge: int(lasts / time.Second)}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

// visited makes a handler of a page's.
func (s *Server) visited(h func(*visit) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := s.visitOf(c)
		if err != nil {
			return err
		}
		return h(v)
	}
}

// visitOf finds out who asks, in which language. It changes nothing.
func (s *Server) visitOf(c echo.Context) (*visit, error) {
	v := s.stranger(c)
	cookie, err := c.Cookie(s.sessionCookie())
	if err != nil || cookie.Value == "" {
		return v, nil
	}
	session, err := s.People.Session(c.Request().Context(), cookie.Value)
	if errors.Is(err, people.ErrSession) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := s.People.Person(c.Request().Context(), session.Person)
	if errors.Is(err, people.ErrNobody) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.who = who{Me: p.ID, Name: p.Name, Ref: session.Ref, hasName: p.Name != ""}
	if !v.hasName {
		v.Name, _, _ = strings.Cut(string(p.Address), "@")
	}
	v.use(p.Language)
	return v, nil
}

// stranger is a visit of nobody known: in the language chosen before in this browser, or the
// one it prefers.
func (s *Server) stranger(c echo.Context) *visit {
	v := &visit{s: s, c: c}
	lang := s.Book.Match(c.Request().Header.Get("Accept-Language"))
	if cookie, err := c.Cookie("lang"); err == nil && known(cookie.Value) {
		lang = cookie.Value
	}
	v.use(lang)
	return v
}

func known(lang string) bool {
	for _, l := range words.Languages {
		if l == lang {
			return true
		}
	}
	return false
}

func (v *visit) use(lang string) {
	v.print = v.s.Book.Printer(lang, "", nil)
	v.Lang = v.print.Lang()
}

// speak changes to the language of a person a pass acts for.
func (v *visit) speak(id domain.PersonID) error {
	p, err := v.s.People.Person(v.ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return nil
	}
	if err != nil {
		return err
	}
	v.use(p.Language)
	return nil
}

// network is where the reader's browser is, as limits count it.
func (v *visit) network() string { return network(v.c.RealIP()) }

// HasMailbox tells whether there is a built-in mailbox to link to, which answers to browsers
// on this machine alone.
func (v *visit) HasMailbox() bool { return v.s.Mailbox != nil && here(v.c.Request()) }

// Next is where signing in leads back to: this page, if it is a table's or a link's.
func (v *visit) Next() string {
	if next := v.c.QueryParam("next"); next != "" {
		return local(next)
	}
	if p := v.Path(); strings.HasPrefix(p, "/t/") || strings.HasPrefix(p, "/p/") || strings.HasPrefix(p, "/new") || p == "/settings" {
		return p
	}
	return ""
}

// Kept is what the reader had written in a field of the form they sent.
func (v *visit) Kept(field string) string {
	if v.c.Request().Method != nethttp.MethodPost {
		return ""
	}
	return v.c.FormValue(field)
}

// local is a path of this server, or "".
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") || len(path) > 200 {
		return ""
	}
	return path
}

// nameless tells whether a person has no name yet.
func (v *visit) nameless(id domain.PersonID) (bool, error) {
	p, err := v.s.People.Person(v.ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return false, nil
	}
	return p.Name == "", err
}

// nameFirst gives a person who has none the name in the form, or refuses.
func (v *visit) nameFirst(id domain.PersonID) (*domain.Refusal, error) {
	none, err := v.nameless(id)
	if err != nil || !none {
		return nil, err
	}
	err = v.s.People.SetName(v.ctx(), id, v.c.FormValue("name"))
	if r, ok := domain.AsRefusal(err); ok {
		return r, nil
	}
	return nil, err
}

// mayOpen tells whether the reader may open tables.
func (v *visit) mayOpen() (bool, error) {
	if slices.Contains(v.s.Hosts, v.Me) {
		return true, nil
	}
	if v.s.Opening == OpenInvited {
		return v.s.People.Invited(v.ctx(), v.Me)
	}
	p, err := v.s.People.Person(v.ctx(), v.Me)
	if err != nil {
		return false, err
	}
	return !p.Confirmed.IsZero(), nil
}

// friend finds the person of an address that the reader invites, within their quota. What
// depends on the address alone is not told.
func (v *visit) friend(address, language string) (domain.PersonID, *domain.Refusal, error) {
	a, err := people.ParseAddress(address)
	if r, ok := domain.AsRefusal(err); ok {
		return "", r, nil
	}
	if err != nil {
		return "", nil, err
	}
	send, refused, err := v.mayInvite(a)
	if refused != nil || err != nil {
		return "", refused, err
	}
	p, err := v.s.People.Ensure(v.ctx(), a, language)
	if err != nil {
		return "", nil, err
	}
	return p.ID, nil, v.withhold(p.ID, send)
}

// askAgain invites somebody the reader has played with, within their quota.
func (v *visit) askAgain(id domain.PersonID) (*domain.Refusal, error) {
	if id == v.Me {
		return nil, nil
	}
	p, err := v.s.People.Person(v.ctx(), id)
	if errors.Is(err, people.ErrNobody) {
		return nil, nil // forgotten: nobody is written to, and the opener can give the seat away
	}
	if err != nil {
		return nil, err
	}
	send, refused, err := v.mayInvite(p.Address)
	if refused != nil || err != nil {
		return refused, err
	}
	return nil, v.withhold(id, send)
}

func (v *visit) mayInvite(a people.Address) (send bool, refused *domain.Refusal, err error) {
	send, err = v.s.People.MayInvite(v.ctx(), v.Me, a)
	if r, ok := domain.AsRefusal(err); ok {
		return false, r, nil
	}
	return send, nil, err
}

func (v *visit) withhold(id domain.PersonID, send bool) error {
	if send || v.s.Withhold == nil {
		return nil
	}
	if err := v.s.Withhold(v.ctx(), id); err != nil {
		return fmt.Errorf("withhold an invitation: %w", err)
	}
	return nil
}

// sealed encrypts what the reader wrote with their key. Nothing is made of an empty text.
func (v *visit) sealed(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	for len(text) > maxText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return v.s.People.Encrypt(v.ctx(), v.Me, []byte(text))
}

// opened reads what somebody wrote, or "" where that can no longer be read.
func (v *visit) opened(id domain.PersonID, cipher []byte) string {
	text, err := v.s.People.Decrypt(v.ctx(), id, cipher)
	if err != nil {
		return ""
	}
	return string(text)
}
