package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryIsGivenBackOnceNothingHappens(t *testing.T) {
	const mb = 1 << 20
	s := saver{}
	now := memoryUse{live: 10 * mb, asked: 40 * mb}
	require.False(t, s.gives(now), "it has just asked for much")
	for range quietSeconds - 1 {
		now.asked += mb / 10
		require.False(t, s.gives(now))
	}
	now.asked += mb / 10
	require.True(t, s.gives(now))
	for range 3 * quietSeconds {
		now.asked += mb / 100
		require.False(t, s.gives(now), "once")
	}
	now.asked += 10 * mb
	require.False(t, s.gives(now))
	for range quietSeconds - 1 {
		require.False(t, s.gives(now))
	}
	require.True(t, s.gives(now), "and again after much has happened")
}

func TestALargeHouseMayHaveMoreMemory(t *testing.T) {
	require.EqualValues(t, leastLimit, softLimit(0))
	require.EqualValues(t, leastLimit, softLimit(40<<20))
	require.EqualValues(t, 3<<29+beyondLive, softLimit(1<<30))
}

func TestMemoryIsMeasured(t *testing.T) {
	now := memoryNow()
	require.Positive(t, now.asked)
}
