package walk

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
)

// walk is one walk through a house.
type walk struct {
	t        *testing.T
	house    *living
	rnd      *rand.Rand
	step     int
	folk     []*person
	browsers int
	wrote    []string       // what people wrote in their own words
	pressed  map[string]int // how often each kind of press was made
	reached  map[string]int // routes and what else the gate counts
	faults   map[string]*fault
	known    map[events.Name]*known
	tables   []events.Name  // which those are, the oldest first: their ids are drawn by lot
	switched map[string]int // in which step somebody last changed which mails they want
	saw      time.Time      // when it last looked at that
	sawAt    uint64         // and where the log ended then
	before   string         // what was pressed last
	began    time.Time
	seen     map[string]place // where something that nobody has done yet was offered
}

// way is how a person uses the house.
type way int

const (
	byPage way = iota
	byLinks
	byMail
	byAPI
)

// person is somebody who walks.
type person struct {
	name, address, lang string
	way                 way
	desk                *browser // signed in, if they ever signed in
	phone               *browser // where links in mails open
	token               string   // of their program
}

func (p *person) String() string { return p.name }

func addressOf(name string) string { return strings.ToLower(name) + "@example.org" }

// role is a name of the cast, with how that person reads and plays.
type role struct {
	name, lang string
	way        way
}

// cast is who walks: four languages, four ways.
var cast = []role{
	{"Ana", "en", byPage}, {"Bo", "pt-PT", byLinks}, {"Cida", "pt-BR", byPage}, {"Dirk", "pl", byMail},
	{"Eva", "en", byMail}, {"Filip", "pl", byPage}, {"Gosia", "pt-BR", byMail}, {"Hugo", "en", byAPI},
}

func (w *walk) end() uint64 {
	pos, err := w.house.Log.Last(w.house.ctx)
	require.NoError(w.t, err)
	return pos
}

// since lists the types of the events after a position, each once for several in a row.
func (w *walk) since(pos uint64) (out []string) {
	for _, r := range w.records(pos) {
		out = append(out, r.Type)
	}
	return slices.Compact(out)
}

func (w *walk) one(n int) bool { return w.rnd.IntN(n) == 0 }

func pick[T any](w *walk, list []T) T { return list[w.rnd.IntN(len(list))] }

// begin makes a walk through a house.
func begin(t *testing.T, seed uint64, house *living) *walk {
	t.Helper()
	w := &walk{t: t, rnd: rand.New(rand.NewPCG(seed, 33)), pressed: map[string]int{}, reached: map[string]int{}, faults: map[string]*fault{}, known: map[events.Name]*known{},
		switched: map[string]int{}, seen: map[string]place{}}
	w.house = house
	w.began = time.Now()
	for _, c := range cast {
		p := &person{name: c.name, address: addressOf(c.name), lang: c.lang, way: c.way}
		p.desk, p.phone = w.browser(p, "Firefox of "+c.name), w.browser(p, "the phone of "+c.name)
		w.folk = append(w.folk, p)
	}
	for _, p := range w.folk {
		if p.way == byPage || p.way == byAPI {
			w.signsIn(p)
		}
		if p.way == byAPI {
			w.takesToken(p)
			for i := 0; i < 4 && !w.house.alive; i++ {
				w.opensAlone(p, "rivals") // it asks the most kinds of question
			}
			w.opensAlone(p, "catan")
		}
	}
	return w
}

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
	box := w.house.box(p.address)
	if len(box) == 0 {
		w.wrong("no mail", "", "%s asked to sign in and has no mail", p)
		return
	}
	for i := len(box) - 1; i > 0 && box[len(box)-1].row.Kind != mail.KindSignIn; i-- {
		box = box[:len(box)-1] // others came meanwhile
	}
	links := linksOf(box[len(box)-1])
	if len(links) == 0 {
		return
	}
	at = p.desk.opens(links[0])
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

// link opens a link of a mail.
func (w *walk) link(b *browser, l *letter) *page {
	links := linksOf(l)
	if len(links) == 0 {
		w.wrong("no link", string(l.row.Kind), "the mail %q (%s) has no link", l.Subject, l.row.Kind)
		return nil
	}
	l.uses++
	w.reached["opened "+string(l.row.Kind)]++
	return b.opens(pick(w, links[:1+w.rnd.IntN(len(links))]))
}

