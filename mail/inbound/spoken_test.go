package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// Whoever spoke of no offer is told of none: a yes, a no or a sorry to a mail about a turn is no answer to one.
func TestWhoSpokeOfNoOfferIsToldOfNone(t *testing.T) {
	for _, c := range []struct{ lang, text, not string }{
		{"en", "Yes", "no such offer"}, {"en", "Sorry Bo, no hard feelings!", "no such offer"},
		{"pl", "Przepraszam Bo, nie gniewaj się :)", "takiej oferty"}, {"pl", "Tak", "takiej oferty"},
		{"pt-BR", "Sim", "tal oferta"}, {"pt-BR", "Por mim, tudo bem", "tal oferta"},
		{"pt-PT", "Não, obrigada", "tal oferta"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			require.NotEqual(t, "outcome: played", p.becomes(ana, c.text))
			require.Empty(t, p.story(table, at))
			require.NotContains(t, p.answers(table)[0], c.not)
		})
	}
}

// An offer is answered by whose it is, in the words of its language.
func TestAnOfferIsAnsweredByWhoseItIs(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"en", "I decline the offer from Ana", "decline"}, {"en", "I accept Ana's offer", ""},
		{"pl", "Odmawiam oferty od Ana", "decline"}, {"pl", "Przyjmuję ofertę od Ana", "accept"},
		{"pt-BR", "Aceito a oferta da Ana", "accept"}, {"pt-PT", "Recuso a proposta da Ana", "decline"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table, _ := p.offered(c.lang, "brick")
			at := p.last()
			p.becomes(bo, c.text)
			if c.want == "" {
				require.Empty(t, p.story(table, at))
				return
			}
			require.Contains(t, p.story(table, at)[0], "reply: move B "+c.want)
		})
	}
}

// A step is taken back politely, too.
func TestAStepIsTakenBackPolitely(t *testing.T) {
	for lang, texts := range map[string][]string{"en": {"Undo please", "Oops, take it back, thanks"},
		"pl": {"cofnij, proszę", "Ups, cofnij!"}, "pt-BR": {"Ops, voltar por favor", "Desfazer, por favor"},
		"pt-PT": {"Desculpem, voltar atrás"}} {
		for _, text := range texts {
			t.Run(lang+": "+text, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(developing)},
					p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
				p.deliver(table)
				require.Equal(t, "outcome: played", p.becomes(ana, "road 44"))
				p.deliver(table)
				require.Equal(t, "outcome: back", p.becomes(ana, text))
			})
		}
	}
}

// An absence, and its end, may be told among other words.
func TestAnAbsenceIsToldAmongOtherWords(t *testing.T) {
	for lang, c := range map[string][2][]string{
		"en": {{"I'm away until Friday, sorry folks", "Sorry all, I'm away until Friday",
			"I'm away until Wednesday, back then"},
			{"I'm back now, thanks for waiting", "Hi all, I'm back!"}},
		"pl": {{"Nie ma mnie do piątku, przepraszam", "Hej, nie będzie mnie do piątku!"}, {"Cześć, wróciłam!"}},
		"pt-BR": {{"Pessoal, vou viajar e estarei fora até quinta-feira", "Estarei fora até sexta, desculpem"},
			{"voltei!"}},
		"pt-PT": {{"Olá a todos, estarei fora até quinta-feira"}, {"Já voltei, obrigada pela espera"}},
	} {
		for _, away := range c[0] {
			for _, back := range c[1] {
				t.Run(lang+": "+away, func(t *testing.T) {
					p := newPost(t)
					people := []domain.PersonID{p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en")}
					table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)}, people...)
					p.deliver(table)
					require.Equal(t, "outcome: away", p.becomes(ana, away), p.answers(table))
					require.False(t, p.Sees(table).Table.AwayUntil(people[0]).IsZero())
					p.deliver(table)
					require.Equal(t, "outcome: here", p.becomes(ana, back), p.answers(table))
				})
			}
		}
	}
}
