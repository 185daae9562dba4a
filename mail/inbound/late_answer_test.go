package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// A move that comes too late is told so in whatever way it is written, also beside chat.
func TestALateMoveBesideChatIsToldWhy(t *testing.T) {
	for _, line := range []string{"a a", "2,0 a a", "12a", "end", "Koniec."} {
		t.Run(line, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			asked := p.newest(ana)
			p.play(table, 0, "end")
			p.deliver(table)
			at := p.last()
			p.answerTo(ana, asked, line, "say fourth")
			require.Equal(t, []string{"reply: said fourth"}, p.story(table, at))
			p.deliver(table)
			said := flat(p.newest(ana).Text)
			require.Contains(t, said, "Your line is in the chat.")
			require.Contains(t, said, "The turn you replied to is already over, so no move was played.")
		})
	}
}

// A yes or a no to an offer that is over is told that it is over.
func TestALateAnswerToAnOfferIsToldWhy(t *testing.T) {
	for lang, c := range map[string][2]string{
		"en":    {"yes please!", "That offer is over: Ana withdraws"},
		"pl":    {"Nie, dziękuję", "Tej oferty już nie ma. Ana wycofuje ofertę."},
		"pt-BR": {"Sim, aceito!", "Essa oferta já acabou. Ana retira a oferta."},
		"pt-PT": {"Sim, mas só por duas lãs", "Essa oferta já acabou. Ana retira a oferta."},
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table, _ := p.offered(lang, "brick")
			asked := p.newest(bo)
			p.play(table, 0, "withdraw")
			p.deliver(table)
			p.answerTo(bo, asked, c[0])
			require.Equal(t, "outcome: stale", outcome(p.log.String()))
			p.deliver(table)
			require.Contains(t, flat(p.newest(bo).Text), c[1])
		})
	}
}

// A move in the middle that cannot be made is named, with the reason; what stands behind it is no second reading.
func TestAMoveInTheMiddleThatCannotBeMadeIsNamed(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)},
		p.person("Ana", "pt-BR"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	road, at := p.road(table), p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, road, "aldeia 7", "diga tudo bem?", "fim"))
	require.Equal(t, []string{"reply: said tudo bem?", "reply: move A " + road}, p.story(table, at))
	p.deliver(table)
	said := flat(p.newest(ana).Text)
	require.Contains(t, said, "Não jogado: “aldeia 7”. Nenhuma estrada sua chega a 7.")
	require.NotContains(t, said, "de duas maneiras")
}
