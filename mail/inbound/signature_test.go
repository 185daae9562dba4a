package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// signatures are how people end mails, without a mark, by language.
var signatures = map[string][]string{
	"en":    {"", "Kind regards,", "Ann Lee", "Head of Post | Mail Ltd", "Phone: +44 7700 900123"},
	"pl":    {"", "Z poważaniem", "Jan Kowalski", "Kierownik, Poczta sp. z o.o.", "tel. 601 234 567"},
	"pt-BR": {"", "Atenciosamente,", "Rafael Souza", "Analista | Correio S.A.", "Tel. +55 11 5555-0101"},
	"pt-PT": {"", "Com os melhores cumprimentos,", "Rui Reis", "Porto", "rui@correio.example"},
}

// A yes above a signature is a yes, to every question.
func TestASignatureIsNothingBesidesAYes(t *testing.T) {
	yes := map[string]string{"en": "Yes", "pl": "Tak", "pt-BR": "Sim", "pt-PT": "Sim"}
	for _, what := range decided {
		for lang, signature := range signatures {
			p := newPost(t)
			table, agreed := asks[what](p, lang)
			p.deliver(table)
			p.becomes(bo, append([]string{yes[lang]}, signature...)...)
			require.True(t, agreed(), "%s, %s", what, lang)
		}
	}
}

// Nobody tells a table their employer and phone number by thanking it.
func TestASignatureIsNotPostedToTheChat(t *testing.T) {
	for lang, signature := range signatures {
		p := newPost(t)
		ids := []domain.PersonID{p.person("Ana", lang), p.person("Bo", "en")}
		table := p.started(desk.NewTable{Rulebook: "tiny"}, ids...)
		p.Does(ids[1], table, desk.ProposeEnd{})
		p.Does(ids[0], table, desk.Agree{Since: p.Sees(table).Table.Proposal.Since})
		p.deliver(table)
		at := p.last()
		require.Equal(t, "outcome: said", p.becomes(ana, append([]string{"De nada! Boa sorte."}, signature...)...))
		require.Equal(t, []string{"reply: said De nada! Boa sorte."}, p.story(table, at))
	}
}

// What is said to follow a line that is no move was meant as one.
func TestOnlyAMoveIsSaidNotToBePlayed(t *testing.T) {
	for lang, says := range map[string]string{"en": "so what follows it was not played either",
		"pl": "więc nie zagrano też tego, co po nim", "pt-BR": "por isso o que vem depois também não foi jogado",
		"pt-PT": "por isso o que vem a seguir também não foi jogado"} {
		const wrong = "offer 1 wool for soup"
		p := newPost(t)
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
			p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
		p.deliver(table)
		p.becomes(ana, wrong, "", "rafa, de Porto")
		p.deliver(table)
		require.NotContains(t, flat(p.newest(ana).Text), says, lang)
		p.becomes(ana, wrong, "end")
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), says, lang)
	}
}
