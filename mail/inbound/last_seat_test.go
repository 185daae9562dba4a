package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// keepsASeat opens a table whose opener sits down later, and delivers the invitations.
func (p *post) keepsASeat(ids ...domain.PersonID) events.Name {
	p.T.Helper()
	table := p.keepsSeats(ids...)
	p.deliver(table)
	return table
}

// got counts the mails that somebody got.
func (p *post) got(who string) (n int) {
	for _, m := range p.box.Messages() {
		if strings.EqualFold(m.To, who) {
			n++
		}
	}
	return n
}

// lastSeat is what somebody reads whose seat is the last one that nobody sits at, by language.
var lastSeat = map[string]string{"en": "Everybody else is seated; only your seat is open.",
	"pl":    "Wszyscy inni już siedzą; wolne jest tylko twoje miejsce.",
	"pt-BR": "Todos os outros já se sentaram; só falta ocupar o seu lugar.",
	"pt-PT": "Todos os outros já se sentaram; só falta ocupar o seu lugar."}

// The opener, who keeps a seat for themselves, is on the page while they open the table; once others wait, nobody
// knows.
func TestTheOpenerIsMailedOnceOnlyTheirSeatIsOpen(t *testing.T) {
	for lang, says := range lastSeat {
		p := newPost(t)
		table := p.keepsASeat(p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
		require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
		p.deliver(table)
		require.Zero(t, p.got(ana), "another is awaited, too")
		require.Contains(t, flat(p.newest(bo).Text), "The table is waiting for Ana and Cid to take a seat.")

		require.Equal(t, "outcome: answered", p.becomes("cid@example.org", "yes"))
		p.deliver(table)
		require.Equal(t, 1, p.got(ana), lang)
		require.Contains(t, flat(p.newest(ana).Text), says, lang)
		p.saysOnPage(p.Sees(table).Table.Places[1].Holders[0], table, "hello")
		p.deliver(table)
		require.Equal(t, 1, p.got(ana), "once")

		yes := map[string]string{"en": "yes", "pl": "tak", "pt-BR": "sim", "pt-PT": "sim"}[lang]
		require.Equal(t, "outcome: answered", p.becomes(ana, yes))
		p.deliver(table)
		require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
	}
}

// Somebody who was invited long ago is told that they keep the others waiting.
func TestTheLastOneInvitedIsMailedAgain(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "pl")}
	table := p.invites(people...)
	require.Equal(t, 1, p.got("cid@example.org"))
	require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
	p.deliver(table)
	require.Equal(t, 2, p.got("cid@example.org"))
	require.Contains(t, flat(p.newest("cid@example.org").Text), lastSeat["pl"])
	require.Equal(t, "outcome: answered", p.becomes("cid@example.org", "tak"))
	p.deliver(table)
	require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
}

// Whoever sits down while that mail waits, or is withheld from somebody who has had enough invitations, brings none.
func TestNobodyIsMailedAboutALastSeatInVain(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	require.NoError(t, p.outbox.Withhold(p.Ctx, people[2]))
	table := p.keepsASeat(people...)
	require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
	p.Joins(people[0], table, 0)
	p.deliver(table)
	require.Zero(t, p.got("cid@example.org"), "it was withheld")

	p.Does(people[0], table, desk.Decline{Seat: 0, Person: people[0]})
	p.Does(people[0], table, desk.Invite{Seat: 0, Person: people[0]})
	p.Joins(people[2], table, 2)
	p.Does(people[1], table, desk.Decline{Seat: 1, Person: people[1]})
	p.deliver(table)
	require.Zero(t, p.got(ana), "Bo has left again")
}

// That whoever opened the table sits down is what their invitation promised: it comes once.
func TestTheOpenerSittingDownMailsNobodyAgain(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	two := p.keepsASeat(people[0], people[1])
	p.Joins(people[0], two, 0)
	p.deliver(two)
	require.Equal(t, 1, p.got(bo))
	three := p.keepsASeat(people...)
	p.Joins(people[0], three, 0)
	p.deliver(three)
	require.Equal(t, 1, p.got("cid@example.org"))
	p.Joins(people[1], three, 1)
	p.deliver(three)
	require.Equal(t, 2, p.got("cid@example.org"), "now others wait, too")
}

// Somebody who takes several seats one after another keeps nobody waiting.
func TestWhoSitsAloneIsNotMailedAboutALastSeat(t *testing.T) {
	p := newPost(t)
	id := p.person("Ana", "en")
	table := p.keepsASeat(id, id, id)
	p.Joins(id, table, 0)
	p.deliver(table)
	p.Joins(id, table, 1)
	p.deliver(table)
	p.deliver(table)
	require.Zero(t, p.got(ana))
	p.Joins(id, table, 2)
	p.deliver(table)
	require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
}
