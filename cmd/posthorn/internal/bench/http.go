package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
)

// HTTPCmd makes people play through the API of a house of its own, over loopback, as fast as they get answers.
type HTTPCmd struct {
	Dir     string        `help:"A folder on the disk to be measured; what is made there is removed." default:"." type:"existingdir"`
	Length  time.Duration `help:"How long each measurement takes." default:"3s"`
	Runs    int           `help:"How many measurements of each kind." default:"5"`
	JSON    bool          `name:"json" help:"Print one line of JSON, times in nanoseconds."`
	Game    string        `help:"What is played." default:"carcassonne" enum:"carcassonne,catan,rivals"`
	Players int           `help:"How many play at once, each over a connection of their own." default:"32"`
	Tables  int           `help:"At how many tables each of them plays in turn." default:"8"`
	Only    string        `help:"Measure one kind alone: bare calls, whole turns, or moves." enum:",bare,turns,moves" default:""`
	Mails   bool          `help:"Have mails written too, which people who play by programs turn off."`
	Rate    float64       `help:"How many moves a second all of them make together at most; 0: as many as they can."`
	Memory  int           `placeholder:"MB" help:"Have the house keep to this much memory, as with serve --memory."`
	Look    bool          `help:"Have each player look at the table's page and its picture after each move."`
	Apart   bool          `help:"Have the house run as a process of its own, as posthorn serve; in the end it is killed, and every receipt is held against its log."`
	Cgroup  string        `placeholder:"DIR" help:"With --apart, the cgroup that the house runs in: a folder below /sys/fs/cgroup, made before." type:"existingdir"`
	Program string        `placeholder:"FILE" help:"With --apart, the program that serves; by default this one. A cgroup counts the program's file only if nobody outside of it has read it: give it a copy." type:"existingfile"`
	Profile string        `help:"Write a profile of the processor's time of all measurements to this file, and one of all memory that was asked for beside it." type:"path"`
}

// Help returns the long help of the sub-command.
func (HTTPCmd) Help() string {
	return `Serves a whole house on loopback, in a folder that is removed, and has people play there
by the API: a turn is the list of legal moves without their words, and one of them, drawn
at random and played. Beside the turns it measures moves alone, which the players know
without asking, and calls by the same players to a server that answers nothing. The players
use the same processors as the house, so what is told is what both need together. With
--apart, processor and memory of each turn are the players' own.`
}

// httpBench holds the results.
type httpBench struct {
	Game    string      `json:"game"`
	Players int         `json:"players"`
	Bare    []httpShare `json:"bare"`  // calls with an empty answer
	Turns   []httpShare `json:"turns"` // moves listed and played
	Moves   []httpShare `json:"moves"` // moves played
	Apart   *apartShare `json:"apart,omitempty"`
}

// httpShare is one measurement.
type httpShare struct {
	PerSecond float64       `json:"per_second"`
	Lists     float64       `json:"lists"`           // for each: one, and another if somebody else is asked
	CPU       time.Duration `json:"cpu_ns"`          // of this process, house and players, for each
	Allocated uint64        `json:"allocated_bytes"` // likewise, for each
	Median    time.Duration `json:"move_ns"`         // how long a move's answer took
	Slowest   time.Duration `json:"move_slowest_percent_ns"`
	List      time.Duration `json:"list_ns"` // how long a list took
	// the most that this process, house and players, had in memory, its file included
	Memory int64 `json:"memory_bytes"`
}

// Run measures and prints.
func (c *HTTPCmd) Run(ctx context.Context, con console.Console) error {
	if c.Players < 1 || c.Tables < 1 || c.Runs < 1 {
		return errors.New("--players, --tables and --runs must be at least 1")
	}
	if c.Apart && c.Only != "turns" {
		return errors.New("--apart goes with --only turns: nobody knows the moves of a house apart without asking")
	}
	got := httpBench{Game: c.Game, Players: c.Players}
	cfg := house.Settings{Proxies: []string{"127.0.0.0/8"}, Memory: c.Memory}
	run := c.within
	if c.Apart {
		run = c.apart
	}
	if err := run(ctx, cfg, &got); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(got)
	}
	return got.print(con)
}

// measure seats players in a house and makes them play.
func (c *HTTPCmd) measure(ctx context.Context, h *house.House, got *httpBench) error {
	players, err := c.seated(ctx, h)
	if err != nil {
		return err
	}
	stopProfile, err := profiled(c.Profile)
	if err != nil {
		return err
	}
	err = c.play(ctx, players, got)
	return errors.Join(err, stopProfile())
}

// profiled writes a CPU profile until stop is called, if a file is named.
func profiled(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("write a profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(fmt.Errorf("profile: %w", err), f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		asked, err := os.Create(path + ".allocs")
		if err == nil {
			err = errors.Join(pprof.Lookup("allocs").WriteTo(asked, 0), asked.Close())
		}
		return errors.Join(err, f.Close())
	}, nil
}

