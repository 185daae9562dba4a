package domain_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// at returns a main line with its head at a version, and the draws after the version to go back to.
func at(version uint64, draws ...domain.PastDraw) domain.Played {
	return domain.Played{Version: version, First: 1, Draws: draws}
}

func drew(line string, seat domain.Seat, purpose string, k uint64) domain.PastDraw {
	return domain.PastDraw{Draw: domain.Draw{Purpose: purpose, K: k, Size: 6}, Line: line, Seat: seat}
}

func unseen(d domain.PastDraw) domain.PastDraw {
	d.Unseen = true
	return d
}

func TestARewindNeedsEverybodyElsesConsent(t *testing.T) {
	g := started(t, player(ana), team(bo, cid), computer)
	g.then(g.ProposeRewind(ana, 2, false, nil, at(5), "L1"))
	require.Equal(t, "L0", g.Lines[0].Name)
	require.Len(t, g.Lines, 1, "nothing has gone back yet")
	since := g.Proposal.Since
	require.Equal(t, g.Version, since)
	g.refuses("agreed-already")(g.Agree(ana, since, at(5), "L1"))
	g.refuses("not-a-player")(g.Agree(eva, since, at(5), "L1"))
	g.refuses("no-proposal")(g.Agree(bo, since-1, at(5), "L1"))
	g.refuses("proposal-lapsed")(g.Agree(bo, since, at(6), "L1"))
	g.refuses("proposal-open")(g.ProposeEnd(bo, nil, at(5)))
	g.then(g.Agree(bo, since, at(5), "L1"))
	require.Len(t, g.Lines, 1, "the other member of the team is asked too")
	g.then(g.Agree(cid, since, at(5), "L1"))
	require.Nil(t, g.Proposal)
	require.True(t, g.Lines[0].Closed)
	main, _ := g.Main()
	require.Equal(t, domain.TableLine{Name: "L1", Index: 1, Parent: "L0", Fork: 2, Since: g.Version}, main)
}

func TestWhoeverHoldsAllSeatsRewindsAtOnce(t *testing.T) {
	for name, places := range map[string][]domain.TablePlace{
		"both seats":          {player(ana), player(ana)},
		"with stand-ins":      {player(ana), computer, computer},
		"a team of one":       {team(ana), computer},
		"the others resigned": {player(ana), player(bo), player(ana)},
	} {
		t.Run(name, func(t *testing.T) {
			g := started(t, places...)
			if len(g.People()) > 1 {
				g.then(g.Resign(bo, 1))
			}
			g.then(g.ProposeRewind(ana, 3, true, nil, at(5), "L1"))
			require.Nil(t, g.Proposal)
			main, _ := g.Main()
			require.Equal(t, "L1", main.Name)
		})
	}
}

func TestARewindGoesBackToAnEarlierVersionOfThisTable(t *testing.T) {
	g := started(t, player(ana), player(bo))
	for _, c := range []struct {
		to, first, head uint64
		fits            bool
	}{
		{0, 1, 5, false}, {1, 1, 5, true}, {4, 1, 5, true}, {5, 1, 5, false}, {6, 1, 5, false},
		{3, 4, 7, false}, {4, 4, 7, true}, // a branch cannot go back to before it began
	} {
		e, err := g.ProposeRewind(ana, c.to, false, nil, domain.Played{Version: c.head, First: c.first}, "L1")
		if c.fits {
			require.NoError(t, err)
			continue
		}
		g.refuses("rewind-version")(e, err)
	}
	g.refuses("rewind-none")(g.ProposeRewind(ana, 1, false, nil, domain.Played{Version: 1, First: 1}, "L1"))
	g.refuses("rewind-none")(g.ProposeRewind(ana, 3, false, nil, domain.Played{Version: 4, First: 4}, "L1"))
	g.refuses("rewind-ended")(g.ProposeRewind(ana, 2, false, nil, domain.Played{Version: 5, First: 1, Ended: true},
		"L1"))
	g.refuses("not-a-player")(g.ProposeRewind(cid, 2, false, nil, at(5), "L1"))
}

func TestAProposalTellsWhoseDrawsWereSeen(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.then(g.ProposeRewind(ana, 2, false, []byte("sealed"), at(6,
		drew("L0", 0, "die", 1), drew("L0", 1, "die", 2), unseen(drew("L0", 1, "stack", 0)), drew("L0", 0, "die", 3)),
		"L1"))
	require.Equal(t, []domain.SeenDraws{{Seat: 0, Draws: 2}, {Seat: 1, Draws: 1}}, g.Proposal.Seen)
	require.Equal(t, []byte("sealed"), g.Proposal.Reason)
}

