package inbound_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// What a reply asks of the others they can answer: a move below it that would take that away waits, and its writer is
// told how to go on.
func TestWhatAReplyAsksOthersCanAnswer(t *testing.T) {
	for _, c := range []struct{ lang, text, says string }{
		{"en", "offer 1 wool for 1 ore|end turn|Cheers, Ana",
			"Not played: “end turn”. It would take away what you have just asked"},
		{"en", "offer 1 wool for 1 ore; end", "Send it again once they have answered"},
		{"en", "offer 1 wool for 1 ore|offer 2 wool for 1 ore|end", "What follows it was not played either"},
		{"pt-BR", "ofereço 1 lã por 1 minério|encerrar o turno", "Não jogado: “encerrar o turno”"},
		{"pt-PT", "ofereço 1 lã por 1 minério|terminar o turno", "Não jogado: «terminar o turno»"},
		{"pl", "oferuję 1 wełnę za 1 rudę|koniec tury", "Nie zagrano: „koniec tury”"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at, lines := p.last(), lined(c.text)
			require.Equal(t, "outcome: played", p.becomes(ana, lines...))
			require.Equal(t, []string{"reply: move A offer 1 wool for 1 ore"}, p.replied(table, at))
			p.deliver(table)
			answer := flat(p.newest(ana).Text)
			require.Contains(t, answer, c.says)
			require.Equal(t, strings.Contains(c.text, "ore|offer"),
				strings.Contains(answer, "What follows it was not played either"), answer)

			require.Equal(t, "outcome: played", p.becomes(bo, "accept"))
			p.deliver(table)
			require.Equal(t, "outcome: played", p.becomes(ana, "end"), "as it was told to go on")
			require.Equal(t, []string{"reply: move B accept", "reply: move A end"}, p.replied(table, at)[1:])
		})
	}
}

// Whoever will not wait takes back what they asked by a reply of its own, and what a standing order answers at once
// holds nothing up.
func TestAnAskNobodyIsLeftToAnswerHoldsNothingUp(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 1 wool for 1 ore"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "end"))
	require.Equal(t, []string{"reply: move A offer 1 wool for 1 ore", "reply: move A end"}, p.replied(table, at))

	p = newPost(t)
	table = p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	for seat := 1; seat < 3; seat++ {
		who := p.Sees(table).Table.Places[seat].Holders[0]
		_, err := p.Desk.SetOrders(p.Ctx, desktest.By(who), table, domain.Seat(seat), events.NewCommandID(), 0,
			[]string{"decline"}, nil)
		require.NoError(t, err)
	}
	p.deliver(table)
	at = p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 1 wool for 1 ore", "end"))
	require.Equal(t, []string{"reply: move A offer 1 wool for 1 ore", "reply: move A end"}, p.replied(table, at))
}

// A press is so through every door.
func TestAPressAsksOthersBeforeItGoesOn(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	look := p.Sees(table)
	press := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Decision: p.open(table, 0),
		Text: "offer 1 wool for 1 ore; end"}
	made, err := p.Desk.PlayAll(p.Ctx, desktest.By(look.Table.Places[0].Holders[0]), press)
	require.NoError(t, err)
	require.Equal(t, 1, made.Made)
	require.True(t, made.Dropped)
	require.Empty(t, made.Rest)
	r, ok := domain.AsRefusal(made.Why)
	require.True(t, ok)
	require.Equal(t, "press-asked", r.Code)
	require.Len(t, p.Sees(table).Line.Awaited(), 3, "both are asked, and Ana")
}

// replied returns what replies brought about at a table after a log position.
func (p *post) replied(table events.Name, after uint64) []string {
	return slices.DeleteFunc(p.story(table, after), func(s string) bool { return !strings.HasPrefix(s, "reply: ") })
}
