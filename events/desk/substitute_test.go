package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

const dawa = domain.PersonID("Dawa")

func TestASeatIsHandedToASubstituteAndTakenBack(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "not-your-seat", h.says(ana, table, desk.OfferSeat{Seat: 1, Person: dawa}))
	require.Equal(t, "seated-elsewhere", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: bo}),
		"nobody sees two hands")
	require.Equal(t, "seated-already", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: ana}))
	require.Equal(t, "not-invited", h.says(dawa, table, desk.TakeOver{Seat: 0}))
	require.Equal(t, "", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: dawa}))
	require.Equal(t, "seat-offered", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: desktest.Cid}))
	require.Equal(t, "seated-asked", h.says(bo, table, desk.OfferSeat{Seat: 1, Person: dawa}), "one seat at a time")
	require.Contains(t, h.asked(table), dawa)
	require.Contains(t, h.asked(table), ana, "who plays on until then")
	require.Equal(t, "", h.says(dawa, table, desk.WithdrawOffer{Seat: 0}))
	require.NotContains(t, h.asked(table), dawa)

	require.Equal(t, "", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: dawa}))
	h.now = h.now.Add(5 * time.Hour)
	require.Equal(t, "", h.says(dawa, table, desk.TakeOver{Seat: 0}))
	look := h.Sees(table)
	require.Equal(t, []domain.PersonID{dawa}, look.Table.Places[0].Holders)
	require.Equal(t, domain.ViewOf(0), look.Table.ViewerOf(dawa, domain.Nobody))
	require.Equal(t, domain.Spectator, look.Table.ViewerOf(ana, domain.Nobody))
	require.Equal(t, "2026-11-24T17:00:00Z", h.due(table, 0), "with all the time there is")
	h.Plays(table, 0, "keep")
	require.Equal(t, "seated-before", h.says(bo, table, desk.OfferSeat{Seat: 1, Person: ana}), "Ana has seen a hand")
	require.Equal(t, "seated-former", h.says(dawa, table, desk.OfferSeat{Seat: 0, Person: ana}),
		"who can come back as she is")

	require.Equal(t, "not-your-seat", h.says(bo, table, desk.Return{Seat: 0}))
	require.Equal(t, "", h.says(ana, table, desk.Return{Seat: 0}))
	require.Equal(t, []domain.PersonID{ana}, h.Sees(table).Table.Places[0].Holders)
	require.Equal(t, "not-your-seat", h.says(dawa, table, desk.Return{Seat: 0}))
	require.Equal(t, "seated-before", h.says(bo, table, desk.OfferSeat{Seat: 1, Person: dawa}),
		"Dawa has seen Ana's hand")
	require.Equal(t, "", h.says(ana, table, desk.OfferSeat{Seat: 0, Person: dawa}), "which is no other")
	_, err := h.Sees(table).Table.OfferSeat(bo, 1, dawa, false)
	require.Error(t, err)
	require.Equal(t, "", h.says(dawa, table, desk.WithdrawOffer{Seat: 0}))
	_, err = h.Sees(table).Table.OfferSeat(bo, 1, dawa, false)
	require.NoError(t, err, "as older programs did, whose records are judged by it")
}

func TestTheOthersHandASeatOnOnceItsTimeIsOver(t *testing.T) {
	for out, lent := range map[domain.TimeOut]bool{domain.TimeOutRemind: false, domain.TimeOutSeat: true} {
		h := newTimed(t)
		table := h.starts("daily", out, desktest.Player(ana), desktest.Player(bo), desktest.Player(desktest.Cid))
		require.Equal(t, "not-your-seat", h.says(bo, table, desk.OfferSeat{Seat: 0, Person: dawa}), out)
		h.silent(table, 0)
		require.Equal(t, lent, h.Sees(table).Table.Places[0].Lent)
		require.Equal(t, "not-your-seat", h.says("Somebody", table, desk.OfferSeat{Seat: 0, Person: dawa}), out)
		require.Equal(t, "", h.says(bo, table, desk.OfferSeat{Seat: 0, Person: dawa}), out)
		require.Equal(t, "", h.says(dawa, table, desk.TakeOver{Seat: 0}), out)
		require.True(t, h.Sees(table).Table.Places[0].Humans())
		require.NotEmpty(t, h.due(table, 0))
		require.Equal(t, "", h.says(ana, table, desk.Return{Seat: 0}), out)
		h.Plays(table, 0, "keep")
	}
	h := newTimed(t) // somebody who plays after all is there
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	h.silent(table, 0)
	h.Plays(table, 0, "keep")
	require.Equal(t, "not-your-seat", h.says(bo, table, desk.OfferSeat{Seat: 0, Person: dawa}))
}
