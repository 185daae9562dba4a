package pages

import (
	nethttp "net/http"

	"github.com/labstack/echo/v4"
)

// Mount adds every page's address to a router.
func (s *Site) Mount(e *echo.Echo) {
	page := func(h func(*visit) error) echo.HandlerFunc { return s.visited(h) }
	both := func(path string, h func(*visit) error) {
		e.GET(path, page(h))
		e.HEAD(path, page(h))
	}

	both("/", (*visit).front)
	both("/sign-in", (*visit).signInForm)
	e.POST("/sign-in", page((*visit).askSignIn))
	both("/sign-in/sent", (*visit).signInSent)
	both("/sign-in/:token", (*visit).signInLink)
	e.POST("/sign-in/:token", page((*visit).signIn))
	e.POST("/sign-out", page((*visit).signOut))
	e.POST("/language", page((*visit).setLanguage))

	both("/new", (*visit).games)
	both("/new/:game", (*visit).newTable)
	e.POST("/new/:game", page((*visit).openTable))

	both("/t/:table", (*visit).table)
	e.POST("/t/:table/move", page((*visit).move))
	e.POST("/t/:table/join", page((*visit).join))
	e.POST("/t/:table/decline", page((*visit).decline))
	e.POST("/t/:table/invite", page((*visit).invite))
	e.POST("/t/:table/fill", page((*visit).fill))
	e.POST("/t/:table/abandon", page((*visit).abandon))
	e.POST("/t/:table/agree", page((*visit).agree))
	e.POST("/t/:table/refuse", page((*visit).refuse))
	e.POST("/t/:table/say", page((*visit).say))
	both("/t/:table/orders", (*visit).ordersForm)
	e.POST("/t/:table/orders", page((*visit).saveOrders))
	both("/t/:table/rewind", (*visit).rewindForm)
	e.POST("/t/:table/rewind", page((*visit).rewind))
	both("/t/:table/end", (*visit).endForm)
	e.POST("/t/:table/end", page((*visit).proposeEnd))
	both("/t/:table/resign", (*visit).resignForm)
	e.POST("/t/:table/resign", page((*visit).resign))
	both("/t/:table/branch", (*visit).branchForm)
	e.POST("/t/:table/branch", page((*visit).branch))
	both("/t/:table/jump", (*visit).jump)
	both("/t/:table/line/:line/:version", (*visit).moment)
	both("/t/:table/audit", (*visit).audit)
	both("/t/:table/record", func(v *visit) error { return v.Record() })
	e.GET("/t/:table/live", page(func(v *visit) error { return s.live.Serve(v.Visit) }))

	both("/p/:token", (*visit).pass)
	e.POST("/p/:token/move", page((*visit).passMove))
	e.POST("/p/:token/join", page((*visit).passJoin))
	e.POST("/p/:token/decline", page((*visit).passDecline))
	e.POST("/p/:token/claim", page((*visit).passClaim))
	e.POST("/p/:token/agree", page((*visit).passAgree))
	e.POST("/p/:token/refuse", page((*visit).passRefuse))
	both("/u/:token", (*visit).unsubscribeForm)
	e.POST("/u/:token", page((*visit).unsubscribe))

	both("/settings", (*visit).settings)
	e.POST("/settings", page((*visit).saveSettings))
	e.POST("/settings/sessions", page((*visit).endSession))
	e.POST("/settings/links", page((*visit).revokeLinks))
	both("/settings/tokens", (*visit).tokens)
	e.POST("/settings/tokens", page((*visit).makeToken))
	e.POST("/settings/tokens/revoke", page((*visit).revokeToken))

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
	for _, r := range e.Routes() {
		if r.Method == nethttp.MethodGet {
			s.shown[r.Path] = true
		}
	}
}

// visited makes a handler of a page's.
func (s *Site) visited(h func(*visit) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := s.Visit(c)
		if err != nil {
			return err
		}
		return h(&visit{v, s})
	}
}
