package record_test

import (
	"bytes"
	"context"
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
	"posthorn/events/record"
)

// building is a game in which Ana, who has rolled, can build two roads, buy a card and end her turn; Bo's dice do not
// roll on their own.
const building = `{"active": "A", "phase": "main",
	"players": [
		{"settlements": [13, 31], "roads": [20, 36], "hand": {"brick": 2, "lumber": 2, "wool": 1, "grain": 1, "ore": 1}},
		{"settlements": [10, 40], "roads": [13, 53], "hand": {"ore": 1}, "cards": {"knight": 1}},
		{"settlements": [22, 42], "roads": [28, 57]}
	]}`

// catan returns a table of Catan in that position.
func (h *house) catan(n desk.NewTable) events.Name {
	h.T.Helper()
	return h.catanAt(building, n)
}

func (h *house) catanAt(given string, n desk.NewTable) events.Name {
	return h.catanOf(given, n, desktest.Ana, desktest.Bo, desktest.Cid)
}

func (h *house) catanOf(given string, n desk.NewTable, people ...domain.PersonID) events.Name {
	h.T.Helper()
	n.Rulebook, n.Pace, n.Given = "catan", "daily", []byte(given)
	for _, id := range people {
		n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}})
	}
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
	require.NoError(h.T, err)
	for i, id := range people {
		h.Joins(id, ans.Table, domain.Seat(i))
	}
	h.Follows(ans.Table)
	return ans.Table
}

// builds makes Ana's first legal move of a kind, and returns it.
func (h *house) builds(table events.Name, verb string) string {
	h.T.Helper()
	look := h.Sees(table)
	for m := range look.Rulebook.Legal(look.Line.State, 0) {
		if text := look.Rulebook.FormatMove(m, nil); len(text) >= len(verb) && text[:len(verb)] == verb {
			h.Plays(table, 0, text)
			return text
		}
	}
	h.T.Fatalf("nobody can %s now", verb)
	return ""
}

// judged verifies a record with the games of the house.
func judged(file []byte) (*record.Report, error) {
	f, err := record.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return record.Verify(f, desktest.Named)
}

// slyly takes back a move that revealed something, as no program of the house does.
type slyly struct{ to uint64 }

func (c slyly) Row() desk.Row { return desk.Row{Wish: "slyly", Judge: c.judge} }

func (c slyly) judge(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
	p, err := r.Played(ctx, c.to)
	if err != nil {
		return nil, err
	}
	draws := p.Draws
	p.Draws, p.Hidden, p.Cards, p.Others, p.Awaits = nil, 0, nil, false, nil
	e, err := r.Table.Undo(by, c.to, p, r.NextLine(), time.Time{})
	if u, ok := e.(*domain.Undone); ok {
		for _, d := range draws {
			u.Rewound.Taken = append(u.Rewound.Taken, domain.Taken{Purpose: d.Purpose, K: d.K})
		}
	}
	return e, err
}

func TestARecordInWhichMoreWasTakenBackIsNoProof(t *testing.T) {
	for _, verb := range []string{"buy", "end"} {
		h := newHouse(t, 1)
		table := h.catan(desk.NewTable{})
		h.builds(table, verb)
		to := h.lastStep(table)
		h.Does(desktest.Ana, table, slyly{to})
		h.Follows(table)
		h.Ends(table)
		h.Follows(table)
		_, err := judged(h.export(table, domain.Referee))
		require.ErrorContains(t, err, "the table does not allow this", verb)
	}
}

func (h *house) undo(who domain.PersonID, table events.Name) error {
	h.T.Helper()
	to := h.lastStep(table)
	_, err := h.Do(h.Ctx, desktest.By(who), table, events.NewCommandID(), desk.Undo{To: to})
	h.Follows(table)
	return err
}

func refusedAs(t *testing.T, code string, err error) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, r.Code)
}

