package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/simulate"
	"posthorn/domain/standin"
)

type simulateCmd struct {
	Game    string            `arg:"" help:"The game's word, as in scripts."`
	Games   int               `help:"How many games." default:"1000"`
	Seats   int               `help:"How many seats; the fewest the game allows if left out." placeholder:"K"`
	Seed    uint64            `help:"The same seed gives the same games on every machine." default:"1"`
	Option  map[string]string `help:"An option of the game, as in scripts; may be given several times." placeholder:"KEY=VALUE" mapsep:"none"`
	Standin []string          `help:"Who plays the seats, in their order: random, steady or thoughtful (thoughtful,steady). Uniformly random moves if left out." placeholder:"NAMES"`
	Cap     int               `help:"Stop a game after so many moves and count it as unfinished." default:"20000"`
	Workers int               `help:"How many games to play at once. Changes the time, never the result." default:"1"`
	Digest  string            `help:"What the digest is over: events, each written as a log has it, or choices (which move of how many, what was drawn, how it ended), which is faster as no event is written." default:"events" enum:"events,choices"`
	JSON    bool              `help:"Print the result as one line of JSON."`
}

// Help returns the long help of the sub-command.
func (simulateCmd) Help() string {
	return `Every move is drawn from the list of legal moves, each as likely, and goes through the same
decide and evolve as on the server. Two programs whose digests are equal played the same games.`
}

// Run plays the games and prints the results.
func (c *simulateCmd) Run(con console.Console) error {
	cfg, err := c.config()
	if err != nil {
		return console.Fails(2, "%w", err)
	}
	// A game leaves some 300 kB of garbage and keeps little alive. At the default setting, half the time went into
	// collecting 4 MB over and over.
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	before := cputime.Used()
	games, err := c.play(cfg, con)
	if err != nil {
		return err
	}
	spent := cputime.Used() - before
	tally := simulate.NewTally()
	for _, g := range games {
		tally.Add(g)
	}
	return c.print(con, c.summary(cfg, tally, spent))
}

func (c *simulateCmd) config() (simulate.Config, error) {
	rb, ok := rulebooks.Named(c.Game)
	if !ok {
		return simulate.Config{}, fmt.Errorf("no game %q; there are %s", c.Game, gameNames())
	}
	choices, err := domain.Complete(rb, c.Option)
	if err != nil {
		return simulate.Config{}, err
	}
	cfg := simulate.Config{Rulebook: rb, Choices: choices, Seats: c.Seats, Seed: c.Seed, Cap: c.Cap,
		Events: c.Digest == "events"}
	if cfg.Seats == 0 {
		cfg.Seats, _ = rb.Seats(choices)
	}
	for _, name := range c.Standin {
		s, err := standin.Named(name)
		if err != nil {
			return cfg, err
		}
		cfg.Standins = append(cfg.Standins, s)
	}
	if c.Games < 1 || c.Cap < 1 || c.Workers < 1 {
		return cfg, errors.New("--games, --cap and --workers are at least 1")
	}
	return cfg, cfg.Check()
}

// play distributes the games among the workers. A game depends only on the seed and its number, so how they are
// distributed does not matter.
func (c *simulateCmd) play(cfg simulate.Config, con console.Console) ([]simulate.Game, error) {
	var next, done atomic.Int64
	games, bar := make([]simulate.Game, c.Games), console.HowFar(con, "games")
	group, ctx := errgroup.WithContext(context.Background())
	for range c.Workers {
		group.Go(func() (err error) {
			player := simulate.NewPlayer(cfg)
			for i := int(next.Add(1)) - 1; i < c.Games && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if games[i], err = player.Play(i); err != nil {
					return err
				}
				bar(int(done.Add(1)), c.Games)
			}
			return nil
		})
	}
	return games, group.Wait()
}

// summary holds the results; the order of its keys is part of the format.
type summary struct {
	Game         string    `json:"game"`
	Seats        int       `json:"seats"`
	Games        int       `json:"games"`
	Moves        int       `json:"moves"`
	RefusedMoves int       `json:"refused_moves"`
	Unfinished   int       `json:"unfinished"`
	MeanChoices  float64   `json:"mean_choices"`
	Digest       string    `json:"digest"`
	DigestOf     string    `json:"digest_of"`
	CPUSeconds   float64   `json:"cpu_seconds"`
	GamesPerCPU  float64   `json:"games_per_cpu_second"`
	MeanScores   []float64 `json:"mean_scores"`
	Standins     []string  `json:"standins,omitempty"`
	WinRates     []float64 `json:"win_rates,omitempty"`

	WinIntervals [][2]float64 `json:"win_intervals,omitempty"`
}

func (c *simulateCmd) summary(cfg simulate.Config, t *simulate.Tally, spent time.Duration) summary {
	s := summary{
		Game: c.Game, Seats: cfg.Seats, Games: t.Games, Moves: t.Moves, RefusedMoves: t.Refused,
		Unfinished:  t.Unfinished,
		MeanChoices: rounded(t.MeanChoices(), 1), Digest: t.Digest(), DigestOf: c.Digest,
		CPUSeconds: rounded(spent.Seconds(), 3),
		MeanScores: roundedAll(t.MeanScores(), 2), Standins: c.Standin,
	}
	if spent > 0 {
		s.GamesPerCPU = rounded(float64(t.Games)/spent.Seconds(), 1)
	}
	if c.Standin != nil {
		s.WinRates, s.WinIntervals = roundedAll(t.WinRates(), 4), t.WinIntervals()
		for i := range s.WinIntervals {
			roundedAll(s.WinIntervals[i][:], 4)
		}
	}
	return s
}

func rounded(x float64, places int) float64 {
	p := math.Pow10(places)
	return math.Round(x*p) / p
}

func roundedAll(list []float64, places int) []float64 {
	for i := range list {
		list[i] = rounded(list[i], places)
	}
	return list
}

func (c *simulateCmd) print(con console.Console, s summary) error {
	if c.JSON {
		if err := json.NewEncoder(con.Out).Encode(s); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
		return nil
	}
	_, err := fmt.Fprintf(con.Out, `%d games of %s, %d seats, seed %d
moves         %d, of %.1f to choose from on average
refused       %d
unfinished    %d (after %d moves)
mean scores   %v
digest        %s of %s
CPU time      %.3f s, %.1f games a second
`, s.Games, s.Game, s.Seats, c.Seed, s.Moves, s.MeanChoices, s.RefusedMoves, s.Unfinished, c.Cap, s.MeanScores, s.Digest, s.DigestOf, s.CPUSeconds, s.GamesPerCPU)
	if err == nil && s.WinRates != nil {
		_, err = fmt.Fprintf(con.Out, "won           %v by %v\n95 %% within   %v\n", s.WinRates, s.Standins,
			s.WinIntervals)
	}
	return err
}

func gameNames() string {
	var names []string
	for _, rb := range rulebooks.All() {
		names = append(names, rb.Name())
	}
	return strings.Join(names, ", ")
}
