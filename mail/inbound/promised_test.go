package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Whoever is not of a table cannot write to its chat, so no mail says that they can.
func TestWhoDeclinesIsPromisedNoChat(t *testing.T) {
	for lang, c := range map[string]struct{ no, promise string }{
		"en": {"no thanks", "goes into the table’s chat"}, "pl": {"nie, dziękuję", "trafi do rozmowy przy stole"},
		"pt-BR": {"não, obrigado", "vai para a conversa da mesa"},
		"pt-PT": {"não, obrigado", "vai para a conversa da mesa"},
	} {
		p := newPost(t)
		people := []domain.PersonID{p.person("Ana", lang), p.person("Bo", lang), p.person("Cid", lang)}
		table := p.invites(people...)
		require.Equal(t, "outcome: answered", p.becomes(bo, c.no), lang)
		for range 2 { // the answer to what they write then is about the same
			p.deliver(table)
			require.NotContains(t, flat(p.newest(bo).Text), c.promise, lang)
			at := p.last()
			p.becomes(bo, "Sorry!")
			require.Empty(t, p.story(table, at), lang)
		}
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), c.promise, lang)
	}
}
