package http_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
)

// adds asks for another address on the settings page, and presses the button of the page that its mail leads to.
func (b *browser) adds(address string, main bool) page {
	b.t.Helper()
	form := b.get("/settings").form("/settings/address")
	form.Set("address", address)
	require.Equal(b.t, "address", b.send("/settings/address", form).query.Get("done"))
	l := b.post.last(b.t)
	require.Equal(b.t, address, l.to)
	p := b.get("/sign-in/" + l.token)
	require.Contains(b.t, p.body, address)
	require.Contains(b.t, p.body, `name="main" value="on" checked`)
	form = url.Values{}
	if main {
		form.Set("main", "on")
	}
	return b.send("/sign-in/"+l.token, form)
}

// atAddress presses the button beside one of the reader's addresses.
func (b *browser) atAddress(what, address string) page {
	b.t.Helper()
	p := b.get("/settings")
	mark := `<form method="post" action="/settings/address/` + what + `"><input type="hidden" name="address" value="` +
		address + `">`
	require.Contains(b.t, p.body, mark)
	return b.send("/settings/address/"+what, url.Values{"address": {address}})
}

func (h *house) theirs(b *browser) (out []string) {
	h.t.Helper()
	all, err := h.people.Addresses(context.Background(), b.id)
	require.NoError(h.t, err)
	for _, o := range all {
		out = append(out, string(o.Address))
	}
	return out
}

func TestAnAddressIsAddedByAMailToIt(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	p := ana.adds("ana@new.example", false)
	require.Equal(t, "/settings", p.path)
	require.Equal(t, "added", p.query.Get("done"))
	require.Contains(t, p.body, "<b>ana@example.org</b>")
	require.Contains(t, p.body, "<b>ana@new.example</b>")
	require.Equal(t, []string{"ana@example.org", "ana@new.example"}, h.theirs(ana))
	require.Equal(t, "ana@example.org", h.post.moved[0].to, "her other address hears of it")
	require.Equal(t, "added an…@new.example", h.post.moved[0].game)

	phone := h.browser()
	phone.send("/sign-in", url.Values{"address": {"ana@new.example"}})
	l := h.post.last(t)
	require.Equal(t, "ana@new.example", l.to, "the mail goes where she asked for it")
	require.Contains(t, phone.get("/sign-in/"+l.token).body, "as Ana")
	require.Equal(t, 200, phone.send("/sign-in/"+l.token, nil).status)
	require.Contains(t, phone.get("/settings").body, "<b>ana@new.example</b>")

	require.Equal(t, 200, ana.atAddress("main", "ana@new.example").status)
	require.Equal(t, []string{"ana@new.example", "ana@example.org"}, h.theirs(ana))
	p = ana.atAddress("remove", "ana@example.org")
	require.Contains(t, p.body, "removed; can be taken back until")
	require.Contains(t, h.post.told, "afresh "+string(ana.id), "what she is asked is mailed anew")
	epoch, err := h.people.PassEpoch(context.Background(), ana.id)
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch, "and the links mailed there are withdrawn")
	sent := len(h.post.sent)
	h.browser().send("/sign-in", url.Values{"address": {"ana@example.org"}})
	require.Len(t, h.post.sent, sent, "a removed address signs nobody in")
	last := h.post.moved[len(h.post.moved)-1]
	require.Equal(t, "ana@example.org removed an…@example.org", last.to+" "+last.game)
	require.NotEmpty(t, last.token, "it is told that it was removed, and takes that back")
	p = ana.send("/settings/address/remove", url.Values{"address": {"ana@new.example"}})
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "Your emails go to this address.")
	require.Contains(t, ana.get("/settings/data").body, `"other_addresses"`)
}

// A mistyped address is perhaps somebody's: they do not get into the account.
func TestAStrangerAddsNoAddressByItsLink(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	ana.send("/settings/address", url.Values{"address": {"ana@typo.example"}})
	link := "/sign-in/" + h.post.last(t).token
	for name, b := range map[string]*browser{"nobody": h.browser(), "somebody else": bo} {
		p := b.get(link)
		require.Contains(t, p.body, "sign in first", name)
		require.Equal(t, link, p.form("/sign-in").Get("next"), "after that it leads back here")
		require.NotContains(t, b.send(link, url.Values{"main": {"on"}}).body, "ana@", name)
	}
	require.Equal(t, []string{"ana@example.org"}, h.theirs(ana))
	require.Equal(t, 401, h.browser().get("/settings").status)
	require.Equal(t, 401, h.browser().send("/settings/address", url.Values{"address": {"x@example.org"}}).status)
	require.Equal(t, "added", ana.send(link, nil).query.Get("done"), "the link is still hers")
}

func TestTheAnswerTellsNothingOfAnAddress(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	h.signedIn("Bo")
	sent := len(h.post.sent)
	known := ana.send("/settings/address", url.Values{"address": {"bo@example.org"}})
	require.Len(t, h.post.sent, sent, "no link")
	require.Equal(t, []string{"bo@example.org"}, h.post.taken, "its owner alone is told")
	unknown := ana.send("/settings/address", url.Values{"address": {"jo@example.org"}})
	plain := func(p page) string { return strings.NewReplacer("bo@", "", "jo@", "").Replace(p.body) }
	require.Equal(t, plain(unknown), plain(known))
	require.Equal(t, unknown.query, known.query)
	require.Equal(t, 422, ana.send("/settings/address", url.Values{"address": {"nothing"}}).status)
}

// Given somebody at Ana's browser who adds an address of theirs and removes hers, when she presses what her mail leads
// to, then all is as before, and that browser is signed out.
func TestWhoeverWasThereFirstTakesAChangeBack(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	ana.adds("eve@example.net", true)
	ana.atAddress("remove", "ana@example.org")
	p := ana.get("/settings")
	require.NotContains(t, p.body, "/settings/delete")
	require.Contains(t, p.body, "an older one can still take that back", "nor does anybody end the account")
	l := h.post.moved[len(h.post.moved)-1]
	for _, m := range h.post.moved {
		if m.to == "ana@example.org" {
			l = m
		}
	}
	require.Equal(t, "removed an…@example.org", l.game)
	home := h.browser()
	p = home.get("/b/" + l.token)
	require.Contains(t, p.body, "“Ana”")
	require.NotContains(t, p.body, "eve@")
	require.Equal(t, []string{"eve@example.net", "ana@example.org"}, h.theirs(ana), "opening it changes nothing")
	epoch, err := h.people.PassEpoch(context.Background(), ana.id)
	require.NoError(t, err)
	p = home.send("/b/"+l.token, p.formAfter(`<form method="post">`))
	require.Equal(t, 200, p.status)
	require.Contains(t, p.body, "nobody is signed in as you any more")
	require.Equal(t, []string{"ana@example.org"}, h.theirs(ana))
	require.Equal(t, 401, ana.get("/settings").status)
	now, err := h.people.PassEpoch(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, epoch+1, now, "links are withdrawn")
	require.Equal(t, "afresh "+string(ana.id), h.post.told[len(h.post.told)-1])
	require.Equal(t, 410, home.get("/b/"+l.token).status)
	who, err := h.people.Person(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, people.Address("ana@example.org"), who.Address)
}
