package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// Who agreed and thinks better of it while the others are still asked takes the yes back, as the page does.
func TestANoAfterAYesTakesTheYesBack(t *testing.T) {
	for lang, no := range map[string]string{"en": "no", "pl": "nie", "pt-BR": "não", "pt-PT": "não, obrigado"} {
		p := newPost(t)
		people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", lang), p.person("Cid", "en")}
		table := p.started(events.NewTable{Rulebook: "catan", Given: []byte(building)}, people...)
		p.play(table, 0, "buy")
		p.Does(people[0], table, events.ProposeRewind{To: 1})
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
var yesStands = map[string]string{"en": "Your yes to the proposal still counts.", "pl": "Twoja zgoda na propozycję nadal obowiązuje.",
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
	const open = "The seat is no longer kept for you. Ana can invite you again. A seat is open to anybody: you can take it on the table’s page."
	require.Contains(t, told(), open)
	p.answerTo(bo, asked, "yes")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	require.Contains(t, told(), open)
	p.Does(people[0], table, events.Fill{Seat: 1, StandIn: "steady"})
	p.answerTo(bo, asked, "yes please")
	require.Contains(t, told(), "Ana can invite you again.")
	require.NotContains(t, told(), "open to anybody")
}
