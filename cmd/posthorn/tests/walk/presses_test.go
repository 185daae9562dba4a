package walk

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events/people"
)

// Weights of presses that end something: they come up as seldom as people do that.
var weights = map[string]int{
	"resign": 60, "abandon": 40, "end": 6, "rewind": 4, "withdraw": 40, "sessions": 40, "links": 80, "refuse": 3,
	"branch": 10,
	"leave":  30, "decline": 6, "lend": 12, "offer": 12, "pause": 20, "away": 12, "ban": 60, "signup": 30, "mails": 20,
	"address": 60, "calendar": 8,
	"u": 60, "w": 60, "language": 30, "sign-in": 30, "sketch": 8, "invite": 4, "again": 6, "GET": 2, "record": 30,
	"data": 60, "game.gif": 60, "card.png": 60, "new": 2, "nudge": 6, "receipts": 10, "host": 6, "letin": 20, "need": 6,
	"settings": 6, "rematch": 4, "fresh": 10, "undo": 3, "main": 8, "remove": 20, "delete": 60, "lost": 60,
}

// what tells what kind of press an offer is: the same thing at every table and in every language.
func (w *walk) what(o offer) string {
	label := o.method + " " + w.route(o.method, o.path)
	if o.method == "GET" {
		q, _ := url.Parse(o.path)
		names := make([]string, 0, 4)
		for k := range q.Query() {
			names = append(names, k)
		}
		slices.Sort(names)
		return label + "?" + strings.Join(names, "&")
	}
	move := o.values().Get("move")
	word, _, _ := strings.Cut(move, " ")
	sends := ""
	for k := range o.sent {
		sends += " " + k
	}
	if word != "" && strings.ContainsAny(word, "0123456789,-") {
		word = "#"
	}
	return label + " " + o.form + sends + " " + word
}

func (w *walk) weight(o offer) int {
	route := w.route(o.method, o.path)
	last := route[strings.LastIndexByte(route, '/')+1:]
	weight := 1
	if o.method == "GET" {
		weight = 2
	}
	if x, ok := weights[last]; ok {
		weight = x
	} else if slices.Contains([]string{"/u/:token", "/w/:token", "/b/:token"}, route) {
		weight = weights["u"]
	}
	return weight
}

// keeps reports whether an offer takes from its reader their account, or the address by which a walk knows them.
func (w *walk) keeps(o offer) bool {
	switch o.method + " " + w.route(o.method, o.path) {
	case "POST /f/:token":
		return true
	case "POST /settings/address/remove":
		return !strings.HasPrefix(o.values().Get("address"), second)
	}
	return false
}

// least returns the least pressed of several offers.
func (w *walk) least(offers []offer) (best offer, ok bool) {
	most := -1
	for _, i := range w.rnd.Perm(len(offers)) {
		o := offers[i]
		if w.keeps(o) {
			continue
		}
		n := 1 + w.pressed[w.what(o)]*w.weight(o) + w.weight(o)/8
		if w.fresh(o) {
			n = 0
		}
		if most < 0 || n < most {
			best, most = o, n
		}
	}
	return best, most >= 0
}

// playing returns the offers that play a move or lead to one.
func playing(p *page) (out []offer) {
	for _, o := range p.offers {
		path, query, _ := strings.Cut(o.path, "?")
		switch {
		case o.method == "POST" && strings.HasSuffix(path, "/move"):
			out = append(out, o)
		case o.method == "POST" && (strings.HasSuffix(path, "/agree") || strings.HasSuffix(path, "/join") ||
			strings.HasSuffix(path, "/sit")):
			out = append(out, o)
		case o.method == "GET" && (strings.Contains(query, "m=") || strings.Contains(query, "c=")) &&
			path == strings.Split(p.path, "?")[0]:
			out = append(out, o)
		}
	}
	return out
}

// presses does what a page offers; with touch, its reader changes what can be changed first.
func (w *walk) presses(b *browser, at *page, o offer, touch bool) *page {
	w.pressed[w.what(o)]++
	if o.method == "GET" && o.controls == nil {
		w.chose(b.who, "opens %q (%s) on %s", o.label, o.path, at.path)
		p := b.opens(o.path)
		w.leads(b, at, o, p, false, at.at)
		return p
	}
	q, touched := w.fills(b.who, o, touch)
	w.chose(b.who, "presses %q (%s %s) on %s: %s", o.label, o.method, o.path, at.path, q.Encode())
	if slices.Contains(choices, w.route(o.method, o.path)) {
		w.switched[b.who.address] = w.step
	}
	before := w.end()
	if o.method == "GET" {
		path, _, _ := strings.Cut(o.path, "?")
		p := b.opens(path + "?" + q.Encode())
		w.leads(b, at, o, p, touched, before)
		return p
	}
	p := b.follows("POST", o.path, q)
	w.leads(b, at, o, p, touched, before)
	w.house.settles(time.Duration(1+w.rnd.IntN(3)) * time.Second)
	return p
}

// choices are where people choose which mails they want.
var choices = []string{"/t/:table/mails", "/settings", "/u/:token"}

