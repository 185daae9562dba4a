package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
)

// An answer from any of its person's addresses is theirs, if its provider signs it; from one that is not, it is asked
// about at the address that mails go to, which alone reads, in part, which are known.
func TestAnAnswerFromAnyOfOnesAddressesActs(t *testing.T) {
	p := newPost(t)
	table := tinyTable(p.house)
	p.deliver(table)
	who := p.Sees(table).Table.Places[1].Holders[0]
	to, work := p.address(table, 1), "bo@work.example"
	says := func(from, id, domain string) string {
		return p.takes(to, providertest.Sign(p.mailFrom(from, to, id, "", "say "+id), domain))
	}
	before := len(p.box.Messages())
	require.Equal(t, "outcome: held", says(work, "1", "work.example"), "nobody has this address")
	p.deliver(table)
	require.Len(t, p.box.Messages(), before+1)
	for _, m := range p.box.Messages() {
		require.NotEqual(t, work, m.To, "whoever wrote learns nothing")
	}
	asked := p.newest(bo)
	require.Contains(t, asked.Text, "bo…@work.example")
	require.Contains(t, asked.Text, "(bo…@example.org)")
	require.NotContains(t, asked.Text, bo)

	link, send, _, err := p.people.AskAddress(p.Ctx, who, "Bo@work.example")
	require.NoError(t, err)
	require.True(t, send)
	_, err = p.people.AddAddress(p.Ctx, who, link.Text(), false)
	require.NoError(t, err)
	require.Equal(t, "outcome: said", says(work, "2", "work.example"))
	require.Equal(t, "outcome: held", says(work, "3", "eve.example"), "signed by somebody else")
	require.Equal(t, "outcome: said", says(bo, "4", "example.org"))
	_, err = p.people.SetMain(p.Ctx, who, "bo@work.example")
	require.NoError(t, err)
	require.Equal(t, "outcome: said", says(bo, "5", "example.org"), "wherever mails go")

	_, err = p.people.RemoveAddress(p.Ctx, who, bo)
	require.NoError(t, err)
	require.NoError(t, p.people.WithdrawPasses(p.Ctx, who, 1))
	require.NoError(t, mail.Post{Outbox: p.outbox}.Afresh(p.Ctx, who))
	require.Equal(t, "why: withdrawn", says(work, "6", "work.example"), "what was mailed before counts no longer")
	p.deliver(table)
	to = p.address(table, 1)
	anew := p.newest("Bo@work.example")
	require.Contains(t, anew.Header.Get("Reply-To"), "<"+to+">", "it is mailed anew")
	require.Equal(t, "outcome: held", says(bo, "7", "example.org"), "nor does it know one that was removed")
	require.Equal(t, "outcome: said", says(work, "8", "work.example"))
}
