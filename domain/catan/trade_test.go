package catan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

const market = `{"phase":"main","players":[{"settlements":[8],"hand":{"wool":2,"brick":1,"lumber":1}},{"settlements":[30],"hand":{"ore":2,"grain":1}},
	{"settlements":[51],"hand":{"ore":1}},{"settlements":[0],"hand":{"wool":1}}]}`

func Test31TradeIsWithWhoseTurnItIsCardsForCards(t *testing.T) {
	g := given(t, 4, market)
	g.refuse("Bo: offer 1 ore for 1 wool", "not-awaited")
	g.refuse("Ana: offer 2 wool for 1 wool", "trade-same").
		refuse("Ana: offer 1 wool 1 brick for 1 ore 1 wool", "trade-same")
	g.refuse("Ana: offer 3 wool for 1 ore", "not-in-hand").refuse("Ana: offer 1 wool for 1 ore to Ana", "offer-to-whom")
	g.refuse("Ana: offer 1 wool for 20 ore", "too-many-cards")
	g.play("Ana: offer 2 wool for 1 ore to Bo", "Bo: accept")
	g.then("1 brick 1 lumber 1 ore", g.hand("Ana")).then("2 wool 1 grain 1 ore", g.hand("Bo"))
	conserved(t, g.state())
	before := given(t, 4, `{"phase":"roll","players":[{"settlements":[8],"hand":{"wool":2}}]}`)
	before.refuse("Ana: offer 1 wool for 1 ore", "not-now-roll") // only after the roll
}

func Test31AGiftIsNoTrade(t *testing.T) {
	m := state.NewMove(state.KindOffer)
	m.Give = table.One(table.Wool)
	_, err := Rulebook.Decide(given(t, 4, market).state(), 0, m, nil)
	refusal, ok := domain.AsRefusal(err)
	require.True(t, ok)
	require.Equal(t, "trade-gift", refusal.Code)
}

func Test33TheFirstOfSeveralToAcceptAnOfferTrades(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo Cy")
	g.then("Ana turn, Bo answer, Cy answer", g.awaits())
	g.refuse("Di: accept", "not-awaited").refuse("Bo: end", "not-your-turn")
	g.play("Cy: accept").then("Ana turn", g.awaits()).then("1 wool", g.hand("Cy"))
	g.refuse("Bo: accept", "not-awaited")
}

func Test33AnOfferToNobodyInParticularGoesToAll(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore").then("Ana turn, Bo answer, Cy answer, Di answer", g.awaits())
}

func Test33WhoCannotPayIsAskedAndOnlyTheyLearnIt(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Di").then("Ana turn, Di answer", g.awaits())
	require.Equal(t, []string{"decline"}, g.legal("Di", ""))
	g.refuse("Di: accept", "not-in-hand")
	g.play("Di: decline").then("Ana turn", g.awaits())
}

func Test33WithAskTheOffererConfirmsOneOfThoseWhoWould(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo Cy Di ask", "Bo: accept")
	g.then("Ana turn, Ana confirm, Cy answer, Di answer", g.awaits()).then("2 grain", "2 grain")
	g.refuse("Bo: accept", "not-awaited").refuse("Ana: confirm Cy", "not-accepted")
	g.play("Cy: accept", "Di: decline")
	require.Equal(t, []string{"confirm Bo", "confirm Cy"}, g.legal("Ana", "confirm"))
	g.refuse("Ana: confirm", "confirm-whom")
	g.play("Ana: confirm Cy").then("1 wool", g.hand("Cy")).then("1 grain 2 ore", g.hand("Bo")).
		then("Ana turn", g.awaits())
}

func Test33ACounterOfferIsAnOfferToTheSeatInTurn(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 brick for 1 ore to Bo Cy", "Bo: counter 1 ore for 2 wool")
	g.then("Ana turn, Ana counter, Cy answer", g.awaits())
	g.refuse("Bo: counter 1 ore for 1 wool", "not-awaited").refuse("Ana: counter 1 wool for 1 ore", "counter-own")
	g.refuse("Bo: withdraw", "not-awaited")
	g.play("Cy: counter 1 ore for 1 wool").refuse("Ana: accept", "counter-whose")
	g.play("Ana: decline Cy", "Ana: accept").then("1 brick 1 lumber 1 ore", g.hand("Ana")).
		then("2 wool 1 grain 1 ore", g.hand("Bo"))
	g.then("Ana turn", g.awaits())
	g.refuse("Ana: accept Bo", "no-offer")
}

