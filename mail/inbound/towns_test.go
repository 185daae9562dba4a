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

// In Catan a place may be named by how it lies on the board; where several do, the writer is asked which, in lines that
// play as they stand.
func TestAPlaceIsCalledByHowItLies(t *testing.T) {
	scene := scenesOf(t, "catan")["main"]
	two := strings.Replace(scene, `{"settlements":[30],"roads":[35],`, `{"settlements":[39,31],"roads":[52,37,36,35,34],`, 1)
	for _, c := range []struct{ scene, lang, text, want string }{ // one move, or the places to choose from
		{two, "en", "city on the left settlement", "city 39"},
		{two, "en", "upgrade the upper settlement", "city 31"},
		{two, "en", "city right", "city 31"},
		{two, "pl", "miasto na lewej osadzie", "city 39"},
		{two, "pt-BR", "cidade na aldeia da direita", "city 31"},
		{two, "pt-PT", "cidade do lado esquerdo", "city 39"},
		{two, "en", "settlement on the left", "28 29"},
		{two, "pl", "osada po lewej", "28 29"},
		{two, "pt-PT", "aldeia do lado esquerdo", "28 29"},
		{two, "en", "road from the left settlement", "50 55 56"},
		{two, "en", "road at the bottom left", "50 55 56"},
		{two, "en", "my city on the left", ""},
		{two, "en", "city on the left or on the right", ""},
		{scene, "en", "city on the left settlement", "30"}, // there is but one
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			s := answered(t, c.scene, c.lang, c.text)
			if strings.HasPrefix(c.want, "city") {
				require.Equal(t, []string{c.want}, s.moves, s.answer)
				return
			}
			require.Empty(t, s.moves)
			if c.want == "" {
				return
			}
			lines := strings.Split(s.answer, "\n")
			lines = lines[2:]
			require.Len(t, lines, len(strings.Fields(c.want)), s.answer)
			for i, n := range strings.Fields(c.want) {
				back := answered(t, c.scene, c.lang, lines[i])
				require.Len(t, back.moves, 1, lines[i])
				require.True(t, strings.HasSuffix(back.moves[0], " "+n), back.moves)
			}
		})
	}
}

// A town of the Rivals is called by its place, too, whatever is built there.
func TestATownIsCalledByItsPlace(t *testing.T) {
	const row = "game rivals\nseat Ana\nseat Bo\n" + `given {"phase":"act","active":"A","seats":[{"hand":["wool_ship"],` +
		`"roads":[0,1],"towns":["0 settlement","1 settlement","2 settlement"]STORES},{}]}`
	const rich = `,"stores":{"0a":3,"0b":3,"1a":3,"1b":3,"2a":3,"2b":3}`
	for _, c := range []struct{ lang, text, want string }{
		{"en", "wool ship above the first town right of the starting two", "build wool_ship 2 above"},
		{"en", "wool ship above the first settlement right of the starting settlements", "build wool_ship 2 above"},
		{"en", "wool ship below the rightmost settlement", "build wool_ship 2 below"},
		{"en", "wool ship below the right starting settlement", "build wool_ship 1 below"},
		{"en", "wool ship above the second town right of the starting two", ""},
		{"en", "wool ship above the right settlement", ""},
		{"pl", "statek z wełną nad pierwszą osadą na prawo od początkowych", "build wool_ship 2 above"},
		{"pt-BR", "navio mercante de lã abaixo da primeira localidade à direita das iniciais",
			"build wool_ship 2 below"},
		{"en", "city on the first town right of the starting two", "city 2"},
		{"en", "upgrade the right starting place", "city 1"},
		{"en", "city on the left settlement", "city 0"},
		{"en", "city on the right settlement", ""},
		{"pl", "miasto na osadzie nr 1 na prawo od początkowych", "city 2"},
		{"pt-PT", "cidade na primeira localidade à direita", "city 2"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			s := answered(t, strings.Replace(row, "STORES", rich, 1), c.lang, c.text)
			if c.want == "" {
				require.Empty(t, s.moves)
				require.Equal(t, "outcome: asked", s.outcome, s.answer)
				return
			}
			require.Equal(t, c.want, s.moves[0], s.answer)
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
