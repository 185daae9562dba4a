package desk_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// earlier is a log written as before ids were keyed: the next event gets the id that it would have had then.
type earlier struct {
	events.Log
	keys *events.Keys
	next *formerly
}

type formerly struct {
	id   events.CommandID
	wish string
}

// under logs the next event under an old id, with the wish that goes with it.
func (e *earlier) under(id events.CommandID, wish string) { e.next = &formerly{id, wish} }

func (e *earlier) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if e.next == nil {
		return e.Log.Append(ctx, d)
	}
	var meta events.Meta
	if err := json.Unmarshal(d.Meta, &meta); err != nil {
		return events.Record{}, err
	}
	m := hmac.New(sha256.New, e.keys.For("wish"))
	_, _ = m.Write(e.next.id[:])
	_, _ = m.Write([]byte(e.next.wish))
	d.Command, meta.Wish = e.next.id, fmt.Sprintf("%x", m.Sum(nil)[:8])
	if d.Type == events.TypeForked || meta.Opened != nil {
		meta.Wish = ""
	}
	var err error
	if d.Meta, err = json.Marshal(meta); err != nil {
		return events.Record{}, err
	}
	rec, err := e.Log.Append(ctx, d)
	if err == nil {
		e.next = nil
	}
	return rec, err
}

// upgraded is a house over a log written before ids were keyed.
type upgraded struct {
	*desktest.House
	log *earlier
}

func newUpgraded(t *testing.T) *upgraded {
	t.Helper()
	log := &earlier{Log: memory.New(), keys: desktest.Keys(t)}
	return &upgraded{desktest.Over(t, log, desktest.Clock()), log}
}

// now returns the program after the upgrade, with nothing cached.
func (u *upgraded) now() *desktest.House {
	u.T.Helper()
	require.Nil(u.T, u.log.next, "what was to be logged as before was logged")
	return &desktest.House{Desk: desk.NewDesk(u.log.Log, u.Keys(), desktest.Named, desktest.Clock()), T: u.T,
		Ctx: u.Ctx}
}

// last returns how much the log holds.
func (u *upgraded) last() uint64 {
	u.T.Helper()
	last, err := u.Log().Last(u.Ctx)
	require.NoError(u.T, err)
	return last
}

// standInID returns the id that a stand-in's next move had before ids were keyed.
func standInID(look desk.Look, o domain.Open) events.CommandID {
	return events.Derive("stand-in", look.LineName[:], []byte(fmt.Sprint(o)), look.LineHead.Hash[:])
}

func awaitedOf(look desk.Look, seat domain.Seat) domain.Open {
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			return o
		}
	}
	panic("seat " + seat.Letter() + " is not awaited")
}

func TestWhatWasDoneBeforeIdsWereKeyedIsNotDoneAgain(t *testing.T) {
	two := func(u *upgraded) events.Name {
		table := u.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		u.Joins(ana, table, 0)
		u.Joins(bo, table, 1)
		return table
	}
	derived := func(u *upgraded, what string, table events.Name) {
		head := u.Sees(table).TableHead
		u.log.under(events.Derive(what, table[:], head.Hash[:]), what)
	}
	for what, c := range map[string]struct {
		does  func(u *upgraded) events.Name
		leads int // events that must still follow
	}{
		"a start, before its line is open": {func(u *upgraded) events.Name {
			table := two(u)
			derived(u, "start", table)
			_, err := u.DoCaused(u.Ctx, events.House, table, events.Because("start"), desktest.Start{})
			require.NoError(u.T, err)
			return table
		}, 1},
		"a line, before anybody has moved": {func(u *upgraded) events.Name {
			table := two(u)
			u.Does(ana, table, desktest.Start{})
			look := u.Sees(table)
			main, _ := look.Table.Main()
			u.log.under(events.Derive("open-line", look.LineName[:], binary.BigEndian.AppendUint64(nil, main.Since)),
				"open-line")
			u.Follows(table)
			return table
		}, 0},
		"an end": {func(u *upgraded) events.Name {
			table := two(u)
			u.Follows(table)
			u.Resigns(bo, table, 1)
			derived(u, "finish", table)
			u.Follows(table)
			return table
		}, 0},
		"a proposal's lapse": {func(u *upgraded) events.Name {
			table := u.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player("c0"))
			u.Plays(table, 0, "keep")
			u.Proposes(ana, table, 1)
			u.Agrees(bo, table)
			u.Resigns("c0", table, 2)
			derived(u, "lapse", table)
			u.Follows(table)
			return table
		}, 0},
	} {
		t.Run(what, func(t *testing.T) {
			u := newUpgraded(t)
			table := c.does(u)
			before := u.last()
			for range 2 {
				u.now().Follows(table)
				require.EqualValues(t, before+uint64(c.leads), u.last())
			}
		})
	}
}

