package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
)

// ViewsCmd rebuilds lists from a log.
type ViewsCmd struct {
	benchSettings
	Games int `help:"How many games the log has." default:"300"`
	Moves int `help:"How many moves of each were played." default:"20"`
}

// Help returns the long help of the sub-command.
func (ViewsCmd) Help() string {
	return `Fills a log with running games of all kinds, whose events lie in turns as those of people who
play over days do, and makes the lists (inbox and lobby) anew from it. Beside that stands the
bare reading of the same log, of which nothing is made. Figures are for an event.`
}

// Run measures and prints.
func (c *ViewsCmd) Run(ctx context.Context, con console.Console) error {
	return c.measured(ctx, con, fmt.Sprintf("lists made anew from %d games of %d moves, for an event", c.Games,
		c.Moves), house.Settings{}, c.parts)
}

func (c *ViewsCmd) parts(ctx context.Context, h *house.House) ([]benchPart, error) {
	if _, err := gamesInTurns(ctx, h, c.Games, c.Moves); err != nil {
		return nil, err
	}
	last, err := h.Log.Last(ctx)
	if err != nil {
		return nil, err
	}
	return []benchPart{
		{name: "log read", once: func(ctx context.Context) (n int, err error) {
			for n < int(last) {
				page, err := h.Log.Read(ctx, uint64(n), 1000)
				if err != nil {
					return n, err
				}
				n += len(page)
			}
			return n, nil
		}},
		{name: "lists made anew", once: func(ctx context.Context) (int, error) {
			return int(last), h.Views.Rebuild(ctx, nil)
		}},
	}, nil
}

// movesInTurn is how many moves a slow table plays before the others get theirs.
const movesInTurn = 4

// gamesInTurns opens tables of all games and plays the given number of moves at each, a few at a time.
func gamesInTurns(ctx context.Context, h *house.House, games, moves int) ([]events.Name, error) {
	tables := make([]events.Name, games)
	each := func(do func(ctx context.Context, i int, rnd *rand.Rand) error) error {
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(16)
		for i := range tables {
			g.Go(func() error { return do(ctx, i, rand.New(rand.NewPCG(7, uint64(i)))) })
		}
		return g.Wait()
	}
	err := each(func(ctx context.Context, i int, rnd *rand.Rand) (err error) {
		ana, bo := domain.PersonID("a"+strconv.Itoa(i/20)), domain.PersonID("b"+strconv.Itoa(i/20))
		tables[i], err = benchOpens(ctx, h.Desk, benchGames[i%len(benchGames)], rnd, ana, bo)
		return err
	})
	for played := 0; played < moves && err == nil; played += movesInTurn {
		err = each(func(ctx context.Context, i int, rnd *rand.Rand) error {
			look, err := h.Desk.Look(ctx, tables[i])
			if err != nil {
				return err
			}
			_, err = benchPlay(ctx, h.Desk, tables[i], look.LineHead.Version+uint64(min(movesInTurn, moves-played)),
				drawnMove, rnd)
			return err
		})
	}
	return tables, err
}
