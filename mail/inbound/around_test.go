package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// founding is the beginning of a game of Catan on the beginner's island, and developing a turn in which all can be
// built.
const (
	founding   = `{"phase":"found","first":"A","active":"A"}`
	developing = `{"phase":"main","first":"A","active":"A","players":[{"settlements":[30],"roads":[35],
		"hand":{"brick":1,"lumber":1,"wool":2,"grain":3,"ore":3}},{"settlements":[3]},{}]}`
	rolling = `{"phase":"roll","first":"A","active":"A","players":[{"settlements":[30],"roads":[35]},{},{}]}`
)

// A move is read with what people write around it: articles, prepositions, verbs, courtesies, in each language.
func TestWhatStandsAroundAMoveIsNoMatter(t *testing.T) {
	for _, c := range []struct{ lang, given, want, texts string }{
		{"pt-BR", founding, "settle 29 road 43", `Coloco minha aldeia no 29, com a estrada 43, por favor
			Colocar aldeia no 29 e estrada 43, por favor|aldeia no 29, estrada no 43|Aldeia 29 com estrada 43
			Coloco no 29 com a 43|29 e a estrada 43`},
		{"pl", founding, "settle 41 road 59", `Stawiam osadę na 41 i drogę 59|osada 41, droga 59
			Cześć, buduję osadę na 41 i drogę 59|Stawiam osadę na 41, a drogę na 59|osada na 41 i droga 59
			41 i droga 59, dzięki`},
		{"en", founding, "settle 13 road 14", `place a settlement: intersection 13, road 14|13 with 14, thanks
			I'll settle on 13 and build the road 14|settlement 13, road 14|13 with road 14, thanks|13 14, thanks
			13 14, thanks a lot!`},
		{"pt-BR", developing, "road 44", `Construo uma estrada no 44|Vou construir uma estrada no 44, valeu!`},
		{"en", developing, "road 44", `Let's build a road on 44|I build a road on 44 please|The road on 44, please`},
		{"pl", developing, "road 44", `Buduję drogę na 44|Chcę zbudować drogę na 44|buduję drogę na 44, dzięki!`},
		{"pt-BR", developing, "city 30", `Construir uma cidade no 30|cidade no 30, por favor`},
		{"pt-BR", developing, "buy", `Quero comprar uma carta|Compro uma carta, por favor`},
		{"en", developing, "buy", `I'd like to buy a card|Buy a card, thanks`},
		{"pl", developing, "buy", `Kupuję kartę|Chcę kupić kartę, proszę`},
		{"pt-BR", developing, "end", `encerrar o turno, gente|É isso, encerrar o turno|Fim do turno|Terminei meu turno
			Não tenho nada a fazer, passo a vez|Encerrar o turno, obrigado, pessoal!`},
		{"pl", developing, "end", `To wszystko, koniec tury|Koniec tury, dzięki wszystkim|Skończyłem.`},
		{"en", developing, "end", `Nothing I can do. Done.|That's my turn|I'm done, thanks|That's it, end my turn|I'll pass`},
		{"pt-BR", rolling, "roll", `Vou rolar os dados|Rolar os dados, por favor|Eu lanço os dados!`},
		{"en", rolling, "roll", `I'll roll the dice|Roll please|Let me roll the dice, thanks`},
		{"pl", rolling, "roll", `Rzucam kośćmi|No to rzucam kośćmi!|Rzut kośćmi, proszę`},
	} {
		for text := range strings.FieldsFuncSeq(c.texts, func(r rune) bool { return r == '|' || r == '\n' }) {
			text := strings.TrimSpace(text)
			t.Run(c.lang+": "+text, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(c.given)},
					p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
				p.deliver(table)
				at := p.last()
				require.Equal(t, "outcome: played", p.becomes(ana, text), p.answers(table))
				require.Equal(t, "reply: move A "+c.want, p.story(table, at)[0])
			})
		}
	}
}

// A little word of one language may be a no in another, and a move with a no is none.
func TestAMoveThatIsDeniedIsNotPlayed(t *testing.T) {
	for lang, texts := range map[string]string{"en": "no road on 44|I won't buy a card|not the road 44|don't end",
		"pl":    "nie buduję drogi 44|nie kupuję|nie 44",
		"pt-BR": "não construo a estrada 44|não compro|nada de estrada 44"} {
		for text := range strings.SplitSeq(texts, "|") {
			t.Run(lang+": "+text, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(developing)},
					p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
				p.deliver(table)
				at := p.last()
				require.NotEqual(t, "outcome: played", p.becomes(ana, text))
				require.Empty(t, p.story(table, at))
			})
		}
	}
}
