package safe_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/memory"
	"posthorn/events/safe"
	"posthorn/events/watch"
)

// held is a copy that a test moves by hand.
type held struct {
	tip   watch.Tip
	alarm chan struct{}
	away  bool
}

func (h *held) Synced(ctx context.Context, pos uint64) error {
	if h.away || pos > 0 && h.tip.Wait(ctx, pos-1) != nil {
		<-ctx.Done()
	}
	return ctx.Err()
}
func (h *held) Standing() (uint64, bool) { return h.tip.Last(), !h.away }
func (h *held) Alarmed() <-chan struct{} { return h.alarm }

// prompt is a copy that is always whole.
type prompt struct{ log events.Log }

func (p prompt) Synced(ctx context.Context, _ uint64) error { return ctx.Err() }
func (p prompt) Standing() (uint64, bool) {
	last, _ := p.log.Last(context.Background())
	return last, true
}
func (p prompt) Alarmed() <-chan struct{} { return nil }

func TestASafeLogIsALog(t *testing.T) {
	logtest.Run(t, logtest.Opener{Open: func(t *testing.T) events.Log {
		under := memory.New()
		l := safe.New(under, prompt{under}, time.Minute)
		t.Cleanup(func() { require.NoError(t, l.Close()) })
		return l
	}})
}

// scene is a table of three events, of which the copy has two.
type scene struct {
	under *memory.Log
	copy  *held
	log   *safe.Log
	table events.Stream
	late  events.Draft
}

func begin(t *testing.T, patience time.Duration) *scene {
	table := events.Name{7}
	s := &scene{under: memory.New(), copy: &held{alarm: make(chan struct{})},
		table: events.Stream{Name: table, Kind: events.KindTable, Rulebook: "tiny", Table: table}}
	s.log = safe.New(s.under, s.copy, patience)
	t.Cleanup(func() { require.NoError(t, s.log.Close()) })
	for _, d := range []events.Draft{logtest.Opening(s.table), logtest.Following(table, 1)} {
		_, err := s.under.Append(t.Context(), d)
		require.NoError(t, err)
	}
	s.copy.tip.Move(2)
	s.late = logtest.Following(table, 2)
	return s
}

// unseen requires that nothing reveals the third event.
func (s *scene) unseen(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	head, err := s.log.Head(ctx, s.table.Name)
	require.NoError(t, err)
	require.EqualValues(t, 2, head.Version)
	for name, read := range map[string]func() ([]events.Record, error){
		"load": func() ([]events.Record, error) { return s.log.Load(ctx, s.table.Name, 0, 0) },
		"read": func() ([]events.Record, error) { return s.log.Read(ctx, 0, 10) },
	} {
		recs, err := read()
		require.NoError(t, err, name)
		require.Len(t, recs, 2, name)
		require.Equal(t, head.Hash, recs[1].Hash, name)
	}
	_, err = s.log.Find(ctx, s.table.Name, s.late.Command)
	require.ErrorIs(t, err, events.ErrNoRecord)
	last, err := s.log.Last(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 2, last)
}

func TestWhatTheClusterHasNotConfirmedIsNotSeenYet(t *testing.T) {
	s := begin(t, 20*time.Millisecond)
	_, err := s.log.Append(t.Context(), s.late)
	require.ErrorIs(t, err, events.ErrUnsafe)
	s.unseen(t)

	_, err = s.log.Append(t.Context(), logtest.Following(s.table.Name, 2))
	require.ErrorIs(t, err, events.ErrUnsafe)
	under, err := s.under.Last(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, under, "while the cluster confirms nothing, nothing more is written")

	s.copy.tip.Move(3)
	_, err = s.log.Append(t.Context(), s.late)
	var dup *events.Duplicate
	require.ErrorAs(t, err, &dup, "the same command, given again, was done once")
	found, err := s.log.Find(t.Context(), s.table.Name, s.late.Command)
	require.NoError(t, err)
	require.Equal(t, dup.Record, found)
	_, err = s.log.Append(t.Context(), logtest.Following(s.table.Name, 3))
	require.ErrorIs(t, err, events.ErrUnsafe)
	s.copy.tip.Move(4)
	last, err := s.log.Last(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, last)
}

