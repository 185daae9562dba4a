package inbound_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// alone opens a game of Ana's against a computer; she begins.
func (p *post) alone() events.Name {
	p.T.Helper()
	who := p.person("Ana", "en")
	ans, err := p.Desk.Open(p.Ctx, desktest.By(who), events.NewCommandID(), desk.NewTable{Rulebook: "catan",
		Given: []byte(building), Pace: "weekly",
		Places: []domain.TablePlace{desktest.Player(who), desktest.StandIn(), desktest.StandIn()}})
	require.NoError(p.T, err)
	p.Joins(who, ans.Table, 0)
	p.deliver(ans.Table)
	return ans.Table
}

// mailsTo counts the mails to somebody.
func (p *post) mailsTo(to string) (n int) {
	for _, m := range p.box.Messages() {
		if strings.EqualFold(m.To, to) {
			n++
		}
	}
	return n
}

// Against computers, which move at once, a reply and the turn after it are one mail: it says what was played, what the
// computers did, and asks again, with the board.
func TestAgainstAComputerAReplyBringsOneMail(t *testing.T) {
	p := newPost(t)
	table := p.alone()
	before := p.mailsTo(ana)
	require.Equal(t, "outcome: played", p.becomes(ana, "end"))
	for rnd := rand.New(rand.NewPCG(1, 2)); p.Sees(table).Line.Awaited()[0].Seat != 0; {
		p.Random(table, rnd, 1)
	}
	p.deliver(table)
	require.Equal(t, before+1, p.mailsTo(ana))
	got := p.newest(ana)
	require.Contains(t, flat(got.Text), "Played: end the turn.")
	require.Contains(t, flat(got.Text), "Your turn")
	require.Contains(t, flat(got.Text), "Each hex: ", "the board has changed since")
	p.deliver(table)
	require.Equal(t, before+1, p.mailsTo(ana), "nothing comes later")
	letters, err := p.outbox.Letters(p.Ctx, table)
	require.NoError(t, err)
	for _, l := range letters {
		require.NotEqual(t, mail.StateFailed, l.State)
	}
}

// A computer that takes its time delays the answer for some seconds alone.
func TestAComputerThatThinksDelaysAnAnswerLittle(t *testing.T) {
	p := newPost(t)
	table := p.alone()
	before := p.mailsTo(ana)
	require.Equal(t, "outcome: played", p.becomes(ana, "end"))
	p.deliver(table)
	require.Equal(t, before, p.mailsTo(ana))
	p.deliver(table)
	require.Equal(t, before+1, p.mailsTo(ana))
	require.Contains(t, flat(p.newest(ana).Text), "Played: end the turn.")
}
