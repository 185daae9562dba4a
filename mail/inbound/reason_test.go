package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What reads like a standing order and is none is said to be none, with how one is written: not that a turn is over.
func TestWhatIsNoOrderIsSaidToBeNone(t *testing.T) {
	for _, c := range []struct{ lang, text, says string }{
		{"en", "always buy a card for me", "Such as: order roll;"},
		{"en", "when it is my turn, roll please", "Such as: order roll;"},
		{"pl", "zawsze kupuj kartę za mnie", "Na przykład: polecenie rzuć;"},
		{"pt-BR", "sempre compre uma carta por mim", "Por exemplo: ordem lançar;"},
		{"pt-PT", "lançar os dados sempre que for a minha vez", "Por exemplo: ordem lançar;"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			for range 2 {
				at := p.last()
				p.becomes(ana, c.text)
				require.Empty(t, p.story(table, at))
				p.deliver(table)
				require.Contains(t, flat(p.newest(ana).Text), c.says)
				if p.Sees(table).Line.Awaits(0) {
					p.play(table, 0, "end") // so that the mail's turn is over
				}
			}
		})
	}
}

// Whoever is asked about an offer and writes another one makes a counter-offer, in whatever words.
func TestAnotherOfferAnswersAnOffer(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		{"en", "trade 1 ore for 3 wool"}, {"en", "offer 1 ore for 3 wool"}, {"en", "1 ore for 3 wool"},
		{"en", "how about 3 wool for my ore?"}, {"en", "I'll give you an ore for three wool instead"},
		{"en", "Ana, 1 ore for 3 wool"}, {"en", "counter 1 ore for 3 wool"},
		{"pl", "oferta: 1 ruda za: 3 wełna"}, {"pl", "1 ruda za 3 wełny"}, {"pl", "Dam rudę, ale za trzy wełny"},
		{"pl", "Za rudę chcę trzy wełny, Ana"}, {"pl", "kontroferta, dajesz: 1 ruda, chcesz: 3 wełna"},
		{"pt-BR", "oferta 1 minério por 3 lã"}, {"pt-BR", "Só dou o minério por três lãs"},
		{"pt-PT", "troco 1 minério por 3 lã"}, {"pt-PT", "Quero três lãs pelo meu minério"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", "en"), p.person("Bo", c.lang), p.person("Cid", "en"))
			p.deliver(table)
			p.answer(ana, "offer 2 wool for ore to B")
			p.deliver(table)
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(bo, c.text), p.answers(table))
			require.Equal(t, []string{"reply: move B counter 1 ore for 3 wool"}, p.replied(table, at))
		})
	}
	p := newPost(t) // it is made to whose offer it answers
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "offer 2 wool for ore to B")
	p.deliver(table)
	at := p.last()
	require.NotEqual(t, "outcome: played", p.becomes(bo, "Cid, 1 ore for 3 wool"))
	require.Empty(t, p.story(table, at))
}