// Only the seat in turn withdraws. Whoever made a counter-offer and is asked again may make another.
func Test33ACounterOfferIsNotWithdrawn(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 brick for 1 ore to Bo", "Bo: counter 1 ore for 2 wool", "Ana: offer 1 wool for 1 ore to Bo")
	g.refuse("Bo: withdraw", "counter-stands").refuse("Cy: withdraw", "not-awaited")
	g.play("Bo: counter 1 ore for 1 wool 1 brick", "Ana: accept")
}

func Test33OneOpenOfferASeat(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo", "Ana: offer 1 brick for 1 ore to Cy").
		then("Ana turn, Cy answer", g.awaits())
	g.play("Ana: withdraw").then("Ana turn", g.awaits()).refuse("Ana: withdraw", "no-offer-yours")
}

func Test33OffersDieWithTheTurn(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo Cy", "Bo: counter 1 ore for 2 wool", "Ana: end")
	g.then("Bo turn", g.awaits()).then("[]", g.state().View(domain.Referee).Position().Offers)
}

func Test33AnOfferEndsWhenItsMakerPartsWithSuchCards(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 brick for 1 ore to Bo", "Ana: road 13").then("Ana turn", g.awaits())
	g = given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo", "Ana: road 13").then("Ana turn, Bo answer", g.awaits())
	g.play("Bo: accept")
	// A card that leaves a hand unseen ends every offer, so that no answer reveals what was taken.
	g = given(t, 4, `{"phase":"main","robber":0,"players":[{"settlements":[8],"hand":{"wool":2},"cards":{"knight":1,"monopoly":1}},{"settlements":[30],"hand":{"ore":1,"grain":1}}]}`)
	g.play("Ana: offer 1 wool for 1 brick to Bo", "Bo: counter 1 ore for 1 wool").
		then("Ana turn, Ana counter", g.awaits())
	g.play("Ana: knight 10 Bo").then("Ana turn", g.awaits())
}

func Test33ADecisionIsNeverTheSameTwice(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo")
	first := g.line.Awaited()[1].Decision
	g.play("Bo: decline", "Ana: offer 1 wool for 1 ore to Bo")
	second := g.line.Awaited()[1].Decision
	require.Equal(t, first.Kind, second.Kind)
	require.NotEqual(t, first.Serial, second.Serial)
}

func Test33TheFormsOfATradeAreComposedAndPlayed(t *testing.T) {
	g := given(t, 4, market)
	forms := g.line.Rulebook.Forms(g.line.State, 0)
	require.Len(t, forms, 2)
	require.Equal(t, "offer {give} for {want} to {seats}", forms[0].Pattern)
	require.Equal(t, []domain.Seat{1, 2, 3}, forms[0].Fields[2].Seats)
	require.Empty(t, g.line.Rulebook.Forms(g.line.State, 1))
	g.play("Ana: offer 1 wool for 1 ore to Bo")
	require.Equal(t, "counter", g.line.Rulebook.Forms(g.line.State, 1)[0].Key)
	require.Empty(t, g.line.Rulebook.Forms(g.line.State, 2))
}

// What the rules page says of when offers end ("trade.4").
func TestGuideTrade4WhatEndsAnOffer(t *testing.T) {
	const position = `{"phase":"main","players":[{"settlements":[16],"hand":{"wool":1,"ore":8},"cards":{"monopoly":1}},{"settlements":[30],"hand":{"grain":1}},{}]}`
	open := func() *game { return given(t, 3, position).play("Ana: offer 1 wool for 1 grain") }
	g := open().play("Ana: bank ore brick")
	g.then("true", g.state().Offers[0].Open)
	g = open().play("Ana: monopoly grain")
	g.then("false", g.state().Offers[0].Open)
	g = open().play("Bo: decline")
	g.then("true", g.state().Offers[0].Open)
	g.play("Cy: decline").then("false", g.state().Offers[0].Open)
	g = given(t, 3, position).play("Ana: offer 1 ore for 1 grain").play("Ana: bank ore brick")
	g.then("false", g.state().Offers[0].Open)
}