func TestStepsAreUndoneWithoutConsentIfNothingWasSeen(t *testing.T) {
	h := newHouse(t, 1)
	table := h.catan(desk.NewTable{})
	first := h.builds(table, "road")
	h.builds(table, "road")
	require.NoError(t, h.undo(desktest.Ana, table))
	refusedAs(t, "undo-last", h.undo(desktest.Bo, table))
	require.NoError(t, h.undo(desktest.Ana, table), "step by step")
	look := h.Sees(table)
	require.Len(t, look.Table.Lines, 3, "each is in the record")
	require.True(t, look.Table.Lines[2].Undo)
	require.Equal(t, uint64(1), look.Table.Lines[2].Fork)

	h.Plays(table, 0, first)
	h.builds(table, "buy")
	refusedAs(t, "undo-seen", h.undo(desktest.Ana, table))
	h.Plays(table, 0, "end")
	refusedAs(t, "undo-asked", h.undo(desktest.Ana, table))
	for _, v := range []domain.Viewer{domain.Referee, domain.Spectator, 0} {
		_, err := judged(h.export(table, v))
		require.NoError(t, err)
	}
	h.Ends(table)
	h.Follows(table)
	r, err := judged(h.export(table, domain.Referee))
	require.NoError(t, err)
	require.True(t, r.Judged, "%v", r.Skipped)
}

func TestATableMayPlayWithoutTakingBack(t *testing.T) {
	h := newHouse(t, 1)
	table := h.catan(desk.NewTable{NoUndo: true})
	h.builds(table, "road")
	refusedAs(t, "undo-off", h.undo(desktest.Ana, table))
	_, err := judged(h.export(table, domain.Referee))
	require.NoError(t, err)
}

func TestWhatIsAskedAgainKeepsItsTime(t *testing.T) {
	h := newHouse(t, 1)
	table := h.catan(desk.NewTable{Clock: domain.ClockOf("daily", domain.TimeOutRemind)})
	due := func() time.Time { l := h.Sees(table); return l.Deadline(l.Line.Awaited()[0]) }
	before := due()
	require.False(t, before.IsZero())
	for range 200 { // hours go by
		h.Now()
	}
	h.builds(table, "road")
	require.NoError(t, h.undo(desktest.Ana, table))
	require.Equal(t, before, due())
	_, err := judged(h.export(table, domain.Referee))
	require.NoError(t, err)
}

// lastStep returns the version before the last move of a table's line.
func (h *house) lastStep(table events.Name) uint64 {
	h.T.Helper()
	look := h.Sees(table)
	for version := look.Line.Version; version > 1; version-- {
		rec, err := events.LoadOne(h.Ctx, h.Log(), look.LineName, version)
		require.NoError(h.T, err)
		if rec.Type != events.TypeForked {
			return version - 1
		}
	}
	require.Fail(h.T, "nothing was played")
	return 0
}

// Whoever alternates a step that draws nothing and its take-back, until the next draw suits, gets the same draw: only
// at tables of older programs did each take-back give other ones, and a report counts them.
func TestATakeBackGivesNoOtherDraws(t *testing.T) {
	for name, log := range map[string]events.Log{"today": memory.New(), "an older program": olderLog{memory.New()}} {
		h := &house{desktest.Over(t, log, time.Now)}
		table := h.catan(desk.NewTable{})
		next := func() int {
			look := h.Sees(table)
			main, _ := look.Table.Main()
			return look.Table.SourceOf(main).Begin().Draw("dice", 1_000_000)
		}
		suits := next()
		for n := range 3 {
			h.builds(table, "road")
			require.NoError(t, h.undo(desktest.Ana, table))
			require.Equal(t, name == "today", suits == next(), "%s, %d", name, n)
		}
		h.builds(table, "end")
		h.Plays(table, 1, "roll")
		h.Ends(table)
		h.Follows(table)
		file := h.export(table, domain.Referee)
		r, err := judged(file)
		require.NoError(t, err)
		require.True(t, r.Judged)
		require.Equal(t, []string{"the game began from a position that was set by hand: it was not drawn"}, r.Said)
		require.Equal(t, record.TakenBack{All: 3, Most: 3, Gave: name != "today"}, r.Back)

		path := filepath.Join(t.TempDir(), "record.jsonl")
		require.NoError(t, os.WriteFile(path, file, 0o600))
		said := independent(t, programtest.Python(t), path)
		require.Nil(t, said.Fault)
		require.Equal(t, 3, said.Checked["steps taken back before a draw"])
		require.Equal(t, 3, said.Checked["of these before the same draw, at most"])
	}
}
