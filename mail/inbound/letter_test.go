package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// A letter of another mail is told from a move that is written wrongly.
func TestALetterOfAnotherMailIsSaidToBeOne(t *testing.T) {
	for lang, says := range map[string]string{"en": "each email has its own letters", "pl": "każda ma własne litery",
		"pt-BR": "cada e‑mail tem as suas letras", "pt-PT": "cada e‑mail tem as suas letras"} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(corner)}, p.person("Ana", lang),
				p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			for _, text := range []string{"x", "q 14"} {
				require.Equal(t, "outcome: asked", p.becomes(ana, text))
				require.Empty(t, p.story(table, at))
				p.deliver(table)
				require.Contains(t, flat(p.newest(ana).Text), says)
			}
		})
	}
}