// play makes the measurements, alternating between the kinds.
func (c *HTTPCmd) play(ctx context.Context, players []*benchPlayer, got *httpBench) error {
	bare, stop, err := bareServer(ctx)
	if err != nil {
		return err
	}
	defer stop()
	kinds := []struct {
		name string
		into *[]httpShare
		once func(context.Context, *benchPlayer, *benchTimes) error
	}{
		{"bare", &got.Bare, func(ctx context.Context, p *benchPlayer, t *benchTimes) error {
			return p.asks(ctx, bare, t)
		}},
		{"turns", &got.Turns, func(ctx context.Context, p *benchPlayer, t *benchTimes) error { return p.turn(ctx, t) }},
		{"moves", &got.Moves, func(ctx context.Context, p *benchPlayer, t *benchTimes) error {
			return p.moves(ctx, t)
		}},
	}
	for range c.Runs {
		for _, k := range kinds {
			if c.Only != "" && c.Only != k.name {
				continue
			}
			share, err := c.share(ctx, players, k.once)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			*k.into = append(*k.into, share)
		}
	}
	return nil
}

// share makes all players repeat one thing for the length of a measurement.
func (c *HTTPCmd) share(ctx context.Context, players []*benchPlayer,
	once func(context.Context, *benchPlayer, *benchTimes) error) (httpShare, error) {
	times := make([]benchTimes, len(players))
	runtime.GC() // do not count earlier garbage
	began, spent, allocated := time.Now(), cputime.Used(), allocations()
	until := began.Add(c.Length)
	g, ctx := errgroup.WithContext(ctx)
	pace := rate.NewLimiter(rate.Inf, 1)
	if c.Rate > 0 {
		pace = rate.NewLimiter(rate.Limit(c.Rate), 1)
	}
	for i, p := range players {
		g.Go(func() error {
			for { // at least once, however late it starts
				if err := pace.Wait(ctx); err != nil {
					return err
				}
				if err := once(ctx, p, &times[i]); err != nil || !time.Now().Before(until) {
					return err
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return httpShare{}, err
	}
	passed, used, allocated := time.Since(began), cputime.Used()-spent, allocations()-allocated
	var all benchTimes
	for _, t := range times {
		all.done += t.done
		all.moves, all.lists = append(all.moves, t.moves...), append(all.lists, t.lists...)
	}
	slices.Sort(all.moves)
	slices.Sort(all.lists)
	return httpShare{PerSecond: float64(all.done) / passed.Seconds(),
		Lists: float64(len(all.lists)) / float64(all.done), CPU: used / time.Duration(all.done),
		Allocated: allocated / uint64(all.done),
		Median:    at(all.moves, 0.5), Slowest: at(all.moves, 0.99), List: at(all.lists, 0.5),
		Memory: cputime.MostMemory()}, nil
}

// at returns the given quantile of sorted times, or 0 if there are none.
func at(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// print prints medians, each with its least and most.
func (b *httpBench) print(con console.Console) error {
	fmt.Fprintf(con.Out, "%s by the API over loopback, %d players, house and players on %d processors; median "+
		"(least to most) of the runs\n\n", b.Game, b.Players, runtime.NumCPU())
	w := tabwriter.NewWriter(con.Out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ta second\tprocessor, each\tmemory, each\tlists, each\tmedian list\tmedian move\t99 %\t")
	for _, k := range []struct {
		name string
		runs []httpShare
	}{{"calls answered with nothing", b.Bare}, {"turns: listed and played", b.Turns}, {"moves alone", b.Moves}} {
		if len(k.runs) == 0 {
			continue
		}
		mid, least, most := spread(k.runs, func(s httpShare) float64 { return s.PerSecond })
		cpu, cpuLeast, cpuMost := spread(k.runs, func(s httpShare) time.Duration { return s.CPU })
		alloc, _, _ := spread(k.runs, func(s httpShare) uint64 { return s.Allocated })
		lists, _, _ := spread(k.runs, func(s httpShare) float64 { return s.Lists })
		list, _, _ := spread(k.runs, func(s httpShare) time.Duration { return s.List })
		move, _, _ := spread(k.runs, func(s httpShare) time.Duration { return s.Median })
		slow, _, _ := spread(k.runs, func(s httpShare) time.Duration { return s.Slowest })
		fmt.Fprintf(w, "%s\t%.0f (%.0f to %.0f)\t%s (%s to %s)\t%d kB\t%.2f\t%s\t%s\t%s\t\n", k.name, mid, least, most,
			short(cpu), short(cpuLeast), short(cpuMost), alloc/1000, lists, short(list), short(move), short(slow))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if a := b.Apart; a != nil {
		fmt.Fprintf(con.Out, "\n%d moves were acknowledged, %d of them lost\nthe house: %s of processor time for "+
			"each; the most memory, the program's file included: %d MB\n",
			a.Acknowledged, a.Lost, short(a.CPU), a.Memory>>20)
		return nil
	}
	fmt.Fprintf(con.Out, "\nthe most memory of house and players together, the program's file included: %d MB\n",
		cputime.MostMemory()>>20)
	return nil
}
