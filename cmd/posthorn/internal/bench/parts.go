package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
)

// benchSettings are the settings of measurements in a house of their own, each repeated several times.
type benchSettings struct {
	Dir    string        `help:"A folder on the disk to be measured; what is made there is removed." default:"." type:"existingdir"`
	Length time.Duration `help:"How long each measurement takes, where nothing else ends it." default:"3s"`
	Runs   int           `help:"How many measurements of each kind." default:"5"`
	JSON   bool          `name:"json" help:"Print one line of JSON, times in nanoseconds."`
}

// atHouse opens a house in a temporary folder, serves it if asked to, and runs do in it.
func (s *benchSettings) atHouse(ctx context.Context, cfg house.Settings, serve bool,
	do func(context.Context, *house.House) error) (err error) {
	if s.Runs < 1 {
		return errors.New("--runs must be at least 1")
	}
	dir, err := os.MkdirTemp(s.Dir, "posthorn-bench-")
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
	if serve {
		g.Go(func() error { return h.Serve(ctx) })
	}
	defer func() {
		stop()
		err = errors.Join(err, g.Wait(), h.Close())
	}()
	return do(ctx, h)
}

// inFolder returns the settings of a house in a folder.
func inFolder(cfg house.Settings, dir string) house.Settings {
	cfg.Data, cfg.Listen, cfg.From, cfg.Opening, cfg.Hooks = dir, "127.0.0.1:0", "posthorn@localhost", "anyone", "off"
	cfg.Pause, cfg.Patience = 2*time.Second, time.Minute
	return cfg
}

// benchPart is one thing to measure, in turn with others.
type benchPart struct {
	name  string
	ready func(context.Context) error        // makes what doing it uses up; if not nil, each measurement does it once
	once  func(context.Context) (int, error) // does it, and returns how many things that was
}

// benchShare is one measurement of a part; each figure is for one thing done.
type benchShare struct {
	PerSecond float64       `json:"per_second"`
	CPU       time.Duration `json:"cpu_ns"`
	Allocated uint64        `json:"allocated_bytes"`
}

// benchRow holds the results of a part.
type benchRow struct {
	Name string       `json:"name"`
	Runs []benchShare `json:"runs"`
}

// measured measures parts in a house of their own, alternating between them, and prints the results.
func (s *benchSettings) measured(ctx context.Context, con console.Console, title string, cfg house.Settings,
	parts func(context.Context, *house.House) ([]benchPart, error)) error {
	var rows []benchRow
	err := s.atHouse(ctx, cfg, false, func(ctx context.Context, h *house.House) error {
		h.Desk.Limit(events.Limits{}) // no real person opens so many tables
		parts, err := parts(ctx, h)
		if err != nil {
			return err
		}
		rows, err = s.inTurn(ctx, parts)
		return err
	})
	if err != nil {
		return err
	}
	if s.JSON {
		return json.NewEncoder(con.Out).Encode(rows)
	}
	return printRows(con, title, rows)
}

func (s *benchSettings) inTurn(ctx context.Context, parts []benchPart) ([]benchRow, error) {
	rows := make([]benchRow, len(parts))
	for range s.Runs {
		for i, p := range parts {
			share, err := p.measure(ctx, s.Length)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			rows[i].Name, rows[i].Runs = p.name, append(rows[i].Runs, share)
		}
	}
	return rows, nil
}

// measure repeats a part for the given time, or does it once if it needs preparation.
func (p *benchPart) measure(ctx context.Context, length time.Duration) (benchShare, error) {
	if p.ready != nil {
		length = 0
		if err := p.ready(ctx); err != nil {
			return benchShare{}, err
		}
	}
	runtime.GC() // do not count earlier garbage
	done, began, spent, allocated := 0, time.Now(), cputime.Used(), allocations()
	for passed := time.Duration(0); passed < max(length, 1); passed = time.Since(began) {
		n, err := p.once(ctx)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return benchShare{}, err
		}
		done += n
	}
	if done == 0 {
		return benchShare{}, errors.New("nothing was done")
	}
	return benchShare{PerSecond: float64(done) / time.Since(began).Seconds(),
		CPU: (cputime.Used() - spent) / time.Duration(done), Allocated: (allocations() - allocated) / uint64(done)}, nil
}

// allocations returns the bytes that this process has allocated so far.
func allocations() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// printRows prints medians, each with its least and most.
func printRows(con console.Console, title string, rows []benchRow) error {
	fmt.Fprintf(con.Out, "%s, on %d processors; median (least to most) of the runs\n\n", title, runtime.NumCPU())
	w := tabwriter.NewWriter(con.Out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ta second\tprocessor, each\tmemory, each\t")
	for _, r := range rows {
		mid, least, most := spread(r.Runs, func(s benchShare) float64 { return s.PerSecond })
		cpu, cpuLeast, cpuMost := spread(r.Runs, func(s benchShare) time.Duration { return s.CPU })
		alloc, _, _ := spread(r.Runs, func(s benchShare) uint64 { return s.Allocated })
		fmt.Fprintf(w, "%s\t%.0f (%.0f to %.0f)\t%s (%s to %s)\t%.1f kB\t\n", r.Name, mid, least, most, short(cpu),
			short(cpuLeast), short(cpuMost), float64(alloc)/1000)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
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
