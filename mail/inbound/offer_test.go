package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// offering is a turn of Catan with wool to offer.
const offering = `{"phase":"main","first":"A","active":"A",
	"players":[{"settlements":[30],"roads":[35],"hand":{"wool":3}},{"hand":{"ore":1}},{}]}`

// A turn with an offer in it is played by mails alone: whoever made the offer is mailed the answer, and goes on from
// that mail.
func TestATurnWithAnOfferGoesOnByReply(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "pl"), p.person("Cid", "en"))
	p.deliver(table)
	first := p.newest(ana)
	p.answer(ana, "offer 2 wool for ore to B")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
	p.deliver(table)
	p.answer(bo, "accept")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
	p.deliver(table)
	again := p.newest(ana)
	require.Contains(t, again.Text, "Your turn: trade, build or end the turn.")
	require.Contains(t, again.Text, "Bo and Ana trade")
	require.NotEqual(t, first.Header.Get("Message-Id"), again.Header.Get("Message-Id"))
	p.answer(ana, "end")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
}

// What a standing order answers at once is in the answer to the mail that made the offer, and in no other mail.
func TestAnOfferThatAnOrderAnswersBringsOneMail(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	bos := p.Sees(table).Table.Places[1].Holders[0]
	_, err := p.Desk.SetOrders(p.Ctx, desktest.By(bos), table, 1, events.NewCommandID(), 0, []string{"decline"}, nil)
	require.NoError(t, err)
	p.deliver(table)
	mailsTo := func(who string) (n int) {
		for _, m := range p.box.Messages() {
			if strings.EqualFold(m.To, who) {
				n++
			}
		}
		return n
	}
	before := mailsTo(ana)
	p.answer(ana, "offer 2 wool for ore to B")
	p.deliver(table)
	require.Equal(t, before+1, mailsTo(ana))
	again := p.newest(ana)
	require.Equal(t, "auto-replied", again.Header.Get("Auto-Submitted"))
	require.Contains(t, again.Text, "Bo declines")
	p.answer(ana, "end")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
}

// A counter-offer stands until the turn ends. Who would withdraw it by a reply is told so.
func TestWhoWouldWithdrawACounterOfferIsToldWhy(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "offer 2 wool for ore to B C")
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(bo, "counter ore for 3 wool"))
	p.deliver(table)
	require.Equal(t, "outcome: stale", p.becomes(bo, "withdraw"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text),
		"A counter-offer cannot be withdrawn; it ends with the turn at the latest.")
	p.answer(ana, "offer 1 wool for ore to B")
	p.deliver(table)
	require.Equal(t, "outcome: refused", p.becomes(bo, "withdraw"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "It stands until it is answered, somebody trades, or the turn ends.")
}
