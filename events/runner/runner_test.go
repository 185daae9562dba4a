package runner_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/runner"
)

const ana, bo, cid = desktest.Ana, desktest.Bo, desktest.Cid

const pause, retry = 2 * time.Second, 5 * time.Second

// house is a desk with a runner, in a bubble whose time stands still while anybody is running.
type house struct {
	*desktest.House
	mu     sync.Mutex
	alarms []string
	stops  []func()
}

func (h *house) alarm(table events.Name, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alarms = append(h.alarms, fmt.Sprint(table, " ", err))
}

// stopAll stops everything that was started.
func (h *house) stopAll() {
	for _, stop := range h.stops {
		stop()
	}
}

// inBubble runs a test with its own time.
func inBubble(t *testing.T, test func(t *testing.T, h *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{House: desktest.Over(t, memory.New(), time.Now)}
		defer h.stopAll()
		test(t, h)
	})
}

// told lists the runner's alarms.
func (h *house) told() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.alarms)
}

// runs starts a runner and returns a function that stops it.
func (h *house) runs(desk *desk.Desk, live ...events.Name) (stop func()) {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.Ctx)
	at, err := desk.Log().Last(ctx)
	require.NoError(h.T, err)
	if live == nil {
		at = 0
	}
	r := &runner.Runner{Desk: desk, Pause: pause, Retry: retry,
		Live:  func(context.Context) ([]events.Name, uint64, error) { return live, at, nil },
		Alarm: h.alarm}
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx, events.FollowLog(desk.Log())) }()
	return func() {
		cancel()
		require.ErrorIs(h.T, <-done, context.Canceled)
	}
}

func (h *house) sits(table events.Name, ids ...domain.PersonID) {
	h.T.Helper()
	for i, id := range ids {
		h.Joins(id, table, domain.Seat(i))
	}
}

func (h *house) played(table events.Name) uint64 {
	h.T.Helper()
	look := h.Sees(table)
	if look.Line == nil {
		return 0
	}
	return look.Line.Version
}

func TestAFullTableStartsByItself(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana)
		synctest.Wait()
		require.Equal(t, domain.TableOpen, h.Sees(table).Table.Status)
		h.Joins(bo, table, 1)
		synctest.Wait()
		require.Equal(t, domain.TableStarted, h.Sees(table).Table.Status)
		require.EqualValues(t, 1, h.played(table), "the cards are dealt")
	})
}

func TestAStandInThinksAndMoves(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(table, ana)
		synctest.Wait()
		require.EqualValues(t, 1, h.played(table))
		time.Sleep(pause - time.Millisecond)
		synctest.Wait()
		require.EqualValues(t, 1, h.played(table), "it is still thinking")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.EqualValues(t, 2, h.played(table))
		time.Sleep(time.Hour)
		require.EqualValues(t, 2, h.played(table), "the next move is Ana's")
	})
}

func TestAWholeGameIsPlayedToItsNotedEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn(), desktest.StandIn())
		h.sits(table, ana)
		for range 40 {
			time.Sleep(time.Minute)
			synctest.Wait()
			look := h.Sees(table)
			if look.Table.Status == domain.TableEnded {
				require.Equal(t, domain.EndFinished, look.Table.End)
				require.Empty(t, h.told())
				return
			}
			text := "roll"
			if look.Line.Awaited()[0].Kind == "choose" {
				text = "keep"
			}
			h.Plays(table, 0, text)
		}
		t.Fatal("the game does not end")
	})
}

func TestStandInsWaitWhileAProposalIsOpen(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.StandIn())
		h.sits(table, ana, bo)
		synctest.Wait()
		h.Plays(table, 0, "keep")
		h.Proposes(bo, table, 1)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 2, h.played(table), "it waits, although its pause is long over")
		h.Does(ana, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
		time.Sleep(pause)
		synctest.Wait()
		require.EqualValues(t, 3, h.played(table))
	})
}

func TestARewindOpensItsLineAndAMoveLetsAProposalLapse(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana, bo)
		synctest.Wait()
		h.Plays(table, 0, "keep")
		h.Proposes(ana, table, 1)
		h.Agrees(bo, table)
		synctest.Wait()
		look := h.Sees(table)
		require.Len(t, look.Table.Lines, 2)
		require.NotNil(t, look.Line)
		require.Len(t, look.Line.Awaited(), 2)
		h.Plays(table, 1, "keep")
		h.Proposes(bo, table, 1)
		h.Plays(table, 0, "keep")
		synctest.Wait()
		require.Nil(t, h.Sees(table).Table.Proposal)
	})
}

func TestAProposalNobodyCanAnswerDoesNotStopTheTable(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		h.sits(table, ana, bo, cid)
		synctest.Wait()
		h.Plays(table, 0, "keep")
		h.Proposes(ana, table, 1)
		h.Agrees(bo, table)
		h.Resigns(cid, table, 2)
		time.Sleep(pause)
		synctest.Wait()
		require.Nil(t, h.Sees(table).Table.Proposal)
		require.EqualValues(t, 3, h.played(table), "the stand-in goes on in Cid's place")
	})
}

