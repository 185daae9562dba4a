package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

func TestASmileyReachesTheChatWhole(t *testing.T) {
	for line, said := range map[string]string{"diga :)": ":)", "say: :-D": ":-D", "powiedz :( szkoda": ":( szkoda",
		"say : hello": "hello", "diz: olá :)": "olá :)"} {
		p := newPost(t)
		table := p.started(desk.NewTable{Rulebook: "tiny"}, p.person("Ana", "en"), p.person("Bo", "pt-BR"))
		p.deliver(table)
		at := p.last()
		require.Equal(t, "outcome: said", p.becomes(bo, line))
		require.Equal(t, []string{"reply: said " + said}, p.story(table, at))
	}
}

// Whoever is back says so as people do.
func TestBeingBackIsSaidPolitely(t *testing.T) {
	for lang, lines := range map[string][]string{
		"en": {"I'm back, sorry!", "Hi all, I'm back again.", "Sorry for the delay, I am back now",
			"I’m back from holiday!"},
		"pl": {"Wróciłem, przepraszam!", "Cześć, już jestem z powrotem",
			"Wróciłam z urlopu :)", "Hej Ana, wróciłem"},
		"pt-BR": {"Voltei pessoal", "Oi gente, voltei!", "Voltei, desculpem a demora", "Já voltei das férias"},
		"pt-PT": {"Estou de volta, desculpem!", "Olá a todos, já voltei", "Regressei :)", "Já estou de volta, malta"},
	} {
		for _, line := range lines {
			p := newPost(t)
			ana := p.person("Ana", "en")
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				ana, p.person("Bo", lang), p.person("Cid", "en"))
			p.deliver(table)
			p.play(table, 0, "offer 1 wool for brick to B")
			p.deliver(table)
			bos := p.Sees(table).Table.Places[1].Holders[0]
			require.Equal(t, "outcome: away", p.becomes(bo, "away for 9 days"), line)
			p.deliver(table)
			require.False(t, p.Sees(table).Table.AwayUntil(bos).IsZero(), line)
			require.Equal(t, "outcome: here", p.becomes(bo, line), line)
			require.True(t, p.Sees(table).Table.AwayUntil(bos).IsZero(), line)
		}
	}
}

// What people say expressly is said whatever has happened since the mail that they answer.
func TestWhatIsSaidLateIsSaid(t *testing.T) {
	for lang, line := range map[string]string{"en": "say Cid, do you sell grain?",
		"pl":    "powiedz Cid, sprzedasz zboże?",
		"pt-BR": "diga Cid, você quer vender trigo?", "pt-PT": "diz Cid, queres vender trigo?"} {
		p := newPost(t)
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
			p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
		p.deliver(table)
		asked := p.newest(ana)
		p.play(table, 0, "end")
		p.Does(p.Sees(table).Table.Places[1].Holders[0], table, desk.ProposeEnd{})
		p.deliver(table)
		at := p.last()
		p.answerTo(ana, asked, line)
		require.Equal(t, "outcome: said", outcome(p.log.String()), lang)
		require.Len(t, p.story(table, at), 1)
	}
}

// Plain words in answer to a turn that is over are no move that came too late, and where chat goes is said.
func TestPlainWordsToATurnThatIsOver(t *testing.T) {
	hint := map[string]string{"en": "begin a line with say", "pl": "zacznij wiersz od słowa powiedz",
		"pt-BR": "comece uma linha com diga", "pt-PT": "comece uma linha com diga"}
	for lang, lines := range map[string][]string{
		"en":    {"ok", "What a pity, too late!", "well played", "no problem", "no worries"},
		"pl":    {"ok", "Szkoda, spóźniłem się!", "ładnie"},
		"pt-BR": {"ok", "Que pena, cheguei tarde!", "boa jogada"},
		"pt-PT": {"está bem", "Que pena, cheguei tarde!", "não faz mal"},
	} {
		for _, line := range lines {
			for _, newer := range []bool{false, true} {
				p := newPost(t)
				people := []domain.PersonID{p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en")}
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)}, people...)
				p.deliver(table)
				asked := p.newest(ana)
				p.play(table, 0, "end")
				if newer {
					p.Does(people[1], table, desk.ProposeEnd{})
				}
				p.deliver(table)
				at := p.last()
				p.answerTo(ana, asked, line)
				require.Empty(t, p.story(table, at))
				p.deliver(table)
				text := flat(p.newest(ana).Text)
				require.Contains(t, text, hint[lang], line)
				require.NotContains(t, text, "no move was played")
			}
		}
	}
}
