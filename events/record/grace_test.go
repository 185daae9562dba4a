package record_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/programtest"
)

// timed is a house whose clock stands still until the test moves it.
type timed struct {
	*house
	t   *testing.T
	now time.Time
}

func newTimed(t *testing.T) *timed {
	h := &timed{t: t, now: time.Date(2026, 1, 2, 14, 0, 0, 0, time.UTC)}
	h.house = &house{desktest.Over(t, memory.New(), func() time.Time { return h.now })}
	return h
}

func (h *timed) held(table events.Name) time.Time {
	h.T.Helper()
	until, err := h.Held(h.Ctx, h.Sees(table))
	require.NoError(h.T, err)
	return until
}

// over ends a table by agreement.
func (h *timed) over(table events.Name) {
	h.T.Helper()
	h.Ends(table)
	h.Follows(table)
}

func TestAMoveThatPassedTheTurnIsTakenBackInItsGrace(t *testing.T) {
	h := newTimed(t)
	table := h.catan(desk.NewTable{Grace: 5})
	h.Plays(table, 0, "end")
	require.Equal(t, h.now.Add(5*time.Minute+desk.GraceSlack), h.held(table))
	h.now = h.now.Add(5*time.Minute - time.Second)
	require.NoError(t, h.undo(desktest.Ana, table))
	require.Zero(t, h.held(table), "Ana is asked, and nobody waits for anything")
	h.Plays(table, 0, "end")
	h.now = h.now.Add(5 * time.Minute)
	refusedAs(t, "undo-late", h.undo(desktest.Ana, table))
	require.NotZero(t, h.held(table), "what is being written just now comes first")
	h.now = h.now.Add(desk.GraceSlack)
	require.Zero(t, h.held(table))
	h.over(table)
	require.NoError(t, h.judgedBothWays(table))
}

func TestNobodyWaitsForAGraceWhileSomethingIsProposed(t *testing.T) {
	h := newTimed(t)
	table := h.catan(desk.NewTable{Grace: 30})
	h.Plays(table, 0, "end")
	h.Does(desktest.Bo, table, desk.ProposeEnd{})
	refusedAs(t, "proposal-open", h.undo(desktest.Ana, table))
	require.Zero(t, h.held(table))
	h.Does(desktest.Bo, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	require.NotZero(t, h.held(table))
	require.NoError(t, h.undo(desktest.Ana, table))
	h.over(table)
	require.NoError(t, h.judgedBothWays(table))
}

func TestTheGraceIsOverOnceTheNextPlays(t *testing.T) {
	h := newTimed(t)
	table := h.catan(desk.NewTable{Grace: 30})
	h.Plays(table, 0, "end")
	h.Plays(table, 1, "roll")
	refusedAs(t, "undo-last", h.undo(desktest.Ana, table))
	require.Zero(t, h.held(table), "dice are no move that is taken back")
}

func TestNoGraceIsForWhatAnOrderDidOrSomebodyElse(t *testing.T) {
	h := newTimed(t)
	table := h.catan(desk.NewTable{Grace: 30})
	look := h.Sees(table)
	open := look.Line.Awaited()[0]
	move, err := look.Rulebook.ParseMove("end", nil)
	require.NoError(t, err)
	_, err = h.Play(h.Ctx, events.Actor{Person: desktest.Ana, Door: domain.DoorOrder},
		desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: 0, Decision: open, Move: move})
	require.NoError(t, err)
	require.Zero(t, h.held(table))
	refusedAs(t, "undo-asked", h.undo(desktest.Ana, table))
	refusedAs(t, "undo-last", h.undo(desktest.Bo, table))
}

func TestATableIsOpenedWithAGraceThatItMayHave(t *testing.T) {
	h := newTimed(t)
	for code, n := range map[string]desk.NewTable{"grace": {Grace: -1}, "grace-undo": {Grace: 2, NoUndo: true}} {
		n.Rulebook, n.Pace, n.Places = "tiny", "daily",
			[]domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}
		_, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
		refusedAs(t, code, err)
	}
	require.Error(t, domain.CheckGrace(domain.MostGrace+1, false))
	require.NoError(t, domain.CheckGrace(domain.MostGrace, false))
}

func TestWhoIsAskedHasTheirTimeFromTheEndOfTheGrace(t *testing.T) {
	due := func(grace int) time.Time {
		h := newTimed(t)
		table := h.catan(desk.NewTable{Grace: grace, Clock: domain.ClockOf("daily", domain.TimeOutRemind)})
		h.now = h.now.Add(45 * time.Minute)
		h.Plays(table, 0, "end")
		look := h.Sees(table)
		return look.Deadline(look.Line.Awaited()[0])
	}
	require.Equal(t, due(0).Add(time.Hour), due(30), "deadlines are full hours")
}

// lately takes a move back as if no time had passed, and unasked as if nobody else had been asked: no program of the
// house does.
type (
	lately  struct{ to uint64 }
	unasked struct{ to uint64 }
)

func (c lately) Row() desk.Row  { return desk.Row{Wish: "lately", Judge: c.judge} }
func (c unasked) Row() desk.Row { return desk.Row{Wish: "unasked", Judge: c.judge} }

func (c lately) judge(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
	p, err := r.Played(ctx, c.to)
	if err != nil {
		return nil, err
	}
	return r.Table.Undo(by, c.to, p, r.NextLine(), p.At)
}