func TestAStandInsMoveBeforeIdsWereKeyedIsNotMadeAgain(t *testing.T) {
	u := newUpgraded(t)
	table := u.Starts("tiny", nil, desktest.Player(ana), desktest.StandIn())
	look, turns := u.Sees(table), u.Follows(table)
	require.Len(t, turns, 1)
	m := turns[0]
	move, err := look.Rulebook.ParseMove("keep", nil)
	require.NoError(t, err)
	m.Move = move
	u.log.under(standInID(look, m.Decision),
		fmt.Sprintf("move %s %d %s", m.Line, m.Seat, look.Rulebook.FormatMove(move, nil)))
	first, err := u.Play(u.Ctx, events.House, m)
	require.NoError(t, err)
	again, err := u.now().Play(u.Ctx, events.House, m) // an old runner that never got its answer
	require.NoError(t, err)
	require.True(t, again.Again)
	require.Equal(t, first.Record.Pos, again.Record.Pos)
	require.Equal(t, first.Receipt, again.Receipt)
	require.Empty(t, u.now().Follows(table))
}

// Given an order that made its move, and a program that ended before it noted that, when the next program keys its
// ids, then the move is noted and not repeated.
func TestAnOrdersMoveBeforeIdsWereKeyedIsOnlyNoted(t *testing.T) {
	u := newUpgraded(t)
	table := u.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	_, err := u.SetOrders(u.Ctx, desktest.By(ana), table, 0, events.NewCommandID(), 0, []string{"keep"}, nil)
	require.NoError(t, err)
	streams, err := u.Log().Streams(u.Ctx, table)
	require.NoError(t, err)
	seat := streams[len(streams)-1]
	require.Equal(t, events.KindSeat, seat.Kind)
	look := u.Sees(table)
	move, err := look.Rulebook.ParseMove("keep", nil)
	require.NoError(t, err)
	u.log.under(events.Derive("order", seat.Name[:], binary.BigEndian.AppendUint64(nil, 1)),
		fmt.Sprintf("move %s %d %s", look.LineName, 0, look.Rulebook.FormatMove(move, nil)))
	_, err = u.Play(u.Ctx, events.Actor{Person: ana, Door: domain.DoorOrder},
		desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName,
			Seat: 0, Decision: awaitedOf(look, 0), Move: move})
	require.NoError(t, err)
	moved := u.last()
	h := u.now()
	h.Plays(table, 1, "keep") // so that Ana or Bo is to roll
	_, err = h.SetOrders(h.Ctx, desktest.By(ana), table, 0, events.NewCommandID(), 2, nil, nil)
	require.NoError(t, err, "the note that the move was made stands at version 2")
	require.EqualValues(t, moved+3, u.last(), "Bo's move, the note, the list")
	look = h.Sees(table)
	require.EqualValues(t, 3, look.LineHead.Version)
	used, err := h.OrdersUsed(h.Ctx, look, look.LineName, domain.ViewOf(0))
	require.NoError(t, err)
	require.Equal(t, map[uint64]string{2: "order keep"}, used)
}

// Somebody said something under the id that an order's move was about to have.
func TestAnOrderIsObeyedThoughItsUnkeyedIdWasTaken(t *testing.T) {
	u := newUpgraded(t)
	table := u.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	_, err := u.SetOrders(u.Ctx, desktest.By(ana), table, 0, events.NewCommandID(), 0, []string{"keep"}, nil)
	require.NoError(t, err)
	streams, err := u.Log().Streams(u.Ctx, table)
	require.NoError(t, err)
	seat := streams[len(streams)-1].Name
	id := events.Derive("order", seat[:], binary.BigEndian.AppendUint64(nil, 1))
	u.log.under(id, "say")
	_, err = u.Do(u.Ctx, desktest.By(ana), table, id, desk.Say{Written: desk.Written{Text: []byte("x")}})
	require.NoError(t, err)
	h := u.now()
	h.Follows(table)
	look := h.Sees(table)
	require.EqualValues(t, 2, look.LineHead.Version, "Ana has kept her card")
	used, err := h.OrdersUsed(h.Ctx, look, look.LineName, domain.ViewOf(0))
	require.NoError(t, err)
	require.Equal(t, map[uint64]string{2: "order keep"}, used)
}

