package inbound_test

import (
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// A standing order is taken back by a reply in plain words, and the answer says which; one that names none takes back
// all. What stands beside it is played, and what only says that something is not for its writer is no such thing.
func TestAnOrderIsTakenBackInPlainWords(t *testing.T) {
	for _, c := range []struct{ lang, text, left, says string }{
		{"en", "please stop rolling for me", "order rob 9", "Taken back: "},
		{"en", "do not roll for me any more", "order rob 9", "Taken back: "},
		{"en", "order roll off", "order rob 9", "Taken back: "},
		{"en", "order roll no more", "order rob 9", "Taken back: "},
		{"en", "take back order roll", "order rob 9", "Taken back: "},
		{"en", "remove my standing orders", "", "Taken back: "},
		{"en", "remove all my orders.", "", "Taken back: "},
		{"pl", "usuń moje polecenia", "", "Odwołane: "},
		{"pl", "nie rzucaj już za mnie", "order rob 9", "Odwołane: "},
		{"pt-BR", "remova minhas ordens", "", "Retirada: "},
		{"pt-BR", "não role mais os dados por mim", "order rob 9", "Retirada: "},
		{"pt-PT", "retire as minhas ordens", "", "Retirada: "},
		{"pt-PT", "pare de lançar por mim", "order rob 9", "Retirada: "},
		{"en", "remove my order about the gloop", "order roll|order rob 9",
			"None of your standing orders was taken back"},
		{"en", "that is not enough for me", "order roll|order rob 9", ""},
		{"en", "no, not for me", "order roll|order rob 9", ""},
		{"pl", "nie, to nie za mnie", "order roll|order rob 9", ""},
		{"pl", "od teraz już zawsze rzucaj za mnie", "order roll|order rob 9", ""},
		{"en", "order accept 1 wool for 1 ore, no more than 2 times", "order roll|order rob 9", ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			people := []domain.PersonID{p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en")}
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(robbing)}, people...)
			p.deliver(table)
			require.Equal(t, "outcome: ordered", p.becomes(ana, "order roll", "order rob 9"))
			p.deliver(table)
			p.becomes(ana, c.text)
			now, err := p.Desk.Orders(p.Ctx, table, 0, people[0])
			require.NoError(t, err)
			require.Equal(t, c.left, strings.Join(now.List, "|"))
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), c.says)
		})
	}
}

// A mail that comes again, as its answer was lost, is answered as if it had come once.
func TestALostAnswerAboutOrdersIsGiven(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(robbing)}, people...)
	p.deliver(table)
	require.Equal(t, "outcome: ordered", p.becomes(ana, "order roll", "order rob 9"))
	p.deliver(table)
	for _, c := range []struct{ says, left, told string }{
		{"order roll off", "order rob 9", "Your standing orders now: "},
		{"remove my orders", "", "You have no standing orders here."},
		{"order roll", "order roll", "Your standing orders now: "},
	} {
		m := p.newest(ana)
		to, err := netmail.ParseAddress(m.Header.Get("Reply-To"))
		require.NoError(t, err)
		raw := written(ana, strings.ReplaceAll(c.says, " ", "-"), c.says)
		p.full = true // the queue's disk
		require.Error(t, p.handle(to.Address, ana, raw), "the mail server is to send it again")
		p.full = false
		p.log.Reset()
		require.NoError(t, p.handle(to.Address, ana, raw))
		require.Equal(t, "outcome: ordered", outcome(p.log.String()))
		now, err := p.Desk.Orders(p.Ctx, table, 0, people[0])
		require.NoError(t, err)
		require.Equal(t, c.left, strings.Join(now.List, "|"))
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), c.told)
	}
}
