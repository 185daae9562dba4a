package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What reads like a standing order and is none is said to be none, with how one is written: not that a turn is over.
func TestWhatIsNoOrderIsSaidToBeNone(t *testing.T) {
	for _, c := range []struct{ lang, text, says string }{
		{"en", "always roll the dice for me", "Such as: order roll;"},
		{"en", "when it is my turn, roll please", "Such as: order roll;"},
		{"pl", "zawsze rzuć kośćmi za mnie", "Na przykład: polecenie rzuć;"},
		{"pt-BR", "sempre jogue os dados por mim", "Por exemplo: ordem lançar;"},
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

// Whoever is asked about an offer and writes another one is told how to, and not that nothing is asked of them.
func TestAnotherOfferIsToldHowToBeMade(t *testing.T) {
	for _, c := range []struct{ lang, text, says string }{
		{"en", "trade 1 ore for 3 wool", "counter 1 ore for 1 wool"},
		{"en", "offer 1 ore for 3 wool", "counter 1 ore for 1 wool"},
		{"en", "1 ore for 3 wool", "counter 1 ore for 1 wool"},
		{"en", "how about 3 wool for my ore?", "counter 1 ore for 1 wool"},
		{"pl", "oferta: 1 ruda za: 3 wełna", "kontroferta: 1 ruda za: 1 wełna"},
		{"pl", "1 ruda za 3 wełny", "kontroferta: 1 ruda za: 1 wełna"},
		{"pt-BR", "oferta 1 minério por 3 lã", "contraproposta 1 minério por 1 lã"},
		{"pt-PT", "troco 1 minério por 3 lã", "contraproposta 1 minério por 1 lã"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", "en"), p.person("Bo", c.lang), p.person("Cid", "en"))
			p.deliver(table)
			p.answer(ana, "offer 2 wool for ore to B")
			p.deliver(table)
			at := p.last()
			p.becomes(bo, c.text)
			require.Empty(t, p.story(table, at))
			all := p.answers(table)
			require.Contains(t, flat(all[len(all)-1]), c.says)
			require.Equal(t, "outcome: played", p.becomes(bo, c.says), "as it was told")
		})
	}
}
