package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// signedAs returns what the top of a page says about whose seat it is, if somebody else is signed in; "" if it says
// nothing.
func signedAs(p page) string {
	_, said, _ := strings.Cut(p.body, `id="whose"`)
	if said == "" {
		return ""
	}
	_, said, _ = strings.Cut(said, ">")
	said, _, _ = strings.Cut(said, "</form>")
	said, _, _ = strings.Cut(said, `<div class="game`)
	return said
}

func TestWhoUsesAnothersLinkSeesWhoseSeatAndTheWayBack(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.NoError(t, h.people.SetLanguage(context.Background(), bo.id, "pt-BR"))
	table := h.table("tiny", ana, bo)
	home, link := "/t/"+table, "/p/"+h.play(bo, table)

	p := ana.get(link)
	require.Contains(t, p.body, `<html lang="pt-BR">`, "the page is as its person has it")
	require.Contains(t, p.body, `lang="en"`)
	require.Contains(t, signedAs(p), "You play as Bo.", "but this is said to whoever is signed in")
	require.Contains(t, signedAs(p), "Continue as Ana")
	require.Less(t, strings.Index(p.body, `id="whose"`), strings.Index(p.body, `class="game`),
		"at the top, on a phone as well")
	require.Equal(t, 1, strings.Count(p.body, "You play as Bo")+strings.Count(p.body, "Você joga como Bo"), "once")
	back := ana.send(home+"/leave", p.form(home+"/leave"))
	require.Equal(t, home, back.path)
	require.Contains(t, back.body, `<html lang="en">`)
	require.Contains(t, back.body, "?c=keep", "her own seat")

	// the same once his link was pressed and the browser keeps his seat; and somebody who has done so is offered no
	// sign-in
	p = ana.send(link+"/move", ana.get(link+"?c=keep").form(link+"/move"))
	require.Equal(t, "moved", p.query.Get("done"))
	for _, path := range []string{home, home + "/audit", home + "/tree"} {
		p = ana.get(path)
		require.Contains(t, signedAs(p), "You play as Bo.", path)
		require.Contains(t, signedAs(p), "Continue as Ana", path)
		require.NotContains(t, p.body, `href="/sign-in"`, path)
		require.Contains(t, p.body, `href="/"`, path)
	}
	require.Empty(t, signedAs(ana.get("/settings")), "elsewhere she is herself")

	// nobody is told so about themselves
	require.Empty(t, signedAs(bo.get(home)))
	require.Empty(t, signedAs(bo.get("/p/"+h.fresh(bo, table))))
	phone := h.browser()
	h.press(phone, ana, table, "keep")
	p = phone.get(home)
	require.Empty(t, signedAs(p))
	require.Contains(t, p.body, "You play as Ana", "a browser in which nobody is signed in")
	require.Contains(t, p.body, `href="/sign-in"`)
}

// If nobody else may see a table, there is no seat to go back to: the way back leads to one's own games.
func TestWhoeverMayNotSeeATableGoesBackToTheirOwnGames(t *testing.T) {
	h := open(t)
	ana, bo, eva := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eva")
	study := h.study(h.table("tiny", ana, bo), ana)
	p := eva.get("/p/" + h.play(ana, study))
	require.Equal(t, 200, p.status)
	require.Contains(t, signedAs(p), `href="/"`)
	require.NotContains(t, signedAs(p), "/leave")
}

// A table opened from the list of one's own games is one's own seat, whoever's link was pressed in that browser before.
// It takes a press, since looking sets nothing.
func TestATableInOnesOwnListIsOnesOwnSeat(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, another := h.table("tiny", ana, bo), h.table("tiny", ana, bo)
	home, leave := "/t/"+table, "/t/"+table+"/leave"
	require.Contains(t, ana.get("/").body, `<a href="`+home+`">`)
	h.press(ana, bo, table, "keep")

	list := ana.get("/")
	require.NotContains(t, list.body, `href="`+home+`"`, "that would be his seat")
	require.Contains(t, list.body, `<a href="/t/`+another+`">`)
	require.Contains(t, ana.get(home).body, "You play as Bo", "looking at the list leaves nothing")
	p := ana.send(leave, list.form(leave))
	require.Equal(t, home, p.path)
	require.NotContains(t, p.body, "You play as Bo")
	require.Contains(t, p.body, "?c=keep")
	require.Contains(t, ana.get("/").body, `<a href="`+home+`">`, "then it is a link again")

	// what the browser remembers for that names tables, and has no other use
	h.press(ana, bo, another, "keep")
	at, err := url.Parse(h.web.URL + "/")
	require.NoError(t, err)
	told := 0
	for _, c := range ana.client.Jar.Cookies(at) {
		if c.Name == "posthorn-seats" {
			require.Regexp(t, "^"+another+":[0-9a-f]{8}$", c.Value)
			require.NotContains(t, c.Value, string(bo.id))
			told++
		}
		require.NotEqual(t, "posthorn-seat", c.Name)
	}
	require.Equal(t, 1, told)
	ana.client.Jar.SetCookies(at, []*nethttp.Cookie{
		{Name: "posthorn-seats", Value: "nonsense." + strings.Repeat("x", 3000), Path: "/"}})
	require.Equal(t, 200, ana.get("/").status)
}

// Somebody who has pressed a link in their own mail and signs in there later has one seat at that table, and a link to
// it.
func TestASeatKeptFromOnesOwnMailIsOnesOwn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	h.press(ana, ana, table, "keep")
	list := ana.get("/")
	require.Contains(t, list.body, `<a href="/t/`+table+`">`)
	require.NotContains(t, list.body, "/leave")
}

// Two people of one name who share a tablet see whose seat it shows, and whose the button leads to.
func TestNamesakesAreToldApartWhereTheyShareABrowser(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.NoError(t, h.people.SetName(context.Background(), bo.id, "Ana"))
	table := h.table("tiny", ana, bo)
	tablet := h.browser()
	link := "/p/" + h.fresh(ana, table)
	p := tablet.get(link)
	require.Contains(t, p.body, "Continue as Ana (A)")
	tablet.send(link+"/sit", p.form(link+"/sit"))
	link = "/p/" + h.fresh(bo, table)
	p = tablet.send(link+"/sit", tablet.get(link).form(link+"/sit"))
	require.Contains(t, p.body, "You play as Ana (B).")
	require.Contains(t, p.body, "Continue as Ana (A)</button>")
	require.Contains(t, p.body, "Ana (B)’s seat here")
	require.Contains(t, signedAs(ana.get(link)), "You play as Ana (B).", "somebody signed in, too")
	bo.move(table, "keep")
	require.Contains(t, tablet.get("/t/"+table).body, "You play as Ana (A).")
}
