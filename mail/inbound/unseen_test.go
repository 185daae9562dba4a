package inbound_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What speaks of the game above a move, and is none, is not passed over: the move may depend on it.
func TestWhatSpeaksOfTheGameIsNotPassedOver(t *testing.T) {
	for _, c := range []struct{ lang, text, why string }{
		{"en", "I'll swap you two wool for an ore, Bo|end turn", ""},
		{"en", "Bo can have my ore for a wool|end turn", "You do not have 1 ore."},
		{"en", "I'd love to upgrade my settlement to a city|end turn", ""},
		{"pt-BR", "Bo, te dou 2 tijolos por 1 lã|encerrar o turno", "Você não tem 2 tijolos."},
		{"pt-BR", "será que alguém me vende uma lã por um minério?|encerro o turno", ""},
		{"pl", "A może ktoś chce moje drewno za glinę?|koniec tury", "Nie masz 1 drewna."},
		{"en", "I reckon 60 is the one to go for.|end turn", ""},
		{"pl", "Niech stanie 26.|koniec tury", ""},
		{"pt-BR", "Agora eu fico com o 21.|Encerrar o turno", ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			p.becomes(ana, lined(c.text)...)
			story := p.story(table, at)
			require.False(t, slices.Contains(story, "reply: move A end"), story)
			if strings.HasPrefix(strings.Join(story, ""), "reply: move A offer ") {
				return // it was understood
			}
			above, _, _ := strings.Cut(c.text, "|")
			if answer := p.answers(table)[0]; !strings.Contains(answer, c.why) || c.why == "" {
				require.Contains(t, answer, strings.TrimSuffix(above, "?"))
			}
		})
	}
	p := newPost(t) // chat that only has a word of it
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	at := p.last()
	p.becomes(ana, "Sorry, I was at the seaside all week", "end turn")
	require.Contains(t, p.story(table, at), "reply: move A end")
	require.Contains(t, p.answers(table)[0], "begin a line with say", "and it is told that nobody else reads it")
}

// A bare number that a hex has and another hex shows is asked about.
func TestABareNumberOfTheBoardIsAskedAbout(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		asked      bool
	}{
		{"en", "robber to the 11", true}, {"pl", "złodziej na 11", true}, {"pt-BR", "ladrão no 11", true},
		{"en", "Robber to the 11, please.", true},
		{"en", "robber to hex 11", false}, {"en", "rob 11", false}, {"pl", "złodziej na pole 11", false},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(robbing)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			got := p.becomes(ana, c.text)
			if c.asked {
				require.Equal(t, "outcome: asked", got, flat(p.newest(ana).Text))
				return
			}
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text))
		})
	}
}

// A signature with a street is one, though the street reads like a road of the game.
func TestAStreetInASignatureIsNotPlayed(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(wealthy)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	at, line := p.last(), p.Sees(table).Line
	for m := range line.Rulebook.Legal(line.State, 0) {
		number, road := strings.CutPrefix(line.Rulebook.FormatMove(m, nil), "road ")
		for _, land := range []string{"Forest", "Hills", "Pasture", "Mountains", "Fields"} {
			if road {
				p.becomes(ana, "Hmm, let me think", "", "Kind regards,", "Emma Hart", number+" "+land+" Road",
					"Leeds LS1 4AB")
			}
		}
	}
	require.NotContains(t, strings.Join(p.story(table, at), "\n"), "reply: move")
}
