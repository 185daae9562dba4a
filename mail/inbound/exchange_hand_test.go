package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// toExchange is a turn of the Rivals whose end draws one card, and then asks whether to exchange one.
const toExchange = `{"phase":"act","active":"A","seats":[{"hand":["brick_factory","austin"],"regions":[` +
	`"0a forest2 2","0b gold_field1 2","1a hills3 3","1b pasture4 3","2a mountains5 3","2b fields6 2"]},{}]}`

// Where a card may be exchanged, the mail says what those in the hand cost and do, also the one just drawn, and how to
// keep them: that line plays.
func TestAMailAboutAnExchangeSaysHowToKeepTheHand(t *testing.T) {
	for lang, line := range map[string]string{"en": "No exchange – end the turn", "pl": "Bez wymiany – zakończ turę",
		"pt-BR": "Não trocar – encerrar o turno", "pt-PT": "Não trocar – terminar o turno"} {
		p := newPost(t)
		table := p.chain(lang, toExchange)
		require.Equal(t, "outcome: played", p.becomes(ana, "end", "draw 3"))
		p.deliver(table)
		letter := p.newest(ana).Text
		require.Contains(t, letter, " - "+line)
		for _, fact := range []string{" (", "; ", ": "} {
			require.GreaterOrEqual(t, strings.Count(strings.Split(letter, "https:")[0], fact), 2, letter)
		}
		at, keep := p.last(), strings.Split(line, " – ")[0]
		require.Equal(t, "outcome: played", p.becomes(ana, keep), keep)
		require.Equal(t, "reply: move A pass", p.story(table, at)[0])
	}
}

// The way to end a turn is in every mail about one, whatever its best moves are.
func TestAMailSaysHowATurnEnds(t *testing.T) {
	for lang, line := range map[string]string{"en": "End the action phase", "pl": "Zakończ fazę akcji",
		"pt-BR": "Encerrar a fase de ação", "pt-PT": "Terminar a fase de ação"} {
		p := newPost(t)
		table := p.chain(lang, toExchange)
		require.Contains(t, p.newest(ana).Text, " - "+line+" – ")
		at := p.last()
		require.Equal(t, "outcome: played", p.becomes(ana, line))
		require.Equal(t, []string{"reply: move A end"}, p.story(table, at))
	}
}

// That no card is to be exchanged takes nothing back that stands above it, wherever an exchange may come.
func TestNoExchangeTakesNothingBack(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"en", "end|stack 3|no exchange", "end;draw 3;pass"},
		{"en", "end|no exchange", "end"},
		{"en", "wool ship 0 above|end|stack 3|no exchange", "build wool_ship 0 above;end;draw 3"},
		{"pl", "koniec|stos 3|bez wymiany", "end;draw 3;pass"},
		{"pl", "koniec|bez wymiany", "end"},
		{"pt-BR", "fim|pilha 3|sem troca", "end;draw 3;pass"},
		{"pt-PT", "fim|sem troca", "end"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.chain(c.lang, strings.ReplaceAll(toExchange, "austin", "wool_ship"))
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, lined(c.text)...))
			want := "reply: move A " + strings.ReplaceAll(c.want, ";", ";reply: move A ")
			require.Equal(t, want, strings.Join(p.replied(table, at), ";"))
		})
	}
}

// A mail after one's own step, which shows no board, says what one has.
func TestAMailWithoutABoardSaysWhatOneHas(t *testing.T) {
	for lang, has := range map[string]string{
		"en": "Your resources: 3 bricks, 2 grain, 2 lumber, 3 wool, 3 ore, 2 gold.",
		"pl": "Twoje surowce: 3 gliny, 2 zboża, 2 drewna, 3 wełny, 3 rudy, 2 złota.",
	} {
		p := newPost(t)
		table := p.chain(lang, toExchange)
		require.NotContains(t, flat(p.newest(ana).Text), has, "the board shows it")
		require.Equal(t, "outcome: played", p.becomes(ana, "end"))
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), has)
	}
}

// Of two prices for the same the mail offers the lower one alone; the other can still be paid.
func TestAMailOffersTheLowestPrice(t *testing.T) {
	const ship = `{"phase":"act","active":"A","seats":[{"hand":[],"towns":["0 settlement above gold_ship",` +
		`"1 settlement"],"regions":["0a forest2 0","0b gold_field1 3","1a hills3 0","1b pasture4 0",` +
		`"2a mountains5 0","2b fields6 0"]},{}]}`
	p := newPost(t)
	table := p.chain("en", ship)
	letter := p.newest(ana).Text
	require.Contains(t, letter, "Exchange 2 gold")
	require.NotContains(t, letter, "Exchange 3 gold")
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "exchange 3 gold for wool"))
	require.Equal(t, "reply: move A bank 3 gold wool", p.replied(table, at)[0])
}
