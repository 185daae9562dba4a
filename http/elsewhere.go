package http

import (
	"html/template"
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/http/pages"
	"posthorn/projections/words"
)

var elsewhere = template.Must(template.New("elsewhere").Parse(`<!doctype html>
<html lang="{{.Lang}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>{{.Title}}</title></head>
<body style="font-family: system-ui, sans-serif; max-width: 34em; margin: 4em auto; padding: 0 1em; line-height: 1.5"><h1>{{.Title}}</h1><p>{{.Text}}</p></body></html>
`))

// Elsewhere answers all requests at a standby server with 503 and a plain page that says so. It still serves the styles
// and scripts of its version: a page from a server that has just stopped may need them.
func Elsewhere(book *words.Book, games []domain.Rulebook) (nethttp.Handler, error) {
	return pages.Assets(games, nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		p := book.Printer(book.Match(r.Header.Get("Accept-Language")), "", nil)
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy",
			"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Retry-After", "5")
		w.WriteHeader(nethttp.StatusServiceUnavailable)
		if r.Method == nethttp.MethodHead {
			return
		}
		// the client may have gone
		_ = elsewhere.Execute(w, map[string]string{"Lang": p.Lang(), "Title": p.Text("page.error.elsewhere"),
			"Text": p.Text("page.error.elsewhere.text")})
	}))
}
