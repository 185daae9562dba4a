package http_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
)

func TestAStudyIsSharedWithPersonsByName(t *testing.T) {
	h := open(t)
	ana, bo, eve, nobody := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve"), h.browser()
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	study := h.study(table, ana)
	again := h.study(study, ana)
	path := "/t/" + study
	to := func(b *browser, path string, form url.Values) page { return b.send(path+"/share/with", form) }
	person := func(b *browser) url.Values { return url.Values{"person": {string(b.id)}} }

	p := to(ana, path, person(bo))
	require.Equal(t, 409, p.status, "while the game runs it shows her hand")
	require.Contains(t, p.body, "once the games that it goes on from are over")
	require.Equal(t, 404, bo.get(path).status)
	require.Equal(t, 404, to(bo, path, person(bo)).status)

	h.breaksOff(table)
	p = ana.get(path)
	require.Contains(t, p.body, `<button name="person" value="`+string(bo.id)+`">Bo</button>`, "who sat at the game")
	require.NotContains(t, p.body, string(eve.id))
	require.Equal(t, 200, to(ana, path, person(bo)).status)
	require.Equal(t, 409, to(ana, path, person(eve)).status, "a person whom she has not met is named by address")
	require.Equal(t, 409, to(ana, path, person(ana)).status)
	require.Equal(t, 409, to(ana, path, url.Values{"address": {"no address"}}).status)
	require.Equal(t, 409, to(ana, "/t/"+again, person(bo)).status, "it goes on from a study")

	p = bo.get(path)
	require.Equal(t, 200, p.status)
	require.NotContains(t, p.body, `id="share"`)
	require.Equal(t, 409, to(bo, path, url.Values{"address": {"eve@example.org"}}).status, "it is not his to show")
	require.Contains(t, bo.get("/").body, "a study by Ana")
	require.Contains(t, bo.get("/").body, path)
	for _, b := range []*browser{eve, nobody} {
		require.Equal(t, 404, b.get(path).status)
		require.NotContains(t, b.get("/").body, study)
	}
	require.Equal(t, 404, bo.get("/t/"+again).status, "another one was not shown")

	// By address, even to somebody who has never been here: it looks the same to Ana, and is in their list once they
	// come.
	require.Equal(t, 200, to(ana, path, url.Values{"address": {"eve@example.org"}}).status)
	require.Equal(t, 200, to(ana, path, url.Values{"address": {"New@example.org"}}).status)
	require.Equal(t, 200, eve.get(path).status)
	p = ana.get(path)
	require.NotContains(t, p.body, string(eve.id))
	require.Contains(t, p.body, "<b>eve@example.org</b>")
	require.NotContains(t, p.body, "<b>Eve</b>")
	require.Contains(t, p.body, "<b>New@example.org</b>")
	_, err := h.people.ByAddress(context.Background(), "new@example.org")
	require.ErrorIs(t, err, people.ErrNobody, "it invites nobody to the house")
	late := h.signedIn("New")
	require.Equal(t, 200, late.get(path).status)
	require.Contains(t, late.get("/").body, path)
	require.Equal(t, "address", late.send("/settings/address", url.Values{"address": {"new@new.example"}}).
		query.Get("done"))
	require.Equal(t, 200, late.send("/sign-in/"+h.post.last(t).token, url.Values{"main": {"on"}}).status)
	require.Equal(t, 200, late.send("/settings/address/remove", url.Values{"address": {"new@example.org"}}).status)
	require.Equal(t, 200, late.get(path).status, "wherever they are written to")

	// Taken back from one, it stays with the other.
	eves := url.Values{"stop": {"eve@example.org"}}
	require.Equal(t, 200, to(bo, path, eves).status)
	require.Equal(t, 200, eve.get(path).status, "it is not his to hide")
	require.Equal(t, 200, to(ana, path, eves).status)
	require.Equal(t, 404, eve.get(path).status)
	require.NotContains(t, eve.get("/").body, study)
	require.Equal(t, 200, bo.get(path).status)
}

// sharesByProgram shares a study of Ana's through the API, and takes it back.
func (h *house) sharesByProgram(t *testing.T, anaHere, boHere *browser, ana, bo *bot) {
	t.Helper()
	table := h.table("tiny", anaHere, boHere)
	study := h.study(table, anaHere)
	at := "/tables/" + study + "/share"
	require.Equal(t, "share-running", ana.call("POST", at, m{"link": true}).code())
	none := m{"may": false, "link": false, "with": []any{}, "known": []any{}}
	require.Equal(t, none, ana.get(at))
	h.breaksOff(table)
	bos := m{"person": string(boHere.id), "name": "Bo"}
	require.Equal(t, m{"may": true, "link": false, "with": []any{}, "known": []any{bos}}, ana.get(at))
	require.Equal(t, 404, bo.call("GET", at, nil).status)
	require.Equal(t, m{"may": true, "link": false, "with": []any{bos}, "known": []any{}},
		ana.post(at, m{"with": m{"person": string(boHere.id)}}))
	h.signedIn("Cid")
	// An address is answered the same whether it is a player's, somebody's or nobody's.
	for _, address := range []string{"bo@example.org", "Cid@example.org", "nobody@example.org"} {
		theirs := m{"address": address, "name": address}
		require.Equal(t, m{"may": true, "link": false, "with": []any{bos, theirs}, "known": []any{}},
			ana.post(at, m{"with": m{"address": address}}))
		require.Equal(t, m{"may": true, "link": false, "with": []any{bos}, "known": []any{}},
			ana.post(at, m{"stop": address}))
	}
	require.Equal(t, none, bo.get(at))
	require.Equal(t, "share-others", bo.call("POST", at, m{"link": true}).code())
	list := func() (out []any) {
		for _, row := range bo.get("/inbox")["tables"].([]any) {
			if row.(m)["state"] == "shared" {
				out = append(out, row.(m)["table"])
			}
		}
		return out
	}
	require.Equal(t, []any{study}, list())
	require.Equal(t, "spectator", bo.get("/tables/" + study)["viewer"])
	require.Equal(t, true, ana.post(at, m{"link": true, "stop": string(boHere.id)})["link"])
	require.Empty(t, list())
	require.Equal(t, false, ana.post(at, m{"link": false})["link"])
	require.Equal(t, 404, bo.call("GET", "/tables/"+study, nil).status)
}
