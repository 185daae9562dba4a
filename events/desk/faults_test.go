package desk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

var errFault = errors.New("the disk said no")

// faulty is a log in which one call fails before anything is written.
type faulty struct {
	events.Log
	calls, failing int
}

func (f *faulty) next() error {
	if f.calls++; f.calls == f.failing {
		return errFault
	}
	return nil
}

func (f *faulty) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if err := f.next(); err != nil {
		return events.Record{}, err
	}
	return f.Log.Append(ctx, d)
}

func (f *faulty) Stream(ctx context.Context, name events.Name) (events.Stream, error) {
	if err := f.next(); err != nil {
		return events.Stream{}, err
	}
	return f.Log.Stream(ctx, name)
}

func (f *faulty) Streams(ctx context.Context, table events.Name) ([]events.Stream, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.Log.Streams(ctx, table)
}

func (f *faulty) Head(ctx context.Context, name events.Name) (events.Head, error) {
	if err := f.next(); err != nil {
		return events.Head{}, err
	}
	return f.Log.Head(ctx, name)
}

func (f *faulty) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.Log.Load(ctx, name, after, upTo)
}

func (f *faulty) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	if err := f.next(); err != nil {
		return events.Record{}, err
	}
	return f.Log.Find(ctx, table, id)
}

func (f *faulty) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.Log.Read(ctx, after, limit)
}

func (f *faulty) Last(ctx context.Context) (uint64, error) {
	if err := f.next(); err != nil {
		return 0, err
	}
	return f.Log.Last(ctx)
}

// over returns a house newly started over an existing log.
func over(t testing.TB, log events.Log) *desktest.House {
	return &desktest.House{Desk: desk.NewDesk(log, desktest.Keys(t), desktest.Named, desktest.Clock()), T: t,
		Ctx: context.Background()}
}

func TestWhateverTheLogFailsToReadIsTheDesksError(t *testing.T) {
	log := memory.New()
	h := desktest.Over(t, log, desktest.Clock())
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	o := &ordering{h, table}
	first := h.Sees(table).LineName
	h.Plays(table, 0, "keep")
	h.Rewinds(table, 1)
	o.gives(desktest.Ana, 0, "keep 1")
	h.Follows(table)
	o.gives(desktest.Ana, 0, "roll", "swap 2")
	o.gives(desktest.Bo, 1, "keep")
	branch := h.Starts("tiny", h.BranchOf(table, 1, "study"), desktest.Player(desktest.Ana),
		desktest.Player(desktest.Ana))
	command := events.NewCommandID()
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), command, desk.NewTable{Rulebook: "tiny", Pace: "weekly",
		Places: []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}})
	require.NoError(t, err)
	require.NoError(t, h.Forget(h.Ctx, desktest.By(desktest.Ana), desktest.Cid))
	require.NoError(t, h.Withdraw(h.Ctx, desktest.By(desktest.Ana), desktest.Ana, 3))

	for name, read := range map[string]func(h *desktest.House, look desk.Look) (any, error){
		"a look": func(h *desktest.House, _ desk.Look) (any, error) {
			l, err := h.Look(h.Ctx, table)
			return fmt.Sprint(l.Name, l.TableHead, l.LineName, l.LineHead), err
		},
		"a line that was left": func(h *desktest.House, look desk.Look) (any, error) {
			l, err := h.LineAt(h.Ctx, look, first, 2)
			if err != nil {
				return nil, err
			}
			return l.Version, nil
		},
		"a history": func(h *desktest.House, look desk.Look) (any, error) {
			return h.History(h.Ctx, look, first, domain.Spectator, 0, 0)
		},
		"a branch's history": func(h *desktest.House, _ desk.Look) (any, error) {
			look, err := h.Look(h.Ctx, branch)
			if err != nil {
				return nil, err
			}
			return h.History(h.Ctx, look, look.LineName, domain.ViewOf(0), 0, 0)
		},
		"the table's history": func(h *desktest.House, _ desk.Look) (any, error) {
			return h.TableHistory(h.Ctx, table, 0)
		},
		"its end": func(h *desktest.House, _ desk.Look) (any, error) {
			return h.TableHistory(h.Ctx, table, 3)
		},
		"orders": func(h *desktest.House, _ desk.Look) (any, error) {
			return h.Orders(h.Ctx, table, 0, desktest.Ana)
		},
		"orders that were used": func(h *desktest.House, look desk.Look) (any, error) {
			return h.OrdersUsed(h.Ctx, look, look.LineName, domain.ViewOf(0))
		},
		"what is asked": func(h *desktest.House, look desk.Look) (any, error) { return h.Asks(h.Ctx, look) },
		"what was seen": func(h *desktest.House, look desk.Look) (any, error) { return h.Seen(h.Ctx, look, 1) },
		"whom it waits for": func(h *desktest.House, look desk.Look) (any, error) {
			return h.AwaitsHouse(h.Ctx, look)
		},
		"the forgotten": func(h *desktest.House, _ desk.Look) (any, error) { return h.Forgotten(h.Ctx) },
		"the withdrawn": func(h *desktest.House, _ desk.Look) (any, error) { return h.Withdrawn(h.Ctx) },
		"a command's table": func(h *desktest.House, _ desk.Look) (any, error) {
			name, ok, err := h.Opened(h.Ctx, desktest.Ana, command)
			if err == nil {
				require.True(t, ok)
				require.Equal(t, ans.Table, name)
			}
			return name, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := read(over(t, log), h.Sees(table))
			require.NoError(t, err)
			require.NotEmpty(t, fmt.Sprint(want))
			for n := 1; ; n++ {
				f := &faulty{Log: log, failing: n}
				got, err := read(over(t, f), h.Sees(table))
				if f.calls < n {
					require.NoError(t, err)
					require.Equal(t, want, got)
					return
				}
				require.ErrorIs(t, err, errFault, "call %d", n)
			}
		})
	}
	_, ok, err := h.Opened(h.Ctx, desktest.Bo, command)
	require.NoError(t, err)
	require.False(t, ok, "another's command opened nothing")
	entries, err := h.TableHistory(h.Ctx, table, 0)
	require.NoError(t, err)
	require.EqualValues(t, h.Sees(table).TableHead.Version, len(entries))
}

