package http

import (
	"github.com/labstack/echo/v4"
)

// routes lists every address this door answers to.
func (s *Server) routes() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Logger.SetOutput(discard{})
	e.IPExtractor = s.clientIP
	e.HTTPErrorHandler = s.fail
	e.Use(s.logged, s.secure)

	page := func(h func(*visit) error) echo.HandlerFunc { return s.visited(h) }
	both := func(path string, h func(*visit) error) {
		e.GET(path, page(h))
		e.HEAD(path, page(h))
	}

	both("/", s.front)
	both("/sign-in", s.signInForm)
	e.POST("/sign-in", page(s.askSignIn))
	both("/sign-in/sent", s.signInSent)
	both("/sign-in/:token", s.signInLink)
	e.POST("/sign-in/:token", page(s.signIn))
	e.POST("/sign-out", page(s.signOut))
	e.POST("/language", page(s.setLanguage))

	both("/new", s.games)
	both("/new/:game", s.newTable)
	e.POST("/new/:game", page(s.openTable))

	both("/t/:table", s.table)
	e.POST("/t/:table/move", page(s.move))
	e.POST("/t/:table/join", page(s.join))
	e.POST("/t/:table/decline", page(s.decline))
	e.POST("/t/:table/invite", page(s.invite))
	e.POST("/t/:table/fill", page(s.fill))
	e.POST("/t/:table/abandon", page(s.abandon))
	e.POST("/t/:table/agree", page(s.agree))
	e.POST("/t/:table/refuse", page(s.refuse))
	e.POST("/t/:table/say", page(s.say))
	both("/t/:table/orders", s.ordersForm)
	e.POST("/t/:table/orders", page(s.saveOrders))
	both("/t/:table/rewind", s.rewindForm)
	e.POST("/t/:table/rewind", page(s.rewind))
	both("/t/:table/end", s.endForm)
	e.POST("/t/:table/end", page(s.proposeEnd))
	both("/t/:table/resign", s.resignForm)
	e.POST("/t/:table/resign", page(s.resign))
	both("/t/:table/branch", s.branchForm)
	e.POST("/t/:table/branch", page(s.branch))
	both("/t/:table/jump", s.jump)
	both("/t/:table/line/:line/:version", s.moment)
	both("/t/:table/audit", s.audit)
	both("/t/:table/record", s.record)

	both("/p/:token", s.pass)
	e.POST("/p/:token/move", page(s.passMove))
	e.POST("/p/:token/join", page(s.passJoin))
	e.POST("/p/:token/decline", page(s.passDecline))
	e.POST("/p/:token/claim", page(s.passClaim))
	e.POST("/p/:token/agree", page(s.passAgree))
	e.POST("/p/:token/refuse", page(s.passRefuse))
	both("/u/:token", s.unsubscribeForm)
	e.POST("/u/:token", page(s.unsubscribe))

	both("/settings", s.settings)
	e.POST("/settings", page(s.saveSettings))
	e.POST("/settings/sessions", page(s.endSession))
	e.POST("/settings/links", page(s.revokeLinks))

	for _, path := range []string{"/assets/:digest/:name"} {
		e.GET(path, s.asset)
		e.HEAD(path, s.asset)
	}
	for _, path := range []string{"/favicon.ico", "/favicon.svg"} {
		e.GET(path, s.icon)
		e.HEAD(path, s.icon)
	}
	e.GET("/robots.txt", s.robots)
	e.HEAD("/robots.txt", s.robots)
	s.mountAPI(e)
	if s.Mailbox != nil {
		box := echo.WrapHandler(s.Mailbox)
		e.Any("/mailbox", box)
		e.Any("/mailbox/*", box)
	}
	return e
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
