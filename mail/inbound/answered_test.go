package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// What a house writes back to a reply can itself be replied to, as often as somebody likes.
func TestTheAnswerToAReplyCanBeAnsweredToo(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building), Grace: 60},
		p.person("Ana", "en"), p.person("Bo", "pl"), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "end")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
	for _, c := range []struct{ line, want string }{
		{"say well played", "outcome: said"},
		{"away until Sunday", "outcome: away"},
		{"back", "outcome: back"},
		{"end", "outcome: played"},
		{"end", "outcome: stale"},
		{"say see you", "outcome: said"},
	} {
		p.deliver(table)
		sent := p.newest(ana)
		require.Equal(t, "auto-replied", sent.Header.Get("Auto-Submitted"), c.line)
		p.answer(ana, c.line)
		require.Equal(t, c.want, outcome(p.log.String()), c.line)
	}
}

// So can the answer to a reply that came after the table had gone back.
func TestWhatIsWrittenAfterARewindCanBeAnswered(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)}, people...)
	p.play(table, 0, "end")
	p.play(table, 1, "roll")
	p.deliver(table)
	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	for _, id := range people[1:] {
		p.Does(id, table, desk.Agree{Since: p.Sees(table).Table.Proposal.Since})
	}
	p.Follows(table)
	p.answer(bo, "end")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	p.deliver(table)
	require.Contains(t, p.newest(bo).Text, "The game has been taken back")
	p.answer(bo, "say never mind")
	require.Equal(t, "outcome: said", outcome(p.log.String()))
}

// A refusal that follows from how a sentence of the rulebook is read says where that stands.
func TestAnAnswerLeadsToHowTheRulebookIsRead(t *testing.T) {
	p := newPost(t)
	position := []byte(`{"phase":"main","active":"A","players":[{"settlements":[19]},{"settlements":[30]}]}`)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: position},
		p.person("Ana", "en"), p.person("Bo", "pl"))
	p.deliver(table)
	p.answer(ana, "token desert")
	require.Equal(t, "outcome: refused", outcome(p.log.String()))
	p.deliver(table)
	sent := p.newest(ana)
	require.Regexp(t, `The rule about it:\r\nhttps?://[^/]+/rules/catan\?lang=en#tokens\r\n`, sent.Text)
	require.Regexp(t, `How we read the rulebook here:\r\nhttps?://[^/]+/rules/readings\?lang=en#catan-a9\r\n`,
		sent.Text)
	require.Contains(t, sent.HTML, `/rules/readings?lang=en#catan-a9"`)

	p.answer(ana, "road 1")
	p.deliver(table)
	require.NotContains(t, p.newest(ana).Text, "/rules/readings", "it follows from no reading")
}

// The answer to a mail that is over takes what it offers: its address is the one of what its reader was last written.
func TestTheAnswerToAMailThatIsOverIsNotOver(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)}, people...)
	p.deliver(table)
	turn := p.newest(ana)
	p.play(table, 0, "end")
	p.Does(people[1], table, desk.ProposeEnd{})
	p.deliver(table)
	p.answerTo(ana, turn, "away until Monday")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "You can also reply to this email with one word")
	at := p.last()
	p.answer(ana, "say Hello", "no")
	require.Equal(t, "outcome: answered", outcome(p.log.String()), "the question that is open is asked again")
	require.Contains(t, p.story(table, at), "reply: said Hello")

	p.Does(people[1], table, desk.ProposeEnd{})
	p.deliver(table)
	p.Does(people[2], table, desk.Refuse{Since: p.Sees(table).Table.Proposal.Since})
	p.answerTo(ana, turn, "away until Monday")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "What you write in a reply to this email goes into the table’s chat")
	p.answer(ana, "Still there?")
	require.Equal(t, "outcome: said", outcome(p.log.String()))
	require.Contains(t, p.story(table, at), "reply: said Still there?")
}
