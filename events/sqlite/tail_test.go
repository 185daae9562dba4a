package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// tailed returns records at positions, each with another version of one stream.
func tailed(from, to uint64) (out []events.Record) {
	for pos := from; pos <= to; pos++ {
		out = append(out, events.Record{Pos: pos, Stream: events.Name{1}, Version: 10 + pos})
	}
	return out
}

func TestTheTailHasWhatWasWrittenLastOrNothing(t *testing.T) {
	l := newTail()
	_, ok := l.after(0, 1)
	require.False(t, ok)
	_, ok = l.at(place{})
	require.False(t, ok)
	l.add(tailed(1, maxLate))
	got, ok := l.after(0, maxLate)
	require.True(t, ok)
	require.Equal(t, tailed(1, maxLate), got)
	l.add(tailed(maxLate+1, maxLate+5))
	_, ok = l.after(4, maxLate+5)
	require.False(t, ok, "the fifth had to go")
	got, ok = l.after(5, 9)
	require.True(t, ok)
	require.Equal(t, tailed(6, 9), got)
	for pos := range uint64(maxLate + 6) {
		rec, ok := l.at(place{events.Name{1}, 10 + pos})
		require.Equal(t, pos > 5, ok, "position %d", pos)
		require.True(t, !ok || rec.Pos == pos)
	}
	_, ok = l.after(maxLate, maxLate+6)
	require.False(t, ok, "not written yet")
	l.forget()
	_, ok = l.after(5, 9)
	require.False(t, ok)
	_, ok = l.at(place{events.Name{1}, 16})
	require.False(t, ok)
}

func TestTheTailLacksWhatIsTooLongAndWhatSpansIt(t *testing.T) {
	l := newTail()
	l.add(tailed(1, 9))
	l.add(tailed(11, 20))
	_, ok := l.after(5, 15)
	require.False(t, ok)
	got, ok := l.after(10, 20)
	require.True(t, ok)
	require.Equal(t, tailed(11, 20), got)
	l.add(tailed(maxLate+1, maxLate+9))
	l.add(tailed(maxLate+11, maxLate+20))
	_, ok = l.after(maxLate+9, maxLate+10)
	require.False(t, ok, "nor is an older one taken for it")
}
