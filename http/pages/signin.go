package pages

import (
	"cmp"
	"context"
	"errors"
	nethttp "net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// nextLasts is how long a browser remembers where to go after signing in.
const nextLasts = time.Hour

// signInForm asks for an address.
func (v signInPages) signInForm() error {
	if v.SignedIn() {
		return v.see("/", "")
	}
	return v.showSignIn()
}

func (v signInPages) showSignIn() error {
	return v.render("signin", sheet{Title: v.T("page.nav.signin")})
}

// linkOver says that a sign-in link has expired, and offers another.
func (v signInPages) linkOver() error {
	v.status = nethttp.StatusGone
	return v.render("signin", sheet{Title: v.T("page.nav.signin"), Error: v.T("page.link.over")})
}

// askSignIn mails a sign-in link. It answers every address the same way and equally fast: it finds out only after the
// answer whether there is anything to mail.
func (v signInPages) askSignIn() error {
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	a, err := people.ParseAddress(v.FormValue("address"))
	if err != nil {
		return err
	}
	game := ""
	if v.Opening == door.OpenAnyone {
		game = v.Wants()
	}
	if !v.site.mails(&signInMail{to: a, from: guard.Site(v.RealIP()), lang: v.Lang, game: game, asked: v.Now()},
		false) {
		return guard.Busy{Wait: asideLasts}
	}
	if next := local(v.FormValue("next")); next != "" {
		v.Keep("next", next, nextLasts)
	}
	return v.see("/sign-in/sent", "")
}

// mailSession mails the person whose seat this browser was lent, though that be over, a link that signs them in and
// leads back here, if they may look at the table.
func (v signInPages) mailSession() error {
	person := v.Over().ID
	if v.Seated {
		person = v.Me
	}
	if person == "" {
		return door.ErrSignIn
	}
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	p, err := v.People.Person(v.Ctx(), person)
	if err == nil && !v.site.mails(&signInMail{to: p.Address, lang: v.Lang, asked: v.Now()}, false) {
		err = guard.Busy{Wait: asideLasts}
	}
	switch e := v.MaySee(v.Table, person); {
	case e == nil:
		v.Keep("next", v.Home(), nextLasts)
	case !errors.Is(e, events.ErrNoStream):
		return e
	}
	return v.back(err, v.Me, "", "mailed")
}

// leave gives up the seat that this browser was lent, or goes on with another one that it was.
func (v signInPages) leave() error {
	if as := v.FormValue("as"); as != "" && v.Loans().Change(as) {
		return v.see(v.Home(), "")
	}
	v.Loans().Leave()
	return v.back(nil, v.Own().ID, "", "left")
}

// signInLink shows a button. Opening a link must not sign anybody in, since mail scanners open every link.
func (v signInPages) signInLink() error {
	l, err := v.People.Link(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.linkOver()
	}
	if err != nil {
		return err
	}
	v.Use(l.Language)
	if l.Purpose == people.LinkAddress {
		return v.addressLink(l)
	}
	p, err := v.People.ByAddress(v.Ctx(), l.Address)
	if err != nil && !errors.Is(err, people.ErrNobody) {
		return err
	}
	page := linkPage{Whose: cmp.Or(p.Name, string(l.Address)), Called: p.Called, NeedsName: p.Name == "",
		New: p.ID == ""}
	if v.SignedIn() && p.ID != v.Me {
		me, _, err := v.Person(v.Me)
		if err != nil {
			return err
		}
		page.Mine = cmp.Or(me.Name, string(me.Address))
	}
	if rb := v.public().tried(); rb != nil {
		page.Game = v.Book.Printer(v.Lang, rb.Name(), nil).Text("name")
	}
	return v.render("link", sheet{Title: v.T("page.nav.signin"), Body: page})
}

// linkPage says what the button of a mailed link does, and for whom.
type linkPage struct {
	Whose     string // who is signed in by it: their name, or their address until they have one
	Mine      string // who is signed in here now, if that is somebody else
	Game      string // of a first game that begins with it; empty if none does
	NeedsName bool
	New       bool   // nobody has the address yet
	Called    string // their name as their inviter gave it; they need to choose one
}

// signIn uses up the link and opens a session, always a new one.
func (v signInPages) signIn() error {
	l, err := v.People.Link(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.linkOver()
	}
	if err != nil {
		return err
	}
	if l.Purpose == people.LinkAddress {
		return v.addressAdded(l)
	}
	name := v.FormValue("name") // asked for with a first game; ask again if it is left out
	if _, err := people.ParseName(name); name != "" && err != nil {
		refused, ok := domain.AsRefusal(err)
		if !ok {
			return err
		}
		v.refused, v.status = refused, nethttp.StatusUnprocessableEntity
		return v.signInLink() // the link has not been used
	}
	p, err := v.People.UseLink(v.Ctx(), v.Param("token"))
	if errors.Is(err, people.ErrLink) {
		return v.linkOver()
	}
	if err != nil {
		return err
	}
	if v.Reached != nil && p.Address.SameAs(l.Address) {
		if err := v.Reached(v.Ctx(), p.ID, string(p.Address)); err != nil {
			return err
		}
	}
	if err := errors.Join(v.endSessionOf(v.Ref), v.consent().toldZone(p.ID)); err != nil {
		return err
	}
	if _, err := v.Loans().Came(p.ID, false); err != nil {
		return err
	}
	secret, err := v.People.OpenSession(v.Ctx(), p.ID, browser(v.Request()), door.SessionLasts)
	if err != nil {
		return err
	}
	v.Keep(v.SessionCookie(), secret.Text(), door.SessionLasts)
	next := "/"
	if cookie, err := v.Cookie("next"); err == nil {
		next = cmp.Or(local(cookie.Value), next)
		v.Keep("next", "", 0)
	}
	if rb := v.public().tried(); rb != nil {
		v.Who = door.Who{Me: p.ID}
		if name != "" {
			if err := v.NameFirst(p.ID, name); err != nil {
				return err
			}
		}
		if next, err = v.public().openTry(rb); err != nil {
			return err
		}
	}
	if p.Name == "" && next == "/" {
		next = "/settings"
	}
	return v.see(next, "")
}

// endSessionOf signs out one of the reader's browsers, if it is signed in.
func (v signInPages) endSessionOf(ref string) error {
	err := v.People.RevokeSession(v.Ctx(), v.Me, ref)
	if errors.Is(err, people.ErrSession) {
		return nil
	}
	return err
}

// setLanguage stores the chosen language: for whoever is signed in, and in the browser.
func (v signInPages) setLanguage() error {
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

// aside does work that an answer must not wait for, because its timing would reveal something.
type aside struct{ *semaphore.Weighted }

const (
	asideMost  = 256              // pieces of work at once
	asideLasts = 30 * time.Second // for each
)

func newAside() aside { return aside{semaphore.NewWeighted(asideMost)} }

// do starts a piece of work; it returns false if too much is already under way.
func (a aside) do(work func(context.Context)) bool {
	if !a.TryAcquire(1) {
		return false
	}
	go func() {
		defer a.Release(1)
		ctx, stop := context.WithTimeout(context.Background(), asideLasts)
		defer stop()
		work(ctx)
	}()
	return true
}

// Settle waits for work that answers did not wait for. Call it once no more requests can come, before closing the
// stores.
func (s *Site) Settle() {
	if s.aside.Acquire(context.Background(), asideMost) == nil {
		s.aside.Release(asideMost)
	}
}
