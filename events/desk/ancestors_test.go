package desk_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// The people of these tests, from desktest's house.
const maker, rival, third = desktest.Ana, desktest.Bo, desktest.Cid

// ends makes the people of a table agree to stop.
func ends(h *desktest.House, table events.Name) {
	h.T.Helper()
	h.Ends(table)
	h.Follows(table)
	require.Equal(h.T, domain.TableEnded, h.Sees(table).Table.Status)
}

// study branches a study of one person from the last move of a table.
func study(h *desktest.House, of events.Name, who domain.PersonID) events.Name {
	h.T.Helper()
	s := h.Starts("tiny", h.BranchOf(of, h.Sees(of).Line.Version, "study"), desktest.Player(who), desktest.Player(who))
	require.NotNil(h.T, h.Sees(s).Line)
	return s
}

// types lists the types of events in a stream.
func types(h *desktest.House, stream events.Name) (out []string) {
	h.T.Helper()
	recs, err := h.Log().Load(h.Ctx, stream, 0, 0)
	require.NoError(h.T, err)
	for _, r := range recs {
		out = append(out, r.Type)
	}
	return out
}

// sealedFrom checks that nobody can learn more of a table than their seat allows, in any way.
func sealedFrom(h *desktest.House, table events.Name) {
	h.T.Helper()
	look := h.Sees(table)
	require.False(h.T, look.Table.Open())
	for _, who := range []domain.PersonID{"", maker, rival, third} {
		require.NotEqual(h.T, domain.Referee, look.Table.ViewerOf(who, domain.Nobody), "to %q it is sealed", who)
	}
	entries, err := h.History(h.Ctx, look, look.LineName, look.Table.ViewerOf("", domain.Nobody), 0, 0)
	require.NoError(h.T, err)
	for _, e := range entries {
		if !look.Table.Waits && e.Record.Stream != look.LineName {
			continue // the game's own, which has ended
		}
		for _, part := range e.Event.Secrets {
			require.Nil(h.T, part.Body, "version %d", e.Record.Version)
		}
	}
	seed, _ := look.Table.Seed.MarshalText()
	recs, err := h.Log().Load(h.Ctx, table, 0, 0)
	require.NoError(h.T, err)
	for _, r := range recs {
		require.NotContains(h.T, string(r.Data), string(seed), "%s tells the seed", r.Type)
	}
}

func TestABranchOpensOnceTheGameItKnowsOfHasEnded(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, maker)
	ends(h, branch)
	sealedFrom(h, branch)
	require.Equal(t, domain.ViewOf(0), h.Sees(branch).Table.ViewerOf(maker, 0), "its maker sees on by their seat")
	require.Contains(t, types(h, branch), "table.ended.v4")
	h.Follows(branch)
	require.NotContains(t, types(h, branch), "table.unsealed.v1", "the game still runs")

	ends(h, table)
	require.True(t, h.Sees(table).Table.Open())
	require.Equal(t, []events.Name{branch}, h.Waiting(table), "the runner is told who waits")
	require.Empty(t, h.Waiting(table), "once")
	sealedFrom(h, branch) // until the runner comes
	h.Follows(branch)
	h.Follows(branch)
	look := h.Sees(branch)
	require.Equal(t, domain.Referee, look.Table.ViewerOf("", domain.Nobody))
	require.Equal(t, "table.unsealed.v1", types(h, branch)[look.TableHead.Version-1])
	require.Len(t, types(h, branch), int(look.TableHead.Version), "it is opened once")
	require.Equal(t, domain.EndAgreed, look.Table.End)
}

func TestABranchOfAnEndedGameOpensWithItsEnd(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, maker)
	ends(h, table)
	ends(h, branch)
	require.True(t, h.Sees(branch).Table.Open())
	require.Contains(t, types(h, branch), "table.ended.v3")
}

func TestAStudyOfAStudyWaitsForTheFirstGame(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	first := study(h, table, maker)
	h.Plays(first, 0, "keep")
	second := study(h, first, maker)
	ends(h, second)
	ends(h, first)
	sealedFrom(h, second)
	sealedFrom(h, first)
	h.Follows(second)
	sealedFrom(h, second)
	ends(h, table)
	require.ElementsMatch(t, []events.Name{first, second}, h.Waiting(table))
	h.Follows(second) // whichever comes first
	require.True(t, h.Sees(second).Table.Open())
	h.Follows(first)
	require.True(t, h.Sees(first).Table.Open())
}

func TestABranchFromABranchsPastNeedsOnlyTheFirstGame(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	first := study(h, table, maker)
	second := h.Starts("tiny", &domain.Branch{Table: first.String(), Line: h.Sees(first).LineName.String(), Version: 1,
		Kind: "game"},
		desktest.Player(third), desktest.Player(rival))
	ends(h, table)
	ends(h, second)
	require.True(t, h.Sees(second).Table.Open(), "the study runs, but nothing of it is in here")
	require.False(t, h.Sees(second).Table.Private)
}

