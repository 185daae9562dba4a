package pages

import (
	"cmp"
	"errors"
	"html/template"
	nethttp "net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/projections/words"
)

// The rest is what templates ask of a visit.

// Whose returns whose seat or link is used here, if somebody else is signed in.
func (v *visit) Whose() string {
	if v.Seated {
		return v.Name
	}
	return v.linkFor
}

// PlaysAs says as whom the reader plays, or sees the table if their link is only good for looking.
func (v *visit) PlaysAs(print words.Printer, who string) string {
	if v.looks {
		return print.Text("page.pass.sees", "who", who)
	}
	return print.Text("page.pass.as", "who", who)
}

// MayGoBack reports whether the person signed in may look at the table as themselves.
func (v *visit) MayGoBack() (bool, error) {
	if v.Table.IsZero() {
		return false, nil
	}
	err := v.MaySee(v.Table, v.Account.ID)
	if errors.Is(err, events.ErrNoStream) {
		return false, nil
	}
	return err == nil, err
}

// NewID returns an id for the next command that a form on the page gives.
func (v *visit) NewID() events.CommandID { return events.NewCommandID() }

// Home returns the address of the page of the visit's table.
func (v *visit) Home() string { return tablePath(v.Table) }

// Ago says how long ago something was, in words.
func (v *visit) Ago(t time.Time) string {
	d := v.Now().Sub(t)
	switch {
	case d < time.Minute:
		return v.T("page.ago.now")
	case d < time.Hour:
		return v.T("page.ago.minutes", "n", int(d/time.Minute))
	case d < 24*time.Hour:
		return v.T("page.ago.hours", "n", int(d/time.Hour))
	default:
		return v.T("page.ago.days", "n", int(d/(24*time.Hour)))
	}
}

// Dated returns a time in the reader's calendar and time zone.
func (v *visit) Dated(t time.Time) template.HTML {
	return template.HTML(`<time datetime="` + stamp(t) + `">` +
		template.HTMLEscapeString(v.Print.Dated(t.In(cmp.Or(v.Zone, time.UTC)))) +
		`</time>`) // #nosec: the text is escaped
}

// Timed returns a sentence of the house that contains a time.
func (v *visit) Timed(key, name string, t time.Time, pairs ...any) template.HTML {
	const here = "\x00" // no text contains it
	before, after, _ := strings.Cut(v.T(key, append(pairs, name, here)...), here)
	return template.HTML(template.HTMLEscapeString(before)) + v.Dated(t) +
		template.HTML(template.HTMLEscapeString(after)) // #nosec: all text is escaped
}

// Languages returns the languages a reader may choose, each in its own words.
func (v *visit) Languages() []choice {
	return door.Words(words.Languages, v.Lang, func(l string) string {
		known, _ := languages.Of(l)
		return known.Name
	})
}

// ofMoment returns which moment a page is about, as its address says it.
func (v *visit) ofMoment() url.Values {
	q := url.Values{}
	for _, k := range []string{"line", "version", "kind", "seat", "luck"} {
		if text := v.consent().value(k); text != "" {
			q.Set(k, text)
		}
	}
	return q
}

// Path returns the address of this page, to come back to. A form is usually sent to an address that is not a page; then
// it is the page with the form.
func (v *visit) Path() string {
	path := v.Request().URL.Path
	if v.Request().Method == nethttp.MethodPost && !v.site.shown[v.Context.Path()] {
		path = path[:strings.LastIndexByte(path, '/')+1]
		if len(path) > 1 {
			path = path[:len(path)-1]
		}
	}
	if q := v.ofMoment(); len(q) > 0 && (strings.HasSuffix(path, "/branch") || strings.HasSuffix(path, "/puzzle")) {
		path += "?" + q.Encode()
	}
	if game := v.Wants(); game != "" && strings.HasPrefix(path, "/sign-in/") {
		path += "?game=" + game // it is part of the link
	}
	if name := v.QueryParam("name"); name != "" && v.pass.Kind == pass.KindClaim {
		path += "?" + url.Values{"name": {name}}.Encode() // so is what a claim's person was called
	}
	return path
}

