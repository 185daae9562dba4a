package desk_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// wanted is a command of no door: any event, as the judge is asked for it.
type wanted struct{ domain.TableEvent }

func (w wanted) Row() desk.Row {
	return desk.Row{Wish: "wanted",
		Judge: func(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
			return r.Decide(ctx, by, w.TableEvent)
		}}
}

// What a command wants is judged by who gives it, by which door, and when; verify asks the same judge afterwards.
func TestTheDeskAsksTheJudge(t *testing.T) {
	page, host := desktest.By(ana), events.Actor{Door: domain.DoorHost}
	hour := func(h *timed) time.Time { return h.now.Truncate(time.Hour) }
	for name, c := range map[string]struct {
		by   events.Actor
		want func(h *timed, d domain.Deadline) domain.TableEvent
		says string
	}{
		"handed over on a page": {page, func(*timed, domain.Deadline) domain.TableEvent {
			return &domain.HandedOver{To: "there"}
		}, "by the door host"},
		"ended by the host": {host, func(*timed, domain.Deadline) domain.TableEvent {
			return &domain.Ended{}
		}, "by the door runner"},
		"timed out by the host": {host, func(_ *timed, d domain.Deadline) domain.TableEvent {
			return &domain.TimedOut{Due: d}
		}, "by the door clock"},
		"timed out too early": {events.Clock, func(_ *timed, d domain.Deadline) domain.TableEvent {
			return &domain.TimedOut{Due: d}
		}, "had not passed"},
		"timed out at another hour": {events.Clock, func(h *timed, d domain.Deadline) domain.TableEvent {
			d.At = h.now
			return &domain.TimedOut{Due: d}
		}, "the deadline was not"},
		"a deadline moved earlier": {events.Clock, func(_ *timed, d domain.Deadline) domain.TableEvent {
			d.At = d.At.Add(-time.Hour)
			return &domain.Deferred{Why: domain.DeferHouse, Due: []domain.Deadline{d}}
		}, "to an earlier time"},
		"a spare day before the time is over": {events.Clock, func(_ *timed, d domain.Deadline) domain.TableEvent {
			d.At = d.At.Add(time.Hour)
			return &domain.Deferred{Why: domain.DeferSpare, Due: []domain.Deadline{d}}
		}, "once the time is over"},
		"a holiday of somebody else": {page, func(h *timed, _ domain.Deadline) domain.TableEvent {
			return &domain.Deferred{Why: domain.DeferAway, Person: bo, Until: h.now.Add(48 * time.Hour)}
		}, "says so"},
		"nudged at another hour": {desktest.By(bo), func(h *timed, d domain.Deadline) domain.TableEvent {
			return &domain.Nudged{Seat: 0, Line: d.Line, Since: d.Since, At: hour(h).Add(-5 * time.Hour)}
		}, "another hour"},
		"back with the time of another seat": {page, func(_ *timed, d domain.Deadline) domain.TableEvent {
			return &domain.Returned{Seat: 1, Due: []domain.Deadline{d}}
		}, "another seat"},
		"opened twice": {page, func(*timed, domain.Deadline) domain.TableEvent {
			return &domain.Opened{}
		}, "opened once"},
		"a contribution alone": {page, func(*timed, domain.Deadline) domain.TableEvent {
			return &domain.Contributed{}
		}, "no command"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTimed(t)
			table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
			_, err := h.Do(h.Ctx, c.by, table, events.NewCommandID(), wanted{c.want(h, h.deadline(table, 0))})
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A proposal that no move has overtaken does not lapse, whoever says so.
func TestTheHouseLapsesOnlyWhatIsOvertaken(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	require.NoError(t, d.do(ana, table, desk.ProposeEnd{}))
	since := d.look(table).Table.Proposal.Since
	lapse := func() error {
		_, err := d.Do(d.ctx, events.House, table, events.NewCommandID(), wanted{&domain.Dismissed{Since: since}})
		return err
	}
	refusedAs(t, "no-proposal", lapse())
	d.play(table, ana, 0, "keep")
	require.NoError(t, lapse())
}

// Whoever decides for a seat may move, by a door that is theirs: orders and the house wait while something is proposed.
func TestWhoMovesIsJudgedByTheDoor(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	for door, code := range map[string]string{domain.DoorRunner: "not-your-seat", domain.DoorClock: "not-your-seat"} {
		_, err := d.Play(d.ctx, events.Actor{Door: door}, d.move(table, 0, "keep"))
		refusedAs(t, code, err)
	}
	require.NoError(t, d.do(bo, table, desk.ProposeEnd{}))
	_, err := d.Play(d.ctx, events.Actor{Person: ana, Door: domain.DoorOrder}, d.move(table, 0, "keep"))
	refusedAs(t, "proposal-open", err)
	_, err = d.Play(d.ctx, events.Actor{Door: domain.DoorForced}, d.move(table, 0, "keep"))
	refusedAs(t, "not-your-seat", err)
	other := d.move(table, 0, "keep")
	other.Line = table
	_, err = d.Play(d.ctx, by(ana), other)
	refusedAs(t, "line-closed", err)
	d.play(table, ana, 0, "keep")
}

// Only the opener gives up a table that has not begun.
func TestATableIsGivenUpByItsOpener(t *testing.T) {
	d := newDesk(t)
	table := d.open(desktest.Player(ana), desktest.Player(bo))
	refusedAs(t, "opener-only", d.do(bo, table, desk.Abandon{}))
	require.NoError(t, d.do(ana, table, desk.Abandon{}))
}

// A step that asked somebody else is taken back within the table's grace, to the second, and not after it.
func TestAStepIsTakenBackUntilItsGraceIsOver(t *testing.T) {
	for after, code := range map[time.Duration]string{5*time.Minute - time.Second: "", 5 * time.Minute: "undo-late"} {
		h := newTimed(t)
		ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "catan",
			Given: []byte(`{"active":"A","phase":"main","players":[{"settlements":[13,31],"roads":[20,36]},` +
				`{"settlements":[10,40],"roads":[13,53]},{"settlements":[22,42],"roads":[28,57]}]}`),
			Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo), desktest.Player(desktest.Cid)},
			Pace:   "relaxed", Grace: 5})
		require.NoError(t, err)
		for seat, who := range []domain.PersonID{ana, bo, desktest.Cid} {
			h.Joins(who, ans.Table, domain.Seat(seat))
		}
		h.Follows(ans.Table)
		to := h.Sees(ans.Table).Line.Version
		h.Plays(ans.Table, 0, "end")
		h.now = h.now.Add(after)
		require.Equal(t, code, h.says(ana, ans.Table, desk.Undo{To: to}))
	}
}

// A stand-in takes the decision whose time was over, and no later one that its own move did not bring up.
func TestAStandInTakesOnlyTheTurnThatIsOver(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
	o := h.Sees(table).Line.Awaited()[0]
	require.False(t, h.Sees(table).TakenOver(o))
	h.silent(table, o.Seat)
	require.True(t, h.Sees(table).TakenOver(o))
	o.Since++
	require.False(t, h.Sees(table).TakenOver(o))
}
