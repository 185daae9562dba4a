package live

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/http/door"
)

// crowded is a house that serves a thousand streams.
func crowded() *door.Parts {
	return &door.Parts{Config: door.Config{Streams: 1000, Now: time.Now}}
}

func TestWhoNeverReadsIsDroppedAndTheOthersAreTold(t *testing.T) {
	h, table := NewHub(crowded()), events.NewName()
	var all []*listener
	for i := range 1000 {
		l, ok := h.join(table, "", fmt.Sprint(i%20))
		require.True(t, ok)
		all = append(all, l)
	}
	_, ok := h.join(table, "", "another")
	require.False(t, ok, "the house is full")
	const changes = 2 * liveBuffer
	for n := range changes {
		h.tell(table, change{Version: uint64(n)})
		for i, l := range all {
			if i%10 != 0 {
				require.Equal(t, uint64(n), (<-l.changes).Version)
			}
		}
	}
	require.Len(t, h.all, 900, "every tenth never read")
	for i, l := range all {
		_, listens := h.all[l]
		require.Equal(t, i%10 != 0, listens)
		h.leave(l)
		h.leave(l) // again, as a dropped stream does
	}
	require.Empty(t, h.all)
	h.close()
	_, ok = h.join(table, "", "another")
	require.False(t, ok, "the house is closed")
}

// BenchmarkTell measures what one event costs the follower with 1000 listeners, 100 of whom never read.
func BenchmarkTell(b *testing.B) {
	h, table := NewHub(crowded()), events.NewName()
	var all []*listener
	for i := range 1000 {
		l, _ := h.join(table, "", fmt.Sprint(i%20))
		all = append(all, l)
	}
	for b.Loop() {
		h.tell(table, change{Version: 1})
		b.StopTimer()
		for i, l := range all {
			if i%10 != 0 {
				<-l.changes
			}
		}
		b.StartTimer()
	}
}
