package http

import (
	"context"
	"errors"
	nethttp "net/http"
	"time"

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

// askSignIn mails a sign-in link. What it answers is the same for every address, and so is
// when: whether there is something to mail is found out after the answer.
func (s *Server) askSignIn(v *visit) error {
	if wait, ok := s.limits.allow(v.network()); !ok {
		return errBusy{wait}
	}
	a, err := people.ParseAddress(v.c.FormValue("address"))
	if r, ok := domain.AsRefusal(err); ok {
		return v.render(nethttp.StatusUnprocessableEntity, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.print.Say(r.Say())})
	}
	if err != nil {
		return err
	}
	lang := v.Lang
	if !s.aside.do(func(ctx context.Context) {
		if err := s.mailSignIn(ctx, a, lang); err != nil {
			s.Log.Error("a sign-in mail was not written", "error", err)
		}
	}) {
		return errBusy{asideLasts}
	}
	if next := local(v.c.FormValue("next")); next != "" {
		v.c.SetCookie(s.cookie("next", next, nextLasts))
	}
	return v.see("/sign-in/sent", "")
}

func (s *Server) mailSignIn(ctx context.Context, a people.Address, lang string) error {
	token, send, err := s.People.AskSignIn(ctx, a, lang)
	if err != nil || !send {
		return err
	}
	return s.Post.SignIn(ctx, string(a), token.Text(), lang)
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
