package inbound_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/programtest"
)

// hedged are answers that begin with a no or contain one and mean something else, or more, by language.
var hedged = map[string][]string{
	"en": {"No time until Friday, I will answer then", "No idea yet", "No rush, but I need to think",
		"Not before Friday",
		"No can do today, ask me tomorrow", "I can't see the board on my phone", "I cannot open the picture",
		"No picture in the mail", "Not now", "Not today", "Not a bad idea!", "No way I would miss that!", "No?",
		"No. Kidding!", "NO CLUE", "Never mind me, go ahead", "No more than one wool", "No deal for wool, ask for ore",
		"I won't be home until Friday", "I won't say no", "Can't wait!", "No. Later.", "No. Wait!",
		"I can't promise anything",
		"Unfortunately I read this on a train, more tonight", "No one told me who plays",
		"No. See you on Friday, not before",
		"I refuse to say no", "I'm good, thanks", "Thanks, but I'm good", "I'm good!", "I'll pass the word on"},
	"pl": {"Nie będzie mnie do piątku, odpowiem później.", "Nie widzę planszy na telefonie, odpiszę z domu.",
		"Nie mogę teraz, wieczorem", "Nie mogę się doczekać!", "Nie dam rady dziś, jutro odpiszę", "Nie teraz",
		"Nie dziś",
		"Nie do końca rozumiem", "Nie rozumiem pytania", "Nie wiem, co to znaczy", "Nie jestem przy komputerze",
		"Nie ma pośpiechu",
		"Nie odmówię!", "Nie śpieszcie się, odpowiem w niedzielę", "Niestety czytam to w pociągu", "Nie?",
		"Nie. Żartuję!",
		"NIE WIDZĘ OBRAZKA", "Nie tylko chętnie, ale z radością", "Nie mam teraz czasu", "Nie mam zdania",
		"Nie zdążę przed piątkiem",
		"Nie miałbym nic przeciwko temu, żeby jeszcze pograć", "Nie. Do piątku nie mogę", "Nie. Potem",
		"No to gramy", "Nie odpowiem przed jutrem",
		"Nie ma mowy, żebym to przegapił", "Przepraszam Emma, nie gniewaj się :)", "Jeszcze nie, grajmy dalej",
		"Daj spokój"},
	"pt-BR": {"Não vou estar em casa até sexta, respondo depois.", "Não posso prometer, mas acho que sim",
		"Não vejo a imagem",
		"Não consigo ver o tabuleiro", "Não sei ainda", "Não posso agora, respondo à noite", "Agora não", "Hoje não",
		"Não antes de sexta", "Não entendi a pergunta", "Não perco por nada!", "Não vejo a hora!", "Não estou em casa",
		"Não tenho tempo hoje", "Não tenho certeza", "Não?", "Não. Brincadeira!", "NÃO ABRE", "Não vou dizer que não",
		"Não até sexta", "Não. Depois", "Não. Até sexta não posso responder", "Não recuso um jogo desses",
		"Infelizmente estou na rua, respondo logo",
		"Não li tudo, já volto", "No celular não vejo", "Nunca recuso", "Não precisa esperar por mim",
		"Tô de boa, valeu", "Fico devendo, obrigado", "Deixa pra lá", "Não, ainda não", "Sim, se for 2 minérios"},
	"pt-PT": {"Não vou estar em casa até sexta, respondo depois.", "Não posso prometer, mas acho que sim",
		"Não vejo a imagem",
		"Não consigo ver o tabuleiro", "Não sei bem", "Não posso já, logo à noite respondo", "Agora não", "Hoje não",
		"Não antes de sexta", "Não percebi a pergunta", "Não perco isso por nada", "Não estou em casa",
		"Não tenho tempo hoje",
		"Não tenho a certeza", "Não?", "Não. Estou a brincar!", "NÃO ABRE", "Não digo que não",
		"Não se preocupem, respondo já",
		"Não. Até sexta não posso responder", "Não recuso um jogo desses", "Infelizmente estou no comboio",
		"Não li tudo ainda",
		"No telemóvel não vejo", "Nunca recuso", "Não é preciso esperar por mim", "Não falto!"},
}

