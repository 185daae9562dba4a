package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/memory"
)

// dealing is the game of a house that deals for another viewer than it says.
type dealing struct {
	tiny.Rules
	as domain.Viewer
}

func (d dealing) Blind(s domain.State, _ domain.Viewer, luck *domain.Luck) domain.Event {
	return d.Rules.Blind(s, d.as, luck)
}

// branched plays a table of Ana's and Bo's to its end, and a branch of it, dealt as a viewer, for
// those people; and gives the branch's record.
func branched(t *testing.T, as domain.Viewer, places ...domain.PersonID) []byte {
	t.Helper()
	h := newHouse(t, 1)
	log := memory.New()
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	h.Desk = events.NewDesk(log, h.Keys(), func(string) (domain.Rulebook, bool) { return dealing{as: as}, true }, time.Now)
	table := h.open(nil)
	h.play(table, 2) // both have chosen
	look := h.look(table)
	var invited []domain.TablePlace
	for _, id := range places {
		p := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
		if id == "" {
			p = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"}
		}
		invited = append(invited, p)
	}
	ans, err := h.Open(h.ctx, events.Actor{Person: ana, Door: "page"}, events.NewCommandID(), events.NewTable{Rulebook: "tiny", Places: invited, Pace: "weekly",
		Branch: &domain.Branch{Table: table.String(), Line: look.LineName.String(), Version: look.LineHead.Version, Kind: "study"}})
	require.NoError(t, err)
	for seat, id := range places {
		if id != "" {
			h.do(id, ans.Table, func(r events.Room) (domain.TableEvent, error) {
				return r.Table.Join(id, domain.Seat(seat), []byte("sixteen bytes at least"))
			})
		}
	}
	h.chores(ans.Table)
	for _, end := range []events.Name{table, ans.Table} {
		for _, id := range h.look(end).Table.People() {
			h.do(id, end, func(r events.Room) (domain.TableEvent, error) {
				played, err := r.Played(0)
				if err != nil {
					return nil, err
				}
				if p := r.Table.Proposal; p != nil {
					return r.Table.Agree(id, p.Since, played, "")
				}
				return r.Table.ProposeEnd(id, nil, played)
			})
		}
		h.chores(end)
	}
	return h.export(ans.Table, domain.Referee)
}

// Given a branch of a table where Ana moved for A and Bo for B, when its deal kept what somebody
// else knew, then its record is not in order: it tells those who play it what they may not know.
func TestABranchIsDealtForThoseWhoPlayIt(t *testing.T) {
	viewers := []domain.Viewer{domain.Spectator, 0, 1}
	for name, c := range map[string]struct {
		people []domain.PersonID
		may    domain.Viewer
	}{
		"by both":             {[]domain.PersonID{ana, bo}, domain.Spectator},
		"by both, changed":    {[]domain.PersonID{bo, ana}, domain.Spectator},
		"by Ana alone":        {[]domain.PersonID{ana, ""}, 0},
		"by Bo alone":         {[]domain.PersonID{bo, ""}, 1},
		"by Bo, for all":      {[]domain.PersonID{bo, bo}, 1},
		"by Ana with another": {[]domain.PersonID{ana, "c0"}, domain.Spectator},
		"by another alone":    {[]domain.PersonID{"", "c0"}, domain.Spectator},
	} {
		for _, as := range viewers {
			t.Run(fmt.Sprintf("%s, dealt as %d", name, as), func(t *testing.T) {
				r, err := verify(branched(t, as, c.people...))
				if as == c.may {
					require.NoError(t, err)
					require.Empty(t, r.Skipped)
					return
				}
				require.ErrorContains(t, err, "version 4: luck or rules give something else")
			})
		}
	}
	for _, people := range [][]domain.PersonID{{ana, bo}, {bo, ana}, {"c0", ana}} {
		_, err := verify(branched(t, domain.Referee, people...))
		require.ErrorContains(t, err, "version 4: luck or rules give something else", "nothing was dealt, though several play")
	}
}
