package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"text/tabwriter"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
)

// SSECmd plays moves at a table that many people have open.
type SSECmd struct {
	benchSettings
	Watchers int `help:"How many have the table open." default:"1000"`
	Silent   int `help:"How many of them never read what they are told." default:"100"`
}

// Help returns the long help of the sub-command.
func (SSECmd) Help() string {
	return `Serves a whole house on loopback, has people open the live stream of a table, and plays moves
there at the desk: the next one once everybody who reads has been told of the last. The news
is timed from the move's answer. Beside it stand moves that nobody watches, at the same
house. The watchers use the same processors and the same memory as the house.`
}

// sseShare is one measurement.
type sseShare struct {
	Watchers  int           `json:"watchers"`
	PerSecond float64       `json:"per_second"`
	CPU       time.Duration `json:"cpu_ns"` // of this process, for each move: house and watchers
	Answer    time.Duration `json:"answer_ns"`
	Slowest   time.Duration `json:"answer_slowest_percent_ns"`
	News      time.Duration `json:"news_ns"` // from the answer until the last reader had the news
	LastNews  time.Duration `json:"news_slowest_percent_ns"`
	Memory    uint64        `json:"memory_bytes"` // for each watcher: both ends, without the system's buffers
}

// Run measures and prints.
func (c *SSECmd) Run(ctx context.Context, con console.Console) error {
	if c.Watchers < 1 || c.Silent < 0 || c.Silent >= c.Watchers {
		return errors.New("--watchers must be at least 1, and more than --silent")
	}
	var alone, watched []sseShare
	err := c.atHouse(ctx, house.Settings{Proxies: []string{"127.0.0.0/8"}}, true,
		func(ctx context.Context, h *house.House) error {
			h.Desk.Limit(events.Limits{}) // no real person moves so often
			rnd := rand.New(rand.NewPCG(7, 0))
			table, err := benchOpens(ctx, h.Desk, "catan", rnd, "ana", "bo")
			if err != nil {
				return err
			}
			for range c.Runs {
				for _, k := range []struct {
					into             *[]sseShare
					watchers, silent int
				}{{&alone, 0, 0}, {&watched, c.Watchers, c.Silent}} {
					share, err := c.share(ctx, h, table, k.watchers, k.silent, rnd)
					if err != nil {
						return fmt.Errorf("%d watchers: %w", k.watchers, err)
					}
					*k.into = append(*k.into, share)
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(map[string][]sseShare{"alone": alone, "watched": watched})
	}
	return c.print(con, alone, watched)
}

// share makes people watch while it plays moves.
func (c *SSECmd) share(ctx context.Context, h *house.House, table events.Name, watchers, silent int,
	rnd *rand.Rand) (out sseShare, err error) {
	before := inUse(0)
	crowd, err := newCrowd(ctx, h.Listen.Addr().String(), table, watchers, silent)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, crowd.leave()) }()
	if watchers > 0 {
		out.Memory = (inUse(before) - before) / uint64(watchers)
	}
	var answers, news []time.Duration
	began, spent := time.Now(), cputime.Used()
	for len(answers) == 0 || time.Since(began) < c.Length {
		look, err := benchPlay(ctx, h.Desk, table, 0, lastingMove, rnd)
		if err != nil {
			return out, err
		}
		crowd.expect(look.LineHead.Version + 1)
		asked := time.Now()
		_, moved := benchMove(ctx, h.Desk, look, lastingMove, rnd)
		answered := time.Now()
		if now, err := h.Desk.Look(ctx, table); err != nil || moved != nil &&
			now.LineHead.Version == look.LineHead.Version {
			return out, errors.Join(moved, err)
		}
		told, err := crowd.told(ctx)
		if err != nil {
			return out, err
		}
		if moved != nil { // the house was faster and played a forced move itself
			continue
		}
		answers, news = append(answers, answered.Sub(asked)), append(news, max(0, told.Sub(answered)))
	}
	out.Watchers, out.PerSecond, out.CPU = watchers, float64(len(answers))/time.Since(began).Seconds(),
		(cputime.Used()-spent)/time.Duration(len(answers))
	slices.Sort(answers)
	slices.Sort(news)
	out.Answer, out.Slowest, out.News, out.LastNews = at(answers, 0.5), at(answers, 0.99), at(news, 0.5), at(news, 0.99)
	return out, nil
}

// inUse returns the memory in use after a collection, in bytes, or least if that is more.
func inUse(least uint64) (bytes uint64) {
	runtime.GC()
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(m)
	return max(least, m[0].Value.Uint64()+m[1].Value.Uint64())
}

// print prints medians, each with its least and most.
func (c *SSECmd) print(con console.Console, alone, watched []sseShare) error {
	fmt.Fprintf(con.Out, "moves at a table that %d watch, %d of them without ever reading, house and watchers on %d "+
		"processors; median (least to most) of the runs\n\n", c.Watchers, c.Silent, runtime.NumCPU())
	w := tabwriter.NewWriter(con.Out, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tmoves a second\tprocessor, each\tmedian answer\t99 %\tlast reader told "+
		"after\t99 %\tmemory a watcher\t")
	for _, k := range []struct {
		name string
		runs []sseShare
	}{{"nobody watches", alone}, {"watched", watched}} {
		mid, least, most := spread(k.runs, func(s sseShare) float64 { return s.PerSecond })
		cpu, cpuLeast, cpuMost := spread(k.runs, func(s sseShare) time.Duration { return s.CPU })
		answer, _, _ := spread(k.runs, func(s sseShare) time.Duration { return s.Answer })
		slow, _, _ := spread(k.runs, func(s sseShare) time.Duration { return s.Slowest })
		news, newsLeast, newsMost := spread(k.runs, func(s sseShare) time.Duration { return s.News })
		late, _, _ := spread(k.runs, func(s sseShare) time.Duration { return s.LastNews })
		memory, _, _ := spread(k.runs, func(s sseShare) uint64 { return s.Memory })
		fmt.Fprintf(w, "%s\t%.0f (%.0f to %.0f)\t%s (%s to %s)\t%s\t%s\t%s (%s to %s)\t%s\t%.1f kB\t\n", k.name, mid,
			least, most, short(cpu), short(cpuLeast), short(cpuMost),
			short(answer), short(slow), short(news), short(newsLeast), short(newsMost), short(late),
			float64(memory)/1000)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
