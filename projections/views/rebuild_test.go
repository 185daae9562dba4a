package views_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/projections/views"
)

// everything returns all that the views hold for the tests' people.
func (h *house) everything() map[string][]views.Item {
	h.T.Helper()
	out := map[string][]views.Item{}
	for _, id := range []domain.PersonID{ana, bo, cid} {
		out["inbox of "+string(id)] = h.inbox(id)
	}
	var err error
	out["lobby"], err = h.views.Lobby(h.Ctx, 100)
	require.NoError(h.T, err)
	live, _, err := h.views.Live(h.Ctx)
	require.NoError(h.T, err)
	for _, n := range live {
		out["branches of "+n.String()], err = h.views.Branches(h.Ctx, n, ana)
		require.NoError(h.T, err)
	}
	return out
}

// busy makes much happen at several tables.
func (h *house) busy() {
	h.T.Helper()
	rnd := rand.New(rand.NewPCG(7, 7))
	for i := range 6 {
		table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		if h.Random(table, rnd, 2*i) {
			continue
		}
		switch i % 3 {
		case 0:
			h.Plays(table, h.Sees(table).Line.Awaited()[0].Seat, "keep")
			h.Proposes(bo, table, 1)
		case 1:
			h.Rewinds(table, 1)
		default:
			h.Starts("tiny", h.BranchOf(table, 1, "game"), desktest.Player(bo), desktest.Player(cid),
				desktest.Player(ana))
		}
	}
	h.Opens("tiny", nil, desktest.Player(ana), desktest.Free())
}

func TestARebuildComesToTheSame(t *testing.T) {
	h := newHouse(t)
	h.follows()
	h.busy()
	h.caughtUp()
	before := h.everything()
	var told []uint64
	require.NoError(t, h.views.Rebuild(h.Ctx, func(done, total uint64) { told = append(told, done, total) }))
	require.Equal(t, before, h.everything())
	require.NotEmpty(t, told)
	require.Equal(t, told[len(told)-1], told[len(told)-2])
	files, err := filepath.Glob(filepath.Join(h.dir, "views-*.db"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(h.dir, "views-2.db")}, files, "the old file is gone")
	h.Opens("tiny", nil, desktest.Player(bo), desktest.Free())
	h.caughtUp()
	require.Len(t, h.inbox(bo), len(before["inbox of Bo"])+1, "and it goes on from there")
	h.stop()
	h.reopen()
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	require.Equal(t, last, h.views.Position(), "the new file is the one that is opened next")
}

func TestWhoeverWaitsIsWokenByARebuild(t *testing.T) {
	h := newHouse(t)
	h.busy()
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	waited := make(chan error, 1)
	ctx, cancel := context.WithTimeout(h.Ctx, time.Minute)
	defer cancel()
	go func() { waited <- h.views.Await(ctx, last) }()
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	require.NoError(t, <-waited)
}

func TestRebuildingWhileTheHouseGoesOnLosesNothing(t *testing.T) {
	h := newHouse(t)
	h.follows()
	going := make(chan error, 1)
	go func() {
		var err error
		for range 4 {
			err = errors.Join(err, h.views.Rebuild(h.Ctx, nil))
		}
		going <- err
	}()
	h.busy()
	require.NoError(t, <-going)
	h.caughtUp()
	before := h.everything()
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	require.Equal(t, before, h.everything())
}

func TestViewsOfAnotherLogAreFilledAnew(t *testing.T) {
	h := newHouse(t)
	h.follows()
	h.busy()
	h.caughtUp()
	h.stop()
	other := &house{House: desktest.New(t), dir: h.dir}
	table := other.Opens("tiny", nil, desktest.Player(bo), desktest.Free())
	other.reopen()
	require.Equal(t, []events.Name{table}, tables(other.inbox(bo)),
		"a log that is shorter than the views is not theirs")
	require.EqualValues(t, 1, other.views.Position())
}

func TestAViewThatWasThrownAwayIsFilledAgain(t *testing.T) {
	h := newHouse(t)
	h.follows()
	h.busy()
	h.caughtUp()
	before := h.everything()
	h.stop()
	files, err := filepath.Glob(filepath.Join(h.dir, "views-*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
	h.reopen()
	require.Zero(t, h.views.Position())
	h.follows()
	h.caughtUp()
	require.Equal(t, before, h.everything())
}

func TestViewsFarBehindWriteEachTableOnceAndGoOn(t *testing.T) {
	h := newHouse(t)
	h.busy()
	h.views.AnyIsFar()
	h.follows()
	h.caughtUp()
	before := h.everything()
	require.NotEmpty(t, before["inbox of "+string(ana)])
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	require.Equal(t, before, h.everything())
	table := h.Opens("tiny", nil, desktest.Player(bo), desktest.Free())
	h.caughtUp()
	require.Contains(t, tables(h.inbox(bo)), table)
}

// broken is a follower that hands over its records and is then cut off.
type broken struct {
	log   events.Log
	after int
}

func (b broken) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	for range b.after {
		recs, err := b.log.Read(ctx, after, 3)
		if err != nil || len(recs) == 0 {
			return err
		}
		if err := handle(ctx, recs); err != nil {
			return err
		}
		after = recs[len(recs)-1].Pos
	}
	return errCut
}

var errCut = errors.New("cut off")

func TestRowsAndCheckpointAreWrittenTogether(t *testing.T) {
	h := newHouse(t)
	h.busy()
	require.ErrorIs(t, h.views.Run(h.Ctx, broken{h.Log(), 5}), errCut)
	require.EqualValues(t, 15, h.views.Position())
	gone, cancel := context.WithCancel(h.Ctx)
	cancel()
	recs, err := h.Log().Read(h.Ctx, 15, 3)
	require.NoError(t, err)
	cut := follower(func(_ context.Context, _ uint64, handle func(context.Context, []events.Record) error) error {
		return handle(gone, recs) // interrupted in the middle of writing
	})
	require.ErrorIs(t, h.views.Run(h.Ctx, cut), context.Canceled)
	require.EqualValues(t, 15, h.views.Position())
	h.stop()
	h.reopen()
	require.EqualValues(t, 15, h.views.Position(), "what was not written is not counted")
	h.follows()
	h.caughtUp()
	before := h.everything()
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	require.Equal(t, before, h.everything())
}

type follower func(context.Context, uint64, func(context.Context, []events.Record) error) error

func (f follower) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	return f(ctx, after, handle)
}
