package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever hands on their seat by the address of somebody who cannot take it is told what is so of that person.
func TestASeatOfferedToSomebodySeatedSaysWhatIsSo(t *testing.T) {
	h := open(t)
	ana, bo, dawa := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Dawa")
	table := h.table("tiny", ana, bo)
	offers := func(who *browser, address string) page {
		form := who.get("/t/" + table).form("/t/" + table + "/offer")
		form.Set("address", address)
		form.Set("language", "en")
		return who.send("/t/"+table+"/offer", form)
	}
	p := offers(ana, "bo@example.org")
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "That person already has another seat at this table.")
	require.Contains(t, offers(ana, "ana@example.org").body, "That person already has this seat.")

	require.Equal(t, 200, offers(ana, "dawa@example.org").status)
	require.Contains(t, offers(bo, "dawa@example.org").body,
		"That person has already been asked to take over another seat at this table.")
	take := dawa.get("/t/" + table).formAfter(`<form method="post" class="row"><input type="hidden" name="id"`)
	require.Equal(t, 200, dawa.send("/t/"+table+"/takeover", take).status)
	require.Contains(t, offers(bo, "ana@example.org").body,
		"That person has had a seat at this table and knows its hand")
	require.Contains(t, offers(dawa, "ana@example.org").body,
		"This seat was theirs before: they can take it back themselves")
}
