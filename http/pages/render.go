package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	nethttp "net/http"
	"path"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"posthorn/domain"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/http/live"
	"posthorn/projections/words"
)

//go:embed *.html
var pageFiles embed.FS

// pageSet is the templates: layout.html and parts.html with each page.
type pageSet struct{ by map[string]*template.Template }

// Site is the pages.
type Site struct {
	*door.House
	pages   *pageSet
	assets  *assetSet
	live    *live.Hub
	signIns *guard.Limiter // of sign-in mails, by who asks
	aside   *aside
	shown   map[string]bool // routes that are pages: GET leads there
}

// New makes the pages of a house.
func New(house *door.House, hub *live.Hub) (s *Site, err error) {
	s = &Site{House: house, live: hub, signIns: guard.NewLimiter(rate.Every(time.Minute), 20), aside: newAside(), shown: map[string]bool{}}
	if s.assets, err = newAssets(); err != nil {
		return nil, err
	}
	s.pages, err = newPages(s)
	return s, err
}

// visit is a visit to the pages.
type visit struct {
	*door.Visit
	site *Site
}

func newPages(s *Site) (*pageSet, error) {
	base, err := template.New("layout.html").Funcs(template.FuncMap{
		"asset": func(name string) string { return s.assets.address[name] },
		"dict":  dict,
		"stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"clock": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"mark":  seatMark,
	}).ParseFS(pageFiles, "layout.html", "parts.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	names, err := fs.Glob(pageFiles, "*.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	set := &pageSet{by: map[string]*template.Template{}}
	for _, n := range names {
		name := strings.TrimSuffix(path.Base(n), ".html")
		if name == "layout" || name == "parts" {
			continue
		}
		t, err := base.Clone()
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		if _, err := t.ParseFS(pageFiles, n); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		set.by[name] = t
	}
	return set, nil
}

// dict makes a map of alternating keys and values, to hand several to a part.
func dict(pairs ...any) (map[string]any, error) {
	m := map[string]any{}
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict of %d values", len(pairs))
	}
	for i := 0; i < len(pairs); i += 2 {
		k, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: key %v", pairs[i])
		}
		m[k] = pairs[i+1]
	}
	return m, nil
}

// sheet is what every template is given: the visit, and the page's own data.
type sheet struct {
	*visit
	Title  string // of the tab, after which the house's name stands
	Mine   bool   // something awaits the reader here: the tab says so
	Wide   bool   // a board with a story beside it
	Body   any
	Notice string // something that was just done
	Error  string // something that was refused
}

// render writes a page.
func (v *visit) render(status int, page string, sh sheet) error {
	t, ok := v.site.pages.by[page]
	if !ok {
		return fmt.Errorf("no page %q", page)
	}
	sh.visit = v
	sh.Error = words.Visible(sh.Error)
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "layout.html", sh); err != nil {
		return fmt.Errorf("page %s: %w", page, err)
	}
	v.Response().Header().Set("Content-Language", v.Lang)
	return v.HTMLBlob(status, b.Bytes())
}

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

// Languages are those a reader may choose, each in its own words.
func (v *visit) Languages() []choice {
	var out []choice
	for _, l := range words.Languages {
		out = append(out, choice{Value: l, Label: v.Book.Printer(l, "", nil).Text("page.language.own"), Selected: l == v.Lang})
	}
	return out
}

// Path is the address of this page, to come back to. What a form was sent to is mostly no
// page: then it is the page that the form stands on.
func (v *visit) Path() string {
	path := v.Request().URL.Path
	if v.Request().Method == nethttp.MethodPost && !v.site.shown[v.Context.Path()] {
		path = path[:strings.LastIndexByte(path, '/')+1]
		if len(path) > 1 {
			path = path[:len(path)-1]
		}
	}
	return path
}

// choice is one of several values in a form.
type choice struct {
	Value, Label string
	Selected     bool
}

// seatMark is a seat's letter with its mark: colour alone tells nobody apart in print.
func seatMark(seat any) (string, error) {
	var n int
	switch s := seat.(type) {
	case int:
		n = s
	case domain.Seat:
		n = int(s)
	default:
		return "", fmt.Errorf("mark of %T", seat)
	}
	marks := [domain.MaxSeats]string{"●", "■", "▲", "◆", "✚", "★", "⬟", "✖"}
	if n < 0 || n >= len(marks) {
		return domain.Seat(n).Letter(), nil
	}
	return domain.Seat(n).Letter() + "\u2009" + marks[n], nil
}

// HasMailbox tells whether there is a built-in mailbox to link to, which answers to browsers
// on this machine alone.
func (v *visit) HasMailbox() bool { return v.Mailbox != nil && guard.Here(v.Request()) }

// Next is where signing in leads back to: this page, if it is a table's or a link's.
func (v *visit) Next() string {
	if next := v.QueryParam("next"); next != "" {
		return local(next)
	}
	if p := v.Path(); strings.HasPrefix(p, "/t/") || strings.HasPrefix(p, "/p/") || strings.HasPrefix(p, "/new") || p == "/settings" {
		return p
	}
	return ""
}

// Kept is what the reader had written in a field of the form they sent.
func (v *visit) Kept(field string) string {
	if v.Request().Method != nethttp.MethodPost {
		return ""
	}
	return v.FormValue(field)
}

// local is a path of this server, or "".
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") || len(path) > 200 {
		return ""
	}
	return path
}

// HasLive tells whether a page may listen for what happens at its table.
func (v *visit) HasLive() bool { return v.Follower != nil }