// leads judges where a press led to.
func (w *walk) leads(b *browser, at *page, o offer, p *page, touched bool, before uint64) {
	about := fmt.Sprintf("%s presses %q (%s %s, from %s)", b.who, clip(o.label), o.method, w.what(o), at.path)
	if os.Getenv("WALK_TRACE") != "" {
		w.t.Logf("%d %s -> %d %s %d events", w.step, about, p.status, p.path, w.end()-before)
	}
	// still what was refused, or the page that a press was refused on; a dead link's page is gone but for what it says
	// of a press
	there, _, _ := strings.Cut(p.path, "?")
	here, _, _ := strings.Cut(at.path, "?")
	same := (at.status >= 400 || strings.Contains(at.path, "link=")) &&
		(there == here || strings.HasPrefix(here, there+"/"))
	// a link shows until the next letter
	over := strings.HasPrefix(o.path, "/p/") && len(w.house.box(b.who.address)) > at.mailed
	if before == at.at && !w.house.alive && !over && !touched && !w.unfilled(at, o) && !same &&
		(slices.Contains(refusing, p.status) || p.status == http.StatusUnauthorized && o.method == "POST" &&
			w.end() == before) && !w.enough(p) {
		w.wrong("offered but refused", w.what(o), "%s: %d %s %v", about, p.status, clip(p.text), o.values())
	}
	repeated := w.before == w.what(o)+" "+o.path // pressing the same twice may say the same twice
	w.before = w.what(o) + " " + o.path
	if o.method == "POST" && p.status < 400 && p.text == at.text && p.text != "" && w.end() == before && !repeated &&
		!o.current && !(strings.Contains(at.path, "done=") && p.path == at.path) {
		w.wrong("nothing happens", w.what(o), "%s: the same page again", about)
	}
}

// refusing are the answers that nothing offered and untouched may get.
var refusing = []int{400, 404, 405, 409, 410, 422}

// limits are the sentences that somebody has invited as many people as they may in a day.
var limits = sync.OnceValues(func() (out []string, err error) {
	book, err := house.Words()
	if err != nil {
		return nil, err
	}
	for _, c := range cast {
		out = append(out, book.Printer(c.lang, "", nil).
			Text("refuse.invite-limit", "n", people.DefaultQuotas.PerInviter.Most))
	}
	return out, nil
})

// enough reports whether a page says that a day's limit is reached: that is found out by whoever presses.
func (w *walk) enough(p *page) bool {
	list, err := limits()
	require.NoError(w.t, err)
	return slices.ContainsFunc(list, func(text string) bool { return strings.Contains(p.text, text) })
}

// unfilled reports whether a form waits for its reader's own words or amounts, so that as it stands it may be refused:
// what was refused just before, with the same words still in it; amounts that are all nought; friends without an
// address.
func (w *walk) unfilled(at *page, o offer) bool {
	if strings.Contains(at.path, "chance=") {
		return true // what is drawn was dictated, and may not be left
	}
	amounts, some := false, false
	for _, c := range o.controls {
		typed := c.kind == "text" || c.kind == "email" || c.kind == "textarea" || c.kind == "url"
		if typed && (at.status >= 400 || strings.HasPrefix(c.name, "address.")) {
			return true
		}
		if c.kind == "number" {
			amounts, some = true, some || c.value != "" && c.value != "0" && strings.Contains(c.name, ".")
		}
	}
	return amounts && !some
}

// own are words of people's own.
var own = []string{"Well played, all of you", "I will be back on Sunday, promise", "What a night at the harbour"}

// fills returns what a form is sent with, and whether its reader changed anything of their own will.
func (w *walk) fills(who *person, o offer, touch bool) (url.Values, bool) {
	q, touched := o.values(), false
	set := func(c *control, v string) {
		if q.Get(c.name) != v {
			touched = true
		}
		q.Set(c.name, v)
	}
	for _, c := range o.controls {
		must := (c.required || touch && strings.HasPrefix(c.name, "address.")) && q.Get(c.name) == ""
		if c.kind == "hidden" || !must && (!touch || w.one(2)) {
			continue
		}
		switch c.kind {
		case "checkbox":
			if c.on {
				q.Del(c.name)
			} else {
				q.Set(c.name, c.value)
			}
			touched = true
		case "radio", "select":
			if len(c.options) > 0 {
				set(c, pick(w, c.options))
			}
		case "number", "range":
			least, most := c.bounds()
			set(c, strconv.Itoa(least+w.rnd.IntN(max(1, most-least+1))))
		case "date":
			set(c, time.Now().AddDate(0, 0, 1+w.rnd.IntN(6)).Format("2006-01-02"))
		default:
			set(c, w.writes(who, w.route(o.method, o.path), c))
		}
	}
	return q, touched
}

// writes returns what somebody types into a field.
func (w *walk) writes(who *person, route string, c *control) string {
	switch {
	case route == "/settings/address":
		return second + who.address
	case route == "/sign-in", route == "/lost" && c.name == "old":
		return who.address
	case route == "/lost":
		return third + who.address
	case c.name == "who":
		return addressOf("Bo")
	case route == "/settings/hooks":
		return "https://hooks.example.org/" + strings.ToLower(who.name)
	case strings.HasPrefix(c.name, "address"):
		return pick(w, w.folk).address
	case c.name == "name" && !strings.Contains(c.attr["maxlength"], "80"):
		w.wrote = append(w.wrote, who.name)
		return who.name
	case c.name == "chance":
		return fmt.Sprintf("dice of my own %d %d", w.rnd.Uint64(), w.rnd.Uint64())
	case c.name == "url":
		return "https://example.org/hook"
	case c.name == "text" && c.attr["rows"] == "8": // receipts
		if box := w.house.box(who.address); len(box) > 0 {
			return pick(w, box).Text
		}
	}
	return pick(w, own)
}
