package inbound_test

import (
	"strings"
	"testing"
	"time"

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
	mailed := p.newest(bo)
	first := strings.Trim(mailed.Header.Get("Message-Id"), "<>")
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
	made, err := p.outbox.Made(p.Ctx, first)
	require.NoError(t, err)
	require.True(t, made, "whoever answers the first mail, at whatever address, is answered")
	require.Equal(t, "outcome: held", says(bo, "7", "example.org"), "nor does it know one that was removed")
	require.Equal(t, "outcome: said", says(work, "8", "work.example"))
}

// The offset in the date of an answer that is proved theirs tells when its writer's night is; of others it tells
// nothing.
func TestAnAnswersDateTellsItsWritersNight(t *testing.T) {
	p := newPost(t)
	table := tinyTable(p.house)
	p.deliver(table)
	who := p.Sees(table).Table.Places[1].Holders[0]
	to := p.address(table, 1)
	says := func(id, signer string, ahead int) string {
		here := p.now.Now().In(time.FixedZone("", ahead*3600)).Format(time.RFC1123Z)
		raw := string(p.mailFrom(bo, to, id, "", "say "+id))
		raw = strings.Replace(raw, p.now.Now().Format(time.RFC1123Z), here, 1)
		return p.takes(to, providertest.Sign([]byte(raw), signer))
	}
	zone := func() string {
		c, err := p.people.Calendar(p.Ctx, who)
		require.NoError(t, err)
		return c.Zone.String()
	}
	require.Equal(t, "outcome: held", says("1", "eve.example", 5))
	require.Equal(t, "UTC", zone())
	require.Equal(t, "outcome: said", says("2", "example.org", -3))
	require.Equal(t, "UTC-03:00", zone())
}
