package views_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/views"
)

const ana, bo, cid = desktest.Ana, desktest.Bo, desktest.Cid

// house is a desk with views that follow it.
type house struct {
	*desktest.House
	views *views.Views
	dir   string
	stop  func()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{House: desktest.New(t), dir: t.TempDir()}
	h.reopen()
	return h
}

// reopen opens the views, as after a restart.
func (h *house) reopen() {
	h.T.Helper()
	v, err := views.Open(h.Ctx, h.dir, h.Desk)
	require.NoError(h.T, err)
	h.views = v
	h.stop = func() { require.NoError(h.T, v.Close()) }
	h.T.Cleanup(func() { h.stop() })
}

// follows runs the views until they are closed.
func (h *house) follows() {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.Ctx)
	done := make(chan error, 1)
	v := h.views
	go func() { done <- v.Run(ctx, events.FollowLog(h.Log())) }()
	h.stop = func() {
		h.stop = func() {}
		cancel()
		require.ErrorIs(h.T, <-done, context.Canceled)
		require.NoError(h.T, v.Close())
	}
}

// caughtUp waits until the views hold everything in the log.
func (h *house) caughtUp() {
	h.T.Helper()
	last, err := h.Log().Last(h.Ctx)
	require.NoError(h.T, err)
	ctx, cancel := context.WithTimeout(h.Ctx, time.Minute)
	defer cancel()
	require.NoError(h.T, h.views.Await(ctx, last))
}

func (h *house) inbox(id domain.PersonID) []views.Item {
	h.T.Helper()
	items, err := h.views.Inbox(h.Ctx, id)
	require.NoError(h.T, err)
	return items
}

func must(items []views.Item, err error) []views.Item {
	if err != nil {
		panic(err)
	}
	return items
}

func tables(items []views.Item) (out []events.Name) {
	for _, it := range items {
		out = append(out, it.Table)
	}
	return out
}

func kinds(it views.Item) (out []string) {
	for _, a := range it.Awaited {
		out = append(out, a.Kind)
	}
	return out
}

func TestAnInvitationAwaitsAnAnswer(t *testing.T) {
	h := newHouse(t)
	h.follows()
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.caughtUp()
	box := h.inbox(bo)
	require.Len(t, box, 1)
	require.Equal(t, []string{string(desk.AskInvitation)}, kinds(box[0]))
	require.Equal(t, domain.Seat(1), box[0].Awaited[0].Seat)
	require.Equal(t, []string{"invited"}, box[0].Roles)
	require.Equal(t, []string{"invited", "opened"}, h.inbox(ana)[0].Roles)
	h.Joins(bo, table, 1)
	h.caughtUp()
	require.Empty(t, h.inbox(bo)[0].Awaited)
	require.Equal(t, []string{"plays"}, h.inbox(bo)[0].Roles)
	h.Does(bo, table, desk.Decline{Seat: 1, Person: bo})
	h.caughtUp()
	require.Empty(t, h.inbox(bo), "whoever gave their seat up is rid of the table")
	require.Empty(t, h.inbox(""), "nobody has no inbox")
}

func TestTheInboxBeginsWithTheLongestWait(t *testing.T) {
	h := newHouse(t)
	h.follows()
	start := func() events.Name {
		return h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	}
	first, second, third, fourth := start(), start(), start(), start()
	h.Plays(third, 0, "keep") // nothing there is waiting for Ana
	h.Plays(first, 0, "keep") // nor here, where the last move was later
	h.Plays(second, 1, "keep")
	h.caughtUp()
	require.Equal(t, []events.Name{second, fourth, first, third}, tables(h.inbox(ana)),
		"what awaits her, the longest wait on top; then the others, the latest move on top")
	h.Plays(first, 1, "keep") // now one of them must roll
	h.caughtUp()
	roller := h.Sees(first).Table.Places[h.Sees(first).Line.Awaited()[0].Seat].Holders[0]
	box := h.inbox(roller)
	i := slices.Index(tables(box), first)
	require.Equal(t, []string{"roll"}, kinds(box[i]))
	require.EqualValues(t, 3, box[i].Version)
}

