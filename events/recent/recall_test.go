package recent

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARecallReadsOnceUntilItIsToldOfAChange(t *testing.T) {
	r, reads := NewRecall[string, int](10), 0
	read := func() (int, error) { reads++; return reads, nil }
	for range 3 {
		v, err := r.Of("a", read)
		require.NoError(t, err)
		require.Equal(t, 1, v)
	}
	r.Changed(map[string]int{"b": 7})
	v, err := r.Of("a", read)
	require.NoError(t, err)
	require.Equal(t, 1, v, "only b has changed")
	v, err = r.Of("b", read)
	require.NoError(t, err)
	require.Equal(t, 7, v)
	r.Forget()
	v, err = r.Of("b", read)
	require.NoError(t, err)
	require.Equal(t, 2, v)
}

func TestWhatWasReadBeforeAChangeAndComesLateIsNotKept(t *testing.T) {
	for name, change := range map[string]func(*Recall[string, int]){
		"told what it is":           func(r *Recall[string, int]) { r.Changed(map[string]int{"a": 2}) },
		"told of another":           func(r *Recall[string, int]) { r.Changed(map[string]int{"b": 2}) },
		"told that anything may be": func(r *Recall[string, int]) { r.Forget() },
	} {
		r := NewRecall[string, int](10)
		v, err := r.Of("a", func() (int, error) {
			change(r) // while it is being read
			return 1, nil
		})
		require.NoError(t, err)
		require.Equal(t, 1, v, "%s: it was so when it was asked", name)
		v, err = r.Of("a", func() (int, error) { return 2, nil })
		require.NoError(t, err)
		require.Equal(t, 2, v, name)
	}
}

func TestWhatCannotBeReadIsNotRemembered(t *testing.T) {
	r, gone := NewRecall[string, int](10), errors.New("gone")
	_, err := r.Of("a", func() (int, error) { return 0, gone })
	require.ErrorIs(t, err, gone)
	v, err := r.Of("a", func() (int, error) { return 1, nil })
	require.NoError(t, err)
	require.Equal(t, 1, v)
}

func TestSetReplacesAndCounts(t *testing.T) {
	s := New[string](10, func(v int) int { return v })
	s.Put("a", 4)
	s.Put("a", 5)
	v, ok := s.Get("a")
	require.True(t, ok)
	require.Equal(t, 4, v, "Put leaves what is there")
	s.Set("a", 5)
	s.Set("b", 5)
	require.Equal(t, 2, s.Len(), "both have room")
	s.Set("a", 6)
	require.Equal(t, 1, s.Len(), "b had to go")
	s.Set("a", 11)
	require.Zero(t, s.Len(), "what there is no room for is not kept, and neither is what it replaces")
	s.Put("c", 10)
	s.Clear()
	s.Put("d", 10)
	require.Equal(t, 1, s.Len())
}

func TestWhatWasNotAskedForLongestIsForgottenFirst(t *testing.T) {
	s := New[string](20, func(v int) int { return v })
	for k, v := range map[string]int{"a": 4, "b": 5, "c": 6} {
		s.Put(k, v)
	}
	for _, k := range []string{"a", "b", "c"} {
		s.Get(k)
	}
	s.Shrink(15)
	require.Equal(t, 3, s.Len(), "it is no more than that")
	s.Shrink(14)
	_, ok := s.Get("a")
	require.False(t, ok)
	require.Equal(t, 11, s.Used())
	s.Shrink(0)
	require.Zero(t, s.Len())
	require.Zero(t, s.Used())
}