func TestForgetAndWithdrawBeforeKeyedIdsAreNotedOnce(t *testing.T) {
	u := newUpgraded(t)
	u.log.under(events.Derive("forget", []byte(ana)), "forget Ana")
	require.NoError(t, u.Forget(u.Ctx, events.House, ana))
	u.log.under(events.Derive("withdraw", []byte(bo), binary.BigEndian.AppendUint32(nil, 3)), "withdraw Bo 3")
	require.NoError(t, u.Withdraw(u.Ctx, events.House, bo, 3))
	before, h := u.last(), u.now()
	require.NoError(t, h.Forget(h.Ctx, events.House, ana))
	require.NoError(t, h.Withdraw(h.Ctx, events.House, bo, 3))
	require.Equal(t, before, u.last())
	require.NoError(t, h.Forget(h.Ctx, events.House, bo))
	require.NoError(t, h.Withdraw(h.Ctx, events.House, bo, 4))
	require.Equal(t, before+2, u.last())
}

// A form sent before the upgrade is sent again after it: through any door, its first answer comes again, with its
// receipt, but only for the same person with the same wish.
func TestACommandFromBeforeIdsWereKeyedIsAnsweredAgain(t *testing.T) {
	u := newUpgraded(t)
	table := u.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	id := events.NewCommandID()
	says := func(h *desktest.House, who domain.PersonID, c desk.Command) (desk.Answer, error) {
		return h.Do(h.Ctx, desktest.By(who), table, id, c)
	}
	say := desk.Say{Written: desk.Written{Text: []byte("x")}}
	u.log.under(id, say.Row().Wish)
	first, err := says(u.House, ana, say)
	require.NoError(t, err)
	require.Equal(t, id, first.Record.Command)
	again, err := says(u.now(), ana, say)
	require.NoError(t, err)
	require.True(t, again.Again)
	require.Equal(t, first.Receipt, again.Receipt)
	_, err = says(u.now(), bo, say)
	refusal(t, err, "command-used")
	_, err = says(u.now(), ana, desk.Resign{Seat: 0})
	refusal(t, err, "command-used")
	rec, done, err := u.now().Done(u.Ctx, table, id)
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, first.Record.Pos, rec.Pos)
	_, done, err = u.now().Done(u.Ctx, table, events.NewCommandID())
	require.NoError(t, err)
	require.False(t, done)
}

func TestCommandsBeforeIdsWereKeyedAreAnsweredAgain(t *testing.T) {
	u := newUpgraded(t)
	n := desk.NewTable{Rulebook: "tiny", Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)},
		Pace: "weekly"}
	wish, err := json.Marshal(n)
	require.NoError(t, err)
	id := events.NewCommandID()
	u.log.under(id, "open "+string(wish))
	opened, err := u.Open(u.Ctx, desktest.By(ana), id, n)
	require.NoError(t, err)
	again, err := u.now().Open(u.Ctx, desktest.By(ana), id, n)
	require.NoError(t, err)
	require.True(t, again.Again)
	require.Equal(t, opened.Receipt, again.Receipt)
	table := opened.Table
	u.Joins(ana, table, 0)
	u.Joins(bo, table, 1)
	u.Follows(table)
	look := u.Sees(table)
	move, err := look.Rulebook.ParseMove("keep", nil)
	require.NoError(t, err)
	m := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: 0,
		Decision: awaitedOf(look, 0), Move: move}
	u.log.under(m.ID, fmt.Sprintf("move %s %d %s", m.Line, m.Seat, look.Rulebook.FormatMove(move, nil)))
	first, err := u.Play(u.Ctx, desktest.By(ana), m)
	require.NoError(t, err)
	second, err := u.now().Play(u.Ctx, desktest.By(ana), m)
	require.NoError(t, err)
	require.True(t, second.Again)
	require.Equal(t, first.Receipt, second.Receipt)
}
