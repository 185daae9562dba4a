package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
)

// Given texts of two people, then a text's digest is the same each time, but another for another text or another
// person, so that it says nothing without the person's key; and once they are forgotten nobody can make it again.
func TestADigestOfATextIsItsWritersOwn(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	first, err := h.Write(ctx, ana.ID, "at noon?")
	require.NoError(t, err)
	again, err := h.Write(ctx, ana.ID, "at noon?")
	require.NoError(t, err)
	require.Equal(t, first.Mark, again.Mark)
	require.NotEqual(t, first.Text, again.Text)
	other, err := h.Write(ctx, ana.ID, "at one?")
	require.NoError(t, err)
	theirs, err := h.Write(ctx, bo.ID, "at noon?")
	require.NoError(t, err)
	require.NotEqual(t, first.Mark, other.Mark)
	require.NotEqual(t, first.Mark, theirs.Mark)
	text, err := h.Decrypt(ctx, ana.ID, first.Text)
	require.NoError(t, err)
	require.Equal(t, "at noon?", string(text))
	require.NoError(t, h.Forget(ctx, ana.ID))
	_, err = h.Write(ctx, ana.ID, "at noon?")
	require.ErrorIs(t, err, people.ErrNobody)
}