// rewinds proposes and agrees.
func (g given) rewinds(to uint64, fresh bool, main domain.Played, line string) domain.TableLine {
	g.t.Helper()
	g.then(g.ProposeRewind(ana, to, fresh, nil, main, line))
	g.then(g.Agree(bo, g.Proposal.Since, main, line))
	l, _ := g.Main()
	return l
}

func TestAProposalTellsWhoseMovesLetHiddenCardsBeSeen(t *testing.T) {
	g := started(t, player(ana), player(bo))
	main := at(6, drew("L0", 1, "die", 2))
	main.Cards = []domain.PastCards{{Seat: 0, N: 3}, {Seat: 1, N: 1}, {Seat: 0, N: 2}}
	g.then(g.ProposeRewind(ana, 2, false, nil, main, "L1"))
	require.Equal(t, []domain.SeenDraws{{Seat: 1, Draws: 1, Cards: 1}, {Seat: 0, Cards: 5}}, g.Proposal.Seen)
}

// A stack shuffled after the fork, from which a card then came to light, must lie in the same order again: so the draws
// that nobody saw come again too.
func TestWhatWasDrawnSinceComesAgain(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.KeepsLuck = false // else the line that goes on has the key of them all
	l := g.rewinds(2, false, at(5, drew("L0", 0, "die", 1), unseen(drew("L0", 0, "stack", 7)),
		drew("L0", 1, "tile", 0)), "L1")
	require.Equal(t, []domain.Taken{{Purpose: "die", K: 1}, {Purpose: "stack", K: 7}, {Purpose: "tile", K: 0}}, l.Taken)
	require.False(t, l.Fresh)
	require.False(t, l.Deal)
}

func TestFreshLuckShufflesAnewWhatWasShuffledBefore(t *testing.T) {
	for _, hides := range []bool{true, false} {
		g := started(t, player(ana), player(bo))
		main := at(5)
		main.Reshuffles = hides
		l := g.rewinds(2, true, main, "L1")
		require.True(t, l.Fresh)
		require.Equal(t, hides, l.Deal)
		require.False(t, g.rewinds(2, false, main, "L2").Deal, "what is to come again is not shuffled")
	}
}

// What came to light after a shuffle cannot come again from before it.
func TestOnlyFreshLuckGoesBackBehindFreshLuck(t *testing.T) {
	g := started(t, player(ana), player(bo))
	main := at(9)
	main.Dealt = 4
	_, err := g.ProposeRewind(ana, 3, false, nil, main, "L1")
	r, is := domain.AsRefusal(err)
	require.True(t, is)
	require.Equal(t, "rewind-dealt", r.Code)
	require.Equal(t, 4, r.Args["to"])
	for _, c := range []struct {
		to    uint64
		fresh bool
	}{{3, true}, {4, false}, {5, false}, {5, true}} {
		_, err := g.ProposeRewind(ana, c.to, c.fresh, nil, main, "L1")
		require.NoError(t, err)
	}
}

func TestFreshLuckTakesNothingOver(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.rewinds(2, false, at(5, drew("L0", 0, "die", 1), drew("L0", 0, "die", 2)), "L1")
	l := g.rewinds(2, true, at(4, drew("L1", 0, "die", 1)), "L2")
	require.Empty(t, l.Taken, "also not what L1 had taken over and not used")
	require.Equal(t, 2, l.Index)
}

func TestTwoRewindsInARowKeepWhatWasSeenFirst(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.KeepsLuck = false
	g.rewinds(2, false, at(5, drew("L0", 0, "die", 1), drew("L0", 1, "die", 2)), "L1")
	l := g.rewinds(2, false, at(4, drew("L1", 0, "die", 1)), "L2")
	require.Equal(t, []domain.Taken{{Purpose: "die", K: 1, Line: 0}, {Purpose: "die", K: 2, Line: 0}}, l.Taken,
		"die 1 was used again on L1, die 2 was not: both come from the first line's key")
	l = g.rewinds(2, false, at(6, drew("L2", 0, "die", 1), drew("L2", 1, "die", 2), drew("L2", 0, "die", 3)), "L3")
	require.Equal(t, []domain.Taken{{Purpose: "die", K: 1, Line: 0}, {Purpose: "die", K: 2, Line: 0},
		{Purpose: "die", K: 3, Line: 2}}, l.Taken,
		"die 3 was L2's own")
}

