package walk

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/mail"
)

// signsIn has somebody sign in as the front page offers it.
func (w *walk) signsIn(p *person) {
	at := p.desk.opens("/sign-in")
	for _, o := range at.offers {
		if o.method == "POST" && o.path == "/sign-in" {
			w.presses(p.desk, at, o, false)
			break
		}
	}
	w.house.settles(3 * time.Second)
	arrives := time.Now().Add(posthorntest.Patient)
	for w.house.alive && len(w.house.box(p.address)) == 0 && time.Now().Before(arrives) {
		w.house.settles(3 * time.Second) // whoever asks is not kept waiting until it is queued
	}
	box := w.house.box(p.address)
	if len(box) == 0 {
		w.wrong("no mail", "", "%s asked to sign in and has no mail", p)
		return
	}
	link := ""
	for _, l := range box { // others came meanwhile
		for _, to := range linksOf(l) {
			if l.row.Kind == mail.KindSignIn && strings.HasPrefix(to, "/sign-in/") {
				link = to
			}
		}
	}
	if link == "" {
		return
	}
	at = p.desk.opens(link)
	for _, o := range at.offers {
		if o.method == "POST" && strings.HasPrefix(o.path, "/sign-in/") {
			w.presses(p.desk, at, o, false)
			return
		}
	}
	if at.status == 410 {
		return // they asked too often, and the newest link was used
	}
	w.wrong("no button", at.route, "%s's sign-in link leads to %s without a button: %s", p, at.path, clip(at.text))
}

// addsAddress has somebody add another address of theirs, and look what they can do with it.
func (w *walk) addsAddress(p *person) {
	at := p.desk.opens("/settings")
	if w.signedOut(at) || at.status == http.StatusUnauthorized {
		w.signsIn(p)
		at = p.desk.opens("/settings")
	}
	if o, ok := at.offered("POST", "/settings/address"); ok {
		w.presses(p.desk, at, o, false)
	}
	w.house.settles(3 * time.Second)
	for _, l := range slices.Backward(w.house.box(p.address)) {
		if links := linksOf(l); l.row.Kind == mail.KindSignIn && len(links) > 0 {
			if at = p.desk.opens(links[0]); at.status < 400 {
				if o, ok := at.offered("POST", links[0]); ok {
					w.goesOn(p.desk, w.presses(p.desk, at, o, w.one(2)))
				}
			}
			return
		}
	}
}

// link opens a link of a mail.
func (w *walk) link(b *browser, l *letter) *page {
	links := linksOf(l)
	if len(links) == 0 {
		w.wrong("no link", string(l.row.Kind), "the mail %q (%s) has no link", l.Subject, l.row.Kind)
		return nil
	}
	l.uses++
	w.reached["opened "+string(l.row.Kind)]++
	path := pick(w, links[:1+w.rnd.IntN(len(links))])
	for _, to := range links {
		if w.reached["GET "+w.route("GET", to)] == 0 {
			path = to // where no mail has led yet
		}
	}
	w.chose(b.who, "opens %s in the mail %q (%s)", path, l.Subject, l.row.Kind)
	return b.opens(path)
}

