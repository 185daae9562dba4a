package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/projections/turn"
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
	for lang, texts := range map[string]string{
		"en": "i 44|z 44|no road on 44|I won't buy a card|not the road 44|don't end|road 44?" +
			"|Shall I build a road on 44?|buy?" +
			"|I like your road on 44|nice road!|I'd love a road on 44|maybe road 44|road 44 would be nice|Bo, end it!" +
			"|my road, my card|That's the end of me|I took the road 44 yesterday|I was about to buy a card" +
			"|no end, sorry|I'm not done|done?|I'll buy you a card for your birthday|Nobody can end this" +
			"|So, the end? No, no",
		"pl": "i 44|z 44|w 44|nie buduję drogi 44|nie kupuję|nie 44|droga 44?|może droga 44|ładna droga!" +
			"|Jeszcze nie koniec" +
			"|Jeszcze nie skończyłam|Gdybym mogła kupić kartę|Koniec?|To nie koniec|kupię kartę jutro",
		"pt-BR": "e 44|o 44|não construo a estrada 44|não compro|nada de estrada 44|estrada 44?" +
			"|Que bela estrada!|Fim?" +
			"|Ainda não terminei|talvez a estrada 44|Não é o fim|Queria poder comprar uma carta" +
			"|amanhã compro uma carta|acabei de chegar"} {
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

// What a list of the Rivals says is read with the same liberty: without its brackets, verbs and half of its words.
func TestAHandIsFilledInPlainWords(t *testing.T) {
	p := newPost(t)
	given := []byte(`{"phase":"act","active":"A","seats":[{"hand":["marketplace","austin"]},{}]}`)
	table := p.started(desk.NewTable{Rulebook: "rivals", Given: given}, p.person("Ana", "pl"), p.person("Bo", "en"))
	p.play(table, 0, "end")
	reads := func(lang string) func(text string) []string {
		look := p.Sees(table)
		read, err := p.door.Reads(t.Context(), look, turn.Asker{Person: look.Table.Places[0].Holders[0], Lang: lang})
		require.NoError(t, err)
		return func(text string) (out []string) {
			all, _ := read(text)
			for _, m := range all {
				out = append(out, look.Rulebook.FormatMove(m, nil))
			}
			return out
		}
	}
	for lang, texts := range map[string][]string{"pl": {"Biorę ze stosu 3", "stos 3 (zestaw podstawowy) proszę",
		"Stos 3!", "Dobierz ze stosu 3, dzięki"}, "pt-BR": {"Comprar da pilha 3", "Pego da pilha 3, obrigado"},
		"pt-PT": {"pilha 3, por favor"}, "en": {"I'll take stack 3", "Draw from stack 3 please"}} {
		for _, text := range texts {
			require.Equal(t, []string{"draw 3"}, reads(lang)(text), text)
		}
	}
	p.play(table, 0, "draw 3")
	for lang, texts := range map[string][]string{
		"pl":    {"Bez wymiany, dzięki", "Bez wymiany: zakończ turę", "Bez wymiany"},
		"pt-BR": {"Não trocar, obrigado", "Não trocar, gente", "Não trocar: encerrar o turno"},
		"pt-PT": {"Não trocar, por favor"}, "en": {"No exchange, thanks"}} {
		for _, text := range texts {
			require.Equal(t, []string{"pass"}, reads(lang)(text), text)
		}
	}
}

// The hand is filled from one stack after the other: a number said twice is two cards, and none of them is dropped.
func TestANumberSaidTwiceIsNotOneMove(t *testing.T) {
	for text, played := range map[string]int{"3, 3": 2, "stack 3, stack 3": 2, "3 Draw from stack 3": 1, "3 3": 0} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			given := []byte(`{"phase":"act","active":"A","seats":[{"hand":["marketplace"]},{}]}`)
			table := p.started(desk.NewTable{Rulebook: "rivals", Given: given}, p.person("Ana", "en"),
				p.person("Bo", "en"))
			p.play(table, 0, "end")
			p.deliver(table)
			at := p.last()
			p.becomes(ana, text)
			require.Len(t, p.story(table, at), played)
		})
	}
}
