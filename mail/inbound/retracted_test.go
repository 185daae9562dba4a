package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// A line below a move that may take it back is asked about: nothing is played. A greeting or a courtesy is not.
func TestALineThatTakesTheMoveBackIsAskedAbout(t *testing.T) {
	for _, c := range []struct{ lang, text, comes string }{
		{"en", "end turn|oh wait, no", "asked"},
		{"en", "end turn|no hang on, a road would be better", "asked"},
		{"en", "end turn|Sorry, I meant offer", "asked"},
		{"pl", "koniec tury|a nie, czekaj, jeszcze myślę", "asked"},
		{"pt-BR", "encerrar o turno|não, melhor esperar", "asked"},
		{"pt-PT", "terminar o turno|espera, ainda não", "asked"},
		{"en", "end turn|Cheers, Ana", "played"},
		{"en", "end turn|Thanks all, have fun!", "played"},
		{"pl", "koniec tury|Miłego wieczoru!", "played"},
		{"pt-BR", "encerrar o turno|Abraço a todos", "played"},
		{"pt-PT", "terminar o turno|Obrigada e até logo", "played"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			require.Equal(t, "outcome: "+c.comes, p.becomes(ana, lined(c.text)...))
			require.Equal(t, c.comes == "played", len(p.replied(table, at)) > 0)
		})
	}
}
