package roles

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/projections/views"
)

// Given a server that only reads, while a newer copy of the people is put in place, then a request waits for it. Nobody
// else needs to answer it, and the server that writes may be away.
func TestARequestWaitsForANewerCopyOfThePeople(t *testing.T) {
	r := newReading(&standing{})
	r.house = &house.House{Views: &views.Views{}}
	require.False(t, r.Ready(t.Context(), 0), "there is no copy yet")
	r.caught.Store(true)
	r.knows.Store(true)
	require.True(t, r.Ready(t.Context(), 0))

	r.copied <- struct{}{}
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.False(t, r.Ready(gone, 0), "not before it is in place")
	answered := make(chan bool)
	go func() { answered <- r.Ready(t.Context(), 0) }()
	<-r.copied
	require.True(t, <-answered)
}
