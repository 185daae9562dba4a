package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
)

// dealing is the game of a house that deals for another viewer than it says.
type dealing struct {
	domain.Rulebook
	as domain.Viewer
}

func (d dealing) Blind(s domain.State, _ domain.Viewer, luck *domain.Luck) domain.Event {
	return d.Rulebook.Blind(s, d.as, luck)
}

// branched plays a table of some people to its end, and then a branch of it, dealt as a viewer, for those people. It
// returns the branch's record.
func branched(t *testing.T, at []domain.PersonID, as domain.Viewer, places ...domain.PersonID) []byte {
	t.Helper()
	h := newHouse(t, 1)
	log := memory.New()
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	h.Desk = desk.NewDesk(log, h.Keys(), func(string) (domain.Rulebook, bool) {
		return dealing{tiny.Rulebook, as}, true
	}, time.Now)
	table := h.seated(nil, at...)
	h.play(table, 2) // both have chosen
	look := h.Sees(table)
	branch := h.seated(&domain.Branch{Table: table.String(), Line: look.LineName.String(),
		Version: look.LineHead.Version, Kind: "study"}, places...)
	for _, end := range []events.Name{table, branch} {
		for _, id := range h.Sees(end).Table.People() {
			if p := h.Sees(end).Table.Proposal; p != nil {
				h.Does(id, end, desk.Agree{Since: p.Since})
			} else {
				h.Does(id, end, desk.ProposeEnd{})
			}
		}
		h.Follows(end)
	}
	return h.export(branch, domain.Referee)
}

// wrongly returns why a wrongly dealt branch is refused. Once in a hundred its cards fall as the right deal's would:
// then it deals another branch.
func wrongly(t *testing.T, at []domain.PersonID, as domain.Viewer, places ...domain.PersonID) (err error) {
	t.Helper()
	for n := 0; err == nil && n < 9; n++ {
		_, err = verify(branched(t, at, as, places...))
	}
	return err
}

// seated opens a table for people, with a stand-in for nobody, and starts it.
func (h *house) seated(branch *domain.Branch, places ...domain.PersonID) events.Name {
	h.T.Helper()
	var invited []domain.TablePlace
	for _, id := range places {
		p := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
		if id == "" {
			p = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"}
		}
		invited = append(invited, p)
	}
	ans, err := h.Open(h.Ctx, events.Actor{Person: ana, Door: "page"}, events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: invited, Pace: "weekly", Branch: branch})
	require.NoError(h.T, err)
	for seat, id := range places {
		if id != "" {
			h.Does(id, ans.Table, desk.Join{Seat: domain.Seat(seat), Chance: []byte("sixteen bytes at least")})
		}
	}
	h.Follows(ans.Table)
	return ans.Table
}

// Given a branch of a table where Ana moved for A and Bo for B, when its deal kept what somebody else knew, then its
// record is not in order: it tells the players what they must not know.
func TestABranchIsDealtForThoseWhoPlayIt(t *testing.T) {
	viewers := []domain.Viewer{domain.Spectator, 0, 1}
	both := []domain.PersonID{ana, bo}
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
				if as == c.may {
					r, err := verify(branched(t, both, as, c.people...))
					require.NoError(t, err)
					onlyElsewhere(t, r)
					return
				}
				require.ErrorContains(t, wrongly(t, both, as, c.people...),
					"version 4: luck or rules give something else")
			})
		}
	}
	for _, people := range [][]domain.PersonID{{ana, bo}, {bo, ana}, {"c0", ana}} {
		err := wrongly(t, both, domain.Referee, people...)
		require.ErrorContains(t, err, "version 4: luck or rules give something else",
			"nothing was dealt, though several play")
	}
}

// A person who held several seats saw through the first of them.
func TestABranchIsDealtForTheFirstSeatOfWhoHeldSeveral(t *testing.T) {
	one := []domain.PersonID{ana, ana}
	_, err := verify(branched(t, one, 0, one...))
	require.NoError(t, err)
	for _, as := range []domain.Viewer{1, domain.Spectator} {
		require.ErrorContains(t, wrongly(t, one, as, one...), "version 4: luck or rules give something else",
			"dealt as %d", as)
	}
}

// cheating is the game of a house that shuffles nothing.
type cheating struct {
	domain.Rulebook
}

func (c cheating) Extras() domain.Extras {
	return domain.Extras{Reshuffle: c.Reshuffle, Uncovered: c.Rulebook.Extras().Uncovered}
}

func (c cheating) Reshuffle(s domain.State, luck *domain.Luck) domain.Event {
	return c.Blind(s, domain.Referee, luck)
}

// fresh plays a game that was taken back with fresh luck, under a rulebook, to its end. If forked, it puts a first
// event that changes nothing in place of the shuffle.
func fresh(t *testing.T, rb domain.Rulebook, forked bool) ([]byte, desk.Look) {
	t.Helper()
	h := newHouse(t, 1)
	log := events.Log(memory.New())
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	h.Desk = desk.NewDesk(log, h.Keys(), func(string) (domain.Rulebook, bool) { return rb, true }, time.Now)
	table := h.open(nil)
	h.play(table, 4)
	h.Does(ana, table, desk.ProposeRewind{To: 3, Fresh: true})
	parent := h.Sees(table).LineName
	h.Does(bo, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
	if forked {
		look := h.Sees(table)
		_, err := log.Append(h.Ctx, events.Draft{Stream: look.LineName, Expect: 3, Type: events.TypeForked,
			Codec: "json", At: time.Now().UTC().Truncate(time.Millisecond),
			Command: events.NewCommandID(),
			Meta:    fmt.Appendf(nil, `{"door":"runner","opened":"%s"}`, look.TableHead.Hash), Data: []byte("{}"),
			Open: &events.Stream{Name: look.LineName, Kind: events.KindLine, Rulebook: "tiny", Table: table,
				Parent: parent, Fork: 3}})
		require.NoError(t, err)
	}
	h.Follows(table)
	require.True(t, h.play(table, 40))
	return h.export(table, domain.Referee), h.Sees(table)
}

// Given a game taken back with fresh luck, then its record proves that what nobody knew was shuffled anew, by the
// committed luck.
func TestFreshLuckIsProved(t *testing.T) {
	file, look := fresh(t, tiny.Rulebook, false)
	r, err := verify(file)
	require.NoError(t, err)
	require.Empty(t, r.Skipped)
	require.True(t, look.Table.Lines[1].Deal)

	file, _ = fresh(t, cheating{tiny.Rulebook}, false)
	_, err = verify(file)
	require.ErrorContains(t, err, "version 4: luck or rules give something else", "the stack lies as it lay")

	file, _ = fresh(t, tiny.Rulebook, true)
	_, err = verify(file)
	require.ErrorContains(t, err, "nothing was shuffled anew")
}

// miscounting is the game of a house that tells the people asked about more cards than were seen.
type miscounting struct {
	domain.Rulebook
}

func (m miscounting) Extras() domain.Extras {
	return domain.Extras{Reshuffle: m.Rulebook.Extras().Reshuffle, Uncovered: m.Uncovered}
}

func (m miscounting) Uncovered(s domain.State, e *domain.Event) int {
	return m.Rulebook.Extras().Uncovered(s, e) + 1
}

func TestWhatAProposalCountsIsCountedAgain(t *testing.T) {
	file, _ := fresh(t, miscounting{tiny.Rulebook}, false)
	_, err := verify(file)
	require.ErrorContains(t, err, "what follows from the table as it stood is something else")
}
