package pages

import (
	"errors"
	nethttp "net/http"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events/pass"
	"posthorn/events/people"

	"posthorn/http/door"
)

type settingsPage struct {
	Name      string
	Addresses []addressRow
	Stays     string // why the account cannot be deleted now; "" if it can
	Mails     []choice
	Rhythms   []choice
	Unsigned  *choice // whether their mails are signed by nobody, as they say; nil where that is not asked
	Sessions  []people.Session
	Feed      string // the address of their calendar feed
	Calendar  calendarPage
}

// settings shows what people may set for themselves.
func (v settingsPages) settings() error {
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	page := settingsPage{Name: p.Name}
	if page.Addresses, err = v.addresses(p); err != nil {
		return err
	}
	for _, k := range v.People.MailKinds {
		page.Mails = append(page.Mails, choice{Value: k, Label: v.T("mails." + k), Selected: p.Wants(k)})
	}
	if page.Stays, err = v.stays(); err != nil {
		return err
	}
	rhythm, err := v.People.Rhythm(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	for _, r := range people.Rhythms() {
		page.Rhythms = append(page.Rhythms, choice{Value: r.String(), Label: v.rhythm(r), Selected: r == rhythm})
	}
	if page.Unsigned, err = v.unsigned(p); err != nil {
		return err
	}
	if page.Sessions, err = v.People.Sessions(v.Ctx(), v.Me); err != nil {
		return err
	}
	if page.Calendar, err = v.consent().calendar(); err != nil {
		return err
	}
	path, err := v.calendarPath(v.Me)
	if err != nil {
		return err
	}
	page.Feed = strings.TrimSuffix(v.PublicURL, "/") + path
	sh := sheet{Title: v.T("page.settings.title")}
	if v.refused != nil {
		page.Name = v.FormValue("name")
	} else if p.Name == "" {
		sh.Notice = v.T("page.settings.welcome")
	}
	sh.Body = page
	return v.render("settings", sh)
}

// saveSettings stores name, language and which mails are wanted.
func (v settingsPages) saveSettings() error {
	if err := v.People.SetName(v.Ctx(), v.Me, v.FormValue("name")); err != nil {
		return err
	}
	if lang := v.FormValue("language"); door.Known(lang) {
		if err := v.People.SetLanguage(v.Ctx(), v.Me, lang); err != nil {
			return err
		}
	}
	if text, ok := v.Request().Form["rhythm"]; ok {
		r, err := people.ParseRhythm(text[0])
		if err == nil {
			err = v.People.SetRhythm(v.Ctx(), v.Me, r)
		}
		if err != nil {
			return err
		}
	}
	if err := v.saveUnsigned(); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, k := range v.People.MailKinds {
		wanted[k] = slices.Contains(v.Request().Form["mail"], k)
	}
	err := v.People.SetSettings(v.Ctx(), v.Me, people.Settings{Mails: v.Settings().TurnMails(wanted)})
	return v.after(err, "/settings", "saved")
}

// unsigned returns whether the reader says that nobody signs their mails, unless these show that somebody does.
func (v settingsPages) unsigned(p people.Person) (*choice, error) {
	by, err := v.People.SignedBy(v.Ctx(), v.Me, p.Address)
	if err != nil || v.Answers == nil || slices.ContainsFunc(by, func(d string) bool { return d != people.Unsigned }) {
		return nil, err
	}
	return &choice{Value: "on", Label: v.T("page.confirm.unsigned"), Selected: len(by) > 0}, nil
}

func (v settingsPages) saveUnsigned() error {
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil || v.Answers == nil {
		return err
	}
	if v.FormValue("unsigned") != "" {
		return v.People.SetSignedBy(v.Ctx(), v.Me, p.Address, people.Unsigned)
	}
	return v.People.ForgetUnsigned(v.Ctx(), v.Me, p.Address)
}

// rhythm describes how often somebody gets mail.
func (v settingsPages) rhythm(r people.Rhythm) string {
	switch {
	case r.Daily:
		return v.T("page.settings.rhythm.daily", "hour", r.At)
	case r.Every > 0:
		return v.T("page.settings.rhythm.every", "n", r.Every)
	default:
		return v.T("page.settings.rhythm.once")
	}
}

// endSession signs out one of the reader's browsers, or all of them.
func (v settingsPages) endSession() (err error) {
	ref := v.FormValue("session")
	if ref == "all" {
		err = v.People.RevokeSessions(v.Ctx(), v.Me)
	} else {
		err = v.signing().endSessionOf(ref)
	}
	if err == nil && (ref == "all" || ref == v.Ref) {
		v.Keep(v.SessionCookie(), "", 0)
		return v.see("/", "")
	}
	return v.after(err, "/settings", "saved")
}

// revokeLinks revokes every link mailed to the reader.
func (v settingsPages) revokeLinks() error {
	err := v.People.Withdraw(v.Ctx(), v.Desk, v.Actor(v.Me), v.Me)
	return v.after(err, "/settings", "withdrawn")
}

// A browser and its system are named after the first of these marks found.
var (
	browsers = []string{"Firefox/", "Firefox", "Edg/", "Edge", "OPR/", "Opera", "Chrome/", "Chrome", "Safari/",
		"Safari", "", "Browser"}
	systems = []string{"Android", ", Android", "iPhone", ", iPhone", "iPad", ", iPad", "Windows", ", Windows",
		"Mac OS X", ", Mac", "Linux", ", Linux", "", ""}
)

// browser returns a short name for a browser, enough to recognise it.
func browser(r *nethttp.Request) string {
	named := func(marks []string) string {
		for pair := range slices.Chunk(marks, 2) {
			if strings.Contains(r.UserAgent(), pair[0]) {
				return pair[1]
			}
		}
		return ""
	}
	return named(browsers) + named(systems)
}

// stopping reads the pass that stops mails. One that was withdrawn comes with pass.ErrRevoked.
func (v settingsPages) stopping() (pass.Facts, error) {
	f, err := v.Passes.Open(v.Ctx(), v.Param("token"), v.Now(), v.People)
	withdrawn := errors.Is(err, pass.ErrRevoked)
	if err != nil && !withdrawn || f.Purpose != pass.Unsubscribe || f.Person == "" {
		return f, door.ErrGone
	}
	v.spoken = true
	if spoken := v.Speak(f.Person); err == nil {
		err = spoken
	}
	return f, err
}

// showUnsubscribe says what a pass may stop, has stopped, or has turned on again. Once withdrawn, it does nothing.
func (v settingsPages) showUnsubscribe(f pass.Facts, what string) error {
	kind := f.Kind
	switch {
	case !slices.Contains(v.People.MailKinds, kind):
		kind = "all"
	case !f.Stream.IsZero():
		kind += ".here"
	}
	table := ""
	if !f.Stream.IsZero() {
		table = f.Stream.String()
	}
	p, err := v.People.Person(v.Ctx(), f.Person)
	if err != nil && !errors.Is(err, people.ErrNobody) {
		return err
	}
	title := "page.unsubscribe." + what
	return v.render("unsubscribe",
		sheet{Title: v.T(title), Body: map[string]any{"Title": v.T(title), "Ask": what == "title",
			"Undo": what == "done" && slices.Contains(p.Stopped, v.stops(f)), "Table": table,
			"Text": v.T(strings.TrimSuffix(title, ".title")+".text", "kind", v.T("mails."+kind))}})
}

// withdrawnUnsubscribe says that a pass stops nothing, as its person has withdrawn it, and leads to the settings.
func (v settingsPages) withdrawnUnsubscribe(f pass.Facts) error {
	v.status = nethttp.StatusGone
	return v.showUnsubscribe(f, "gone")
}

// unsubscribeForm shows a button that stops mails or, where a link stopped them already, one that turns them on again.
func (v settingsPages) unsubscribeForm() error {
	f, err := v.stopping()
	if errors.Is(err, pass.ErrRevoked) {
		return v.withdrawnUnsubscribe(f)
	}
	if err != nil {
		return err
	}
	p, err := v.People.Person(v.Ctx(), f.Person)
	if err != nil && !errors.Is(err, people.ErrNobody) {
		return err
	}
	if slices.Contains(p.MailsOff, v.stops(f)) {
		return v.showUnsubscribe(f, "done")
	}
	return v.showUnsubscribe(f, "title")
}

// stops returns the name of what a pass switches off: of a mail about several tables, all that it bundles.
func (v settingsPages) stops(f pass.Facts) string {
	switch {
	case !slices.Contains(v.People.MailKinds, f.Kind):
		return people.AllMails
	case !f.Stream.IsZero():
		return people.AtTable(f.Kind, f.Stream)
	}
	return f.Kind
}

// unsubscribe stops mails, for a button and for a mail program's one-click POST (RFC 8058), which has neither cookies
// nor an origin.
func (v settingsPages) unsubscribe() error {
	f, err := v.stopping()
	if errors.Is(err, pass.ErrRevoked) {
		return v.withdrawnUnsubscribe(f)
	}
	if err != nil {
		return err
	}
	what := "done"
	if v.FormValue("undo") == "" {
		err = v.stop(f.Person, v.stops(f))
	} else {
		var on bool
		if on, err = v.resume(f.Person, v.stops(f)); on {
			what = "again"
		}
	}
	if err != nil && !errors.Is(err, people.ErrNobody) {
		return err
	}
	return v.showUnsubscribe(f, what)
}

// stop turns a kind of mail off, and tells their person, as whoever a mail was passed on to can press its link, too. If
// a stranger wants no invitations, that is stored with their address, whatever becomes of their person, and stops only
// invitations; they get no mail about it.
func (v settingsPages) stop(id domain.PersonID, kind string) error {
	p, err := v.People.Person(v.Ctx(), id)
	if err != nil {
		return err
	}
	stranger := p.Confirmed.IsZero() && kind == "invitation"
	if stranger {
		if err := v.People.Suppress(v.Ctx(), p.Address); err != nil {
			return err
		}
	}
	wanted, err := v.People.StopMails(v.Ctx(), id, kind)
	if err != nil || stranger || !wanted {
		return err
	}
	return v.Post.Stopped(v.Ctx(), id, kind)
}

// resume turns a kind of mail on again that a link stopped, and reports whether it is on now.
func (v settingsPages) resume(id domain.PersonID, kind string) (bool, error) {
	p, err := v.People.Person(v.Ctx(), id)
	if err != nil {
		return false, err
	}
	if p.Confirmed.IsZero() && kind == "invitation" {
		if err := v.People.Unsuppress(v.Ctx(), p.Address); err != nil {
			return false, err
		}
	}
	return v.People.ResumeMails(v.Ctx(), id, kind)
}

// mute turns the reader's turn mails for the table of the address off, or on again.
func (v settingsPages) mute() error {
	err := v.People.SetMails(v.Ctx(), v.Me, people.AtTable("turn", v.Table), v.FormValue("on") != "")
	return v.after(err, v.Home(), "saved")
}
