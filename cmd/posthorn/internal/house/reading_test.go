package house

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that only reads has no health of its own, and its parts run and end as anywhere.
func TestAPartOfAReaderRunsAndEnds(t *testing.T) {
	h := &House{}
	require.NoError(t, h.Persists(t.Context(), "lists", func(context.Context) error { return nil }))
	require.False(t, h.Health.Stopped())
	require.Empty(t, h.Health.Faults())
	require.Zero(t, h.Health.Older())
}