// flatly are answers that say no and are polite, by language.
var flatly = map[string][]string{
	"en": {"No thanks. Bo", "Sorry, no!", "Hi Ana, not this time :-(|Bo", "No, thank you.",
		"No thanks, maybe next time!",
		"I'm sorry, no|Best,|Bo", "I'll pass, thanks", "No way!", "I decline the offer"},
	"pl": {"Nie, dziękuję", "Niestety nie.|Pozdrawiam, Bo", "Cześć Ana, nie tym razem :(", "Przykro mi, nie",
		"Nie, dzięki za zaproszenie!", "Nie ma mowy!", "W żadnym wypadku!", "Odmawiam oferty"},
	"pt-BR": {"Não, obrigado", "Desculpa, não :(", "Oi Ana, desta vez não.|Abraços|Bo", "Não, obrigado pelo convite!",
		"Infelizmente não posso.", "Recuso a oferta, obrigado", "Não aceito", "Não, obrigado, gente"},
	"pt-PT": {"Não, obrigada.", "Desculpe, não ;-)", "Olá Ana, desta vez não.|Cumprimentos,|Bo", "Não quero, obrigado!",
		"Lamento, não", "Dispenso, obrigada"},
}

// willing are answers that have a no in them and say yes, by language.
var willing = map[string][]string{
	"en": {"No problem!", "No objections from me", "No objections.", "Sure, go ahead", "Sure, go for it!",
		"No objection here.",
		"Works for me, thanks!", "Fine by me. That was fun!"},
	"pl": {"Nie ma problemu!", "Tak, nie ma sprawy", "No jasne!", "Nie mam nic przeciwko", "Nie widzę przeszkód.",
		"Niech będzie", "Szkoda, ale niech będzie", "W porządku, czemu nie", "Może być", "Spoko!",
		"No dobra, niech będzie",
		"Dobra, zgoda!"},
	"pt-BR": {"Sem problema!", "Não vejo problema nenhum", "Não me oponho", "Não me importo.", "Não tenho nada contra",
		"Tá bom, fechado!", "Beleza", "Não vejo por que não", "Por mim, tudo bem. Foi divertido!", "Está ótimo",
		"Sim, obrigado pela partida", "Tudo bem, foi um prazer"},
	"pt-PT": {"Sem problema!", "Não vejo problema nenhum", "Não me oponho", "Não me importo.", "Não tenho objeções",
		"Por mim está bem", "Força!"},
}

// decided are questions that a no decides, each in a way of its own.
var decided = []string{"an invitation", "a proposal to end", "an offer of cards"}

// A no decides as much as a yes: a seat that is declined and an offer that is gone do not come back.
func TestANoWithSomethingElseIsAskedAbout(t *testing.T) {
	said := map[string]string{"en": "Did you mean no?", "pl": "Czy to miało znaczyć „nie”?",
		"pt-BR": "Você quis dizer não?", "pt-PT": "Quis dizer não?"}
	for _, what := range decided {
		for lang, all := range hedged {
			t.Run(what+", "+lang, func(t *testing.T) {
				met := 0
				for texts := range slices.Chunk(all, 14) { // more get no answer on one day
					p := newPost(t)
					table, _ := asks[what](p, lang)
					p.deliver(table)
					at := p.last()
					for _, text := range texts {
						require.NotContains(t, []string{"outcome: answered", "outcome: played"},
							p.becomes(bo, lined(text)...), text)
						require.Empty(t, p.story(table, at), text)
						p.deliver(table)
						if strings.Contains(flat(p.newest(bo).Text), said[lang]) {
							met++
						}
					}
				}
				require.Greater(t, met, len(all)/2, "the rest is no clear no")
			})
		}
	}
}

// Politeness beside a no changes nothing, and neither does a no in a sentence that is known to say yes.
func TestAPlainNoIsCarriedOut(t *testing.T) {
	programtest.Long(t)
	for _, what := range decided {
		answers := func(lang, text string) (agreed bool) {
			p := newPost(t)
			table, done := asks[what](p, lang)
			p.deliver(table)
			require.Contains(t, []string{"outcome: answered", "outcome: played"}, p.becomes(bo, lined(text)...), text)
			return done()
		}
		for lang, texts := range flatly {
			for _, text := range texts {
				answered := what == "an offer of cards" // which a no ends, too
				require.Equal(t, answered, answers(lang, text), text)
			}
		}
		for lang, texts := range willing {
			for _, text := range texts {
				require.True(t, answers(lang, text), text)
			}
		}
	}
}

// A seat that is taken is given up by as clear a no.
func TestASeatIsNotGivenUpByASentenceWithANo(t *testing.T) {
	p := newPost(t)
	table := p.invites(p.person("Ana", "en"), p.person("Bo", "pl"), p.person("Cid", "en"))
	asked := p.newest(bo)
	require.Equal(t, "outcome: answered", p.becomes(bo, "tak"))
	p.answerTo(bo, asked, "Nie będzie mnie do piątku, ale gram!")
	require.Equal(t, "outcome: asked", outcome(p.log.String()))
	require.NotEmpty(t, p.Sees(table).Table.Places[1].Holders)
	p.answerTo(bo, asked, "Nie, dziękuję")
	require.Empty(t, p.Sees(table).Table.Places[1].Holders)
}
