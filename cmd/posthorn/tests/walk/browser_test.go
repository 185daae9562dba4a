package walk

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
)

// browser is a browser with its cookies.
type browser struct {
	w    *walk
	who  *person
	jar  *cookiejar.Jar
	ip   string
	name string
}

func (w *walk) browser(who *person, name string) *browser {
	w.browsers++
	jar, _ := cookiejar.New(nil) // it fails only for options
	return &browser{w: w, who: who, jar: jar, ip: fmt.Sprintf("192.0.%d.%d", 2+w.browsers/250, 1+w.browsers%250),
		name: name}
}

func (b *browser) ask(method, path string, form url.Values) *httptest.ResponseRecorder {
	var r *http.Request
	if form != nil {
		r = httptest.NewRequest(method, base+path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", base)
	} else {
		r = httptest.NewRequest(method, base+path, nil)
	}
	r.RemoteAddr = b.ip + ":4711"
	r.Header.Set("User-Agent", b.name)
	r.Header.Set("Accept-Language", b.who.lang)
	r.Header.Set("Accept", "text/html")
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	answer := b.w.house.serve(r)
	b.jar.SetCookies(r.URL, answer.Result().Cookies())
	return answer
}

// route returns the pattern of an address.
func (w *walk) route(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	e := w.house.Server.Echo()
	c := e.NewContext(nil, nil)
	e.Router().Find(method, path, c)
	if c.Path() == "" || strings.HasSuffix(c.Path(), "*") && c.Path() != "/*" {
		return path
	}
	return c.Path()
}

// opens requests a page, and judges it as a page that nobody pressed anything for: it must change nothing.
func (b *browser) opens(path string) *page {
	b.w.house.settles(0)
	before := b.w.end()
	p := b.follows("GET", path, nil)
	if after := b.w.end(); after != before && !b.w.house.alive && !strings.HasPrefix(p.route, "/api") {
		b.w.wrong("opening changes", p.route, "GET %s of %s wrote %d events: %s", path, b.who, after-before,
			b.w.since(before))
	}
	return p
}

// follows requests an address, and then wherever it leads.
func (b *browser) follows(method, path string, form url.Values) *page {
	for hop := 0; ; hop++ {
		p := &page{method: method, path: path, route: b.w.route(method, path)}
		p.mailed = len(b.w.house.box(b.who.address))
		answer := b.ask(method, path, form)
		p.status = answer.Code
		b.w.reached[method+" "+p.route]++
		if to := answer.Header().Get("Location"); to != "" && answer.Code >= 300 && answer.Code < 400 {
			if hop > 5 {
				b.w.wrong("leads nowhere", p.route, "%s %s goes on and on: %s", method, path, to)
				return p
			}
			next, ok := p.resolves(to)
			if !ok {
				return p // to another house
			}
			method, path, form = "GET", next, nil
			continue
		}
		p.at = b.w.end()
		if strings.HasPrefix(answer.Header().Get("Content-Type"), "text/html") {
			p.read(answer.Body.String())
		}
		b.w.judges(b, p)
		for _, o := range p.offers {
			if key := o.method + " " + b.w.route(o.method, o.path); method == "GET" && p.status == http.StatusOK &&
				b.w.opens(key) {
				b.w.seen[key] = place{b, path}
			}
		}
		if len(p.parts) > 0 && b.w.one(20) {
			b.loads(p)
		}
		return p
	}
}

// loads requests one of the pictures, styles and scripts of a page, which must all be there.
func (b *browser) loads(p *page) {
	part := pick(b.w, p.parts)
	for _, to := range p.parts {
		if b.w.reached["GET "+b.w.route("GET", to)] == 0 {
			part = to
		}
	}
	route := b.w.route("GET", part)
	b.w.reached["GET "+route]++
	if answer := b.ask("GET", part, nil); answer.Code != http.StatusOK && answer.Code != http.StatusNotModified {
		b.w.wrong("a part is missing", route, "%s of %s: %d", part, p.path, answer.Code)
	}
}
