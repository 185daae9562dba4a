package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A card is built where people say: at the left settlement, whatever the house calls that place.
func TestACardIsBuiltWherePeopleSay(t *testing.T) {
	const two = `{"phase":"act","active":"A","seats":[{"hand":["wool_ship","austin"],"towns":["0 settlement","1 city"],` +
		`"regions":["0a forest2 1","0b gold_field1 2","1a hills3 2","1b fields6 1","2a mountains5 3","2b pasture4 3"]},{}]}`
	const three = `{"phase":"act","active":"A","seats":[{"hand":["wool_ship"],"roads":[-1,0],` +
		`"towns":["-1 settlement","0 settlement","1 settlement"]},{}]}`
	for _, c := range []struct{ lang, given, text, want string }{
		{"en", two, "wool ship above the left settlement", "build wool_ship 0 above"},
		{"en", two, "I build the wool ship below the settlement on the left, please", "build wool_ship 0 below"},
		{"en", two, "wool ship above the right city", "build wool_ship 1 above"},
		{"en", two, "put the wool ship above the right one", ""},
		{"en", two, "wool ship above the right settlement", ""},
		{"en", two, "wool ship above the settlement", ""},
		{"en", two, "wool ship above the left or right settlement", ""},
		{"pl", two, "statek z wełną nad lewą osadą", "build wool_ship 0 above"},
		{"pl", two, "statek z wełną pod miastem po prawej", "build wool_ship 1 below"},
		{"pt-BR", two, "navio mercante de lã acima da aldeia da esquerda", "build wool_ship 0 above"},
		{"pt-PT", two, "navio mercante de lã abaixo da aldeia da esquerda", "build wool_ship 0 below"},
		{"en", three, "wool ship above the left settlement", ""},
		{"en", three, "wool ship above the right settlement", "build wool_ship 1 above"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.chain(c.lang, c.given)
			at := p.last()
			outcome := p.becomes(ana, c.text)
			p.deliver(table)
			if c.want == "" {
				require.Equal(t, "outcome: asked", outcome)
				require.Empty(t, p.replied(table, at))
				return
			}
			require.Equal(t, "outcome: played", outcome, flat(p.newest(ana).Text)[:300])
			require.Equal(t, "reply: move A "+c.want, p.replied(table, at)[0])
		})
	}
}

// Of two answers to one question none is played: their writer is asked which, in words that play as they stand.
func TestOfTwoAnswersToAQuestionNoneIsPlayed(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		{"en", "hills above|fields above"}, {"en", "fields below|hills below"}, {"pl", "wzgórza u góry|pola u góry"},
		{"en", "corners hills1 fields1|corners fields1 hills1"},
	} {
		t.Run(c.text, func(t *testing.T) {
			s := says(t, "rivals", "corners-fields", c.lang, strings.ReplaceAll(c.text, "|", "\n"))
			require.Empty(t, s.moves)
			require.Equal(t, "outcome: asked", s.outcome)
			require.NotContains(t, s.answer, "corners")
		})
	}
}

// In a mail that is not in English nothing has to be written in English.
func TestAnExampleIsInTheReadersLanguage(t *testing.T) {
	for _, lang := range []string{"pl", "pt-BR", "pt-PT"} {
		p := newPost(t)
		table := p.chain(lang, roadAsks)
		letter := p.newest(ana).Text
		require.NotContains(t, letter, " above")
		require.NotContains(t, letter, " below")
		require.Equal(t, "A", p.Sees(table).Line.Awaited()[0].Seat.Letter())
	}
}