func TestALaterLineGivesTheDiceThatWereSeen(t *testing.T) {
	g := started(t, player(ana), player(bo))
	roll := func(l domain.TableLine, ks ...uint64) (out []int) {
		src := g.SourceOf(l)
		for _, k := range ks {
			src.Count([]domain.Draw{{Purpose: "die", K: k - 1, Size: 1_000_000}})
			out = append(out, src.Begin().Draw("die", 1_000_000))
		}
		return out
	}
	first, _ := g.Main()
	seen := roll(first, 1, 2, 3)
	again := g.rewinds(2, false, at(5, drew("L0", 0, "die", 1), drew("L0", 1, "die", 2)), "L1")
	got := roll(again, 1, 2, 3)
	require.Equal(t, seen[:2], got[:2])
	require.Equal(t, seen[2], got[2], "going back gives nobody another draw, even if nobody had seen it")
	twice := g.rewinds(2, false, at(3), "L2")
	require.Equal(t, seen[:2], roll(twice, 1, 2), "taken over and not used, they are still to come")
	fresh := g.rewinds(2, true, at(5, drew("L2", 0, "die", 1)), "L3")
	require.NotEqual(t, seen[0], roll(fresh, 1)[0])
}

// Whoever takes back steps that draw nothing would else choose among the draws to come.
func TestGoingBackGivesNoOtherDraws(t *testing.T) {
	g := started(t, player(ana), player(bo))
	next := func() (out []int) {
		l, _ := g.Main()
		for _, purpose := range []string{"die", "tile"} {
			out = append(out, g.SourceOf(l).Begin().Draw(purpose, 1_000_000))
		}
		return out
	}
	seen := next()
	for n := range 3 {
		step := at(6)
		step.Moves = []domain.Seat{0}
		g.then(g.Undo(ana, 5, step, fmt.Sprintf("L%d", n+1), time.Time{}))
		require.Equal(t, seen, next(), "after take-back %d", n+1)
	}
	fresh := g.rewinds(2, true, at(5), "L4")
	other := next()
	require.NotEqual(t, seen, other)
	again := g.rewinds(2, false, at(5, drew("L4", 0, "die", 0)), "L5")
	require.Equal(t, other, next(), "what goes back on a line with fresh luck goes on with that")
	require.Equal(t, fresh.Keyed, again.Keyed)
	require.Empty(t, again.Taken, "the line's own key gives these draws again")
}

// Draws from before fresh luck come again as they came, though the line goes on with the key of the fresh luck: what
// the line that was left drew after it would be foreseen.
func TestGoingBackBehindFreshLuckKeepsBothLucks(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.rewinds(4, true, at(6, drew("L0", 0, "die", 2)), "L1")
	l := g.rewinds(2, false, at(6, drew("L0", 0, "die", 1), drew("L1", 0, "die", 2)), "L2")
	require.Equal(t, 1, l.Keyed)
	require.Equal(t, []domain.Taken{{Purpose: "die", K: 1, Line: 0}}, l.Taken)
}

func TestTablesOfOlderProgramsDrawAsTheyDid(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.KeepsLuck = false // as its opening says
	l := g.rewinds(2, false, at(5, drew("L0", 0, "die", 1), drew("L0", 0, "die", 2)), "L1")
	require.Equal(t, 1, l.Keyed)
	require.Equal(t, []domain.Taken{{Purpose: "die", K: 1}, {Purpose: "die", K: 2}}, l.Taken)
}

