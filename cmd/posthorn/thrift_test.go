package main

import (
	"math/rand/v2"
	nethttp "net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
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

func TestAHouseThatIsLeftAloneLetsGoOfItsProgramEachMinute(t *testing.T) {
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
	require.EqualValues(t, leastLimit, softLimit(0))
	require.EqualValues(t, leastLimit, softLimit(40<<20))
	require.EqualValues(t, 3<<29+beyondLive, softLimit(1<<30))
}

func TestMemoryIsMeasured(t *testing.T) {
	now := memoryNow()
	require.Positive(t, now.asked)
}

func TestAHouseAtRestShowsAndPlaysWhatItDid(t *testing.T) {
	l := lives(t, livingSettings(t.TempDir()))
	desk, ana := l.seated(), l.guest("ana@example.org")
	var tables []events.Name
	for i := range 70 { // more than the desk keeps then
		who := domain.PersonID("p" + strconv.Itoa(i/5))
		tables = append(tables, desk.StartsBy(who, "carcassonne", nil, desktest.Player(who), desktest.Player("bo")))
	}
	l.caughtUp()
	page := func(table events.Name) string {
		code, body := l.get("/t/"+table.String(), ana, "en")
		require.Equal(t, nethttp.StatusOK, code)
		return body
	}
	require.Contains(t, page(tables[0]), tables[0].String())
	for range 2 {
		l.rest(l.ctx)
		for _, table := range []events.Name{tables[0], tables[69]} {
			require.Contains(t, page(table), table.String())
			desk.Random(table, rand.New(rand.NewPCG(1, 2)), 1)
		}
		l.caughtUp()
	}
	require.NotContains(t, l.log.String(), "memory is kept")
}
