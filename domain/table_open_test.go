package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// branched returns a branch of Ana's and Bo's that has started.
func branched(t *testing.T, kind string) *domain.Table {
	t.Helper()
	table := &domain.Table{}
	table.Apply(&domain.Opened{Opener: ana, Places: []domain.TablePlace{player(ana), player(bo)}, Seed: seed,
		Branch: &domain.Branch{Table: "T", Line: "L", Version: 3, Kind: kind}})
	table.Apply(&domain.Joined{Seat: 0, Contribution: domain.Contribution{Person: ana, Bytes: chance}})
	table.Apply(&domain.Joined{Seat: 1, Contribution: domain.Contribution{Person: bo, Bytes: chance}})
	table.Apply(&domain.Started{Line: "L0"})
	return table
}

func refused(t *testing.T, code string, err error) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, r.Code)
}

func TestABranchEndsSealedWhileAnAncestorRuns(t *testing.T) {
	table := branched(t, "game")
	table.Waits = true
	e, err := table.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{Ended: true, Ranks: []int{2, 1}})
	require.NoError(t, err)
	require.Equal(t, &domain.EndedSealed{Reason: domain.EndFinished, Line: "L0", Version: 8, Ranks: []int{2, 1}}, e)
	table.Apply(e)
	require.True(t, table.Sealed() && table.IsOver() && !table.Open())
	require.Equal(t, table.Version, table.Over, "its people are told of the end")
	told := table.Over
	require.Equal(t, domain.Spectator, table.ViewerOf(cid, 0))
	require.Equal(t, domain.ViewOf(1), table.ViewerOf(bo, 0))
	_, err = table.Unseal()
	refused(t, "not-ended", err)

	table.Waits = false
	require.False(t, table.Open(), "it opens by an event")
	e, err = table.Unseal()
	require.NoError(t, err)
	require.Equal(t, &domain.Unsealed{Seed: seed}, e)
	table.Apply(e)
	require.True(t, table.Open())
	require.Equal(t, domain.Referee, table.ViewerOf(cid, 0))
	require.Equal(t, told, table.Over, "and are not told again")
	_, err = table.Unseal()
	refused(t, "not-ended", err)
}

func TestARunningTableIsNotUnsealed(t *testing.T) {
	_, err := branched(t, "game").Unseal()
	refused(t, "not-ended", err)
}

func TestTheEndOfAHandedOverTableIsNotedOnce(t *testing.T) {
	table := branched(t, "game")
	_, err := table.Conclude(domain.Ended{Seed: seed})
	refused(t, "not-handed-over", err)
	table.Apply(&domain.HandedOver{To: "there"})
	require.False(t, table.IsOver(), "it goes on elsewhere")
	require.False(t, table.Sealed(), "nothing here opens it")
	_, err = table.Unseal()
	refused(t, "not-ended", err)
	e, err := table.Conclude(domain.Ended{Reason: domain.EndFinished, Line: "L0", Version: 12, Ranks: []int{1, 2},
		Seed: seed})
	require.NoError(t, err)
	table.Apply(e)
	require.True(t, table.IsOver() && table.Open())
	require.Equal(t, domain.EndHanded, table.End)
	require.Equal(t, []int{1, 2}, table.Ranks)
	_, err = table.Conclude(domain.Ended{Seed: seed})
	refused(t, "table-ended", err)
}

func TestAPrivateTableIsSeenByItsPeople(t *testing.T) {
	table := branched(t, domain.BranchStudy)
	require.True(t, table.SeenBy(cid) && table.SeenBy(""), "what is not private everybody may see")
	table.Private = true
	require.True(t, table.SeenBy(ana) && table.SeenBy(bo))
	require.False(t, table.SeenBy(cid) || table.SeenBy(""))
}