func TestACommandTriedAgainAfterAFaultIsDoneOnce(t *testing.T) {
	for name, command := range map[string]func(h *desktest.House, table events.Name, id events.CommandID) error{
		"a move": func(h *desktest.House, table events.Name, id events.CommandID) error {
			look := over(t, h.Log().(*faulty).Log).Sees(table)
			keep, err := look.Rulebook.ParseMove("keep", nil)
			require.NoError(t, err)
			_, err = h.Play(h.Ctx, desktest.By(desktest.Ana),
				desk.Move{ID: id, Table: table, Line: look.LineName, Seat: 0, Decision: look.Line.Awaited()[0],
					Move: keep})
			return err
		},
		"a chat": func(h *desktest.House, table events.Name, id events.CommandID) error {
			_, err := h.Do(h.Ctx, desktest.By(desktest.Ana), table, id,
				desk.Say{Written: desk.Written{Text: []byte("hi")}})
			return err
		},
		"orders": func(h *desktest.House, table events.Name, id events.CommandID) error {
			_, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), table, 0, id, 0, []string{"roll"}, nil)
			return err
		},
		"a table": func(h *desktest.House, _ events.Name, id events.CommandID) error {
			_, err := h.Open(h.Ctx, desktest.By(desktest.Ana), id,
				desk.NewTable{Rulebook: "tiny", Pace: "weekly",
					Places: []domain.TablePlace{desktest.Player(desktest.Ana), desktest.StandIn()}})
			return err
		},
		"a person forgotten": func(h *desktest.House, _ events.Name, _ events.CommandID) error {
			return h.Forget(h.Ctx, desktest.By(desktest.Cid), desktest.Cid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want uint64
			for n := 0; ; n++ { // the first time nothing fails
				log := memory.New()
				h := desktest.Over(t, log, desktest.Clock())
				table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
				f := &faulty{Log: log, failing: n}
				failing := over(t, f)
				id := events.NewCommandID()
				err := command(failing, table, id)
				failed := n > 0 && f.calls >= n
				if failed {
					require.ErrorIs(t, err, errFault, "call %d", n)
					err = command(failing, table, id)
				}
				require.NoError(t, err)
				last, err := log.Last(h.Ctx)
				require.NoError(t, err)
				if n == 0 {
					want = last
				}
				require.Equal(t, want, last, "call %d", n)
				if n > 0 && !failed {
					return
				}
			}
		})
	}
}
