package http_test

import (
	"fmt"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http"
)

// Given somebody who has asked for links to 240 invented addresses of a domain, from a dozen networks, when a new
// person of that domain asks from their own network, then their link is mailed.
func TestInventedNamesKeepNobodyOut(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	asks := func(name, from string) int {
		h.browser().do("POST", "/sign-in", url.Values{"address": {name + "@example.org"}}, func(r *nethttp.Request) {
			r.Header.Set("X-Forwarded-For", from)
		})
		return len(h.post.sent)
	}
	for n := range 240 {
		asks(fmt.Sprintf("invented%d", n), fmt.Sprintf("203.0.113.%d", n/20))
	}
	before := len(h.post.sent)
	require.Less(t, before, 240, "there is a limit")
	require.Equal(t, before+1, asks("newcomer", "198.51.100.1"))
	require.Equal(t, "newcomer@example.org", h.post.last(t).to)
	require.Equal(t, before+1, asks("another", "198.51.100.1"), "one from each network, until there is room again")
}