// linksOf returns the addresses in a mail, in their order.
func linksOf(l *letter) (out []string) {
	for _, f := range strings.Fields(l.Text) {
		if path, ok := strings.CutPrefix(f, base+"/"); ok {
			out = append(out, "/"+path)
		}
	}
	return out
}

// Weights of presses that end something: they come up as seldom as people do that.
var weights = map[string]int{
	"resign": 60, "abandon": 40, "end": 6, "rewind": 4, "withdraw": 40, "sessions": 40, "links": 80, "refuse": 3, "branch": 10,
	"leave": 30, "decline": 6, "lend": 12, "offer": 12, "pause": 20, "away": 12, "ban": 60, "signup": 30, "mails": 20, "address": 60, "calendar": 8,
	"u": 60, "w": 60, "language": 30, "sign-in": 30, "sketch": 8, "invite": 4, "again": 6, "GET": 2, "record": 30, "data": 60, "game.gif": 60, "new": 2, "fresh": 10, "nudge": 6, "receipts": 10, "host": 6, "letin": 20, "need": 6, "settings": 6, "rematch": 4, "undo": 3,
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
	} else if strings.HasPrefix(route, "/u/") || strings.HasPrefix(route, "/w/") {
		weight = weights["u"]
	}
	return weight
}

// least returns the least pressed of several offers.
func (w *walk) least(offers []offer) (best offer, ok bool) {
	most := -1
	for _, i := range w.rnd.Perm(len(offers)) {
		o := offers[i]
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
		case o.method == "POST" && (strings.HasSuffix(path, "/agree") || strings.HasSuffix(path, "/join") || strings.HasSuffix(path, "/sit")):
			out = append(out, o)
		case o.method == "GET" && (strings.Contains(query, "m=") || strings.Contains(query, "c=")) && path == strings.Split(p.path, "?")[0]:
			out = append(out, o)
		}
	}
	return out
}

// presses does what a page offers; with touch, its reader changes what can be changed first.
func (w *walk) presses(b *browser, at *page, o offer, touch bool) *page {
	w.pressed[w.what(o)]++
	if o.method == "GET" && o.controls == nil {
		p := b.opens(o.path)
		w.leads(b, at, o, p, false, at.at)
		return p
	}
	q, touched := w.fills(b.who, o, touch)
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
	same := at.status >= 400 && strings.Split(p.path, "?")[0] == strings.Split(at.path, "?")[0] // still what was refused
	if before == at.at && !w.house.alive && !touched && !w.unfilled(at, o) && !same && !w.enough(p) && (p.status == 404 || p.status == 405 || p.status == 410 || p.status == 422 || p.status == 409 || p.status == 400) {
		w.wrong("offered but refused", w.what(o), "%s: %d %s %v", about, p.status, clip(p.text), o.values())
	}
	repeated := w.before == w.what(o)+" "+o.path // pressing the same twice may say the same twice
	w.before = w.what(o) + " " + o.path
	if o.method == "POST" && p.status < 400 && p.text == at.text && p.text != "" && w.end() == before && !repeated && !o.current && !(strings.Contains(at.path, "done=") && p.path == at.path) {
		w.wrong("nothing happens", w.what(o), "%s: the same page again", about)
	}
}

// enough reports whether a page says that somebody has invited as many people as they may in a day: that is found out
// by whoever presses.
func (w *walk) enough(p *page) bool {
	book, err := house.Words()
	require.NoError(w.t, err)
	return slices.ContainsFunc(cast, func(c role) bool {
		return strings.Contains(p.text, book.Printer(c.lang, "", nil).Text("refuse.invite-limit", "n", people.DefaultQuotas.PerInviter.Most))
	})
}

// unfilled reports whether a form waits for its reader's own words or amounts, so that as it stands it may be refused:
// what was refused just before, with the same words still in it; amounts that are all nought; friends without an address.
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
	case route == "/sign-in" || route == "/settings/address":
		return who.address
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

