package http_test

import (
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var listedTable = regexp.MustCompile(`<a href="(/t/[0-9a-f]+)">`)

// Given more games than a part of the list holds, when Ana looks through the parts, then each game is there once.
func TestALongListOfGamesComesInParts(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	openers := []*browser{h.signedIn("Bo"), h.signedIn("Cid"), h.signedIn("Dov"), h.signedIn("Eva")} // nobody opens so many in a day
	var all []string
	for i := range 48 {
		p := h.opens("tiny", url.Values{"pace": {"weekly"}}, openers[i%4], ana)
		require.Equal(t, 200, p.status, p.body)
		all = append(all, p.path)
	}
	seen := map[string]int{}
	for p := ana.get("/"); ; {
		for _, m := range listedTable.FindAllStringSubmatch(p.body, -1) {
			seen[m[1]]++
		}
		next := regexp.MustCompile(`rel="next" href="(/\?from=\d+)"`).FindStringSubmatch(p.body)
		if next == nil {
			require.Contains(t, p.body, `href="/">The first games`)
			break
		}
		require.Contains(t, p.body, "8 more games")
		p = ana.get(next[1])
		require.Equal(t, 200, p.status)
	}
	require.Len(t, seen, 48)
	for _, path := range all {
		require.Equal(t, 1, seen[path], path)
	}
	require.Equal(t, 200, ana.get("/?from=-3").status)
	require.Equal(t, 200, ana.get("/?from=many").status)
	require.Equal(t, 200, ana.get("/?from=99999999999999999999").status)
}
