package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/metrics"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/house"
)

// within measures in a house that this process serves, in a temporary folder.
func (c *HTTPCmd) within(ctx context.Context, cfg house.Settings, got *httpBench) (err error) {
	if c.Memory > 0 {
		house.LimitMemory(ctx, cfg)
	}
	dir, err := os.MkdirTemp(c.Dir, "posthorn-bench-")
	if err != nil {
		return fmt.Errorf("make a folder to measure in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, stop := context.WithCancel(ctx)
	h, err := house.Open(ctx, inFolder(cfg, dir), slog.New(slog.DiscardHandler))
	if err != nil {
		stop()
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return h.Serve(ctx) })
	defer func() {
		stop()
		err = errors.Join(err, g.Wait(), h.Close())
	}()
	return c.measure(ctx, h, got)
}

// inFolder returns the settings of a house in a folder.
func inFolder(cfg house.Settings, dir string) house.Settings {
	cfg.Data, cfg.Listen, cfg.From, cfg.Opening, cfg.Hooks = dir, "127.0.0.1:0", "posthorn@localhost", "anyone", "off"
	cfg.Pause, cfg.Patience = 2*time.Second, time.Minute
	return cfg
}

// allocations returns the bytes that this process has allocated so far.
func allocations() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// spread returns the median, least and most of a figure over all runs.
func spread[R any, T cmp.Ordered](runs []R, of func(R) T) (mid, least, most T) {
	var all []T
	for _, r := range runs {
		all = append(all, of(r))
	}
	slices.Sort(all)
	return all[len(all)/2], all[0], all[len(all)-1]
}