func (c unasked) judge(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
	p, err := r.Played(ctx, c.to)
	if err != nil {
		return nil, err
	}
	p.Awaits = nil
	return r.Table.Undo(by, c.to, p, r.NextLine(), p.At)
}

// judgedBothWays verifies a table's record here and with the independent verifier, which must agree.
func (h *timed) judgedBothWays(table events.Name) error {
	h.T.Helper()
	file := exportOf(h.T, h.House, table)
	_, err := judged(file)
	path := filepath.Join(h.T.TempDir(), "record.jsonl")
	require.NoError(h.T, os.WriteFile(path, file, 0o600))
	theirs := independent(h.t, programtest.Python(h.t), path)
	require.Equal(h.T, err != nil, theirs.Fault != nil, "%v, and %+v", err, theirs.Fault)
	if err != nil {
		require.Equal(h.T, "table-refused", theirs.Fault.Kind, theirs.Fault.Text)
	}
	return err
}

func TestARecordWhoseGraceWasOverIsNoProof(t *testing.T) {
	for _, late := range []time.Duration{0, 2*time.Minute + desk.GraceSlack, time.Hour} {
		h := newTimed(t)
		table := h.catan(desk.NewTable{Grace: 2})
		h.Plays(table, 0, "end")
		h.now = h.now.Add(late)
		h.Does(desktest.Ana, table, lately{h.lastStep(table)})
		h.Follows(table)
		h.over(table)
		if err := h.judgedBothWays(table); late > 0 {
			require.ErrorContains(t, err, "the table does not allow this")
		} else {
			require.NoError(t, err)
		}
	}
}

func TestARecordThatHidesWhoWasAskedIsNoProof(t *testing.T) {
	h := newTimed(t)
	table := h.catan(desk.NewTable{Grace: 2})
	h.Plays(table, 0, "end")
	h.now = h.now.Add(time.Hour)
	h.Does(desktest.Ana, table, unasked{h.lastStep(table)})
	h.Follows(table)
	h.over(table)
	_, err := judged(exportOf(t, h.House, table))
	require.ErrorContains(t, err, "the table does not allow this", "only who knows the game can tell")
}

func TestOldTablesSayNothingOfAGrace(t *testing.T) {
	for _, e := range []domain.TableEvent{&domain.Opened{}, &domain.Undone{}} {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotContains(t, string(text), "grace")
	}
}

// What is taken back within a grace would have been the same event, bit for bit, with any luck and anything its
// person does not know.
func TestNothingThatCameToLightIsTakenBackWithinAGrace(t *testing.T) {
	taken := map[string]int{}
	for n, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		rnd := rand.New(rand.NewPCG(uint64(n), 4))
		for round := range 3 {
			h := newTimed(t)
			places := []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}
			ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(),
				desk.NewTable{Rulebook: game, Places: places, Pace: "weekly", Grace: 10})
			require.NoError(t, err)
			h.Joins(desktest.Ana, ans.Table, 0)
			h.Joins(desktest.Bo, ans.Table, 1)
			h.Follows(ans.Table)
			for range 120 {
				if h.Random(ans.Table, rnd, 1) {
					break
				}
				look := h.Sees(ans.Table)
				for _, id := range look.Table.People() {
					step, err := h.LastStep(h.Ctx, look, id)
					require.NoError(t, err)
					if step.Refused != nil || step.Until.IsZero() {
						continue
					}
					taken[game]++
					require.NotZero(t, h.held(ans.Table))
					h.wouldBeTheSame(look, step, rnd)
					if rnd.IntN(4) == 0 && round > 0 {
						require.NoError(t, h.undo(id, ans.Table))
					}
				}
			}
			if look := h.Sees(ans.Table); look.Table.Status == domain.TableStarted && look.Table.Due == "" {
				h.over(ans.Table)
			}
			_, err = judged(exportOf(t, h.House, ans.Table))
			require.NoError(t, err)
		}
	}
	require.Positive(t, taken["catan"], "%v", taken)
}

// wouldBeTheSame plays a step again with other luck and with everything its mover does not know dealt afresh.
func (h *timed) wouldBeTheSame(look desk.Look, step desk.Step, rnd *rand.Rand) {
	h.T.Helper()
	rec, err := events.LoadOne(h.Ctx, h.Log(), look.LineName, step.To+1)
	require.NoError(h.T, err)
	require.Empty(h.T, rec.Parts)
	e, _, err := events.DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
	require.NoError(h.T, err)
	for range 3 {
		line, err := h.LineAt(h.Ctx, look, look.LineName, step.To)
		require.NoError(h.T, err)
		luck := domain.NewThrowaway(rnd.Uint64())
		deal := look.Rulebook.Blind(line.State, domain.ViewOf(e.Seat), luck.Begin())
		line.Luck = luck
		look.Rulebook.Evolve(line.State, &deal)
		move, err := look.Rulebook.ParseMove(step.Move, nil)
		require.NoError(h.T, err)
		again, _, err := line.Decide(e.Seat, move)
		require.NoError(h.T, err)
		line.CountPoints(&again)
		public, secrets, err := look.Rulebook.Codec().Encode(&again)
		require.NoError(h.T, err)
		require.Empty(h.T, secrets)
		require.Empty(h.T, again.Draws)
		require.JSONEq(h.T, string(rec.Data), string(public))
	}
}