func TestAProposalIsRefusedWithdrawnOrOvertaken(t *testing.T) {
	for name, end := range map[string]func(given) (domain.TableEvent, error){
		"refused":   func(g given) (domain.TableEvent, error) { return g.Dismiss(bo, g.Proposal.Since) },
		"withdrawn": func(g given) (domain.TableEvent, error) { return g.Dismiss(ana, g.Proposal.Since) },
		"overtaken": func(g given) (domain.TableEvent, error) { return g.Lapse(g.Proposal.Since) },
	} {
		t.Run(name, func(t *testing.T) {
			g := started(t, player(ana), player(bo))
			g.refuses("no-proposal")(g.Dismiss(bo, 1))
			g.refuses("no-proposal")(g.Lapse(1))
			g.then(g.ProposeRewind(ana, 2, false, nil, at(5), "L1"))
			since := g.Proposal.Since
			g.refuses("not-a-player")(g.Dismiss(cid, since))
			g.refuses("no-proposal")(g.Lapse(since - 1))
			g.then(end(g))
			require.Nil(t, g.Proposal)
			require.Len(t, g.Lines, 1)
			g.refuses("no-proposal")(g.Agree(bo, since, at(5), "L1"))
			g.then(g.ProposeEnd(bo, nil, at(5)))
		})
	}
}

func TestAProposalNobodyCanAnswerAnyMoreIsOvertaken(t *testing.T) {
	g := started(t, player(ana), player(bo), player(cid))
	require.False(t, g.Overtaken(5), "nothing is proposed")
	g.then(g.ProposeRewind(ana, 2, false, nil, at(5), "L1"))
	require.False(t, g.Overtaken(5))
	require.True(t, g.Overtaken(6), "somebody moved")
	g.then(g.Agree(bo, g.Proposal.Since, at(5), "L1"))
	require.False(t, g.Overtaken(5), "Cid is still asked")
	g.then(g.Resign(cid, 2))
	require.True(t, g.Overtaken(5), "Cid will not answer")
	g.then(g.Lapse(g.Proposal.Since))
	require.Nil(t, g.Proposal)
}

func TestTheProposerMayResignAndTheOthersStillDecide(t *testing.T) {
	g := started(t, player(ana), player(bo), player(cid))
	g.then(g.ProposeRewind(ana, 2, false, nil, at(5), "L1"))
	g.then(g.Resign(ana, 0))
	require.False(t, g.Overtaken(5))
	g.then(g.Agree(bo, g.Proposal.Since, at(5), "L1"))
	g.then(g.Agree(cid, g.Proposal.Since, at(5), "L1"))
	require.Len(t, g.Lines, 2)
}

func TestAGameIsEndedByAgreement(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.refuses("table-ended")(g.ProposeEnd(ana, nil, domain.Played{Version: 8, Ended: true}))
	g.then(g.ProposeEnd(ana, nil, at(5)))
	require.Empty(t, g.Due)
	g.then(g.Agree(bo, g.Proposal.Since, at(5), "L1"))
	require.Equal(t, domain.EndAgreed, g.Due)
	require.Nil(t, g.Proposal)
	g.refuses("table-ended")(g.ProposeRewind(ana, 2, false, nil, at(5), "L1"))
	g.then(g.Finish(at(5), domain.Standing{}))
	require.Equal(t, domain.EndAgreed, g.End)
	require.Nil(t, g.Ranks, "a game that was broken off has no winner")
	require.Len(t, g.Lines, 1)
}

func TestWhoeverPlaysAloneEndsTheGameAtOnce(t *testing.T) {
	g := started(t, player(ana), computer)
	g.then(g.ProposeEnd(ana, nil, at(5)))
	require.Equal(t, domain.EndAgreed, g.Due)
}

func TestWhoSawAStepKnowsWhichUndoTookItBack(t *testing.T) {
	lines := []domain.TableLine{
		{Name: "a", Since: 1},
		{Name: "b", Parent: "a", Fork: 6, Since: 2, Undo: true},
		{Name: "c", Parent: "b", Fork: 5, Since: 3, Undo: true},
		{Name: "d", Parent: "c", Fork: 7, Since: 4, Undo: true}, // after three moves on c
		{Name: "e", Parent: "d", Fork: 3, Since: 5},             // the table agreed to that
		{Name: "f", Parent: "e", Fork: 4, Since: 6, Undo: true},
	}
	table := &domain.Table{Lines: lines}
	for _, seen := range []struct {
		line    string
		version uint64
		back    []uint64
	}{
		{"a", 7, []uint64{2, 3}}, {"a", 6, []uint64{3}}, {"a", 5, nil}, {"b", 6, []uint64{3}},
		{"c", 8, []uint64{4}}, {"c", 7, nil}, {"d", 9, nil}, {"e", 5, []uint64{6}}, {"f", 9, nil}, {"", 0, nil},
	} {
		require.Equal(t, seen.back, table.TakenBack(seen.line, seen.version), "%s %d", seen.line, seen.version)
	}
}
