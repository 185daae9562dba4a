package http

import (
	"errors"
	nethttp "net/http"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events/people"
)

// nextLasts is how long a browser remembers where signing in leads to.
const nextLasts = time.Hour

// signInForm asks for an address.
func (s *Server) signInForm(v *visit) error {
	if v.SignedIn() {
		return v.see("/", "")
	}
	return v.render(nethttp.StatusOK, "signin", sheet{Title: v.T("page.nav.signin")})
}

// askSignIn mails a sign-in link. What it answers, and when, is the same for every address.
func (s *Server) askSignIn(v *visit) error {
	if !s.limits.allow(s.clientIP(v.c.Request())) {
		return echo.NewHTTPError(nethttp.StatusTooManyRequests)
	}
	start := time.Now()
	a, err := people.ParseAddress(v.c.FormValue("address"))
	if r, ok := domain.AsRefusal(err); ok {
		return v.render(nethttp.StatusUnprocessableEntity, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.print.Say(r.Say())})
	}
	if err != nil {
		return err
	}
	if err := v.mailSignIn(a); err != nil {
		return err
	}
	if next := local(v.c.FormValue("next")); next != "" {
		v.c.SetCookie(s.cookie("next", next, nextLasts))
	}
	select {
	case <-time.After(s.Answer - time.Since(start)):
	case <-v.ctx().Done():
	}
	return v.see("/sign-in/sent", "")
}

func (v *visit) mailSignIn(a people.Address) error {
	token, send, err := v.s.People.AskSignIn(v.ctx(), a, v.Lang)
	if err != nil || !send {
		return err
	}
	return v.s.Post.SignIn(v.ctx(), string(a), token.Text(), v.Lang)
}

// signInSent says to look for the mail.
func (s *Server) signInSent(v *visit) error {
	return v.render(nethttp.StatusOK, "sent", sheet{Title: v.T("page.nav.signin")})
}

// signInLink shows a button. Opening a link signs nobody in: mail scanners open every link.
func (s *Server) signInLink(v *visit) error {
	l, err := s.People.Link(v.ctx(), v.c.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.render(nethttp.StatusGone, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.T("page.link.over")})
	}
	if err != nil {
		return err
	}
	v.use(l.Language)
	return v.render(nethttp.StatusOK, "link", sheet{Title: v.T("page.nav.signin")})
}

// signIn uses the link up and opens a session: always a new one.
func (s *Server) signIn(v *visit) error {
	p, err := s.People.UseLink(v.ctx(), v.c.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.render(nethttp.StatusGone, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.T("page.link.over")})
	}
	if err != nil {
		return err
	}
	if v.SignedIn() {
		if err := s.People.RevokeSession(v.ctx(), v.Me, v.Ref); err != nil && !errors.Is(err, people.ErrSession) {
			return err
		}
	}
	secret, err := s.People.OpenSession(v.ctx(), p.ID, browser(v.c.Request()), sessionLasts)
	if err != nil {
		return err
	}
	v.c.SetCookie(s.cookie(s.sessionCookie(), secret.Text(), sessionLasts))
	next := "/"
	if cookie, err := v.c.Cookie("next"); err == nil {
		if path := local(cookie.Value); path != "" {
			next = path
		}
		v.c.SetCookie(s.cookie("next", "", 0))
	}
	if p.Name == "" && next == "/" {
		next = "/settings"
	}
	return v.see(next, "")
}

// signOut ends this browser's session.
func (s *Server) signOut(v *visit) error {
	if v.SignedIn() {
		if err := s.People.RevokeSession(v.ctx(), v.Me, v.Ref); err != nil && !errors.Is(err, people.ErrSession) {
			return err
		}
	}
	v.c.SetCookie(s.cookie(s.sessionCookie(), "", 0))
	return v.see("/", "")
}

// setLanguage keeps the language somebody chose: for a person, or in the browser.
func (s *Server) setLanguage(v *visit) error {
	lang := v.c.FormValue("lang")
	if !known(lang) {
		return errMalformed
	}
	if v.SignedIn() {
		if err := s.People.SetLanguage(v.ctx(), v.Me, lang); err != nil {
			return err
		}
	}
	v.c.SetCookie(s.cookie("lang", lang, 365*24*time.Hour))
	back := local(v.c.FormValue("back"))
	if back == "" {
		back = "/"
	}
	return v.see(back, "")
}
