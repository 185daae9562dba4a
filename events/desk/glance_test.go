package desk_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestWhoGlancesIsShownOneCopyUntilSomethingHappens(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	first, err := d.Glance(d.ctx, table)
	require.NoError(t, err)
	second, err := d.Glance(d.ctx, table)
	require.NoError(t, err)
	require.Same(t, first.Line, second.Line)
	require.Same(t, first.Table, second.Table)
	require.Equal(t, first, d.look(table))
	require.NotSame(t, first.Line, d.look(table).Line, "whoever looks may change what they see")

	d.play(table, ana, 0, "keep")
	require.EqualValues(t, 1, first.Line.Version, "what was shown stays as it was")
	played, err := d.Glance(d.ctx, table)
	require.NoError(t, err)
	require.Equal(t, d.look(table), played)
	require.EqualValues(t, 2, played.Line.Version)

	_, err = d.Do(d.ctx, by(bo), table, events.NewCommandID(), desk.ProposeEnd{})
	require.NoError(t, err)
	require.Nil(t, played.Table.Proposal)
	proposed, err := d.Glance(d.ctx, table)
	require.NoError(t, err)
	require.NotNil(t, proposed.Table.Proposal)
	require.Equal(t, d.look(table), proposed)
}

// The desk lends its line to glances, and continues with another one.
func TestWhatWasGlancedAtStaysAsItWasWhateverIsPlayed(t *testing.T) {
	untimed := desktest.New(t)
	clocked := newTimed(t)
	for what, c := range map[string]struct {
		house *desktest.House
		table events.Name
	}{
		"carcassonne": {untimed, untimed.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))},
		"catan":       {untimed, untimed.Starts("catan", nil, desktest.Player(ana), desktest.Player(bo))},
		"rivals":      {untimed, untimed.Starts("rivals", nil, desktest.Player(ana), desktest.Player(bo))},
		"with a deadline": {clocked.House,
			clocked.starts("weekly", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))},
		"gone back in tiny": {untimed, untimed.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))},
	} {
		t.Run(what, func(t *testing.T) {
			h, rnd := c.house, rand.New(rand.NewPCG(4, 4))
			var shown, copied []desk.Look
			glances := func() {
				l, err := h.Glance(h.Ctx, c.table)
				require.NoError(t, err)
				shown, copied = append(shown, l), append(copied, h.Sees(c.table))
			}
			glances()
			for range 24 {
				if h.Random(c.table, rnd, 1) {
					break
				}
				glances()
			}
			if what == "gone back in tiny" && h.Sees(c.table).Table.Status == domain.TableStarted {
				h.Rewinds(c.table, 2)
				h.Follows(c.table)
				glances()
			}
			require.Greater(t, len(shown), 2)
			for i := range shown {
				// a full diff would be long
				require.True(t, reflect.DeepEqual(copied[i], shown[i]), "at version %d", copied[i].LineHead.Version)
			}
		})
	}
}

func TestAPeekShowsATableAsItStands(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	var open []domain.Open
	require.NoError(t, d.Peek(d.ctx, table, func(l desk.Look) error {
		open = l.Line.Awaited()
		return nil
	}))
	require.Equal(t, d.look(table).Line.Awaited(), open)
	require.ErrorIs(t, d.Peek(d.ctx, events.NewName(), func(desk.Look) error { return nil }), events.ErrNoStream)
}

// A repeated command may name what is open by now, as when a page is sent twice: it was done all the same.
func TestARepeatedCommandIsKnownByAnyDecisionItNames(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	m := d.move(table, 0, "keep")
	first, err := d.Play(d.ctx, by(ana), m)
	require.NoError(t, err)
	for _, o := range append(d.look(table).Line.Awaited(), domain.Open{Decision: domain.Decision{Seat: 0}, Since: 2}) {
		m.Decision = o
		again, err := d.Play(d.ctx, by(ana), m)
		require.NoError(t, err)
		require.True(t, again.Again)
		require.Equal(t, first.Receipt, again.Receipt)
	}
	require.EqualValues(t, 2, d.look(table).Line.Version)
}
