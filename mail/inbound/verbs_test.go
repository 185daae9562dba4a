package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What pages and mails call a turn's end ends it, whatever language its player writes.
func TestATurnEndsInItsPlayersOwnWords(t *testing.T) {
	for lang, texts := range map[string][]string{"en": {"End my turn.", "end turn"},
		"pl": {"zakończ", "Kończę turę", "pas"}, "pt-BR": {"encerrar", "Encerrar o turno", "passo a vez"},
		"pt-PT": {"encerrar", "termino", "Terminar a vez, obrigado"}} {
		for _, text := range texts {
			t.Run(lang+": "+text, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
					p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
				p.deliver(table)
				at := p.last()
				require.Equal(t, "outcome: played", p.becomes(ana, text))
				require.Equal(t, "reply: move A end", p.story(table, at)[0])
			})
		}
	}
}
