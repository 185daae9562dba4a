package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// Whoever is polite about a move, or a yes or no, is understood as whoever is not.
func TestPolitenessBesideAMoveChangesNothing(t *testing.T) {
	for text, want := range map[string]string{"End, thanks!": "end", "Koniec, dziękuję": "end",
		"Fim, por favor.": "end", "terminar por favor": "end", "please end": "end", "koniec, proszę": "end",
		"buy please": "buy", "No worries!|end": "end", "No rush.|buy": "buy"} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, lined(text)...))
			require.Equal(t, "reply: move A "+want, p.story(table, at)[0])
		})
	}
	for text, want := range map[string]string{"Não, obrigada": "decline", "No jasne, chętnie zagram!": "accept",
		"Jasne, czemu nie": "accept", "accept please": "accept", "Recuso, obrigado": "decline"} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table, _ := p.offered("pt-BR", "brick")
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(bo, text))
			require.Equal(t, []string{"reply: move B " + want}, p.story(table, at))
		})
	}
}
