package walk

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is an answer of the house, as its reader sees it.
type page struct {
	method, path string // that led here
	route        string
	status       int
	doc          *html.Node
	text         string
	at           uint64 // where the log ended when it was rendered
	mailed       int    // how many letters its reader had when it was asked for
	offers       []offer
	parts        []string // pictures, styles and scripts
}

// offer is something that a page lets its reader do: follow a link, or press a button of a form.
type offer struct {
	method, path string
	label        string
	controls     []*control
	sent         url.Values // what the button itself sends
	rel          string     // of a link
	current      bool       // it says that it is so already
	form         string     // the form's names, for telling forms of one address apart
}

// control is a field of a form.
type control struct {
	name, kind string
	value      string
	on         bool // checked
	required   bool
	options    []string // of a select, or of radio buttons of one name
	attr       map[string]string
}

func attrs(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, a := range n.Attr {
		out[a.Key] = a.Val
	}
	return out
}

func each(n *html.Node, visit func(*html.Node) bool) {
	if !visit(n) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, visit)
	}
}

var spaces = regexp.MustCompile(`\s+`)

// words returns the text of a node as its reader sees it: no scripts, no styles.
func words(n *html.Node) string {
	var b strings.Builder
	each(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
		if n.Type == html.ElementNode {
			a := attrs(n)
			for _, k := range []string{"alt", "aria-label", "title", "placeholder"} {
				if a[k] != "" {
					b.WriteString(a[k] + " ")
				}
			}
		}
		return n.DataAtom != atom.Script && n.DataAtom != atom.Style && n.DataAtom != atom.Head
	})
	return strings.TrimSpace(spaces.ReplaceAllString(b.String(), " "))
}

// read finds what a page offers.
func (p *page) read(body string) {
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return
	}
	p.doc, p.text = doc, words(doc)
	forms := map[string]*html.Node{}
	var order []*html.Node
	each(doc, func(n *html.Node) bool {
		switch a := attrs(n); n.DataAtom {
		case atom.A:
			if to, ok := p.resolves(a["href"]); ok {
				p.offers = append(p.offers, offer{method: "GET", path: to, label: words(n), rel: a["rel"]})
			}
		case atom.Img, atom.Script:
			if to, ok := p.resolves(a["src"]); ok {
				p.parts = append(p.parts, to)
			}
		case atom.Link:
			if to, ok := p.resolves(a["href"]); ok {
				p.parts = append(p.parts, to)
			}
		case atom.Form:
			order = append(order, n)
			if a["id"] != "" {
				forms[a["id"]] = n
			}
		}
		return true
	})
	for _, f := range order {
		p.form(doc, f)
	}
}

func (p *page) resolves(ref string) (string, bool) {
	at, err := url.Parse(base + p.path)
	if err != nil || ref == "" || strings.HasPrefix(ref, "#") {
		return "", false
	}
	to, err := at.Parse(ref)
	if err != nil || to.Scheme+"://"+to.Host != base || strings.HasPrefix(to.Path, "/mailbox") { // other people's mail
		return "", false
	}
	to.Fragment = ""
	return to.RequestURI(), true
}

// form adds what a form's buttons do.
func (p *page) form(doc, f *html.Node) {
	fa := attrs(f)
	var controls []*control
	var buttons []*html.Node
	each(doc, func(n *html.Node) bool {
		a := attrs(n)
		if of, named := a["form"]; named && of != fa["id"] || !named && !within(n, f) {
			return true
		}
		if _, off := a["disabled"]; off {
			return true
		}
		switch n.DataAtom {
		case atom.Button:
			if a["type"] != "button" && a["type"] != "reset" {
				buttons = append(buttons, n)
			}
		case atom.Input:
			if a["type"] == "submit" {
				buttons = append(buttons, n)
			} else {
				controls = field(controls, a)
			}
		case atom.Textarea:
			controls = append(controls, &control{name: a["name"], kind: "textarea", value: words(n),
				required: has(a, "required"), attr: a})
		case atom.Select:
			controls = append(controls, choice(n, a))
		}
		return true
	})
	names := make([]string, 0, len(controls))
	for _, c := range controls {
		names = append(names, c.name)
	}
	add := func(label string, b map[string]string) {
		action, method := fa["action"], strings.ToUpper(fa["method"])
		if b["formaction"] != "" {
			action = b["formaction"]
		}
		if action == "" {
			action = p.path
		}
		to, ok := p.resolves(action)
		if !ok {
			return
		}
		if method == "" {
			method = "GET"
		}
		o := offer{method: method, path: to, label: label, controls: controls, sent: url.Values{},
			form: strings.Join(names, " ")}
		o.current = b["aria-current"] == "true"
		if b["name"] != "" {
			o.sent.Set(b["name"], b["value"])
		}
		p.offers = append(p.offers, o)
	}
	for _, b := range buttons {
		add(words(b), attrs(b))
	}
	if len(buttons) == 0 {
		add("", nil)
	}
}

func has(a map[string]string, key string) bool { _, ok := a[key]; return ok }

func within(n, f *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == f {
			return true
		}
	}
	return false
}

// field adds an input; radio buttons of one name are one control.
func field(controls []*control, a map[string]string) []*control {
	kind := a["type"]
	if kind == "" {
		kind = "text"
	}
	c := &control{name: a["name"], kind: kind, value: a["value"], on: has(a, "checked"), required: has(a, "required"),
		attr: a}
	if c.name == "" || kind == "button" || kind == "reset" {
		return controls
	}
	if kind == "checkbox" && !has(a, "value") {
		c.value = "on"
	}
	if kind == "radio" {
		i := slices.IndexFunc(controls, func(d *control) bool { return d.kind == "radio" && d.name == c.name })
		if i < 0 {
			first := *c
			if !c.on {
				first.value = ""
			}
			controls = append(controls, &first)
			i = len(controls) - 1
		} else if c.on {
			controls[i].value = c.value
		}
		controls[i].options = append(controls[i].options, c.value)
		return controls
	}
	return append(controls, c)
}

func choice(n *html.Node, a map[string]string) *control {
	c := &control{name: a["name"], kind: "select", required: has(a, "required"), attr: a}
	chosen := false
	each(n, func(o *html.Node) bool {
		if o.DataAtom == atom.Option {
			oa := attrs(o)
			v, named := oa["value"]
			if !named {
				v = words(o)
			}
			if !has(oa, "disabled") {
				c.options = append(c.options, v)
				if has(oa, "selected") || !chosen && len(c.options) == 1 {
					c.value, chosen = v, has(oa, "selected")
				}
			}
		}
		return true
	})
	return c
}

// values returns what the form sends as it stands.
func (o offer) values() url.Values {
	q := url.Values{}
	for _, c := range o.controls {
		switch {
		case c.kind == "checkbox" && !c.on, c.name == "", c.kind == "radio" && c.value == "", c.kind == "file":
		default:
			q.Add(c.name, c.value)
		}
	}
	for k, v := range o.sent {
		q[k] = append(q[k], v...)
	}
	return q
}

var digits = regexp.MustCompile(`[0-9]+`)

// bounds returns the least and most of a number field.
func (c *control) bounds() (int, int) {
	least, err := strconv.Atoi(c.attr["min"])
	if err != nil {
		least = 0
	}
	most, err := strconv.Atoi(c.attr["max"])
	if err != nil {
		most = least + 3
	}
	return least, most
}
