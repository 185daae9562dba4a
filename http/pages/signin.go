package pages

import (
	"context"
	"errors"
	nethttp "net/http"
	"time"

	"posthorn/domain"
	"posthorn/events/people"

	"posthorn/http/door"
	"posthorn/http/guard"
)

// nextLasts is how long a browser remembers where signing in leads to.
const nextLasts = time.Hour

// signInForm asks for an address.
func (v *visit) signInForm() error {
	if v.SignedIn() {
		return v.see("/", "")
	}
	return v.render(nethttp.StatusOK, "signin", sheet{Title: v.T("page.nav.signin")})
}

// askSignIn mails a sign-in link. What it answers is the same for every address, and so is
// when: whether there is something to mail is found out after the answer.
func (v *visit) askSignIn() error {
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	a, err := people.ParseAddress(v.FormValue("address"))
	if r, ok := domain.AsRefusal(err); ok {
		return v.render(nethttp.StatusUnprocessableEntity, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.Print.Say(r.Say())})
	}
	if err != nil {
		return err
	}
	lang := v.Lang
	if !v.site.aside.do(func(ctx context.Context) {
		if err := v.mailSignIn(ctx, a, lang); err != nil {
			v.Log.Error("a sign-in mail was not written", "error", err)
		}
	}) {
		return guard.Busy{Wait: asideLasts}
	}
	if next := local(v.FormValue("next")); next != "" {
		v.Keep("next", next, nextLasts)
	}
	return v.see("/sign-in/sent", "")
}

func (v *visit) mailSignIn(ctx context.Context, a people.Address, lang string) error {
	token, send, err := v.People.AskSignIn(ctx, a, lang)
	if err != nil || !send {
		return err
	}
	return v.Post.SignIn(ctx, string(a), token.Text(), lang)
}

// signInSent says to look for the mail.
func (v *visit) signInSent() error {
	return v.render(nethttp.StatusOK, "sent", sheet{Title: v.T("page.nav.signin")})
}

// signInLink shows a button. Opening a link signs nobody in: mail scanners open every link.
func (v *visit) signInLink() error {
	l, err := v.People.Link(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.render(nethttp.StatusGone, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.T("page.link.over")})
	}
	if err != nil {
		return err
	}
	v.Use(l.Language)
	return v.render(nethttp.StatusOK, "link", sheet{Title: v.T("page.nav.signin")})
}

// signIn uses the link up and opens a session: always a new one.
func (v *visit) signIn() error {
	p, err := v.People.UseLink(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.render(nethttp.StatusGone, "signin", sheet{Title: v.T("page.nav.signin"), Error: v.T("page.link.over")})
	}
	if err != nil {
		return err
	}
	if v.SignedIn() {
		if err := v.People.RevokeSession(v.Ctx(), v.Me, v.Ref); err != nil && !errors.Is(err, people.ErrSession) {
			return err
		}
	}
	secret, err := v.People.OpenSession(v.Ctx(), p.ID, browser(v.Request()), door.SessionLasts)
	if err != nil {
		return err
	}
	v.Keep(v.SessionCookie(), secret.Text(), door.SessionLasts)
	next := "/"
	if cookie, err := v.Cookie("next"); err == nil {
		if path := local(cookie.Value); path != "" {
			next = path
		}
		v.Keep("next", "", 0)
	}
	if p.Name == "" && next == "/" {
		next = "/settings"
	}
	return v.see(next, "")
}

// signOut ends this browser's session.
func (v *visit) signOut() error {
	if v.SignedIn() {
		if err := v.People.RevokeSession(v.Ctx(), v.Me, v.Ref); err != nil && !errors.Is(err, people.ErrSession) {
			return err
		}
	}
	v.Keep(v.SessionCookie(), "", 0)
	return v.see("/", "")
}

// setLanguage keeps the language somebody chose: for a person, or in the browser.
func (v *visit) setLanguage() error {
	lang := v.FormValue("lang")
	if !door.Known(lang) {
		return door.ErrMalformed
	}
	if v.SignedIn() {
		if err := v.People.SetLanguage(v.Ctx(), v.Me, lang); err != nil {
			return err
		}
	}
	v.Keep("lang", lang, 365*24*time.Hour)
	back := local(v.FormValue("back"))
	if back == "" {
		back = "/"
	}
	return v.see(back, "")
}
