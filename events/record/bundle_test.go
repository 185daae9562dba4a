package record_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/record"
)

// branchAt opens a branch of a table's line at a version.
func (h *house) branchAt(table events.Name, version uint64) events.Name {
	h.T.Helper()
	return h.open(h.BranchOf(table, version, "game"))
}

// handsOver returns the file that hands a table over.
func (h *house) handsOver(there *house, table events.Name) ([]byte, error) {
	h.T.Helper()
	key, err := record.PublicKey(there.Keys())
	require.NoError(h.T, err)
	var b bytes.Buffer
	err = record.Handover(h.Ctx, h.Desk, table, key, time.Now(), &b)
	return b.Bytes(), err
}

// takes imports a file.
func (h *house) takes(file []byte) error {
	h.T.Helper()
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(h.T, err)
	_, err = record.Import(h.Ctx, h.Log(), h.Keys(), f, named)
	return err
}

// sound verifies the whole log.
func (h *house) sound() {
	h.T.Helper()
	_, err := record.VerifyLog(h.Ctx, h.Log(), h.Keys(), named, nil, func(string, int, int) {})
	require.NoError(h.T, err)
}

// concludes notes at home how a table ended at the other server.
func (h *house) concludes(there *house, table events.Name) {
	h.T.Helper()
	f, err := record.Read(bytes.NewReader(there.export(table, domain.Referee)))
	require.NoError(h.T, err)
	_, err = record.Conclude(h.Ctx, h.Desk, f, named)
	require.NoError(h.T, err)
	require.True(h.T, h.Sees(table).Table.Open())
}

func TestABranchOfAGameThatIsOverGoesOnAtAnotherServer(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	source := here.open(nil)
	here.play(source, 4)
	here.Rewinds(source, 3)
	branch := here.branchAt(source, 3)
	here.play(branch, 2)
	_, err := here.handsOver(there, branch)
	require.ErrorIs(t, err, record.ErrBranch, "the game that it goes on from still has secrets")
	require.ErrorContains(t, err, source.String())
	require.Equal(t, domain.TableStarted, here.Sees(branch).Table.Status, "it is not closed for nothing")

	require.True(t, here.play(source, 40))
	old := here.Sees(source)
	receipt := here.Receipt(source, old.LineName, old.LineHead)
	before := here.Sees(branch)
	file, err := here.handsOver(there, branch)
	require.NoError(t, err)
	r, err := verify(file, receipt)
	require.NoError(t, err)
	require.Positive(t, r.Moves, "the game that is over is judged in its own record")
	stranger := newHouse(t, 3)
	require.ErrorIs(t, stranger.takes(file), record.ErrHandover)
	for range 2 {
		require.NoError(t, there.takes(file))
	}
	after, parent := there.Sees(branch), there.Sees(source)
	require.Equal(t, before.LineHead, after.LineHead)
	require.Equal(t, before.Rulebook.View(before.Line.State, domain.Referee),
		after.Rulebook.View(after.Line.State, domain.Referee))
	require.Equal(t, old.LineHead, parent.LineHead)
	require.Equal(t, old.Table.Ranks, parent.Table.Ranks)
	require.True(t, parent.Table.Open())
	_, err = there.CheckReceipt(there.Ctx, parent, receipt)
	require.NoError(t, err, "receipts of the former server fit")
	closed := here.Sees(branch) // with the event that closed it there, which is not here
	_, err = there.CheckReceipt(there.Ctx, after, here.Receipt(branch, branch, closed.TableHead))
	require.ErrorIs(t, err, desk.ErrStayed)
	// at the finished game, where it came from
	here.Does(ana, source, desk.Say{Written: desk.Written{Text: []byte("well played")}})
	said := here.Receipt(source, source, here.Sees(source).TableHead)
	_, err = there.CheckReceipt(there.Ctx, there.Sees(source), said)
	require.ErrorIs(t, err, desk.ErrStayed)
	_, err = verify(there.export(source, domain.Referee), said)
	require.NoError(t, err)

	there.Does("new", branch, desk.Claim{Seat: 1, Was: bo})
	there.play(branch, 1)
	there.Rewinds(branch, 5)
	require.True(t, there.play(branch, 40))
	require.True(t, there.Sees(branch).Table.Open())
	for _, table := range []events.Name{source, branch} {
		r, err = verify(there.export(table, domain.Referee), receipts(here, table)...)
		require.NoError(t, err)
		require.True(t, r.Judged)
		require.Zero(t, r.Hidden)
	}
	here.concludes(there, branch)
	here.sound()
	there.sound()
}

// receipts returns a receipt that this server signed for a table before it left, if it is no longer here.
func receipts(h *house, table events.Name) []string {
	look := h.Sees(table)
	return []string{h.Receipt(table, look.LineName, look.LineHead)}
}

