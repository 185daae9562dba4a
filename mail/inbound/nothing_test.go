package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// A line that came to nothing is quoted, whatever stands above or below it, with what could be written instead.
func TestALineThatCameToNothingIsQuoted(t *testing.T) {
	for _, c := range []struct{ lang, text, quotes, instead string }{
		{"en", "road 44|ennd turn", "“ennd turn”", "write it like this: end the turn"},
		{"en", "develo card|end turn", "“develo card”", "buy a development card"},
		{"en", "end turn|large trade ship below the left", "large trade ship below the left", ""},
		{"pl", "droga 44|zako turę", "„zako turę”", "napisz tak: zakończ turę"},
		{"pt-BR", "estrada 44|encer o turno", "“encer o turno”", "escreva assim: encerrar o turno"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(wealthy)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			p.becomes(ana, lined(c.text)...)
			answer := flat(p.answers(table)[0])
			require.Contains(t, answer, c.quotes)
			require.Contains(t, answer, c.instead)
		})
	}
}

// Whoever says yes to an offer that another player has taken up is told who that was.
func TestAnOfferThatAnotherTookIsSaidSo(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(strings.Replace(offering, `,{}]`,
		`,{"hand":{"ore":1}}]`, 1))}, p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 2 wool for ore"))
	p.deliver(table)
	asked := p.newest(bo)
	require.Contains(t, asked.Text, "Your turn")
	p.play(table, 2, "accept")
	p.answerTo(bo, asked, "yes please")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	all := p.answers(table)
	require.Contains(t, flat(all[len(all)-1]), "That offer is over: Cid ")
}

// Whoever wants more for what is asked of them is shown a line that asks for it.
func TestACounterOfferIsTaughtWithWhatIsAsked(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 2 wool for ore to B"))
	p.deliver(table)
	require.Equal(t, "outcome: asked", p.becomes(bo, "no, that is not enough for me"))
	all := p.answers(table)
	require.Contains(t, flat(all[len(all)-1]), "counter 1 ore for 3 wool")
}
