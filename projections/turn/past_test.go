package turn_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

func (h *house) told(table events.Name, who turn.Asker) string {
	h.T.Helper()
	list, err := h.maker.Timeline(h.Ctx, table, h.Sees(table).LineName, who, 0, 0)
	require.NoError(h.T, err)
	var all []string
	for _, one := range list {
		all = append(all, one.Who, strings.Join(one.Sentences, " "))
	}
	return strings.Join(all, "\n")
}

func TestTheMovesBeforeABranchAreOfWhoeverSatThere(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	branch := h.Starts("tiny", h.BranchOf(table, 2, "game"), desktest.Player(cid), desktest.Player(bo))
	line := h.Sees(branch).LineName
	h.Plays(branch, h.Sees(branch).Line.Awaited()[0].Seat, "keep")

	told := h.told(branch, asks(cid))
	require.Contains(t, told, "Ana (then)", "she sat where Cid sits")
	require.NotContains(t, told, "Bo (then)", "he sits there still")
	m := h.at(branch, line, 2, asks(cid))
	require.Equal(t, []string{"Ana (then)", "Bo"}, []string{m.Players[0].Name, m.Players[1].Name})
	require.Contains(t, m.Labels, "Ana (then)")
	require.False(t, m.Players[0].You, "that was Ana")
	require.Contains(t, m.Title, "Cid", "the table is called by its own people")
	m = h.turn(branch, asks(cid))
	require.Equal(t, "Cid", m.Players[0].Name)
	require.True(t, m.Players[0].You)
	require.Contains(t, h.told(branch, turn.Asker{Person: cid, Seat: domain.Nobody, Lang: "pl"}), "Ana (wtedy)")

	audited, err := h.maker.AuditLine(h.Ctx, h.Sees(branch), line, asks(cid), 0, 0)
	require.NoError(t, err)
	require.Equal(t, "Ana (then)", audited[1].Who)

	// In a branch of a branch, each part has its own people.
	second := h.Starts("tiny", h.BranchOf(branch, h.Sees(branch).LineHead.Version, "game"), desktest.Player(ana),
		desktest.Player(cid))
	told = h.told(second, asks(ana))
	require.NotContains(t, told, "Ana (then)", "she sits there again")
	require.Contains(t, told, "Bo (then)")
}

func TestWhoSatAtAStudyIsNotToldToThoseWhoMayNotSeeIt(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	study := h.Starts("tiny", h.BranchOf(table, 1, "study"), desktest.Player(ana), desktest.Player(ana))
	h.Plays(study, h.Sees(study).Line.Awaited()[0].Seat, "keep")
	at := h.Sees(study).LineHead.Version
	shared := h.Starts("tiny", h.BranchOf(study, at, "game"), desktest.Player(ana), desktest.Player(cid))
	entries, err := h.maker.AuditLine(h.Ctx, h.Sees(shared), h.Sees(shared).LineName, asks(cid), at-1, at)
	require.NoError(t, err)
	require.Contains(t, []string{"A", "B"}, entries[0].Who, "a seat by its letter")
	entries, err = h.maker.AuditLine(h.Ctx, h.Sees(shared), h.Sees(shared).LineName, asks(ana), at-1, at)
	require.NoError(t, err)
	require.Contains(t, entries[0].Who, "Ana")
}

// Moves stay those of whoever made them when their seat changes hands: at the table itself, and at a branch of it.
func TestMovesBeforeASeatChangedHandsAreNotRetold(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	branch := h.Starts("tiny", h.BranchOf(table, 2, "game"), desktest.Player(ana), desktest.Player(bo))
	require.NotContains(t, h.told(table, asks(ana)), "(then)")

	h.Does(ana, table, desk.OfferSeat{Seat: 0, Person: cid})
	h.Does(cid, table, desk.TakeOver{Seat: 0})
	h.Plays(table, 1, "keep")
	told := h.told(table, asks(cid))
	require.Contains(t, told, "Ana (then)")
	require.NotContains(t, told, "Cid")
	audited, err := h.maker.AuditLine(h.Ctx, h.Sees(table), h.Sees(table).LineName, asks(bo), 0, 0)
	require.NoError(t, err)
	require.Equal(t, "Ana (then)", audited[1].Who)
	require.Equal(t, "Cid", h.turn(table, asks(bo)).Players[0].Name)
	told = h.told(branch, asks(ana))
	require.NotContains(t, told, "Cid", "Cid never sat there")
	require.NotContains(t, told, "(then)", "Ana sits there, as she did then")
	require.True(t, h.at(branch, h.Sees(branch).LineName, 2, asks(ana)).Players[0].You)

	h.Does(ana, table, desk.Return{Seat: 0})
	require.NotContains(t, h.told(table, asks(bo)), "(then)", "whoever comes back is called as before")
}

// A past moment names whoever sat there then, as the moves do; the table as it stands, whoever sits there now.
func TestAPastMomentNamesWhoeverSatThereThen(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Does(ana, table, desk.OfferSeat{Seat: 0, Person: cid})
	h.Does(cid, table, desk.TakeOver{Seat: 0})
	line := h.Sees(table).LineName
	now := h.at(table, line, 2, asks(cid))
	require.Equal(t, "Cid", now.Players[0].Name, "nothing was played since")
	require.True(t, now.Players[0].You)
	require.Contains(t, now.Labels, "Cid")

	h.Plays(table, 1, "keep")
	for _, who := range []domain.PersonID{bo, cid} {
		then := h.at(table, line, 2, asks(who))
		require.Equal(t, "Ana (then)", then.Players[0].Name)
		require.False(t, then.Players[0].You, "that was not them")
		require.Contains(t, then.Labels, "Ana (then)")
		require.NotContains(t, strings.Join(then.Situation(), " "), "Cid")
	}
	require.Contains(t, h.turn(table, asks(bo)).Labels, "Cid")
}
