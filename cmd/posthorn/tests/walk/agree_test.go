package walk

import (
	"strings"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// agrees compares what a table asks of somebody with what their page of it, their list, their calendar and their
// program say, and whether each that asks has the control for it.
func (w *walk) agrees(p *person, table events.Name) {
	who, ok := w.signedIn(p)
	if !ok {
		return
	}
	look, err := w.house.Desk.Look(w.house.ctx, table)
	require.NoError(w.t, err)
	asks, err := w.house.Desk.Asks(w.house.ctx, look)
	require.NoError(w.t, err)
	has := map[desk.AskKind]bool{}
	for _, a := range asks {
		if a.Person == who {
			has[a.Kind] = true
		}
	}
	game := look.Table.Rulebook
	at := p.desk.opens("/t/" + table.String())
	if at.status == 404 && !look.Table.SeenBy(who) && len(has) == 0 {
		return
	}
	offers := func(action string) bool {
		for _, o := range at.offers {
			if path, _, _ := strings.Cut(o.path, "?"); o.method == "POST" && strings.HasSuffix(path, "/"+action) {
				return true
			}
		}
		return false
	}
	if says := classed(at.doc, "mine"); look.Table.Status == domain.TableStarted && says != has[desk.AskTurn] {
		w.wrong("doors differ", "page "+game,
			"the page of a table of %s says to %s that it is their turn: %v; asked: %v", game, p, says, has)
	}
	if has[desk.AskTurn] && len(playing(at)) == 0 {
		w.wrong("asks without a control", game, "the page of %s asks %s for a move and has no control for it: %s",
			at.path, p, clip(at.text))
	}
	if has[desk.AskConsent] && (!offers("agree") || !offers("refuse")) {
		w.wrong("asks without a control", "consent", "the page of %s asks %s for consent and has no buttons", at.path,
			p)
	}
	if has[desk.AskInvitation] && look.Table.Status == domain.TableOpen && (!offers("join") || !offers("decline")) {
		w.wrong("asks without a control", "invitation", "the page of %s invites %s and has no buttons", at.path, p)
	}
	w.lists(p, table, has)
}

// lists compares with the list of one's own games, the calendar and the program's list.
func (w *walk) lists(p *person, table events.Name, has map[desk.AskKind]bool) {
	waits := has[desk.AskTurn] || has[desk.AskConsent]
	listed := false
	for next := "/"; next != ""; { // a long list has several parts
		list := p.desk.opens(next)
		next = ""
		for _, by := range []string{"awaits", "studies"} {
			if under := section(list.doc, by); under != nil {
				listed = listed || waits && mentions(under, table) || by == "awaits" && mentions(under, table)
			}
		}
		for _, o := range list.offers {
			if strings.HasPrefix(o.path, "/?from=") && o.rel == "next" {
				next = o.path
			}
		}
	}
	if listed != waits {
		w.wrong("doors differ", "list", "the list of %s has the table among those that wait for them: %v; asked: %v", p,
			listed, has)
	}
	if path, ok := feed(p.desk.opens("/settings")); ok {
		answer := p.desk.ask("GET", path, nil)
		w.reached["GET /calendar/:token"]++
		text := strings.ReplaceAll(answer.Body.String(), "\r\n ", "")
		if strings.Contains(text, "/t/"+table.String()) != waits {
			w.wrong("doors differ", "calendar", "the calendar of %s has the table: %v; asked: %v", p, !waits, has)
		}
	}
	if p.token == "" {
		return
	}
	_, inbox := w.calls(p, "GET", "/inbox", nil)
	for _, t := range inbox.list("tables") {
		if t.text("table") == table.String() && (t.text("state") == "awaits") != waits {
			w.wrong("doors differ", "API list", "the API's list of %s has the table as %q; asked: %v", p,
				t.text("state"), has)
		}
	}
	status, moves := w.calls(p, "GET", "/tables/"+table.String()+"/moves", nil)
	if status == 200 && (moves["decision"] != nil) != has[desk.AskTurn] {
		w.wrong("doors differ", "API moves", "the API asks %s for %v; asked: %v", p, moves["decision"], has)
	}
}

// feed returns the address of the calendar that the settings name, to be given to a calendar program.
func feed(p *page) (path string, ok bool) {
	if p.doc == nil {
		return "", false
	}
	each(p.doc, func(n *html.Node) bool {
		for _, a := range n.Attr {
			if at, found := strings.CutPrefix(a.Val, base+"/calendar/"); found {
				path, ok = "/calendar/"+at, true
			}
		}
		return true
	})
	return path, ok
}

// signedIn returns who somebody's browser is signed in as.
func (w *walk) signedIn(p *person) (domain.PersonID, bool) {
	for id, at := range w.people() {
		if at == p.address {
			answer := p.desk.ask("GET", "/settings", nil)
			return id, answer.Code == 200
		}
	}
	return "", false
}

// people returns the addresses of everybody who is asked something or was.
func (w *walk) people() map[domain.PersonID]string {
	out := map[domain.PersonID]string{}
	for _, t := range w.known {
		for _, id := range t.everybody {
			out[id] = w.named(id)
		}
	}
	return out
}

func classed(doc *html.Node, class string) (found bool) {
	if doc == nil {
		return false
	}
	each(doc, func(n *html.Node) bool {
		if n.DataAtom == atom.H1 {
			for _, c := range strings.Fields(attrs(n)["class"]) {
				found = found || c == class
			}
		}
		return true
	})
	return found
}

// section returns the part of a page that a heading with an id is of.
func section(doc *html.Node, by string) (found *html.Node) {
	if doc == nil {
		return nil
	}
	each(doc, func(n *html.Node) bool {
		if n.DataAtom == atom.Section && attrs(n)["aria-labelledby"] == by {
			found = n
		}
		return true
	})
	return found
}

func mentions(n *html.Node, table events.Name) (found bool) {
	each(n, func(n *html.Node) bool {
		for _, a := range n.Attr {
			found = found || strings.Contains(a.Val, table.String())
		}
		return true
	})
	return found
}
