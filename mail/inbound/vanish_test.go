package inbound_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// What a reply says below its first move is played, or told not to be; only greetings and names go without a word.
func TestNoLineBelowAMoveVanishes(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		story      []string // moves and orders
		says       string   // in the answer; "" if it says nothing of the rest
	}{
		{"en", "roll for me when my turn starts|I'm done", []string{"seat.ordered.v1", "move A end"}, ""},
		{"pl", "rzuć za mnie|Skończyłam!", []string{"seat.ordered.v1", "move A end"}, ""},
		{"pt-BR", "lançar por mim|Terminei meu turno", []string{"seat.ordered.v1", "move A end"}, ""},
		{"en", "buy|Thanks!|end", []string{"move A buy", "move A end"}, ""},
		{"pl", "kup|Dzięki!|koniec", []string{"move A buy", "move A end"}, ""},
		{"en", "buy, end", []string{"move A buy", "move A end"}, ""},
		{"pl", "Kupuję kartę, koniec tury", []string{"move A buy", "move A end"}, ""},
		{"pt-BR", "Compro uma carta, fim do turno", []string{"move A buy", "move A end"}, ""},
		{"en", "buy|build a castle", []string{"move A buy"}, "Not played: “build a castle”"},
		{"en", "buy|Bo, your roads look very dangerous to me", []string{"move A buy"}, "begin a line with say"},
		{"pt-PT", "comprar|Bo, gosto muito da tua jogada", []string{"move A buy"}, "comece uma linha com diga"},
		{"en", "buy|See you!|Ana", []string{"move A buy"}, ""},
		{"en", "end|Have a nice evening, all|Ana", []string{"move A end"}, ""},
		{"pl", "koniec|Pozdrawiam serdecznie|Ania", []string{"move A end"}, ""},
		{"pt-BR", "fim|Boa sorte a todos!|Abraços, Ana", []string{"move A end"}, ""},
		{"pt-PT", "fim|Até amanhã", []string{"move A end"}, ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			p.becomes(ana, lined(c.text)...)
			answer := p.answers(table)[0]
			story := slices.DeleteFunc(p.story(table, at), func(s string) bool {
				return !strings.HasPrefix(s, "reply: ")
			})
			want := []string{}
			for _, s := range c.story {
				want = append(want, "reply: "+s)
			}
			require.ElementsMatch(t, want, story, answer)
			if c.says != "" {
				require.Contains(t, answer, c.says)
				return
			}
			for _, none := range []string{"Not played", "Nie zagrano", "Não jogado", " say", " powiedz", " diga"} {
				require.NotContains(t, answer, none)
			}
		})
	}
}
