// Package pagetest reads the forms of a rendered page as a browser does, so that a test sends what the page offers.
package pagetest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// Form is a form of a page, filled in as the page is shown.
type Form struct {
	Action  string
	Fields  url.Values // what is sent if nothing is changed, without any button
	Buttons []Button   // those that send it, wherever they stand on the page
}

// Button sends a form together with its own name and value.
type Button struct{ Name, Value, Label string }

// Press returns what the form sends when a button is pressed.
func (f Form) Press(b Button) url.Values {
	sent := url.Values{}
	for name, values := range f.Fields {
		sent[name] = append([]string(nil), values...)
	}
	if b.Name != "" {
		sent.Add(b.Name, b.Value)
	}
	return sent
}

// Of returns the one form of a page that goes to an address.
func Of(t testing.TB, body, action string) Form {
	t.Helper()
	var found []Form
	for _, f := range Forms(t, body) {
		if f.Action == action {
			found = append(found, f)
		}
	}
	require.Len(t, found, 1, "forms to %s in\n%s", action, body)
	return found[0]
}

// Forms returns all forms of a page.
func Forms(t testing.TB, body string) (list []Form) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	require.NoError(t, err)
	at := map[string]int{} // by id
	walk(root, func(n *html.Node) {
		if n.Data == "form" {
			if id := attr(n, "id"); id != "" {
				at[id] = len(list)
			}
			list = append(list, Form{Action: attr(n, "action"), Fields: url.Values{}})
		}
	})
	next := 0
	var inside func(n *html.Node, own int)
	inside = func(n *html.Node, own int) {
		if n.Type == html.ElementNode {
			if n.Data == "form" {
				own, next = next, next+1
			}
			to := own
			if i, ok := at[attr(n, "form")]; ok {
				to = i
			}
			if to >= 0 {
				list[to].take(n)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			inside(c, own)
		}
	}
	inside(root, -1)
	return list
}

// take adds what an element contributes to its form.
func (f *Form) take(n *html.Node) {
	name := attr(n, "name")
	switch n.Data {
	case "button":
		if kind := attr(n, "type"); kind == "" || kind == "submit" {
			f.Buttons = append(f.Buttons, Button{name, attr(n, "value"), text(n)})
		}
	case "input":
		kind := attr(n, "type")
		if name != "" && (kind != "radio" && kind != "checkbox" || has(n, "checked")) {
			f.Fields.Add(name, attr(n, "value"))
		}
	case "textarea":
		f.Fields.Add(name, text(n))
	case "select":
		var options, chosen []string
		walk(n, func(o *html.Node) {
			if o.Data != "option" {
				return
			}
			options = append(options, attr(o, "value"))
			if has(o, "selected") {
				chosen = append(chosen, attr(o, "value"))
			}
		})
		if len(chosen) == 0 && len(options) > 0 {
			chosen = options[:1]
		}
		f.Fields[name] = append(f.Fields[name], chosen...)
	}
}

func walk(n *html.Node, each func(*html.Node)) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			each(d)
		}
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}
