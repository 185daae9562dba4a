package desk

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestARestEndsForWhoeverWaitsForSomethingNew(t *testing.T) {
	h, ctx := NewDemand(), context.Background()
	h.For(7)
	h.rest(ctx, time.Hour, 6) // somebody is already waiting
	h.For(5)                  // and that was handled long ago
	resting := make(chan struct{})
	go func() {
		close(resting)
		time.Sleep(5 * time.Millisecond)
		h.For(8)
	}()
	<-resting
	h.rest(ctx, time.Hour, 7)
	require.EqualValues(t, 8, h.upTo.Load(), "nobody had waited for more before")

	over, end := context.WithCancel(ctx)
	end()
	h.rest(over, time.Hour, 8)
	var none *Demand
	none.rest(over, time.Hour, 0)
	none.rest(ctx, time.Microsecond, 0)
	h.rest(ctx, time.Microsecond, 8)
}