func TestAHandedOverGameKeepsItsBranchesSealed(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, maker)
	_, err := h.Do(h.Ctx, events.Actor{Door: "host"}, table, events.NewCommandID(), desk.HandOver{To: "there"})
	require.NoError(t, err)
	ends(h, branch)
	sealedFrom(h, branch)
	_, err = h.Do(h.Ctx, events.Actor{Door: "host"}, table, events.NewCommandID(),
		desk.Conclude{End: domain.Ended{Reason: domain.EndFinished, Seed: h.Sees(table).Table.Seed}})
	require.NoError(t, err)
	require.Equal(t, []events.Name{branch}, h.Waiting(table))
	h.Follows(branch)
	require.True(t, h.Sees(branch).Table.Open())
}

func TestABranchEndedInPlainIsSealedUntilTheGameEnds(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, maker)
	// As branches once ended: with the seed in plain.
	_, err := h.Do(h.Ctx, events.House, branch, events.NewCommandID(),
		desktest.Writes{TableEvent: &domain.Ended{Reason: domain.EndAgreed, Seed: h.Sees(branch).Table.Seed}})
	require.NoError(t, err)
	require.Equal(t, domain.Spectator, h.Sees(branch).Table.ViewerOf("", domain.Nobody))
	ends(h, table)
	require.Equal(t, domain.Referee, h.Sees(branch).Table.ViewerOf("", domain.Nobody), "without anything being written")
}

func TestOrdersOfASealedBranchAreItsSeatsAlone(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, maker)
	_, err := h.SetOrders(h.Ctx, desktest.By(maker), branch, 0, events.NewCommandID(), 0, []string{"order keep 1"}, nil)
	require.NoError(t, err)
	h.Follows(branch)
	ends(h, branch)
	used := func(v domain.Viewer) map[uint64]string {
		look := h.Sees(branch)
		out, err := h.OrdersUsed(h.Ctx, look, look.LineName, v)
		require.NoError(t, err)
		return out
	}
	require.Empty(t, used(h.Sees(branch).Table.ViewerOf(rival, domain.Nobody)))
	require.Len(t, used(h.Sees(branch).Table.ViewerOf(maker, 0)), 1)
	ends(h, table)
	h.Follows(branch)
	require.Len(t, used(h.Sees(branch).Table.ViewerOf(rival, domain.Nobody)), 1)
}

func TestAStudyIsSeenByItsPeopleAlone(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival))
	branch := study(h, table, third)
	seen := func(table events.Name, who domain.PersonID) bool {
		ok, err := h.SeenBy(h.Ctx, table, who)
		require.NoError(t, err)
		return ok
	}
	require.True(t, seen(branch, third) && seen(branch, maker), "who plays it, and who opened it")
	require.False(t, seen(branch, rival) || seen(branch, ""))
	require.True(t, seen(table, ""), "a game is seen by everybody")

	from := &domain.Branch{Table: branch.String(), Line: h.Sees(branch).LineName.String(),
		Version: h.Sees(branch).Line.Version, Kind: "game"}
	_, err := h.Desk.Open(h.Ctx, desktest.By(rival), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "weekly", Branch: from,
			Places: []domain.TablePlace{desktest.Player(rival), desktest.StandIn()}})
	r, ok := domain.AsRefusal(err)
	require.True(t, ok && r.Code == "no-line", "nobody branches what they may not see: %v", err)

	further := h.Starts("tiny", from, desktest.Player(maker), desktest.Player(third))
	require.False(t, seen(further, rival), "what goes on from a study shows it")
	require.True(t, seen(further, third))

	open := h.Opens("tiny", h.BranchOf(table, 1, "study"), desktest.Player(maker), desktest.Free())
	require.True(t, seen(open, rival), "whoever has the link may take the open seat")
	h.Joins(third, open, 1)
	require.False(t, seen(open, rival))
	ends(h, table)
	ends(h, branch)
	require.False(t, seen(branch, rival), "also when nothing in it is secret any more")
}

// Only a study is dealt by what its maker knew, because only a study is hidden from the others.
func TestAGameOfOneDealsAfreshWhatIsNotPublic(t *testing.T) {
	hands := func(kind string) (kept int) {
		for seed := range uint64(8) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(maker), desktest.Player(rival), desktest.Player(third))
			h.Random(table, rand.New(rand.NewPCG(seed, 1)), int(seed%3))
			b := h.BranchOf(table, h.Sees(table).Line.Version, kind)
			branch := h.Starts("tiny", b, desktest.Player(maker), desktest.StandIn(), desktest.StandIn())
			if held(h.Sees(table), 0) == held(h.Sees(branch), 0) {
				kept++
			}
		}
		return kept
	}
	require.Equal(t, 8, hands("study"), "in a study Ana has what she had")
	require.Less(t, hands("game"), 8)
}

// held returns the card in a seat's hand.
func held(look desk.Look, seat domain.Seat) int {
	return look.Rulebook.View(look.Line.State, domain.Referee).(*tiny.View).Hands[seat]
}
