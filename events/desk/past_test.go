package desk_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// TestAPositionIsTheSameHoweverItIsComeTo looks at versions in random order, each twice, and compares them with a
// fold from the beginning: state, what is awaited, and the luck that comes next.
func TestAPositionIsTheSameHoweverItIsComeTo(t *testing.T) {
	for _, game := range []string{"catan", "rivals"} {
		log := memory.New()
		h := desktest.Over(t, log, desktest.Clock())
		table := h.Starts(game, nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
		rnd := rand.New(rand.NewPCG(7, 7))
		h.Random(table, rnd, 120)
		h.Does(desktest.Ana, table, desk.ProposeRewind{To: 70, Fresh: true})
		h.Does(desktest.Bo, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
		h.Follows(table)
		h.Random(table, rnd, 40)
		look := h.Sees(table)
		require.Len(t, look.Table.Lines, 2)
		var versions []uint64
		for range 2 {
			for v := range look.LineHead.Version {
				versions = append(versions, v+1)
			}
		}
		rnd.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
		shown := map[uint64]string{}
		fresh := &desktest.House{Desk: desk.NewDesk(log, desktest.Keys(t), desktest.Named, desktest.Clock()), T: t,
			Ctx: h.Ctx}
		require.NoError(t, fresh.Walk(h.Ctx, look, look.LineName, func(line *domain.Line, _ *events.Record) error {
			shown[line.Version] = stands(t, line)
			return nil
		}))
		for _, v := range versions {
			line, err := h.LineAt(h.Ctx, look, look.LineName, v)
			require.NoError(t, err)
			require.Equal(t, v, line.Version)
			require.Equal(t, shown[v], stands(t, line), "%s: version %d", game, v)
			line.Skip() // the caller may do anything with it
		}
		for i, l := range look.Table.Lines {
			name, head, err := h.LineHead(h.Ctx, l)
			require.NoError(t, err)
			require.Equal(t, l.Name, name.String())
			again, err := log.Head(h.Ctx, name)
			require.NoError(t, err)
			require.Equal(t, again, head, "line %d", i)
		}
	}
}

// stands describes a line in words; drawing from its luck changes only a copy.
func stands(t *testing.T, line *domain.Line) string {
	t.Helper()
	view, err := json.Marshal(line.Rulebook.View(line.State, domain.Referee))
	require.NoError(t, err)
	rest, err := json.Marshal([]any{line.Awaited(), line.Clone().Luck.Begin().Draw("anything", 1<<30),
		line.Luck.Begin().Draw("dice", 1<<30)})
	require.NoError(t, err)
	return string(view) + string(rest)
}
