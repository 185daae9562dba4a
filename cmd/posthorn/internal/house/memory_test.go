package house

import (
	"github.com/KimMachineGun/automemlimit/memlimit"
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

func TestAnIdleHouseLetsGoOfItsProgramEachMinute(t *testing.T) {
	s, now, told := saver{}, memoryUse{asked: 1 << 30}, 0
	s.gives(now)
	require.False(t, s.idles())
	for range 3*idleSeconds + 1 {
		now.asked += quietBytes / 2
		s.gives(now)
		if s.idles() {
			told++
		}
	}
	require.Equal(t, 3, told)
	now.asked += 2 * quietBytes
	s.gives(now)
	require.False(t, s.idles(), "something happens")
}

func TestALargeHouseMayHaveMoreMemory(t *testing.T) {
	require.EqualValues(t, leastLimit, softLimit(0, 0))
	require.EqualValues(t, leastLimit, softLimit(40<<20, 0))
	require.EqualValues(t, 3<<29+beyondLive, softLimit(1<<30, 0))
	for _, live := range []uint64{0, 40 << 20, 1 << 30} {
		require.EqualValues(t, 128<<20*cgroupShare/100, softLimit(live, 128<<20), "no more than a cgroup allows")
	}
	require.EqualValues(t, leastLimit, softLimit(0, 1<<30), "and no more than is needed")
	require.False(t, tight(30<<20, 128<<20))
	require.True(t, tight(50<<20, 128<<20))
	require.False(t, tight(1<<40, 0))
}

func TestMemoryIsMeasured(t *testing.T) {
	now := memoryNow()
	require.Positive(t, now.asked)
}

func TestTheMemoryLimitIsTheHostsOrTheCgroups(t *testing.T) {
	require.EqualValues(t, 128<<20, Settings{Memory: 128}.memoryLimit())
	of, err := memlimit.FromCgroup()
	if err != nil {
		of = 0
	}
	require.Equal(t, of, Settings{}.memoryLimit())
}
