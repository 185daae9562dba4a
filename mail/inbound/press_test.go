package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// Two moves in one reply are both meant, in their order; where the first brings up a question, it alone is played.
func TestTwoMovesOfAReplyAreBothPlayed(t *testing.T) {
	for _, c := range []struct {
		lang  string
		lines []string
		want  []string
	}{
		{"pt-PT", []string{"construir junta de freguesia 1 acima", "fim"},
			[]string{"reply: move A build parish_hall 1 above", "reply: move A end"}},
		{"pt-BR", []string{"aldeia à direita", "fim"}, []string{"reply: move A settle right"}},
		{"pt-BR", []string{"aldeia à direita; fim"}, []string{"reply: move A settle right"}},
		{"pl", []string{"osada w prawo", "koniec"}, []string{"reply: move A settle right"}},
		{"en", []string{"settle right", "end"}, []string{"reply: move A settle right"}},
	} {
		t.Run(c.lang+": "+c.lines[0], func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "rivals", Given: []byte(`{"phase":"act","active":"A",
				"seats":[{"hand":["parish_hall","brick_factory","austin"],
				"stores":{"0a":3,"0b":3,"1a":3,"1b":3,"2a":3,"2b":3}},{}]}`)}, p.person("Ana", c.lang), p.person("Bo", "en"))
			p.deliver(table)
			p.play(table, 0, "road right")
			p.deliver(table)
			at := p.last()
			got := p.becomes(ana, c.lines...)
			p.deliver(table)
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text))
			require.Equal(t, c.want, p.story(table, at)[:len(c.want)])
		})
	}
}
