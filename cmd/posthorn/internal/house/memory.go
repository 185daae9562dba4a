package house

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"posthorn/events/watch"
	"posthorn/projections/picture"
)

// How a running house keeps its memory small. Left alone, the collector lets garbage grow as large as the live heap,
// e.g. at the start, which reads a lot once, or at a first look at thousands of tables.
const (
	startPercent = 40               // garbage allowed during the start, in percent of the live heap
	startTime    = 10 * time.Second // how long the start counts as such
	leastLimit   = 96 << 20         // least memory limit in bytes
	// bytes that the limit allows beyond 1.5 × the live heap, if that is more than leastLimit
	beyondLive = 24 << 20
	// bytes allocated since memory was last given back that make another round worthwhile
	mostGarbage  = 4 << 20
	quietBytes   = 1 << 20 // bytes allocated in a second, at most, in a quiet house
	quietSeconds = 5       // quiet seconds after which memory is given back
	// what the collector may keep of a cgroup's limit, in percent: the rest is for SQLite and the program's file
	cgroupShare  = 60
	tightShare   = 50        // live heap, in percent of that, from which caches are dropped
	tightSeconds = 5         // how often, at most
	roomy        = 256 << 20 // bytes from which on the painter's caches are no matter
	// quiet seconds after which, again and again, the program file's own pages are released
	idleSeconds = 60
)

// LimitMemory keeps the program's memory small until the context ends. It does nothing if the host sets GOGC or
// GOMEMLIMIT.
func LimitMemory(ctx context.Context, cfg Settings) {
	if hostSays() {
		return
	}
	within := cfg.memoryLimit()
	if within > 0 && within < roomy {
		picture.Small()
	}
	runtime.MemProfileRate = 0 // nobody reads memory profiles here, and they cost a table of a megabyte
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
			debug.SetMemoryLimit(softLimit(memoryNow().live, within))
		}
	}()
}

// hostSays reports whether the host has set how much memory the program may have.
func hostSays() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

// rests gives memory back whenever the house is quiet, until the context ends.
func (h *House) rests(ctx context.Context) error {
	if hostSays() {
		return nil
	}
	within, held := h.Config.memoryLimit(), 0
	for saving := (saver{}); watch.Pause(ctx, time.Second) == nil; held++ {
		now := memoryNow()
		if tight(now.live, within) && held >= tightSeconds {
			held = 0
			h.Rest(ctx)
		}
		if saving.gives(now) {
			h.Rest(ctx)
			runtime.GC() // pools survive one collection, but not two
			debug.FreeOSMemory()
			unmapProgram()
		} else if saving.idles() {
			unmapProgram()
		}
	}
	return nil
}

// Rest makes every part drop what was not used recently.
func (h *House) Rest(ctx context.Context) {
	h.Desk.Rest()
	picture.Rest()
	for _, part := range h.resting {
		if err := part(ctx); err != nil && ctx.Err() == nil {
			h.Logger.Warn("memory is kept that is not needed", "error", err)
		}
	}
}

// softLimit returns the memory limit for the collector, in bytes. It grows with the live heap, so that a large house is
// not collected over and over, up to what a cgroup allows (0: everything).
func softLimit(live, within uint64) int64 {
	limit := max(leastLimit, live+live/2+beyondLive)
	if most := within * cgroupShare / 100; most > 0 {
		limit = min(limit, most)
	}
	return int64(limit)
}

// tight reports whether a cgroup leaves so little room above the live heap that caches must go.
func tight(live, within uint64) bool {
	return within > 0 && live > within*cgroupShare/100*tightShare/100
}

// memoryLimit returns how much memory the program may have, in bytes: what the host says, or else what its cgroup
// allows;
// 0 if there is no limit.
func (s Settings) memoryLimit() uint64 {
	if s.Memory > 0 {
		return uint64(s.Memory) << 20
	}
	limit, err := memlimit.FromCgroup()
	if err != nil {
		return 0
	}
	return limit
}

// memoryUse is the program's memory in bytes.
type memoryUse struct {
	live  uint64 // live heap after the last collection
	asked uint64 // allocated since the start
}

func memoryNow() memoryUse {
	m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return memoryUse{live: m[0].Value.Uint64(), asked: m[1].Value.Uint64()}
}

// saver decides when to give memory back: once the house is quiet, and again only after something happened.
type saver struct {
	asked uint64
	quiet int
	given uint64 // value of asked when memory was last given back
}

// gives reports whether to give memory back now. It is called once a second.
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

// idles reports, every idleSeconds of quiet, that nothing has happened.
func (s *saver) idles() bool { return s.quiet > 0 && s.quiet%idleSeconds == 0 }
