package recent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAStoreKeepsWithinItsRoomWhatWasAskedForLast(t *testing.T) {
	l := New[int](100, func(n int) int { return n })
	l.Put(1, 40)
	l.Put(2, 40)
	_, ok := l.Get(1)
	require.True(t, ok)
	// when there is no room left, the least recently used goes
	l.Put(3, 40)
	_, ok = l.Get(2)
	require.False(t, ok)
	_, ok = l.Get(1)
	require.True(t, ok)
	require.Equal(t, 80, l.used)
	// a value that takes up all the room is kept, alone
	l.Put(5, 100)
	require.Equal(t, 100, l.used)
	require.Equal(t, 1, l.Len())
	l.Put(1, 40)
	l.Put(3, 40)
	// and one that never fits is not kept, nor counted twice if it is there already
	l.Put(4, 101)
	l.Put(1, 40)
	require.Equal(t, 80, l.used)
	_, ok = l.Get(4)
	require.False(t, ok)
}

func TestWhatIsKeptIsMadeOnce(t *testing.T) {
	s := New[string, *int](2, nil)
	made := func() *int { return new(int) }
	first := s.Keep("a", made)
	require.Same(t, first, s.Keep("a", made))
	s.Keep("b", made)
	require.Same(t, first, s.Keep("a", made))
	s.Keep("c", made)
	require.Equal(t, 2, s.Len())
	require.Same(t, first, s.Keep("a", made), "b was asked for before it")
	require.Equal(t, 2, len(s.items))
}

func TestWhatIsAskedForAgainAndAgainStays(t *testing.T) {
	s := New[int, int](4, nil)
	for i := range 100 {
		s.Put(i, i*i)
		_, _ = s.Get(0)
		require.LessOrEqual(t, s.Len(), 4)
	}
	v, ok := s.Get(99)
	require.True(t, ok)
	require.Equal(t, 99*99, v)
	_, ok = s.Get(50)
	require.False(t, ok)
	_, ok = s.Get(0)
	require.True(t, ok)
}

func TestATrimmedStoreKeepsWhatWasAskedForLast(t *testing.T) {
	s := New[int](100, func(n int) int { return n })
	for i := range 10 {
		s.Put(i, i)
	}
	s.Get(2)
	s.Trim(3)
	for k, kept := range map[int]bool{2: true, 9: true, 8: true, 7: false, 0: false} {
		_, ok := s.Get(k)
		require.Equal(t, kept, ok, k)
	}
	s.Trim(5)
	require.Equal(t, 3, s.Len())
	s.Put(50, 81) // 2, 8 and 9 take 19 of 100
	require.Equal(t, 4, s.Len())
}