func TestTheEndOfAResignedGameIsNoted(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana, bo)
		synctest.Wait()
		h.Resigns(bo, table, 1)
		synctest.Wait()
		require.Equal(t, domain.EndResigned, h.Sees(table).Table.End)
		time.Sleep(time.Hour)
		require.EqualValues(t, 1, h.played(table))
	})
}

func TestARunnerThatIsStartedAgainDoesNothingTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		stop := h.runs(h.Desk)
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(table, ana)
		time.Sleep(pause / 2)
		stop() // in the middle of a stand-in's thinking
		last, err := h.Log().Last(h.Ctx)
		require.NoError(t, err)
		require.EqualValues(t, 1, h.played(table))
		stop = h.runs(h.Desk, table) // as the views know it, from the head of the log
		time.Sleep(time.Hour)
		stop()
		require.EqualValues(t, 2, h.played(table))
		for range 3 { // reading the whole log again
			stop = h.runs(h.Desk)
			time.Sleep(time.Hour)
			stop()
		}
		now, err := h.Log().Last(h.Ctx)
		require.NoError(t, err)
		require.Equal(t, last+1, now, "the stand-in's one move and nothing else")
	})
}

func TestTwoRunnersAtOnceDoEverythingOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		defer h.runs(desk.NewDesk(h.Log(), h.Keys(), desktest.Named, time.Now))()
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn(), desktest.StandIn())
		h.sits(table, ana)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 3, h.played(table))
		recs, err := h.Log().Load(h.Ctx, table, 0, 0)
		require.NoError(t, err)
		require.Len(t, recs, 3, "opened, joined, started")
		require.Empty(t, h.told())
	})
}

func TestATableIsLookedAfterWhileAnotherWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		slow := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(slow, ana)
		quick := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(quick, ana, bo)
		synctest.Wait()
		require.EqualValues(t, 1, h.played(slow))
		require.EqualValues(t, 1, h.played(quick))
	})
}

// breaksOff makes the people of a table agree to end it.
func (h *house) breaksOff(table events.Name) {
	h.T.Helper()
	h.Ends(table)
	synctest.Wait()
	require.Equal(h.T, domain.TableEnded, h.Sees(table).Table.Status)
}

// chain returns a game, a study of it and a study of that study, both Ana's.
func (h *house) chain() (game, first, second events.Name) {
	h.T.Helper()
	sits := func(branch *domain.Branch, other domain.PersonID) events.Name {
		table := h.Opens("tiny", branch, desktest.Player(ana), desktest.Player(other))
		h.sits(table, ana, other)
		synctest.Wait()
		return table
	}
	game = sits(nil, bo)
	first = sits(h.BranchOf(game, 1, "study"), ana)
	second = sits(h.BranchOf(first, 2, "study"), ana)
	return game, first, second
}

func TestBranchesThatEndedSealedOpenWhenTheGameEnds(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		defer h.runs(h.Desk)()
		game, first, second := h.chain()
		h.breaksOff(second)
		h.breaksOff(first)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.False(t, h.Sees(first).Table.Open() || h.Sees(second).Table.Open())
		h.breaksOff(game)
		require.True(t, h.Sees(first).Table.Open() && h.Sees(second).Table.Open())
		require.Empty(t, h.told())
	})
}

func TestARunnerThatWasRestartedOpensWhatEndedSealed(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		stop := h.runs(h.Desk)
		game, first, second := h.chain()
		h.breaksOff(second)
		h.breaksOff(first)
		stop()
		again := desk.NewDesk(h.Log(), desktest.Keys(t), desktest.Named, time.Now)
		stop = h.runs(again, game, first, second) // as the views list them: ended sealed, or running
		synctest.Wait()
		require.False(t, h.Sees(first).Table.Open() || h.Sees(second).Table.Open())
		h.breaksOff(game)
		require.True(t, h.Sees(first).Table.Open() && h.Sees(second).Table.Open())
		stop()
	})
}

func TestAnEndWhileNoRunnerRanOpensWhatWaitedForIt(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		stop := h.runs(h.Desk)
		game, first, _ := h.chain()
		h.breaksOff(first)
		stop()
		_, err := h.Do(h.Ctx, events.Actor{Door: "host"}, game, events.NewCommandID(), desk.HandOver{To: "there"})
		require.NoError(t, err)
		_, err = h.Do(h.Ctx, events.Actor{Door: "host"}, game, events.NewCommandID(),
			desk.Conclude{End: domain.Ended{Reason: domain.EndFinished, Seed: h.Sees(game).Table.Seed}})
		require.NoError(t, err)
		defer h.runs(desk.NewDesk(h.Log(), desktest.Keys(t), desktest.Named, time.Now), first)()
		synctest.Wait()
		require.True(t, h.Sees(first).Table.Open())
	})
}