func TestAnAnswerWaitsForTheCluster(t *testing.T) {
	s := begin(t, time.Minute)
	answered := make(chan error, 1)
	go func() {
		_, err := s.log.Append(context.Background(), s.late)
		answered <- err
	}()
	require.NoError(t, s.under.Wait(t.Context(), 2), "it is written")
	s.unseen(t)
	waited := make(chan error, 1)
	go func() { waited <- s.log.Wait(context.Background(), 2) }()
	select {
	case err := <-answered:
		t.Fatalf("answered before it was confirmed: %v", err)
	case err := <-waited:
		t.Fatalf("followed before it was confirmed: %v", err)
	default:
	}
	s.copy.tip.Move(3)
	require.NoError(t, <-answered)
	require.NoError(t, <-waited)
	head, err := s.log.Head(t.Context(), s.table.Name)
	require.NoError(t, err)
	require.EqualValues(t, 3, head.Version)
}

func TestWhoeverWasSlowerSeesWhatTheyAreInConflictWith(t *testing.T) {
	s := begin(t, time.Minute)
	_, err := s.under.Append(t.Context(), s.late) // somebody else's, not confirmed yet
	require.NoError(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := s.log.Append(context.Background(), logtest.Following(s.table.Name, 2))
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Fatalf("refused because of what cannot be seen: %v", err)
	case <-time.After(10 * time.Millisecond):
	}
	s.copy.tip.Move(3)
	require.ErrorAs(t, <-answered, new(*events.Conflict))
	head, err := s.log.Head(t.Context(), s.table.Name)
	require.NoError(t, err)
	require.EqualValues(t, 3, head.Version)
}

func TestAStreamIsThereOnceItsFirstEventIsSafe(t *testing.T) {
	s := begin(t, time.Minute)
	ctx, line := t.Context(), events.Stream{Name: events.Name{8}, Kind: events.KindLine, Rulebook: "tiny",
		Table: s.table.Name}
	_, err := s.under.Append(ctx, logtest.Opening(line))
	require.NoError(t, err)
	fork := events.Stream{Name: events.Name{9}, Kind: events.KindLine, Rulebook: "tiny", Table: s.table.Name,
		Parent: s.table.Name, Fork: 1}
	_, err = s.under.Append(ctx, logtest.Opening(fork))
	require.NoError(t, err)
	for _, name := range []events.Name{line.Name, fork.Name} {
		_, err = s.log.Stream(ctx, name)
		require.ErrorIs(t, err, events.ErrNoStream)
		_, err = s.log.Head(ctx, name)
		require.ErrorIs(t, err, events.ErrNoStream)
		_, err = s.log.Load(ctx, name, 0, 0)
		require.ErrorIs(t, err, events.ErrNoStream)
	}
	all, err := s.log.Streams(ctx, s.table.Name)
	require.NoError(t, err)
	require.Equal(t, []events.Stream{s.table}, all)
	s.copy.tip.Move(4)
	all, err = s.log.Streams(ctx, s.table.Name)
	require.NoError(t, err)
	require.Equal(t, []events.Stream{s.table, line, fork}, all)
}

func TestNothingIsWrittenWhileTheClusterIsAwayOrLost(t *testing.T) {
	for name, bar := range map[string]func(*scene){
		"away":   func(s *scene) { s.copy.away = true },
		"alarm":  func(s *scene) { close(s.copy.alarm) },
		"fenced": func(s *scene) { s.log.Fence(errors.New("the lease is lost")) },
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, 20*time.Millisecond)
			bar(s)
			for range 2 {
				_, err := s.log.Append(t.Context(), s.late)
				require.ErrorIs(t, err, events.ErrUnsafe)
			}
			s.unseen(t)
			require.ErrorIs(t, s.log.Adopt(t.Context(), nil, nil), events.ErrUnsafe)
			under, err := s.under.Last(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 2, under)
		})
	}
}

func TestAnAlarmEndsTheWaitOfWhatIsUnderWay(t *testing.T) {
	s := begin(t, time.Minute)
	answered := make(chan error, 1)
	go func() {
		_, err := s.log.Append(context.Background(), s.late)
		answered <- err
	}()
	require.NoError(t, s.under.Wait(t.Context(), 2))
	close(s.copy.alarm)
	require.ErrorIs(t, <-answered, events.ErrUnsafe)
	s.unseen(t)
}