func TestOfSeveralSeatsEachDecisionIsListed(t *testing.T) {
	h := newHouse(t)
	h.follows()
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Team(bo, cid), desktest.Player(ana))
	h.caughtUp()
	require.Equal(t, []string{"choose", "choose"}, kinds(h.inbox(ana)[0]))
	for _, member := range []domain.PersonID{bo, cid} {
		require.Equal(t, []string{"choose"}, kinds(h.inbox(member)[0]))
	}
	h.Plays(table, 1, "keep")
	h.Resigns(ana, table, 2)
	h.caughtUp()
	require.Equal(t, []string{"choose"}, kinds(h.inbox(ana)[0]))
	require.Equal(t, []string{"opened", "plays", "resigned"}, h.inbox(ana)[0].Roles)
	require.Empty(t, h.inbox(cid)[0].Awaited, "one answer is the team's")
}

func TestAProposalAwaitsConsentOfThoseWhoHaveNotAgreed(t *testing.T) {
	h := newHouse(t)
	h.follows()
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Plays(table, 1, "keep")
	h.Proposes(ana, table, 1)
	h.caughtUp()
	require.Equal(t, []string{"choose"}, kinds(h.inbox(ana)[0]))
	require.Equal(t, []string{string(desk.AskConsent)}, kinds(h.inbox(bo)[0]))
	require.ElementsMatch(t, []string{"choose", string(desk.AskConsent)}, kinds(h.inbox(cid)[0]))
	h.Agrees(bo, table)
	h.caughtUp()
	require.Empty(t, kinds(h.inbox(bo)[0]))
	h.Agrees(cid, table)
	h.Follows(table)
	h.caughtUp()
	require.Equal(t, []string{"choose"}, kinds(h.inbox(bo)[0]), "the game went back to before the move")
}

func TestTheLobbyShowsSeatsThatAnybodyMayTake(t *testing.T) {
	h := newHouse(t)
	h.follows()
	h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Opens("tiny", nil, desktest.Player(ana), desktest.Free())
	older := h.Lists("tiny", nil, desktest.Player(ana), desktest.Free(), desktest.Free())
	newer := h.Lists("tiny", nil, desktest.Player(ana), desktest.Free())
	lobby := func(n int) []views.Item {
		h.caughtUp()
		items, err := h.views.Lobby(h.Ctx, n)
		require.NoError(t, err)
		return items
	}
	played := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	study := h.Lists("tiny", h.BranchOf(played, 1, "study"), desktest.Player(ana), desktest.Free())
	require.Equal(t, []events.Name{newer, older}, tables(lobby(9)),
		"an open seat of a study, and of a table that is not listed, is for whoever has its link")
	require.Equal(t, study, must(h.views.Branches(h.Ctx, played, ana))[0].Table)
	require.Equal(t, []events.Name{newer}, tables(lobby(1)))
	require.Equal(t, 2, lobby(9)[1].Open)
	h.Joins(bo, newer, 1)
	h.Does(ana, older, desk.Abandon{})
	require.Empty(t, lobby(9))
}