// A chain of branches, one of them from before the fork of what it branched from; a sibling comes later, and
// continues from what is there by then.
func TestBranchesOfBranchesComeOneAfterTheOther(t *testing.T) {
	here, there, third := newHouse(t, 1), newHouse(t, 2), newHouse(t, 3)
	root := here.open(nil)
	here.play(root, 3)
	middle := here.branchAt(root, 3)
	here.play(middle, 1)
	here.Rewinds(middle, 4)
	early := here.branchAt(middle, 2) // a version that the root wrote
	late := here.branchAt(middle, here.Sees(middle).LineHead.Version)
	here.play(late, 1)
	require.True(t, here.play(root, 40))
	_, err := here.handsOver(there, early)
	require.ErrorIs(t, err, record.ErrBranch, "the line that it names is of a table that runs")
	require.True(t, here.play(middle, 40))

	for n, branch := range []events.Name{late, early} {
		file, err := here.handsOver(there, branch)
		require.NoError(t, err)
		last, err := there.Log().Last(there.Ctx)
		require.NoError(t, err)
		require.NoError(t, there.takes(file))
		if recs, err := there.Log().Read(there.Ctx, last, 4096); n == 1 {
			require.NoError(t, err)
			for _, r := range recs {
				s, err := there.Log().Stream(there.Ctx, r.Stream)
				require.NoError(t, err)
				require.Equal(t, branch, s.Table, "what is there is not doubled")
			}
		}
		there.play(branch, 1)
	}
	require.True(t, there.play(late, 40))
	far := there.branchAt(late, there.Sees(late).LineHead.Version-1) // and on to a third
	file, err := there.handsOver(third, far)
	require.NoError(t, err)
	_, err = verify(file)
	require.NoError(t, err)
	require.NoError(t, third.takes(file))
	require.True(t, third.play(far, 40))
	for _, h := range []*house{here, there, third} {
		h.sound()
	}
	there.concludes(third, far)
}

// The parent itself was handed over, and ended there.
func TestABranchFollowsItsParent(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	source := here.open(nil)
	here.play(source, 3)
	branch := here.branchAt(source, 2)
	file, err := here.handsOver(there, source)
	require.NoError(t, err)
	require.NoError(t, there.takes(file))
	after := there.branchAt(source, there.Sees(source).LineHead.Version)
	_, err = here.handsOver(there, branch)
	require.ErrorIs(t, err, record.ErrBranch)
	require.True(t, there.play(source, 40))
	later := there.branchAt(source, there.Sees(source).LineHead.Version-1)
	require.ErrorIs(t, record.Returning(there.Ctx, there.Desk, later), record.ErrReturning)
	require.ErrorContains(t, record.Returning(there.Ctx, there.Desk, later), "can never take it")
	require.ErrorIs(t, record.Returning(there.Ctx, there.Desk, after), record.ErrReturning)
	require.ErrorContains(t, record.Returning(there.Ctx, there.Desk, after), "must know how it ended first")
	back, err := there.handsOver(here, later)
	require.NoError(t, err)
	require.NoError(t, record.Returning(there.Ctx, there.Desk, later), "it is closed, and may be written again")
	require.ErrorIs(t, here.takes(back), record.ErrElsewhere)
	require.ErrorContains(t, here.takes(back), "import its finished record first")
	here.concludes(there, source)
	require.ErrorContains(t, here.takes(back), "after that table had left this server")

	file, err = here.handsOver(there, branch)
	require.NoError(t, err)
	require.NoError(t, there.takes(file))
	require.True(t, there.play(branch, 40))
	back, err = there.handsOver(here, after)
	require.NoError(t, err)
	require.NoError(t, here.takes(back), "it forks from what both know")
	require.True(t, here.play(after, 40))
	here.sound()
	there.sound()

	third := newHouse(t, 3) // as known where it came from: up to where it left, and how it ended
	last := here.branchAt(source, 2)
	require.NoError(t, record.Returning(here.Ctx, here.Desk, last), "nothing of it ever came from elsewhere")
	file, err = here.handsOver(third, last)
	require.NoError(t, err)
	require.NoError(t, third.takes(file))
	require.True(t, third.play(last, 40))
	third.sound()
}

// People seated at a branch that has not begun keep their seats.
func TestABranchIsHandedOverBeforeItBegins(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	source := here.open(nil)
	require.True(t, here.play(source, 40))
	branch := here.OpensBy(ana, "tiny", here.BranchOf(source, 3, "game"), invited(ana), invited(bo))
	here.Joins(ana, branch, 0)
	file, err := here.handsOver(there, branch)
	require.NoError(t, err)
	require.NoError(t, there.takes(file))
	there.Joins(bo, branch, 1)
	there.Follows(branch)
	require.True(t, there.play(branch, 40))
	_, err = verify(there.export(branch, domain.Referee))
	require.NoError(t, err)
	there.sound()
}

func invited(id domain.PersonID) domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
}
