package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// The settings page reports correctly what it did, or could not do.
func TestSettingsSayWhatTheyDid(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")

	p := ana.send("/settings/away", url.Values{"from": {inDays(10)}, "until": {inDays(8)}})
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "The last day lies before the first.")
	require.NotContains(t, p.body, "from today on", "both are in the future")

	p = ana.send("/settings/address", url.Values{"address": {" ana@EXAMPLE.org"}})
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "That is your address already.")
	p = ana.send("/settings/address", url.Values{"address": {"anna@example.org"}})
	require.Equal(t, "address", p.query.Get("done"))

	p = ana.send("/settings/links", nil)
	require.Equal(t, "withdrawn", p.query.Get("done"))
	require.Contains(t, p.body, "Links in earlier emails no longer work.")
}

// Somebody who enters their own address for a friend's seat is told so before they hold both; if they mean it, they can
// choose it.
func TestOnesOwnAddressAtAFriendsSeatIsNoticed(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for key, value := range map[string]string{"pace": "weekly", "seat.0": "me", "seat.1": "friend",
		"address.1": "Ana <ana@example.org>"} {
		form.Set(key, value)
	}
	p := ana.send("/new/tiny", form)
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "Seat B has your own address. To play that seat yourself, too, choose “Me” there.")
	require.Contains(t, p.body, "Ana &lt;ana@example.org&gt;", "what was chosen is kept")
	form.Set("seat.1", "me")
	p = ana.send("/new/tiny", form)
	require.Equal(t, 200, p.status, p.body)
	require.Len(t, h.look(p.path[len("/t/"):]).Table.Places, 2)
}
