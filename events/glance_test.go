package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
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

	_, err = d.Do(d.ctx, by(bo), table, events.NewCommandID(), events.ProposeEnd{})
	require.NoError(t, err)
	require.Nil(t, played.Table.Proposal)
	proposed, err := d.Glance(d.ctx, table)
	require.NoError(t, err)
	require.NotNil(t, proposed.Table.Proposal)
	require.Equal(t, d.look(table), proposed)
}

func TestAPeekShowsATableAsItStands(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	var open []domain.Open
	require.NoError(t, d.Peek(d.ctx, table, func(l events.Look) error {
		open = l.Line.Awaited()
		return nil
	}))
	require.Equal(t, d.look(table).Line.Awaited(), open)
	require.ErrorIs(t, d.Peek(d.ctx, events.NewName(), func(events.Look) error { return nil }), events.ErrNoStream)
}

// A command that comes again may name what is open by now, as when a page is sent twice: it was done all the same.
func TestARepeatedCommandIsKnownWhateverDecisionItNames(t *testing.T) {
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
