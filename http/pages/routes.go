package pages

import (
	"errors"
	nethttp "net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/http/door"
)

// access says who is let in.
type access int

const (
	anybody  access = iota
	seated          // signed in, or with a seat that this browser was lent
	signedIn        // signed in: for all else that is a person's own
	wasLent         // anybody; and who was lent a seat even at a table that is hidden from them once that is over
)

// lent are the actions at a table, apart from moves and taking back, that a lent seat allows: a forwarded mail lends a
// turn, and nothing that outlasts it.
var lent = []string{"say"}

// neededAs are the members of an action's input that its form cannot leave out, and what they are called there.
var neededAs = map[string]string{"to": "to", "until": "until", "proposal": "since"}

// Mount adds every page's address to a router.
func (s *Site) Mount(e *echo.Echo) {
	both := func(path string, h echo.HandlerFunc) {
		e.GET(path, h)
		e.HEAD(path, h)
		s.shown[path] = true
	}
	page := func(path string, who access, show func(*visit) error) { both(path, s.handler(who, show, again{})) }
	form := func(path string, who access, do func(*visit) error, a again) { e.POST(path, s.handler(who, do, a)) }
	const conflict, wrong = nethttp.StatusConflict, nethttp.StatusUnprocessableEntity

	page("/", anybody, (*visit).front)
	page("/lobby", anybody, (*visit).lobby)
	page("/games/:game/picture.svg", anybody, (*visit).gamePicture)
	page("/t/:table/picture.svg", anybody, (*visit).tablePicture)
	page("/rules", anybody, (*visit).rules)
	page("/rules/:game", anybody, (*visit).rulesOf)
	page("/rules/:game/:picture", anybody, (*visit).rulesPicture)
	page("/sign-in", anybody, (*visit).signInForm)
	form("/sign-in", anybody, (*visit).askSignIn, again{wrong, (*visit).showSignIn})
	page("/sign-in/sent", anybody, func(v *visit) error {
		return v.render("sent", sheet{Title: v.T("page.nav.signin")})
	})
	page("/sign-in/:token", anybody, (*visit).signInLink)
	form("/sign-in/:token", anybody, (*visit).signIn, again{})
	form("/language", anybody, (*visit).setLanguage, again{})

	page("/new", signedIn, (*visit).newTable)
	page("/new/:game", signedIn, (*visit).newTable)
	form("/new/:game", signedIn, (*visit).openTable, again{wrong, (*visit).showNewTable})

	table := again{conflict, (*visit).table}
	page("/t/:table", anybody, (*visit).table)
	form("/t/:table/move", seated, (*visit).move, table)
	form("/t/:table/undo", seated, (*visit).undo, table)
	for _, f := range door.Actions {
		if f.Name == "undo" {
			continue
		}
		shown, needed, let := table, []string{}, signedIn
		if slices.Contains(lent, f.Name) {
			let = seated
		}
		if f.Name == "rewind" {
			shown = again{conflict, (*visit).rewindForm}
		}
		for _, m := range strings.Fields(f.Members) {
			if field := neededAs[m]; field != "" {
				needed = append(needed, field)
			}
		}
		form("/t/:table/"+f.Name, let, func(v *visit) error {
			return v.back(v.command(v.Me, f, needed...), v.Me, "", f.Done)
		}, shown)
	}
	form("/t/:table/again", signedIn, (*visit).inviteAgain, table)
	page("/t/:table/story", anybody, (*visit).story)
	page("/t/:table/print", anybody, (*visit).print)
	page("/t/:table/game.gif", anybody, (*visit).animation)
	form("/t/:table/rematch", signedIn, (*visit).rematch, table)
	page("/t/:table/orders", signedIn, (*visit).ordersForm)
	form("/t/:table/orders", signedIn, (*visit).saveOrders, again{conflict, (*visit).ordersForm})
	page("/t/:table/sketch", signedIn, (*visit).sketch)
	form("/t/:table/sketch", signedIn, (*visit).beginSketch, table)
	page("/t/:table/sketch/:sketch/:at", signedIn, (*visit).showSketch)
	for name, do := range map[string]func(*visit) error{"move": (*visit).sketchMove, "again": (*visit).sketchAgain,
		"name": (*visit).sketchName,
		"drop": (*visit).sketchDrop, "orders": (*visit).sketchOrder, "carry": (*visit).sketchCarry} {
		form("/t/:table/sketch/:sketch/:at/"+name, signedIn, do, again{conflict, (*visit).showSketch})
	}
	page("/t/:table/rewind", signedIn, (*visit).rewindForm)
	page("/t/:table/end", signedIn, (*visit).endForm)
	page("/t/:table/resign", signedIn, (*visit).resignForm)
	page("/t/:table/branch", signedIn, (*visit).branchForm)
	form("/t/:table/branch", signedIn, (*visit).branch, again{wrong, (*visit).branchForm})
	form("/t/:table/share", signedIn, func(v *visit) error {
		return v.after(v.Share(v.FormValue("on") != ""), v.Home(), "saved")
	}, table)
	form("/t/:table/share/with", signedIn, func(v *visit) error {
		if stop := v.FormValue("stop"); stop != "" {
			return v.after(v.ShareNoMore(stop), v.Home(), "saved")
		}
		whom := door.Whom{Person: v.FormValue("person"), Address: v.FormValue("address")}
		return v.after(v.ShareWith(whom), v.Home(), "saved")
	}, table)
	puzzling := again{wrong, (*visit).newPuzzle}
	page("/t/:table/puzzle", signedIn, (*visit).newPuzzle)
	form("/t/:table/puzzle", signedIn, (*visit).makePuzzle, puzzling)
	form("/t/:table/puzzle/move", signedIn, (*visit).choosePuzzle, puzzling)
	page("/puzzle/:puzzle", anybody, (*visit).countedPuzzle)
	form("/puzzle/:puzzle/move", anybody, (*visit).tryPuzzle, again{wrong, (*visit).puzzle})
	form("/puzzle/:puzzle/drop", signedIn, (*visit).dropPuzzle, again{})
	page("/t/:table/jump", anybody, (*visit).jump)
	page("/t/:table/line/:line/:version", anybody, (*visit).moment)
	page("/t/:table/audit", anybody, (*visit).audit)
	page("/t/:table/claim/:claim", anybody, (*visit).claim)
	page("/t/:table/receipts", anybody, (*visit).receipts)
	form("/t/:table/receipts", anybody, (*visit).checkReceipts, again{})
	page("/t/:table/tree", anybody, (*visit).tree)
	page("/t/:table/compare", anybody, (*visit).compare)
	page("/t/:table/record", anybody, func(v *visit) error { return v.Record() })
	e.GET("/t/:table/live", s.handler(anybody, func(v *visit) error { return s.live.Serve(v.Visit) }, again{}))
	s.shown["/t/:table/live"] = true

	form("/t/:table/sign-in", wasLent, (*visit).mailSession, again{})
	form("/t/:table/mails", signedIn, (*visit).mute, again{})
	form("/t/:table/leave", anybody, (*visit).leave, again{})

	link := again{conflict, (*visit).showPass}
	page("/p/:token", anybody, (*visit).showPass)
	form("/p/:token/move", anybody, byPass(pass.Play, (*visit).passMove), link)
	form("/p/:token/join", anybody, byPass(pass.Join, (*visit).passJoin), link)
	form("/p/:token/claim", anybody, (*visit).passClaim, link)
	form("/p/:token/decline", anybody, byPass(pass.Join, (*visit).passDecline), link)
	form("/p/:token/sit", anybody, byPass(pass.Seat, (*visit).passSit), link)
	form("/p/:token/fresh", anybody, (*visit).passFresh, again{})
	form("/p/:token/agree", anybody, passAnswer(door.ActionOf("agree")), link)
	form("/p/:token/refuse", anybody, passAnswer(door.ActionOf("refuse")), link)
	// A mail program's one-click request has neither cookies nor an origin, so these read no cookies and do nothing
	// else.
	both("/u/:token", s.alone((*visit).unsubscribeForm))
	e.POST("/u/:token", s.alone((*visit).unsubscribe))

	page("/calendar/:token", anybody, (*visit).feed)
	page("/w/:token", anybody, (*visit).withdrawForm)
	form("/w/:token", anybody, (*visit).withdraw, again{})

	page("/a/:token", anybody, (*visit).confirmForm)
	form("/a/:token", anybody, (*visit).confirm, again{})

	page("/profile", signedIn, (*visit).profile)
	hosts := again{wrong, (*visit).host}
	page("/host", signedIn, (*visit).host)
	form("/host/ban", signedIn, asHost((*visit).ban), hosts)
	form("/host/unban", signedIn, asHost((*visit).unban), hosts)
	form("/host/invite", signedIn, asHost((*visit).letIn), hosts)
	form("/host/signup", signedIn, asHost((*visit).setSignup), hosts)

	settings := again{wrong, (*visit).settings}
	page("/settings", signedIn, (*visit).settings)
	page("/settings/data", signedIn, (*visit).data)
	form("/settings", signedIn, (*visit).saveSettings, settings)
	form("/t/:table/notes", signedIn, (*visit).saveNote, table)
	form("/settings/address", signedIn, (*visit).changeAddress, settings)
	form("/settings/calendar", signedIn, (*visit).saveCalendar, settings)
	form("/settings/away", signedIn, (*visit).goAway, settings)
	form("/settings/back", signedIn, (*visit).comeBack, settings)
	form("/settings/sessions", signedIn, (*visit).endSession, again{})
	form("/settings/links", signedIn, (*visit).revokeLinks, again{})
	page("/settings/tokens", signedIn, (*visit).tokens)
	form("/settings/tokens", signedIn, (*visit).makeToken, again{wrong, (*visit).tokens})
	form("/settings/tokens/revoke", signedIn, (*visit).revokeToken, again{})
	page("/settings/hooks", signedIn, (*visit).hooks)
	form("/settings/hooks", signedIn, (*visit).makeHook, again{wrong, (*visit).hooks})
	form("/settings/hooks/try", signedIn, (*visit).tryHook, again{wrong, (*visit).hooks})
	form("/settings/hooks/remove", signedIn, (*visit).removeHook, again{wrong, (*visit).hooks})

	both("/assets/:digest/:name", s.asset)
	both("/favicon.ico", s.icon)
	both("/favicon.svg", s.icon)
	both("/robots.txt", s.robots)
}

// after redirects the browser to a page, unless something went wrong.
func (v *visit) after(err error, path, done string) error {
	if err != nil {
		return err
	}
	return v.see(path, done)
}

// back redirects the browser to the table after something was done, with a query if there is one. A reader who may not
// look at the table, or no longer, as after giving up a seat in a study, is told on the front page.
func (v *visit) back(err error, reader domain.PersonID, query, done string) error {
	if err != nil {
		return err
	}
	switch err := v.MaySee(v.Table, reader); {
	case errors.Is(err, events.ErrNoStream):
		return v.see("/", done)
	case err != nil:
		return err
	}
	return v.see(v.Home()+query, done)
}

// see redirects the browser to a page after something was done.
func (v *visit) see(path, done string) error {
	if done == "invited" && v.Unsent {
		done = "unsent"
	}
	if done != "" {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		path += sep + "done=" + done
	}
	return v.Redirect(nethttp.StatusSeeOther, path)
}
