package inbound_test

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/mail/bounce"
)

// envelopes notes whom the last letter to an address was sent from.
type envelopes struct {
	mail.Transport
	from map[string]string
}

// Send hands a letter over.
func (e envelopes) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	e.from[to] = from
	return e.Transport.Send(ctx, from, to, message)
}

// complaining returns a post office and a way to complain about the last letter to an address.
func complaining(t *testing.T) (p *post, complains func(who string)) {
	t.Helper()
	p = newPost(t)
	d := &bounce.Door{Address: mail.NewReturnAddress("games@games.example.org", p.Desk.Keys()), Outbox: p.outbox,
		People: p.people, Log: slog.New(slog.DiscardHandler)}
	sent := envelopes{p.sender.Transport, map[string]string{}}
	p.sender.Return, p.sender.Transport = d.Address, sent
	raw, err := os.ReadFile("../bounce/testdata/complaint.eml")
	require.NoError(t, err)
	return p, func(who string) {
		require.NoError(t, d.Handle(p.Ctx, sent.from[who], "abuse@isp.example.net", raw))
	}
}

// Whoever complained about the answer to a reply gets no more answers; what they reply is done all the same.
func TestAComplaintAboutAnAnswerCounts(t *testing.T) {
	p, complains := complaining(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "say hello")
	p.deliver(table)
	answer := p.newest(ana)
	require.Equal(t, "auto-replied", answer.Header.Get("Auto-Submitted"))
	complains(ana)

	p.answer(ana, "say still here")
	require.Equal(t, "outcome: said", outcome(p.log.String()))
	p.deliver(table)
	newest := p.newest(ana)
	require.Equal(t, answer.Header.Get("Message-Id"), newest.Header.Get("Message-Id"))
}

// So does one of a stranger about what the house's own address told them.
func TestAStrangersComplaintCounts(t *testing.T) {
	const eve = "eve@example.org"
	p, complains := complaining(t)
	asks := func() (told bool) {
		before := len(p.box.Messages())
		p.now.add(25 * time.Hour)
		p.answerTo(eve, p.signIn(eve), "hello?")
		require.Equal(t, "outcome: told", outcome(p.log.String()))
		require.NoError(t, p.sender.Flush(p.Ctx))
		return len(p.box.Messages()) == before+2
	}
	require.True(t, asks())
	require.True(t, asks())
	complains(eve)
	require.False(t, asks(), "only the sign-in came")
	p.now.add(30 * 24 * time.Hour)
	require.True(t, asks())
}
