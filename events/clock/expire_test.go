package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// gathers returns a table of the house that waits for two people and has no clock.
func (h *house) gathers() events.Name {
	h.T.Helper()
	ans, err := h.Desk.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "relaxed",
			Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo),
				{Kind: domain.SeatTeam, Invited: []domain.PersonID{cid, bo}}}})
	require.NoError(h.T, err)
	h.tables = append(h.tables, ans.Table)
	return ans.Table
}

func TestAnUnansweredInvitationEndsAndMayBeMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.gathers()
		until := h.Sees(table).Table.AskedUntil(1, bo)
		require.WithinDuration(t, time.Now().Add(domain.InvitationLasts), until, time.Hour)
		require.Zero(t, h.Sees(table).Table.AskedUntil(0, ana), "the opener asks themselves")
		h.Does(cid, table, desk.Join{Seat: 2, Chance: []byte("sixteen bytes at least")})
		h.runs()
		defer h.stop()
		time.Sleep(time.Until(until) - time.Minute)
		synctest.Wait()
		require.Len(t, h.Sees(table).Table.Places[1].Invited, 1, "not before")
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		now := h.Sees(table).Table
		require.Empty(t, now.Places[1].Invited)
		require.Equal(t, domain.SeatOpen, now.Places[1].Kind)
		require.Empty(t, now.Places[2].Invited, "that of a team member, too")
		require.Equal(t, []domain.PersonID{cid}, now.Places[2].Holders, "who sits stays")
		require.Equal(t, []domain.PersonID{ana}, now.Places[0].Invited)
		require.Equal(t, domain.TableOpen, now.Status)

		h.Does(ana, table, desk.Invite{Seat: 1, Person: bo})
		again := h.Sees(table).Table.AskedUntil(1, bo)
		require.True(t, again.After(until))
		time.Sleep(domain.InvitationLasts / 2)
		h.Does(ana, table, desk.Invite{Seat: 1, Person: bo}) // sent again: it has its full time
		time.Sleep(time.Until(again) + time.Hour)
		synctest.Wait()
		require.Len(t, h.Sees(table).Table.Places[1].Invited, 1)
		h.Does(bo, table, desk.Join{Seat: 1, Chance: []byte("sixteen bytes at least")})
		time.Sleep(domain.InvitationLasts)
		synctest.Wait()
		require.Equal(t, []domain.PersonID{bo}, h.Sees(table).Table.Places[1].Holders)
		require.Empty(t, h.alarms)
	})
}

func TestAnInvitationMailedLateIsGoodForSomeDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		told := clock.Told{Waits: true}
		h.clock.Told = func(context.Context, desk.Ask) (clock.Told, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			return told, nil
		}
		table := h.gathers()
		until := h.Sees(table).Table.AskedUntil(1, bo)
		h.runs()
		defer h.stop()
		time.Sleep(time.Until(until) + 24*time.Hour)
		synctest.Wait()
		require.Len(t, h.Sees(table).Table.Places[1].Invited, 1, "it has not been mailed yet")
		h.mu.Lock()
		told = clock.Told{At: time.Now()}
		h.mu.Unlock()
		time.Sleep(clock.LeastInvited - time.Hour)
		synctest.Wait()
		require.Len(t, h.Sees(table).Table.Places[1].Invited, 1)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Empty(t, h.Sees(table).Table.Places[1].Invited)
	})
}
