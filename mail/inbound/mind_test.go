package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// Who agreed and thinks better of it while the others are still asked takes the yes back, as the page does.
func TestANoAfterAYesTakesTheYesBack(t *testing.T) {
	for lang, no := range map[string]string{"en": "no", "pl": "nie", "pt-BR": "não", "pt-PT": "não, obrigado"} {
		p := newPost(t)
		people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", lang), p.person("Cid", "en")}
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)}, people...)
		p.play(table, 0, "buy")
		p.Does(people[0], table, desk.ProposeRewind{To: 1})
		p.deliver(table)
		asked := p.newest(bo)
		require.Equal(t, "outcome: answered", p.becomes(bo, "yes"), lang)
		p.deliver(table)
		p.becomes(bo, no) // in answer to the answer, which asks for nothing: chat, or a word that Catan has for a move
		require.NotNil(t, p.Sees(table).Table.Proposal)
		p.deliver(table)
		require.Contains(t, flat(p.newest(bo).Text), yesStands[lang], "but who says no there learns where it counts")

		p.answerTo(bo, asked, no)
		require.Equal(t, "outcome: answered", outcome(p.log.String()), lang)
		require.Nil(t, p.Sees(table).Table.Proposal, lang)
		p.answerTo(bo, asked, no)
		require.Equal(t, "outcome: stale", outcome(p.log.String()), "it is over")
	}
}

// yesStands begins what somebody reads whose no was chat, by language.
var yesStands = map[string]string{"en": "Your yes to the proposal still counts.",
	"pl":    "Twoja zgoda na propozycję nadal obowiązuje.",
	"pt-BR": "Seu sim à proposta continua valendo.", "pt-PT": "O seu sim à proposta continua a valer."}

// A seat taken by mail is given up by mail until the game begins, as the page's button does.
func TestANoAfterTakingASeatGivesItUp(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.invites(people...)
	asked := p.newest(bo)
	require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
	p.deliver(table)
	require.Equal(t, "outcome: said", p.becomes(bo, "no"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "You still have seat B.")
	p.answerTo(bo, asked, "no")
	require.Equal(t, "outcome: answered", outcome(p.log.String()))
	require.Equal(t, domain.SeatOpen, p.Sees(table).Table.Places[1].Kind)
}

// Who declined and changes their mind is told that the invitation is over, and how to get in again.
func TestAYesAfterDecliningIsToldTheWayBackIn(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.invites(people...)
	asked := p.newest(bo)
	require.Equal(t, "outcome: answered", p.becomes(bo, "no"))
	p.deliver(table)
	told := func() string {
		p.deliver(table)
		return flat(p.newest(bo).Text)
	}
	require.Equal(t, "outcome: stale", p.becomes(bo, "changed my mind, yes"))
	const open = "The seat is no longer kept for you. Ana can invite you again. A seat is open to anybody: you can " +
		"take it on the table’s page."
	require.Contains(t, told(), open)
	p.answerTo(bo, asked, "yes")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	require.Contains(t, told(), open)
	p.Does(people[0], table, desk.Fill{Seat: 1, StandIn: "steady"})
	p.answerTo(bo, asked, "yes please")
	require.Contains(t, told(), "Ana can invite you again.")
	require.NotContains(t, told(), "open to anybody")
}

// Whoever is awaited for several things, as the seat in turn while a counter-offer is open, is named once.
func TestWhoIsAwaitedTwiceIsNamedOnce(t *testing.T) {
	h := newHouse(t)
	table := h.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "en"))
	h.play(table, 0, "offer 2 wool for ore to B C")
	h.play(table, 1, "counter ore for 3 wool")
	m, err := h.door.Maker.Turn(h.Ctx, table,
		turn.Asker{Person: h.Sees(table).Table.Places[1].Holders[0], Seat: 1, Lang: "en"})
	require.NoError(t, err)
	require.Equal(t, "Not your turn. Waiting for Ana and Cid.", m.Sentence)
}

// The consent that takes the game back brings an answer that says so, and everybody else's next mail does, too.
func TestTheLastConsentIsToldThatTheGameWentBack(t *testing.T) {
	p := newPost(t)
	const cid, back = "cid@example.org", "The game was taken back to move 1."
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)}, people...)
	p.play(table, 0, "buy")
	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	p.deliver(table)
	require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
	p.deliver(table)
	require.NotContains(t, flat(p.newest(bo).Text), back, "one is still asked")
	require.Equal(t, "outcome: answered", p.becomes(cid, "yes"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(cid).Text), "You have agreed. "+back)
	p.deliver(table)
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), back)
	require.Contains(t, flat(p.newest(bo).Text), back)
}
