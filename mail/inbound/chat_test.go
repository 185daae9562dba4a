package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func TestASmileyReachesTheChatWhole(t *testing.T) {
	for line, said := range map[string]string{"diga :)": ":)", "say: :-D": ":-D", "powiedz :( szkoda": ":( szkoda",
		"say : hello": "hello", "diz: olá :)": "olá :)"} {
		p := newPost(t)
		table := p.started(events.NewTable{Rulebook: "tiny"}, p.person("Ana", "en"), p.person("Bo", "pt-BR"))
		p.deliver(table)
		at := p.last()
		require.Equal(t, "outcome: said", p.becomes(bo, line))
		require.Equal(t, []string{"reply: said " + said}, p.story(table, at))
	}
}

// Whoever is back says so as people do.
func TestBeingBackIsSaidPolitely(t *testing.T) {
	for lang, lines := range map[string][]string{
		"en":    {"I'm back, sorry!", "Hi all, I'm back again.", "Sorry for the delay, I am back now", "I’m back from holiday!"},
		"pl":    {"Wróciłem, przepraszam!", "Cześć, już jestem z powrotem", "Wróciłam z urlopu :)", "Hej Ana, wróciłem"},
		"pt-BR": {"Voltei pessoal", "Oi gente, voltei!", "Voltei, desculpem a demora", "Já voltei das férias"},
		"pt-PT": {"Estou de volta, desculpem!", "Olá a todos, já voltei", "Regressei :)", "Já estou de volta, malta"},
	} {
		for _, line := range lines {
			p := newPost(t)
			ana := p.person("Ana", "en")
			table := p.started(events.NewTable{Rulebook: "catan", Given: []byte(haggling)},
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