// visits has somebody do what they do when they have a moment.
func (w *walk) visits(p *person) {
	switch {
	case p.way == byAPI && p.token == "" && w.one(3):
		w.signsIn(p)
		w.takesToken(p)
	case w.one(2) && w.plans():
	case w.one(2) && w.follows():
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
		if o.method+" "+w.route(o.method, o.path) == key {
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
var further = map[mail.Kind]string{
	mail.KindLink: "POST /p/:token/sit", mail.KindUsed: "POST /w/:token", mail.KindNudge: "POST /t/:table/need",
	mail.KindConsent: "POST /p/:token/agree",
}

// follows opens an unread mail that leads where nobody has been yet.
func (w *walk) follows() bool {
	for _, i := range w.rnd.Perm(len(w.folk)) {
		p := w.folk[i]
		for _, l := range slices.Backward(w.house.box(p.address)) {
			if to := further[l.row.Kind]; to != "" && w.reached[to] == 0 && l.uses == 0 {
				w.goesOn(p.phone, w.link(p.phone, l))
				return true
			}
		}
	}
	return false
}

// elsewhere has somebody open their mail on a machine that nobody has seen yet.
func (w *walk) elsewhere(p *person) {
	if box := w.house.box(p.address); len(box) > 0 {
		b := w.browser(p, "a tablet that "+p.name+" borrowed")
		w.goesOn(b, w.link(b, box[len(box)-1]))
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

// seeds are the walks that every test run makes. POSTHORN_SEED names one, POSTHORN_WALK how many steps it has.
var seeds = []uint64{1, 2, 3}

func TestTheWalk(t *testing.T) {
	steps, from := 120, seeds
	if os.Getenv("POSTHORN_LONG") == "1" {
		steps = 10_000
	}
	if n, err := strconv.Atoi(os.Getenv("POSTHORN_WALK")); err == nil {
		steps = n
	}
	if n, err := strconv.ParseUint(os.Getenv("POSTHORN_SEED"), 10, 64); err == nil {
		from = []uint64{n}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so a seed walks the same way each time
	reached, lacking := map[string]int{}, []string{}
	for i, seed := range from {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := walks(t, seed, func(w *walk) bool {
				if w.step < steps {
					return true
				}
				if now := missing(w.wanted(), reached, w.reached); len(now) != len(lacking) {
					t.Logf("step %d: %d not reached yet, as %v", w.step, len(now), now[:min(len(now), 12)])
					lacking = now
				}
				return i == len(seeds)-1 && len(lacking) > 0 && w.step < 10*steps // it goes on until nothing is left out
			})
			for key, n := range w.reached {
				reached[key] += n
			}
		})
	}
	if len(lacking) > 0 {
		t.Errorf("never reached:\n%s", strings.Join(lacking, "\n"))
	}
}

// walks walks in a bubble of time, and judges the house at the end.
func walks(t *testing.T, seed uint64, more func(*walk) bool) (w *walk) {
	t.Helper()
	dir := os.Getenv("POSTHORN_WALK_RECORDS") // kept there for whoever looks at a fault
	if dir == "" {
		dir = t.TempDir()
	}
	var records []exported
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, seed)
		w = begin(t, seed, lives(t, t.TempDir()))
		for w.step = 0; more(w); w.step++ {
			w.visits(pick(w, w.folk))
			w.asked()
			w.passes()
			w.asked()
			w.compares()
			for kind, n := range w.house.kinds {
				w.reached["mail "+string(kind)] = n
			}
		}
		for _, text := range w.house.errors {
			w.wrong("the program's log", text, "%s", text)
		}
		records = w.exports(dir)
		t.Logf("%d steps, %s of their time, %d events, %d tables, mails %v", w.step, time.Since(w.began), w.end(), len(w.known), w.house.kinds)
	})
	if len(w.faults) > 0 {
		t.Errorf("%d faults:\n%s", len(w.faults), w.report())
	}
	interpreter := python(t)
	var judging sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for _, e := range records {
		places <- struct{}{}
		judging.Go(func() {
			defer func() { <-places }()
			if fault := verifies(t, interpreter, e); fault != "" {
				t.Errorf("%s: %s", e.path, fault)
			} else {
				_ = os.Remove(e.path) // only what is at fault is worth keeping
			}
		})
	}
	judging.Wait()
	return w
}

// compares compares the doors for somebody at some table.
func (w *walk) compares() {
	if !w.one(3) || len(w.tables) == 0 {
		return
	}
	w.agrees(pick(w, w.folk), pick(w, w.tables))
}

// passes lets time pass: mostly minutes, now and then a night or days.
func (w *walk) passes() {
	switch w.rnd.IntN(30) {
	case 0:
		w.house.settles(time.Duration(20+w.rnd.IntN(60)) * time.Hour)
	case 1, 2, 3:
		w.house.settles(time.Duration(1+w.rnd.IntN(10)) * time.Hour)
	default:
		w.house.settles(time.Duration(3+w.rnd.IntN(300)) * time.Second)
	}
}