// Here returns the address of this page with what it was asked for, to come back to once a language was chosen. What
// chooses a move is left out: the page goes on without being loaded again, and the choice is then an old one.
func (v *visit) Here() string {
	q := v.Request().URL.Query()
	for _, k := range []string{"done", "m", "c", "play", "asked", "hint"} {
		q.Del(k)
	}
	path := v.Path()
	if v.Request().Method == nethttp.MethodPost || len(q) == 0 || strings.Contains(path, "?") {
		return path
	}
	return cmp.Or(local(path+"?"+q.Encode()), path)
}

// Stale returns what became of the link that led here, or of what it lent this browser.
func (v *visit) Stale() string {
	if over := v.Over(); v.stale == "" && over.Name != "" {
		return v.T("page.seat.over", "who", over.Name)
	}
	return v.stale
}

// Over returns the seat that this browser was lent last, if that is over and the reader is nobody known.
func (v *visit) Over() (l door.Lent) {
	if v.Me == "" && len(v.Lent) > 0 {
		l = v.Lent[0]
	}
	return l
}

// Besides returns what else this browser was lent here, for people who share it.
func (v *visit) Besides() (list []door.Lent) {
	for _, l := range v.Lent {
		if v.Seated && l.ID != v.Me && !l.Over {
			list = append(list, l)
		}
	}
	return list
}

// Fresh returns where the person of a link that is no longer valid can be mailed another; "" if they cannot.
func (v *visit) Fresh() string { return v.fresh }

// Sitting returns where a fresh link takes up its person's seat.
func (v *visit) Sitting() string { return v.sit }

// As returns whose seat a fresh link takes up.
func (v *visit) As() string { return v.as }

// LanguageForm returns where to choose a language for the browser and the person signed in. A page that speaks the
// language of its link's person whatever is chosen has none: it returns "".
func (v *visit) LanguageForm() string {
	if v.spoken || v.Account.ID != "" {
		return ""
	}
	return "/language"
}

// choice is one of several values in a form.
type choice = door.Word

// whole converts a number of any type to an int.
func whole(n any) int { return int(reflect.ValueOf(n).Convert(reflect.TypeFor[int]()).Int()) }

// seatMark returns a seat's letter with its mark: colour alone does not tell seats apart in print.
func seatMark(seat any) string {
	n := whole(seat)
	marks := [domain.MaxSeats]string{"●", "■", "▲", "◆", "✚", "★", "⬟", "✖"}
	if n < 0 || n >= len(marks) {
		return domain.Seat(n).Letter()
	}
	return domain.Seat(n).Letter() + "\u2009" + marks[n]
}

// HasMailbox reports whether there is a built-in mailbox to link to. It answers only browsers on this machine.
func (v *visit) HasMailbox() bool { return v.Mailbox != nil && guard.Here(v.Request()) }

// Next returns where signing in leads back to: this page, if it is a table's or a link's.
func (v *visit) Next() string {
	if next := v.QueryParam("next"); next != "" {
		return local(next)
	}
	if p := v.Path(); strings.HasPrefix(p, "/t/") || strings.HasPrefix(p, "/p/") || strings.HasPrefix(p, "/new") ||
		p == "/settings" || strings.HasPrefix(p, "/sign-in/") {
		return p
	}
	return ""
}

// Kept returns what the reader had written in a field of the form they sent.
func (v *visit) Kept(field string) string {
	if v.Request().Method != nethttp.MethodPost {
		return ""
	}
	return v.FormValue(field)
}

// local returns a path if it is one of this server, or else "". Browsers drop some control characters of an address.
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, "\\") ||
		len(path) > 200 ||
		!utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return ""
	}
	return path
}

// Reader returns what names the reader on a page that shows the table as they see it, for the page to say that they are
// there; "" on one that shows what somebody else sees.
func (v *visit) Reader() string {
	if v.linkFor != "" {
		return ""
	}
	return v.Mark()
}

// HasLive reports whether a page may listen for what happens at its table.
func (v *visit) HasLive() bool { return v.Follower != nil }
