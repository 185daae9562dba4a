package house

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"posthorn/events/watch"
	"posthorn/projections/picture"
)

// How a house that is served keeps to little memory. Left alone, the collector lets garbage grow to as much as lives: by a start,
// which reads much once, and by a first look at thousands of tables.
const (
	startPercent = 40               // of what lives may be garbage while the program starts
	startTime    = 10 * time.Second // how long that is
	leastLimit   = 96 << 20         // bytes in all below which the collector is left alone
	beyondLive   = 24 << 20         // and what it is left beside one and a half times what lives, where that is more
	mostGarbage  = 4 << 20          // bytes asked for since memory was given back that make it worth while
	quietBytes   = 1 << 20          // asked for in a second by a house where nothing happens
	quietSeconds = 5                // after so many of which memory is given back
	idleSeconds  = 60               // and after so many, time and again, the pages of the program's file that it uses now and then
)

// Thrift keeps the program to little memory until the context ends. A host who says by GOGC or GOMEMLIMIT how much it may
// have is obeyed.
func Thrift(ctx context.Context) {
	if hostSays() {
		return
	}
	runtime.MemProfileRate = 0 // nobody asks a house for one, and a table of a megabyte is kept for it
	whole := debug.SetGCPercent(startPercent)
	go func() {
		defer debug.SetGCPercent(whole)
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
		second := time.NewTicker(time.Second)
		defer second.Stop()
		started := time.After(startTime)
		for {
			select {
			case <-ctx.Done():
				return
			case <-started:
				debug.SetGCPercent(whole)
				continue
			case <-second.C:
			}
			debug.SetMemoryLimit(softLimit(memoryNow().live))
		}
	}()
}

// hostSays reports whether the host has said how much memory the program may have.
func hostSays() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

// rests gives memory back whenever nothing happens in the house any more, until the context ends.
func (h *House) rests(ctx context.Context) error {
	if hostSays() {
		return nil
	}
	for saving := (saver{}); watch.Pause(ctx, time.Second) == nil; {
		if saving.gives(memoryNow()) {
			h.Rest(ctx)
			runtime.GC() // what lies ready to be used again outlives one collection, and not the second
			debug.FreeOSMemory()
			unmapProgram()
		} else if saving.idles() {
			unmapProgram()
		}
	}
	return nil
}

// Rest has every part keep no more than was asked for last.
func (h *House) Rest(ctx context.Context) {
	h.Desk.Rest()
	picture.Rest()
	for _, part := range h.resting {
		if err := part(ctx); err != nil && ctx.Err() == nil {
			h.Logger.Warn("memory is kept that is not needed", "error", err)
		}
	}
}

// softLimit is how much memory the collector aims to stay below. It moves with what lives, so that a large house is
// not collected over and over.
func softLimit(live uint64) int64 { return int64(max(leastLimit, live+live/2+beyondLive)) }

// memoryUse is the program's memory in bytes.
type memoryUse struct {
	live  uint64 // found by the collector last
	asked uint64 // since the start
}

func memoryNow() memoryUse {
	m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return memoryUse{live: m[0].Value.Uint64(), asked: m[1].Value.Uint64()}
}

// saver finds out when memory may be given back: once nothing happens any more, and not again before something has.
type saver struct {
	asked uint64
	quiet int
	given uint64 // what had been asked for when it was given back last
}

// gives looks once a second.
func (s *saver) gives(now memoryUse) bool {
	if now.asked-s.asked > quietBytes {
		s.quiet = 0
	} else {
		s.quiet++
	}
	s.asked = now.asked
	if s.quiet < quietSeconds || now.asked-s.given < mostGarbage {
		return false
	}
	s.given = now.asked
	return true
}

// idles tells, once in a while, that nothing has happened all the while.
func (s *saver) idles() bool { return s.quiet > 0 && s.quiet%idleSeconds == 0 }