// linksOf returns the addresses in a mail, in their order.
func linksOf(l *letter) (out []string) {
	all := strings.Fields(l.Text)
	for _, m := range hrefs.FindAllStringSubmatch(l.HTML, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	for _, f := range all {
		if path, ok := strings.CutPrefix(f, base+"/"); ok && !slices.Contains(out, "/"+path) {
			out = append(out, "/"+path)
		}
	}
	return out
}

var hrefs = regexp.MustCompile(`href="([^"]+)"`)

// visits has somebody do what they do when they have a moment.
func (w *walk) visits(p *person) {
	switch {
	case p.way == byAPI && p.token == "" && w.one(3):
		w.signsIn(p)
		w.takesToken(p)
	case w.one(2) && w.plans():
	case w.one(2) && w.follows():
	case w.reached["POST /settings/address/remove"] == 0 && w.one(6):
		w.addsAddress(p)
	case w.one(40) || w.reached["mail used"] == 0 && w.one(4):
		w.elsewhere(p)
	case p.way == byMail && !w.one(6):
		w.answers(p)
	case p.way == byAPI && p.token != "" && !w.one(6):
		w.programs(p)
	case p.way == byLinks || p.way != byPage || w.one(4):
		if box := w.house.box(p.address); len(box) > 0 {
			w.goesOn(p.phone, w.link(p.phone, w.chooses(box, "opened")))
		}
	default:
		at := p.desk.opens("/")
		if w.signedOut(at) && !w.one(3) {
			w.signsIn(p)
			at = p.desk.opens("/")
		}
		w.goesOn(p.desk, at)
	}
}

// signedOut reports whether a front page is a stranger's.
func (w *walk) signedOut(at *page) bool {
	return slices.ContainsFunc(at.offers, func(o offer) bool { return o.method == "POST" && o.path == "/sign-in" })
}

// place is a page in somebody's browser.
type place struct {
	b    *browser
	path string
}

// plans goes back to a page that offered what nobody has done yet, and does it.
func (w *walk) plans() bool {
	var list []string
	for key := range w.seen {
		if w.opens(key) {
			list = append(list, key)
		}
	}
	if len(list) == 0 {
		return false
	}
	if w.reached["mail digest"] == 0 { // whoever asks for their mails together gets one
		list = append(list, "POST /settings")
		w.seen["POST /settings"] = place{pick(w, w.folk).desk, "/settings"}
	}
	slices.Sort(list)
	key := pick(w, list)
	to := w.seen[key]
	delete(w.seen, key)
	at := to.b.opens(to.path)
	for _, o := range at.offers {
		if o.method+" "+w.route(o.method, o.path) == key && !w.keeps(o) {
			for _, c := range o.controls {
				if c.name == "rhythm" {
					c.value = c.options[len(c.options)-1]
				}
			}
			w.goesOn(to.b, w.presses(to.b, at, o, key != "POST /settings" && w.one(2)))
			break
		}
	}
	return true
}

// further is what nothing but a link in a mail of one kind leads to.
var further = map[mail.Kind][]string{
	mail.KindLink: {"POST /p/:token/sit"}, mail.KindUsed: {"POST /w/:token"}, mail.KindNudge: {"POST /t/:table/need"},
	mail.KindConsent: {"POST /p/:token/agree", "POST /p/:token/refuse"}, mail.KindConfirm: {"POST /a/:token"},
	mail.KindSignIn:     {"POST /b/:token", "GET /f/:token", "GET /lost/:token"},
	mail.KindInvitation: {"POST /p/:token/decline"},
}

// follows opens an unread mail that leads where nobody has been yet.
func (w *walk) follows() bool {
	for _, i := range w.rnd.Perm(len(w.folk)) {
		p := w.folk[i]
		for _, l := range slices.Backward(w.house.box(p.address)) {
			if l.uses == 0 && slices.ContainsFunc(further[l.row.Kind], func(to string) bool {
				return w.reached[to] == 0
			}) {
				w.goesOn(p.phone, w.link(p.phone, l))
				return true
			}
		}
	}
	return false
}

// elsewhere has somebody open their mail on a machine that nobody has seen yet.
func (w *walk) elsewhere(p *person) {
	box := w.house.box(p.address)
	if len(box) == 0 {
		return
	}
	l := pick(w, box)
	for _, fresh := range box {
		if fresh.row.Kind == mail.KindLink && time.Since(fresh.at) < 24*time.Hour {
			// the one link that can be pressed twice
			l = fresh
		}
	}
	for range 2 {
		b := w.browser(p, "a tablet that "+p.name+" borrowed")
		at := w.link(b, l)
		if at == nil {
			return
		}
		for _, end := range []string{"/sit", "/fresh"} {
			if o, ok := at.offered("POST", end); ok {
				at = w.presses(b, at, o, false)
				break
			}
		}
		w.goesOn(b, at)
	}
}

// chooses chooses a mail: the newest one mostly, sometimes any.
func (w *walk) chooses(box []*letter, to string) *letter {
	for _, l := range box {
		if l.uses == 0 && w.reached[to+" "+string(l.row.Kind)] == 0 {
			return l
		}
	}
	if w.one(5) {
		return pick(w, box)
	}
	unread := slices.DeleteFunc(slices.Clone(box), func(l *letter) bool { return l.uses > 0 })
	if len(unread) > 0 {
		return unread[len(unread)-1]
	}
	return box[len(box)-1]
}

// goesOn presses on from a page, as long as something is asked or there is something new to see.
func (w *walk) goesOn(b *browser, p *page) {
	for most := 4 + w.rnd.IntN(8); most > 0 && p != nil && p.doc != nil; most-- {
		w.stays(b, p)
		offers := p.offers
		if fresh := w.ways(p); len(fresh) > 0 && !w.one(4) {
			offers = fresh
		} else if plays := playing(p); len(plays) > 0 && !w.one(4) {
			offers = plays
		} else if to := w.table(p); to != nil && !w.one(3) {
			offers = to
		}
		o, ok := w.least(offers)
		if !ok {
			return
		}
		p = w.presses(b, p, o, w.one(2))
	}
}

// toward is what is offered only after something else was done, by what that is.
var toward = map[string]string{
	"POST /t/:table/nudge": "POST /t/:table/need", "POST /p/:token/fresh": "POST /p/:token/sit",
	"POST /t/:table/end": "POST /t/:table/agree", "POST /t/:table/offer": "POST /t/:table/takeover",
	"GET /t/:table/puzzle": "POST /t/:table/puzzle/move", "POST /t/:table/puzzle/move": "POST /t/:table/puzzle",
	"POST /t/:table/puzzle": "GET /puzzle/:puzzle", "GET /puzzle/:puzzle": "POST /puzzle/:puzzle/move",
	"POST /t/:table/sketch": "POST /t/:table/sketch/:sketch/:at/again",
}

// fresh reports whether an offer leads where nobody has been yet, or to what leads there.
func (w *walk) fresh(o offer) bool { return w.opens(o.method + " " + w.route(o.method, o.path)) }

func (w *walk) opens(key string) bool {
	to, ok := toward[key]
	return w.reached[key] == 0 || ok && w.reached[to] == 0
}

// ways returns the offers that do.
func (w *walk) ways(p *page) (out []offer) {
	for _, o := range p.offers {
		if w.fresh(o) {
			out = append(out, o)
		}
	}
	return out
}

// table returns the links to tables on a list, the ones that ask something first.
func (w *walk) table(p *page) (out []offer) {
	if path, _, _ := strings.Cut(p.path, "?"); path != "/" {
		return nil
	}
	for _, o := range p.offers {
		if o.method == "GET" && w.route("GET", o.path) == "/t/:table" {
			out = append(out, o)
		}
	}
	return out
}
