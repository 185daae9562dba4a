package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// The mail about an end says who won and by what, and shows the board; it does not list each card of each stack.
func TestAMailAboutAnEndIsShort(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "rivals", Choices: map[string]string{"play": "intro"},
		Given: []byte(`{"phase":"act","active":"A","seats":[{"hand":["brick_factory","austin","wool_ship"],` +
			`"towns":["-1 city","0 city","1 city","2 settlement"],"roads":[-1,0,1]},{}]}`)},
		p.person("Ana", "en"), p.person("Bo", "en"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "end", "no exchange"))
	p.deliver(table)
	for _, who := range []string{ana, bo} {
		text := p.newest(who).Text
		require.Contains(t, text, "Ana")
		require.Contains(t, text, "7")
		require.NotContains(t, text, "The board in words")
		require.LessOrEqual(t, strings.Count(text, "\n"), 75, text)
	}
}
