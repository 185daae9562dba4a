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

	page("/", anybody, of(publicPages.front))
	page("/lobby", anybody, of(publicPages.lobby))
	page("/games/:game/picture.svg", anybody, of(publicPages.gamePicture))
	page("/t/:table/picture.svg", anybody, of(publicPages.tablePicture))
	page("/rules", anybody, of(publicPages.rules))
	page("/rules/:game", anybody, of(publicPages.rulesOf))
	page("/rules/:game/:picture", anybody, of(publicPages.rulesPicture))
	page("/sign-in", anybody, of(signInPages.signInForm))
	form("/sign-in", anybody, of(signInPages.askSignIn), again{wrong, of(signInPages.showSignIn)})
	page("/sign-in/sent", anybody, func(v *visit) error {
		return v.render("sent", sheet{Title: v.T("page.nav.signin")})
	})
	page("/sign-in/:token", anybody, of(signInPages.signInLink))
	form("/sign-in/:token", anybody, of(signInPages.signIn), again{})
	form("/language", anybody, of(signInPages.setLanguage), again{})

	page("/new", signedIn, of(openPages.newTable))
	page("/new/:game", signedIn, of(openPages.newTable))
	form("/new/:game", signedIn, of(openPages.openTable), again{wrong, of(openPages.showNewTable)})

	table := again{conflict, of(tablePages.table)}
	page("/t/:table", anybody, of(tablePages.table))
	form("/t/:table/move", seated, of(tablePages.move), table)
	form("/t/:table/undo", seated, of(tablePages.undo), table)
	for _, f := range door.Actions {
		if f.Name == "undo" {
			continue
		}
		shown, needed, let := table, []string{}, signedIn
		if slices.Contains(lent, f.Name) {
			let = seated
		}
		if f.Name == "rewind" {
			shown = again{conflict, of(consentPages.rewindForm)}
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
	form("/t/:table/again", signedIn, of(hostPages.inviteAgain), table)
	page("/t/:table/story", anybody, of(pastPages.story))
	page("/t/:table/print", anybody, of(pastPages.print))
	page("/t/:table/game.gif", anybody, of(pastPages.animation))
	page("/t/:table/card.png", anybody, of(pastPages.shareCard))
	form("/t/:table/rematch", signedIn, of(pastPages.rematch), table)
	page("/t/:table/orders", signedIn, of(tablePages.ordersForm))
	form("/t/:table/orders", signedIn, of(tablePages.saveOrders), again{conflict, of(tablePages.ordersForm)})
	page("/t/:table/sketch", signedIn, of(sketchPages.sketch))
	form("/t/:table/sketch", signedIn, of(sketchPages.beginSketch), table)
	page("/t/:table/sketch/:sketch/:at", signedIn, of(sketchPages.showSketch))
	for name, do := range map[string]func(*visit) error{"move": of(sketchPages.sketchMove),
		"again": of(sketchPages.sketchAgain),
		"name":  of(sketchPages.sketchName),
		"drop":  of(sketchPages.sketchDrop), "orders": of(sketchPages.sketchOrder),
		"carry": of(sketchPages.sketchCarry)} {
		form("/t/:table/sketch/:sketch/:at/"+name, signedIn, do, again{conflict, of(sketchPages.showSketch)})
	}
	page("/t/:table/rewind", signedIn, of(consentPages.rewindForm))
	page("/t/:table/end", signedIn, of(consentPages.endForm))
	page("/t/:table/resign", signedIn, of(consentPages.resignForm))
	page("/t/:table/branch", signedIn, of(openPages.branchForm))
	form("/t/:table/branch", signedIn, of(openPages.branch), again{wrong, of(openPages.branchForm)})
	form("/t/:table/share", signedIn, func(v *visit) error {
		return v.after(v.Studies().Share(v.FormValue("on") != ""), v.Home(), "saved")
	}, table)
	form("/t/:table/share/with", signedIn, func(v *visit) error {
		if stop := v.FormValue("stop"); stop != "" {
			return v.after(v.Studies().ShareNoMore(stop), v.Home(), "saved")
		}
		whom := door.Whom{Person: v.FormValue("person"), Address: v.FormValue("address")}
		return v.after(v.Studies().ShareWith(whom), v.Home(), "saved")
	}, table)
	puzzling := again{wrong, of(puzzlePages.newPuzzle)}
	page("/t/:table/puzzle", signedIn, of(puzzlePages.newPuzzle))
	form("/t/:table/puzzle", signedIn, of(puzzlePages.makePuzzle), puzzling)
	form("/t/:table/puzzle/move", signedIn, of(puzzlePages.choosePuzzle), puzzling)
	page("/puzzle/:puzzle", anybody, of(puzzlePages.countedPuzzle))
	form("/puzzle/:puzzle/move", anybody, of(puzzlePages.tryPuzzle), again{wrong, of(puzzlePages.puzzle)})
	form("/puzzle/:puzzle/drop", signedIn, of(puzzlePages.dropPuzzle), again{})
	page("/t/:table/jump", anybody, of(pastPages.jump))
	page("/t/:table/line/:line/:version", anybody, of(pastPages.moment))
	page("/t/:table/audit", anybody, of(pastPages.audit))
	page("/t/:table/claim/:claim", anybody, of(openPages.claim))
	page("/t/:table/receipts", anybody, of(pastPages.receipts))
	form("/t/:table/receipts", anybody, of(pastPages.checkReceipts), again{})
	page("/t/:table/tree", anybody, of(pastPages.tree))
	page("/t/:table/compare", anybody, of(pastPages.compare))
	page("/t/:table/record", anybody, func(v *visit) error { return v.History().Record() })
	e.GET("/t/:table/live", s.handler(anybody, func(v *visit) error { return s.live.Serve(v.Visit) }, again{}))
	s.shown["/t/:table/live"] = true
	form("/t/:table/here", anybody, func(v *visit) error { return s.live.Answer(v.Visit) }, again{})

	form("/t/:table/sign-in", wasLent, of(signInPages.mailSession), again{})
	form("/t/:table/mails", signedIn, of(settingsPages.mute), again{})
	form("/t/:table/leave", anybody, of(signInPages.leave), again{})

	link := again{conflict, of(linkPages.showPass)}
	page("/p/:token", anybody, of(linkPages.showPass))
	form("/p/:token/move", anybody, byPass(pass.Play, linkPages.passMove), link)
	form("/p/:token/join", anybody, byPass(pass.Join, linkPages.passJoin), link)
	form("/p/:token/claim", anybody, of(openPages.passClaim), link)
	form("/p/:token/decline", anybody, byPass(pass.Join, linkPages.passDecline), link)
	form("/p/:token/sit", anybody, byPass(pass.Seat, linkPages.passSit), link)
	form("/p/:token/fresh", anybody, of(linkPages.passFresh), again{})
	form("/p/:token/agree", anybody, passAnswer(door.ActionOf("agree")), link)
	form("/p/:token/refuse", anybody, passAnswer(door.ActionOf("refuse")), link)
	// A mail program's one-click request has neither cookies nor an origin, so these read no cookies and do nothing
	// else.
	both("/u/:token", s.alone(of(settingsPages.unsubscribeForm)))
	e.POST("/u/:token", s.alone(of(settingsPages.unsubscribe)))

	page("/calendar/:token", anybody, of(settingsPages.feed))
	page("/w/:token", anybody, of(linkPages.withdrawForm))
	form("/w/:token", anybody, of(linkPages.withdraw), again{})

	page("/lost", anybody, of(signInPages.lostForm))
	form("/lost", anybody, of(signInPages.asksLost), again{wrong, of(signInPages.lostForm)})
	page("/lost/:token", anybody, of(signInPages.lostLink))
	form("/lost/:token", anybody, of(signInPages.usesLost), again{wrong, of(signInPages.lostForm)})

	page("/b/:token", anybody, of(settingsPages.backLink))
	form("/b/:token", anybody, of(settingsPages.takesBack), again{})

	page("/f/:token", anybody, of(settingsPages.forgetLink))
	form("/f/:token", anybody, of(settingsPages.forgets), again{})

	page("/a/:token", anybody, of(signInPages.confirmForm))
	form("/a/:token", anybody, of(signInPages.confirm), again{})

	page("/profile", signedIn, of(settingsPages.profile))
	hosts := again{wrong, of(hostPages.host)}
	page("/host", signedIn, of(hostPages.host))
	form("/host/ban", signedIn, asHost(of(hostPages.ban)), hosts)
	form("/host/unban", signedIn, asHost(of(hostPages.unban)), hosts)
	form("/host/invite", signedIn, asHost(of(hostPages.letIn)), hosts)
	form("/host/signup", signedIn, asHost(of(hostPages.setSignup)), hosts)

	settings := again{wrong, of(settingsPages.settings)}
	page("/settings", signedIn, of(settingsPages.settings))
	page("/settings/data", signedIn, of(settingsPages.data))
	form("/settings", signedIn, of(settingsPages.saveSettings), settings)
	form("/t/:table/notes", signedIn, of(settingsPages.saveNote), table)
	form("/settings/here", signedIn, of(settingsPages.isHere), settings)
	form("/settings/address", signedIn, of(settingsPages.addAddress), settings)
	form("/settings/address/main", signedIn, of(settingsPages.chooseAddress), settings)
	form("/settings/address/remove", signedIn, of(settingsPages.removeAddress), settings)
	form("/settings/calendar", signedIn, of(consentPages.saveCalendar), settings)
	form("/settings/away", signedIn, of(consentPages.goAway), settings)
	form("/settings/back", signedIn, of(consentPages.comeBack), settings)
	form("/settings/sessions", signedIn, of(settingsPages.endSession), again{})
	form("/settings/delete", signedIn, of(settingsPages.askForget), settings)
	form("/settings/links", signedIn, of(settingsPages.revokeLinks), again{})
	page("/settings/tokens", signedIn, of(settingsPages.tokens))
	form("/settings/tokens", signedIn, of(settingsPages.makeToken), again{wrong, of(settingsPages.tokens)})
	form("/settings/tokens/revoke", signedIn, of(settingsPages.revokeToken), again{})
	page("/settings/hooks", signedIn, of(settingsPages.hooks))
	form("/settings/hooks", signedIn, of(settingsPages.makeHook), again{wrong, of(settingsPages.hooks)})
	form("/settings/hooks/try", signedIn, of(settingsPages.tryHook), again{wrong, of(settingsPages.hooks)})
	form("/settings/hooks/remove", signedIn, of(settingsPages.removeHook), again{wrong, of(settingsPages.hooks)})

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