func TestOnlyATableItsOpenerListsIsShownToStrangers(t *testing.T) {
	h := newHouse(t)
	h.follows()
	watched := func(n int) []events.Name {
		h.caughtUp()
		items, err := h.views.Watched(h.Ctx, n)
		require.NoError(t, err)
		return tables(items)
	}
	private := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	first := h.Lists("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Empty(t, watched(9), "nobody plays there yet")
	for _, table := range []events.Name{
		first, h.Lists("tiny", h.BranchOf(private, 1, "study"), desktest.Player(ana), desktest.Player(bo))} {
		h.Joins(ana, table, 0)
		h.Joins(bo, table, 1)
		h.Follows(table)
	}
	require.Equal(t, []events.Name{first}, watched(9), "a study is for its people alone, whatever it says")
}

func TestBranchesAndRunningTablesAreFound(t *testing.T) {
	h := newHouse(t)
	h.follows()
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	branch := h.Starts("tiny", h.BranchOf(table, 1, "study"), desktest.Player(cid), desktest.Player(cid))
	waiting := h.Opens("tiny", nil, desktest.Player(ana), desktest.Free())
	h.caughtUp()
	items, err := h.views.Branches(h.Ctx, table, cid)
	require.NoError(t, err)
	require.Equal(t, []events.Name{branch}, tables(items))
	require.Equal(t, table.String(), items[0].Branch)
	require.Equal(t, h.Sees(branch).Table.Branch, items[0].Fork)
	require.NoError(t, h.views.Forget(h.Ctx))
	require.Nil(t, must(h.views.Branches(h.Ctx, table, cid))[0].Fork, "a row from before says nothing of it")
	live := func() []events.Name {
		h.caughtUp()
		names, at, err := h.views.Live(h.Ctx)
		require.NoError(t, err)
		last, err := h.Log().Last(h.Ctx)
		require.NoError(t, err)
		require.Equal(t, last, at)
		return names
	}
	require.ElementsMatch(t, []events.Name{table, branch, waiting}, live())
	require.True(t, h.Random(branch, rand.New(rand.NewPCG(1, 1)), 40))
	require.ElementsMatch(t, []events.Name{table, branch, waiting}, live(),
		"it ended sealed: it is to be opened when the other has ended")
	require.Empty(t, tables(must(h.views.Branches(h.Ctx, table, bo))), "somebody else's study is not listed")
	require.Empty(t, tables(must(h.views.Branches(h.Ctx, table, ""))))
	require.Equal(t, []events.Name{branch}, tables(must(h.views.Branches(h.Ctx, table, ana))),
		"who opened it is one of its people")
	require.True(t, h.Random(table, rand.New(rand.NewPCG(1, 1)), 40))
	h.Follows(branch)
	require.ElementsMatch(t, []events.Name{waiting}, live())
	require.Empty(t, h.inbox(cid)[0].Awaited, "an ended game awaits nobody")
	require.Equal(t, domain.EndFinished, h.inbox(cid)[0].End)
}

func TestOneReadsOnesOwnWrite(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithCancel(h.Ctx)
	cancel()
	require.ErrorIs(t, h.views.Await(ctx, 1), context.Canceled, "nothing has come yet")
	require.NoError(t, h.views.Await(ctx, 0))
	h.follows()
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	for range 20 {
		ans := h.Does(bo, table, desk.Say{Written: desk.Written{Text: []byte("x")}})
		require.NoError(t, h.views.Await(h.Ctx, ans.Record.Pos))
		require.GreaterOrEqual(t, h.views.Position(), ans.Record.Pos)
	}
}

// A list names no table that its reader may not open.
func TestAListHasOnlyWhatItsReaderMayOpen(t *testing.T) {
	h := newHouse(t)
	h.follows()
	listed := func(who domain.PersonID) []events.Name {
		h.caughtUp()
		return tables(h.inbox(who))
	}
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	for _, branch := range []*domain.Branch{nil, h.BranchOf(table, 1, "study")} {
		ends := h.StartsBy(ana, "tiny", branch, desktest.Player(ana), desktest.Player(ana))
		h.Does(ana, ends, desk.OfferSeat{Seat: 0, Person: cid})
		require.Contains(t, listed(cid), ends, "while Cid may take the seat")
		require.True(t, h.Random(ends, rand.New(rand.NewPCG(1, 1)), 40))
		h.Follows(ends)
		require.NotContains(t, listed(cid), ends, "an offer ends with the game")
		require.Contains(t, listed(ana), ends)
	}
	require.True(t, h.Random(table, rand.New(rand.NewPCG(1, 1)), 40))
	study := h.StartsBy(ana, "tiny", h.BranchOf(table, 1, "study"), desktest.Player(ana), desktest.Player(bo))
	h.Resigns(bo, study, 1)
	h.Follows(study)
	for _, who := range []domain.PersonID{ana, bo, cid} {
		require.Equal(t, h.Sees(study).Table.SeenBy(who), slices.Contains(listed(who), study), who)
	}
}
