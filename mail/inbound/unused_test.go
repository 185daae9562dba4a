package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What stands below a line that did something else than play, and did nothing itself, is said to be passed on to
// nobody. A courtesy is not.
func TestALineBelowWhatIsNoMoveIsNotPassedOver(t *testing.T) {
	const besides = "Passed on to nobody: “"
	for _, c := range []struct {
		text, outcome string
		told          bool
	}{
		{"say Hello from the church|my cat is sick", "said", true},
		{"say Hello from the church|Cheers, Ana", "said", false},
		{"away until Sunday|my sister is getting married", "away", true},
		{"away until Sunday|Thanks!", "away", false},
		{"order roll|I ate too much today", "ordered", true},
		{"order roll|Thanks!", "ordered", false},
	} {
		p := newPost(t)
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
			p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
		p.deliver(table)
		require.Equal(t, "outcome: "+c.outcome, p.becomes(ana, lined(c.text)...), c.text)
		p.deliver(table)
		answer := flat(p.newest(ana).Text)
		require.Equal(t, c.told, strings.Contains(answer, besides), "%s\n%s", c.text, answer)
	}
}
