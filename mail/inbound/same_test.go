package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// Whoever writes the same long line until it can be played is no machine: it is played.
func TestTheSameTextPlaysOnceItCan(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	const yes = "Accept, Ana! Thank you very much!"
	for range 3 {
		require.Equal(t, "outcome: played", p.becomes(ana, "offer 1 wool for 1 ore"))
		p.deliver(table)
		require.Equal(t, "outcome: played", p.becomes(ana, "withdraw"))
		require.Equal(t, "outcome: stale", p.becomes(bo, yes))
		p.deliver(table)
	}
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 1 wool for 1 ore"))
	p.deliver(table)
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(bo, yes))
	require.Equal(t, []string{"reply: move B accept"}, p.replied(table, at))
}
